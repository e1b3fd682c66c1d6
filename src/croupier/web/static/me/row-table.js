// A table of figures that becomes a list of cards where there is no room for columns; its parts keep their names.

import { h } from "../shared/dom.js";

/** @import { Child } from "../shared/dom.js" */
/** @typedef {{name: string, number?: boolean}} Column */

/** A row of it: what stands in each column. @param {Column[]} columns @param {(Child | Child[])[]} cells */
export function row(columns, cells) {
  return h(
    "tr",
    { role: "row" },
    cells.map((cell, place) => {
      const { name, number } = columns[place] ?? { name: "" };
      return h("td", { role: "cell", "data-name": name, class: number ? "number" : null }, h("span", cell));
    }),
  );
}

/** The table around its rows. @param {Column[]} columns @param {HTMLTableSectionElement} body @param {string} label the id of its heading */
export function table(columns, body, label) {
  const names = columns.map(({ name, number }) =>
    h("th", { scope: "col", role: "columnheader", class: number ? "number" : null }, name),
  );
  const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, names));
  body.setAttribute("role", "rowgroup");
  return h("table.me-rows", { role: "table", "aria-labelledby": label }, head, body);
}
