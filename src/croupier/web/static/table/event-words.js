// Events in words: calls, and the player's own settlements with the clause of each.

import { wagerName } from "../felt/area.js";
import { fellWords } from "../results/corrections.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Calls } from "./calls.js" */

/** @type {{kind: string, loud: boolean, once: boolean}} the book may have the same words for this moment */
const SHUT = { kind: "call", loud: true, once: true };

/**
 * Say what an event means to a player.
 * @param {Entry} entry @param {Drawing} drawing @param {string | null} person @param {Calls} calls
 */
export function sayEvents(entry, drawing, person, calls) {
  for (const row of entry.events) {
    if (row.type === "result_taken_back") sayWithdrawn(row, drawing, person, calls);
    else if (row.type === "thrown") sayThrown(row, drawing, calls);
    else if (concerning(row, drawing, person))
      calls.say(concerning(row, drawing, person), { kind: "call", clause: row.clause });
    else if (row.player === person && person !== null && row.type in OWN && entry.who !== person)
      calls.say(OWN[row.type]?.(wagerName(drawing, row), row) ?? "", { clause: row.clause });
    else if (row.type === "wager_settled" && (person === null || row.player === person)) {
      calls.say(settled(drawing, row), { kind: row.result, clause: row.clause });
    } else if (row.type === "wager_moved" && row.player === person && row.to !== row.pick) {
      calls.say(`${wagerName(drawing, row)} travels to ${row.to}`, { clause: row.clause });
    } else if (typeof row.call === "string" && row.call) {
      calls.say(row.call, {
        kind: "call",
        loud: true,
        once: row.type === "act_done",
        clause: row.clause ?? row.reason,
      });
    } else if (row.type === "last_called") calls.say("Last bets", { kind: "call", loud: true });
    else if (row.type === "bets_shut") calls.say("No more bets", SHUT);
    else if (row.type === "round_opened" && row.opened !== row.closes)
      calls.say("Bets are open", { kind: "call", loud: true });
    else if (row.type === "round_cancelled")
      calls.say("The round was cancelled: nothing was thrown and bets stand", { kind: "call" });
  }
}

/** What others do with the player's chips. @type {Record<string, (name: string, row: Row) => string>} */
const OWN = {
  wager_found: (name, row) => `${row.amount} of yours was found on ${name} and counts`,
  wager_placed: (name, row) => `${row.amount} was placed on ${name} for you`,
  wager_reduced: (name, row) => `${name}: ${row.amount} returned to you`,
  wager_removed: (name, row) => `${name}: ${row.amount} returned to you`,
  payment_corrected: (_, row) => `A payment was corrected: ${row.amount} ${row.way === "paid" ? "to" : "from"} you`,
  player_left: (_, row) => `You were removed from your seat: ${row.chips} went to your account`,
  debt_incurred: (_, row) => `You owe ${row.amount}. It will be deducted when you are next paid or cash in`,
  debt_paid: (_, row) => `${row.amount} was deducted for what you owed`,
};

/** What staff do by an act of the book that concerns the player. @type {Record<string, (row: Row, drawing: Drawing) => string>} */
const DONE_TO = {
  ask_again: () => "You are asked again. If you do not answer, the game goes on without you",
  take_silence: () => "You did not answer, which was taken as a refusal",
  confirm_late: (row, drawing) => `${wagerName(drawing, row)}: your late wager is confirmed and counts`,
  exclude_from_game: () => "You are excluded from the game",
  exclude_from_casino: () => "You are excluded from the casino",
};

/** An act that concerns the player, in words; nothing if it does not. @param {Row} row @param {Drawing} drawing @param {string | null} person */
export function concerning(row, drawing, person) {
  const isOwn = row.type === "act_done" && person !== null && (row.player ?? row.person) === person;
  return (isOwn && DONE_TO[row.act]?.(row, drawing)) || "";
}

/** @param {Row} row @param {Drawing} drawing */
function fell(row, drawing) {
  return fellWords([...(row[drawing.throw.field] ?? [])]);
}

/** A withdrawn result, and what it had made of the player's wagers. @param {Row} row @param {Drawing} drawing @param {string | null} person @param {Calls} calls */
function sayWithdrawn(row, drawing, person, calls) {
  calls.wrong = fell(row, drawing);
  calls.say(`The result ${calls.wrong} was wrong and has been withdrawn`, { kind: "call", clause: row.clause });
  for (const one of row.undone ?? [])
    if (one.type === "wager_settled" && one.player === person) calls.say(undone(drawing, one), { kind: "undone" });
}

/** @param {Drawing} drawing @param {Row} row */
function undone(drawing, row) {
  const name = wagerName(drawing, row);
  if (row.result === "win") return `${name}: the ${row.paid} it was paid is taken back`;
  return row.result === "lose"
    ? `${name}: the ${row.stake} it lost is restored`
    : `${name}: ${row.returned} is put back on it`;
}

/** A throw, and whether it corrects another. @param {Row} row @param {Drawing} drawing @param {Calls} calls */
function sayThrown(row, drawing, calls) {
  const { wrong } = calls;
  calls.wrong = null;
  if (wrong !== null) {
    const words = `Result corrected: ${wrong} becomes ${fell(row, drawing)}`;
    calls.say(words, { kind: "call", loud: true, clause: row.clause });
  }
  if (row.call) calls.say(row.call, { kind: "call", loud: true, once: true, clause: row.clause });
  calls.called = ""; // the next throw is called even if it is the same
}

/** @param {Drawing} drawing @param {Row} row */
export function settled(drawing, row) {
  const name = wagerName(drawing, row);
  if (row.result === "win") return `${name} wins: ${row.stake} pays ${row.paid}`;
  return row.result === "lose" ? `${name} loses ${row.stake}` : `${name}: ${row.returned} returned`;
}
