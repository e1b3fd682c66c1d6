// The longest turns of shooters: the table's, and the viewer's own.

import { plural, t } from "../shared/catalogue.js";
import { fill, h, ruleLink } from "../shared/dom.js";
import { when } from "../shared/times.js";
import { Figures } from "./figures.js";
import { roundLink, throwAddress } from "./round-links.js";

/** @typedef {import("../../types/contract.js").Hands} Longest */
/** @typedef {import("../../types/contract.js").Hand} Hand */

export class LongestHands {
  /** @param {string} table @param {string} book */
  constructor(table, book) {
    this.table = table;
    this.book = book;
    this.say = h("p.soft");
    this.place = h("div.hands");
    this.figures = new Figures(`${table}-longest-hand`, t("Longest hands"));
    this.element = h("div", this.say, this.place, this.figures.element);
  }

  /** @param {Longest} hands @param {string} zone @param {boolean} isSomebody whether the viewer may throw here */
  show(hands, zone, isSomebody) {
    const { longest, own } = hands;
    fill(
      this.say,
      t("Rolls before the {result} that passes the dice on.", { result: hands.until }),
      " ",
      ruleLink(this.book, hands.clause),
    );
    const most = Math.max(1, longest?.rolls ?? 0);
    fill(
      this.place,
      this.hand(t("The table’s"), longest, most, zone, t("No one has thrown here yet.")),
      isSomebody && this.hand(t("Yours"), own, most, zone, t("You have not thrown here yet.")),
    );
    const rows = [];
    if (longest) rows.push([t("The table’s"), String(longest.rolls), longest.at]);
    if (own) rows.push([t("Yours"), String(own.rolls), own.at]);
    this.figures.show([t("Hand"), { number: t("Rolls") }, t("Began")], rows);
  }

  /** @param {string} name @param {Hand | null} hand @param {number} most @param {string} zone @param {string} none */
  hand(name, hand, most, zone, none) {
    if (!hand) return h("div.hand", h("h3", name), h("p.soft", none));
    const line = h("i.length", { "aria-hidden": "true" });
    line.style.setProperty("--share", String(hand.rolls / most));
    const link = roundLink(throwAddress(this.table, hand.version), t("See its first roll"));
    return h(
      "div.hand",
      h("h3", name),
      h("p.rolls-made", plural(hand.rolls, "{n} roll", "{n} rolls")),
      line,
      h("p.soft", when(hand.at, zone), " ", link),
    );
  }
}
