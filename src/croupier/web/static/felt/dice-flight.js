// Two dice cross the felt, meet the back wall, and come to rest. The path is drawn once into key frames, which the
// browser's compositor plays, so that a busy page does not make the dice stutter.

import { solidDie, turnTo } from "./solid-die.js";

/** @typedef {[number, number]} Point */
/**
 * Where dice fly, in pixels.
 * @typedef {{from: Point, wall: Point, rest: Point, size: number, ms: number}} Flight `ms` is 0 if nothing may move
 */

const FRAMES = 40;
const HIT = 0.5; // when they meet the wall, as a share of the flight
/** Hops: from, to, and how high for a die of 52 pixels. @type {[number, number, number][]} */
const HOPS = [
  [0, 0.28, 110],
  [0.28, HIT, 70],
  [HIT, 0.75, 56],
  [0.75, 0.9, 19],
  [0.9, 1, 5],
];

/** @param {HTMLElement} air what they fly in @param {(string | number)[]} faces @param {Flight} flight */
export function throwDice(air, faces, flight) {
  faces.forEach((face, place) => {
    throwDie(air, face, place, flight);
  });
}

/** @param {HTMLElement} air @param {string | number} face @param {number} place @param {Flight} flight */
function throwDie(air, face, place, { from, wall, rest, size, ms }) {
  const { die, cube, shade } = solidDie(size);
  air.append(die);
  const chance = Math.random();
  const end = off(rest, place ? size * 1.32 : 0, size * (place ? -0.22 : 0.12));
  const hit = off(wall, place ? size * 0.7 : 0, size * (place ? -0.8 : 0.5) + chance * size * 0.4);
  const start = off(from, place ? size * 0.4 : 0, place ? size * 0.9 : 0);
  const yaw = (place ? 13 : -17) + (chance - 0.5) * 12;
  const [spinX, spinY] = place ? [4 * 360, -3 * 360] : [3 * 360, 4 * 360];
  const rise = size / 52;
  const pose = (/** @type {number} */ t) => {
    const left = (1 - t) ** 1.7;
    const tilt = `rotateZ(${yaw * (0.3 + 0.7 * t)}deg) rotateX(${spinX * left}deg) rotateY(${spinY * left}deg)`;
    return `translateZ(${height(t) * rise + size / 2}px) ${tilt} ${turnTo(face)}`;
  };
  if (ms === 0) {
    die.style.transform = moved(end);
    cube.style.transform = pose(1);
    die.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150 });
    return;
  }
  const times = Array.from({ length: FRAMES + 1 }, (_, frame) => frame / FRAMES);
  /** @type {KeyframeAnimationOptions} */
  const how = { duration: ms, fill: "forwards", easing: "linear" };
  die.animate(
    times.map((t) => ({ transform: moved(along(start, hit, end, t)) })),
    how,
  );
  cube.animate(
    times.map((t) => ({ transform: pose(t) })),
    how,
  );
  shade.animate(
    times.map((t) => shadow(height(t) * rise)),
    how,
  );
}

/** @param {Point} point @param {number} x @param {number} y @returns {Point} */
function off([left, top], x, y) {
  return [left + x, top + y];
}

/** @param {Point} point */
function moved([x, y]) {
  return `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`;
}

/** Straight to the wall, and ever slower off it. @param {Point} start @param {Point} hit @param {Point} end @param {number} t @returns {Point} */
function along(start, hit, end, t) {
  const [a, b] = t < HIT ? [start, hit] : [hit, end];
  const share = t < HIT ? t / HIT : 1 - (1 - (t - HIT) / (1 - HIT)) ** 2.4;
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** @param {number} t */
function height(t) {
  const [from, to, high] = HOPS.find(([, end]) => t <= end) ?? [0, 1, 0];
  const share = (t - from) / (to - from);
  return high * 4 * share * (1 - share);
}

/** The higher a die is, the further off and the paler is its shadow. @param {number} high @returns {Keyframe} */
function shadow(high) {
  return {
    transform: `translate(${high * 0.35}px, ${high * 0.5}px) scale(${1 + high / 160})`,
    opacity: 0.5 - Math.min(0.32, high / 300),
  };
}
