// What a dealer does after a corrected result: take back, pay, put wagers back.

import { keyOf } from "../felt/area.js";
import { t } from "../shared/catalogue.js";
import { cents, spaced } from "../shared/words.js";

/** @import { Settled, Travel, Laid } from "./take-and-pay.js" */
/** @typedef {{player: string, amount: string}} Debt */
/**
 * A withdrawn result: what it had settled and moved, wagers made since, and who owes for it.
 * @typedef {object} Back
 * @property {(number | string)[]} faces @property {Settled[]} rows @property {Travel[]} moves @property {Laid[]} since
 * @property {Debt[]} debts @property {string | null} order
 */
/** @typedef {"take-back" | "put-back" | "take" | "pay" | "give-back" | "keep" | "move" | "move-back"} Verb what to do */
/** @typedef {{verb: Verb, row: Settled | Laid, cents: bigint, words: string}} Change */

/** In working order: chips come back before anyone is paid. */
export const VERBS = /** @type {Verb[]} */ (["take-back", "put-back", "take", "pay", "give-back"]);

/** The figures of a settlement. @param {Settled} row */
const figures = (row) => ({
  player: row.player,
  paid: spaced(row.paid),
  stake: spaced(row.stake),
  returned: spaced(row.returned),
});

/** What the wrong result had done. @param {Settled} row */
function had(row) {
  if (row.result === "win") return t("{player} was paid {paid}", figures(row));
  if (row.result === "lose") return t("{player} lost {stake}", figures(row));
  return t("{player} got {returned} back", figures(row));
}

/** What the right result does. @param {Settled} row */
function has(row) {
  if (row.result === "win") return t("{player} wins {paid}", figures(row));
  if (row.result === "lose") return t("{player} loses {stake}", figures(row));
  return t("{player} gets {returned} back", figures(row));
}

/** What both do, one after the other. @param {Settled} was @param {Settled} now */
function hadAndHas(was, now) {
  const before = had(was);
  if (now.result === "win") return t("{before}, now wins {paid}", { ...figures(now), before });
  if (now.result === "lose") return t("{before}, now loses {stake}", { ...figures(now), before });
  return t("{before}, now gets {returned} back", { ...figures(now), before });
}

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
      verb: /** @type {const} */ ("give-back"),
      row,
      cents: cents(row.amount),
      words: t("{player}: made since, cannot stand now", { player: row.player }),
    })),
  ];
}

/** A wager that the wrong result had settled. @param {Settled} was @param {Settled | undefined} now @returns {Change[]} */
function change(was, now) {
  const difference = (now ? cents(now.returned) : 0n) - cents(was.returned);
  if (!now) {
    const isTaken = cents(was.returned) === 0n;
    const words = { before: had(was), stake: spaced(was.stake) };
    if (isTaken)
      return [
        { verb: "put-back", row: was, cents: cents(was.stake), words: t("{before}; {stake} stands again", words) },
      ];
    return [
      { verb: "take-back", row: was, cents: -difference, words: t("{before}; {stake} of it stands again", words) },
    ];
  }
  if (difference === 0n) return [];
  const change = hadAndHas(was, now);
  if (difference < 0n) return [{ verb: "take-back", row: now, cents: -difference, words: change }];
  const stake = spaced(was.stake);
  const words = was.result === "lose" ? t("{change}; the stake of {stake} is in it", { change, stake }) : change;
  return [{ verb: "pay", row: now, cents: difference, words }];
}

/** A wager that only the right result settles. @param {Settled} row @returns {Change} */
function fresh(row) {
  const words = has(row);
  if (row.result === "win") return { verb: "pay", row, cents: cents(row.paid), words };
  if (row.result === "lose") return { verb: "take", row, cents: cents(row.stake), words };
  return { verb: "give-back", row, cents: cents(row.returned), words };
}

/** Wagers that moved to a number only by the wrong result. @param {Back} back @param {Travel[]} moves */
export function movedBack(back, moves) {
  const now = new Set(moves.map((move) => `${whose(/** @type {any} */ (move))} ${move.to}`));
  return back.moves.filter((move) => !now.has(`${whose(/** @type {any} */ (move))} ${move.to}`));
}

/** A player's debt, for the dealer. @param {Debt} debt */
export function owes({ player, amount }) {
  return t("{player} owes {amount}. It will be deducted when they are next paid or cash in. The pit can see it.", {
    player,
    amount: spaced(amount),
  });
}
