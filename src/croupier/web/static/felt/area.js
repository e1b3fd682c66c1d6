// The types of a felt: its areas, what they pay, the wagers on them.

import { named, t } from "../shared/catalogue.js";
import { oddsWords, readable } from "../shared/words.js";

/** @typedef {number | string | number[] | null} Pick */
/** @typedef {import("../../types/contract.js").Area} Area */
/** @typedef {import("../../types/contract.js").Drawing & {table: string, name: string, terms: string}} Drawing */
/** @typedef {import("../../types/contract.js").StandingWager} Standing */

/** The key of an area. @param {{wager: string, pick: Pick}} of */
export function keyOf(of) {
  const { pick } = of;
  return pick === null || pick === undefined ? of.wager : `${of.wager} ${Array.isArray(pick) ? pick.join("-") : pick}`;
}

/** Odds in words: `1:1+` is from 1 to 1. @param {string} pays */
export function spoken(pays) {
  const odds = oddsWords(pays.replace(/[+]$/, "").replace(/:/g, " to "));
  return pays.endsWith("+") ? t("from {odds}", { odds }) : odds;
}

/** The name of a wager. @param {Drawing | null} drawing @param {{wager: string, pick: Pick}} of */
export function wagerName(drawing, of) {
  const name = drawing?.areas.find((area) => keyOf(area) === keyOf(of))?.name;
  return name === undefined ? readable(String(of.wager ?? "")) : named(name);
}
