// The chances of the wager at hand: in the line above the chips, and in full below. For practice, never at a live table.

import { keyOf } from "../felt/area.js";
import { named, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { Drawn, facts, openDialog, scrolling, table } from "../shared/parts.js";
import { hill, thenWords, waysOf, waysWords } from "./hill.js";

/** @import { Area, Drawing, Pick } from "../felt/area.js" */
/** @import { Ahead, Then } from "./hill.js" */
/** @typedef {import("../../types/contract.js").Chance} Chance */

/** @type {Then[]} */
const SHOWN = ["win", "lose", "void", "go", "stay", "sleep"];

export class Chances {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    /** @type {Chance[]} */
    this.rows = [];
    /** @type {Area | null} */
    this.area = null;
    /** @type {Ahead | null} */
    this.ahead = null;
    /** @type {Pick} the number that the marker lies on */
    this.marked = null;
    this.drawn = new Drawn();
    this.brief = h("button.brief", { type: "button", "aria-haspopup": "dialog", onclick: () => this.open() });
    this.body = h("div");
    this.all = h("details", h("summary", t("All wagers")));
    this.element = h(
      "section.card.chances",
      { "aria-labelledby": "chances-title" },
      h("h2", { id: "chances-title" }, t("Chances")),
      this.body,
      this.all,
    );
    this.show();
  }

  /** The exact chances of all wagers are here. @param {Chance[]} rows */
  learn(rows) {
    this.rows = rows;
    const heads = [t("Wager"), { number: t("Wins") }, { number: t("House edge") }, { number: t("Throws") }];
    const cells = rows.map((row) => [pickName(row), row.wins, row.edge, row.throws]);
    fill(this.all, h("summary", t("All wagers")), scrolling(t("All wagers"), table(heads, cells)));
    this.show();
  }

  /** @param {Area | null} area */
  look(area) {
    if (area) this.area = area;
    this.show();
  }

  /** @param {Ahead | undefined} ahead @param {Pick} marked */
  know(ahead, marked) {
    this.ahead = ahead ?? null;
    this.marked = marked;
    this.show();
  }

  /** The row of an area: its own, that of its number, or that of the wager. @param {Area} area @returns {Chance | undefined} */
  rowOf(area) {
    const own = this.rows.filter((row) => row.wager === area.wager);
    const key = keyOf(area);
    return (
      own.find((row) => keyOf(row) === key) ??
      own.find((row) => row.pick === null) ??
      own.find((row) => row.pick === this.marked)
    );
  }

  show() {
    const { area, ahead } = this;
    const place = area ? this.drawing.areas.indexOf(area) : -1;
    const ways = ahead && place >= 0 ? waysOf(ahead, place) : new Map();
    const row = area ? this.rowOf(area) : undefined;
    if (this.drawn.isSame([area && keyOf(area), [...ways], row, ahead?.outcomes.length])) return;
    fill(this.brief, this.briefly(ways, row));
    fill(this.body, this.inFull(ways, row));
  }

  /** @param {Map<Then, number>} ways @param {Chance | undefined} row @returns {import("../shared/dom.js").Child} */
  briefly(ways, row) {
    if (!this.area) return t("Point at a bet to see its chances.");
    return [h("span.ways-now", this.waysWords(ways)), row && h("span", t("House edge {edge}", { edge: row.edge }))];
  }

  /** What the next throw does to a wager, in ways. @param {Map<Then, number>} ways */
  waysWords(ways) {
    if (ways.size === 0) return t("Closed now");
    return t("{ways} of {all}", { ways: waysWords(ways), all: this.ahead?.outcomes.length ?? 0 });
  }

  /** @param {Map<Then, number>} ways @param {Chance | undefined} row @returns {import("../shared/dom.js").Child} */
  inFull(ways, row) {
    const { area, ahead } = this;
    if (!area || !ahead) return h("p.soft", t("Point at a bet, or reach it with the arrow keys, to see its chances."));
    const place = this.drawing.areas.indexOf(area);
    return [
      h("h3", named(area.name)),
      ways.size === 0
        ? h("p.soft", t("Nothing can be bet here now, so the next throw does nothing to it."))
        : [h("p", t("The next throw: {ways} ways.", { ways: this.waysWords(ways) })), hill(ahead, place), legend(ways)],
      row && [h("p", t("From the first throw to the last, exactly:")), exactly(row)],
      area.travelled && h("p.soft", t("Wagers only travel here. These are the chances from their start.")),
    ];
  }

  open() {
    openDialog("chances-all", "chances-all-title", h("h2", { id: "chances-all-title" }, t("Chances")), [
      ...this.body.cloneNode(true).childNodes,
    ]);
  }
}

/** A wager with its pick: `Hardways 8`. @param {Chance} row */
function pickName({ name, pick }) {
  const words = Array.isArray(pick) ? pick.join("-") : pick;
  return words === null || words === undefined ? name : `${name} ${words}`;
}

/** @param {Map<Then, number>} ways */
function legend(ways) {
  return h(
    "p.legend",
    { "aria-hidden": "true" },
    SHOWN.filter((then) => ways.has(then)).map((then) => h("span", h("i", { class: `then-${then}` }), thenWords(then))),
  );
}

/** @param {Chance} row */
function exactly(row) {
  const share = (/** @type {string} */ text, /** @type {string} */ exact) =>
    exact === "0" ? t("never") : exact.length > 14 ? text : t("{share}, exactly {exact}", { share: text, exact });
  return facts(
    [
      [t("It wins"), share(row.wins, row.p_win)],
      [t("It loses"), share(row.loses, row.p_lose)],
      [t("It comes back"), share(row.returns, row.p_void)],
      [t("House edge"), row.exact_edge === "0" ? t("none") : share(row.edge, row.exact_edge)],
      [t("Throws on average"), row.throws],
    ],
    "exact",
  );
}
