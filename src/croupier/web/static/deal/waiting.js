// Wagers that wait for the house: late ones to confirm, spoken ones to lay, calls of On to mark.

import { fill, h } from "../shared/dom.js";
import { nameOf } from "../table/event-words.js";

/** @typedef {import("../acts/position.js").Position} Position */
/**
 * @typedef {object} Waiting
 * @property {string} kind @property {string | null} amount @property {string} words
 * @property {{do: string, player: string, wager: string, pick: any}} line
 */

const LATE = "A late wager that is not confirmed before the dice rest is returned.";

export class WaitingList {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.list = h("ul.plain");
    this.beside = h("div.beside");
    this.late = h("p.soft", LATE);
    this.element = h("section.card.waiting", h("h2", "Wagers to confirm"), this.list, this.late, this.beside);
    this.shown = "";
  }

  show() {
    /** @type {Waiting[]} */
    const found = (this.position.felt.waiting ?? []).filter((/** @type {Waiting} */ one) =>
      this.position.act(one.line.do),
    );
    const shown = JSON.stringify(found);
    if (shown !== this.shown)
      fill(
        this.list,
        found.map((one) => this.row(one)),
      );
    this.shown = shown;
    this.late.hidden = !found.some((one) => one.kind === "late");
    this.element.hidden = found.length === 0 && this.beside.childElementCount === 0;
  }

  /** @param {Waiting} one */
  row(one) {
    const { line, words } = one;
    const press = () => void this.position.say(line, this.beside);
    const name = nameOf(this.position.drawing, line);
    return h(
      "li.row.spread",
      h("span", h("strong", line.player), ` ${name} ${one.amount ?? ""} `, h("span.pill.warn", one.kind)),
      h(
        "button.primary",
        { type: "button", onclick: press, "aria-label": `${words}: ${name} of ${line.player}` },
        words,
      ),
    );
  }
}
