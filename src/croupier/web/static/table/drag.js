// Chips drawn by hand or finger: from the rack to an area, from area to area, or off the felt. Clicks work as ever.

import { h, s } from "../shared/dom.js";

/** @import { Felt } from "../felt/felt.js" */
/** @import { Spot } from "../felt/spot.js" */
/** @import { Betting } from "./betting.js" */
/** What is drawn: `drop` gets the area below, or whether that is off the felt. @typedef {{picture: () => SVGElement | null, drop: (spot: Spot | null, isOff: boolean) => void}} Load */

const FAR = 9; // pixels: less is a click
const SHORT_OF = 26; // pixels that a finger covers

export class Drag {
  /** @param {() => Felt} felt @param {HTMLElement} rack @param {Betting} betting */
  constructor(felt, rack, betting) {
    this.felt = felt;
    this.rack = rack;
    this.betting = betting;
    /** @type {Load | null} */
    this.load = null;
    this.from = { x: 0, y: 0 };
    this.isTouch = false;
    /** @type {HTMLElement | null} what is seen under the hand, once it has moved */
    this.picture = null;
    /** @type {Spot | null} */
    this.aim = null;
    document.addEventListener("pointerdown", (event) => this.press(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.release(event));
    document.addEventListener("pointercancel", () => this.end());
    // The page must not scroll under a finger that draws chips.
    document.addEventListener("touchmove", (event) => this.load && event.cancelable && event.preventDefault(), {
      passive: false,
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.end();
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
    this.load = this.chip(event.target) ?? this.stack(event.target);
    this.from = { x: event.clientX, y: event.clientY };
    this.isTouch = event.pointerType !== "mouse";
  }

  /** A chip of the rack. @param {Element} target @returns {Load | null} */
  chip(target) {
    const label = target.closest(".chip-button");
    const input = label?.querySelector("input");
    if (!label || !input || !this.rack.contains(label)) return null;
    const drop = (/** @type {Spot | null} */ spot) => {
      if (!spot) return;
      if (!input.checked) input.click();
      this.betting.dropped(spot.area, spot.place);
    };
    return { picture: () => label.querySelector("svg"), drop };
  }

  /** The player's stack on an area. @param {Element} target @returns {Load | null} */
  stack(target) {
    const felt = this.felt();
    const spot = felt.svg.contains(target) ? felt.input.spotOf(target) : undefined;
    const { stakes } = this.betting;
    const own = spot && stakes.on(spot.area);
    if (!spot || !own) return null;
    const picture = () => spot.chips.get(own.player)?.group ?? null;
    const drop = (/** @type {Spot | null} */ to, /** @type {boolean} */ isOff) => {
      if (to || isOff) this.betting.shift(spot.area, to?.area ?? null, (to ?? spot).place);
    };
    return { picture, drop };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { load, from } = this;
    if (!load || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    if (!this.picture) {
      if (Math.hypot(x - from.x, y - from.y) < FAR) return;
      if (!this.begin(load)) return;
    }
    this.picture?.style.setProperty("transform", `translate(${x}px, ${y - (this.isTouch ? SHORT_OF : 0)}px)`);
    this.aimAt(this.below(x, y).spot);
  }

  /** Show what is drawn; not after a long press, which has taken a chip off. @param {Load} load */
  begin(load) {
    const felt = this.felt();
    const drawn = load.picture()?.cloneNode(true);
    if (!drawn || felt.input.pressed) {
      this.load = null;
      return false;
    }
    felt.input.rest();
    let inner = /** @type {SVGElement} */ (drawn);
    if (!(inner instanceof SVGSVGElement)) {
      inner.removeAttribute("transform");
      inner = s("svg", { viewBox: "-20 -32 40 56" }, inner);
    }
    this.picture = h("div.drawn-chips", { "aria-hidden": "true" }, inner);
    felt.element.append(this.picture);
    return true;
  }

  /** @param {Spot | null} spot */
  aimAt(spot) {
    if (spot === this.aim) return;
    this.aim?.group.classList.remove("aimed");
    spot?.group.classList.add("aimed");
    this.aim = spot;
  }

  /** What lies at a point. @param {number} x @param {number} y @returns {{spot: Spot | null, isOff: boolean}} */
  below(x, y) {
    const felt = this.felt();
    const there = document.elementFromPoint(x, y);
    const isOff = !there || !felt.element.contains(there);
    return { spot: (isOff ? null : felt.input.spotOf(there)) ?? null, isOff };
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { load, picture } = this;
    if (!load || !event.isPrimary) return;
    this.end();
    if (!picture) return;
    const { spot, isOff } = this.below(event.clientX, event.clientY);
    this.felt().bubble.hush();
    load.drop(spot, isOff);
    swallowClick();
  }

  end() {
    this.load = null;
    this.picture?.remove();
    this.picture = null;
    this.aimAt(null);
  }
}

/** The click that follows on what was drawn where it began is none. */
function swallowClick() {
  const swallow = (/** @type {Event} */ event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
}
