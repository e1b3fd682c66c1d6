// Play that earns entries: for managers what people staked and the tickets they earn; for players their own.

import { get, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h, ruleLink } from "../shared/dom.js";
import { button, refusal, refusalLine, table } from "../shared/parts.js";
import { clockWords, now } from "../shared/times.js";
import { spaced } from "../shared/words.js";
import { fact } from "./draw.js";
import { dollars } from "./words.js";

/** @import { Promotion, PrizeRules } from "./words.js" */
/** @typedef {import("../../types/contract.js").PromotionPlay} Play */
/** @typedef {import("../../types/contract.js").OwnPlay} OwnPlay */

/** Counted on request: the house reads it from the tables. @param {Promotion} reply */
export function playCount(reply) {
  if (reply.earning === null || reply.draw.commitment === null) return null;
  const place = h("div");
  const count = async () => {
    try {
      fill(place, rows(await get(url`/promotions/${reply.promotion}/play`)));
    } catch (error) {
      fill(place, refusalLine(reply.book, error));
    }
  };
  const start = button(
    reply.counted === null ? t("Count the play so far") : t("Count the play again"),
    () => void count(),
  );
  return h("div.play", start, place);
}

/** @param {Play} play */
function rows(play) {
  if (play.people.length === 0) return h("p.soft", { role: "status" }, t("No play counts so far."));
  const people = play.people.map((one) => [one.person, spaced(one.staked), one.tickets]);
  const words = play.same
    ? t("The same as the entries made at the close.")
    : t("Not the same as the entries made at the close.");
  return [
    table([t("Person"), { number: t("Staked") }, { number: t("Tickets") }], people),
    play.same !== null && h("p", { role: "status", class: play.same ? "good" : "problem" }, words),
  ];
}

/** The player's own play, counted at once and again on request. @param {Promotion} reply @param {PrizeRules} rules */
export function ownPlay(reply, rules) {
  if (reply.earning === null || reply.stage !== "running") return null;
  const place = h("div", { role: "status" }, h("p.soft", t("Counting your play …")));
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
    h("h3", { id: "own-play-title" }, t("Your play so far")),
    place,
    button(t("Count again"), () => void count()),
  );
}

/** @param {Promotion} reply @param {PrizeRules} rules @param {OwnPlay} play */
function words(reply, rules, play) {
  if (!play.in_draw) return outside(reply, rules);
  const at = clockWords(now(), reply.zone);
  return [
    h(
      "dl.facts",
      fact(t("Staked so far"), dollars(play.staked)),
      fact(t("Tickets so far"), h("strong", play.tickets)),
      play.missing !== null && fact(t("Until the next ticket"), t("{amount} more", { amount: dollars(play.missing) })),
    ),
    h("p.soft", t("As of {time}. The house makes the final count when entries close.", { time: at })),
  ];
}

/** For people who cannot earn tickets. @param {Promotion} reply @param {PrizeRules} rules */
function outside(reply, rules) {
  const clause = rules.terms.find((term) => term.id === "eligibility")?.clause;
  return h(
    "p",
    t(
      "Your play earns no tickets at present. Staff, and people excluded from play when entries close, cannot be in the draw.",
    ),
    " ",
    ruleLink(reply.book, clause),
  );
}
