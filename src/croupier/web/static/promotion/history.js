// The history of a promotion: what happened and who did it, for staff.

import { get, url } from "../shared/api.js";
import { h, ruleLink } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { capital, money, readable } from "../shared/words.js";
import { formName } from "./awards.js";
import { dollars } from "./words.js";

/** @import { PrizeRules } from "./words.js" */
/** @typedef {{version: number, at: string, who: string | null, as: string | null, event: any}} Entry */

const PAGE = 500;

/** What a person entered, in order. */
const TOLD = ["title", "to", "means", "name", "reason", "finding", "reference", "about", "decision", "way", "note"];

/** @type {Record<string, string>} */
const WORDS = {
  promotion_opened: "The promotion was created",
  terms_drafted: "Terms were written",
  draft_reopened: "The filed terms became a draft again",
  terms_amended: "The terms were amended",
  amendment_proposed: "An amendment was proposed",
  amendment_approved: "The amendment was approved",
  terms_filed: "The terms were filed",
  terms_resubmitted: "The amended terms were sent",
  terms_published: "The terms were made available",
  promotion_started: "The promotion started",
  draw_committed: "The draw was committed",
  play_counted: "Play was counted",
  draw_shown: "The secret of the draw was revealed",
  prizes_passed_on: "Prizes were passed on",
  postponed: "The draw was postponed",
  validated: "The promotion continued",
  draw_cancelled: "The draw was cancelled",
  entries_taken: "Entries were added",
  entries_closed: "Entries closed",
  scrutineer_named: "A scrutineer was named",
  scrutineer_noted: "The scrutineer was present",
  prizes_drawn: "Prizes were drawn",
  inspector_told: "The inspector was told",
  winner_told: "The winner was told",
  claim_made: "A claim was made",
  claim_denied: "The claim was refused",
  reason_told: "The claimant was told why",
  alternative_offered: "Money was offered instead",
  alternative_chosen: "The winner takes the money instead",
  alternative_undone: "The winner wants the prize after all",
  forms_chosen: "The winner chose how to be paid",
  prize_paid: "The prize was paid",
  prize_handed_over: "The prize was handed over",
  award_lapsed: "The award lapsed",
  award_restored: "The award was given back",
  dispute_raised: "A dispute was raised",
  dispute_decided: "The dispute was decided",
  dissatisfaction_noted: "The patron was not satisfied",
  right_to_complain_told: "The patron was told of the right to complain",
  promotion_closed: "The promotion was closed",
  claimant_named: "Name and address were recorded",
  duty_answered: "A duty was answered",
};

/** The whole history. @param {string} promotion @returns {Promise<Entry[]>} */
export async function historyOf(promotion) {
  /** @type {Entry[]} */
  const found = [];
  let after = /** @type {number | null} */ (0);
  while (after !== null) {
    const path = url`/promotions/${promotion}/events?brief=true&after=${after}&limit=${PAGE}`;
    /** @type {{entries: (Entry & {events: any[]})[], next: number | null}} */
    const reply = await get(path);
    found.push(...reply.entries.map((entry) => ({ ...entry, event: entry.events[0] })));
    after = reply.next;
  }
  return found;
}

/** The scrutineer named last. @param {Entry[]} history @returns {string | null} */
export function scrutineerOf(history) {
  return history.filter(({ event }) => event.type === "scrutineer_named").at(-1)?.event.name ?? null;
}

/** How each award was given. @param {Entry[]} history @param {PrizeRules} rules @returns {Map<number, string>} */
export function givenIn(history, rules) {
  /** @type {Map<number, string>} */
  const given = new Map();
  for (const { event } of history) {
    if (event.type === "prize_handed_over") given.set(event.award, "handed over");
    if (event.type !== "prize_paid") continue;
    const parts = event.parts.map(
      (/** @type {{cents: number, form: string}} */ part) =>
        `${dollars(money(BigInt(part.cents)))} by ${formName(rules, part.form)}`,
    );
    given.set(event.award, `paid: ${parts.join(", ")}`);
  }
  return given;
}

/** @param {any} event */
function what(event) {
  const missed = event.type === "winner_told" && event.reached === false;
  const words = missed ? "The winner was not reached" : (WORDS[event.type] ?? capital(readable(event.type)));
  const which = event.award
    ? ` (award ${event.award})`
    : event.claim
      ? ` (${event.claim})`
      : event.dispute
        ? ` (${event.dispute})`
        : "";
  const entries = event.entries ? `: ${event.entries}` : "";
  const said = TOLD.map((name) => event[name]).filter((text) => typeof text === "string" && text);
  return `${words}${which}${entries}${said.length > 0 ? `: ${said.map((text) => readable(text)).join(", ")}` : ""}`;
}

/** @param {Entry[]} history @param {string} book */
export function historyCard(history, book) {
  return card(
    "history-title",
    "History",
    h(
      "ol.history",
      [...history]
        .reverse()
        .map((entry) =>
          h(
            "li",
            h("span", what(entry.event), " ", ruleLink(book, entry.event.clause)),
            h("span.soft", `${when(entry.at)}, ${entry.who ?? "the house"}${entry.as ? ` (${entry.as})` : ""}`),
          ),
        ),
    ),
  );
}
