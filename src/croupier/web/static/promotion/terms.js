// The terms: prizes, times, how to enter, and every point with its clause.

import { named, t } from "../shared/catalogue.js";
import { each, h, ruleLink } from "../shared/dom.js";
import { card, section } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { capital } from "../shared/words.js";
import { earningWords } from "./earning.js";
import { countdown, dollars, prizeWords, worth } from "./words.js";

/** @import { Promotion, PrizeRules, PrizeShown } from "./words.js" */
/** @typedef {{name: string, says: string, clause: string}} Said */

/** The times of a promotion, in order. @type {["starts" | "entries_close" | "awarded_at", string][]} */
const TIMES = [
  ["starts", t("Starts")],
  ["entries_close", t("Entries close")],
  ["awarded_at", t("Prizes are drawn")],
];

/** @param {Promotion} reply @param {PrizeRules} rules @param {import("./earning.js").Known} known */
export function glance(reply, rules, known) {
  const isOpen = ["new", "draft", "filed", "running"].includes(reply.stage);
  return section(
    "card glance",
    "glance-title",
    t("Prizes"),
    reply.prizes.length === 0 && h("p.soft", t("No prizes yet.")),
    h(
      "ul.prize-cards",
      reply.prizes.map((prize) =>
        h(
          "li.prize-card",
          h("strong.worth", worth(prize)),
          h("span", prizeWords(prize)),
          h("span.soft", kindWords(rules, prize)),
        ),
      ),
    ),
    h("h3", t("When")),
    each("dl.facts", {}, TIMES, ([name, words]) =>
      timeRow(words, reply.times[name], reply.stage !== "drawn" && !isEnded(reply)),
    ),
    isEnded(reply) && reply.draw.commitment === null && h("p", t("It ended before it started.")),
    isOpen && [
      h("h3", t("How to enter")),
      h(
        "p",
        [
          earningWords(reply.earning, known),
          leastWords(reply, rules),
          reply.one_prize_each
            ? t("Each person can win only one prize.")
            : reply.earning && t("All your tickets are one entry, which can win only once."),
        ]
          .filter(Boolean)
          .join(" "),
      ),
    ],
  );
}

/** @param {Promotion} reply */
function isEnded(reply) {
  return ["closed", "cancelled"].includes(reply.stage);
}

/** The least wager that counts. @param {Promotion} reply @param {PrizeRules} rules */
function leastWords(reply, rules) {
  const name = rules.terms.find((term) => term.id === "minimum_wager")?.name;
  const least = reply.terms.find((/** @type {Said} */ row) => row.name === name)?.says;
  return reply.earning !== null && least
    ? t("A wager below {amount} does not count.", { amount: saidWords("money", least) })
    : "";
}

/** The kind of a prize, if it says more than its nature. @param {PrizeRules} rules @param {PrizeShown} prize */
function kindWords(rules, prize) {
  const name = rules.kinds.find((one) => one.id === prize.kind)?.name ?? prize.kind;
  return prize.kind === "other" || name === String(prize.nature).toLowerCase() ? "" : named(name);
}

/** @param {string} words @param {string | null} at @param {boolean} counts whether it says how long until then */
function timeRow(words, at, counts) {
  return h(
    "div",
    h("dt", words),
    h("dd", at ? [when(at), " ", counts && h("span.soft", countdown(at))] : t("not set yet")),
  );
}

/** The value of a point in words. @param {string | undefined} kind @param {string} says */
function saidWords(kind, says) {
  if (kind === "time") return when(says);
  if (kind === "yes or no") return says === "yes" ? t("Yes") : t("No");
  return kind === "money" ? dollars(says.replace(/[$,]/g, "")) : capital(says);
}

/** @param {Promotion} reply @param {PrizeRules} rules */
export function termsCard(reply, rules) {
  /** @type {Map<string, {of: string, value: string}>} */
  const known = new Map(rules.terms.map((term) => [term.name, term]));
  /** @type {{id: string}[]} */
  const prizes = reply.prizes;
  /** @type {Said[]} */
  const said = reply.terms;
  const isOf = (/** @type {Said} */ row, /** @type {string} */ prize) =>
    row.name.startsWith(`${prize}: `) && known.get(row.name.slice(prize.length + 2))?.of === "prize";
  const rows = (/** @type {Said[]} */ own, /** @type {number} */ cut) =>
    h(
      "dl.terms",
      own.map(({ name, says, clause }) =>
        h(
          "div",
          h("dt", capital(named(name.slice(cut))), " ", ruleLink(reply.book, clause)),
          h("dd", saidWords(known.get(name.slice(cut))?.value, says)),
        ),
      ),
    );
  return card(
    "terms-title",
    t("Terms and conditions"),
    said.length === 0 && h("p.soft", t("No terms yet.")),
    rows(
      said.filter((row) => !prizes.some(({ id }) => isOf(row, id))),
      0,
    ),
    prizes.map(({ id }) => [
      h("h3", capital(id)),
      rows(
        said.filter((row) => isOf(row, id)),
        id.length + 2,
      ),
    ]),
  );
}
