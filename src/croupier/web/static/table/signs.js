// Signs at a table, each with the time left of its notice.

import { h } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { now, timeOf } from "../shared/times.js";
import { readable } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").Sign} Sign */

/** @param {number} left milliseconds @returns {string} */
function countdown(left) {
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part) => String(part).padStart(2, "0")).join(":");
}

/** A sign in words, in the table's zone. @param {Sign} sign @param {string} zone @returns {string} */
export function signWords(sign, zone) {
  if (sign.announces === "closing") return `Closes at ${timeOf(sign.states, zone)}`;
  const which = sign.wager ? ` for ${readable(sign.wager)}` : "";
  return `Minimum${which} ${sign.minimum} from ${timeOf(sign.states, zone)}`;
}

/** A sign with its clock; `tick` is called every second. */
export class SignClock {
  /** @param {Sign} sign @param {string} zone */
  constructor(sign, zone) {
    this.sign = sign;
    this.clock = h("strong.clock");
    this.bar = h("progress", { max: 1, "aria-label": "Notice given so far" });
    this.element = h(
      "li.sign",
      h("span", signWords(sign, zone)),
      this.bar,
      h("span.soft", `posted ${timeOf(sign.shown, zone)}, `, this.clock),
    );
    this.tick();
  }

  tick() {
    const from = Date.parse(this.sign.shown);
    const until = Date.parse(this.sign.holds);
    const left = until - now();
    this.bar.value = until > from ? Math.min(1, Math.max(0, 1 - left / (until - from))) : 1;
    const words = left > 0 ? `notice ends in ${countdown(left)}` : "notice has ended";
    this.element.classList.toggle("over", left <= 0);
    setWords(this.clock, words);
  }
}
