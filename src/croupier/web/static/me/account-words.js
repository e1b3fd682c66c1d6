// The entries of an account, each in a sentence.

import { duration, now, when } from "../shared/times.js";
import { readable, spaced } from "../shared/words.js";

/** @import { Row } from "../shared/live.js" */
/** @typedef {{loss: string | null, minutes: number | null}} Limits */

/** @type {Record<string, (row: Row) => string>} */
const WORDS = {
  account_opened: () => "The account was opened.",
  name_changed: (row) => `Nickname changed to ${row.name}.`,
  password_set: () => "The password was changed.",
  roles_changed: (row) => `Your roles are now: ${row.roles.join(", ")}.`,
  card_issued: (row) => `Player Card ${row.card} was issued.`,
  card_ended: (row) => `Player Card ${row.card} was cancelled.`,
  chips_granted: (row) => `${spaced(row.amount)} in play chips received: ${row.reason}.`,
  went_to_table: (row) =>
    row.sat_down
      ? `You sat down at ${row.table} with ${spaced(row.amount)}.`
      : `You took ${spaced(row.amount)} more to ${row.table}.`,
  came_from_table: (row) => `You left ${row.table} with ${spaced(row.amount)}.`,
  limits_set: (row) =>
    `You set your limits: ${limitsInWords(row.limits)}${row.later_from ? `, fully in force from ${when(row.later_from)}` : ""}.`,
  exclusion_began: (row) =>
    `An exclusion began${row.by_house ? ", by the house" : ""}: ${row.until ? `until ${when(row.until)}` : "permanently"}.`,
  exclusion_ended: () => "The exclusion ended.",
};

/** By how much an entry changes the account's chips. @param {Row} row @returns {string} */
export function chipsMoved(row) {
  if (row.type === "went_to_table") return `−${spaced(row.amount)}`;
  return row.type === "chips_granted" || row.type === "came_from_table" ? `+${spaced(row.amount)}` : "";
}

/** @param {Row} row @returns {string} */
export function accountRow(row) {
  return WORDS[row.type]?.(row) ?? readable(row.type);
}

/** @param {Limits} limits @returns {string} */
export function limitsInWords(limits) {
  const loss = limits.loss === null ? "no loss limit" : `lose at most ${limits.loss} a day`;
  return `${loss}, ${limits.minutes === null ? "no time limit" : `play at most ${limits.minutes} minutes a day`}`;
}

/** How long something lasted, or has lasted until now. @param {string} since @param {string | null} until */
export function lasted(since, until) {
  return duration((until ? Date.parse(until) : now()) - Date.parse(since));
}
