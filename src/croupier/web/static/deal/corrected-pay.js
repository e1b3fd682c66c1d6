// What a dealer does after a corrected result: take back, pay, put wagers back.

import { keyOf } from "../felt/area.js";
import { cents, money } from "../shared/words.js";

/** @import { Settled, Travel, Laid } from "./take-and-pay.js" */
/** @typedef {{player: string, amount: string}} Debt */
/**
 * A withdrawn result: what it had settled and moved, wagers made since, and who owes for it.
 * @typedef {object} Back
 * @property {(number | string)[]} faces @property {Settled[]} rows @property {Travel[]} moves @property {Laid[]} since
 * @property {Debt[]} debts @property {string | null} order
 */
/** @typedef {{verb: string, row: Settled | Laid, cents: bigint, words: string}} Change */

/** In working order: chips come back before anyone is paid. */
export const VERBS = ["Take back", "Put back", "Take", "Pay", "Give back"];

/** @type {Record<string, (row: Settled) => string>} */
const HAD = {
  win: (row) => `was paid ${row.paid}`,
  lose: (row) => `lost ${row.stake}`,
  void: (row) => `got ${row.returned} back`,
};
/** @type {Record<string, (row: Settled) => string>} */
const HAS = {
  win: (row) => `wins ${row.paid}`,
  lose: (row) => `loses ${row.stake}`,
  void: (row) => `gets ${row.returned} back`,
};

/** Whose wager it is, and on which area. @param {Settled | Laid} row */
const whose = (row) => `${row.player} ${keyOf(row)}`;

/** What to do for each wager. @param {Back} back @param {Settled[]} rows what the right result decided @returns {Change[]} */
export function changes(back, rows) {
  const now = new Map(rows.map((row) => [whose(row), row]));
  const was = new Map(back.rows.map((row) => [whose(row), row]));
  return [
    ...back.rows.flatMap((row) => change(row, now.get(whose(row)))),
    ...rows.filter((row) => !was.has(whose(row))).map(fresh),
    ...back.since.map((row) => ({
      verb: "Give back",
      row,
      cents: cents(row.amount),
      words: `${row.player}: made since, cannot stand now`,
    })),
  ];
}

/** A wager that the wrong result had settled. @param {Settled} was @param {Settled | undefined} now @returns {Change[]} */
function change(was, now) {
  const had = `${was.player} ${HAD[was.result]?.(was)}`;
  const difference = (now ? cents(now.returned) : 0n) - cents(was.returned);
  if (!now) {
    const isTaken = cents(was.returned) === 0n;
    const there = isTaken ? `${was.stake} stands again` : `${was.stake} of it stands again`;
    const verb = isTaken ? "Put back" : "Take back";
    return [{ verb, row: was, cents: isTaken ? cents(was.stake) : -difference, words: `${had}; ${there}` }];
  }
  if (difference === 0n) return [];
  const words = `${had}, now ${HAS[now.result]?.(now)}`;
  if (difference < 0n) return [{ verb: "Take back", row: now, cents: -difference, words }];
  const staked = was.result === "lose" ? `; the stake of ${was.stake} is in it` : "";
  return [{ verb: "Pay", row: now, cents: difference, words: words + staked }];
}

/** A wager that only the right result settles. @param {Settled} row @returns {Change} */
function fresh(row) {
  const words = `${row.player} ${HAS[row.result]?.(row)}`;
  if (row.result === "win") return { verb: "Pay", row, cents: cents(row.paid), words };
  if (row.result === "lose") return { verb: "Take", row, cents: cents(row.stake), words };
  return { verb: "Give back", row, cents: cents(row.returned), words };
}

/** Wagers that moved to a number only by the wrong result. @param {Back} back @param {Travel[]} moves */
export function movedBack(back, moves) {
  const now = new Set(moves.map((move) => `${whose(/** @type {any} */ (move))} ${move.to}`));
  return back.moves.filter((move) => !now.has(`${whose(/** @type {any} */ (move))} ${move.to}`));
}

/** A player's debt, for the dealer. @param {Debt} debt */
export function owes({ player, amount }) {
  return `${player} owes ${money(cents(amount))}. It will be deducted when they are next paid or cash in. The pit can see it.`;
}
