// The inspector's page: any table at any event, its hash chain, and everything to download.

import { get } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { byId, fill, h } from "../shared/dom.js";
import { select } from "../shared/parts.js";
import { arrive, INSPECTING, KEEPING_BOOKS, showClosed } from "../shared/session.js";
import { setZone } from "../shared/times.js";
import { chainCard } from "./chain.js";
import { exportsCard, refusalsCard } from "./exports.js";
import { Replay } from "./replay.js";

/** @import { ListedTable } from "../../types/contract.js" */

const FILES = ["inspector", "operator"];

/** @param {string} table @param {number | null} version */
function remember(table, version) {
  const query = new URLSearchParams({ table, ...(version === null ? {} : { event: String(version) }) });
  history.replaceState(null, "", `/inspect?${query}`);
}

/** @param {string[]} roles @param {ListedTable[]} tables @param {string} table @param {number | null} version */
async function open(roles, tables, table, version) {
  const may = (/** @type {string[]} */ needed) => roles.some((role) => needed.includes(role));
  const replay = new Replay(table, (now) => remember(table, now));
  const reply = tables.find((one) => one.table === table);
  if (!reply) return;
  setZone(reply.zone);
  const go = (/** @type {number} */ to) => {
    void replay.go(to);
    replay.element.scrollIntoView();
  };
  const onchange = () => {
    replay.stop();
    void open(roles, tables, choice.value, null);
  };
  const titles = tables.map((one) => [
    one.table,
    plural(one.version, "{title}, {n} event", "{title}, {n} events", { title: one.title }),
  ]);
  const choice = select(titles, { id: "table", onchange }, table);
  fill(
    byId("main"),
    h("div.row.spread", h("h1", t("Inspection")), h("label.inspect-table", h("span", t("Table")), choice)),
    replay.element,
    h(
      "div.inspect-cards",
      chainCard(table, may(FILES), go),
      exportsCard(table, { files: may(FILES), books: may(KEEPING_BOOKS) }),
      may(KEEPING_BOOKS) && refusalsCard(table, reply.book),
    ),
  );
  await replay.begin(version);
}

async function start() {
  const { house, me } = await arrive();
  if (!me?.within.some((role) => INSPECTING.includes(role)))
    return showClosed(
      house,
      me,
      t("Inspection"),
      t("This page is for inspectors, supervisors, managers and operators."),
    );
  const tables = await get("/tables");
  if (tables.length === 0) return fill(byId("main"), h("h1", t("Inspection")), h("p", t("There are no tables yet.")));
  const asked = new URLSearchParams(location.search);
  const table =
    tables.find((/** @type {ListedTable} */ one) => one.table === asked.get("table"))?.table ?? tables[0].table;
  return open(me.within, tables, table, Number(asked.get("event")) || null);
}

void start();
