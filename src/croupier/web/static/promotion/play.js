// Play that earns entries, for those who keep the books: what people staked, and the tickets that are due for it.

import { get, url } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { alertLine, button } from "../shared/parts.js";
import { spaced } from "../shared/words.js";
import { refusal } from "./line-form.js";

/** @typedef {{earns: boolean, people: {person: string, staked: string, tickets: number}[], same: boolean | null}} Play */

/** Counted when somebody asks: it is read from the tables. @param {any} reply */
export function playCount(reply) {
  if (reply.earning === null || reply.draw.commitment === null) return null;
  const place = h("div");
  const count = async () => {
    try {
      fill(place, rows(await get(url`/promotions/${reply.promotion}/play`)));
    } catch (error) {
      fill(place, alertLine(refusal(reply.book, error)));
    }
  };
  const words = reply.counted === null ? "Count the play so far" : "Count the play again";
  return h(
    "div.play",
    button(words, () => void count()),
    place,
  );
}

/** @param {Play} play */
function rows(play) {
  if (play.people.length === 0) return h("p.soft", { role: "status" }, "No play counts so far.");
  return [
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          ["Person", "Staked", "Tickets"].map((name, place) =>
            h("th", { scope: "col", class: place ? "number" : null }, name),
          ),
        ),
      ),
      h(
        "tbody",
        play.people.map((one) =>
          h("tr", h("td", one.person), h("td.number", spaced(one.staked)), h("td.number", one.tickets)),
        ),
      ),
    ),
    play.same !== null &&
      h(
        "p",
        { role: "status", class: play.same ? "good" : "problem" },
        play.same ? "The same as the entries made at the close." : "Not the same as the entries made at the close.",
      ),
  ];
}
