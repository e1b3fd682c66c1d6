// A chip on the felt, and how an amount looks on it.

import { s } from "../shared/dom.js";
import { cents, short } from "../shared/words.js";

const CHIP_COLOURS = /** @type {[bigint, string][]} */ ([
  [100000n, "c1000"],
  [50000n, "c500"],
  [10000n, "c100"],
  [2500n, "c25"],
  [500n, "c5"],
  [0n, "c1"],
]);

/** The colour of a chip of this value. @param {bigint} amount */
export function chipColour(amount) {
  return CHIP_COLOURS.find(([least]) => amount >= least)?.[1] ?? "c1";
}

/** How an amount looks on a chip, kept because most amounts repeat. @type {Map<string, {worth: bigint, colour: string, text: string}>} */
const faceValues = new Map();

/** @param {string} amount */
export function faceValue(amount) {
  let known = faceValues.get(amount);
  if (!known) {
    if (faceValues.size > 5000) faceValues.clear();
    const worth = cents(amount);
    known = { worth, colour: chipColour(worth), text: short(worth) };
    faceValues.set(amount, known);
  }
  return known;
}

/** The colour of the checks that make up a whole stake. @param {{amount: string, checks?: Record<string, string>}} wager */
export function checkColour({ amount, checks }) {
  return Object.entries(checks ?? {}).find(([, cents]) => cents === amount)?.[0] ?? "";
}

/** Chips of one player on an area. Only what has changed is redrawn. */
export class Chip {
  constructor() {
    this.words = document.createTextNode("");
    this.group = s("g", { "aria-hidden": "true" }, s("circle", { r: 14 }), s("text", {}, this.words));
    this.amount = "";
    this.look = "";
    this.on = true;
    this.ghost = false;
    this.check = "";
    this.x = this.y = this.radius = -1;
    this.slot = 0; // which of the places on its area
  }

  /** @param {string} amount @param {boolean} on @param {boolean} ghost @param {string} [check] the colour of checks */
  set(amount, on, ghost, check = "") {
    if (amount === this.amount && on === this.on && ghost === this.ghost && check === this.check) return;
    const { colour: value, text } = faceValue(amount);
    const colour = check ? "check" : value;
    if (check !== this.check) this.group.style.setProperty("--check", check);
    this.check = check;
    const words = ghost ? "…" : on ? text : `${text} off`;
    const look = `stack ${colour}${on ? "" : " off"}${ghost ? " ghost" : ""}${words.length > 4 ? " long" : ""}`;
    if (look !== this.look) this.group.setAttribute("class", look);
    this.words.data = words;
    this.amount = amount;
    this.look = look;
    this.on = on;
    this.ghost = ghost;
  }

  /** @param {number} x @param {number} y @param {number} radius */
  place(x, y, radius) {
    if (x === this.x && y === this.y && radius === this.radius) return;
    this.x = x;
    this.y = y;
    this.radius = radius;
    this.group.setAttribute(
      "transform",
      `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}) scale(${radius / 14})`,
    );
  }
}
