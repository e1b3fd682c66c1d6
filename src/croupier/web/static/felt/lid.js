// The shaker of Sic Bo: it tumbles before the bets (5.1), and the lid is lifted after them (5.2).

import { h, s } from "../shared/dom.js";
import { solidDie, turnTo } from "./solid-die.js";

/** @import { Point } from "./dice-flight.js" */

/** Where three dice stand in the dish, as shares of its width, and how they are turned. @type {[number, number, number][]} */
const STAND = [
  [-0.17, 0.03, -24],
  [0.15, -0.09, 16],
  [0.04, 0.18, 40],
];
const DOME = "M-50 20C-54 -24 -34 -62 0 -62C34 -62 54 -24 50 20A50 15 0 0 1 -50 20Z";

/** The dome with its knob, over a dish. */
function dome() {
  return s(
    "svg",
    { viewBox: "-70 -84 140 124", class: "dome" },
    s("path", { d: DOME, class: "dome-skin" }),
    s("path", { d: "M-38 8C-40 -22 -26 -46 -10 -53", class: "dome-shine" }),
    s("path", { d: "M-50 20A50 15 0 0 0 50 20", class: "dome-rim" }),
    s("ellipse", { cx: 0, cy: -63, rx: 9, ry: 4.5, class: "dome-knob" }),
    s("circle", { cx: 0, cy: -71, r: 7.5, class: "dome-knob" }),
  );
}

/** @param {HTMLElement} air @param {Point} at its middle @param {number} width of the dish @param {(string | number)[]} faces none: it stays shut */
function shaker(air, [x, y], width, faces) {
  const size = width * 0.17;
  const dice = faces.map((face, place) => standing(face, place, width, size));
  const inside = h("div.dish-inside", dice);
  const dish = h("div.dish", inside);
  const lid = h("div.lid", dome());
  const whole = h("div.shaker", dish, lid);
  whole.style.setProperty("--size", `${width}px`);
  const place = h("div.shaker-place", whole);
  place.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  air.append(place);
  return { whole, lid, inside };
}

/** @param {string | number} face @param {number} place @param {number} width @param {number} size */
function standing(face, place, width, size) {
  const { die, cube } = solidDie(size);
  const [x, y, turn] = STAND[place] ?? [0, 0, 0];
  die.style.transform = `translate3d(${x * width}px, ${y * width}px, 0) rotateZ(${turn + (Math.random() - 0.5) * 24}deg)`;
  cube.style.transform = `translateZ(${size / 2}px) ${turnTo(face)}`;
  return die;
}

/**
 * The shaker comes forward and the lid goes up. Without motion the dice are simply there.
 * @param {HTMLElement} air @param {(string | number)[]} faces @param {{from: Point, at: Point, width: number, ms: number}} how
 */
export function liftLid(air, faces, { from, at, width, ms }) {
  const { whole, lid, inside } = shaker(air, at, width, faces);
  if (ms === 0) {
    lid.hidden = true;
    whole.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150 });
    return;
  }
  /** @type {KeyframeAnimationOptions} */
  const how = { duration: ms, fill: "both" };
  const [x, y] = [from[0] - at[0], from[1] - at[1]];
  whole.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(.45)`, opacity: 0, easing: "cubic-bezier(.3, .7, .2, 1)" },
      {
        transform: `translate(${x}px, ${y}px) scale(.45)`,
        opacity: 1,
        offset: 0.06,
        easing: "cubic-bezier(.3, .7, .2, 1)",
      },
      { transform: "translate(0, 0) scale(1)", opacity: 1, offset: 0.46 },
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
    ],
    how,
  );
  lid.animate(
    [
      { transform: "translateY(0) rotate(0)", opacity: 1, offset: 0 },
      { transform: "translateY(0) rotate(0)", opacity: 1, offset: 0.54, easing: "cubic-bezier(.5, 0, .3, 1)" },
      { transform: "translateY(-62%) rotate(7deg)", opacity: 1, offset: 0.84 },
      { transform: "translateY(-96%) rotate(11deg)", opacity: 0, offset: 1 },
    ],
    how,
  );
  // By size, not by opacity, which would flatten the dice
  inside.animate(
    [
      { transform: "scale(0)", offset: 0, easing: "step-end" },
      { transform: "scale(1)", offset: 0.55 },
      { transform: "scale(1)", offset: 1 },
    ],
    how,
  );
}

/**
 * The shaker tumbles three times and stands. It is over a printed one, or fades.
 * @param {HTMLElement} air @param {{at: Point, width: number, ms: number}} how
 */
export function tumble(air, { at, width, ms }) {
  const { whole } = shaker(air, at, width, []);
  const hop = (/** @type {number} */ start, /** @type {number} */ lean) => [
    { transform: "translateY(0) rotate(0)", offset: start, easing: "cubic-bezier(.3, 0, .5, 1)" },
    { transform: `translateY(-16%) rotate(${lean}deg)`, offset: start + 0.11, easing: "cubic-bezier(.5, 0, .8, .6)" },
    { transform: `translateY(0) rotate(${-lean / 3}deg)`, offset: start + 0.22, easing: "ease-out" },
  ];
  whole.animate(
    [...hop(0, -9), ...hop(0.28, 9), ...hop(0.56, -7), { transform: "translateY(0) rotate(0)", offset: 1 }],
    {
      duration: ms,
      fill: "forwards",
    },
  );
  return whole.animate([{ opacity: 1, offset: 0.88 }, { opacity: 0 }], { duration: ms + 120, fill: "forwards" });
}
