// The history of results as casino displays show it: roads, turns of shooters, spins in a row, totals.

import { named, plural, t } from "../shared/catalogue.js";
import { each, h } from "../shared/dom.js";
import { capital } from "../shared/words.js";
import { rounds } from "./check-links.js";
import { faces } from "./faces.js";
import { roundAddress } from "./round-links.js";

/** @typedef {import("../../types/contract.js").ShownResult & {again?: string | null}} Result */
/** @typedef {import("../../types/contract.js").Road} Road */
/** @typedef {{column: number, row: number, side: number, result: Result}} Cell `side` is -1 where it fell on none */
/** @typedef {{table: string, roads: Road[], marker: string | null, throw: {faces: (number | string)[]}}} Drawn */

const ROWS = 6;
const MOST_TURNS = 6;
const MOST_IN_A_ROW = 32; // the list has all of them

/**
 * The results as a picture, and as a list for screen readers.
 * @param {Drawn} drawing @param {Result[]} reply the newest last @param {boolean} [withLinks] to the round of each
 * @returns {HTMLElement}
 */
export function results(drawing, reply, withLinks = false) {
  if (reply.length === 0) return h("p.soft", t("No throws yet."));
  const { table } = drawing;
  const shown = withLinks ? reply.map((result) => ({ ...result, again: roundAddress(table, result) })) : reply;
  return h(
    "div.roads",
    h("div", { "aria-hidden": "true" }, picture(drawing, shown)),
    list(reply),
    withLinks && rounds(table, reply, inWords),
  );
}

/**
 * A result in the picture. A pointer can open its round from here; keyboards use the list of links.
 * @param {Result} result @param {string} kind @param {...import("../shared/dom.js").Child} inside @returns {HTMLElement}
 */
function piece({ again }, kind, ...inside) {
  if (!again) return h("span", { class: kind }, ...inside);
  return h("a", { class: kind, href: again, target: "_blank", tabindex: -1 }, ...inside);
}

/** @param {Drawn} drawing @param {Result[]} reply @returns {HTMLElement[]} */
function picture(drawing, reply) {
  if (drawing.roads.length > 0) return drawing.roads.map((road) => roadPicture(road, reply));
  if (drawing.marker !== null) return [turns(reply)];
  return [row(reply, typeof drawing.throw.faces[0] === "string" ? spin : total)];
}

/** All results in words, the newest first. @param {Result[]} reply */
function list(reply) {
  return each("ol.heard", { "aria-label": t("Results, the newest first") }, [...reply].reverse(), (result) =>
    h("li", inWords(result)),
  );
}

/** A result as it is read out. @param {Result} result @returns {string} */
export function inWords(result) {
  if (result.void !== null)
    return t("{result}, did not count by rule {clause}", {
      result: result.call ?? t("no result"),
      clause: result.void,
    });
  const names = result.names.filter((name) => name.toLowerCase() !== result.call?.toLowerCase());
  return [result.call, ...names.map(named), isTriple(result) && t("triple"), WORDS[wordOf(result)]]
    .filter(Boolean)
    .join(", ");
}

/** @param {Result} result */
function isTriple({ faces: fell, names }) {
  return fell.length > 2 && names.length === 0 && fell.every((one) => one === fell[0]);
}

// Roads: a column for each run, six high; a longer run continues to the right

/**
 * Where each result lies on a road. A result on neither side does not break the run: it stays in its column.
 * @param {string[]} sides @param {Result[]} reply @returns {Cell[]}
 */
export function laid(sides, reply) {
  /** @type {Cell[]} */
  const cells = [];
  const taken = new Set();
  let [column, row, start, current] = [-1, 0, -1, -1];
  for (const result of reply) {
    if (result.void !== null || result.faces.length === 0) continue;
    const side = sides.findIndex((name) => result.names.includes(name));
    if (column < 0 || (side >= 0 && current >= 0 && side !== current)) {
      do start += 1;
      while (taken.has(`${start} 0`));
      [column, row] = [start, 0];
    } else if (row + 1 < ROWS && !taken.has(`${column} ${row + 1}`)) row += 1;
    else column += 1;
    if (side >= 0) current = side;
    taken.add(`${column} ${row}`);
    cells.push({ column, row, side, result });
  }
  return cells;
}

