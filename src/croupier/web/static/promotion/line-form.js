// LineForm something of a promotion: a form becomes a line, the house takes it or refuses it with a sentence and a clause.

import { post, Refused, url } from "../shared/api.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, field, submitting } from "../shared/parts.js";

/** @import { Child } from "../shared/dom.js" */
/** @typedef {{name: string, address: string}} Personal */
/** @typedef {Record<string, any>} Line */
/**
 * What is asked in a form. `kind` is text unless it says otherwise; `choices` are values with their words.
 * @typedef {object} Asked
 * @property {string} name @property {string} label
 * @property {"text" | "long" | "choice" | "tick" | "ticks" | "count" | "money"} [kind]
 * @property {[string, string][]} [choices] @property {string} [value] @property {boolean} [optional]
 * @property {string} [hint] @property {string} [complete] what a browser may fill in
 */
/**
 * One thing that can be said. `line` makes it out of what was filled in, `personal` who a claimant is.
 * @typedef {object} LineForm
 * @property {string} button @property {Asked[]} [asked] @property {(given: any) => Line} line
 * @property {(given: any) => Personal | null} [personal] @property {string} done what is announced once it is stored
 * @property {"primary" | "danger" | ""} [look] @property {Child} [hint]
 */

const MOST = 1000; // letters

/** Speaks of one promotion, in its newest version, and hears when something was stored. */
export class LineSender {
  /** @param {string} promotion @param {string} book @param {() => Promise<void>} stored */
  constructor(promotion, book, stored) {
    this.promotion = promotion;
    this.book = book;
    this.stored = stored;
    /** @type {number | null} */
    this.version = null; // of those who manage: nothing may have happened since they looked
  }

  /** Say it. Raises Refused. @param {Line} line @param {Personal | null} [personal] */
  async say(line, personal = null) {
    /** @type {Record<string, any>} */
    const body = { line };
    if (this.version !== null) body.version = this.version;
    if (personal !== null) body.personal = personal;
    const reply = await post(url`/promotions/${this.promotion}/lines`, body);
    if (this.version !== null) this.version = reply.versions[`promotion/${this.promotion}`] ?? this.version;
  }
}

/** A refusal as people read it: the sentence, and the clause behind it. @param {string} book @param {unknown} error */
export function refusal(book, error) {
  if (!(error instanceof Refused)) return [String(error instanceof Error ? error.message : error)];
  const again = error.code === "promotion_moved_on" ? " What you see is brought up to date." : "";
  return [error.message, again, " ", ruleLink(book, error.clause)];
}

/** A form for one thing, or a button alone where nothing is asked. @param {LineSender} sender @param {LineForm} spec */
export function lineForm(sender, spec) {
  const problem = alertLine();
  const button = h("button", { type: "submit", class: spec.look || null }, spec.button);
  const asked = spec.asked ?? [];
  const form = h(
    "form",
    {
      class: asked.length > 0 ? "say fields" : "say",
      onsubmit: submitting(() => send()),
    },
    asked.map(fieldFor),
    spec.hint && h("p.soft", spec.hint),
    button,
    problem,
  );
  const send = async () => {
    button.disabled = true;
    fill(problem);
    try {
      const given = filled(form, asked);
      await sender.say(spec.line(given), spec.personal?.(given) ?? null);
      announce(spec.done);
      await sender.stored();
    } catch (error) {
      fill(problem, refusal(sender.book, error));
      if (error instanceof Refused && error.code === "promotion_moved_on") await sender.stored();
    } finally {
      button.disabled = false;
    }
  };
  return form;
}

/** The same, folded away until somebody wants it. @param {string} words @param {LineSender} sender @param {LineForm} spec */
export function foldedForm(words, sender, spec) {
  return h("details.later", h("summary", words), lineForm(sender, spec));
}

/** @param {Asked} one */
function fieldFor(one) {
  if (one.kind === "tick") return h("label.tick", h("input", { type: "checkbox", name: one.name }), " ", one.label);
  if (one.kind === "ticks")
    return h(
      "fieldset.ticks",
      h("legend", one.label),
      (one.choices ?? []).map(([value, words]) =>
        h("label.tick", h("input", { type: "checkbox", name: one.name, value }), " ", words),
      ),
    );
  return field(one.label, input(one), one.hint && h("span.soft", one.hint));
}

/** @param {Asked} one */
function input(one) {
  const props = { name: one.name, required: !one.optional };
  if (one.kind === "choice")
    return h(
      "select",
      props,
      (one.choices ?? []).map(([value, words]) => h("option", { value }, words)),
    );
  if (one.kind === "long") return h("textarea", { ...props, rows: 2, maxlength: MOST }, one.value);
  if (one.kind === "count") return h("input", { ...props, type: "number", min: 1, step: 1, value: one.value ?? "1" });
  const money = one.kind === "money";
  return h("input", {
    ...props,
    maxlength: MOST,
    value: one.value,
    autocomplete: one.complete ?? "off",
    inputmode: money ? "decimal" : null,
    pattern: money ? "\\$?[0-9,]+([.][0-9]{2})?" : null,
  });
}

/** An amount as the house reads it; people write $12,000 too. @param {string} text */
export function amount(text) {
  const typed = text
    .trim()
    .replace(/^\$\s*/, "")
    .replaceAll(",", "");
  return /^\d+$/.test(typed) ? `${typed}.00` : typed;
}

/** Whether it is one, and above nothing. @param {string} text as `amount` gives it */
export function isAmount(text) {
  return /^(?!0+\.00)\d+\.\d\d$/.test(text);
}

/** What was filled in, each in its kind. @param {HTMLFormElement} form @param {Asked[]} asked */
function filled(form, asked) {
  const data = new FormData(form);
  /** @type {Record<string, any>} */
  const given = {};
  for (const { name, kind } of asked) {
    const text = String(data.get(name) ?? "").trim();
    if (kind === "tick") given[name] = data.has(name);
    else if (kind === "ticks") given[name] = data.getAll(name).map(String);
    else if (kind === "count") given[name] = Number(text);
    else given[name] = kind === "money" ? amount(text) : text;
  }
  return given;
}
