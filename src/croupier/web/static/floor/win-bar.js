// What a table won, beside what was expected: a small bar with the 95% interval.

import { t } from "../shared/catalogue.js";
import { h, s } from "../shared/dom.js";
import { spaced } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").DayFigures} Figures */

const WIDTH = 240;
const HEIGHT = 34;
const EDGE = 10;

/** @param {number} value @returns {string} */
export function dollars(value) {
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== "0.00" ? "−" : ""}${spaced(text)}`;
}

/** Whether there is anything to compare. @param {Figures} figures */
export function isAtStake(figures) {
  return figures.low !== figures.high;
}

/** Where the win lies, in words: colour and place alone are not enough. @param {Figures} figures @returns {string} */
export function verdict(figures) {
  if (!isAtStake(figures)) return t("nothing at risk yet");
  const won = Number(figures.win) + figures.standing;
  if (won > figures.high) return t("▲ above the interval");
  if (won < figures.low) return t("▼ below the interval");
  return figures.rough ? t("within the interval, a rough guide after so few throws") : t("within the interval");
}

/** The bar, with its figures in words for screen readers. @param {Figures} figures */
export function winBar(figures) {
  const won = Number(figures.win) + figures.standing;
  const least = Math.min(figures.low, won, 0);
  const most = Math.max(figures.high, won, 0);
  const span = most - least || 1;
  const at = (/** @type {number} */ value) => EDGE + ((value - least) / span) * (WIDTH - 2 * EDGE);
  const outside = won > figures.high || won < figures.low;
  const label = t("Win {win} including wagers on the layout; expected {expected}; 95% interval {low} to {high}.", {
    win: dollars(won),
    expected: dollars(figures.expected),
    low: dollars(figures.low),
    high: dollars(figures.high),
  });
  const middle = HEIGHT / 2;
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "win-bar", role: "img", "aria-label": label },
    s("line", { x1: EDGE, x2: WIDTH - EDGE, y1: middle, y2: middle, class: "track" }),
    s("rect", {
      x: at(figures.low),
      width: Math.max(at(figures.high) - at(figures.low), 1),
      y: middle - 7,
      height: 14,
      rx: 4,
      class: "interval",
    }),
    s("line", { x1: at(0), x2: at(0), y1: middle - 13, y2: middle + 13, class: "nought" }),
    s("line", {
      x1: at(figures.expected),
      x2: at(figures.expected),
      y1: middle - 10,
      y2: middle + 10,
      class: "expected",
    }),
    s("path", {
      d: `M ${at(won)} ${middle - 8} l 8 8 l -8 8 l -8 -8 z`,
      class: outside ? "won outside" : "won",
    }),
  );
  return h("div.win", picture);
}