/** What dice add up to. @param {Result} result */
function sum({ faces: fell }) {
  return fell.reduce((/** @type {number} */ total, face) => total + Number(face), 0);
}

/** @param {Road} road @param {Result[]} reply */
function roadPicture(road, reply) {
  const cells = laid(road.sides, reply);
  const last = cells.at(-1);
  const grid = h("div.road-cells");
  for (const cell of cells) {
    const side = cell.side < 0 ? `-none${isTriple(cell.result) ? " triple" : ""}` : cell.side;
    const place = piece(cell.result, `cell side${side}${cell === last ? " newest" : ""}`, sum(cell.result));
    place.style.gridColumn = String(cell.column + 1);
    place.style.gridRow = String(cell.row + 1);
    grid.append(place);
  }
  const key = road.sides.map((name, side) =>
    h("span.road-key", h("span", { class: `cell side${side}` }), ` ${named(name)}`),
  );
  const hasTriple = cells.some((cell) => isTriple(cell.result));
  const triples = hasTriple && h("span.road-key", h("span.cell.side-none.triple"), ` ${t("triple")}`);
  return h("div.road", h("h3", named(road.name)), h("p.road-keys", ...key, triples), h("div.road-window", grid));
}

// Turns: what each shooter rolled, the newest turn first

/** What a roll did to the marker, in words. @type {Record<string, string>} */
const WORDS = { out: t("out"), point: t("point"), made: t("made"), void: t("void") };

/** What a roll did to the marker. @param {Result} result @returns {string} */
function wordOf(result) {
  if (result.passes) return "out";
  if (result.before === null && result.after !== null) return "point";
  return result.before !== null && result.after === null ? "made" : "";
}

/** @param {Result[]} reply */
function turns(reply) {
  /** @type {Map<number, Result[]>} */
  const groups = new Map();
  for (const result of reply) groups.set(result.turn, [...(groups.get(result.turn) ?? []), result]);
  const newest = reply.at(-1);
  const shown = [...groups.values()].reverse().slice(0, MOST_TURNS);
  return h(
    "ol.turns",
    shown.map((group) =>
      h(
        "li",
        h("span.turn-name", thrower(group)),
        each("span.rolls", {}, group, (result) => roll(result, result === newest)),
      ),
    ),
  );
}

/** @param {Result[]} group */
function thrower(group) {
  const [first] = group;
  if (!first) return "";
  const { title, by } = first;
  const who = [capital(named(title)), by === null || by.includes(" ") ? "" : by].filter(Boolean).join(" ");
  return plural(group.length, "{who}, {n} roll", "{who}, {n} rolls", { who });
}

/** @param {Result} result @param {boolean} isNewest */
function roll(result, isNewest) {
  const word = result.void === null ? wordOf(result) : "void";
  const kind = `roll${result.before === null ? " come-out" : ""}${word ? ` ${word}` : ""}${isNewest ? " newest" : ""}`;
  return piece(
    result,
    kind,
    h("span.roll-total", result.void === null ? result.call : "×"),
    h("span.roll-word", WORDS[word] ?? "\u00a0"),
  );
}

// A row, the newest first

/** @param {Result[]} reply @param {(result: Result) => HTMLElement} one */
function row(reply, one) {
  const shown = reply
    .slice(-MOST_IN_A_ROW)
    .reverse()
    .map((result) =>
      result.void === null ? one(result) : h("span.fell.void", h("span.fell-name", "×"), h("small", t("void"))),
    );
  shown[0]?.classList.add("newest");
  return h("div.fell-row", ...shown);
}

/** The letter that stands for a name. @param {string} name */
function letterOf(name) {
  return name.slice(0, 1).toUpperCase();
}

/** @param {Result} result */
function spin(result) {
  const name = result.names[0] ?? result.call ?? "";
  return piece(
    result,
    `fell spin-${name.toLowerCase()}`,
    h("span.fell-name", letterOf(named(name))),
    h("small", named(name)),
  );
}

/** @param {Result} result */
function total(result) {
  return piece(result, "fell", h("span.fell-name", result.call), faces(result.faces, { size: 16 }));
}
