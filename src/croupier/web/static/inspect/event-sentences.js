// The events of a table, each kind in a sentence.

import { wagerName } from "../felt/area.js";
import { named, plural, t } from "../shared/catalogue.js";
import { clockWords } from "../shared/times.js";
import { readable, spaced } from "../shared/words.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @typedef {(row: Row, name: (row: Row) => string) => string} Words */

/** @type {Record<string, Words>} */
const WORDS = {
  table_set: ({ title, rhythm }) =>
    rhythm
      ? t("The table “{title}” was set up, to run by itself.", { title })
      : t("The table “{title}” was set up.", { title }),
  table_opened: ({ book }) => t("The table opened with the book {book}.", { book }),
  table_reopened: () => t("The table opened for another gaming day."),
  rules_adopted: ({ book }) =>
    t("The table switched to the book {book}; wagers already placed keep their rules.", { book }),
  sign_changed: (row) =>
    t("The sign changed: minimum {min}, maximum {max}.", {
      min: row.min === null ? t("none") : spaced(row.min),
      max: row.max === null ? t("none") : spaced(row.max),
    }),
  staff_came: ({ person, role }) => t("{person} started as {role}.", { person, role: named(role) }),
  staff_went: ({ person }) => t("{person} left the post.", { person }),
  player_seated: (row) => t("{player} sat down with {chips}.", figures(row)),
  player_left: (row) => t("{player} left with {chips}.", figures(row)),
  chips_bought: (row) => t("{player} added {chips}.", figures(row)),
  checks_redeemed: (row) =>
    row.place
      ? t("{player} exchanged {amount} in {checks} checks for value chips at {place}.", figures(row))
      : t("{player} exchanged {amount} in {checks} checks for value chips.", figures(row)),
  tokens_issued: (row) => t("{player} was given {tokens} in tokens.", figures(row)),
  wager_placed: (row, name) => {
    const words = { ...figures(row), wager: name(row) };
    return row.stake === row.amount
      ? t("{player} put {amount} on {wager}.", words)
      : t("{player} put {amount} on {wager}, {stake} in all.", words);
  },
  wager_reduced: (row, name) =>
    t("{player} took {amount} off {wager}; {stake} is left.", { ...figures(row), wager: name(row) }),
  wager_removed: (row, name) => t("{player} took {amount} off {wager}.", { ...figures(row), wager: name(row) }),
  wager_found: (row, name) => t("{amount} of {player}’s was found on {wager}.", { ...figures(row), wager: name(row) }),
  wager_called: (row, name) => {
    const words = { player: row.player, wager: name(row) };
    return row.on ? t("{player} called {wager} on.", words) : t("{player} called {wager} off.", words);
  },
  wager_moved: (row, name) =>
    t("{player}’s {wager} moved to {to}.", { player: row.player, wager: name(row), to: row.to ?? named(row.state) }),
  wager_settled: settled,
  area_settled: areaSettled,
  bets_opened: (row) => ended(called(t("Bets are open"), row)),
  bets_closed: (row) => ended(called(t("No more bets"), row)),
  round_opened: ({ number }) => t("Round {number} opened, with a commitment to its dice.", { number }),
  clock_set: ({ number, closes }) =>
    closes === null
      ? t("Round {number} waits for a bet again.", { number })
      : t("The time for betting of round {number} began.", { number }),
  last_called: ({ number }) => t("Last bets for round {number}.", { number }),
  player_away: ({ player }) => t("{player} is away from the table.", { player }),
  player_back: ({ player }) => t("{player} is back at the table.", { player }),
  player_ready: ({ number, ready, ...row }) => {
    const words = { player: row.player ?? t("A player"), number };
    return ready
      ? t("{player} is ready in round {number}.", words)
      : t("{player} is no longer ready in round {number}.", words);
  },
  number_committed: ({ player, number }) => t("{player} committed a number for round {number}.", { player, number }),
  number_shown: ({ player, number }) => t("{player} revealed the number for round {number}.", { player, number }),
  bets_shut: ({ number }) => t("Bets closed for round {number}.", { number }),
  dice_drawn: ({ number, faces }) =>
    t("Round {number} drew {faces} and revealed its secret.", { number, faces: faces.join(" ") }),
  round_cancelled: ({ number }) => t("Round {number} was cancelled.", { number }),
  thrown: (row) => {
    const who = row.by ?? t("The {title}", { title: named(row.title) });
    return ended(timed(called(t("{who} threw {faces}", { who, faces: fell(row) }), row), row));
  },
  throw_voided: (row) => ended(timed(called(t("The throw did not count"), row), row)),
  result_taken_back: (row) =>
    plural(
      (row.undone ?? []).length,
      "The result {faces} was wrong and was withdrawn: {n} wager restored.",
      "The result {faces} was wrong and was withdrawn: {n} wagers restored.",
      { faces: fell(row) },
    ),
  play_resumed: () => t("Play resumed."),
  debt_incurred: (row) => t("{player} had too few chips to return, and owes {amount}.", figures(row)),
  debt_paid: (row) => t("{amount} was deducted for {player}’s debt.", figures(row)),
  outcome_invalidated: (row) => ended(timed(t("The outcome was declared invalid"), row)),
  phase_moved: ({ phase, from, to }) =>
    t("The {phase} went from {from} to {to}.", { phase: named(phase), from: named(from), to: named(to) }),
  turn_passed: ({ player }) => t("The turn passed on from {player}.", { player }),
  turn_opened: () => t("The turn is open to everyone again."),
  house_throws_on: ({ player }) => t("The house continues throwing for {player}.", { player }),
  command_given: (row) =>
    t("{who} as {role}: {act}.", { who: row.who ?? t("Someone"), role: named(row.as), act: readable(row.do) }),
  act_done: (row) => {
    const words = { who: row.who ?? t("Someone"), role: named(row.as ?? ""), act: readable(row.act) };
    return ended(called(row.as ? t("{who} as {role}: {act}", words) : t("{who}: {act}", words), row));
  },
  noted: () => t("The table noted it."),
  payment_corrected: (row) =>
    t("A payment was corrected: {amount} {way}, {player}.", { ...figures(row), way: named(row.way) }),
  alert_raised: ({ words, tells }) => t("An alert, {words}: {tells}", { words: named(words), tells }),
  alert_answered: ({ event, note }) => t("The alert at event {event} was answered: {note}", { event, note }),
  float_moved: (row) => t("The float: a {way} of {amount}.", { ...figures(row), way: named(row.way) }),
  float_counted: (row) => {
    const words = { ...figures(row), when: named(row.when), difference: spaced(row.difference) };
    return row.difference === "0.00"
      ? t("The float at {when}: {amount}.", words)
      : t("The float at {when}: {amount}, a difference of {difference}.", words);
  },
  rules_shown: ({ title }) => t("The rules were shown: {title}.", { title }),
  mispayments_reported: ({ month }) => t("Wrong payments of {month} were reported.", { month }),
};

