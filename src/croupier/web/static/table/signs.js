// Signs at a table, each with the time left of its notice.

import { rich, t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { now, timeOf } from "../shared/times.js";
import { readable, spaced } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").Sign} Sign */

/** @param {number} left milliseconds @returns {string} */
function countdown(left) {
  const seconds = Math.ceil(left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part) => String(part).padStart(2, "0")).join(":");
}

/** A sign in words, in the table's zone. @param {Sign} sign @param {string} zone @returns {string} */
export function signWords(sign, zone) {
  if (sign.announces === "closing") return t("Closes at {time}", { time: timeOf(sign.states, zone) });
  const words = { amount: spaced(sign.minimum ?? ""), time: timeOf(sign.states, zone) };
  if (!sign.wager) return t("Minimum {amount} from {time}", words);
  return t("Minimum for {wager} {amount} from {time}", { ...words, wager: readable(sign.wager) });
}

/** A sign with its clock; `tick` is called every second. */
export class SignClock {
  /** @param {Sign} sign @param {string} zone */
  constructor(sign, zone) {
    this.sign = sign;
    this.clock = h("strong.clock");
    this.bar = h("progress", { max: 1, "aria-label": t("Notice given so far") });
    this.element = h(
      "li.sign",
      h("span", signWords(sign, zone)),
      this.bar,
      h("span.soft", rich("posted {time}, {clock}", { time: timeOf(sign.shown, zone), clock: this.clock })),
    );
    this.tick();
  }

  tick() {
    const from = Date.parse(this.sign.shown);
    const until = Date.parse(this.sign.holds);
    const left = until - now();
    this.bar.value = until > from ? Math.min(1, Math.max(0, 1 - left / (until - from))) : 1;
    const words = left > 0 ? t("notice ends in {span}", { span: countdown(left) }) : t("notice has ended");
    this.element.classList.toggle("over", left <= 0);
    setWords(this.clock, words);
  }
}
