// The order of a round on the felt, as data: when each step begins, and how the table looks at each of them.

import { keyOf } from "../felt/area.js";
import { cents } from "../shared/words.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Row } from "../shared/live.js" */
/** @import { Standing } from "../felt/area.js" */

/** @typedef {"tumble" | "land" | "call" | "puck" | "light" | "sweep" | "pay" | "banner" | "home" | "open"} Step */
/** @typedef {{step: Step, at: number, ms: number, each?: number, still: number}} Timed */

/**
 * Milliseconds from the throw: when a step begins, how long it takes, the gap from one chip to the next, and when it
 * begins where nothing may move. Nothing that tells the result comes before `call`.
 * @type {Timed[]}
 */
export const ORDER = [
  { step: "tumble", at: 0, ms: 1150, still: 0 }, // dice fly, coins rise, the lid goes up
  { step: "land", at: 1150, ms: 100, still: 80 }, // they lie still
  { step: "call", at: 1250, ms: 200, still: 180 }, // the total
  { step: "puck", at: 1480, ms: 340, still: 320 }, // it moves, and Come wagers travel
  { step: "light", at: 1680, ms: 260, still: 460 }, // winning areas
  { step: "sweep", at: 1950, ms: 340, each: 30, still: 620 }, // losers go
  { step: "pay", at: 2240, ms: 340, each: 70, still: 780 }, // payments come
  { step: "banner", at: 2680, ms: 200, still: 940 }, // what the round brought, and the money in hand
  { step: "home", at: 3040, ms: 320, still: 1900 }, // winners and payments go to the rack
  { step: "open", at: 3380, ms: 0, still: 2050 }, // as the house says it stands
];
export const WHOLE = 3380; // how long all of it takes
const SHORTEST = 0.45; // of that; a quicker table shows only the end

/** How much quicker it must be to fit the time. @param {number} ms until the house goes on @returns {number} 0 if it cannot fit */
export function paceFor(ms) {
  const pace = Math.min(1, ms / WHOLE);
  return pace < SHORTEST ? 0 : pace;
}

/** A wager that the throw decided. @typedef {{key: string, player: string, result: string, profit: bigint}} Settled */
/** @typedef {{before: FeltReply, after: FeltReply, settled: Settled[], moved: {player: string, from: string, to: string}[]}} Round */

/**
 * A round that can be shown: one throw, and what it decided. Null for a correction, or if there is more than one throw.
 * @param {FeltReply} before @param {FeltReply} after @param {Row[]} rows the events between them @returns {Round | null}
 */
export function roundOf(before, after, rows) {
  if (rows.filter((row) => row.type === "thrown").length !== 1) return null;
  if (rows.some((row) => row.type === "result_taken_back" || row.type === "throw_voided")) return null;
  const last = after.results.at(-1);
  if (!last || last.void !== null || last.faces.length === 0) return null;
  const settled = rows.filter((row) => row.type === "wager_settled").map(settledOf);
  const moved = rows
    .filter(
      (row) => row.type === "wager_moved" && keyOf({ ...row, pick: row.to }) !== keyOf({ ...row, pick: row.pick }),
    )
    .map((row) => ({
      player: row.player,
      from: keyOf(/** @type {any} */ (row)),
      to: keyOf({ wager: row.wager, pick: row.to }),
    }));
  return { before, after, settled, moved };
}

/** @param {Row} row @returns {Settled} */
function settledOf(row) {
  const profit = cents(row.returned) - cents(row.stake);
  return { key: keyOf(/** @type {any} */ (row)), player: row.player, result: row.result, profit };
}

/** What a round brought to one player. @param {Round} round @param {string | null} player */
export function broughtTo({ settled }, player) {
  let won = 0n;
  let lost = 0n;
  for (const one of settled) {
    if (one.player !== player) continue;
    if (one.profit > 0n) won += one.profit;
    else lost -= one.profit;
  }
  return { won, lost, net: won - lost };
}

const PLACE = new Map(ORDER.map(({ step }, place) => [step, place]));

/** @param {Step} now @param {Step} step */
function isPast(now, step) {
  return (PLACE.get(now) ?? 0) >= (PLACE.get(step) ?? 0);
}

/**
 * The table as it looks at a step: what the throw decides is held back until its turn; everything else is as the house
 * says it is now.
 * @param {Round} round @param {Step} step @returns {FeltReply}
 */
export function replyAt(round, step) {
  const { before, after } = round;
  if (step === "open") return after;
  const told = isPast(step, "call") ? after : before;
  const moved = isPast(step, "puck") ? after : before;
  return {
    ...after,
    round: before.round?.shut ? before.round : after.round,
    results: told.results,
    lamps: moved.lamps,
    marker: moved.marker,
    thrower: moved.thrower,
    wins: isPast(step, "light") ? after.wins : [],
    wagers: wagersAt(round, step),
    chips: before.chips,
    closed_areas: before.closed_areas,
    own_acts: before.own_acts,
  };
}

/** The reply that has a player's money at a step: it changes once, when all is paid. @param {Round} round @param {Step} step */
export function moneyAt({ before, after }, step) {
  return isPast(step, "banner") ? after : before;
}

/** @param {Round} round @param {Step} step @returns {Standing[]} */
function wagersAt({ before, after, settled, moved }, step) {
  if (isPast(step, "home")) return after.wagers;
  const gone = new Set(isPast(step, "sweep") ? settled.filter(isLost).map(standsAt) : []);
  const travels = new Map(isPast(step, "puck") ? moved.map((one) => [`${one.player} ${one.from}`, one.to]) : []);
  const stays = new Set(settled.map(standsAt)); // the place that a wager travels to may not be free yet
  return before.wagers.flatMap((one) => {
    const at = standsAt({ key: keyOf(one), player: one.player });
    if (gone.has(at)) return [];
    const to = travels.get(at);
    if (to === undefined || stays.has(standsAt({ key: to, player: one.player }))) return [one];
    return after.wagers.filter((other) => other.player === one.player && keyOf(other) === to);
  });
}

/** @param {{key: string, player: string}} one */
function standsAt({ key, player }) {
  return `${player} ${key}`;
}

/** @param {Settled} one */
function isLost({ result }) {
  return result === "lose";
}
