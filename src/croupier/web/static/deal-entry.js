// Entering what fell: faces as big buttons, read back in pictures and words, and a second press.

import { fill, h, ruleLink, s } from "./dom.js";
import { face, faceName } from "./faces.js";

/** @typedef {import("./deal-desk.js").Desk} Desk */
/** @typedef {import("./deal-desk.js").Step} Step */

/** What the faces are for now: the step that asks for them, also one that waits. @param {Desk} desk @returns {Step | undefined} */
function asking(desk) {
  const asks = desk.steps.filter((step) => step.asks.some(({ kind }) => kind === "faces"));
  return asks.find((step) => !step.refused) ?? asks[0];
}

export class Entry {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {(number | string)[]} */
    this.chosen = [];
    this.heard = desk.throws;
    /** @type {string} the act that the faces are for; another one begins anew */
    this.purpose = "";
    this.title = h("h2", {});
    this.slots = h("p", { class: "slots" });
    this.back = h("p", { class: "read-back", role: "status" });
    this.beside = h("div", { class: "beside" });
    this.faces = desk.drawing.throw.faces.map((value) => this.button(value));
    this.confirm = h("button", { type: "button", class: "primary confirm", onclick: () => void this.enter() });
    this.confirm.addEventListener("keydown", (event) => {
      if (event.repeat) event.preventDefault(); // a key held down is no second press
    });
    this.clear = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.forget() },
      "Clear ",
      h("kbd", {}, "Esc"),
    );
    const grid = h("div", { class: `pad of-${this.faces.length}`, role: "group", "aria-label": "Faces" }, this.faces);
    this.element = h(
      "section",
      { class: "card entry" },
      this.title,
      this.slots,
      grid,
      this.back,
      h("div", { class: "row last" }, this.confirm, this.clear),
      this.beside,
    );
  }

  /** @param {number | string} value */
  button(value) {
    const picture = s("svg", { viewBox: "0 0 24 24", class: "faces", "aria-hidden": "true" }, face(value));
    return h(
      "button",
      { type: "button", class: "face-button", "aria-label": faceName(value), onclick: () => this.press(value) },
      picture,
      h("kbd", { "aria-hidden": "true" }, String(value)),
    );
  }

  /** What the faces are for, if they can be entered now. @returns {Step | undefined} */
  get step() {
    const step = asking(this.desk);
    return step?.refused ? undefined : step;
  }

  get isComplete() {
    return this.chosen.length === this.desk.drawing.throw.count;
  }

  /** @param {number | string} value */
  press(value) {
    if (this.isComplete || this.desk.isSending || !this.step) return;
    this.chosen.push(value);
    fill(this.beside);
    this.show();
    if (this.isComplete) this.confirm.focus({ preventScroll: true });
  }

  forget() {
    if (this.desk.isSending) return;
    this.chosen = [];
    fill(this.beside);
    this.show();
  }

  /** What is called for the faces. */
  words() {
    return this.desk.book.results[this.chosen.join(" ")] ?? "";
  }

  /** The second press. */
  async enter() {
    const { step } = this;
    const field = step?.asks.find(({ kind }) => kind === "faces");
    if (!this.isComplete || !step || !field) return;
    const faces = typeof this.chosen[0] === "string" ? this.chosen.join("") : [...this.chosen];
    const line = { ...step.line, [field.name]: faces };
    const { throws } = this.desk;
    const told = await this.desk.say(line, this.beside);
    if (told || throws !== this.desk.throws) this.chosen = []; // of a throw that somebody else entered nothing is left
    this.desk.changed();
  }

  /** How the table stands is another. */
  show() {
    const { step } = this;
    const asked = asking(this.desk);
    const purpose = step?.line.do ?? "";
    if (
      this.chosen.length > 0 &&
      !this.desk.isSending &&
      (this.heard !== this.desk.throws || purpose !== this.purpose)
    ) {
      this.chosen = [];
      fill(
        this.beside,
        h("p", { class: "problem", role: "alert" }, "The table has gone on meanwhile. Nothing of this was entered."),
      );
    }
    this.heard = this.desk.throws;
    this.purpose = purpose;
    if (asked) fill(this.title, asked.words);
    const { count } = this.desk.drawing.throw;
    fill(
      this.slots,
      Array.from({ length: count }, (_, place) => slot(this.chosen[place])),
    );
    for (const button of this.faces) button.disabled = !step || this.isComplete;
    fill(this.back, asked?.refused ? this.why(asked.refused) : step && this.readBack());
    this.confirm.disabled = !this.isComplete || !step;
    const again = this.isComplete && step ? `${this.words()}: ${step.press} ` : "Press again ";
    fill(this.confirm, again, h("kbd", {}, "Enter"));
    this.clear.disabled = this.chosen.length === 0;
    this.element.classList.toggle("waits", !step);
    this.element.hidden = !asked && this.beside.childElementCount === 0;
  }

  /** Why nothing can be entered yet. @param {{message: string, clause: string | null}} refused */
  why({ message, clause }) {
    return [`${message} `, ruleLink(this.desk.book.id, clause)];
  }

  readBack() {
    const { count, field } = this.desk.drawing.throw;
    if (!this.isComplete)
      return this.chosen.length === 0
        ? `Press the ${count} ${field} as they lie.`
        : `${count - this.chosen.length} to go.`;
    return `${inWords(this.chosen)}: ${this.words()}. Press again to confirm.`;
  }

  /** Keys anywhere on the page. @param {KeyboardEvent} event @returns {boolean} whether it was for the entry */
  key(event) {
    const value = this.desk.drawing.throw.faces.find((one) => String(one).toLowerCase() === event.key.toLowerCase());
    if (value !== undefined) this.press(value);
    else if (event.key === "Escape" && this.chosen.length > 0) this.forget();
    else if (
      event.key === "Enter" &&
      this.isComplete &&
      !document.activeElement?.matches("a, button, summary, .area") &&
      !event.repeat
    )
      void this.enter();
    else return false;
    return true;
  }
}

/** @param {(number | string)[]} fell */
function inWords(fell) {
  const names = fell.map(faceName);
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}

/** @param {number | string | undefined} value */
function slot(value) {
  if (value === undefined) return h("span", { class: "slot", "aria-hidden": "true" }, "?");
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "slot faces", role: "img", "aria-label": faceName(value) },
    face(value),
  );
}
