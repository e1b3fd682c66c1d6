// One click to play: a visitor becomes a guest and sits down with chips. And play goes on when they are gone.

import { get, post, url, useCsrf } from "./api.js";
import { cents, money } from "./words.js";

/** @typedef {import("../../types/contract.js").OwnAccount & {within: string[]}} Me */

export const USUAL = 20000n;
const GOES_ON = "croupier-goes-on"; // until the next page is loaded

/** The usual chips to sit down with. @param {Me} me */
export function usualChips(me) {
  const chips = cents(me.chips);
  return money(chips < USUAL ? chips : USUAL);
}

/** Become a guest. @returns {Promise<Me>} */
export async function becomeGuest() {
  const reply = await post("/guest", {});
  useCsrf(reply.csrf);
  return get("/me");
}

/** Sit down at a table with the usual chips; a visitor becomes a guest first. @param {string} table @param {Me | null} me */
export async function play(table, me) {
  const own = me ?? (await becomeGuest());
  willGoOn();
  if (own.tables.includes(table) || cents(own.chips) === 0n) return;
  await post(url`/tables/${table}/seat`, { chips: usualChips(own) });
}

/** The next page begins where play goes on, not at its top. */
export function willGoOn() {
  sessionStorage.setItem(GOES_ON, "yes");
}

/** Whether this page begins where play goes on: asked once. */
export function goesOn() {
  const does = sessionStorage.getItem(GOES_ON) !== null;
  sessionStorage.removeItem(GOES_ON);
  return does;
}

/** Get new chips, and bring them to the table if the player is there. @param {string} table @param {Me} me @param {boolean} isSeated */
export async function refill(table, me, isSeated) {
  await post(url`/accounts/${me.person}/refill`, {});
  const own = /** @type {Me} */ (await get("/me"));
  if (isSeated) await post(url`/tables/${table}/chips`, { chips: usualChips(own) });
}
