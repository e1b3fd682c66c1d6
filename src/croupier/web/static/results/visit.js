// The player's session at a table as a graph: their chips after each result, against what they brought.

import { plural, t } from "../shared/catalogue.js";
import { fill, h, s } from "../shared/dom.js";
import { facts } from "../shared/parts.js";
import { duration, exactly, now, timeOf } from "../shared/times.js";
import { cents, money, net, spaced } from "../shared/words.js";
import { fellWords } from "./corrections.js";
import { Figures } from "./figures.js";
import { throwAddress } from "./round-links.js";

/** @typedef {import("../../types/contract.js").VisitCourse} VisitCourse */
/** @typedef {import("../../types/contract.js").VisitPoint} VisitPoint */

const [WIDE, HIGH] = [1000, 240]; // of the drawing, which is stretched to its place
const COLUMNS = () => [t("When"), t("Result"), { number: t("Chips") }, { number: t("Net") }];

export class Session {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.facts = h("div");
    this.graph = h("div.graph");
    this.figures = new Figures(`${table}-session`, t("Your chips after each result"));
    this.element = h("div.session", this.facts, this.graph, this.figures.element);
  }

  /** @param {VisitCourse} visit @param {string} zone */
  show(visit, zone) {
    const { points, best, lowest } = visit;
    const until = visit.until === null ? now() : Date.parse(visit.until);
    const moment = (/** @type {VisitPoint} */ one) => [
      signed(one),
      " ",
      h("a", { href: throwAddress(this.table, one.version), target: "_blank" }, timeOf(one.at, zone)),
    ];
    fill(
      this.facts,
      facts(
        [
          [t("Chips"), spaced(visit.chips)],
          [t("Net"), net(cents(visit.net))],
          [visit.until === null ? t("At the table") : t("Was at the table"), duration(until - Date.parse(visit.since))],
          [t("Best moment"), best ? moment(best) : "–"],
          [t("Lowest moment"), lowest ? moment(lowest) : "–"],
        ],
        "session-facts",
      ),
    );
    fill(this.graph, points.length === 0 ? h("p.soft", t("No results since you sat down.")) : this.drawn(visit));
    this.figures.show(
      COLUMNS(),
      points.map((one) => [exactly(one.at, zone), one.call ?? fellWords(one.faces), one.chips, one.net]),
    );
  }

  /** @param {VisitCourse} visit */
  drawn(visit) {
    const { points, results } = visit;
    const isWhole = results === points.length;
    const rows = points.map((one) => ({ chips: amount(one.chips), brought: amount(one.chips) - amount(one.net) }));
    if (isWhole) rows.unshift({ chips: amount(visit.start), brought: amount(visit.start) });
    const all = rows.flatMap((one) => [one.chips, one.brought]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const margin = Math.max((high - low) * 0.08, 1);
    const x = (/** @type {number} */ place) => (WIDE * place) / Math.max(1, rows.length - 1);
    const y = (/** @type {number} */ value) => HIGH - (HIGH * (value - low + margin)) / (high - low + 2 * margin);
    const line = (/** @type {"chips" | "brought"} */ of) =>
      rows.map((one, place) => `${x(place).toFixed(1)},${y(one[of]).toFixed(1)}`).join(" ");
    const first = isWhole ? 1 : 0;
    const dot = (/** @type {VisitPoint | null} */ one, /** @type {string} */ kind) => {
      const place = points.findIndex((point) => point.version === one?.version);
      const mark = h(`i.dot.${kind}`, { hidden: place < 0 });
      if (place < 0) return mark;
      mark.style.setProperty("--x", String(x(place + first) / WIDE));
      mark.style.setProperty("--y", String(y(amount(points[place]?.chips ?? "0.00")) / HIGH));
      return mark;
    };
    const picture = s(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      s("polygon", { class: "ground", points: `0,${HIGH} ${line("chips")} ${WIDE},${HIGH}` }),
      s("polyline", { class: "start", points: line("brought") }),
      s("polyline", { class: "chips-line", points: line("chips") }),
    );
    return [
      h(
        "div.picture",
        { role: "img", "aria-label": inWords(visit) },
        h("span.most", { "aria-hidden": "true" }, spaced(money(BigInt(high)))),
        h("span.least", { "aria-hidden": "true" }, spaced(money(BigInt(low)))),
        h("div.lines", picture, dot(visit.best, "best"), dot(visit.lowest, "lowest")),
      ),
      h(
        "p.soft.graph-key",
        h(
          "span",
          h("i.key-line", { "aria-hidden": "true" }),
          " ",
          t("Chips in hand and on the felt, after each result"),
        ),
        h("span", h("i.key-start", { "aria-hidden": "true" }), " ", t("What you brought")),
        !isWhole && h("span", plural(points.length, "The last result", "The last {n} results")),
      ),
    ];
  }
}

/** An amount for a drawing. @param {string} text */
function amount(text) {
  return Number(cents(text));
}

/** @param {VisitPoint} one */
function signed(one) {
  return net(cents(one.net));
}

/** The graph in a sentence. @param {VisitCourse} visit */
function inWords({ results, start, chips, best, lowest }) {
  return plural(
    results,
    "Your chips over {n} result: from {start} to {chips}, at best {best}, at the lowest {lowest}.",
    "Your chips over {n} results: from {start} to {chips}, at best {best}, at the lowest {lowest}.",
    { start, chips, best: best?.chips ?? chips, lowest: lowest?.chips ?? chips },
  );
}
