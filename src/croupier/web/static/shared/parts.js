// Parts that pages are made of: buttons, labelled fields, cards, facts, tables, forms and dialogs.

import { Refused } from "./api.js";
import { ENGLISH, language, t } from "./catalogue.js";
import { byId, each, fill, h, inEnglish, ruleLink } from "./dom.js";

/** @import { Child } from "./dom.js" */

/** @param {Child} words @param {() => void} press @param {string | null} [look] its classes */
export function button(words, press, look = null) {
  return h("button", { type: "button", class: look, onclick: () => press() }, words);
}

/** A control with its label. @param {Child} words @param {...Child} control */
export function field(words, ...control) {
  return h("label", h("span", words), ...control);
}

/** @param {readonly (readonly (string | number)[])[]} options values with their words @param {Record<string, string | boolean | (() => void)>} [props] @param {string} [chosen] */
export function select(options, props = {}, chosen = undefined) {
  const rows = options.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  return h("select", props, rows);
}

/** A part of the page with a heading. @param {string | null} look its classes @param {string} id of the heading @param {Child} title @param {...Child} content */
export function section(look, id, title, ...content) {
  return h("section", { class: look, "aria-labelledby": id }, h("h2", { id }, title), ...content);
}

/** A card with a heading. @param {string} id of the heading @param {Child} title @param {...Child} content */
export function card(id, title, ...content) {
  return section("card", id, title, ...content);
}

/** Names with their values. @param {readonly (readonly [Child, Child])[]} rows */
export function factRows(rows) {
  return rows.map(([name, value]) => h("div", h("dt", name), h("dd", value)));
}

/** @param {readonly (readonly [Child, Child])[]} rows @param {string | null} [look] its classes */
export function facts(rows, look = null) {
  return h("dl", { class: look }, factRows(rows));
}

// Tables

/** @typedef {string | {number: string}} Column a column of words, or of numbers, which stand to the right */

/** @param {Column} column */
const isNumber = (column) => typeof column !== "string";

/** The head of a table. @param {Column[]} columns */
export function head(columns) {
  const cell = (/** @type {Column} */ column) =>
    isNumber(column) ? h("th.number", { scope: "col" }, column.number) : h("th", { scope: "col" }, column);
  return h("thead", h("tr", columns.map(cell)));
}

/** Rows under such a head. @param {Column[]} columns @param {Child[][]} rows */
export function body(columns, rows) {
  const cell = (/** @type {Child} */ value, /** @type {number} */ place) =>
    h(isNumber(columns[place] ?? "") ? "td.number" : "td", value);
  return each("tbody", {}, rows, (row) => h("tr", row.map(cell)));
}

/** @param {Column[]} columns @param {Child[][]} rows @param {...Child} before a caption */
export function table(columns, rows, ...before) {
  return h("table", ...before, head(columns), body(columns, rows));
}

/** A part of the page that scrolls by itself, which the keyboard can reach. @param {string} label @param {...Child} content */
export function scrolling(label, ...content) {
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": label }, ...content);
}

// Forms, and what the house answers

/** A line that screen readers read at once. @param {...Child} words */
export function alertLine(...words) {
  return h("p.problem", { role: "alert" }, ...words);
}

/** Submit a form without leaving the page. @param {() => unknown} send @returns {(event: SubmitEvent) => void} */
export function submitting(send) {
  return (event) => {
    event.preventDefault();
    send();
  };
}

/** @param {unknown} error */
export function errorWords(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Refusals that players often meet, by their codes, in short; the house says each in the English of its books. @type {Record<string, string>} */
const OFTEN = {
  bets_closed: t("The bets are closed."),
  bets_shut: t("The bets are closed."),
  round_over: t("That round is over."),
  stake_below_minimum: t("That is below the minimum."),
  stake_above_maximum: t("That is above the maximum."),
  not_enough_chips: t("There are not enough chips for that."),
  amount_not_in_chips: t("The amount does not fit the smallest chip."),
  amount_not_in_units: t("The amount does not fit the steps of this wager."),
  only_before_come_out: t("This wager is open only just before a come out roll."),
  only_after_come_out: t("This wager is open only while a point is set."),
  no_point: t("This wager is open only while a point is set."),
  flat_wager_missing: t("The wager that this one lies behind is missing."),
  wager_locked: t("This wager stays until it is decided."),
  one_wager_only: t("This wager is made once and cannot be added to."),
  wager_not_offered: t("This wager is not offered at this table."),
  table_full: t("Every place at this table is taken."),
  place_taken: t("Another player sits there."),
  sign_in_failed: t("The username or the password is wrong."),
};

/** A refusal in the house's words, after the reader's own if there are any. @param {Refused} error @returns {Child[]} */
function saidBy(error) {
  const often = language === ENGLISH ? undefined : OFTEN[error.code];
  return [often && `${often} `, error.status === 0 ? error.message : inEnglish(error.message)];
}

/** What to do after some refusals, by their codes. @type {Record<string, string>} */
const NEXT = {
  table_moved_on: t("Look at the table, then press again."),
  promotion_moved_on: t("The page now shows the latest state."),
};

/** A refusal with its clause. @param {string} book @param {unknown} error @returns {Child[]} */
export function refusal(book, error) {
  if (!(error instanceof Refused)) return [errorWords(error)];
  const next = NEXT[error.code];
  return [...saidBy(error), next && ` ${next}`, " ", ruleLink(book, error.clause)];
}

/** The same as a line. @param {string} book @param {unknown} error */
export function refusalLine(book, error) {
  return alertLine(refusal(book, error));
}

/**
 * Give an order: its buttons rest until it is answered, and a refusal is shown. Anything else is a bug, and raised.
 * @param {{problem: HTMLElement, buttons: HTMLButtonElement[], words?: (error: unknown) => Child}} shown
 * @param {() => Promise<void>} order @returns {Promise<void>}
 */
export async function attempt({ problem, buttons, words = errorWords }, order) {
  fill(problem);
  const pressed = document.activeElement;
  for (const one of buttons) one.disabled = true;
  try {
    await order();
  } catch (error) {
    fill(problem, words(error));
    if (!(error instanceof Refused)) throw error;
  } finally {
    for (const one of buttons) one.disabled = false;
    // A button that rests loses the keyboard.
    if (pressed instanceof HTMLElement && document.activeElement === document.body) pressed.focus();
  }
}

// Whole pages and dialogs

/** A page that cannot be shown. @param {string} title @param {unknown} error @param {string} [href] @param {string} [words] of the link */
export function showFailure(title, error, href = "/", words = t("All tables")) {
  fill(byId("main"), h("h1", title), alertLine(errorWords(error)), h("p", h("a", { href }, words)));
}

/** Open a dialog over the page; it goes once it is closed. @param {string} look its classes @param {string} heading the id of its heading @param {...Child} content */
export function openDialog(look, heading, ...content) {
  const close = h(
    "button.quiet.close",
    { type: "button", "aria-label": t("Close"), onclick: () => dialog.close() },
    "×",
  );
  const dialog = h(
    "dialog",
    { class: look, "aria-labelledby": heading, onclose: () => dialog.remove() },
    close,
    ...content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Drawing only what has changed

/** Remembers what was drawn last. */
export class Drawn {
  last = "";

  /** Whether this was drawn last; if not, it is from now on. @param {unknown} value */
  isSame(value) {
    const now = JSON.stringify(value);
    const isSame = now === this.last;
    this.last = now;
    return isSame;
  }
}

/** Change the words of an element where they are others: screen readers read only what changes. @param {Element} element @param {string} words */
export function setWords(element, words) {
  if (element.textContent !== words) fill(element, words);
}
