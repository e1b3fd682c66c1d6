// A strip of all that can be thrown: one cell for each total, or for the sides of coins. Each cell can be pointed at.

import { faces } from "../results/faces.js";
import { fillEach, h } from "../shared/dom.js";

/** @import { Cell } from "./outcomes.js" */
/** How a cell looks: what each of its parts does, a short mark, and what screen readers say. @typedef {{kinds: string[], mark: string, says: string}} Look */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 });
const LARGE = 9; // so many cells or fewer have room for faces

export class TotalStrip {
  /** @param {string} label @param {(cell: Cell | null) => void} pointed */
  constructor(label, pointed) {
    this.pointed = pointed;
    /** @type {Cell[]} */
    this.cells = [];
    this.stop = 0; // the cell that Tab stops at
    this.element = h("div.totals", { role: "group", "aria-label": label });
    this.element.addEventListener("pointerleave", () => pointed(null));
    this.element.addEventListener("focusout", () => pointed(null));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Cell[]} cells @param {(cell: Cell) => Look} look */
  show(cells, look) {
    const place = this.place(document.activeElement);
    this.cells = cells;
    this.stop = Math.min(this.stop, Math.max(0, cells.length - 1));
    this.element.hidden = cells.length === 0;
    this.element.dataset.many = String(cells.length > 12);
    fillEach(this.element, cells, (cell, at) => this.cell(cell, at, look(cell)));
    if (place >= 0) this.enter(Math.min(place, cells.length - 1));
  }

  /** @param {Cell} cell @param {number} at @param {Look} look */
  cell(cell, at, { kinds, mark, says }) {
    const point = () => this.pointed(cell);
    const hasFaces = cell.faces && this.cells.length <= LARGE;
    return h(
      "button.total",
      {
        type: "button",
        tabindex: at === this.stop ? 0 : -1,
        onpointerenter: point,
        onfocus: () => {
          this.stop = at;
          point();
        },
        onclick: point,
      },
      h("span.shown", { "aria-hidden": "true" }, [
        h("span.does", [kinds.map((kind) => h("i", { class: kind }))]),
        hasFaces ? faces(cell.faces ?? [], { size: 18 }) : h("b", cell.label),
        h("small", mark),
      ]),
      h("span.heard", says),
    );
  }

  /** @param {Element | null} element which cell it is, or -1 */
  place(element) {
    return element ? [...this.element.children].indexOf(element) : -1;
  }

  /** @param {number} at */
  enter(at) {
    for (const [place, one] of [...this.element.children].entries())
      one.setAttribute("tabindex", place === at ? "0" : "-1");
    const button = this.element.children[at];
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.cells.length - 1;
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) this.enter(Math.max(0, Math.min(last, this.stop + step)));
    else if (event.key === "Home") this.enter(0);
    else if (event.key === "End") this.enter(last);
    else return;
    event.preventDefault();
  }
}
