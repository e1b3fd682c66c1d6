// The next steps, and what can be done beside them, as the house offers them.

import { t } from "../shared/catalogue.js";
import { fill, fillEach, h, inEnglish } from "../shared/dom.js";
import { Drawn } from "../shared/parts.js";
import { asksFaces } from "./entry.js";

/** @import { Position, Step } from "../acts/position.js" */

export class Steps {
  /**
   * @param {Position} position @param {(act: string) => void} ask asks for what belongs to an act
   * @param {(act: string) => void} pick has the pad ask for faces
   */
  constructor(position, ask, pick) {
    this.position = position;
    this.ask = ask;
    this.pick = pick;
    this.buttons = h("div.steps");
    this.words = h("p.soft");
    this.beside = h("div.beside");
    this.element = h("section.next", { "aria-label": t("Next steps") }, this.words, this.buttons, this.beside);
    this.shown = new Drawn();
    /** @type {string[]} the steps there were before the order on its way: pressing one of them again is one press too many */
    this.before = [];
    this.isHeld = false; // while the pad is used for something beside the game
  }

  /** The steps with a button; faces are entered on the pad. @returns {Step[]} */
  due() {
    if (this.isHeld) return [];
    return this.position.steps.filter((step) => !step.refused && (step.kind === "beside" || !asksFaces(step)));
  }

  /** @param {Step} step */
  press(step) {
    const same = JSON.stringify(step);
    if (this.position.isSending && this.before.includes(same)) return;
    this.position.whenFree(() => {
      if (this.due().some((one) => JSON.stringify(one) === same)) this.take(step);
    });
  }

  /** @param {Step} step */
  take(step) {
    const { line, asks } = step;
    if (asksFaces(step)) this.pick(line.do);
    else if (asks.length > 0) this.ask(line.do);
    else void this.position.say(line, this.beside);
  }

  show() {
    const due = this.due();
    if (!this.position.isSending) this.before = due.map((step) => JSON.stringify(step));
    const words = this.position.felt.moment ?? "";
    fill(this.words, inEnglish(words));
    this.words.hidden = words === "";
    if (!this.shown.isSame(due)) fillEach(this.buttons, due, (step) => this.button(step));
    this.element.hidden = due.length === 0 && words === "" && this.beside.childElementCount === 0;
  }

  /** @param {Step} step */
  button(step) {
    const key = step.key && h("kbd", step.key === " " ? t("Space") : step.key.toUpperCase());
    const kind = step.kind === "next" ? "primary step" : "step";
    const rule = step.clause && t("Rule {clause}", { clause: step.clause });
    const press = () => this.press(step);
    return h("button", { type: "button", class: kind, title: rule, onclick: press }, inEnglish(step.words), " ", key);
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    const step = this.due().find((one) => one.key === event.key.toLowerCase());
    if (step && !event.repeat) this.press(step); // a key held down is not a second press
    return Boolean(step);
  }
}
