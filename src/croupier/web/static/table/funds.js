// What a player has once all bets on their way have landed, and what a bet takes from it: the stake and its commission.

import { keyOf } from "../felt/area.js";
import { t } from "../shared/catalogue.js";
import { cents, money, spaced } from "../shared/words.js";

/** @import { Area, Pick, Standing } from "../felt/area.js" */
/** @import { BetQueue } from "./bet-queue.js" */
/** @import { Stakes } from "./stakes.js" */

export class Funds {
  /** @param {Stakes} stakes @param {BetQueue} queue */
  constructor(stakes, queue) {
    this.stakes = stakes;
    this.queue = queue;
  }

  /** The stake on an area, with what is on its way there. @param {Area} area @returns {bigint} */
  on(area) {
    return this.standing(area) + (this.queue.onTheWay().get(keyOf(area)) ?? 0n);
  }

  /** The stake that the house has accepted. @param {Area} area @returns {bigint} */
  standing(area) {
    return cents(this.stakes.on(area)?.amount ?? "0.00");
  }

  /** The chips in hand, without those on their way. @returns {bigint} */
  get inHand() {
    const { me, reply, drawing } = this.stakes;
    let hand = cents((me && reply?.chips[me.person]) ?? "0.00");
    const moved = this.queue.onTheWay();
    for (const area of drawing.areas) {
      const more = moved.get(keyOf(area));
      if (more !== undefined) hand -= price(area, this.standing(area), more);
    }
    return hand;
  }

  /** The player's wagers, with what is on its way. @returns {{wager: string, pick: Pick, amount: string}[]} */
  get all() {
    const { all, drawing } = this.stakes;
    const moved = this.queue.onTheWay();
    if (moved.size === 0) return all;
    const known = new Set(all.map(keyOf));
    const made = drawing.areas.filter((area) => moved.has(keyOf(area)) && !known.has(keyOf(area)));
    const rows = [...all.map((one) => [one, cents(one.amount)]), ...made.map((one) => [one, 0n])];
    return /** @type {[Standing | Area, bigint][]} */ (rows)
      .map(([{ wager, pick }, stands]) => ({ wager, pick, sum: stands + (moved.get(keyOf({ wager, pick })) ?? 0n) }))
      .filter(({ sum }) => sum > 0n)
      .map(({ wager, pick, sum }) => ({ wager, pick, amount: money(sum) }));
  }

  /** What it takes to lay more on an area. @param {Area} area @param {bigint} amount @returns {bigint} */
  takes(area, amount) {
    return price(area, this.on(area), amount);
  }

  /** The most that the chips in hand are enough for, in the steps of the wager. @param {Area} area @returns {bigint} */
  rest(area) {
    const { inHand } = this;
    const [share, whole] = commission(area);
    const step = cents(area.least);
    let most = (inHand * whole) / (whole + share);
    most -= most % step;
    while (this.takes(area, most + step) <= inHand) most += step; // some of the commission is paid already, or cut
    return most > 0n ? most : 0n;
  }
}

/** The part of a stake that is due as its commission. @param {Area} area @returns {[bigint, bigint]} */
function commission(area) {
  const [share = "0", whole = "1"] = (area.commission ?? "0").split("/");
  return [BigInt(share), BigInt(whole)];
}

/** The commission on a whole stake, cut to the cent. @param {Area} area @param {bigint} stake @returns {bigint} */
export function commissionOn(area, stake) {
  const [share, whole] = commission(area);
  return (stake * share) / whole;
}

/** What more chips on a stake take. @param {Area} area @param {bigint} stands @param {bigint} more @returns {bigint} */
export function price(area, stands, more) {
  return more + commissionOn(area, stands + more) - commissionOn(area, stands);
}

/** A stake with its commission, as it is listed. @param {Area | undefined} area @param {{amount: string}} one */
export function stakeWords(area, { amount }) {
  const commission = area ? commissionOn(area, cents(amount)) : 0n;
  return commission > 0n
    ? t("{stake} + {commission} commission", { stake: spaced(amount), commission: spaced(money(commission)) })
    : spaced(amount);
}
