// The events of a table, each kind in a sentence.

import { wagerName } from "../felt/area.js";
import { clockWords } from "../shared/times.js";
import { counted, readable } from "../shared/words.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @typedef {(row: Row, name: (row: Row) => string) => string} Words */

const RESULTS = /** @type {Record<string, string>} */ ({ win: "wins", lose: "loses", void: "is void" });

/** @type {Record<string, Words>} */
const WORDS = {
  table_set: (row) => `The table “${row.title}” was set up${row.rhythm ? ", to run by itself" : ""}.`,
  table_opened: (row) => `The table opened with the book ${row.book}.`,
  table_reopened: () => "The table opened for another gaming day.",
  rules_adopted: (row) => `The table switched to the book ${row.book}; wagers already placed keep their rules.`,
  sign_changed: (row) => `The sign changed: minimum ${row.min ?? "none"}, maximum ${row.max ?? "none"}.`,
  staff_came: (row) => `${row.person} started as ${row.role}.`,
  staff_went: (row) => `${row.person} left the post.`,
  player_seated: (row) => `${row.player} sat down with ${row.chips}.`,
  player_left: (row) => `${row.player} left with ${row.chips}.`,
  chips_bought: (row) => `${row.player} added ${row.chips}.`,
  checks_redeemed: (row) =>
    `${row.player} exchanged ${row.amount} in ${row.checks} checks for value chips${row.place ? ` at ${row.place}` : ""}.`,
  tokens_issued: (row) => `${row.player} was given ${row.tokens} in tokens.`,
  wager_placed: (row, name) =>
    `${row.player} put ${row.amount} on ${name(row)}${row.stake === row.amount ? "" : `, ${row.stake} in all`}.`,
  wager_reduced: (row, name) => `${row.player} took ${row.amount} off ${name(row)}; ${row.stake} is left.`,
  wager_removed: (row, name) => `${row.player} took ${row.amount} off ${name(row)}.`,
  wager_found: (row, name) => `${row.amount} of ${row.player}’s was found on ${name(row)}.`,
  wager_called: (row, name) => `${row.player} called ${name(row)} ${row.on ? "on" : "off"}.`,
  wager_moved: (row, name) => `${row.player}’s ${name(row)} moved to ${row.to ?? row.state}.`,
  wager_settled: (row, name) =>
    `${row.player}’s ${name(row)} ${RESULTS[row.result] ?? row.result}: ${row.stake} staked, ${row.paid} paid, ${row.returned} returned.`,
  area_settled: (row, name) => `${name(row)} ${RESULTS[row.result] ?? row.result}.`,
  bets_opened: (row) => `Bets are open${called(row)}.`,
  bets_closed: (row) => `No more bets${called(row)}.`,
  round_opened: (row) => `Round ${row.number} opened, with a commitment to its dice.`,
  clock_set: (row) =>
    row.closes === null
      ? `Round ${row.number} waits for a bet again.`
      : `The time for betting of round ${row.number} began.`,
  last_called: (row) => `Last bets for round ${row.number}.`,
  player_away: (row) => `${row.player} is away from the table.`,
  player_back: (row) => `${row.player} is back at the table.`,
  player_ready: (row) => `${row.player ?? "A player"} is ${row.ready ? "" : "no longer "}ready in round ${row.number}.`,
  number_committed: (row) => `${row.player} committed a number for round ${row.number}.`,
  number_shown: (row) => `${row.player} revealed the number for round ${row.number}.`,
  bets_shut: (row) => `Bets closed for round ${row.number}.`,
  dice_drawn: (row) => `Round ${row.number} drew ${row.faces.join(" ")} and revealed its secret.`,
  round_cancelled: (row) => `Round ${row.number} was cancelled.`,
  thrown: (row) => `${row.by ?? `The ${row.title}`} threw ${fell(row)}${called(row)}${moments(row)}.`,
  throw_voided: (row) => `The throw did not count${called(row)}${moments(row)}.`,
  result_taken_back: (row) => `The result ${fell(row)} was wrong and was withdrawn: ${undone(row)}.`,
  play_resumed: () => "Play resumed.",
  debt_incurred: (row) => `${row.player} had too few chips to return, and owes ${row.amount}.`,
  debt_paid: (row) => `${row.amount} was deducted for ${row.player}’s debt.`,
  outcome_invalidated: (row) => `The outcome was declared invalid${moments(row)}.`,
  phase_moved: (row) => `The ${row.phase} went from ${row.from} to ${row.to}.`,
  turn_passed: (row) => `The turn passed on from ${row.player}.`,
  turn_opened: () => "The turn is open to everyone again.",
  house_throws_on: (row) => `The house continues throwing for ${row.player}.`,
  command_given: (row) => `${row.who ?? "Someone"} as ${row.as}: ${readable(row.do)}.`,
  act_done: (row) => `${row.who ?? "Someone"}${row.as ? ` as ${row.as}` : ""}: ${readable(row.act)}${called(row)}.`,
  noted: () => "The table noted it.",
  payment_corrected: (row) => `A payment was corrected: ${row.amount} ${row.way}, ${row.player}.`,
  alert_raised: (row) => `An alert, ${row.words}: ${row.tells}`,
  alert_answered: (row) => `The alert at event ${row.event} was answered: ${row.note}`,
  float_moved: (row) => `The float: a ${row.way} of ${row.amount}.`,
  float_counted: (row) =>
    `The float at ${row.when}: ${row.amount}${row.difference === "0.00" ? "" : `, a difference of ${row.difference}`}.`,
  rules_shown: (row) => `The rules were shown: ${row.title}.`,
  mispayments_reported: (row) => `Wrong payments of ${row.month} were reported.`,
};

/** @param {Row} row */
function called(row) {
  return row.call ? `, “${row.call}” called` : "";
}

/** @param {Row} row */
function fell(row) {
  const shown = row.dice ?? row.coins ?? row.faces ?? "";
  return Array.isArray(shown) ? shown.join(" ") : String(shown);
}

/** How many settlements a withdrawn result undid. @param {Row} row */
function undone(row) {
  const count = (row.undone ?? []).length;
  return `${counted(count, "wager")} restored`;
}

/** One event in words. @param {Row} row @param {Drawing | null} drawing @returns {string} */
export function rowInWords(row, drawing) {
  return WORDS[row.type]?.(row, (one) => wagerName(drawing, one)) ?? `${readable(row.type)}.`;
}

/** An entry of a table's stream, in one line. @param {Entry} entry @param {Drawing | null} drawing @returns {string} */
export function entryInWords(entry, drawing) {
  return entry.events.length === 0
    ? `${readable(entry.type)}.`
    : entry.events.map((row) => rowInWords(row, drawing)).join(" ");
}

/** When the dice or coins left the hand and came to rest, if recorded. @param {Row} row */
function moments(row) {
  const out = row.thrown_at ? `; out at ${clockWords(row.thrown_at)}` : "";
  return row.rested_at ? `${out}${out ? "," : ";"} at rest at ${clockWords(row.rested_at)}` : out;
}
