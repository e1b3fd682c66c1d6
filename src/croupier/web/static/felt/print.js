// What is printed on a felt: words, lines and surfaces, dice.

import { face } from "../results/faces.js";
import { s } from "../shared/dom.js";

/** @typedef {import("../../types/contract.js").DrawnWords} Words */
/** @typedef {import("../../types/contract.js").DrawnLine} Line */
/** @typedef {import("../../types/contract.js").DrawnDice} Dice */

/** @param {{text?: Words[], dice?: Dice[], lines?: Line[]}} of an area or a sheet @returns {SVGElement[]} */
export function printed(of) {
  return [...(of.lines ?? []).map(line), ...(of.dice ?? []).map(dice), ...(of.text ?? []).map(words)];
}

/** @param {Words} one */
function words(one) {
  const [x, y] = one.at;
  const made = s(
    "text",
    {
      class: `${one.plain ? "plain" : "slab"} ${one.tone ?? "print"}`,
      "text-anchor": one.to ?? "middle",
      // Capitals are about seven tenths as high as the letters are large: this puts their middle on the point.
      y: (one.size * 0.35).toFixed(1),
      transform: `translate(${x} ${y})${one.turn ? ` rotate(${one.turn})` : ""}`,
      textLength: one.width,
      "font-size": one.size,
    },
    one.says,
  );
  if (one.tone === "red") made.setAttribute("stroke-width", (one.size * 0.08 + 1.5).toFixed(1));
  return made;
}

/** @param {Line} one */
function line(one) {
  return s("path", {
    d: one.path,
    class: `${one.width ? "line" : "surface"} ${one.tone}`,
    "stroke-width": one.width,
    "stroke-dasharray": one.dash?.length ? one.dash.join(" ") : null,
  });
}

/** @param {Dice} one */
function dice(one) {
  const [x, y] = one.at;
  const { size } = one;
  const step = size * 1.2;
  const left = (-(one.faces.length - 1) * step) / 2 - size / 2;
  const faces = one.faces.map((value, place) => {
    const made = face(value);
    made.setAttribute("transform", `translate(${(left + place * step).toFixed(1)} ${-size / 2}) scale(${size / 24})`);
    return made;
  });
  return s("g", { transform: `translate(${x} ${y})${one.turn ? ` rotate(${one.turn})` : ""}` }, faces);
}
