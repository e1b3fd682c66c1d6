// The coach of a first game: a card beside what is to be pressed, with a few words before each move.

import { t } from "../shared/catalogue.js";
import { each, fill, h } from "../shared/dom.js";

/** @import { Child } from "../shared/dom.js" */

const GAP = 16; // between the card and what it is about
const EDGE = 10; // to the edge of the window

/** @typedef {{left: number, top: number, side: string}} Place where the card lies, and on which side of what it is about */

export class Coach {
  /** @param {number} steps */
  constructor(steps) {
    this.progress = h("span.progress", { role: "img" });
    this.steps = steps;
    this.card = h("section.coach", { "aria-live": "polite", "aria-label": t("Guide"), tabindex: -1 });
    this.reach(0);
  }

  /** How far the game has come. @param {number} step */
  reach(step) {
    const words = t("Step {n} of {all}", { n: Math.min(step + 1, this.steps), all: this.steps });
    this.progress.setAttribute("aria-label", words);
    fill(
      this.progress,
      each("span", {}, Array.from({ length: this.steps }), (_, n) => h(n <= step ? "i.on" : "i")),
    );
  }

  /** @param {number} step @param {{title: string, says: string, note: string}} words */
  say(step, { title, says, note }) {
    this.reach(step);
    this.card.classList.remove("end");
    fill(
      this.card,
      h("p.step", t("Step {n} of {all}", { n: step + 1, all: this.steps })),
      h("h2", title),
      h("p", says),
      note && h("p.note", note),
    );
  }

  /** @param {{title: string, says: string}} words @param {...Child} ways what can be done next */
  close({ title, says }, ...ways) {
    this.card.classList.add("end");
    this.card.style.translate = "";
    fill(this.card, h("p.step", t("Two minutes, well spent")), h("h2", title), h("p", says), h("p.row", ...ways));
    this.card.querySelector("a")?.focus({ preventScroll: true });
  }

  /** @param {string} words what is to be pressed instead */
  nudge(words) {
    const last = this.card.querySelector(".nudge");
    if (last) last.remove();
    this.card.append(h("p.nudge", words));
  }

  /** @param {boolean} hidden while something is on its way */
  rest(hidden) {
    this.card.classList.toggle("resting", hidden);
  }

  /** Lie beside something, in view. @param {DOMRect} about */
  lieBeside(about) {
    if (this.card.classList.contains("end")) return;
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const { left, top, side } = bestPlace(about, width, height, innerWidth, innerHeight);
    this.card.dataset.side = side;
    this.card.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
    const middle = about.x + about.width / 2 - left;
    this.card.style.setProperty("--point", `${Math.round(Math.max(24, Math.min(width - 24, middle)))}px`);
  }
}

/**
 * Above, below, right or left of something: the first that fits, or else the edge of the window farther from it.
 * @param {DOMRect} about @param {number} width @param {number} height @param {number} across of the window @param {number} high
 * @returns {Place}
 */
export function bestPlace(about, width, height, across, high) {
  const left = Math.max(EDGE, Math.min(about.x + about.width / 2 - width / 2, across - width - EDGE));
  const top = Math.max(EDGE, Math.min(about.y + about.height / 2 - height / 2, high - height - EDGE));
  const above = about.y - GAP - height;
  const below = about.bottom + GAP;
  if (above >= EDGE) return { left, top: above, side: "above" };
  if (below + height <= high - EDGE) return { left, top: below, side: "below" };
  if (about.right + GAP + width <= across - EDGE) return { left: about.right + GAP, top, side: "beside" };
  if (about.x - GAP - width >= EDGE) return { left: about.x - GAP - width, top, side: "beside" };
  const isLow = about.y + about.height / 2 > high / 2;
  return { left, top: isLow ? EDGE : high - height - EDGE, side: "beside" };
}
