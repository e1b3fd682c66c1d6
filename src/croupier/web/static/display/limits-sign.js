// The sign at a table: its limits, areas with other limits, and the odds.

import { named, t } from "../shared/catalogue.js";
import { each, h } from "../shared/dom.js";
import { facts } from "../shared/parts.js";
import { oddsWords, spaced, whole } from "../shared/words.js";

/** @import { Area, Drawing } from "../felt/area.js" */

const MOST_ODDS = 24; // with more, the felt alone shows them

/** @param {Drawing} drawing @returns {HTMLElement[]} */
export function sign(drawing) {
  const { sign: reply, chip } = drawing;
  const rows = /** @type {[string, string][]} */ ([
    [t("Minimum"), amount(reply.min)],
    [t("Maximum"), amount(reply.max)],
    [t("Smallest chip"), amount(chip)],
    reply.unit ? [t("Steps of"), amount(reply.unit)] : ["", ""],
    reply.player_max ? [t("For one player"), t("at most {amount}", { amount: amount(reply.player_max) })] : ["", ""],
  ]).filter(([name]) => name !== "");
  return [
    h("h2", { id: "sign-title" }, t("Table limits")),
    facts(rows, "sign-facts"),
    ...differing(drawing),
    ...fixed(drawing),
    ...odds(drawing),
  ];
}

/** @param {string | null} text */
function amount(text) {
  return text === null ? t("none") : whole(spaced(text));
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
  const lines = grouped(others, ({ min, max }) =>
    t("{min} to {max}", { min: amount(min), max: max === null ? t("no maximum") : amount(max) }),
  );
  return [h("h3", t("Other limits")), list(lines)];
}

/** Wagers of one amount, with all that they pay. @param {Drawing} drawing @returns {HTMLElement[]} */
function fixed(drawing) {
  const seen = new Set();
  return offered(drawing)
    .filter((area) => area.fixed && !seen.has(area.wager) && seen.add(area.wager))
    .flatMap((area) => [
      h("h3", t("{wager}: exactly {amount}", { wager: named(area.group || area.name), amount: amount(area.least) })),
      list(
        area.lines.map((line) => [named(line.for || area.name), oddsWords(line.odds)]),
        "short",
      ),
    ]);
}

/** @param {Drawing} drawing @returns {HTMLElement[]} */
function odds(drawing) {
  const areas = offered(drawing).filter((area) => !area.fixed);
  if (areas.length > MOST_ODDS) return [];
  return [
    h("h3", t("Payouts")),
    list(grouped(areas, (area) => [...new Set(area.lines.map((line) => oddsWords(line.odds)))].join(", "))),
  ];
}

/** Areas grouped by a text. @param {Area[]} areas @param {(area: Area) => string} what @returns {[string, string][]} */
function grouped(areas, what) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const area of areas) found.set(what(area), [...(found.get(what(area)) ?? []), named(area.name)]);
  return [...found].map(([text, names]) => [names.join(", "), text]);
}

/** @param {[string, string][]} lines @param {string} [kind] */
function list(lines, kind = "") {
  return each("dl", { class: `sign-lines ${kind}` }, lines, ([name, text]) => h("div", h("dt", name), h("dd", text)));
}
