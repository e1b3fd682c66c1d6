// The lettering of an area: label, note, odds and small dice, as its size allows.

import { face } from "../results/faces.js";
import { s } from "../shared/dom.js";

/** @typedef {Pick<import("../../types/contract.js").Area, "label" | "note" | "pays" | "terms" | "dice">} Area */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const LOW = 50; // too low for two lines
const WIDE = 150;

/** Letter an area that is a plain rectangle. @param {Area} area @param {number[]} at its box @param {boolean} narrow @returns {SVGElement[]} */
export function write(area, at, narrow) {
  const [x = 0, y = 0, width = 0, height = 0] = at;
  return new Writing(area, { x, y, width, height }, narrow).written();
}

class Writing {
  /** @param {Area} area @param {Box} box @param {boolean} narrow */
  constructor(area, box, narrow) {
    const { x, y, width, height } = box;
    this.area = area;
    this.box = box;
    this.centre = x + width / 2;
    this.half = y + height / 2;
    this.isLow = height < LOW;
    this.dice = area.dice.flat();
    this.hasDice = this.dice.length > 0 && this.dice.length <= 4;
    const isSaidByDice = this.hasDice && this.dice.join("") === area.label.replaceAll(" ", "");
    this.label = isSaidByDice ? "" : area.label;
    const largest = this.isLow ? (narrow ? 13 : 15) : Math.max(narrow ? 13 : 18, Math.min(56, height * 0.27));
    this.size = Math.max(8, Math.min(largest, (width - 8) / (area.label.length * 0.76)));
    this.small = this.isLow ? (narrow ? 10.5 : 12.5) : Math.max(narrow ? 11 : 12.5, Math.min(24, height * 0.16));
    this.words = /** @type {SVGElement[]} */ ([]);
  }

  written() {
    if (this.isLow && this.box.width > WIDE) this.strip();
    else if (this.hasDice) this.underDice();
    else if (this.isLow) this.low();
    else this.tall();
    return this.words;
  }

  /** Everything in one line. */
  strip() {
    const { area, half, label, size } = this;
    const { x, width, height } = this.box;
    if (this.hasDice && !label) this.roll(half, height * 0.55);
    const note = area.note && width > 260 ? `  ${area.note}` : "";
    this.put(label && label + note, this.centre, half + size * 0.35, "label", size);
    this.put(area.pays, x + 6, half + 4, "odds start", this.small);
  }

  underDice() {
    const { centre, isLow, label } = this;
    const { y, height } = this.box;
    this.roll(y + height * (label ? 0.3 : isLow ? 0.36 : 0.42), Math.min(44, height * (label ? 0.34 : 0.42)));
    this.put(label, centre, y + height * 0.7, "label", Math.min(this.size, isLow ? 9 : 40));
    this.put(this.odds(), centre, y + height - 5, "odds", this.small);
  }

  low() {
    const { y, height } = this.box;
    this.put(this.label, this.centre, this.half - 1, "label", Math.min(this.size, 14));
    this.put(this.area.pays, this.centre, y + height - 6, "odds", this.small);
  }

  tall() {
    const { centre, half, small } = this;
    const { note } = this.area;
    const { y, width, height } = this.box;
    const lift = note ? (height < 70 ? 8 : 4) : -2;
    this.put(this.label, centre, half - lift, "label", this.size);
    if (note.length * small * 0.5 < width) this.put(note, centre, half + small + 6 - lift, "note", small);
    this.put(this.odds(), centre, y + height - 6, "odds", small);
  }

  /** What an area pays, as fully as fits beside a chip. */
  odds() {
    const { pays, terms } = this.area;
    const words = pays.endsWith("+") ? terms : pays.replace(":", " to ");
    return words.length * this.small * 0.55 < this.box.width - 70 ? words : pays;
  }

  /** @param {string} text @param {number} x @param {number} y @param {string} kind @param {number} font */
  put(text, x, y, kind, font) {
    if (!text) return;
    const made = s("text", { x: x.toFixed(1), y: y.toFixed(1), class: kind }, text);
    made.style.fontSize = `${font.toFixed(1)}px`;
    this.words.push(made);
  }

  /** The dice side by side. @param {number} y their middle @param {number} most */
  roll(y, most) {
    const { dice } = this;
    const die = Math.min(most, (this.box.width - 8) / dice.length - 2);
    dice.forEach((value, place) => {
      const made = face(value);
      const left = this.centre - (dice.length * (die + 3) - 3) / 2 + place * (die + 3);
      made.setAttribute(
        "transform",
        `translate(${left.toFixed(1)} ${(y - die / 2).toFixed(1)}) scale(${(die / 24).toFixed(3)})`,
      );
      this.words.push(made);
    });
  }
}
