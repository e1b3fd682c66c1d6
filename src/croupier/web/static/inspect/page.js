// The inspector's page: any table at any event, the chain followed in view, everything to take along.

import { get } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { arrive, welcome } from "../shared/session.js";
import { setZone } from "../shared/times.js";
import { chainCard } from "./chain.js";
import { exportsCard, refusalsCard } from "./exports.js";
import { Replay } from "./replay.js";

const INSPECTING = ["inspector", "manager", "operator", "supervisor"];
const FILES = ["inspector", "operator"];
const BOOKS = ["inspector", "manager", "operator"];

/** @param {string} table @param {number | null} version */
function remember(table, version) {
  const query = new URLSearchParams({ table, ...(version === null ? {} : { event: String(version) }) });
  history.replaceState(null, "", `/inspect?${query}`);
}

/** @param {any[]} tables @param {string} chosen @param {(table: string) => void} choose */
function choice(tables, chosen, choose) {
  const select = h(
    "select",
    { id: "table", onchange: () => choose(select.value) },
    tables.map((one) =>
      h("option", { value: one.table, selected: one.table === chosen }, `${one.title}, ${one.version} events`),
    ),
  );
  return h("label.inspect-table", h("span", "Table"), select);
}

/** @param {string[]} roles @param {any[]} tables @param {string} table @param {number | null} version */
async function open(roles, tables, table, version) {
  const may = (/** @type {string[]} */ needed) => roles.some((role) => needed.includes(role));
  const replay = new Replay(table, (now) => remember(table, now));
  const reply = tables.find((one) => one.table === table);
  setZone(reply.zone);
  const go = (/** @type {number} */ to) => {
    void replay.go(to);
    replay.element.scrollIntoView();
  };
  fill(
    byId("main"),
    h(
      "div.row.spread",
      h("h1", "Inspection"),
      choice(tables, table, (next) => {
        replay.stop();
        void open(roles, tables, next, null);
      }),
    ),
    replay.element,
    h(
      "div.inspect-cards",
      chainCard(table, may(FILES), go),
      exportsCard(table, { files: may(FILES), books: may(BOOKS) }),
      may(BOOKS) && refusalsCard(table, reply.book),
    ),
  );
  await replay.begin(version);
}

async function start() {
  const { house, me } = await arrive();
  const main = byId("main");
  if (!me?.within.some((role) => INSPECTING.includes(role))) {
    const signIn = button("Sign in", () => void welcome(house), "primary");
    fill(
      main,
      h("h1", "Inspection"),
      h("p", "This page is for inspectors, supervisors, managers and operators."),
      !me && signIn,
    );
    return;
  }
  const tables = await get("/tables");
  if (tables.length === 0) {
    fill(main, h("h1", "Inspection"), h("p", "There are no tables yet."));
    return;
  }
  const asked = new URLSearchParams(location.search);
  const table = tables.find((/** @type {any} */ one) => one.table === asked.get("table"))?.table ?? tables[0].table;
  await open(me.within, tables, table, Number(asked.get("event")) || null);
}

void start();
