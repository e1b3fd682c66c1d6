// Chips that move over the felt: losers to the bank, payments beside their bets, winners to the rack. They are drawn
// above the felt as copies; what lies on it is drawn by the felt.

import { s } from "../shared/dom.js";
import { money, net } from "../shared/words.js";
import { Chip, stackOf } from "./chip.js";

/** @import { Felt } from "./felt.js" */
/** @import { Spot } from "./spot.js" */
/** @typedef {{spot: Spot, player: string, profit: bigint}} Payment */
/** @typedef {{ms: number, each: number}} Pace `ms` is 0 if nothing may move, `each` the gap from one chip to the next */

const RISE = 4.2; // from one chip of a stack to the next
const TO_BANK = "cubic-bezier(.5, 0, .8, .4)";
const TO_BET = "cubic-bezier(.3, .7, .2, 1)";
const FADE = 150;

export class ChipMoves {
  /** @param {Felt} felt */
  constructor(felt) {
    this.felt = felt;
    this.layer = s("g", { class: "moving", "aria-hidden": "true" });
    /** @type {SVGGElement[]} */
    this.payments = [];
  }

  /** Put the copies above everything on the felt. */
  lie() {
    if (this.layer.parentNode !== this.felt.svg) this.felt.svg.append(this.layer);
  }

  /** Losers go to the bank. @param {Chip[]} chips @param {Pace} pace */
  sweep(chips, pace) {
    this.lie();
    const [width] = this.felt.sheet.size;
    chips.forEach((chip, place) => {
      this.send(copy(chip), chip, [width / 2, -40], TO_BANK, pace, place);
    });
  }

  /** Winners and their payments go to the rack, below the felt. @param {Chip[]} chips @param {Pace} pace */
  home(chips, pace) {
    this.lie();
    const [width, height] = this.felt.sheet.size;
    for (const chip of chips) this.send(copy(chip), chip, [width * 0.55, height + 50], TO_BET, pace, 0);
    for (const payment of this.payments) {
      const at = { x: Number(payment.dataset.x), y: Number(payment.dataset.y) };
      payment.querySelector(".won-tag")?.remove();
      this.send(payment, at, [width * 0.55, height + 50], TO_BET, pace, 0);
    }
    this.payments = [];
  }

  /** A wager travels to its number. @param {Chip} from where it lay @param {Chip | undefined} to where it lies now @param {Pace} pace */
  travel(from, to, pace) {
    if (!to || pace.ms === 0) return;
    this.lie();
    const moving = copy(from);
    this.layer.append(moving);
    moving.animate(
      [{ transform: "translate(0, 0)" }, { transform: `translate(${to.x - from.x}px, ${to.y - from.y}px)` }],
      { duration: pace.ms, easing: "cubic-bezier(.5, 0, .2, 1)" },
    ).onfinish = () => moving.remove();
    to.group.animate([{ opacity: 0 }, { opacity: 0 }], { duration: pace.ms });
  }

  /**
   * @param {SVGGElement} moving @param {{x: number, y: number}} from @param {[number, number]} to @param {string} easing
   * @param {Pace} pace @param {number} place how many go before it
   */
  send(moving, from, [x, y], easing, { ms, each }, place) {
    this.layer.append(moving);
    const rest = { transform: "translate(0, 0)", opacity: 1 };
    const far = { transform: `translate(${x - from.x}px, ${y - from.y}px)`, opacity: 0 };
    const path = ms === 0 ? [{ opacity: 1 }, { opacity: 0 }] : [rest, { opacity: 1, offset: 0.7 }, far];
    const how = { duration: ms || FADE, delay: each * place, easing, fill: /** @type {const} */ ("forwards") };
    const flight = moving.animate(path, how);
    flight.onfinish = () => moving.remove();
  }

  /** A payment slides in beside each winner, and then its sum shows. @param {Payment[]} payments @param {Pace} pace */
  pay(payments, pace) {
    this.lie();
    payments.forEach((one, place) => {
      this.payOne(one, pace, place);
    });
  }

  /** @param {Payment} payment @param {Pace} pace @param {number} place */
  payOne({ spot, player, profit }, { ms, each }, place) {
    const { drawn } = spot;
    const stake = spot.chips.get(player);
    if (!drawn || !spot.isThere || !stake) return;
    const [width, height] = this.felt.sheet.size;
    const scale = drawn.scale ?? 1;
    const [aside, down] = drawn.pay;
    const x = within(stake.x + aside, 16 * scale, width);
    const y = within(stake.y + down, 16 * scale, height);
    const chip = new Chip({ heeled: false, lammer: "" });
    chip.set(money(profit), true, false);
    chip.draw(true);
    chip.place(x, y, 14 * scale);
    const top = (stackOf(profit).length - 1) * RISE * scale;
    const tag = wonTag(net(profit), x, y - top - 24 * scale, width);
    const lying = s("g", {}, chip.group);
    const group = s("g", { class: "payment", "data-x": x, "data-y": y }, lying, tag);
    this.layer.append(group);
    this.payments.push(group);
    if (ms === 0) group.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
    else slideIn(lying, tag, `translate(${(width / 2 - x) * 0.5}px, ${-y - 40}px)`, ms, each * place);
  }

  /** How far down payments lie, as shares of the sheet's height. */
  heights() {
    const [, height] = this.felt.sheet.size;
    return this.payments.map((payment) => (Number(payment.dataset.y) - 20) / height);
  }

  /** Take away everything at once. */
  clear() {
    this.payments = [];
    this.layer.remove();
  }
}

/** Slide a payment in, and then show its sum. @param {Element} chips @param {Element} sum @param {string} from @param {number} duration @param {number} delay */
function slideIn(chips, sum, from, duration, delay) {
  const rest = { transform: "translate(0, 0)", opacity: 1 };
  const path = [{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.3 }, rest];
  chips.animate(path, { duration, delay, easing: TO_BET, fill: "backwards" });
  sum.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180, delay: delay + duration, fill: "backwards" });
}

/** @param {Chip} chip */
function copy(chip) {
  return s("g", {}, chip.group.cloneNode(true));
}

/** @param {number} at @param {number} margin @param {number} size */
function within(at, margin, size) {
  return Math.max(margin, Math.min(size - margin, at));
}

/** `+20.00` over a payment. @param {string} words @param {number} x @param {number} y @param {number} width of the sheet */
function wonTag(words, x, y, width) {
  const wide = words.length * 7.4 + 16;
  return s(
    "g",
    {
      class: "won-tag",
      transform: `translate(${within(x, wide / 2, width).toFixed(1)} ${Math.max(10, y).toFixed(1)})`,
    },
    s("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }),
    s("text", { y: 4.6 }, words),
  );
}
