// Links from a result to the checker, which recomputes the throw in the player's browser.

import { url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";

/** @import { Result } from "./roads.js" */

/** The checker's address for a throw; null if a person threw. @param {string} table @param {Result} result */
export function checkAddress(table, { round }) {
  return round === null ? null : url`/check?table=${table}&round=${round}`;
}

/** A link to the checker, in a tab of its own: the felt stays open. @param {string} table @param {Result} result @param {...import("../shared/dom.js").Child} words */
export function checkLink(table, result, ...words) {
  const href = checkAddress(table, result);
  return href && h("a.check", { href, target: "_blank" }, ...words);
}

/** Links to the checker for all results shown. @param {string} table @param {Result[]} reply @param {(result: Result) => string} name */
export function checks(table, reply, name) {
  const rows = [...reply].reverse().filter((result) => result.round !== null);
  if (rows.length === 0) return null;
  const list = rows.map((result) =>
    h(
      "li",
      checkLink(table, result, t("Round {round}: {result}", { round: result.round ?? "", result: name(result) })),
    ),
  );
  return h("details.checks", h("summary", t("Check a throw")), h("ol.plain", list));
}
