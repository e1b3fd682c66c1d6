// Light on one thing: the rest of the table is dimmed. It takes no room and no presses.

import { s } from "../shared/dom.js";

/** @import { Felt } from "../felt/felt.js" */
/** @import { Spot } from "../felt/spot.js" */

const LARGE = 0.3; // of the felt: of a larger area the light is on where its chips lie
const AROUND = 46; // of that place, in units of the sheet

export class Spotlight {
  /** @param {Felt} felt @param {HTMLElement} main what is dimmed beside it */
  constructor(felt, main) {
    this.felt = felt;
    this.main = main;
    const all = { x: -5000, y: -5000, width: 10000, height: 10000 }; // the sheet, and what is left of the window beside it
    this.veil = s("rect", { class: "veil", "aria-hidden": "true", ...all });
    /** @type {Spot | null} */
    this.spot = null;
  }

  /** On an area of the felt. @param {Spot} spot */
  onArea(spot) {
    this.out();
    this.spot = spot;
    this.main.dataset.light = "area";
    const { svg, choosing } = this.felt;
    for (const one of [this.veil, spot.group, spot.words]) svg.insertBefore(one, choosing);
    spot.group.dataset.target = "";
  }

  /** On what makes the dice fall. */
  onThrow() {
    this.out();
    this.main.dataset.light = "throw";
  }

  /** All light again. */
  out() {
    delete this.main.dataset.light;
    this.veil.remove();
    if (!this.spot) return;
    delete this.spot.group.dataset.target;
    this.spot = null;
    this.felt.arrange(this.felt.isNarrow); // what was raised goes back to its place
  }

  /** Where the light is. @param {HTMLElement} button what makes the dice fall @returns {DOMRect} */
  place(button) {
    const { spot, felt } = this;
    if (!spot) return button.getBoundingClientRect();
    const whole = felt.svg.getBoundingClientRect();
    const box = spot.group.getBoundingClientRect();
    if (box.width * box.height < LARGE * whole.width * whole.height || !spot.drawn) return box;
    const at = new DOMPoint(spot.drawn.chip[0], spot.drawn.chip[1]).matrixTransform(
      felt.svg.getScreenCTM() ?? undefined,
    );
    const around = (AROUND * whole.width) / (felt.sheet.size[0] ?? whole.width);
    return new DOMRect(at.x - around, at.y - around, 2 * around, 2 * around);
  }
}
