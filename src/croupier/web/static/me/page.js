// One's own book: chips, card, limits, visits to tables, what happened to the account, every past wager.

import { receiptsCard } from "../fairness/receipts-card.js";
import { get } from "../shared/api.js";
import { byId, cents, fill, h, money, spaced } from "../shared/dom.js";
import { arrive, welcome } from "../shared/session.js";
import { setClock, setZone, when } from "../shared/times.js";
import { accountRow, chipsMoved, lasted } from "./account-words.js";
import { exclusionCard, limitsCard } from "./limits.js";
import { PastWagers } from "./past-wagers.js";
import { row, table } from "./row-table.js";

/** @typedef {import("../shared/session.js").Me} Me */
/** @typedef {{table: string, since: string, taken: string, brought: string, until: string | null}} Visit */
/** The tables of the house by their names. @typedef {Map<string, {title: string, zone: string}>} Places */

const ENTRIES = 200;

/** @param {Me} me */
function accountCard(me) {
  const facts = /** @type {[string, string][]} */ ([
    ["Name that others see", me.name],
    ["Name to sign in with", me.person],
    ["Play chips in the account", spaced(me.chips)],
    ["Player Card", me.card ?? "none: ask a supervisor for one"],
    ["Roles", me.roles.join(", ")],
  ]);
  return h(
    "section",
    { class: "card", "aria-labelledby": "account-title" },
    h("h2", { id: "account-title" }, "My account"),
    h(
      "dl",
      { class: "me-facts" },
      facts.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))),
    ),
    h("p", { class: "soft" }, "Play chips only: nothing here can be bought with money, or changed into it."),
  );
}

/** How a visit stands: what was brought back, or what is in hand and on the felt now. @param {Visit} visit @param {string} person */
async function netOf(visit, person) {
  if (visit.until !== null) return cents(visit.brought) - cents(visit.taken);
  const told = await get(`/tables/${encodeURIComponent(visit.table)}`);
  const staked = told.wagers
    .filter((/** @type {any} */ one) => one.player === person)
    .reduce((/** @type {bigint} */ sum, /** @type {any} */ one) => sum + cents(one.amount), 0n);
  return cents(told.chips[person] ?? "0.00") + staked - cents(visit.taken);
}

const VISITS = [
  { name: "Table" },
  { name: "Since" },
  { name: "Time", number: true },
  { name: "Chips taken there", number: true },
  { name: "Net", number: true },
];

/** @param {Me & {visits: Visit[]}} me @param {Places} places */
async function visitsCard(me, places) {
  const isOver = (/** @type {Visit} */ visit) => Number(visit.until !== null);
  const visits = [...me.visits].sort(
    (one, other) => isOver(one) - isOver(other) || other.since.localeCompare(one.since),
  );
  const nets = await Promise.all(visits.map((visit) => netOf(visit, me.person).catch(() => null)));
  const rows = visits.map((visit, place) => row(VISITS, visitCells(visit, nets[place] ?? null, places)));
  return h(
    "section",
    { class: "card", "aria-labelledby": "visits-title" },
    h("h2", { id: "visits-title" }, "Visits to tables"),
    rows.length === 0
      ? h("p", { class: "soft" }, "You have not been at a table yet.")
      : table(VISITS, h("tbody", {}, rows), "visits-title"),
  );
}

/** @param {Visit} visit @param {bigint | null} net @param {Places} places @returns {import("../shared/dom.js").Child[][]} */
function visitCells(visit, net, places) {
  const place = places.get(visit.table);
  const link = h("a", { href: `/tables/${encodeURIComponent(visit.table)}` }, place?.title ?? visit.table);
  const words = net === null ? "not known now" : `${net > 0n ? "+" : ""}${spaced(money(net))}`;
  return [
    [link, " ", visit.until === null && h("span", { class: "pill on" }, "there now")],
    [when(visit.since, place?.zone)],
    [lasted(visit.since, visit.until)],
    [spaced(visit.taken)],
    [h("strong", { class: net !== null && net < 0n ? "me-down" : "good" }, words)],
  ];
}

const ENTRY = [{ name: "When" }, { name: "What" }, { name: "Chips", number: true }, { name: "By" }];

/** @param {number} version how far the account's book has come */
async function historyCard(version) {
  const told = await get(`/me/events?after=${Math.max(0, version - ENTRIES)}&limit=${ENTRIES}`);
  const rows = told.entries.reverse().map((/** @type {any} */ entry) => {
    const [words, chips] = [accountRow, chipsMoved].map((tell) => entry.events.map(tell).join(" "));
    return row(ENTRY, [when(entry.at), words, chips, entry.who ?? "the house"]);
  });
  return h(
    "section",
    { class: "card", "aria-labelledby": "history-title" },
    h("h2", { id: "history-title" }, "What happened to the account"),
    table(ENTRY, h("tbody", {}, rows), "history-title"),
    version > ENTRIES && h("p", { class: "soft" }, `The newest ${ENTRIES} of ${version} entries.`),
  );
}

/** Everywhere one has been, the last first. @param {Visit[]} visits @param {Places} places */
function placesOf(visits, places) {
  const names = [...new Set([...visits].reverse().map((visit) => visit.table))];
  return names.map((table) => ({ table, title: places.get(table)?.title ?? table, zone: places.get(table)?.zone }));
}

async function start() {
  const { house, me } = await arrive();
  const main = byId("main");
  if (!me) {
    fill(
      main,
      h("h1", {}, "My book"),
      h("p", {}, "Sign in to see your account, your limits and every past wager."),
      h("button", { type: "button", class: "primary", onclick: () => void welcome(house) }, "Sign in"),
    );
    return;
  }
  const own = /** @type {Me & {visits: Visit[], version: number}} */ (me);
  setClock(house.at);
  setZone(house.zone);
  /** @type {Places} */
  const places = new Map((await get("/tables")).map((/** @type {any} */ one) => [one.table, one]));
  const [visits, past] = await Promise.all([visitsCard(own, places), historyCard(own.version)]);
  const wagers = new PastWagers(placesOf(own.visits, places));
  const again = () => void start();
  fill(
    main,
    h("h1", {}, "My book"),
    h("div", { class: "me-grid" }, accountCard(me), limitsCard(me, again), exclusionCard(me, again)),
    visits,
    wagers.element,
    receiptsCard(house.house),
    past,
  );
  await wagers.begin();
}

void start();