const AMOUNTS = ["amount", "stake", "paid", "returned", "chips", "tokens"];

/** The names in a row, and its amounts as the reader writes them. @param {Row} row @returns {Record<string, string>} */
function figures(row) {
  const amounts = AMOUNTS.filter((name) => typeof row[name] === "string").map((name) => [name, spaced(row[name])]);
  return {
    player: row.player ?? "",
    checks: named(row.checks ?? ""),
    place: row.place ?? "",
    ...Object.fromEntries(amounts),
  };
}

/** @type {Words} */
function settled(row, name) {
  const words = { ...figures(row), wager: name(row) };
  if (row.result === "win")
    return t("{player}’s {wager} wins: {stake} staked, {paid} paid, {returned} returned.", words);
  if (row.result === "lose")
    return t("{player}’s {wager} loses: {stake} staked, {paid} paid, {returned} returned.", words);
  return t("{player}’s {wager} is void: {stake} staked, {paid} paid, {returned} returned.", words);
}

/** @type {Words} */
function areaSettled(row, name) {
  const words = { wager: name(row) };
  if (row.result === "win") return t("{wager} wins.", words);
  return row.result === "lose" ? t("{wager} loses.", words) : t("{wager} is void.", words);
}

/** As a sentence. @param {string} what */
function ended(what) {
  return t("{what}.", { what });
}

/** With what was called. @param {string} what @param {Row} row */
function called(what, { call }) {
  return call ? t("{what}, “{call}” called", { what, call }) : what;
}

/** With the times at which the dice or coins left the hand and came to rest, if recorded. @param {string} what @param {Row} row */
function timed(what, { thrown_at, rested_at }) {
  const [out, rest] = [thrown_at, rested_at].map((at) => (at ? clockWords(at) : ""));
  if (out && rest) return t("{what}; out at {out}, at rest at {rest}", { what, out, rest });
  if (out) return t("{what}; out at {out}", { what, out });
  return rest ? t("{what}; at rest at {rest}", { what, rest: rest }) : what;
}

/** @param {Row} row */
function fell(row) {
  const shown = row.dice ?? row.coins ?? row.faces ?? "";
  return Array.isArray(shown) ? shown.join(" ") : String(shown);
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
