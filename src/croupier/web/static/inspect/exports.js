// What an inspector can download: the public record, reports, the whole store; and the refused commands.

import { get } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h, inEnglish, ruleLink } from "../shared/dom.js";
import { alertLine, button, card, errorWords, section, table } from "../shared/parts.js";
import { exactly } from "../shared/times.js";
import { readable } from "../shared/words.js";

const PAGE = 1000;
const MOST_PAGES = 20;
const SHOWN = 200;
const ROOT = "/api/v1";

/** @import { RefusedCommand } from "../../types/contract.js" */
/** @typedef {{files: boolean, books: boolean}} May what a role may have */

/** @param {string} name of the table @param {May} may */
export function exportsCard(name, may) {
  const at = encodeURIComponent(name);
  const link = (/** @type {string} */ path, /** @type {string} */ words) =>
    h("li", h("a", { href: ROOT + path, download: true }, words));
  const csv = (/** @type {string} */ path, /** @type {string} */ part, /** @type {string} */ words) =>
    link(`${path}${path.includes("?") ? "&" : "?"}format=csv&part=${part}`, words);
  return card(
    "exports-title",
    t("Downloads"),
    h(
      "ul",
      link(`/tables/${at}/record`, t("Public record of this table, for croupier verify-dice")),
      may.files && link("/export", t("Whole store, signed, for croupier verify")),
      may.files && link("/export?refusals=true", t("Whole store with refused commands")),
      may.books && [
        csv(`/reports/tables/${at}`, "periods", t("This table by day (CSV)")),
        csv(`/reports/tables/${at}`, "wagers", t("This table by wager (CSV)")),
        csv(`/reports/tables/${at}`, "open", t("Open wagers at this table (CSV)")),
        csv("/reports/house", "periods", t("The house by day (CSV)")),
        csv("/reports/books", "balances", t("All balances (CSV)")),
        csv("/reports/books", "findings", t("Audit findings (CSV)")),
      ],
    ),
    !may.books && h("p.soft", t("Reports are for managers, operators and inspectors.")),
  );
}

/** @param {string} name of the table @param {string} book */
export function refusalsCard(name, book) {
  const place = h("div.refusals", { role: "region", tabindex: 0, "aria-label": t("Refused commands") });
  const show = button(t("Show"), () => void load());
  const load = async () => {
    show.disabled = true;
    try {
      fill(place, refusalTable(await refusalsAt(name), book));
      fill(show, t("Refresh"));
    } catch (error) {
      fill(place, alertLine(errorWords(error)));
    }
    show.disabled = false;
  };
  return section("card wide-card", "refusals-title", t("Refused commands at this table"), show, place);
}

/** The latest commands refused at a table. @param {string} name @returns {Promise<RefusedCommand[]>} */
async function refusalsAt(name) {
  /** @type {RefusedCommand[]} */
  let found = [];
  let after = /** @type {number | null} */ (0);
  for (let turn = 0; turn < MOST_PAGES && after !== null; turn++) {
    /** @type {any} */
    const reply = await get(`/refusals?after=${after}&limit=${PAGE}`);
    found = [...found, ...reply.entries.filter((/** @type {RefusedCommand} */ one) => one.deed?.table === name)].slice(
      -SHOWN,
    );
    after = reply.next;
  }
  return found.reverse();
}

/** @param {RefusedCommand[]} found @param {string} book */
function refusalTable(found, book) {
  if (found.length === 0) return h("p.soft", t("No commands were refused at this table."));
  const rows = found.map((one) => [
    exactly(one.at),
    one.who ?? t("the house"),
    asked(one.deed),
    [inEnglish(one.message), " ", ruleLink(book, one.clause)],
  ]);
  const caption = h("caption.soft", t("Latest {count}, newest first", { count: found.length }));
  return table([t("When"), t("Who"), t("Command"), t("Reason")], rows, caption);
}

/** @param {any} deed */
function asked(deed) {
  const { line } = deed;
  if (!line) return readable(deed.deed);
  const { do: verb, ...rest } = line;
  return [
    verb,
    ...Object.values(rest).map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))),
  ]
    .join(" ")
    .replaceAll("_", " ");
}
