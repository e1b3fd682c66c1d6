// What areas pay and their limits, of all in a list.

import { spoken } from "../felt/area.js";
import { h, rulePage } from "../shared/dom.js";
import { head, openDialog, scrolling } from "../shared/parts.js";
import { limitWords, readable } from "../shared/words.js";

/** @import { Area, Drawing } from "../felt/area.js" */

/** The limits of an area. @param {Area} area @param {string} chip the smallest one */
export function limits(area, chip) {
  if (area.fixed) return `exactly ${area.least}`;
  const steps = area.least === chip ? "" : `, in steps of ${area.least}`;
  const commission = area.commission ? ", plus commission" : "";
  return `${limitWords(area, "any amount")}${steps}${commission}`;
}

/** What an area pays, in words: one figure, or one for each outcome. @param {Area} area */
export function paysIn(area) {
  return area.pays.endsWith("+") ? area.terms : spoken(area.pays);
}

/** The limits of the table, in words. @param {Drawing} drawing */
export function signText(drawing) {
  const { sign, chip, own_limit: own } = drawing;
  const said = `Minimum ${sign.min ?? "none"}, maximum ${sign.max ?? "none"}; smallest chip ${chip}.`;
  if (!own) return said;
  const wagers = Object.entries(own.limits ?? {}).map(
    ([name, one]) => `${readable(name)} ${limitWords(one, "any amount")}`,
  );
  const all = own.min || own.max || !wagers.length ? [limitWords(own, "any amount")] : [];
  return `${said} For you: ${[...all, ...wagers].join("; ")}.`;
}

/** Every area with what it pays, for those who cannot point at one without betting. @param {Drawing} drawing */
export function listAll(drawing) {
  const heads = ["Area", "Pays", "Limits", "Rule"];
  const bodies = groups(drawing).map(([name, rows]) =>
    h(
      "tbody",
      name && h("tr", h("th.group", { scope: "rowgroup", colspan: heads.length }, name)),
      rows.map((areas) => row(drawing, areas)),
    ),
  );
  openDialog(
    "pays",
    "pays-title",
    h("h2", { id: "pays-title" }, "Payouts and limits"),
    h("p", signText(drawing)),
    scrolling("Payouts and limits", h("table", head(heads), bodies)),
  );
}

/** Areas with the same payout and limits share a row. @param {Drawing} drawing @returns {[string, Area[][]][]} */
function groups(drawing) {
  /** @type {Map<string, Map<string, Area[]>>} */
  const found = new Map();
  for (const area of /** @type {Area[]} */ (drawing.areas)) {
    if (!area.offered) continue;
    const rows = found.get(area.group) ?? new Map();
    const same = [area.wager, area.pays, area.min, area.max].join(" ");
    rows.set(same, [...(rows.get(same) ?? []), area]);
    found.set(area.group, rows);
  }
  return [...found].map(([name, rows]) => [name, [...rows.values()]]);
}

/** `Lay 4, Lay 10` as `Lay 4, 10`. @param {string[]} names */
function together(names) {
  const [first = "", ...others] = names;
  const words = first.split(" ").slice(0, -1);
  const shared = words.findIndex((_, count) => !others.every((name) => name.startsWith(start(words, count + 1))));
  const left = start(words, shared < 0 ? words.length : shared).length;
  return [first, ...others.map((name) => name.slice(left))].join(", ");
}

/** @param {string[]} words @param {number} count */
function start(words, count) {
  return words
    .slice(0, count)
    .map((word) => `${word} `)
    .join("");
}

/** @param {Drawing} drawing @param {Area[]} areas */
function row(drawing, areas) {
  const area = /** @type {Area} */ (areas[0]);
  return h(
    "tr",
    h("th", { scope: "row" }, together(areas.map((one) => one.name))),
    h("td", paysIn(area)),
    h("td", limits(area, drawing.chip)),
    h("td", h("a", { href: rulePage(drawing.book, area.clause), target: "_blank" }, area.clause)),
  );
}
