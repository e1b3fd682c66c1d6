// A message beside an area, until it is closed.

import { h } from "../shared/dom.js";

/** @import { Spot } from "./spot.js" */

export class Bubble {
  /** @param {HTMLElement} box what it lies in, with the areas @param {Spot[]} spots @param {(beside: Spot) => void} closed */
  constructor(box, spots, closed) {
    this.box = box;
    this.spots = spots;
    this.closed = closed;
    this.element = h("div.bubble", { role: "alert", hidden: true });
    this.beside = 0; // which area
    box.append(this.element);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @param {number} place @param {...(Node | string)} said */
  say(place, ...said) {
    const spot = this.spots[place];
    if (!spot) return;
    const away = () => {
      this.hush();
      this.closed(spot);
    };
    const close = h("button.quiet.close", { type: "button", "aria-label": "Close", onclick: away }, "×");
    this.element.replaceChildren(close, ...said);
    this.element.hidden = false;
    this.beside = place;
    this.lay(spot);
  }

  /** Add to the message that is open. @param {number} place @param {...(Node | string)} said */
  sayMore(place, ...said) {
    const spot = this.spots[this.beside];
    if (!this.isOpen || !spot) this.say(place, ...said);
    else {
      this.element.append(...said);
      this.lay(spot);
    }
  }

  /** Place it below an area, or above it if there is no room, and scroll it into view. @param {Spot} spot */
  lay(spot) {
    const { style } = this.element;
    const here = this.box.getBoundingClientRect();
    const there = (spot.isThere ? spot.ground : this.box).getBoundingClientRect();
    const width = Math.min(300, here.width - 8);
    const left = Math.max(4, Math.min(there.left - here.left + there.width / 2 - width / 2, here.width - width - 4));
    style.width = `${width}px`;
    style.left = `${left}px`;
    const below = there.bottom - here.top + 8;
    const above = there.top - here.top - this.element.offsetHeight - 8;
    style.top = `${here.height - below < this.element.offsetHeight && above > 0 ? above : below}px`;
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Close it. */
  hush() {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
