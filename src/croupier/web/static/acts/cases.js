// Open cases: whose, since when, about what, and the next steps. The house decides; pages only show them.

import { get, url } from "../shared/api.js";
import { named, rich, t } from "../shared/catalogue.js";
import { h, inEnglish, ruleLink } from "../shared/dom.js";
import { ago, timeOf } from "../shared/times.js";
import { capital, oneOf, spaced } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").NextAct} NextStep */
/** @typedef {import("../../types/contract.js").Case} Case */

/** The open cases of a table; none if they cannot be fetched. @param {string} table @returns {Promise<Case[]>} */
export function openCases(table) {
  return get(url`/tables/${table}/cases`).catch(() => []);
}

/** A case in one line: its name, whose it is, about what. @param {Case} one */
export function caseWords(one) {
  const since = one.since === null ? "" : `, ${timeOf(one.since, one.zone)}`;
  return `${one.case}: ${one.who ?? t("unknown")}${since}, ${one.about}`;
}

/** Whether it is for the person of the case. @param {NextStep} step */
function isOwn(step) {
  return step.roles.includes("player");
}

/** The next step, and whose it is. @param {Case} one */
function nextWords(one) {
  const [step] = one.next;
  if (!step) return null;
  const who = isOwn(step) && one.who ? one.who : oneOf(step.by);
  const rule = ruleLink(one.book, step.clause);
  return h("p", rich("Next: {who} {does}. {rule}", { who, does: inEnglish(step.words), rule }));
}

/**
 * A case as a row: its state, the next step, and a button for each step that the reader may take.
 * @param {Case} one @param {(step: NextStep) => HTMLElement | undefined | null | false} button @param {boolean} [isApart] whether it names its table
 */
export function caseRow(one, button, isApart = false) {
  const buttons = one.next.map(button).filter(Boolean);
  return h(
    "li.case.card",
    h(
      "div.row",
      h("strong", one.case),
      h("span.pill", `${named(one.kind)}, ${named(one.stands)}`),
      isApart && h("span", one.title),
      one.due !== "0.00" && h("span.pill.warn", t("{due} to pay", { due: spaced(one.due) })),
      one.since !== null &&
        h("span.soft", t("since {time}, {ago}", { time: timeOf(one.since, one.zone), ago: ago(one.since) })),
    ),
    h("p", `${one.who ?? capital(t("unknown"))}: ${one.about}`),
    nextWords(one),
    buttons.length > 0 && h("div.row", buttons),
  );
}
