// Coins rise from the kip towards the eye, bounce, wobble and lie flat. They start one head and one tail up (6.1).

import { h, s } from "../shared/dom.js";
import { coin } from "./coin.js";

/** @import { Point } from "./dice-flight.js" */
/** @typedef {{from: Point, rest: Point[], size: number, ms: number}} Toss `ms` is 0 if nothing may move */

const FRAMES = 44;
const GROWS = 2.3; // a coin in the air is this much nearer to the eye
const TURNS = [7, 6]; // of either coin
/** Flights: from, to, and how high as a share of the first. @type {[number, number, number][]} */
const HOPS = [
  [0, 0.66, 1],
  [0.66, 0.83, 0.13],
  [0.83, 0.92, 0.03],
];

/** @param {HTMLElement} air @param {(string | number)[]} sides @param {Toss} toss */
export function tossCoins(air, sides, toss) {
  sides.forEach((side, place) => {
    tossCoin(air, String(side), place, toss);
  });
}

/** @param {HTMLElement} air @param {string} side @param {number} place @param {Toss} toss */
function tossCoin(air, side, place, { from, rest, size, ms }) {
  const end = rest[place] ?? from;
  const up = place % 2 ? "T" : "H";
  const shade = h("i.coin-shade");
  const flat = h("div.flat-coin", picture(up, "up"), picture(up === "H" ? "T" : "H", "under"));
  const one = h("div.tossed-coin", shade, flat);
  one.style.setProperty("--size", `${size}px`);
  air.append(one);
  const half = side === up ? 0 : 180; // half a turn more shows the other side
  const final = `rotateX(${half}deg)`;
  if (ms === 0) {
    one.style.transform = moved(end);
    flat.style.transform = final;
    one.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150 });
    return;
  }
  const lean = (place ? 1 : -1) * (14 + Math.random() * 10);
  const start = /** @type {Point} */ ([from[0] + (place ? 0.55 : -0.55) * size, from[1]]);
  const times = Array.from({ length: FRAMES + 1 }, (_, frame) => frame / FRAMES);
  /** @type {KeyframeAnimationOptions} */
  const how = { duration: ms, fill: "forwards", easing: "linear" };
  const pose = (/** @type {number} */ t) => {
    const high = height(t);
    const turn = half + (TURNS[place] ?? 7) * 360 * (1 - Math.min(1, t / 0.84)) ** 1.15;
    const wobble = t > 0.8 && t < 1 ? 26 * (1 - (t - 0.8) / 0.2) * Math.cos((t - 0.8) * 95) : 0;
    const scale = `scale(${(1 + GROWS * high).toFixed(3)})`;
    return `${scale} rotateZ(${(lean * (1 - t)).toFixed(1)}deg) rotateX(${(turn + wobble).toFixed(1)}deg) rotateY(${(wobble * 0.6).toFixed(1)}deg)`;
  };
  const at = (/** @type {number} */ t) => {
    const share = 1 - (1 - Math.min(1, t / 0.92)) ** 1.6;
    const x = start[0] + (end[0] - start[0]) * share + (place ? 1 : -1) * size * 0.5 * height(t);
    return moved([x, start[1] + (end[1] - start[1]) * share - size * 0.5 * height(t)]);
  };
  one.animate(
    times.map((t) => ({ transform: at(t) })),
    how,
  );
  flat.animate([...times.map((t) => ({ transform: pose(t) })), { transform: final }], how);
  shade.animate(
    times.map((t) => shadow(height(t), size)),
    how,
  );
}

/** @param {string} side @param {string} kind */
function picture(side, kind) {
  return s("svg", { viewBox: "0 0 24 24", class: kind }, coin(side));
}

/** @param {Point} point */
function moved([x, y]) {
  return `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`;
}

/** @param {number} t */
function height(t) {
  const hop = HOPS.find(([, to]) => t <= to);
  if (!hop) return 0;
  const [from, to, high] = hop;
  const share = (t - from) / (to - from);
  return high * 4 * share * (1 - share);
}

/** The shadow runs away from a coin that rises. @param {number} high @param {number} size @returns {Keyframe} */
function shadow(high, size) {
  return {
    transform: `translate(${high * size * 1.1}px, ${high * size * 1.5}px) scale(${1 + high * 0.5})`,
    opacity: 0.45 - high * 0.28,
  };
}
