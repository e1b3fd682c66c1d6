// Promotions in words: stage, prizes, times, and how long until then by the house's clock.

import { locale, t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { duration, now, when } from "../shared/times.js";
import { capital } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").PrizeListed} PrizeShown */
/** @typedef {import("../../types/contract.js").Promotion} Promotion */
/** @typedef {Promotion & {own: import("../../types/contract.js").OwnPart}} OwnPromotion */
/** @typedef {import("../../types/contract.js").Award} Award */
/** @typedef {import("../../types/contract.js").Notice} Notice */
/** @typedef {import("../../types/contract.js").Claim} Claim */
/** @typedef {import("../../types/contract.js").Dispute} Dispute */
/**
 * A promotion as its managers and inspectors see it.
 * @typedef {Promotion & {may: import("../../types/contract.js").PromotionCommand[], awards: Award[], claims: Claim[], disputes: Dispute[],
 *   notices: Notice[], amendments: import("../../types/contract.js").Amendment[], form: import("../../types/contract.js").Terms, to_draw: number,
 *   duties: import("../../types/contract.js").Duty[]}} ManagedPromotion
 */
/**
 * The rules of a book for promotions.
 * @typedef {object} PrizeRules
 * @property {import("./points.js").Term[]} terms @property {string} terms_clause
 * @property {{id: string, name: string, clause: string, monetary: boolean}[]} kinds
 * @property {{id: string, things: string[], clause: string, above_litres: number | null}[]} prohibited
 * @property {string} prohibited_clause @property {{except: string[], called: string, clause: string}} alternative
 * @property {{with: string}} filing @property {{clause: string}} availability
 * @property {{clause: string, after_start: string}} amending @property {{above: string, clause: string}} scrutineer
 * @property {{forms: {id: string, name: string}[], clause: string, winner_chooses_above: string}} payment
 * @property {{ways: {id: string}[], within_days: number, clause: string}} winners
 * @property {{clause: string, keep_above: string, keep_clause: string}} refusals
 * @property {{tell: string, within_hours: number | null, clause: string}} integrity
 * @property {{advice: string, clause: string}} disputes
 */
/** @typedef {import("../../types/contract.js").Mark} Mark */
/** @typedef {import("../../types/contract.js").PromotionListed} Summary */

/** @type {Intl.NumberFormatOptions} */
const DOLLARS = { style: "currency", currency: "AUD", currencyDisplay: "narrowSymbol" };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Stages in words for patrons. @type {Record<string, string>} */
const STAGES = {
  new: t("draft"),
  draft: t("draft"),
  filed: t("announced"),
  running: t("running"),
  "entries closed": t("entries closed"),
  drawn: t("drawn"),
  cancelled: t("cancelled"),
  closed: t("closed"),
};

/** What comes next at each stage, in words before its time and after. @type {Record<string, [keyof Summary["times"], string, string]>} */
const NEXT = {
  filed: ["starts", t("Starts"), t("Should have started")],
  running: ["entries_close", t("Entries close"), t("Entries should have closed")],
  "entries closed": ["awarded_at", t("Draw"), t("Should have been drawn")],
};

/** The stage it is in. @param {{stage: string, postponed: boolean}} reply */
export function stagePill(reply) {
  const live = reply.stage === "running" || reply.stage === "drawn";
  const stopped = reply.postponed || reply.stage === "cancelled";
  const words = reply.postponed ? t("postponed") : (STAGES[reply.stage] ?? reply.stage);
  return h("span", { class: `pill stage${stopped ? " warn" : live ? " on" : ""}` }, words);
}

/** Who did something, and when. @param {Mark | null} mark */
export function markWords(mark) {
  return mark ? t("{time}, by {who}", { time: when(mark.at), who: mark.by ?? t("the house") }) : "";
}

/** How long until then, or how long ago. @param {string} at @returns {string} */
export function untilWords(at) {
  const left = Date.parse(at) - now();
  const words = spanWords(Math.abs(left));
  return left >= 0 ? t("in {span}", { span: words }) : t("{span} ago", { span: words });
}

/** @param {number} span milliseconds */
function spanWords(span) {
  if (span >= 2 * DAY)
    return t("{days} d {hours} h", { days: Math.floor(span / DAY), hours: Math.floor((span % DAY) / HOUR) });
  if (span >= MINUTE) return duration(span);
  return t("{seconds} s", { seconds: Math.floor(span / 1000) });
}

/** A time that counts down; `tickAll` keeps it right. @param {string} at */
export function countdown(at) {
  return h("span.countdown", { "data-at": at }, untilWords(at));
}

/** Refresh every countdown on the page. */
export function tickAll() {
  for (const one of document.querySelectorAll(".countdown")) {
    const words = untilWords(one.getAttribute("data-at") ?? "");
    setWords(one, words);
  }
}

/** What comes next, with its countdown, if anything. @param {Summary} reply */
export function nextTime(reply) {
  const [name, before, after] = NEXT[reply.stage] ?? ["starts", "", ""];
  const at = reply.times[name];
  if (!before || !at) return null;
  const words = Date.parse(at) >= now() ? before : after;
  return h("p.next-time", words, " ", h("strong", countdown(at)), h("span.soft", when(at, reply.zone)));
}

/** @param {string | null} amount */
export function dollars(amount) {
  const text = amount ?? "0.00";
  const digits = !text.includes(".") || text.endsWith(".00") ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    ...DOLLARS,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(/** @type {`${number}`} */ (text));
}

/** What a prize is worth, if that is stated. @param {PrizeShown} prize */
export function worth(prize) {
  if (prize.value === "0.00") return "";
  const amount = dollars(prize.value);
  return prize.count > 1 ? t("{amount} each", { amount }) : amount;
}

/** A prize in a few words. @param {PrizeShown} prize */
export function prizeWords(prize) {
  const many = prize.count > 1 ? `${prize.count} × ` : "";
  return `${many}${prize.nature || capital(prize.id)}`;
}

/** The list of prizes. @param {PrizeShown[]} prizes */
export function prizeList(prizes) {
  return h(
    "ul.prizes",
    prizes.map((prize) =>
      h(
        "li",
        h("span.prize-mark", { "aria-hidden": "true" }, "★"),
        h("span", prizeWords(prize)),
        h("strong.number", worth(prize)),
      ),
    ),
  );
}

/** The lines that the reader may send. @param {{may: {do: string}[]}} reply @returns {Set<string>} */
export function mayDo(reply) {
  return new Set(reply.may.map((one) => one.do));
}
