// The house as the dealer of a table: it takes a player's lines, and answers on the live stream.

import { post, url } from "../shared/api.js";

/** @import { Dealer } from "./bet-queue.js" */

/** @param {string} table @returns {Dealer} */
export function houseDealer(table) {
  return { give: (order, how) => post(url`/tables/${table}/lines`, order, how) };
}
