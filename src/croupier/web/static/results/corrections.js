// A corrected result: what it was, what it is, and what that changes for the player.

import { listed, t } from "../shared/catalogue.js";
import { cents, money, spaced } from "../shared/words.js";
import { faceName } from "./faces.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @typedef {{at: string, was: bigint, now: bigint}} Change */

/** A throw in words. @param {(number | string)[]} fell */
export function fellWords(fell) {
  return listed(fell.map(faceName));
}

/** How the latest result was corrected, if it was. @param {{faces: (number | string)[], was?: (number | string)[]} | undefined} last */
export function correctedWords(last) {
  if (!last?.was?.length) return "";
  const was = fellWords(last.was);
  if (last.faces.length === 0) return t("Result withdrawn: {was} does not count", { was });
  return t("Result corrected: {was} becomes {now}", { was, now: fellWords(last.faces) });
}

/** What the wrong result and the right one give to one player. */
export class Corrected {
  constructor() {
    /** @type {Change | null} */
    this.change = null;
  }

  /** Events with the same time belong together. @param {Entry} entry @param {string | null} person */
  hear(entry, person) {
    for (const row of entry.events) {
      if (row.type === "result_taken_back") {
        const own = (row.undone ?? []).filter((/** @type {any} */ one) => one.player === person);
        this.change = { at: entry.at, was: own.reduce(added, 0n), now: 0n };
      } else if (this.change && this.change.at === entry.at) {
        if (row.type === "wager_settled" && row.player === person) this.change.now = added(this.change.now, row);
      } else if (row.type === "thrown" || row.type === "throw_voided") this.change = null;
    }
  }

  /** @returns {string} */
  get words() {
    const { change } = this;
    if (!change || (change.was === 0n && change.now === 0n)) return "";
    return t("For you: {was} becomes {now}", { was: signed(change.was), now: signed(change.now) });
  }
}

/** @param {bigint} sum @param {Row} row a wager that was settled */
function added(sum, row) {
  return row.type === "wager_settled" ? sum + cents(row.returned) - cents(row.stake) : sum;
}

/** An amount with its sign. @param {bigint} amount */
export function signed(amount) {
  const size = spaced(money(amount < 0n ? -amount : amount));
  if (amount === 0n) return size;
  return amount < 0n ? `−${size}` : `+${size}`;
}
