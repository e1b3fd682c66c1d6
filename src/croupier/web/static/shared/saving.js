// Files that a page makes: a text to save, and tables as CSV.

import { h } from "./dom.js";

/** Save a text as a file. @param {string} text @param {string} name @param {string} type */
export function saveFile(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Rows as CSV, as RFC 4180 has it. @param {string[][]} rows */
export function csv(rows) {
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

/** @param {string} value */
function quoted(value) {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
