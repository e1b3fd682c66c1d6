// The parts of a table on the front page: its felt as a small picture, what it is, who plays, and the ways in.

import { Preview } from "../felt/preview.js";
import { faces } from "../results/faces.js";
import { url } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { Drawn } from "../shared/parts.js";
import { DEALING, hasRole } from "../shared/session.js";
import { spaced } from "../shared/words.js";
import { LastResults } from "./results.js";

/** @import { Me } from "../shared/session.js" */
/** @import { Front, ListedTable } from "../../types/contract.js" */
/** @typedef {"play" | "deal" | "watch"} Way */
/** @typedef {(table: ListedTable, event: MouseEvent) => void} Enter */

/** How a person comes to a table. @param {ListedTable} table @param {Me | null} me @returns {Way} */
export function wayIn(table, me) {
  if (me === null || me.roles.includes("player")) return "play";
  return !table.by_itself && hasRole(me, DEALING) ? "deal" : "watch";
}

export class TableParts {
  /** @param {ListedTable} table @param {Front} front @param {Me | null} me @param {Enter} enter */
  constructor(table, front, me, enter) {
    this.table = table;
    this.me = me;
    const place = front.felts[table.table];
    const drawn = place === undefined ? undefined : front.previews[place];
    this.preview = drawn ? new Preview(drawn) : null;
    this.game = front.games.find((one) => one.book === table.book) ?? null;
    this.results = new LastResults();
    this.facts = h("p.facts-line");
    this.thrown = h("span.thrown", { "aria-hidden": "true" });
    this.known = new Drawn();
    this.enter = entrance(table, me, enter);
    this.show(table);
  }

  /** The name of the table, with where it is from. */
  title() {
    const { game, table } = this;
    const [name = "", ...rest] = table.title.split(", ");
    const of = game?.title === table.title ? game.place : rest.join(", ");
    return h("h2", name, of && [" ", h("small", of)]);
  }

  about() {
    return h("p.about", this.game?.about ?? "");
  }

  /** The other ways to a game. */
  ways() {
    const { book, table, title } = this.table;
    const watches = wayIn(this.table, this.me) !== "watch";
    return [
      h("a", { href: url`/practice/${book}`, "aria-label": t("Practise {title}", { title }) }, t("Practise")),
      h("a", { href: url`/learn/${book}`, "aria-label": t("Learn {title}", { title }) }, t("Learn")),
      watches && h("a", { href: url`/tables/${table}`, "aria-label": t("Watch {title}", { title }) }, t("Watch")),
      h("a", { href: url`/rules/${book}`, "aria-label": t("Rules of {title}", { title }) }, t("Rules")),
    ];
  }

  /** Show what changes while the page is open. @param {ListedTable} table */
  show(table) {
    this.table = table;
    const { fell, marker, results } = table;
    if (this.known.isSame([results, marker, fell, table.open, table.players, table.attended, table.limits])) return;
    this.results.show(results);
    this.preview?.show(marker, results.at(-1)?.faces ?? []);
    fill(this.thrown, typeof fell[0] === "number" && fell.length < 3 && faces(fell, { size: 40 }));
    fill(
      this.facts,
      h("span", { class: `who-plays${table.open && table.players > 0 ? " busy" : ""}` }, whoPlays(table)),
      h("span", bets(table)),
      this.me?.tables.includes(table.table) && h("span.pill.on", t("You have a seat here")),
    );
  }
}

/** The main way in. @param {ListedTable} table @param {Me | null} me @param {Enter} enter */
function entrance(table, me, enter) {
  const { title } = table;
  const way = {
    play: { path: "", words: t("Play"), name: t("Play at {title}", { title }) },
    deal: { path: "/deal", words: t("Dealer console"), name: t("Dealer console of {title}", { title }) },
    watch: { path: "", words: t("Watch"), name: t("Watch {title}", { title }) },
  }[wayIn(table, me)];
  return h(
    "a.button.primary",
    {
      href: url`/tables/${table.table}` + way.path,
      "aria-label": way.name,
      onclick: (/** @type {MouseEvent} */ event) => enter(table, event),
    },
    way.words,
  );
}

/** Who plays, never in zeros. @param {ListedTable} table */
function whoPlays({ attended, open, players }) {
  if (!open) return t("Closed now");
  if (players > 0) return plural(players, "{n} playing", "{n} playing");
  return attended ? t("Quiet, so the table is yours") : t("No dealer is here yet");
}

/** @param {ListedTable} table */
function bets({ limits: { min, max } }) {
  if (min && max) return t("Bets from {least} to {most}", { least: spaced(min), most: spaced(max) });
  if (min) return t("Bets from {least}", { least: spaced(min) });
  return max ? t("Bets up to {most}", { most: spaced(max) }) : t("Bets of any size");
}
