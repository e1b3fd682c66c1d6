// Every table at a glance: how it stands, its sign and the signs to come, who is there, turnover, pace and win.

import { fill, h, spaced } from "../shared/dom.js";
import { SignClock } from "../table/signs.js";
import { dollars, isAtStake, verdict, winBar } from "./win-bar.js";

/** @typedef {{min: string | null, max: string | null}} Limit */
/** @typedef {{last_hour: number, an_hour: number | null}} Pace */
/**
 * @typedef {object} FloorTable
 * @property {string} table @property {string} title @property {string} book @property {string} zone @property {number} version
 * @property {boolean} by_itself @property {"open" | "closing" | "closed"} state @property {"open" | "closed"} bets
 * @property {{number: number, waiting: boolean} | null} round @property {Record<string, string>} staff
 * @property {string[]} players @property {Record<string, string>} kept @property {Record<string, string>} owing
 * @property {number | null} seats @property {Limit} limits
 * @property {Record<string, Limit>} wager_limits @property {Record<string, Limit>} player_limits
 * @property {import("../table/signs.js").Sign[]} signs @property {number} alerts
 * @property {{version: number, figures: import("./win-bar.js").Figures, pace: Pace} | null} glance
 */

const MOST_NAMED = 6;

/** @param {Limit} limit @returns {string} */
export function limitWords(limit) {
  if (limit.min && limit.max) return `${spaced(limit.min)} to ${spaced(limit.max)}`;
  if (limit.min) return `from ${spaced(limit.min)}`;
  return limit.max ? `up to ${spaced(limit.max)}` : "none";
}

/** How it stands, in pills. @param {FloorTable} table */
function pills(table) {
  const waits = table.round?.waiting === true;
  const empty = table.by_itself && table.round === null && table.players.length === 0;
  const bets =
    table.state === "closed" ? null : empty ? "waits for players" : waits ? "waits for a bet" : `bets ${table.bets}`;
  return [
    h(
      "span",
      { class: `pill ${table.state === "open" ? "on" : table.state === "closing" ? "warn" : ""}` },
      table.state,
    ),
    bets && h("span", { class: "pill" }, bets),
    table.round && h("span", { class: "pill" }, `round ${table.round.number}`),
    table.alerts > 0 &&
      h("span", { class: "pill warn" }, `! ${table.alerts === 1 ? "1 alert" : `${table.alerts} alerts`}`),
  ];
}

/** @param {FloorTable} table @returns {string} */
function staffWords(table) {
  const posts = Object.entries(table.staff).map(([person, role]) => `${person} (${role})`);
  if (posts.length > 0) return posts.join(", ");
  return table.by_itself ? "the house, by itself" : "nobody";
}

/** Money that is not where it belongs, by whose it is; nothing where there is none. @param {string} name @param {Record<string, string>} sums @returns {[string, Node][]} */
function whose(name, sums) {
  const rows = Object.entries(sums).map(([player, amount]) => `${player} ${spaced(amount)}`);
  return rows.length > 0 ? [[name, h("strong", {}, rows.join(", "))]] : [];
}

/** @param {FloorTable} table @returns {string} */
function playersWords(table) {
  const of = table.seats === null ? "" : ` of ${table.seats}`;
  const names = table.players.slice(0, MOST_NAMED).join(", ");
  const more = table.players.length > MOST_NAMED ? " …" : "";
  return `${table.players.length}${of}${names ? `: ${names}${more}` : ""}`;
}

/** @param {Pace} pace @returns {string} */
function paceWords(pace) {
  const thrown = pace.last_hour === 1 ? "1 throw" : `${pace.last_hour} throws`;
  return pace.an_hour === null
    ? `${thrown} in the last hour`
    : `${thrown} in the last hour, at ${Math.round(pace.an_hour)} an hour`;
}

