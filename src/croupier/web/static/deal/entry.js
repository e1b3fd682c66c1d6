// Entering a throw: faces as large buttons, read back in pictures and words, then confirmed.

import { Preview } from "../acts/preview.js";
import { face, faceName } from "../results/faces.js";
import { Refused } from "../shared/api.js";
import { listed, named, t } from "../shared/catalogue.js";
import { fill, h, inEnglish, ruleLink, s } from "../shared/dom.js";
import { alertLine, refusalLine } from "../shared/parts.js";
import { capital } from "../shared/words.js";

/** @import { Position, Step } from "../acts/position.js" */

const AGAIN = t("The layout has changed. Check it, then press again.");
const UNHEARD = t("No news from the table. Check the connection, then press again.");
const MOVES = 4; // how many changes of the table to follow until the bets are closed

export class Entry {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    /** @type {(number | string)[]} */
    this.chosen = [];
    this.heard = position.throws;
    /** @type {string} the act that the faces are for; another one starts again */
    this.purpose = "";
    this.picked = ""; // an act beside the game that asks for faces, such as a correction
    this.begun = ""; // the act for which a face of this throw was entered, even if cleared since
    this.seen = ""; // the layout over which it was read back
    this.isEntering = false;
    /** @type {(number | string)[]} faces pressed while another order was on its way */
    this.early = [];
    /** @type {Promise<boolean> | null} under way: the first face closes the bets */
    this.closing = null;
    this.title = h("h2");
    this.slots = h("p.slots");
    this.back = h("p.read-back", { role: "status" });
    this.beside = h("div.beside");
    this.preview = new Preview(position, () => this.position.changed());
    this.faces = position.drawing.throw.faces.map((value) => this.button(value));
    this.confirm = h("button.primary.confirm", { type: "button", onclick: () => void this.enter() });
    this.confirm.addEventListener("keydown", (event) => {
      if (event.repeat) event.preventDefault(); // a key held down is not a second press
    });
    this.clear = h("button.quiet", { type: "button", onclick: () => this.forget() });
    const grid = h(
      "div",
      { class: `pad of-${this.faces.length}`, role: "group", "aria-label": t("Faces") },
      this.faces,
    );
    this.element = h(
      "section.card.entry",
      this.title,
      this.slots,
      grid,
      this.back,
      this.preview.element,
      h("div.row.last", this.confirm, this.clear),
      this.beside,
    );
  }

  /** @param {number | string} value */
  button(value) {
    const picture = s("svg", { viewBox: "0 0 24 24", class: "faces", "aria-hidden": "true" }, face(value));
    return h(
      "button.face-button",
      { type: "button", "aria-label": faceName(value), onclick: () => this.press(value) },
      picture,
      h("kbd", { "aria-hidden": "true" }, String(value)),
    );
  }

  /** The step that the faces are for: one picked or begun, else the next that asks for them. @returns {Step | undefined} */
  get asked() {
    const all = this.position.steps.filter(asksFaces);
    const asks = all.filter((step) => step.kind === "next");
    const can = asks.filter((step) => !step.refused);
    const picked = all.find((step) => step.line.do === this.picked);
    return picked ?? can.find((step) => step.line.do === this.begun) ?? can[0] ?? asks[0];
  }

  /** Use the pad for an act beside the game until it is done or cancelled. @param {string} act */
  pick(act) {
    if (this.position.isSending) return;
    this.chosen = [];
    this.picked = act;
    fill(this.beside);
    this.position.changed();
  }

  /** The same, if faces can be entered now. @returns {Step | undefined} */
  get step() {
    const step = this.asked;
    return step?.refused ? undefined : step;
  }

  /** Whether the pad is for something beside the game. */
  get isPicked() {
    return this.picked !== "" && this.step?.line.do === this.picked;
  }

  /** Whether the entry can be confirmed: a correction only once its changes are shown. */
  get canConfirm() {
    return this.isComplete && Boolean(this.step) && (!this.step?.previews || this.preview.isThere);
  }

  get isComplete() {
    return this.chosen.length === this.position.drawing.throw.count;
  }

  /** @param {number | string} value */
  press(value) {
    const { step } = this;
    if (this.position.isSending && !this.isEntering) {
      this.early.push(value); // a quick dealer reads the dice before the house has answered that they rest
      return;
    }
    if (this.isComplete || this.position.isSending || !step) return;
    this.chosen.push(value);
    this.begun = step.line.do;
    if (!this.closing) fill(this.beside);
    void this.close();
    this.position.changed();
    if (this.isComplete) this.confirm.focus({ preventScroll: true });
  }

  /** A face can be read only after the dice have gone out and rest: close the bets first. @returns {Promise<boolean>} */
  close() {
    this.closing ??= this.closeBets().finally(() => {
      this.closing = null;
      this.position.changed();
    });
    return this.closing;
  }

  /** @returns {Promise<boolean>} whether they are closed */
  async closeBets() {
    for (let moves = 0; ; moves++) {
      if (this.chosen.length === 0 || this.heard !== this.position.throws) return false; // the throw is over
      const line = this.step?.first?.[0];
      if (!line) return true;
      /** @type {unknown} */
      let problem = new Refused(0, { message: UNHEARD });
      const { version } = this.position.felt;
      try {
        const reply = await this.position.send(line, this.beside);
        await this.position.catchUp((reply.versions?.[`table/${this.position.table}`] ?? version + 1) - 1);
      } catch (error) {
        problem = error;
        await this.position.catchUp(version);
      }
      const isDone = this.step?.first?.[0]?.do !== line.do; // by this order, or by the shooter's own device
      if (isDone && moves < MOVES) continue;
      fill(this.beside, refusalLine(this.position.book.id, problem));
      return false;
    }
  }

  /** Take the last face back. */
  oneBack() {
    this.early.pop();
    if (this.position.isSending) return;
    this.chosen.pop();
    this.show();
  }

  forget() {
    this.early = [];
    if (this.position.isSending) return;
    this.chosen = [];
    this.picked = "";
    fill(this.beside);
    this.position.changed();
  }

  /** The call for the faces. */
  words() {
    return this.position.book.results[this.chosen.join(" ")] ?? "";
  }

  /** Confirm. If the layout has changed since the faces were read back, ask again. */
  async enter() {
    if (!this.canConfirm || this.isEntering || this.position.isSending) return;
    this.isEntering = true;
    try {
      if (await this.close()) await this.send();
    } finally {
      this.isEntering = false;
    }
  }

  async send() {
    const { step } = this;
    const field = step?.asks.find(({ kind }) => kind === "faces");
    if (!this.isComplete || !step || !field) return;
    const faces = typeof this.chosen[0] === "string" ? this.chosen.join("") : [...this.chosen];
    const line = { ...step.line, [field.name]: faces };
    const { throws } = this.position;
    const layout = this.position.layout();
    if (layout !== this.seen) {
      this.seen = layout;
      fill(this.beside, alertLine(AGAIN));
      this.show();
      return;
    }
    const reply = await this.position.say(line, this.beside, () => this.position.layout());
    if (reply || throws !== this.position.throws) this.chosen = []; // another person entered the throw
    if (reply) this.picked = "";
    this.position.changed();
  }

  /** Enter the faces that were pressed early, unless the throw they were read from is over. */
  pressEarly() {
    if (this.position.isSending || this.early.length === 0) return;
    const early = this.early;
    this.early = [];
    for (const value of early) this.press(value);
  }

  /** Show the table's state. */
  show() {
    if (this.heard !== this.position.throws) {
      this.begun = this.picked = "";
      this.early = [];
    }
    const { step, asked } = this;
    const purpose = step?.line.do ?? "";
    if (
      this.chosen.length > 0 &&
      !this.position.isSending &&
      (this.heard !== this.position.throws || purpose !== this.purpose)
    ) {
      this.chosen = [];
      fill(this.beside, alertLine(t("The table has moved on. Nothing was entered.")));
    }
    this.heard = this.position.throws;
    this.purpose = purpose;
    if (!this.isComplete) this.seen = "";
    else if (this.seen === "" && !this.closing) this.seen = this.position.layout();
    if (asked) fill(this.title, inEnglish(asked.words));
    const { count } = this.position.drawing.throw;
    fill(
      this.slots,
      Array.from({ length: count }, (_, place) => slot(this.chosen[place])),
    );
    for (const button of this.faces) button.disabled = !step || this.isComplete;
    fill(this.back, asked?.refused ? this.why(asked.refused) : step && this.readBack());
    this.preview.show(this.isComplete && step?.previews ? this.chosen : null);
    this.confirm.disabled = !this.canConfirm;
    const again = this.isComplete && step ? inEnglish(`${capital(step.press)} ${this.words()}`) : t("Confirm");
    fill(this.confirm, again, " ", h("kbd", "Enter"));
    const { isPicked } = this;
    this.clear.disabled = this.chosen.length === 0 && !isPicked;
    fill(this.clear, isPicked ? t("Cancel") : t("Clear"), " ", h("kbd", "Esc"));
    this.element.classList.toggle("picked", isPicked);
    this.element.classList.toggle("waits", !step);
    this.element.hidden = !asked && this.beside.childElementCount === 0;
    this.pressEarly();
  }

  /** Why nothing can be entered yet. @param {{message: string, clause: string | null}} refused */
  why({ message, clause }) {
    return [inEnglish(message), " ", ruleLink(this.position.book.id, clause)];
  }

  readBack() {
    const { count, field } = this.position.drawing.throw;
    if (!this.isComplete)
      return this.chosen.length === 0
        ? t("Enter the {count} {field}.", { count, field: named(field) })
        : t("{count} more.", { count: count - this.chosen.length });
    return t("{chosen}: {words}. Press again to confirm.", { chosen: inWords(this.chosen), words: this.words() });
  }

  /** Keys anywhere on the page. @param {KeyboardEvent} event @returns {boolean} whether it was for the entry */
  key(event) {
    const value = this.position.drawing.throw.faces.find(
      (one) => String(one).toLowerCase() === event.key.toLowerCase(),
    );
    if (value !== undefined) this.press(value);
    else if (event.key === "Escape" && (this.chosen.length > 0 || this.picked !== "")) this.forget();
    else if (event.key === "Backspace" && this.chosen.length > 0) this.oneBack();
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

/** Whether a step asks for faces. @param {Step} step */
export function asksFaces(step) {
  return step.asks.some(({ kind }) => kind === "faces");
}

/** @param {(number | string)[]} fell */
function inWords(fell) {
  return listed(fell.map(faceName));
}

/** @param {number | string | undefined} value */
function slot(value) {
  if (value === undefined) return h("span.slot", { "aria-hidden": "true" }, "?");
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "slot faces", role: "img", "aria-label": faceName(value) },
    face(value),
  );
}
