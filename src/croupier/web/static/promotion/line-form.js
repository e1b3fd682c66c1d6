// Forms for the lines of a promotion: what is filled in becomes a line, which the house takes or refuses.

import { post, Refused, url } from "../shared/api.js";
import { announce, h } from "../shared/dom.js";
import { alertLine, attempt, field, refusal, select, submitting } from "../shared/parts.js";
import { TYPED, typed } from "../shared/words.js";

/** @import { Child } from "../shared/dom.js" */
/** @typedef {{name: string, address: string}} Personal */
/** @typedef {Record<string, any>} Line */
/**
 * What a form asks for. `kind` is text by default; `choices` are values with their words.
 * @typedef {object} Asked
 * @property {string} name @property {string} label
 * @property {"text" | "long" | "choice" | "tick" | "ticks" | "count" | "money"} [kind]
 * @property {string[][]} [choices] @property {string} [value] @property {boolean} [optional]
 * @property {string} [hint] @property {string} [complete] what a browser may fill in
 */
/**
 * A form for one line. `line` makes it from what was filled in, `personal` is who a claimant is.
 * @typedef {object} LineForm
 * @property {string} button @property {Asked[]} [asked] @property {(given: any) => Line} line
 * @property {(given: any) => Personal | null} [personal] @property {string} done announced once it is stored
 * @property {"primary" | "danger" | ""} [look] @property {Child} [hint]
 */

const MOST = 1000; // letters

/** Sends lines for one promotion, in its latest version. */
export class LineSender {
  /** @param {string} promotion @param {string} book @param {() => Promise<void>} stored */
  constructor(promotion, book, stored) {
    this.promotion = promotion;
    this.book = book;
    this.stored = stored;
    /** @type {number | null} */
    this.version = null; // for managers: they decide on what they see, so nothing may have changed since
  }

  /** Raises Refused. @param {Line} line @param {Personal | null} [personal] */
  async send(line, personal = null) {
    /** @type {Record<string, any>} */
    const body = { line };
    if (this.version !== null) body.version = this.version;
    if (personal !== null) body.personal = personal;
    const reply = await post(url`/promotions/${this.promotion}/lines`, body);
    if (this.version !== null) this.version = reply.versions[`promotion/${this.promotion}`] ?? this.version;
  }
}

/**
 * Send something, show a refusal, and look again if the promotion has changed.
 * @param {LineSender} sender @param {HTMLElement} problem @param {HTMLButtonElement} submit @param {() => Promise<void>} send @param {string} done
 */
export function sending(sender, problem, submit, send, done) {
  const words = (/** @type {unknown} */ error) => refusal(sender.book, error);
  return attempt({ problem, buttons: [submit], words }, async () => {
    try {
      await send();
    } catch (error) {
      if (error instanceof Refused && error.code === "promotion_moved_on") await sender.stored();
      throw error;
    }
    announce(done);
    await sender.stored();
  });
}

/** A form for one line; a button alone if nothing is asked. @param {LineSender} sender @param {LineForm} spec */
export function lineForm(sender, spec) {
  const problem = alertLine();
  const submit = h("button", { type: "submit", class: spec.look || null }, spec.button);
  const asked = spec.asked ?? [];
  const send = () => {
    const given = filled(form, asked);
    const line = () => sender.send(spec.line(given), spec.personal?.(given) ?? null);
    return sending(sender, problem, submit, line, spec.done);
  };
  const form = h(
    "form",
    { class: asked.length > 0 ? "say fields" : "say", onsubmit: submitting(send) },
    asked.map(fieldFor),
    spec.hint && h("p.soft", spec.hint),
    submit,
    problem,
  );
  return form;
}

/** The same, folded until it is needed. @param {string} words @param {LineSender} sender @param {LineForm} spec */
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
  if (one.kind === "choice") return select(one.choices ?? [], props);
  if (one.kind === "long") return h("textarea", { ...props, rows: 2, maxlength: MOST }, one.value);
  if (one.kind === "count") return h("input", { ...props, type: "number", min: 1, step: 1, value: one.value ?? "1" });
  const money = one.kind === "money";
  return h("input", {
    ...props,
    maxlength: MOST,
    value: one.value,
    autocomplete: one.complete ?? "off",
    inputmode: money ? "decimal" : null,
    pattern: money ? TYPED : null,
  });
}

/** An amount as the house reads it; people also type $12,000. What is none is left for the house to refuse. @param {string} text */
export function amount(text) {
  return typed(text) ?? text.trim();
}

/** What was filled in, by kind. @param {HTMLFormElement} form @param {Asked[]} asked */
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
