// Dice and coins as pictures, with names for screen readers.

import { listed, t } from "../shared/catalogue.js";
import { h, s } from "../shared/dom.js";

/** Where the pips of a face are, by number, in three rows of three. @type {Record<number, string>} */
const PIPS = { 1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568" };
/** @type {Record<string, string>} */
const SIDES = { H: t("heads"), T: t("tails") };

/** What a face is called. @param {string | number} face @returns {string} */
export function faceName(face) {
  return SIDES[String(face)] ?? String(face);
}

/** A die or a coin, 24 by 24, for a larger drawing. @param {string | number} face @returns {SVGGElement} */
export function face(face) {
  const shape = typeof face === "number" ? die(face) : coin(face);
  return s("g", { class: "face" }, shape);
}

/** @param {number} face */
function die(face) {
  const pips = Array.from(PIPS[face] ?? "", Number).map((place) =>
    s("circle", { cx: 6.5 + (place % 3) * 5.5, cy: 6.5 + Math.floor(place / 3) * 5.5, r: 2.1, class: "pip" }),
  );
  return [s("rect", { x: 0.75, y: 0.75, width: 22.5, height: 22.5, rx: 4.5, class: "die" }), ...pips];
}

/** @param {string} face */
function coin(face) {
  return [
    s("circle", { cx: 12, cy: 12, r: 11, class: `coin ${face === "T" ? "tails" : "heads"}` }),
    s("circle", { cx: 12, cy: 12, r: 8.6, class: "coin-rim" }),
    s("text", { x: 12, y: 16.2, class: "coin-letter" }, face),
  ];
}

/**
 * The faces of a throw, side by side.
 * @param {(string | number)[]} fell @param {{size?: number, thrown?: boolean}} [how] `thrown`: they have just fallen
 * @returns {HTMLSpanElement}
 */
export function faces(fell, how = {}) {
  const size = how.size ?? 40;
  const pictures = fell.map((one, place) => {
    const picture = s(
      "svg",
      { viewBox: "0 0 24 24", width: size, height: size, class: how.thrown ? "fallen" : null },
      face(one),
    );
    picture.style.setProperty("--turn", String(place));
    return picture;
  });
  return h("span.faces", { role: "img", "aria-label": listed(fell.map(faceName)) }, ...pictures);
}
