// A point of the terms in a form: its name, the clause that asks for it, and a field.

import { named, t } from "../shared/catalogue.js";
import { each, fill, h, ruleLink } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { fieldTime, momentOf } from "../shared/times.js";
import { capital, sample } from "../shared/words.js";
import { amount } from "./line-form.js";

/**
 * A point as the book has it. With `when` it is asked for only if that other point is "yes".
 * @typedef {object} Term
 * @property {string} id @property {string} name @property {string} clause @property {"promotion" | "prize"} of
 * @property {string[]} kinds @property {"text" | "time" | "money" | "count" | "yes or no"} value
 * @property {string | null} when @property {boolean} optional
 */
/** @typedef {string | number | boolean} Value */

let numbered = 0;

/** A time for a time field, in the casino's zone. @param {Value | undefined} said */
function localTime(said) {
  const at = Date.parse(String(said ?? ""));
  return Number.isNaN(at) ? "" : fieldTime(at);
}

/** An amount for a field, as the reader types it. @param {Value | undefined} said */
function shownAmount(said) {
  return typeof said === "string" ? sample(said) : said;
}

export class Point {
  /** @param {string} book @param {Term} term @param {Value | undefined} said @param {() => void} changed */
  constructor(book, term, said, changed) {
    this.term = term;
    this.said = said;
    this.name = `point-${++numbered}`;
    this.problem = h("p.problem", { id: `${this.name}-problem` });
    this.mark = h("span.mark-due");
    this.inputs = this.fields(said);
    for (const one of this.inputs) one.addEventListener("input", changed);
    const about = h(
      "span.about",
      h("span", { id: `${this.name}-label` }, capital(named(term.name))),
      this.mark,
      ruleLink(book, term.clause),
    );
    const isChoice = term.value === "yes or no";
    const controls = isChoice ? this.choices() : this.inputs;
    this.element = h(
      "div.point",
      { "data-term": term.id, role: isChoice ? "group" : null, ...this.labelled(isChoice) },
      about,
      controls,
      this.problem,
    );
  }

  /** @param {boolean} isChoice @returns {Record<string, string>} */
  labelled(isChoice) {
    return isChoice ? { "aria-labelledby": `${this.name}-label` } : {};
  }

  /** @param {Value | undefined} said @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
  fields(said) {
    const { value, optional } = this.term;
    const props = { "aria-labelledby": `${this.name}-label`, "aria-describedby": `${this.name}-problem` };
    if (value === "text") return [h("textarea", { ...props, rows: 1, maxlength: 1000 }, String(said ?? ""))];
    if (value === "time") return [h("input", { ...props, type: "datetime-local", value: localTime(said) })];
    if (value === "money")
      return [
        h("input", {
          ...props,
          inputmode: "decimal",
          placeholder: sample("500.00"),
          autocomplete: "off",
          value: shownAmount(said),
        }),
      ];
    if (value === "count") return [h("input", { ...props, type: "number", min: 1, step: 1, value: said })];
    const one = (/** @type {string} */ word, /** @type {boolean} */ checked) =>
      h("input", { type: "radio", name: this.name, value: word, checked });
    const both = [one("yes", said === true), one("no", said === false)];
    return optional ? [...both, one("", said === undefined)] : both;
  }

  choices() {
    const words = [t("Yes"), t("No"), t("Not stated")];
    return each("span.row", {}, this.inputs, (one, place) => h("label.tick", one, " ", words[place]));
  }

  /** Its value, if any. @returns {Value | undefined} */
  get value() {
    const first = this.inputs[0];
    const { value } = this.term;
    if (value === "yes or no") {
      const chosen = this.inputs.find((one) => one instanceof HTMLInputElement && one.checked)?.value;
      return chosen ? chosen === "yes" : undefined;
    }
    const text = first?.value.trim() ?? "";
    if (text === "") return undefined;
    if (value === "count") return Number(text);
    if (value === "money") return amount(text);
    // A time that was not changed stays exactly as it was.
    if (value === "time") return text === localTime(this.said) && this.said !== undefined ? this.said : momentOf(text);
    return text;
  }

  /** Show it if it is asked for, by the other values. @param {boolean} isAsked @param {boolean} isDue */
  show(isAsked, isDue) {
    this.element.hidden = !isAsked;
    const missing = isDue && this.value === undefined;
    this.mark.className = `mark-due ${missing ? "missing" : ""}`;
    const words = isDue ? (missing ? t("required") : "✓") : t("optional");
    setWords(this.mark, words);
  }

  /** @param {import("../shared/dom.js").Child} words nothing where all is well */
  blame(words) {
    fill(this.problem, words);
    this.element.classList.toggle("blamed", Boolean(words));
    for (const one of this.inputs) one.setAttribute("aria-invalid", words ? "true" : "false");
  }

  /** Scroll to it and focus it. */
  reach() {
    this.element.scrollIntoView({ block: "center" });
    this.inputs[0]?.focus({ preventScroll: true });
  }
}

/** The points of one part of the terms: those of the promotion, or of one prize. */
export class Points {
  /** @param {string} book @param {Term[]} terms @param {Record<string, Value>} said @param {() => void} changed */
  constructor(book, terms, said, changed) {
    this.points = terms.map((term) => new Point(book, term, said[term.id], changed));
    /** Values that are not asked for here are kept. @type {Record<string, Value>} */
    this.rest = Object.fromEntries(Object.entries(said).filter(([name]) => !terms.some((term) => term.id === name)));
  }

  /** @param {Point} point */
  isAsked(point) {
    const { when } = point.term;
    return when === null || this.points.find((one) => one.term.id === when)?.value === true;
  }

  /** @param {Point} point */
  isDue(point) {
    return this.isAsked(point) && !point.term.optional;
  }

  show() {
    for (const point of this.points) point.show(this.isAsked(point), this.isDue(point));
  }

  /** @returns {Record<string, Value>} */
  get said() {
    const said = { ...this.rest };
    for (const point of this.points) {
      const value = this.isAsked(point) ? point.value : undefined;
      if (value !== undefined) said[point.term.id] = value;
    }
    return said;
  }

  /** How many points have a value, and how many are required. @returns {[number, number]} */
  get progress() {
    const due = this.points.filter((point) => this.isDue(point));
    return [due.filter((point) => point.value !== undefined).length, due.length];
  }
}
