// A message about an area, until it is closed. It lies below the felt, so that no area is covered.

import { t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";

/** @import { Spot } from "./spot.js" */

export class Bubble {
  /** @param {Spot[]} spots @param {(about: Spot) => void} closed */
  constructor(spots, closed) {
    this.spots = spots;
    this.closed = closed;
    this.element = h("div.bubble", { role: "alert", hidden: true });
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
    const close = h("button.quiet.close", { type: "button", "aria-label": t("Close"), onclick: away }, "×");
    this.element.replaceChildren(close, ...said);
    this.element.hidden = false;
    this.element.scrollTop = 0;
  }

  /** Add to the message that is open. @param {number} place @param {...(Node | string)} said */
  sayMore(place, ...said) {
    if (!this.isOpen) this.say(place, ...said);
    else this.element.append(...said);
  }

  /** Close it. */
  hush() {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
