// Signs at a table, each with the clock of its notice; times as people read them.

import { fill, h } from "./dom.js";

/**
 * @typedef {object} Sign
 * @property {"minimum" | "closing"} announces @property {string} shown @property {string} states
 * @property {string} holds @property {string | null} wager @property {string | null} minimum
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** By how much the clock of the house is ahead of ours. */
let skew = 0;

/** Go by the clock of the house. @param {string} at what it shows now */
export function setClock(at) {
  skew = Date.parse(at) - Date.now();
}

/** The time of the house. @returns {number} */
export function now() {
  return Date.now() + skew;
}

/** A time of the day; with its date where that is another day. @param {string} at @returns {string} */
export function timeOf(at) {
  const when = new Date(at);
  const clock = when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const today = new Date(now()).toDateString() === when.toDateString();
  return today ? clock : `${when.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${clock}`;
}

/** How long ago it was, in words. @param {string} at @returns {string} */
export function ago(at) {
  const passed = Math.max(0, now() - Date.parse(at));
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ${Math.floor((passed % HOUR) / MINUTE)} min ago`;
  return `${Math.floor(passed / DAY)} d ago`;
}

/** @param {number} left milliseconds @returns {string} */
function countdown(left) {
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part) => String(part).padStart(2, "0")).join(":");
}

/** What a sign says. @param {Sign} sign @returns {string} */
export function signWords(sign) {
  if (sign.announces === "closing") return `Closes at ${timeOf(sign.states)}`;
  const which = sign.wager ? ` for ${sign.wager.replace(/_/g, " ")}` : "";
  return `Minimum${which} ${sign.minimum} from ${timeOf(sign.states)}`;
}

/** A sign with its clock; `tick` is called every second. */
export class SignClock {
  /** @param {Sign} sign */
  constructor(sign) {
    this.sign = sign;
    this.clock = h("strong", { class: "clock" });
    this.bar = h("progress", { max: 1, "aria-label": "Notice so far" });
    this.element = h(
      "li",
      { class: "sign" },
      h("span", {}, signWords(sign)),
      this.bar,
      h("span", { class: "soft" }, `up since ${timeOf(sign.shown)}, `, this.clock),
    );
    this.tick();
  }

  tick() {
    const from = Date.parse(this.sign.shown);
    const until = Date.parse(this.sign.holds);
    const left = until - now();
    this.bar.value = until > from ? Math.min(1, Math.max(0, 1 - left / (until - from))) : 1;
    const words = left > 0 ? `notice over in ${countdown(left)}` : "notice is over";
    this.element.classList.toggle("over", left <= 0);
    if (this.clock.textContent !== words) fill(this.clock, words);
  }
}
