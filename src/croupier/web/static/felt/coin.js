// The coins of Two-Up: polished heads, and tails that carry a white cross (2.3); and where they come to lie.

import { s } from "../shared/dom.js";

const PROFILE =
  "M7.4 19.6C8.6 18.2 8.9 17 8.3 16 6.6 13.6 6.5 9.6 9 7.4 11.8 5 16 5.4 17 8.6 17.3 9.8 17.1 10.4 17.6 11.2L18.8 13C19 13.4 18.8 13.7 18 13.9L18.1 15.3C18.1 16.5 17.4 16.8 15.7 16.6 14.9 17.6 15 18.6 15.4 19.9 12.8 21.3 9.7 21.1 7.4 19.6Z";

/** A coin, 24 by 24. @param {string} side `H` or `T` */
export function coin(side) {
  const isHead = side === "H";
  return s(
    "g",
    { class: `penny ${isHead ? "heads" : "tails"}` },
    s("circle", { cx: 12, cy: 12, r: 11.6, class: "edge" }),
    s("circle", { cx: 12, cy: 12, r: 10.9, class: "disc" }),
    s("circle", { cx: 12, cy: 12, r: 9.6, class: "beads" }),
    isHead
      ? s("path", { d: PROFILE, class: "profile" })
      : s("path", { d: "M7.6 7.6L16.4 16.4M16.4 7.6L7.6 16.4", class: "cross" }),
    s("path", { d: "M4.2 9A8.4 8.4 0 0 1 11 3.7", class: "glint" }),
  );
}

/** Where coins lie in a ring, and their size. @param {number[]} fall x, y and radius of the ring @param {number} count */
export function restingPlaces([x = 0, y = 0, radius = 0], count) {
  const size = Math.min(76, radius * 0.62);
  const step = size * 1.16;
  const places = Array.from({ length: count }, (_, place) => {
    const across = x + (place - (count - 1) / 2) * step;
    return /** @type {[number, number]} */ ([across, y + (place % 2 ? 1 : -1) * size * 0.13 - radius * 0.1]);
  });
  return { size, places };
}
