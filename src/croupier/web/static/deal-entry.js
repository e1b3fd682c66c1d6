// Entering what fell: faces as big buttons, read back in pictures and words, and a second press.

import { fill, h, s } from "./dom.js";
import { face, faceName } from "./faces.js";

/** @typedef {import("./deal-desk.js").Desk} Desk */
/** @typedef {{act: string, title: string, again: string} | {why: string}} Mode what the entry is for, or why it waits */

/** What a throw under way waits for, by the act that takes the faces. @type {[string, (desk: Desk) => boolean, string, string][]} */
const MOMENTS = [
  ["decide_face", ({ facts }) => facts["face dispute"] === "yes", "Which faces are up?", "decide"],
  ["call_result", ({ facts }) => facts.throw === "at rest", "Call what lies there", "call"],
  ["enter_result", needsEntry, "Enter the result on the terminal", "enter"],
];

/** Whether the result that was called is still to be entered on the table's equipment. @param {Desk} desk */
export function needsEntry({ facts }) {
  return (
    facts.throw === "called" && Boolean(facts["fitted electronic equipment"]) && !facts.entered && !facts.malfunction
  );
}

/** @param {Desk} desk @returns {Mode} */
function modeOf(desk) {
  const { facts, drawing } = desk;
  for (const [act, isDue, title, again] of MOMENTS) if (isDue(desk) && desk.act(act)) return { act, title, again };
  if (facts.throw !== undefined) return { why: "" }; // what the throw under way waits for is among what comes next
  const { command } = drawing.throw;
  if (!desk.command(command)) return { why: `The ${command} is entered by ${allowed(desk, command)}.` };
  if (drawing.closes_bets && desk.betsAreOpen) return { why: "The bets are open. They are called closed first." };
  return { act: command, title: `Enter the ${command}`, again: "settle" };
}

/** @param {Desk} desk @param {string} command */
function allowed(desk, command) {
  const by = desk.book.commands.find((one) => one.do === command)?.by ?? [];
  return by.length > 0 ? `the ${by.join(" or the ")}` : "nobody";
}

export class Entry {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {(number | string)[]} */
    this.chosen = [];
    this.heard = desk.throws;
    /** @type {string} what the faces are for; another thing begins anew */
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

  get isComplete() {
    return this.chosen.length === this.desk.drawing.throw.count;
  }

  /** @param {number | string} value */
  press(value) {
    if (this.isComplete || this.desk.isSending || "why" in modeOf(this.desk)) return;
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
    const mode = modeOf(this.desk);
    if (!this.isComplete || "why" in mode) return;
    const faces = typeof this.chosen[0] === "string" ? this.chosen.join("") : [...this.chosen];
    const isThrow = mode.act === this.desk.drawing.throw.command;
    const line = { do: mode.act, [isThrow ? this.desk.drawing.throw.field : "faces"]: faces };
    const { throws } = this.desk;
    const told = await this.desk.say(line, this.beside);
    if (told || throws !== this.desk.throws) this.chosen = []; // of a throw that somebody else entered nothing is left
    this.desk.changed();
  }

  /** How the table stands is another. */
  show() {
    const mode = modeOf(this.desk);
    const purpose = "why" in mode ? "" : mode.act;
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
    fill(this.title, "why" in mode ? `The ${this.desk.drawing.throw.command}` : mode.title);
    const { count } = this.desk.drawing.throw;
    fill(
      this.slots,
      Array.from({ length: count }, (_, place) => slot(this.chosen[place])),
    );
    for (const button of this.faces) button.disabled = "why" in mode || this.isComplete;
    fill(this.back, "why" in mode ? mode.why : this.readBack());
    this.confirm.disabled = !this.isComplete || "why" in mode;
    fill(
      this.confirm,
      this.isComplete && !("why" in mode) ? `${this.words()}: ${mode.again} ` : "Press again ",
      h("kbd", {}, "Enter"),
    );
    this.clear.disabled = this.chosen.length === 0;
    this.element.classList.toggle("waits", "why" in mode);
    this.element.hidden = "why" in mode && mode.why === "" && this.beside.childElementCount === 0;
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
