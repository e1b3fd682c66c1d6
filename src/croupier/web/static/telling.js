// What happened, in words: calls aloud, one's own settlements with the clause behind each.

import { keyOf } from "./felt-area.js";

/** @typedef {import("./captions.js").Captions} Captions */

/** @type {{kind: string, loud: boolean, once: boolean}} the book may have the same words for this moment */
const SHUT = { kind: "call", loud: true, once: true };

/** The name of a wager. @param {any} drawing @param {any} row */
export function nameOf(drawing, row) {
  return (
    drawing.areas.find((/** @type {any} */ area) => keyOf(area) === keyOf(row))?.name ?? row.wager.replaceAll("_", " ")
  );
}

/**
 * Say what an entry means to a person.
 * @param {any} entry @param {any} drawing @param {string | null} person @param {Captions} captions
 */
export function tellEntry(entry, drawing, person, captions) {
  for (const row of entry.events) {
    if (row.type === "wager_settled" && (person === null || row.player === person)) {
      captions.say(settled(drawing, row), { kind: row.result, clause: row.clause });
    } else if (row.type === "wager_moved" && row.player === person && row.to !== row.pick) {
      captions.say(`${nameOf(drawing, row)} travels to ${row.to}`, { clause: row.clause });
    } else if (typeof row.call === "string" && row.call) {
      captions.say(row.call, { kind: "call", loud: true, clause: row.clause ?? row.reason });
    } else if (row.type === "last_called") captions.say("Last bets", { kind: "call", loud: true });
    else if (row.type === "bets_shut") captions.say("No more bets", SHUT);
    else if (row.type === "round_opened") captions.say("Bets are open", { kind: "call", loud: true });
    else if (row.type === "round_cancelled")
      captions.say("The round was given up: nothing was thrown, and bets stand", { kind: "call" });
  }
}

/** @param {any} drawing @param {any} row */
export function settled(drawing, row) {
  const name = nameOf(drawing, row);
  if (row.result === "win") return `${name} wins: ${row.stake} pays ${row.paid}`;
  return row.result === "lose" ? `${name} loses ${row.stake}` : `${name}: ${row.returned} comes back`;
}
