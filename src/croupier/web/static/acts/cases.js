// Open cases: whose, since when, about what, and the next steps. The house decides; pages only show them.

import { get, url } from "../shared/api.js";
import { h, ruleLink } from "../shared/dom.js";
import { ago, timeOf } from "../shared/times.js";
import { oneOf, spaced } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").NextAct} NextStep */
/** @typedef {import("../../types/contract.js").Case} Case */

/** The open cases of a table; none if they cannot be fetched. @param {string} table @returns {Promise<Case[]>} */
export function openCases(table) {
  return get(url`/tables/${table}/cases`).catch(() => []);
}

/** A case in one line: its name, whose it is, about what. @param {Case} one */
export function caseWords(one) {
  const since = one.since === null ? "" : `, ${timeOf(one.since, one.zone)}`;
  return `${one.case}: ${one.who ?? "unknown"}${since}, ${one.about}`;
}

/** Whether it is for the person of the case. @param {NextStep} step */
function isOwn(step) {
  return step.roles.includes("player");
}

/** The next step, and whose it is. @param {Case} one */
function nextWords(one) {
  const [step] = one.next;
  return (
    step &&
    h(
      "p",
      `Next: ${isOwn(step) && one.who ? one.who : oneOf(step.by)} ${step.words}. `,
      ruleLink(one.book, step.clause),
    )
  );
}

/**
 * A case as a row: its state, the next step, and a button for each step that the reader may take.
 * @param {Case} one @param {(step: NextStep) => HTMLElement | undefined | null | false} button @param {boolean} [named]
 */
export function caseRow(one, button, named = false) {
  const buttons = one.next.map(button).filter(Boolean);
  return h(
    "li.case.card",
    h(
      "div.row",
      h("strong", one.case),
      h("span.pill", `${one.kind}, ${one.stands}`),
      named && h("span", one.title),
      one.due !== "0.00" && h("span.pill.warn", `${spaced(one.due)} to pay`),
      one.since !== null && h("span.soft", `since ${timeOf(one.since, one.zone)}, ${ago(one.since)}`),
    ),
    h("p", `${one.who ?? "Unknown"}: ${one.about}`),
    nextWords(one),
    buttons.length > 0 && h("div.row", buttons),
  );
}
