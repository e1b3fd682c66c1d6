// A die with six sides, for dice that turn in space. Its drawing is in stage.css.

import { h } from "../shared/dom.js";

/** Where each face is on the cube; opposite faces add up to seven. @type {Record<number, string>} */
const SIDE = {
  1: "",
  6: "rotateY(180deg)",
  3: "rotateY(90deg)",
  4: "rotateY(-90deg)",
  2: "rotateX(90deg)",
  5: "rotateX(-90deg)",
};
/** The turn of the cube that brings a face to the front. @type {Record<number, string>} */
const TURN = {
  1: "",
  6: "rotateY(180deg)",
  3: "rotateY(-90deg)",
  4: "rotateY(90deg)",
  2: "rotateX(-90deg)",
  5: "rotateX(90deg)",
};
const CORE = 0.47; // shows where the corners are round

/** @param {string | number} face */
export function turnTo(face) {
  return TURN[Number(face)] ?? "";
}

/** @param {number} size in pixels @returns {{die: HTMLElement, cube: HTMLElement, shade: HTMLElement}} */
export function solidDie(size) {
  const cube = h("div.cube");
  for (const [face, side] of Object.entries(SIDE)) {
    const core = h("i.core");
    core.style.transform = `${side} translateZ(${size * CORE}px)`;
    const front = h("i", { class: `side pips-${face}` });
    front.style.transform = `${side} translateZ(${size / 2}px)`;
    cube.append(core, front);
  }
  const shade = h("i.die-shade");
  const die = h("div.solid-die", shade, cube);
  die.style.setProperty("--size", `${size}px`);
  return { die, cube, shade };
}
