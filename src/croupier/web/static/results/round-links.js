// Links to the page of a round, which shows it again.

import { url } from "../shared/api.js";
import { h } from "../shared/dom.js";

/** @typedef {{round: number | null, version?: number | null}} Where */

/** The address of a round's page; null if it is not on record where. @param {string} table @param {Where} where */
export function roundAddress(table, { round, version }) {
  if (round !== null) return url`/tables/${table}/rounds/${round}`;
  return version === null || version === undefined ? null : throwAddress(table, version);
}

/** The address of the throw that an event belongs to. @param {string} table @param {number} version */
export function throwAddress(table, version) {
  return url`/tables/${table}/throws/${version}`;
}

/** A link in a tab of its own: the felt stays open. @param {string | null} href @param {...import("../shared/dom.js").Child} words */
export function roundLink(href, ...words) {
  return href && h("a.again", { href, target: "_blank" }, ...words);
}
