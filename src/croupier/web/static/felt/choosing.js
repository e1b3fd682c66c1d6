// The row of numbers on a sheet that shows one box at a time.

import { t } from "../shared/catalogue.js";
import { s } from "../shared/dom.js";

/** @import { Pick } from "./area.js" */
/** @typedef {import("../../types/contract.js").DrawnSheet} Sheet */

/** @param {Sheet} sheet @param {Pick | undefined} chosen @param {(number: Pick) => void} choose @returns {SVGGElement[]} */
export function chosenRow(sheet, chosen, choose) {
  const [left = 0, top = 0, width = 0, height = 0] = sheet.choose ?? [];
  const numbers = sheet.numbers ?? [];
  const across = width / numbers.length;
  return numbers.flatMap(([number, word], place) => {
    const x = left + place * across;
    const press = () => choose(number);
    const size = word.length > 2 ? 19 : 30;
    const cell = s(
      "g",
      {
        class: "number",
        role: "button",
        tabindex: 0,
        "aria-pressed": String(number === chosen),
        "aria-label": t("Number {number}", { number: String(number) }),
        onclick: press,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          press();
        },
      },
      s("rect", { class: "ground", x, y: top, width: across, height }),
    );
    const at = { x: x + across / 2, y: top + height / 2 + size * 0.35 };
    return [cell, s("text", { class: "slab gold words", "text-anchor": "middle", ...at, "font-size": size }, word)];
  });
}
