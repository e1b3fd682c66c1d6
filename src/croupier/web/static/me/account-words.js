// The entries of an account, each in a sentence.

import { named, t } from "../shared/catalogue.js";
import { duration, now, when } from "../shared/times.js";
import { readable, spaced } from "../shared/words.js";

/** @import { Row } from "../shared/live.js" */
/** @typedef {{loss: string | null, minutes: number | null}} Limits */

/** @type {Record<string, (row: Row) => string>} */
const WORDS = {
  account_opened: () => t("The account was opened."),
  name_changed: (row) => t("Nickname changed to {name}.", { name: row.name }),
  password_set: () => t("The password was changed."),
  roles_changed: (row) => t("Your roles are now: {roles}.", { roles: row.roles.map(named).join(", ") }),
  card_issued: (row) => t("Player Card {card} was issued.", { card: row.card }),
  card_ended: (row) => t("Player Card {card} was cancelled.", { card: row.card }),
  chips_granted: (row) =>
    t("{amount} in play chips received: {reason}.", { amount: spaced(row.amount), reason: named(row.reason) }),
  went_to_table: (row) =>
    row.sat_down
      ? t("You sat down at {table} with {amount}.", { table: row.table, amount: spaced(row.amount) })
      : t("You took {amount} more to {table}.", { amount: spaced(row.amount), table: row.table }),
  came_from_table: (row) => t("You left {table} with {amount}.", { table: row.table, amount: spaced(row.amount) }),
  limits_set: (row) => {
    const limits = limitsInWords(row.limits);
    if (!row.later_from) return t("You set your limits: {limits}.", { limits });
    return t("You set your limits: {limits}, fully in force from {time}.", { limits, time: when(row.later_from) });
  },
  exclusion_began: (row) => {
    const span = row.until ? t("until {time}", { time: when(row.until) }) : t("permanently");
    if (row.by_house) return t("An exclusion began, by the house: {span}.", { span });
    return t("An exclusion began: {span}.", { span });
  },
  exclusion_ended: () => t("The exclusion ended."),
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
  const { minutes } = limits;
  const loss =
    limits.loss === null ? t("no loss limit") : t("lose at most {loss} a day", { loss: spaced(limits.loss) });
  const time = minutes === null ? t("no time limit") : t("play at most {minutes} minutes a day", { minutes });
  return t("{loss}, {time}", { loss, time });
}

/** How long something lasted, or has lasted until now. @param {string} since @param {string | null} until */
export function lasted(since, until) {
  return duration((until ? Date.parse(until) : now()) - Date.parse(since));
}
