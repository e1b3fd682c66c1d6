// Dice and coins as pictures, with names for screen readers.

import { h } from "./dom.js";

/** @import { Face } from "../static/fairness/dice.js" */

/** Where the pips are, in three rows of three. @type {Record<string, string>} */
const PIPS = { 1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568" };
/** @type {Record<string, string>} */
const SIDES = { H: "heads", T: "tails" };

/** @param {Face} face */
function picture(face) {
  const pips = PIPS[face];
  if (!pips)
    return [
      h(`circle.coin.${faceName(face)}`, { cx: 20, cy: 20, r: 19 }),
      h("circle.rim", { cx: 20, cy: 20, r: 15 }),
      h("text.letter", { x: 20, y: 26.5 }, String(face).slice(0, 3)),
    ];
  const pip = (/** @type {string} */ at) =>
    h("circle.pip", { cx: 10 + (+at % 3) * 10, cy: 10 + Math.floor(+at / 3) * 10, r: 3.7 });
  return [h("rect.die", { x: 1, y: 1, width: 38, height: 38, rx: 8 }), [...pips].map(pip)];
}

/** @param {Face} face */
export function faceName(face) {
  return SIDES[face] ?? String(face);
}

/** A throw in words. @param {unknown} faces */
export function named(faces) {
  return Array.isArray(faces) ? faces.slice(0, 12).map(faceName).join(" and ") : "nothing";
}

/** The faces of a throw, side by side. @param {unknown} faces @param {number} [size] */
export function facesOf(faces, size = 56) {
  const pictures = Array.isArray(faces)
    ? faces.slice(0, 12).map((face) => h("svg", { viewBox: "0 0 40 40", width: size, height: size }, picture(face)))
    : [];
  return h("span.faces", { role: "img", "aria-label": named(faces) }, pictures);
}
