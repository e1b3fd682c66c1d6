// The state of the table at a glance, and who sits there.

import { inShort } from "../acts/preview.js";
import { faces } from "../results/faces.js";
import { fill, h } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { cents, counted, money, spaced } from "../shared/words.js";

/** @typedef {import("../acts/position.js").Desk} Desk */
/** @typedef {import("../shared/live.js").Line} Line */

const SHOWN = 8;
const MOST_LIGHTS = 6; // more than these are told as a number
/** @type {Record<Line, [string, string]>} */
const LINES = {
  connecting: ["warn", "connecting …"],
  live: ["", "connected"],
  lost: ["warn", "connection lost, reconnecting …"],
};

export class Bar {
  /** @param {Desk} desk @param {() => void} leave @param {Element} extra */
  constructor(desk, leave, extra) {
    this.desk = desk;
    this.line = h("span.pill", { role: "status" }, LINES.connecting[1]);
    this.pills = h("span.row.pills");
    this.results = h("ol.plain.row.results", { "aria-label": "Latest results, newest first" });
    const post = h("span.row", extra, button(`Leave as ${desk.role}`, leave, "quiet"));
    this.element = h(
      "div.bar.card",
      h("h1", desk.drawing.name),
      this.pills,
      this.results,
      h("span.row.end", this.line, post),
    );
    this.shown = "";
  }

  /** @param {Line} line */
  hear(line) {
    const [kind, words] = LINES[line];
    this.line.className = `pill ${kind} ${line}`;
    fill(this.line, words);
  }

  show() {
    const { felt } = this.desk;
    const bets = betting(this.desk);
    const { thrower } = felt;
    fill(
      this.pills,
      h("span", { class: `pill bets ${bets === "bets open" ? "on" : "warn"}` }, bets),
      (felt.lamps ?? []).map(lamp),
      thrower?.title && h("span.pill", thrower.by ? `${thrower.title}: ${thrower.by}` : `${thrower.title} throws`),
    );
    const shown = (felt.results ?? []).slice(-SHOWN).reverse();
    const now = JSON.stringify(shown);
    if (now !== this.shown) fill(this.results, shown.map(result));
    this.shown = now;
  }
}

/** @type {Record<string, string>} */
const BETTING = { open: "bets open", late: "late bets only", closed: "bets closed" };

/** Whether wagers are taken now. @param {Desk} desk */
function betting({ felt }) {
  return felt.open === false ? "table closed" : (BETTING[felt.betting] ?? felt.betting);
}

/** @param {{name: string, words: string, lit: number, of: number}} told */
function lamp(told) {
  const lights =
    told.of > MOST_LIGHTS ? `${told.lit} of ${told.of}` : "●".repeat(told.lit) + "○".repeat(told.of - told.lit);
  const label = told.of > 0 ? `${told.name}: ${told.lit} of ${told.of} ${told.words}` : `${told.name}: ${told.words}`;
  const lit = told.lit === 0 && told.of > MOST_LIGHTS ? "" : lights;
  return h(
    "span.pill.lamp",
    { role: "img", "aria-label": label },
    h("span.soft", `${told.name} `),
    h("strong", `${told.words} ${lit}`.trim()),
  );
}

/** @param {{faces: (number | string)[], call: string | null, void: string | null, was: (number | string)[]}} told */
function result(told) {
  const words = told.void ? `${told.call ?? "void"}` : (told.call ?? "");
  return h(
    "li",
    { class: told.void ? "void" : null },
    told.faces.length > 0 && faces(told.faces, { size: 20 }),
    h("span", words),
    told.was.length > 0 && h("span.soft", `(was ${inShort(told.was)})`),
  );
}

export class Seats {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.rows = h("tbody");
    this.heading = h("h2");
    const head = h(
      "tr",
      h("th", { scope: "col" }, "Place"),
      h("th", { scope: "col" }, "Player"),
      h("th.number", { scope: "col" }, "In hand"),
      h("th.number", { scope: "col" }, "On the felt"),
    );
    this.element = h(
      "section.card.seats",
      { tabindex: 0, "aria-label": "Players" },
      this.heading,
      h("table", h("thead", head), this.rows),
    );
  }

  show() {
    const { felt, players } = this.desk;
    fill(this.heading, counted(players.length, "player"));
    /** @type {Map<string, bigint>} */
    const staked = new Map();
    for (const wager of felt.wagers) staked.set(wager.player, (staked.get(wager.player) ?? 0n) + cents(wager.amount));
    const rows = players.map((player) => {
      const throws = felt.thrower?.by === player ? h("span.pill.on", felt.thrower.title) : null;
      const asked = this.desk.facts["offered to"] === player ? h("span.pill.warn", "offered") : null;
      const owing = felt.owing?.[player];
      const owes = owing && [" ", h("span.pill.warn", `owes ${spaced(owing)}`)];
      const lies = money(staked.get(player) ?? 0n);
      return h(
        "tr",
        h("td", felt.places?.[player]),
        h("td", player, " ", throws, asked, owes),
        h("td.number", spaced(felt.chips[player])),
        h("td.number", spaced(lies)),
      );
    });
    fill(this.rows, rows.length > 0 ? rows : h("tr", h("td.soft", { colspan: 4 }, "No players yet.")));
  }
}
