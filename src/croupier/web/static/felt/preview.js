// A small picture of a felt: what is printed on it, where the marker lies, and the coins in its ring. Nothing to press.

import { face } from "../results/faces.js";
import { h, s } from "../shared/dom.js";
import { write } from "./lettering.js";
import { printed } from "./print.js";

/** @typedef {import("../../types/contract.js").Preview} Drawn */
/** @typedef {import("../../types/contract.js").PreviewArea} DrawnArea */
/** @typedef {import("../../types/contract.js").Marker} Marker */

const MARGIN = 4;

export class Preview {
  /** @param {Drawn} drawn */
  constructor(drawn) {
    this.drawn = drawn;
    this.ring = s("g");
    this.puckWord = s("text", { y: 4 });
    this.puck = s("g", { class: "marker" }, s("circle", { r: 16 }), this.puckWord);
    const [width = 0, height = 0] = drawn.size;
    const box = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
    const areas = drawn.areas.flatMap(areaOf);
    const below = s("g", { class: "words" }, printed(drawn));
    this.element = h(
      "div.felt-box.preview",
      { "data-cloth": drawn.cloth, "aria-hidden": "true" },
      h("div.wood", s("svg", { class: "felt", viewBox: box }, below, this.ring, areas, this.puck)),
    );
  }

  /** Show what changes from throw to throw. @param {Marker | null} marker @param {(string | number)[]} fell */
  show(marker, fell) {
    const at = marker && this.placeOf(marker.value);
    this.puck.classList.toggle("there", Boolean(at));
    this.puck.classList.toggle("off", marker?.value === null);
    this.puckWord.textContent = marker?.value === null ? "OFF" : "ON";
    if (at) this.puck.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    this.ring.replaceChildren(...this.coins(fell));
  }

  /** @param {string | number | null} value @returns {number[] | null} */
  placeOf(value) {
    if (value === null) return this.drawn.puck ?? null;
    return (
      this.drawn.pucks
        ?.find(([number]) => number === value)
        ?.slice(1)
        .map(Number) ?? null
    );
  }

  /** @param {(string | number)[]} fell */
  coins(fell) {
    const { fall } = this.drawn;
    if (!fall) return [];
    const [x = 0, y = 0, radius = 0] = fall;
    const size = radius * 0.62;
    const start = x - (fell.length * size * 1.18) / 2;
    return fell.map((one, place) => {
      const coin = face(one);
      coin.setAttribute("transform", `translate(${start + place * size * 1.18} ${y - size / 2}) scale(${size / 24})`);
      return coin;
    });
  }
}

/** @param {DrawnArea} drawn @returns {SVGElement[]} */
function areaOf(drawn) {
  const { lettering, path, width } = drawn;
  const look = `area is-${drawn.tone ?? "print"}${width ? " band" : ""}${lettering ? " boxed" : ""}`;
  const words = lettering ? write(lettering, lettering.box, false) : printed(drawn);
  const ground = s("path", { class: "ground", d: path });
  if (width) ground.style.strokeWidth = `${width}px`;
  return [s("g", { class: look }, ground), s("g", { class: "words" }, words)];
}
