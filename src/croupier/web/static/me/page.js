// A person's own page: chips, card, limits, visits to tables, account history, past wagers.

import { receiptsCard } from "../fairness/receipts-card.js";
import { get, post, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { byId, fill, h } from "../shared/dom.js";
import { alertLine, button, card, errorWords, facts, submitting } from "../shared/parts.js";
import { arrive, welcome } from "../shared/session.js";
import { setClock, setZone, when } from "../shared/times.js";
import { cents, net, spaced, total } from "../shared/words.js";
import { accountRow, chipsMoved, lasted } from "./account-words.js";
import { exclusionCard, limitsCard } from "./limits.js";
import { PastWagers } from "./past-wagers.js";
import { row, table } from "./row-table.js";

/** @import { ListedTable } from "../../types/contract.js" */
/** @import { Entry } from "../shared/live.js" */
/** @import { Standing } from "../felt/area.js" */
/** @import { Child } from "../shared/dom.js" */
/** @import { Me } from "../shared/session.js" */
/** @typedef {import("../../types/contract.js").Visit} Visit */
/** Tables by their names. @typedef {Map<string, {title: string, zone: string}>} Places */

const ENTRIES = 200;

/** What others call the player. @param {Me} me @param {() => void} again */
function nicknameForm(me, again) {
  const input = h("input", {
    name: "nickname",
    value: me.name,
    required: true,
    maxlength: 24,
    autocomplete: "nickname",
  });
  const problem = alertLine();
  const change = async () => {
    try {
      await post(url`/accounts/${me.person}/name`, { name: input.value.trim() });
      again();
    } catch (error) {
      fill(problem, errorWords(error));
    }
  };
  return h(
    "form.row",
    { onsubmit: submitting(change) },
    h("label.row", h("span", t("Nickname")), input),
    h("button", { type: "submit" }, t("Change")),
    problem,
  );
}

/** @param {Me} me @param {() => void} again */
function accountCard(me, again) {
  const rows = /** @type {[string, string][]} */ ([
    [t("Nickname"), me.name],
    ...(me.guest ? [] : [[t("Username"), me.person]]), // a guest never signs in by it
    [t("Play chips"), spaced(me.chips)],
    [t("Player Card"), me.card ?? t("none (ask a supervisor for one)")],
    [t("Roles"), me.roles.map(named).join(", ")],
  ]);
  return card(
    "account-title",
    t("My account"),
    facts(rows, "me-facts"),
    nicknameForm(me, again),
    h("p.soft", t("Play chips only. They cannot be bought, and cannot be exchanged for money.")),
  );
}

/** What a visit has won or lost; of an open one, with what is in hand and on the felt now. @param {Visit} visit @param {string} person */
async function netOf(visit, person) {
  if (visit.until !== null) return cents(visit.brought) - cents(visit.taken);
  const reply = await get(url`/tables/${visit.table}`);
  const own = reply.wagers.filter((/** @type {Standing} */ one) => one.player === person);
  return cents(reply.chips[person] ?? "0.00") + total(own) - cents(visit.taken);
}

const VISITS = [t("Table"), t("Since"), { number: t("Time") }, { number: t("Chips taken") }, { number: t("Net") }];

/** @param {Me & {visits: Visit[]}} me @param {Places} places */
async function visitsCard(me, places) {
  const isOver = (/** @type {Visit} */ visit) => Number(visit.until !== null);
  const visits = [...me.visits].sort(
    (one, other) => isOver(one) - isOver(other) || other.since.localeCompare(one.since),
  );
  const nets = await Promise.all(visits.map((visit) => netOf(visit, me.person).catch(() => null)));
  const rows = visits.map((visit, place) => row(VISITS, visitCells(visit, nets[place] ?? null, places)));
  return card(
    "visits-title",
    t("Visits to tables"),
    rows.length === 0
      ? h("p.soft", t("You have not played at a table yet."))
      : table(VISITS, h("tbody", rows), "visits-title"),
  );
}

/** @param {Visit} visit @param {bigint | null} won @param {Places} places @returns {Child[]} */
function visitCells(visit, won, places) {
  const place = places.get(visit.table);
  const link = h("a", { href: url`/tables/${visit.table}` }, place?.title ?? visit.table);
  return [
    [link, " ", visit.until === null && h("span.pill.on", t("playing now"))],
    when(visit.since, place?.zone),
    lasted(visit.since, visit.until),
    spaced(visit.taken),
    h("strong", { class: won !== null && won < 0n ? "me-down" : "good" }, won === null ? t("not available") : net(won)),
  ];
}

const ENTRY = [t("When"), t("What"), { number: t("Chips") }, t("By")];

/** Who did something to the account. @param {string | null | undefined} who @param {string} person */
function doneBy(who, person) {
  if (!who) return t("the house");
  return who === person ? t("you") : who;
}

/** @param {number} version the version of the account @param {string} person */
async function historyCard(version, person) {
  const reply = await get(`/me/events?after=${Math.max(0, version - ENTRIES)}&limit=${ENTRIES}`);
  const rows = reply.entries.reverse().map((/** @type {Entry} */ entry) => {
    const [words, chips] = [accountRow, chipsMoved].map((tell) => entry.events.map(tell).join(" "));
    return row(ENTRY, [when(entry.at), words, chips, doneBy(entry.who, person)]);
  });
  return card(
    "history-title",
    t("Account history"),
    table(ENTRY, h("tbody", rows), "history-title"),
    version > ENTRIES && h("p.soft", t("The latest {shown} of {all} entries.", { shown: ENTRIES, all: version })),
  );
}

/** The tables of all visits, the latest first. @param {Visit[]} visits @param {Places} places */
function placesOf(visits, places) {
  const names = [...new Set([...visits].reverse().map((visit) => visit.table))];
  return names.map((table) => ({ table, title: places.get(table)?.title ?? table, zone: places.get(table)?.zone }));
}

async function start() {
  const { house, me } = await arrive();
  const main = byId("main");
  if (!me) {
    const signIn = button(t("Sign in"), () => void welcome(house), "primary");
    return fill(main, h("h1", t("My book")), h("p", t("Sign in to see your account, limits and past wagers.")), signIn);
  }
  const own = /** @type {Me & {visits: Visit[], version: number}} */ (me);
  setClock(house.at);
  setZone(house.zone);
  /** @type {Places} */
  const places = new Map((await get("/tables")).map((/** @type {ListedTable} */ one) => [one.table, one]));
  const [visits, past] = await Promise.all([visitsCard(own, places), historyCard(own.version, own.person)]);
  const wagers = new PastWagers(placesOf(own.visits, places));
  const again = () => void start();
  fill(
    main,
    h("h1", t("My book")),
    h("div.me-grid", accountCard(me, again), limitsCard(me, again), exclusionCard(me, again)),
    visits,
    wagers.element,
    receiptsCard(house.house),
    past,
  );
  return wagers.begin();
}

void start();
