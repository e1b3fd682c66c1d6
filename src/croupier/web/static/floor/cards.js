// Every table at a glance: its state, limits and upcoming signs, who is there, turnover, pace and win.

import { named, plural, rich, t } from "../shared/catalogue.js";
import { fill, fillEach, h } from "../shared/dom.js";
import { Drawn, facts, section } from "../shared/parts.js";
import { limitWords, readable, spaced } from "../shared/words.js";
import { SignClock } from "../table/signs.js";
import { dollars, isAtStake, verdict, winBar } from "./win-bar.js";

/** @typedef {import("../../types/contract.js").Pace} Pace */
/** @typedef {import("../../types/contract.js").FloorTable} FloorTable */

const MOST_NAMED = 6;

/** @type {Record<FloorTable["state"], string>} */
const LOOKS = { open: "pill on", closing: "pill warn", closed: "pill" };
/** @type {Record<FloorTable["state"], string>} */
const STATES = { open: t("open"), closing: t("closing"), closed: t("closed") };
/** @type {Record<string, string>} */
const BETS = { open: t("bets open"), late: t("late bets only"), closed: t("bets closed") };

/** @param {FloorTable} table @returns {string | null} */
function betsWords(table) {
  if (table.state === "closed") return null;
  if (table.by_itself && table.round === null && table.players.length === 0) return t("waiting for players");
  return table.round?.waiting ? t("waiting for a bet") : (BETS[table.bets] ?? named(table.bets));
}

/** @param {FloorTable} table */
function pills(table) {
  const bets = betsWords(table);
  return [
    h("span", { class: LOOKS[table.state] }, STATES[table.state]),
    bets && h("span.pill", bets),
    table.round && h("span.pill", t("round {number}", { number: table.round.number })),
    table.alerts > 0 && h("span.pill.warn", `! ${plural(table.alerts, "{n} alert", "{n} alerts")}`),
  ];
}

/** @param {FloorTable} table @returns {string} */
function staffWords(table) {
  const posts = Object.entries(table.staff).map(([person, role]) => `${person} (${named(role)})`);
  if (posts.length > 0) return posts.join(", ");
  return table.by_itself ? t("automatic") : t("no one");
}

/** Who owes or is owed money; no row if no one. @param {string} name @param {Record<string, string>} sums @returns {[string, Node][]} */
function whose(name, sums) {
  const rows = Object.entries(sums).map(([player, amount]) => `${player} ${spaced(amount)}`);
  return rows.length > 0 ? [[name, h("strong", rows.join(", "))]] : [];
}

/** @param {FloorTable} table @returns {string} */
function playersWords(table) {
  const n = table.players.length;
  const there = table.seats === null ? String(n) : t("{n} of {seats}", { n, seats: table.seats });
  const names = table.players.slice(0, MOST_NAMED).join(", ");
  const more = n > MOST_NAMED ? " …" : "";
  return names ? `${there}: ${names}${more}` : there;
}

/** @param {Pace} pace @returns {string} */
function paceWords(pace) {
  const n = pace.last_hour;
  if (pace.an_hour === null) return plural(n, "{n} throw in the last hour", "{n} throws in the last hour");
  const rate = Math.round(pace.an_hour);
  return plural(n, "{n} throw in the last hour, {rate} an hour", "{n} throws in the last hour, {rate} an hour", {
    rate,
  });
}

/** @param {FloorTable} table */
function figures(table) {
  if (!table.glance) return [h("p.soft", t("Calculating today’s figures …"))];
  const { figures: day, pace } = table.glance;
  const win = spaced(day.win).replace("-", "−");
  const standing = `${day.standing > 0 ? "+" : ""}${dollars(day.standing)}`;
  const [expected, low, high] = [day.expected, day.low, day.high].map(dollars);
  return [
    facts([
      [t("Turnover today"), spaced(day.turnover)],
      [t("Win today"), Math.abs(day.standing) >= 0.005 ? t("{win}, {standing} on the layout", { win, standing }) : win],
      [t("Expected"), t("{expected} ({low} to {high})", { expected, low, high })],
      [t("Pace"), paceWords(pace)],
    ]),
    isAtStake(day) && winBar(day),
    h("p.soft.verdict", t("Win against expectation: {verdict}", { verdict: verdict(day) })),
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
          {
            type: "button",
            onclick: () => supervise(this.table),
            "aria-label": t("Supervise {title}", { title: table.title }),
          },
          t("Supervise"),
        ),
        link(`/tables/${name}/deal`, t("Console"), t("Dealer console of {title}", { title: table.title })),
        link(`/display/${name}`, t("Display"), t("Display of {title}", { title: table.title })),
        link(`/inspect?table=${name}`, t("Inspect"), t("Inspect {title}", { title: table.title })),
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
      ([wager, limit]) => `${readable(wager)} ${limitWords(limit, t("none"))}`,
    );
    fill(
      this.facts,
      facts([
        [t("Run by"), staffWords(table)],
        [t("Players"), playersWords(table)],
        [t("Limits"), [limitWords(table.limits, t("none")), ...own].join("; ")],
        ...whose(t("Owe the house"), table.owing),
        ...whose(t("Chips kept for"), table.kept),
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
      t("Tables"),
      h(
        "p.soft.key",
        rich("{won} win, including wagers on the layout {expected} expected {interval} 95% interval", {
          won: h("span.mark.won-mark"),
          expected: h("span.mark.expected-mark"),
          interval: h("span.mark.interval-mark"),
        }),
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
