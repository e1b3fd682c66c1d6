// The house as the dealer of a table: it takes a player's lines, and answers on the live stream.

import { post, url } from "../shared/api.js";

/** @import { Dealer } from "./bet-queue.js" */

/** @param {string} table @returns {Dealer} */
export function houseDealer(table) {
  return {
    async give(order, how) {
      const { number, versions } = await post(url`/tables/${table}/lines`, order, how);
      return { number, version: versions?.[`table/${table}`] };
    },
  };
}
