// What areas pay and their limits, of all in a list.

import { spoken } from "../felt/area.js";
import { named, t } from "../shared/catalogue.js";
import { h, rulePage } from "../shared/dom.js";
import { head, openDialog, scrolling } from "../shared/parts.js";
import { limitWords, readable, spaced } from "../shared/words.js";

/** @import { Area, Drawing } from "../felt/area.js" */

/** The limits of an area. @param {Area} area @param {string} chip the smallest one */
export function limits(area, chip) {
  const step = spaced(area.least);
  if (area.fixed) return t("exactly {amount}", { amount: step });
  const all = limitWords(area, t("any amount"));
  const inSteps = area.least === chip ? all : t("{limits}, in steps of {step}", { limits: all, step });
  return area.commission ? t("{limits}, plus commission", { limits: inSteps }) : inSteps;
}

/** What an area pays, in words: one figure, or one for each outcome. @param {Area} area */
export function paysIn(area) {
  return area.pays.endsWith("+") ? area.terms : spoken(area.pays);
}

/** The limits of the table, in words. @param {Drawing} drawing */
export function signText(drawing) {
  const { sign, chip, own_limit: own } = drawing;
  const said = posted(sign.min && spaced(sign.min), sign.max && spaced(sign.max), spaced(chip));
  if (!own) return said;
  const wagers = Object.entries(own.limits ?? {}).map(([name, one]) =>
    t("{wager} {limits}", { wager: readable(name), limits: limitWords(one, t("any amount")) }),
  );
  const all = own.min || own.max || !wagers.length ? [limitWords(own, t("any amount"))] : [];
  return `${said} ${t("For you: {limits}.", { limits: [...all, ...wagers].join("; ") })}`;
}

/** What the sign says. @param {string | null} min @param {string | null} max @param {string} chip */
function posted(min, max, chip) {
  if (min && max) return t("Minimum {min}, maximum {max}; smallest chip {chip}.", { min, max, chip });
  if (min) return t("Minimum {min}, maximum none; smallest chip {chip}.", { min, chip });
  if (max) return t("Minimum none, maximum {max}; smallest chip {chip}.", { max, chip });
  return t("Minimum none, maximum none; smallest chip {chip}.", { chip });
}

/** Every area with what it pays, for those who cannot point at one without betting. @param {Drawing} drawing */
export function listAll(drawing) {
  const heads = [t("Area"), t("Pays"), t("Limits"), t("Rule")];
  const bodies = groups(drawing).map(([name, rows]) =>
    h(
      "tbody",
      name && h("tr", h("th.group", { scope: "rowgroup", colspan: heads.length }, named(name))),
      rows.map((areas) => row(drawing, areas)),
    ),
  );
  openDialog(
    "pays",
    "pays-title",
    h("h2", { id: "pays-title" }, t("Payouts and limits")),
    h("p", signText(drawing)),
    scrolling(t("Payouts and limits"), h("table", head(heads), bodies)),
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
    h("th", { scope: "row" }, together(areas.map((one) => named(one.name)))),
    h("td", paysIn(area)),
    h("td", limits(area, drawing.chip)),
    h("td", h("a", { href: rulePage(drawing.book, area.clause), target: "_blank" }, area.clause)),
  );
}
