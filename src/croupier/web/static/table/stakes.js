// The player's wagers at a table: those that stand, those before the last throw, and lines that change all of them.

import { keyOf } from "../felt/area.js";
import { named, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { cents, money } from "../shared/words.js";
import { stakeWords } from "./funds.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Area, Standing, Drawing, Pick } from "../felt/area.js" */
/** @import { Me } from "../shared/session.js" */
/** @import { Line } from "./bet-queue.js" */
/** @typedef {{wager: string, pick: Pick, amount: string}} Stake */

export class Stakes {
  /** @param {string} table @param {Drawing} drawing @param {Me | null} me */
  constructor(table, drawing, me) {
    this.drawing = drawing;
    this.me = me;
    /** @type {FeltReply | null} */
    this.reply = null;
    this.kept = `croupier-stood-${table}`;
    this.stood = /** @type {Standing[]} */ (JSON.parse(sessionStorage.getItem(this.kept) ?? "[]"));
    this.element = h("section.card.own", { "aria-labelledby": "own-title" });
  }

  /** Take note of the table's state and the player. @param {FeltReply} reply @param {Me | null} me */
  know(reply, me) {
    this.reply = reply;
    this.me = me;
  }

  /** @returns {Standing[]} */
  get all() {
    return (this.reply?.wagers ?? []).filter((/** @type {Standing} */ one) => one.player === this.me?.person);
  }

  /** The player's wager on an area. @param {{wager: string, pick: Pick}} area @returns {Standing | undefined} */
  on(area) {
    return this.all.find((one) => keyOf(one) === keyOf(area));
  }

  /** The area of a wager. @param {{wager: string, pick: Pick}} of @returns {Area | undefined} */
  areaOf(of) {
    return this.drawing.areas.find((area) => keyOf(area) === keyOf(of));
  }

  /** Remember what stood when the dice were thrown, also if the page is opened again. */
  remember() {
    const { all } = this;
    if (all.length === 0) return;
    this.stood = all;
    sessionStorage.setItem(this.kept, JSON.stringify(all));
  }

  /** @param {Stake[]} now @returns {Line[]} */
  clear(now) {
    return now.map(take).reverse(); // what lies behind a wager comes off before it
  }

  /** @param {Stake[]} now @returns {Line[]} */
  double(now) {
    return now.filter((one) => !this.areaOf(one)?.travelled).map((one) => bet(one, one.amount));
  }

  /** What stood before the last throw and no longer stands, except wagers that had travelled. @param {Stake[]} all @returns {Line[]} */
  rebet(all) {
    return this.stood.flatMap((one) => {
      const now = all.find((other) => keyOf(other) === keyOf(one));
      const missing = cents(one.amount) - (now ? cents(now.amount) : 0n);
      return missing > 0n && !this.hasTravelled(one) ? [bet(one, money(missing))] : [];
    });
  }

  /** Whether a wager was made elsewhere, or behind one that was. @param {Standing} one */
  hasTravelled(one) {
    const area = this.areaOf(one);
    const flat = area?.behind ? this.areaOf({ wager: area.behind, pick: one.pick }) : undefined;
    return Boolean(area?.travelled || flat?.travelled);
  }

  /** @param {boolean} on @returns {Line[]} */
  calls(on) {
    const sleepers = new Set(this.drawing.areas.filter((area) => area.sleeps).map(keyOf));
    return this.all
      .filter((one) => sleepers.has(keyOf(one)) && one.on !== on)
      .map((one) => ({ do: "call", wager: one.wager, pick: one.pick, on }));
  }

  show() {
    const { all } = this;
    const areas = new Map(this.drawing.areas.map((area) => [keyOf(area), area]));
    const row = (/** @type {Standing} */ one) => {
      const area = areas.get(keyOf(one));
      const staked = stakeWords(area, one);
      return h(
        "li.row.spread",
        h("span", named(area?.name ?? one.wager)),
        h("span.number", one.on === false ? t("{stake} off", { stake: staked }) : staked),
      );
    };
    fill(
      this.element,
      h("h2", { id: "own-title" }, t("Your wagers")),
      all.length === 0 ? h("p.soft", t("No chips on the felt.")) : h("ul.plain", all.map(row)),
      h("p", h("a", { href: "/me" }, t("All past wagers"))),
    );
  }
}

/** @param {Stake} of @param {string} amount @returns {Line} */
function bet(of, amount) {
  return { do: "bet", wager: of.wager, pick: of.pick, amount };
}

/** @param {Stake} of @returns {Line} */
function take(of) {
  return { do: "take", wager: of.wager, pick: of.pick, amount: of.amount };
}
