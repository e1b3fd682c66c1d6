// Events in words: calls, and the player's own settlements with the clause of each.

import { wagerName } from "../felt/area.js";
import { fellWords } from "../results/corrections.js";
import { t } from "../shared/catalogue.js";
import { spaced } from "../shared/words.js";

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
      calls.say(t("{wager} travels to {to}", { wager: wagerName(drawing, row), to: row.to }), { clause: row.clause });
    } else if (typeof row.call === "string" && row.call) {
      calls.say(row.call, {
        kind: "call",
        loud: true,
        once: row.type === "act_done",
        clause: row.clause ?? row.reason,
      });
    } else if (row.type === "last_called") calls.say(t("Last bets"), { kind: "call", loud: true });
    else if (row.type === "bets_shut") calls.say(t("No more bets"), SHUT);
    else if (row.type === "round_opened" && row.opened !== row.closes)
      calls.say(t("Bets are open"), { kind: "call", loud: true });
    else if (row.type === "round_cancelled")
      calls.say(t("The round was cancelled: nothing was thrown and bets stand"), { kind: "call" });
  }
}

/** What others do with the player's chips. @type {Record<string, (name: string, row: Row) => string>} */
const OWN = {
  wager_found: (name, row) =>
    t("{amount} of yours was found on {wager} and counts", { amount: spaced(row.amount), wager: name }),
  wager_placed: (name, row) => t("{amount} was placed on {wager} for you", { amount: spaced(row.amount), wager: name }),
  wager_reduced: (name, row) => t("{wager}: {amount} returned to you", { wager: name, amount: spaced(row.amount) }),
  wager_removed: (name, row) => t("{wager}: {amount} returned to you", { wager: name, amount: spaced(row.amount) }),
  payment_corrected: (_, row) =>
    row.way === "paid"
      ? t("A payment was corrected: {amount} to you", { amount: spaced(row.amount) })
      : t("A payment was corrected: {amount} from you", { amount: spaced(row.amount) }),
  player_left: (_, row) =>
    t("You were removed from your seat: {chips} went to your account", { chips: spaced(row.chips) }),
  debt_incurred: (_, row) =>
    t("You owe {amount}. It will be deducted when you are next paid or cash in", { amount: spaced(row.amount) }),
  debt_paid: (_, row) => t("{amount} was deducted for what you owed", { amount: spaced(row.amount) }),
};

/** What staff do by an act of the book that concerns the player. @type {Record<string, (row: Row, drawing: Drawing) => string>} */
const DONE_TO = {
  ask_again: () => t("You are asked again. If you do not answer, the game goes on without you"),
  take_silence: () => t("You did not answer, which was taken as a refusal"),
  confirm_late: (row, drawing) =>
    t("{wager}: your late wager is confirmed and counts", { wager: wagerName(drawing, row) }),
  exclude_from_game: () => t("You are excluded from the game"),
  exclude_from_casino: () => t("You are excluded from the casino"),
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
  calls.say(t("The result {faces} was wrong and has been withdrawn", { faces: calls.wrong }), {
    kind: "call",
    clause: row.clause,
  });
  for (const one of row.undone ?? [])
    if (one.type === "wager_settled" && one.player === person) calls.say(undone(drawing, one), { kind: "undone" });
}

/** @param {Drawing} drawing @param {Row} row */
function undone(drawing, row) {
  const words = figures(drawing, row);
  if (row.result === "win") return t("{wager}: the {paid} it was paid is taken back", words);
  return row.result === "lose"
    ? t("{wager}: the {stake} it lost is restored", words)
    : t("{wager}: {returned} is put back on it", words);
}

/** A throw, and whether it corrects another. @param {Row} row @param {Drawing} drawing @param {Calls} calls */
function sayThrown(row, drawing, calls) {
  const { wrong } = calls;
  calls.wrong = null;
  if (wrong !== null) {
    const words = t("Result corrected: {was} becomes {now}", { was: wrong, now: fell(row, drawing) });
    calls.say(words, { kind: "call", loud: true, clause: row.clause });
  }
  if (row.call) calls.say(row.call, { kind: "call", loud: true, once: true, clause: row.clause, thrown: true });
  calls.called = ""; // the next throw is called even if it is the same
}

/** @param {Drawing} drawing @param {Row} row */
export function settled(drawing, row) {
  const words = figures(drawing, row);
  if (row.result === "win") return t("{wager} wins: {stake} pays {paid}", words);
  return row.result === "lose" ? t("{wager} loses {stake}", words) : t("{wager}: {returned} returned", words);
}

/** A settlement's wager and amounts. @param {Drawing} drawing @param {Row} row */
function figures(drawing, row) {
  const [paid, stake, returned] = [row.paid, row.stake, row.returned].map(spaced);
  return { wager: wagerName(drawing, row), paid: paid ?? "", stake: stake ?? "", returned: returned ?? "" };
}
