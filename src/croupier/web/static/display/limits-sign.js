// The sign at a table: its limits, areas with other limits, and the odds.

import { each, h } from "../shared/dom.js";
import { facts } from "../shared/parts.js";
import { spaced } from "../shared/words.js";

/** @import { Area, Drawing } from "../felt/area.js" */

const MOST_ODDS = 24; // with more, the felt alone shows them

/** @param {Drawing} drawing @returns {HTMLElement[]} */
export function sign(drawing) {
  const { sign: reply, chip } = drawing;
  const rows = /** @type {[string, string][]} */ ([
    ["Minimum", amount(reply.min)],
    ["Maximum", amount(reply.max)],
    ["Smallest chip", amount(chip)],
    reply.unit ? ["Steps of", amount(reply.unit)] : ["", ""],
    reply.player_max ? ["For one player", `at most ${amount(reply.player_max)}`] : ["", ""],
  ]).filter(([name]) => name !== "");
  return [
    h("h2", { id: "sign-title" }, "Table limits"),
    facts(rows, "sign-facts"),
    ...differing(drawing),
    ...fixed(drawing),
    ...odds(drawing),
  ];
}

/** @param {string | null} text */
function amount(text) {
  return text === null ? "none" : spaced(text).replace(/\.00$/, "");
}

/** Areas where wagers are made. @param {Drawing} drawing @returns {Area[]} */
function offered(drawing) {
  return drawing.areas.filter((area) => area.offered && !area.travelled);
}

/** Areas with other limits. @param {Drawing} drawing @returns {HTMLElement[]} */
function differing(drawing) {
  const { min, max } = drawing.sign;
  const others = offered(drawing).filter((area) => !area.fixed && (area.min !== min || area.max !== max));
  if (others.length === 0) return [];
  const lines = grouped(
    others,
    (area) => `${amount(area.min)} to ${area.max === null ? "no maximum" : amount(area.max)}`,
  );
  return [h("h3", "Other limits"), list(lines)];
}

/** Wagers of one amount, with all that they pay. @param {Drawing} drawing @returns {HTMLElement[]} */
function fixed(drawing) {
  const seen = new Set();
  return offered(drawing)
    .filter((area) => area.fixed && !seen.has(area.wager) && seen.add(area.wager))
    .flatMap((area) => [
      h("h3", `${area.group || area.name}: exactly ${amount(area.least)}`),
      list(
        area.lines.map((line) => [line.for || area.name, line.odds]),
        "short",
      ),
    ]);
}

/** @param {Drawing} drawing @returns {HTMLElement[]} */
function odds(drawing) {
  const areas = offered(drawing).filter((area) => !area.fixed);
  if (areas.length > MOST_ODDS) return [];
  return [
    h("h3", "Odds"),
    list(grouped(areas, (area) => [...new Set(area.lines.map((line) => line.odds))].join(", "))),
  ];
}

/** Areas grouped by a text. @param {Area[]} areas @param {(area: Area) => string} what @returns {[string, string][]} */
function grouped(areas, what) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const area of areas) found.set(what(area), [...(found.get(what(area)) ?? []), area.name]);
  return [...found].map(([text, names]) => [names.join(", "), text]);
}

/** @param {[string, string][]} lines @param {string} [kind] */
function list(lines, kind = "") {
  return each("dl", { class: `sign-lines ${kind}` }, lines, ([name, text]) => h("div", h("dt", name), h("dd", text)));
}
