// The dealer's console on one screen: next steps and entry, the felt, take and pay, the players.

import { openActs } from "../acts/act-form.js";
import { callVoid, grounds, voidWords } from "../acts/void.js";
import { keyOf } from "../felt/area.js";
import { Felt } from "../felt/felt.js";
import { named, t } from "../shared/catalogue.js";
import { announce, fill, h, inEnglish, ruleLink } from "../shared/dom.js";
import { button, Drawn } from "../shared/parts.js";
import { spaced } from "../shared/words.js";
import { Bar, Seats } from "./bar.js";
import { Entry } from "./entry.js";
import { Steps } from "./steps.js";
import { TakeAndPay } from "./take-and-pay.js";
import { OpenCases, WaitingList } from "./waiting.js";

/** @import { Entry as StreamEntry } from "../shared/live.js" */
/** @import { Position } from "../acts/position.js" */
/** @import { Area, Standing } from "../felt/area.js" */

const KEYS = "croupier-dealer-keys"; // some people need single-key shortcuts off
const ENDS = ["thrown", "throw_voided", "outcome_invalidated"];

export class Console {
  /** @param {Position} position @param {() => void} leave */
  constructor(position, leave) {
    this.position = position;
    this.keys = h("input", {
      type: "checkbox",
      checked: localStorage.getItem(KEYS) !== "off",
      onchange: () => this.keep(),
    });
    this.bar = new Bar(position, leave, h("label.tick.keys", this.keys, " ", t("Keys")));
    this.felt = new Felt(position.drawing, { looked: (area) => this.look(area) });
    this.entry = new Entry(position);
    this.steps = new Steps(
      position,
      (act) => openActs(position, act),
      (act) => this.entry.pick(act),
    );
    this.waiting = new WaitingList(position);
    this.pay = new TakeAndPay(position);
    this.seats = new Seats(position);
    this.cases = new OpenCases(position);
    this.caption = h("p.caption", { "aria-hidden": "true" });
    /** @type {Area | null} */
    this.lookedAt = null;
    this.lies = new Drawn();
    this.done = h("p.soft.done", { hidden: true });
    this.looked = h("p.soft.looked", t("Point at an area to see whose chips are on it."));
    this.noRoll = h("button.danger", { type: "button", onclick: () => callVoid(position) });
    this.dealing = this.hand();
    this.elements = [
      this.bar.element,
      h(
        "div.console",
        h("div.left", this.dealing, this.cases.element),
        this.pay.element,
        this.seats.element,
        h("div.cloth", this.felt.element, this.looked),
      ),
    ];
    position.changed = () => this.showDealing();
    position.did = (words) => this.tellDone(words);
  }

  hand() {
    const more = button([t("More …"), " ", h("kbd", "M")], () => openActs(this.position));
    return h(
      "div.dealing",
      { role: "group", "aria-label": t("Dealing"), tabindex: -1 },
      this.caption,
      this.steps.element,
      this.waiting.element,
      this.entry.element,
      h("div.row.others", this.noRoll, more),
      this.done,
    );
  }

  /** Say what was done in a dialog, until something else is done. @param {string} words */
  tellDone(words) {
    fill(this.done, words);
    this.done.hidden = words === "";
  }

  keep() {
    localStorage.setItem(KEYS, this.keys.checked ? "on" : "off");
  }

  show() {
    for (const part of [this.bar, this.pay, this.seats, this.cases]) part.show();
    this.felt.show(this.position.felt);
    this.look(this.lookedAt);
    fill(this.noRoll, inEnglish(`${voidWords(this.position)} …`), " ", h("kbd", "V"));
    this.showDealing();
  }

  /** If a pressed button disappears, focus stays here and not on another button: one press too many does nothing. */
  showDealing() {
    const { dealing } = this;
    const wasHere = dealing.contains(document.activeElement);
    if (this.position.isSending) this.tellDone("");
    this.entry.show();
    this.steps.isHeld = this.entry.isPicked;
    this.noRoll.hidden = this.entry.isPicked || grounds(this.position).length === 0;
    this.noRoll.classList.toggle("idle", !this.position.felt.begun); // bright only while there is a throw to call void
    for (const part of [this.steps, this.waiting]) part.show();
    dealing.setAttribute("aria-busy", String(this.position.isSending || this.entry.closing !== null));
    const at = document.activeElement;
    const isLost = !dealing.contains(at) || (at instanceof HTMLButtonElement && (at.disabled || !at.checkVisibility()));
    if (wasHere && isLost && !document.querySelector("dialog[open]")) dealing.focus({ preventScroll: true });
  }

  /** Whose chips lie on an area. @param {Area | null} area */
  look(area) {
    if (!area) return;
    this.lookedAt = area;
    /** @type {Standing[]} */
    const here = this.position.felt.wagers.filter((/** @type {Standing} */ wager) => keyOf(wager) === keyOf(area));
    const whose = here
      .map((wager) => [wager.player, spaced(wager.amount), wager.on === false && t("(off)")].filter(Boolean).join(" "))
      .join(", ");
    const reply = ` ${area.pays}: ${whose || t("no chips")} `;
    if (this.lies.isSame([area.name, reply])) return;
    fill(this.looked, h("strong", named(area.name)), reply, ruleLink(this.position.book.id, area.clause));
  }

  /** One event: what to take and pay, and the call. @param {StreamEntry} entry */
  hear(entry) {
    this.pay.hear(entry);
    for (const row of entry.events) {
      if (ENDS.includes(row.type)) this.position.throws += 1;
      const call = row.type === "outcome_invalidated" ? t("The outcome is invalid") : row.call;
      if (!call) continue;
      fill(this.caption, `“${call}”`);
      announce(row.type === "thrown" ? t("Result: {call}.", { call }) : `${call}.`, row.type === "thrown");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = event.target instanceof Element ? event.target : null;
    const isTyping = at?.closest("input:not([type=checkbox]), select, textarea, dialog");
    const pressesItself = event.key === " " && at?.closest("a, button, summary, input, .area");
    if (!this.keys.checked || event.ctrlKey || event.metaKey || event.altKey || isTyping || pressesItself) return;
    if (!this.entry.key(event) && !this.steps.key(event) && !this.opens(event.key.toLowerCase())) return;
    event.preventDefault();
  }

  /** @param {string} key @returns {boolean} */
  opens(key) {
    if (key === "m") openActs(this.position);
    else if (key === "v" && !this.noRoll.hidden) callVoid(this.position);
    else return false;
    return true;
  }
}
