// One register as a table that scrolls, its downloads, and the digest of the file.

import { hex } from "../fairness/bytes.js";
import { address } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h, ruleLink } from "../shared/dom.js";
import { button, errorWords, head } from "../shared/parts.js";

/** @typedef {import("../../types/contract.js").Register} Register */

/** Columns shown below another, to save width. @type {Record<string, string>} */
const UNDER = { where: "book", who: "title" };
const SECONDS = "2026-11-15 12:00:00".length; // of a time, before its zone
const LOWER = Object.values(UNDER);

/** @param {Register} reply @param {string} path */
export function registerTable(reply, path) {
  return [files(path), reply.rows.length === 0 ? h("p", t("There are no entries in this period.")) : table(reply)];
}

/** @param {string} path */
function files(path) {
  const digest = h("p.digest", { role: "status" });
  const file = (/** @type {string} */ format) => address(`${path}&format=${format}`);
  return [
    h(
      "p.row",
      h("a.button", { href: file("csv"), download: true }, t("Download CSV")),
      h("a.button", { href: file("pdf"), download: true }, t("Download PDF")),
      "subtle" in crypto && button(t("Digest of the CSV"), () => void show(file("csv"), digest), "quiet"),
    ),
    digest,
  ];
}

/** Two people who have the same digest have the same file. @param {string} url @param {HTMLElement} place */
async function show(url, place) {
  try {
    const reply = await fetch(url, { credentials: "same-origin" });
    if (!reply.ok) throw new Error(t("The file is not available right now."));
    const sum = await crypto.subtle.digest("SHA-256", await reply.arrayBuffer());
    fill(place, "SHA-256 ", h("code.hash", hex(new Uint8Array(sum))));
  } catch (error) {
    fill(place, h("span.problem", errorWords(error)));
  }
}

/** @param {Register} reply */
function table(reply) {
  const columns = reply.columns.filter(({ id }) => !LOWER.includes(id) && reply.rows.some((row) => row[id]));
  const cells = (/** @type {Record<string, string>} */ row) =>
    columns.map(({ id }) => h("td", { class: `of-${id}` }, cell(row, id)));
  const rows = reply.rows.map((row) => h("tr", cells(row)));
  return h(
    "div.register-scroll",
    { role: "region", tabindex: 0, "aria-label": `${reply.title}, ${reply.period}` },
    h("table.register-table", { lang: "en" }, head(columns.map(({ name }) => name)), h("tbody", rows)),
  );
}

/** @param {Record<string, string>} row @param {string} id */
function cell(row, id) {
  const text = row[id] ?? "";
  if (id === "clause" && text && row.book) return ruleLink(row.book, text);
  if (id === "when") return [text.slice(0, SECONDS), h("span.below.soft", text.slice(SECONDS))];
  const below = row[UNDER[id] ?? ""];
  return below ? [text, h("span.below.soft", below)] : text;
}
