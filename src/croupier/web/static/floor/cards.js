// Every table at a glance: its state, limits and upcoming signs, who is there, turnover, pace and win.

import { fill, fillEach, h } from "../shared/dom.js";
import { Drawn, facts, section } from "../shared/parts.js";
import { counted, limitWords, readable, spaced } from "../shared/words.js";
import { SignClock } from "../table/signs.js";
import { dollars, isAtStake, verdict, winBar } from "./win-bar.js";

/** @typedef {import("../../types/contract.js").Pace} Pace */
/** @typedef {import("../../types/contract.js").FloorTable} FloorTable */

const MOST_NAMED = 6;

/** @type {Record<FloorTable["state"], string>} */
const LOOKS = { open: "pill on", closing: "pill warn", closed: "pill" };

/** @param {FloorTable} table @returns {string | null} */
function betsWords(table) {
  if (table.state === "closed") return null;
  if (table.by_itself && table.round === null && table.players.length === 0) return "waiting for players";
  return table.round?.waiting ? "waiting for a bet" : `bets ${table.bets}`;
}

/** @param {FloorTable} table */
function pills(table) {
  const bets = betsWords(table);
  return [
    h("span", { class: LOOKS[table.state] }, table.state),
    bets && h("span.pill", bets),
    table.round && h("span.pill", `round ${table.round.number}`),
    table.alerts > 0 && h("span.pill.warn", `! ${counted(table.alerts, "alert")}`),
  ];
}

/** @param {FloorTable} table @returns {string} */
function staffWords(table) {
  const posts = Object.entries(table.staff).map(([person, role]) => `${person} (${role})`);
  if (posts.length > 0) return posts.join(", ");
  return table.by_itself ? "automatic" : "no one";
}

/** Who owes or is owed money; no row if no one. @param {string} name @param {Record<string, string>} sums @returns {[string, Node][]} */
function whose(name, sums) {
  const rows = Object.entries(sums).map(([player, amount]) => `${player} ${spaced(amount)}`);
  return rows.length > 0 ? [[name, h("strong", rows.join(", "))]] : [];
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
  const thrown = counted(pace.last_hour, "throw");
  return `${thrown} in the last hour${pace.an_hour === null ? "" : `, ${Math.round(pace.an_hour)} an hour`}`;
}

/** @param {FloorTable} table */
function figures(table) {
  if (!table.glance) return [h("p.soft", "Calculating today’s figures …")];
  const { figures: day, pace } = table.glance;
  const layout =
    Math.abs(day.standing) >= 0.005 ? `, ${day.standing > 0 ? "+" : ""}${dollars(day.standing)} on the layout` : "";
  return [
    facts([
      ["Turnover today", spaced(day.turnover)],
      ["Win today", `${spaced(day.win).replace("-", "−")}${layout}`],
      ["Expected", `${dollars(day.expected)} (${dollars(day.low)} to ${dollars(day.high)})`],
      ["Pace", paceWords(pace)],
    ]),
    isAtStake(day) && winBar(day),
    h("p.soft.verdict", `Win against expectation: ${verdict(day)}`),
  ];
}

class Card {
  /** @param {FloorTable} table @param {(table: FloorTable) => void} supervise */
  constructor(table, supervise) {
    this.table = table;
    this.drawn = new Drawn();
    /** @type {SignClock[]} */
    this.clocks = [];
    const name = encodeURIComponent(table.table);
    this.pills = h("p.row");
    this.facts = h("div");
    this.signs = h("ul.signs");
    this.figures = h("div");
    this.element = h(
      "li.card.floor-card",
      h("h3", table.title),
      this.pills,
      this.facts,
      this.signs,
      this.figures,
      h(
        "p.row.doors",
        h(
          "button.primary",
          { type: "button", onclick: () => supervise(this.table), "aria-label": `Supervise ${table.title}` },
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
    if (this.drawn.isSame(table)) return;
    this.element.classList.toggle("has-alert", table.alerts > 0);
    fill(this.pills, pills(table));
    const own = Object.entries(table.wager_limits).map(
      ([wager, limit]) => `${readable(wager)} ${limitWords(limit, "none")}`,
    );
    fill(
      this.facts,
      facts([
        ["Run by", staffWords(table)],
        ["Players", playersWords(table)],
        ["Limits", [limitWords(table.limits, "none"), ...own].join("; ")],
        ...whose("Owe the house", table.owing),
        ...whose("Chips kept for", table.kept),
      ]),
    );
    this.clocks = table.signs.map((sign) => new SignClock(sign, table.zone));
    fillEach(this.signs, this.clocks, (clock) => clock.element);
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
    this.list = h("ul.grid.tables");
    this.element = section(
      null,
      "tables-title",
      "Tables",
      h(
        "p.soft.key",
        h("span.mark.won-mark"),
        " win, including wagers on the layout ",
        h("span.mark.expected-mark"),
        " expected ",
        h("span.mark.interval-mark"),
        " 95% interval",
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
