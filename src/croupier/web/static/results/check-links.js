// Links from results to their rounds, and to the checker, which recomputes a throw in the player's browser.

import { url } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { roundAddress, roundLink } from "./round-links.js";

/** @import { Result } from "./roads.js" */

/** The checker's address for a throw; null if a person threw. @param {string} table @param {number | null} round */
export function checkAddress(table, round) {
  return round === null ? null : url`/check?table=${table}&round=${round}`;
}

/** Links to the rounds of all results shown, and to the check of each. @param {string} table @param {Result[]} reply @param {(result: Result) => string} name */
export function rounds(table, reply, name) {
  const rows = [...reply].reverse().filter((result) => roundAddress(table, result) !== null);
  if (rows.length === 0) return null;
  const list = rows.map((result) =>
    h("li", roundLink(roundAddress(table, result), words(result, name)), check(table, result)),
  );
  return h(
    "details.checks",
    h("summary", plural(rows.length, "See a throw again", "See {n} throws again")),
    h("ol.plain", list),
  );
}

/** @param {Result} result @param {(result: Result) => string} name */
function words(result, name) {
  if (result.round === null) return name(result);
  return t("Round {round}: {result}", { round: result.round, result: name(result) });
}

/** @param {string} table @param {Result} result */
function check(table, { round }) {
  const href = checkAddress(table, round);
  if (href === null || round === null) return null;
  return h("a.check", { href, target: "_blank", "aria-label": t("Check round {round}", { round }) }, t("Check"));
}
