// What the next throw would do, as the house says it: asked for when the player's chips or the bets on offer change.

import { get, url } from "../shared/api.js";

/** @import { Felt as FeltReply, NextThrow } from "../../types/contract.js" */
/** @import { Standing } from "../felt/area.js" */

const REST = 120; // milliseconds in which more chips may follow

export class Ahead {
  /** @param {string} table @param {() => void} changed */
  constructor(table, changed) {
    this.path = url`/tables/${table}/next`;
    this.changed = changed;
    /** @type {NextThrow | null} */
    this.told = null;
    this.key = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.soon = undefined;
  }

  /** @param {FeltReply} reply @param {Standing[]} own */
  know(reply, own) {
    if (reply.round?.shut || !reply.open) return; // the throw decides now
    const key = JSON.stringify([own, reply.closed_areas, reply.results.length, reply.results.at(-1), reply.terms]);
    if (key === this.key) return;
    this.key = key;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => void this.ask(), this.told ? REST : 0);
  }

  async ask() {
    const { key } = this;
    try {
      const told = /** @type {NextThrow} */ (await get(this.path));
      if (key !== this.key) return; // asked again since
      this.told = told;
      this.changed();
    } catch {
      if (key === this.key) this.key = ""; // asked for again with the next change
    }
  }
}
