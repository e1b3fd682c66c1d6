// The types of a felt: its areas, what they pay, the wagers on them.

import { readable } from "../shared/words.js";

/** @typedef {number | string | number[] | null} Pick */
/**
 * @typedef {object} Area
 * @property {string} wager @property {Pick} pick @property {string} name @property {string} label @property {string} note
 * @property {string} clause @property {[number, number, number, number]} at @property {[number, number, number, number]} narrow
 * @property {string} group @property {(number | string)[][]} dice @property {boolean} travelled @property {string} pays @property {string} terms
 * @property {{for: string, odds: string}[]} lines @property {string} least @property {boolean} fixed @property {boolean} optional
 * @property {boolean} offered @property {boolean} sleeps @property {string | null} behind
 * @property {string | null} min @property {string | null} max
 */
/**
 * @typedef {object} Drawing
 * @property {string} table @property {string} name @property {string} terms @property {string} book @property {string} title
 * @property {[number, number]} size @property {[number, number]} narrow_size @property {Area[]} areas
 * @property {{at: [number, number, number, number], narrow: [number, number, number, number]} | null} ring
 * @property {{faces: (number | string)[], count: number, field: string, command: string}} throw
 * @property {string} chip @property {Record<string, any>} sign @property {boolean} closes_bets @property {boolean} sleeps
 * @property {{name: string, sides: string[]}[]} roads @property {string | null} marker what lies on a number
 */
/** @typedef {{player: string, wager: string, pick: Pick, amount: string, on?: boolean, checks?: Record<string, string>}} Standing */

/** The key of an area. @param {{wager: string, pick: Pick}} of */
export function keyOf(of) {
  const { pick } = of;
  return pick === null || pick === undefined ? of.wager : `${of.wager} ${Array.isArray(pick) ? pick.join("-") : pick}`;
}

/** Odds in words: `1:1+` is from 1 to 1. @param {string} pays */
export function spoken(pays) {
  const odds = pays.replace(/:/g, " to ");
  return odds.endsWith("+") ? `from ${odds.slice(0, -1)}` : odds;
}

/** The name of a wager. @param {Drawing | null} drawing @param {{wager: string, pick: Pick}} of */
export function wagerName(drawing, of) {
  return drawing?.areas.find((area) => keyOf(area) === keyOf(of))?.name ?? readable(String(of.wager ?? ""));
}
