// One's own book: chips, card, limits, visits to tables, what happened to the account, every past wager.

import { get } from "./api.js";
import { byId, cents, fill, h, money, spaced } from "./dom.js";
import { exclusionCard, limitsCard } from "./me-limits.js";
import { row, table } from "./me-table.js";
import { PastWagers } from "./me-wagers.js";
import { accountRow, chipsMoved, lasted, when } from "./me-words.js";
import { receiptsCard } from "./receipts-card.js";
import { arrive, welcome } from "./session.js";

/** @typedef {import("./session.js").Me} Me */
/** @typedef {{table: string, since: string, taken: string, brought: string, until: string | null}} Visit */

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

/** @param {Me & {visits: Visit[]}} me @param {Map<string, string>} titles */
async function visitsCard(me, titles) {
  const isOver = (/** @type {Visit} */ visit) => Number(visit.until !== null);
  const visits = [...me.visits].sort(
    (one, other) => isOver(one) - isOver(other) || other.since.localeCompare(one.since),
  );
  const nets = await Promise.all(visits.map((visit) => netOf(visit, me.person).catch(() => null)));
  const rows = visits.map((visit, place) => row(VISITS, visitCells(visit, nets[place] ?? null, titles)));
  return h(
    "section",
    { class: "card", "aria-labelledby": "visits-title" },
    h("h2", { id: "visits-title" }, "Visits to tables"),
    rows.length === 0
      ? h("p", { class: "soft" }, "You have not been at a table yet.")
      : table(VISITS, h("tbody", {}, rows), "visits-title"),
  );
}

/** @param {Visit} visit @param {bigint | null} net @param {Map<string, string>} titles @returns {import("./dom.js").Child[][]} */
function visitCells(visit, net, titles) {
  const link = h("a", { href: `/tables/${encodeURIComponent(visit.table)}` }, titles.get(visit.table) ?? visit.table);
  const words = net === null ? "not known now" : `${net > 0n ? "+" : ""}${spaced(money(net))}`;
  return [
    [link, " ", visit.until === null && h("span", { class: "pill on" }, "there now")],
    [when(visit.since)],
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

/** Everywhere one has been, the last first. @param {Visit[]} visits @param {Map<string, string>} titles */
function placesOf(visits, titles) {
  const names = [...new Set([...visits].reverse().map((visit) => visit.table))];
  return names.map((table) => ({ table, title: titles.get(table) ?? table }));
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
  const titles = new Map((await get("/tables")).map((/** @type {any} */ one) => [one.table, one.title]));
  const [visits, past] = await Promise.all([visitsCard(own, titles), historyCard(own.version)]);
  const wagers = new PastWagers(placesOf(own.visits, titles));
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
