// What fell, as columns: the last 48 throws, the last 200, or all. Figures only: nothing is ever due.

import { plural, t } from "../shared/catalogue.js";
import { each, fill, h } from "../shared/dom.js";
import { capital } from "../shared/words.js";
import { Figures } from "./figures.js";

/** @typedef {import("../../types/contract.js").ThrowCounts} ThrowCounts */

/** A span in words. @param {number | null} span */
function spanWords(span) {
  return span === null ? t("All") : t("Last {n}", { n: span });
}

export class Totals {
  /** @param {string} table */
  constructor(table) {
    /** @type {ThrowCounts | null} */
    this.counts = null;
    this.chosen = 0;
    this.spans = h("div.spans", { role: "group", "aria-label": t("Which throws") });
    this.say = h("p.soft");
    this.columns = h("div.columns");
    this.figures = new Figures(`${table}-totals`, t("How often each result fell"));
    this.element = h("div", h("div.row.spread", this.say, this.spans), this.columns, this.figures.element);
  }

  /** @param {ThrowCounts} counts */
  show(counts) {
    this.counts = counts;
    if (this.spans.childElementCount === 0) this.layOut(counts);
    this.draw();
  }

  /** @param {ThrowCounts} counts */
  layOut({ spans }) {
    const choose = (/** @type {number} */ place) => {
      this.chosen = place;
      this.draw();
    };
    fill(
      this.spans,
      spans.map((span, place) => h("button", { type: "button", onclick: () => choose(place) }, spanWords(span))),
    );
  }

  draw() {
    const { counts, chosen } = this;
    if (!counts) return;
    for (const [place, one] of [...this.spans.children].entries())
      one.setAttribute("aria-pressed", String(place === chosen));
    const most = Math.max(1, ...counts.columns.map((one) => one.counts[chosen] ?? 0));
    const throws = counts.throws[chosen] ?? 0;
    fill(this.say, throws === 0 ? t("No throws yet.") : plural(throws, "{n} throw", "{n} throws"));
    this.columns.setAttribute("role", "img");
    this.columns.setAttribute("aria-label", this.inWords());
    fill(
      this.columns,
      each("div.bars", { "aria-hidden": "true" }, counts.columns, (one) =>
        bar(one.name, one.counts[chosen] ?? 0, most),
      ),
    );
    this.figures.show(
      [t("Result"), ...counts.spans.map((span) => ({ number: spanWords(span) }))],
      counts.columns.map((one) => [capital(one.name), ...one.counts.map(String)]),
    );
  }

  /** The columns as they are read out. */
  inWords() {
    const { counts, chosen } = this;
    const fell = counts?.columns.map((one) => `${one.name}: ${one.counts[chosen] ?? 0}`) ?? [];
    return t("How often each result fell. {list}", { list: fell.join(", ") });
  }
}

/** @param {string} name @param {number} count @param {number} most */
function bar(name, count, most) {
  const column = h("i");
  column.style.setProperty("--share", String(count / most));
  return h("div.bar", h("span.count", count), column, h("span.of", capital(name)));
}
