// From a result to its check: a page that throws it again, in the player's own browser.

import { url } from "../shared/api.js";
import { h } from "../shared/dom.js";

/** @import { Result } from "./roads.js" */

/** Where a throw is checked; nowhere at tables where people throw. @param {string} table @param {Result} result */
export function checkAddress(table, { round }) {
  return round === null ? null : url`/check?table=${table}&round=${round}`;
}

/** The page opens beside the felt, so that nobody loses sight of a round. @param {string} table @param {Result} result @param {...import("../shared/dom.js").Child} words */
export function checkLink(table, result, ...words) {
  const href = checkAddress(table, result);
  return href && h("a.check", { href, target: "_blank" }, ...words);
}

/** A way to the check of every result that is shown. @param {string} table @param {Result[]} reply @param {(result: Result) => string} name */
export function checks(table, reply, name) {
  const rows = [...reply].reverse().filter((result) => result.round !== null);
  if (rows.length === 0) return null;
  const list = rows.map((result) => h("li", checkLink(table, result, `Round ${result.round}: ${name(result)}`)));
  return h("details.checks", h("summary", "Check a throw"), h("ol.plain", list));
}
