// What moves above a felt during a throw: dice, coins or the shaker, the total, chips on their way, the banner.

import { h } from "../shared/dom.js";
import { ChipMoves } from "./chip-moves.js";
import { restingPlaces } from "./coin.js";
import { tossCoins } from "./coin-flight.js";
import { throwDice } from "./dice-flight.js";
import { liftLid, tumble } from "./lid.js";

/** @import { Felt } from "./felt.js" */
/** @import { Point } from "./dice-flight.js" */

const LINGERS = 2600; // milliseconds that the banner stays after the show
/** Where dice start, meet the wall and rest, as shares of the sheet. */
const ACROSS = {
  wide: { from: [1.02, 0.66], wall: [0.07, 0.24], rest: [0.335, 0.56] },
  narrow: { from: [0.62, 1.06], wall: [0.5, 0.05], rest: [0.3, 0.6] },
};
/** The shaker that is printed on a wide sheet, as shares of it. @type {[number, number]} */
const PRINTED = [0.923, 0.17];

export class Stage {
  /** @param {Felt} felt */
  constructor(felt) {
    this.felt = felt;
    this.chips = new ChipMoves(felt);
    this.dim = h("i.stage-dim");
    this.air = h("div.air");
    this.isClear = false; // the dish or the dice have given way
    this.element = h("div.stage", { "aria-hidden": "true" }, this.dim, this.air);
    felt.wood.append(this.element);
  }

  /** Pixels of a place on the sheet. @param {number} x @param {number} y @returns {Point} */
  at(x, y) {
    const matrix = this.felt.svg.getScreenCTM();
    const box = this.element.getBoundingClientRect();
    if (!matrix) return [0, 0];
    return [matrix.a * x + matrix.e - box.left, matrix.d * y + matrix.f - box.top];
  }

  /** Pixels of a unit of the sheet. */
  get scale() {
    return this.felt.svg.getScreenCTM()?.a ?? 1;
  }

  /** @param {number} x @param {number} y shares of the sheet @returns {Point} */
  share(x, y) {
    const [width, height] = this.felt.sheet.size;
    return this.at(x * width, y * height);
  }

  /** Whether a wide sheet is shown. */
  get isWide() {
    const [width, height] = this.felt.sheet.size;
    return width > height;
  }

  /** Throw, toss or uncover these faces. @param {(string | number)[]} faces @param {number} ms 0 if nothing may move */
  fall(faces, ms) {
    const { sheet } = this.felt;
    if (typeof faces[0] === "string") this.toss(faces, ms);
    else if (faces.length > 2) this.uncover(faces, ms);
    else {
      const across = this.isWide ? ACROSS.wide : ACROSS.narrow;
      const [from, wall, rest] = [across.from, across.wall, across.rest].map(([x = 0, y = 0]) => this.share(x, y));
      const size = Math.max(38, Math.min(84, this.scale * (sheet.size[0] > 600 ? 54 : 50)));
      if (from && wall && rest) throwDice(this.air, faces, { from, wall, rest, size, ms });
    }
  }

  /** @param {(string | number)[]} sides @param {number} ms */
  toss(sides, ms) {
    const { fall, size: sheetSize } = this.felt.sheet;
    const ring = fall ?? [sheetSize[0] / 2, sheetSize[1] / 2, sheetSize[1] / 3];
    const { size, places } = restingPlaces(ring, sides.length);
    const rest = places.map(([x, y]) => this.at(x, y));
    const from = this.at(ring[0], ring[1] + ring[2] * 0.1);
    tossCoins(this.air, sides, { from, rest, size: size * this.scale, ms });
  }

  /** @param {(string | number)[]} faces @param {number} ms */
  uncover(faces, ms) {
    this.dim.classList.add("deep");
    this.felt.element.classList.add("shaker-away");
    const width = this.dishWidth;
    const at = this.share(0.5, this.isWide ? 0.47 : 0.4);
    const from = this.isWide ? this.share(...PRINTED) : this.share(0.5, 0.1);
    liftLid(this.air, faces, { from, at, width, ms });
  }

  get dishWidth() {
    const [width, height] = this.felt.sheet.size;
    return Math.min(width * 0.62, height * 0.72) * this.scale;
  }

  /** The shaker tumbles before the bets. @param {number} ms @returns {Promise<unknown>} */
  tumble(ms) {
    this.felt.element.classList.add("shaker-away");
    const at = this.isWide ? this.share(...PRINTED) : this.share(0.5, 0.16);
    const width = this.isWide ? this.scale * 172 : this.dishWidth * 0.45;
    return tumble(this.air, { at, width, ms }).finished;
  }

  /** The total beside the dice, or below the coins. @param {string} words @param {string} beside @param {number} count of dice or coins */
  call(words, beside, count) {
    const below = this.felt.sheet.fall || count > 2;
    const said = h("p.fell-call", h("b", words), beside && h("span", beside));
    said.classList.toggle("below", Boolean(below));
    const [x, y] = this.callAt(count);
    said.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${below ? " translateX(-50%)" : " translateY(-50%)"}`;
    this.element.append(said);
    said.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150 });
  }

  /** @param {number} count @returns {Point} */
  callAt(count) {
    const { fall } = this.felt.sheet;
    if (fall) return this.at(fall[0], fall[1] + fall[2] * 0.36);
    if (count > 2) {
      const [x, y] = this.share(0.5, this.isWide ? 0.47 : 0.4);
      return [x, y + this.dishWidth * 0.4];
    }
    const [x, y] = this.share(
      ...(this.isWide ? /** @type {Point} */ ([0.335, 0.56]) : /** @type {Point} */ ([0.3, 0.6])),
    );
    return [x + Math.max(38, Math.min(84, this.scale * 52)) * 2.2, y];
  }

  /** The dish and the words give way to the felt. @param {number} ms */
  clearAir(ms) {
    if (this.isClear) return;
    this.isClear = true;
    this.dim.classList.remove("deep");
    for (const one of [this.air, ...this.element.querySelectorAll(".fell-call")])
      one.animate([{ opacity: 1 }, { opacity: 0 }], { duration: ms || 150, fill: "forwards" });
  }

  /** What the round brought, away from what was paid. @param {string} words @param {string} round @param {boolean} isUp */
  banner(words, round, isUp) {
    const banner = h("p.round-banner", { "aria-hidden": "true" }, h("span", words), round && h("span", round));
    banner.dataset.at = farthest(this.chips.heights());
    banner.classList.toggle("up", isUp);
    this.felt.wood.querySelector(".round-banner")?.remove();
    this.felt.wood.append(banner);
    banner.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 });
    this.said = banner;
  }

  /** Take everything away; the banner stays a little longer, and the next press on the felt takes it away. */
  leave() {
    this.element.remove();
    this.felt.element.classList.remove("shaker-away");
    this.chips.clear();
    const { said } = this;
    if (!said) return;
    const gone = () => said.remove();
    setTimeout(gone, LINGERS);
    this.felt.svg.addEventListener("pointerdown", gone, { once: true });
  }
}

/** Where a banner can be, as shares of the felt's height. @type {[string, number][]} */
const BANNERS = [
  ["top", 0.1],
  ["bottom", 0.9],
  ["middle", 0.46],
];

/** The place farthest from what must stay in view. @param {number[]} heights shares of the felt's height */
function farthest(heights) {
  const away = (/** @type {number} */ at) => Math.min(1, ...heights.map((one) => Math.abs(one - at)));
  const free = BANNERS.find(([, at]) => away(at) > 0.2);
  return (free ?? [...BANNERS].sort(([, one], [, other]) => away(other) - away(one))[0] ?? ["top"])[0];
}
