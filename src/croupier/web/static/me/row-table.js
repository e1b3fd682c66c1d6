// A table of figures that becomes a list of cards on a narrow screen; roles keep it a table for screen readers.

import { h } from "../shared/dom.js";

/** @import { Child } from "../shared/dom.js" */
/** @import { Column } from "../shared/parts.js" */

/** A row of it. @param {Column[]} columns @param {Child[]} cells */
export function row(columns, cells) {
  const made = cells.map((cell, place) => {
    const [name, look] = nameOf(columns[place] ?? "");
    return h("td", { role: "cell", "data-name": name, class: look }, h("span", cell));
  });
  return h("tr", { role: "row" }, made);
}

/** The table around its rows. @param {Column[]} columns @param {HTMLTableSectionElement} body @param {string} label the id of its heading */
export function table(columns, body, label) {
  const names = columns.map((column) => {
    const [name, look] = nameOf(column);
    return h("th", { scope: "col", role: "columnheader", class: look }, name);
  });
  body.setAttribute("role", "rowgroup");
  const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, names));
  return h("table.me-rows", { role: "table", "aria-labelledby": label }, head, body);
}

/** @param {Column} column @returns {[name: string, look: string | null]} */
function nameOf(column) {
  return typeof column === "string" ? [column, null] : [column.number, "number"];
}
