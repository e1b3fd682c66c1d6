// What waits for the dealer: late and spoken wagers, calls of On, and open cases.

import { caseRows } from "../acts/act-form.js";
import { wagerName } from "../felt/area.js";
import { named, plural, t } from "../shared/catalogue.js";
import { fill, fillEach, h, inEnglish } from "../shared/dom.js";
import { Drawn } from "../shared/parts.js";
import { spaced } from "../shared/words.js";

/** @import { Pick } from "../felt/area.js" */
/** @import { Position } from "../acts/position.js" */
/**
 * @typedef {object} Waiting
 * @property {string} kind @property {string | null} amount @property {string} words
 * @property {{do: string, player: string, wager: string, pick: Pick}} line
 */

const LATE = t("A late wager that is not confirmed before the dice rest is returned.");

export class WaitingList {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.list = h("ul.plain");
    this.beside = h("div.beside");
    this.late = h("p.soft", LATE);
    this.element = h("section.card.waiting", h("h2", t("Wagers to confirm")), this.list, this.late, this.beside);
    this.shown = new Drawn();
  }

  /** @returns {Waiting[]} */
  get found() {
    const waiting = /** @type {Waiting[]} */ (this.position.felt.waiting ?? []);
    return waiting.filter((one) => this.position.act(one.line.do));
  }

  /** Two chips come late, and both buttons are pressed before the house has answered. @param {Waiting} one */
  press(one) {
    const same = JSON.stringify(one.line);
    this.position.whenFree(() => {
      if (this.found.some(({ line }) => JSON.stringify(line) === same)) void this.position.say(one.line, this.beside);
    });
  }

  show() {
    const { found } = this;
    if (!this.shown.isSame(found)) fillEach(this.list, found, (one) => this.row(one));
    this.late.hidden = !found.some((one) => one.kind === "late");
    this.element.hidden = found.length === 0 && this.beside.childElementCount === 0;
  }

  /** @param {Waiting} one */
  row(one) {
    const { line, words } = one;
    const press = () => this.press(one);
    const name = wagerName(this.position.drawing, line);
    return h(
      "li.row.spread",
      h(
        "span",
        h("strong", line.player),
        ` ${name} ${spaced(one.amount ?? "")} `,
        h("span.pill.warn", named(one.kind)),
      ),
      h(
        "button.primary",
        {
          type: "button",
          onclick: press,
          "aria-label": t("{words}: {name} of {player}", { words, name, player: line.player }),
        },
        inEnglish(words),
      ),
    );
  }
}

/** The open cases of the table, with a button for each next step that the dealer may take. */
export class OpenCases {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.heading = h("h2", { id: "console-cases" });
    this.list = h("ul.plain.cases");
    const props = { "aria-labelledby": "console-cases", hidden: true };
    this.element = h("section.card.console-cases", props, this.heading, this.list);
    this.shown = new Drawn();
  }

  show() {
    const { position } = this;
    /** @type {import("../acts/cases.js").Case[]} */
    const open = position.felt.cases ?? [];
    if (this.shown.isSame(open)) return;
    fill(this.heading, plural(open.length, "{n} open case", "{n} open cases"));
    fill(this.list, caseRows(position, open));
    this.element.hidden = open.length === 0;
  }
}
