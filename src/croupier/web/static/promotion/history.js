// The history of a promotion: what happened and who did it, for staff.

import { get, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
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
  promotion_opened: t("The promotion was created"),
  terms_drafted: t("Terms were written"),
  draft_reopened: t("The filed terms became a draft again"),
  terms_amended: t("The terms were amended"),
  amendment_proposed: t("An amendment was proposed"),
  amendment_approved: t("The amendment was approved"),
  terms_filed: t("The terms were filed"),
  terms_resubmitted: t("The amended terms were sent"),
  terms_published: t("The terms were made available"),
  promotion_started: t("The promotion started"),
  draw_committed: t("The draw was committed"),
  play_counted: t("Play was counted"),
  draw_shown: t("The secret of the draw was revealed"),
  prizes_passed_on: t("Prizes were passed on"),
  postponed: t("The draw was postponed"),
  validated: t("The promotion continued"),
  draw_cancelled: t("The draw was cancelled"),
  entries_taken: t("Entries were added"),
  entries_closed: t("Entries closed"),
  scrutineer_named: t("A scrutineer was named"),
  scrutineer_noted: t("The scrutineer was present"),
  prizes_drawn: t("Prizes were drawn"),
  inspector_told: t("The inspector was told"),
  winner_told: t("The winner was told"),
  claim_made: t("A claim was made"),
  claim_denied: t("The claim was refused"),
  reason_told: t("The claimant was told why"),
  alternative_offered: t("Money was offered instead"),
  alternative_chosen: t("The winner takes the money instead"),
  alternative_undone: t("The winner wants the prize after all"),
  forms_chosen: t("The winner chose how to be paid"),
  prize_paid: t("The prize was paid"),
  prize_handed_over: t("The prize was handed over"),
  award_lapsed: t("The award lapsed"),
  award_restored: t("The award was given back"),
  dispute_raised: t("A dispute was raised"),
  dispute_decided: t("The dispute was decided"),
  dissatisfaction_noted: t("The patron was not satisfied"),
  right_to_complain_told: t("The patron was told of the right to complain"),
  promotion_closed: t("The promotion was closed"),
  claimant_named: t("Name and address were recorded"),
  duty_answered: t("A duty was answered"),
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
    if (event.type === "prize_handed_over") given.set(event.award, t("handed over"));
    if (event.type !== "prize_paid") continue;
    const parts = event.parts.map((/** @type {{cents: number, form: string}} */ part) =>
      t("{amount} by {form}", { amount: dollars(money(BigInt(part.cents))), form: formName(rules, part.form) }),
    );
    given.set(event.award, t("paid: {parts}", { parts: parts.join(", ") }));
  }
  return given;
}

/** @param {any} event */
function what(event) {
  const missed = event.type === "winner_told" && event.reached === false;
  const words = missed ? t("The winner was not reached") : (WORDS[event.type] ?? capital(readable(event.type)));
  const about = event.award ? t("award {award}", { award: event.award }) : (event.claim ?? event.dispute);
  const which = about ? ` (${about})` : "";
  const entries = event.entries ? `: ${event.entries}` : "";
  const said = TOLD.map((name) => event[name]).filter((text) => typeof text === "string" && text);
  return `${words}${which}${entries}${said.length > 0 ? `: ${said.map((text) => readable(text)).join(", ")}` : ""}`;
}

/** @param {Entry[]} history @param {string} book */
export function historyCard(history, book) {
  return card(
    "history-title",
    t("History"),
    h(
      "ol.history",
      [...history]
        .reverse()
        .map((entry) =>
          h(
            "li",
            h("span", what(entry.event), " ", ruleLink(book, entry.event.clause)),
            h(
              "span.soft",
              `${when(entry.at)}, ${entry.who ?? t("the house")}${entry.as ? ` (${named(entry.as)})` : ""}`,
            ),
          ),
        ),
    ),
  );
}
