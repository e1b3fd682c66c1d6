// The state of the table at a glance, and its players.

import { inShort } from "../acts/preview.js";
import { faces } from "../results/faces.js";
import { named, plural, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { button, Drawn } from "../shared/parts.js";
import { cents, money, spaced } from "../shared/words.js";

/** @import { Position } from "../acts/position.js" */
/** @import { Line } from "../shared/live.js" */

const SHOWN = 8;
const MOST_LIGHTS = 6; // more are shown as a number
/** @type {Record<Line, [string, string]>} */
const LINES = {
  connecting: ["warn", t("connecting …")],
  live: ["", t("connected")],
  lost: ["warn", t("connection lost, reconnecting …")],
};

export class Bar {
  /** @param {Position} position @param {() => void} leave @param {Element} extra */
  constructor(position, leave, extra) {
    this.position = position;
    this.line = h("span.pill", { role: "status" }, LINES.connecting[1]);
    this.pills = h("span.row.pills");
    this.results = h("ol.plain.row.results", { "aria-label": t("Latest results, newest first") });
    const post = h(
      "span.row",
      extra,
      button(t("Leave as {role}", { role: named(position.role ?? "") }), leave, "quiet"),
    );
    this.element = h(
      "div.bar.card",
      h("h1", position.drawing.name),
      this.pills,
      this.results,
      h("span.row.end", this.line, post),
    );
    this.shown = new Drawn();
  }

  /** @param {Line} line */
  hear(line) {
    const [kind, words] = LINES[line];
    this.line.className = `pill ${kind} ${line}`;
    fill(this.line, words);
  }

  show() {
    const { felt } = this.position;
    const bets = betting(this.position);
    const { thrower } = felt;
    fill(
      this.pills,
      h("span", { class: `pill bets ${bets === BETTING.open ? "on" : "warn"}` }, bets),
      (felt.lamps ?? []).map(lamp),
      thrower?.title &&
        h(
          "span.pill",
          thrower.by ? `${named(thrower.title)}: ${thrower.by}` : t("{title} throws", { title: named(thrower.title) }),
        ),
    );
    const shown = (felt.results ?? []).slice(-SHOWN).reverse();
    if (!this.shown.isSame(shown)) fill(this.results, shown.map(result));
  }
}

/** @type {Record<string, string>} */
const BETTING = { open: t("bets open"), late: t("late bets only"), closed: t("bets closed") };

/** Whether bets are open. @param {Position} position */
function betting({ felt }) {
  return felt.open === false ? t("table closed") : (BETTING[felt.betting] ?? felt.betting);
}

/** @param {{name: string, words: string, lit: number, of: number}} reply */
function lamp(reply) {
  const lights =
    reply.of > MOST_LIGHTS
      ? t("{lit} of {of}", { lit: reply.lit, of: reply.of })
      : "●".repeat(reply.lit) + "○".repeat(reply.of - reply.lit);
  const [name, words] = [named(reply.name), named(reply.words)];
  const label =
    reply.of > 0
      ? t("{name}: {lit} of {of} {words}", { name, lit: reply.lit, of: reply.of, words })
      : `${name}: ${words}`;
  const lit = reply.lit === 0 && reply.of > MOST_LIGHTS ? "" : lights;
  return h(
    "span.pill.lamp",
    { role: "img", "aria-label": label },
    h("span.soft", `${name} `),
    h("strong", `${words} ${lit}`.trim()),
  );
}

/** @param {{faces: (number | string)[], call: string | null, void: string | null, was: (number | string)[]}} reply */
function result(reply) {
  const words = reply.void ? (reply.call ?? t("void")) : (reply.call ?? "");
  return h(
    "li",
    { class: reply.void ? "void" : null },
    reply.faces.length > 0 && faces(reply.faces, { size: 20 }),
    h("span", words),
    reply.was.length > 0 && h("span.soft", t("(was {was})", { was: inShort(reply.was) })),
  );
}

export class Seats {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.rows = h("tbody");
    this.heading = h("h2");
    const head = h(
      "tr",
      h("th", { scope: "col" }, t("Place")),
      h("th", { scope: "col" }, t("Player")),
      h("th.number", { scope: "col" }, t("In hand")),
      h("th.number", { scope: "col" }, t("On the felt")),
    );
    this.element = h(
      "section.card.seats",
      { tabindex: 0, "aria-label": t("Players") },
      this.heading,
      h("table", h("thead", head), this.rows),
    );
  }

  show() {
    const { felt, players } = this.position;
    fill(this.heading, plural(players.length, "{n} player", "{n} players"));
    /** @type {Map<string, bigint>} */
    const staked = new Map();
    for (const wager of felt.wagers) staked.set(wager.player, (staked.get(wager.player) ?? 0n) + cents(wager.amount));
    const rows = players.map((player) => {
      const throws = felt.thrower?.by === player ? h("span.pill.on", named(felt.thrower.title ?? "")) : null;
      const asked = this.position.facts["offered to"] === player ? h("span.pill.warn", t("offered")) : null;
      const excluded = (this.position.facts[`excluded ${player}`] ?? "none") !== "none";
      const out = excluded && [" ", h("span.pill.warn", t("excluded"))];
      const owing = felt.owing?.[player];
      const owes = owing && [" ", h("span.pill.warn", t("owes {amount}", { amount: spaced(owing) }))];
      const lies = money(staked.get(player) ?? 0n);
      return h(
        "tr",
        h("td", felt.places?.[player]),
        h("td", player, " ", throws, asked, out, owes),
        h("td.number", spaced(felt.chips[player])),
        h("td.number", spaced(lies)),
      );
    });
    fill(this.rows, rows.length > 0 ? rows : h("tr", h("td.soft", { colspan: 4 }, t("No players yet."))));
  }
}
