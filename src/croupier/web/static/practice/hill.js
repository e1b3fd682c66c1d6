// The outcomes of the next throw as a hill: a column for each total, as high as it has ways to fall.

import { faceName } from "../results/faces.js";
import { plural, t } from "../shared/catalogue.js";
import { each, h, s } from "../shared/dom.js";

/** @typedef {import("../../types/contract.js").NextThrow} Ahead */
/** @typedef {import("../../types/contract.js").ThrowEffect["then"]} Then */
/** @typedef {{label: string, ways: number, by: Map<Then, number>}} Column */

/** From the ground up. @type {Then[]} */
const ORDER = ["win", "go", "void", "stay", "sleep", "lose"];
const WIDE = 300;
const HIGH = 84;
const FOOT = 15;
const HEAD = 13;

/** How many ways have which effect on a wager. @param {Ahead} ahead @param {number} place of the area @returns {Map<Then, number>} */
export function waysOf(ahead, place) {
  const ways = new Map();
  const area = ahead.areas[place];
  for (const which of area?.which ?? []) {
    const then = area?.effects[which]?.then ?? "stay";
    ways.set(then, (ways.get(then) ?? 0) + 1);
  }
  return ways;
}

/** @param {Ahead} ahead @param {number} place of the area @returns {Column[]} */
export function columns(ahead, place) {
  /** @type {Map<string, Column>} */
  const found = new Map();
  const area = ahead.areas[place];
  ahead.outcomes.forEach(({ faces }, number) => {
    const label = total(faces);
    const column = found.get(label) ?? { label, ways: 0, by: new Map() };
    const then = area?.effects[area.which[number] ?? 0]?.then ?? "stay";
    column.ways += 1;
    column.by.set(then, (column.by.get(then) ?? 0) + 1);
    found.set(label, column);
  });
  const isNumber = (/** @type {Column} */ one) => /^\d+$/.test(one.label);
  return [...found.values()].sort((one, other) => (isNumber(one) ? Number(one.label) - Number(other.label) : 0));
}

/** The total of dice; what two coins show, in either order. @param {(string | number)[]} faces */
function total(faces) {
  if (faces.every((one) => typeof one === "number")) return String(faces.reduce((sum, one) => sum + Number(one), 0));
  return faces.map(String).sort().join("");
}

/** The hill with a list for screen readers. @param {Ahead} ahead @param {number} place of the area */
export function hill(ahead, place) {
  const all = columns(ahead, place);
  const most = Math.max(...all.map((one) => one.ways));
  const step = WIDE / all.length;
  const rise = (HIGH - HEAD) / most;
  const bars = all.flatMap((column, number) => {
    const x = number * step + step * 0.1;
    let y = HIGH;
    const parts = ORDER.flatMap((then) => {
      const ways = column.by.get(then) ?? 0;
      if (ways === 0) return [];
      y -= ways * rise;
      return [s("rect", { class: `way then-${then}`, x, y, width: step * 0.8, height: Math.max(1, ways * rise - 1) })];
    });
    const middle = number * step + step / 2;
    return [
      ...parts,
      s("text", { class: "ways", x: middle, y: y - 3 }, column.ways),
      s("text", { class: "total", x: middle, y: HIGH + FOOT - 3 }, column.label),
    ];
  });
  return h(
    "div.hill",
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH + FOOT}`, "aria-hidden": "true" }, bars),
    each("ul", { class: "heard" }, all, (column) => h("li", inWords(column))),
  );
}

/** @param {Column} column */
function inWords({ label, ways, by }) {
  const name = /^\d+$/.test(label) ? label : [...label].map(faceName).join(" ");
  return plural(ways, "{name}: {n} way, {does}", "{name}: {n} ways, {does}", { name, does: waysWords(by) });
}

/** What ways do to a wager: `16 win, 20 lose`. @param {Map<Then, number>} ways */
export function waysWords(ways) {
  const parts = ORDER.filter((then) => ways.has(then)).map((then) => counted(then, ways.get(then) ?? 0));
  return parts.join(", ");
}

/** @param {Then} then @param {number} n */
function counted(then, n) {
  if (then === "win") return plural(n, "{n} wins", "{n} win");
  if (then === "lose") return plural(n, "{n} loses", "{n} lose");
  if (then === "void") return plural(n, "{n} returns the stake", "{n} return the stake");
  if (then === "go") return plural(n, "{n} moves it on", "{n} move it on");
  if (then === "stay") return plural(n, "{n} leaves it", "{n} leave it");
  return plural(n, "{n} while it is off", "{n} while it is off");
}

/** @param {Then} then */
export function thenWords(then) {
  return {
    win: t("wins"),
    lose: t("loses"),
    void: t("returned"),
    go: t("moves on"),
    stay: t("stays"),
    sleep: t("is off"),
  }[then];
}
