// Chips on the felt: a stack by value with its sum, or one chip for all where many players bet.

import { t } from "../shared/catalogue.js";
import { s } from "../shared/dom.js";
import { cents, short } from "../shared/words.js";

const CHIPS = /** @type {[bigint, string, string][]} */ ([
  [100000n, "c1000", "1k"],
  [50000n, "c500", "500"],
  [10000n, "c100", "100"],
  [2500n, "c25", "25"],
  [500n, "c5", "5"],
  [100n, "c1", "1"],
]);
const MOST = 6; // chips drawn in a stack
const RISE = 4.2; // from one chip to the next

/** The colour of a chip of this value. @param {bigint} amount */
export function chipColour(amount) {
  return CHIPS.find(([least]) => amount >= least)?.[1] ?? "c1";
}

/** How an amount looks on a chip, kept because most amounts repeat. @type {Map<string, {worth: bigint, colour: string, text: string}>} */
const faceValues = new Map();

/** @param {string} amount */
export function faceValue(amount) {
  let known = faceValues.get(amount);
  if (!known) {
    if (faceValues.size > 5000) faceValues.clear();
    const worth = cents(amount);
    known = { worth, colour: chipColour(worth), text: short(worth) };
    faceValues.set(amount, known);
  }
  return known;
}

/** The colour of the checks that make up a whole stake. @param {{amount: string, checks?: Record<string, string>}} wager */
export function checkColour({ amount, checks }) {
  return Object.entries(checks ?? {}).find(([, cents]) => cents === amount)?.[0] ?? "";
}

/** The chips of an amount, as a dealer stacks them: large ones below. @param {bigint} worth @returns {{colour: string, word: string}[]} */
export function stackOf(worth) {
  const stack = [];
  let rest = worth;
  for (const [value, colour, word] of CHIPS)
    for (; rest >= value && stack.length < 40; rest -= value) stack.push({ colour, word });
  if (rest > 0n) stack.push({ colour: "c1", word: "" }); // less than the smallest chip
  const top = stack.at(-1);
  return stack.length > MOST && top ? [...stack.slice(0, MOST - 1), top] : stack;
}

/** @type {Map<string, SVGGElement>} */
const discs = new Map();

/** A chip lying flat, seen from the players' side. @param {string} colour @param {string} word its value, if it is on top */
export function disc(colour, word) {
  let made = discs.get(colour);
  if (!made) {
    made = s(
      "g",
      { class: `disc3 ${colour}` },
      s("path", { class: "side", d: "M-16 0v4.2a16 13.7 0 0 0 32 0V0z" }),
      s("path", { class: "side-spots", d: "M-16 2.2a16 13.7 0 0 0 32 0", pathLength: 11 }),
      s("ellipse", { class: "top", rx: 16, ry: 13.7 }),
      s("ellipse", { class: "spots", rx: 13.9, ry: 11.8, pathLength: 12 }),
      s("ellipse", { class: "shine", rx: 15.5, ry: 13.2 }),
      s("ellipse", { class: "inlay", rx: 10.4, ry: 8.9 }),
    );
    discs.set(colour, made);
  }
  const one = /** @type {SVGGElement} */ (made.cloneNode(true));
  if (word) one.append(s("text", { class: word.length > 2 ? "worth long" : "worth" }, word));
  return one;
}

/** Chips of one player on an area. Only what has changed is redrawn. */
export class Chip {
  /** @param {{heeled: boolean, lammer: string}} how `heeled`: leaning on the flat chip; `lammer`: a word on top */
  constructor(how) {
    this.how = how;
    this.words = document.createTextNode("");
    this.group = s("g", { "aria-hidden": "true" });
    /** @type {boolean | null} whether it is drawn as a stack; null before it is drawn */
    this.isStack = null;
    this.amount = "";
    this.look = "";
    this.on = true;
    this.ghost = false;
    this.check = "";
    this.x = this.y = this.radius = -1;
    this.slot = 0; // which of the places on its area
  }

  /** @param {string} amount @param {boolean} on @param {boolean} ghost @param {string} [check] the colour of checks */
  set(amount, on, ghost, check = "") {
    if (amount === this.amount && on === this.on && ghost === this.ghost && check === this.check) return;
    if (check !== this.check) this.group.style.setProperty("--check", check);
    this.amount = amount;
    this.on = on;
    this.ghost = ghost;
    this.check = check;
    this.write();
    if (this.isStack) this.draw(true);
  }

  /** The words and the classes. */
  write() {
    const { colour: value, text } = faceValue(this.amount);
    const words = this.ghost ? "…" : this.on ? text : t("{amount} off", { amount: text });
    const kind = this.isStack ? "tall" : "single";
    const colour = this.check ? "check" : value;
    const look = `stack ${kind} ${colour}${this.on ? "" : " off"}${this.ghost ? " ghost" : ""}${words.length > 4 ? " long" : ""}`;
    if (look !== this.look) this.group.setAttribute("class", look);
    this.look = look;
    this.words.data = words;
  }

  /** @param {boolean} isStack */
  draw(isStack) {
    const isOther = this.isStack !== isStack;
    this.isStack = isStack;
    if (isOther) this.write();
    if (isStack) this.drawStack();
    else if (isOther) this.group.replaceChildren(s("circle", { r: 14 }), s("text", {}, this.words));
  }

  drawStack() {
    const stack = this.check ? [{ colour: "check", word: "" }] : stackOf(faceValue(this.amount).worth);
    const { heeled, lammer } = this.how;
    const chips = stack.map(({ colour, word }, place) => {
      const one = disc(colour, place === stack.length - 1 ? word : "");
      one.setAttribute("transform", `translate(0 ${(-place * RISE).toFixed(1)})`);
      return one;
    });
    const top = -(stack.length - 1) * RISE;
    const wide = this.words.data.length * 6.3 + 10;
    const [x, y] = heeled ? [13, 11] : [0, 13];
    this.group.replaceChildren(
      s("ellipse", { class: "shadow", cx: 3, cy: 8, rx: 18.5, ry: 14.5 }),
      s("g", { transform: heeled ? "rotate(12)" : null }, chips, lammer && lammerOf(lammer, top)),
      s(
        "g",
        { class: "sum", transform: `translate(${x} ${y})` },
        s("rect", { x: -wide / 2, y: -7, width: wide, height: 14, rx: 7 }),
        s("text", { y: 4 }, this.words),
      ),
    );
  }

  /** @param {number} x @param {number} y @param {number} radius */
  place(x, y, radius) {
    if (x === this.x && y === this.y && radius === this.radius) return;
    this.x = x;
    this.y = y;
    this.radius = radius;
    this.group.setAttribute(
      "transform",
      `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}) scale(${Math.round((radius / 14) * 100) / 100})`,
    );
  }
}

/** The button that says which wager it is. @param {string} word @param {number} top */
function lammerOf(word, top) {
  return s(
    "g",
    { class: "lammer", transform: `translate(0 ${top - 1})` },
    s("rect", { x: -13, y: -6.2, width: 26, height: 12.4, rx: 6.2 }),
    s("text", { y: 3.2 }, word),
  );
}