/** @param {[string, string | Node][]} rows */
function list(rows) {
  return h(
    "dl",
    {},
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** @param {FloorTable} table */
function figures(table) {
  if (!table.glance) return [h("p", { class: "soft" }, "The figures of the day are being reckoned.")];
  const { figures: day, pace } = table.glance;
  const layout =
    Math.abs(day.standing) >= 0.005 ? `, ${day.standing > 0 ? "+" : ""}${dollars(day.standing)} on the layout` : "";
  return [
    list([
      ["Turnover today", spaced(day.turnover)],
      ["Win today", `${spaced(day.win).replace("-", "−")}${layout}`],
      ["Expected", `${dollars(day.expected)} (${dollars(day.low)} to ${dollars(day.high)})`],
      ["Pace", paceWords(pace)],
    ]),
    isAtStake(day) && winBar(day),
    h("p", { class: "soft verdict" }, `Win against expectation: ${verdict(day)}`),
  ];
}

class Card {
  /** @param {FloorTable} table @param {(table: FloorTable) => void} supervise */
  constructor(table, supervise) {
    this.table = table;
    this.shown = "";
    /** @type {SignClock[]} */
    this.clocks = [];
    const name = encodeURIComponent(table.table);
    this.pills = h("p", { class: "row" });
    this.facts = h("div", {});
    this.signs = h("ul", { class: "signs" });
    this.figures = h("div", {});
    this.element = h(
      "li",
      { class: "card floor-card" },
      h("h3", {}, table.title),
      this.pills,
      this.facts,
      this.signs,
      this.figures,
      h(
        "p",
        { class: "row doors" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            onclick: () => supervise(this.table),
            "aria-label": `Supervise ${table.title}`,
          },
          "Supervise",
        ),
        link(`/tables/${name}/deal`, "Console", `Dealer console of ${table.title}`),
        link(`/display/${name}`, "Display", `Display of ${table.title}`),
        link(`/inspect?table=${name}`, "Inspect", `Inspect ${table.title}`),
      ),
    );
    this.show(table);
  }

  /** @param {FloorTable} table */
  show(table) {
    this.table = table;
    const key = JSON.stringify(table);
    if (key === this.shown) return;
    this.shown = key;
    this.element.classList.toggle("has-alert", table.alerts > 0);
    fill(this.pills, pills(table));
    const own = Object.entries(table.wager_limits).map(
      ([wager, limit]) => `${wager.replace(/_/g, " ")} ${limitWords(limit)}`,
    );
    fill(
      this.facts,
      list([
        ["Run by", staffWords(table)],
        ["Players", playersWords(table)],
        ["Limits", [limitWords(table.limits), ...own].join("; ")],
        ...whose("Owe the house", table.owing),
        ...whose("Chips kept for", table.kept),
      ]),
    );
    this.clocks = table.signs.map((sign) => new SignClock(sign, table.zone));
    fill(
      this.signs,
      this.clocks.map((clock) => clock.element),
    );
    fill(this.figures, figures(table));
  }
}

/** @param {string} href @param {string} text @param {string} label */
function link(href, text, label) {
  return h("a", { href, "aria-label": label }, text);
}

export class Cards {
  /** @param {(table: FloorTable) => void} supervise */
  constructor(supervise) {
    this.supervise = supervise;
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    this.list = h("ul", { class: "grid tables" });
    this.element = h(
      "section",
      { "aria-labelledby": "tables-title" },
      h("h2", { id: "tables-title" }, "Tables"),
      h(
        "p",
        { class: "soft key" },
        h("span", { class: "mark won-mark" }),
        " won, with what lies on the layout ",
        h("span", { class: "mark expected-mark" }),
        " expected ",
        h("span", { class: "mark interval-mark" }),
        " where 95 of 100 results lie",
      ),
      this.list,
    );
  }

  /** @param {FloorTable[]} tables */
  show(tables) {
    for (const table of tables) {
      const card = this.cards.get(table.table);
      if (card) card.show(table);
      else {
        const made = new Card(table, this.supervise);
        this.cards.set(table.table, made);
        this.list.append(made.element);
      }
    }
  }

  /** Open a table by its name. @param {string} table */
  open(table) {
    const card = this.cards.get(table);
    if (card) this.supervise(card.table);
  }

  tick() {
    for (const card of this.cards.values()) for (const clock of card.clocks) clock.tick();
  }
}
