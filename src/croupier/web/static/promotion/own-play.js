// One's own play while a promotion runs: what counts so far, the tickets for it, and what is missing to the next.

import { get, url } from "../shared/api.js";
import { fill, h, ruleLink } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { clockWords, now } from "../shared/times.js";
import { fact } from "./draw.js";
import { refusal } from "./line-form.js";
import { dollars } from "./words.js";

/** @typedef {{in_draw: boolean, staked: string, tickets: number, missing: string | null}} OwnPlay */

/** Counted when the page comes, and again when somebody asks. @param {any} reply @param {any} rules */
export function ownPlay(reply, rules) {
  if (reply.earning === null || reply.stage !== "running") return null;
  const place = h("div", { role: "status" }, h("p.soft", "Counting your play …"));
  let counting = false;
  const count = async () => {
    if (counting) return;
    counting = true;
    try {
      fill(place, words(reply, rules, await get(url`/promotions/${reply.promotion}/play/own`)));
    } catch (error) {
      fill(place, h("p.problem", refusal(reply.book, error)));
    }
    counting = false;
  };
  void count();
  return h(
    "section.play",
    { "aria-labelledby": "own-play-title" },
    h("h3", { id: "own-play-title" }, "Your play so far"),
    place,
    button("Count again", () => void count()),
  );
}

/** @param {any} reply @param {any} rules @param {OwnPlay} play */
function words(reply, rules, play) {
  if (!play.in_draw) return outside(reply, rules);
  const at = clockWords(now(), reply.zone);
  return [
    h(
      "dl.facts",
      fact("Staked so far", dollars(play.staked)),
      fact("Tickets so far", h("strong", play.tickets)),
      play.missing !== null && fact("Until the next ticket", `${dollars(play.missing)} more`),
    ),
    h("p.soft", `As of ${at}. The house makes the final count when entries close.`),
  ];
}

/** For who has no tickets, whatever they stake. @param {any} reply @param {any} rules */
function outside(reply, rules) {
  const clause = rules.terms.find((/** @type {any} */ term) => term.id === "eligibility")?.clause;
  return h(
    "p",
    "Your play earns no tickets at present. Staff, and people excluded from play when entries close, cannot be in the draw. ",
    ruleLink(reply.book, clause),
  );
}
