// The tables of the house: pick one, and play.

import { faces } from "../results/faces.js";
import { get, url } from "../shared/api.js";
import { byId, each, fill, h } from "../shared/dom.js";
import { showFailure } from "../shared/parts.js";
import { play } from "../shared/play.js";
import { arrive, DEALING, hasRole } from "../shared/session.js";
import { counted, limitWords } from "../shared/words.js";

/** @import { Me } from "../shared/session.js" */
/** @import { ListedTable } from "../../types/contract.js" */

/** The last throw at a table, or a sample. @param {ListedTable} table @returns {(string | number)[]} */
function picture({ fell, throws }) {
  if (fell.length > 0) return fell;
  return Array.from({ length: throws.count }, (_, n) => throws.faces[n % throws.faces.length]);
}

/** What a person can do at a table: play, deal or watch. @param {ListedTable} table @param {Me | null} me */
function entrance(table, me) {
  if (me === null || me.roles.includes("player")) return { path: "", words: "Play", name: "Play at" };
  const deals = !table.by_itself && hasRole(me, DEALING);
  if (deals) return { path: "/deal", words: "Dealer console", name: "Dealer console of" };
  return { path: "", words: "Watch", name: "Watch" };
}

/**
 * A visitor or a guest is seated at once; everybody else chooses chips and place at the table. If it cannot be, the
 * table's page says why. @param {ListedTable} table @param {Me | null} me @param {MouseEvent} event
 */
function enter(table, me, event) {
  if ((me !== null && !me.guest) || !table.open || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const go = () => location.assign(link.href);
  if (link.getAttribute("aria-busy") === "true") return;
  link.setAttribute("aria-busy", "true");
  play(table.table, me).then(go, go);
}

/** Tables where the person can start at once come first: automatic ones, or for staff those they deal. @param {ListedTable[]} tables @param {Me | null} me */
function inOrder(tables, me) {
  const isSlow = (/** @type {ListedTable} */ table) => Number(!table.by_itself && entrance(table, me).path === "");
  const isDealt = (/** @type {ListedTable} */ table) => Number(entrance(table, me).path !== "");
  return [...tables].sort((one, other) => isSlow(one) - isSlow(other) || isDealt(other) - isDealt(one));
}

/** @param {ListedTable} table @param {Me | null} me */
function card(table, me) {
  const [game, ...rest] = table.title.split(", ");
  const { path, words, name } = entrance(table, me);
  return h(
    "li.card.table-card",
    h("div.table-picture", { "aria-hidden": "true" }, faces(picture(table), { size: 46 })),
    h("h2", game),
    h("p.soft", rest.join(", ")),
    h(
      "p.row",
      h("span", { class: `pill ${table.open ? "on" : ""}` }, table.open ? "open" : "closed"),
      h("span.pill", table.by_itself ? "automatic" : "with a dealer"),
      me?.tables.includes(table.table) && h("span.pill.on", "you are seated"),
      h("span.pill", limitWords(table.limits, "no limits")),
      h("span.pill", counted(table.players, "player")),
    ),
    h(
      "p.row",
      h(
        "a.button.primary",
        {
          href: url`/tables/${table.table}` + path,
          "aria-label": `${name} ${table.title}`,
          onclick: (/** @type {MouseEvent} */ event) => enter(table, me, event),
        },
        words,
      ),
      h("a", { href: url`/rules/${table.book}`, "aria-label": `Rules of ${table.title}` }, "Rules"),
      h("a", { href: url`/display/${table.table}`, "aria-label": `Display of ${table.title}` }, "Display"),
    ),
  );
}

async function start() {
  const [{ house, me }, tables] = await Promise.all([arrive(), get("/tables")]);
  document.title = house.house;
  fill(
    byId("main"),
    h("h1", "Pick a table"),
    h("p", "Craps, Sic Bo, Two-Up and Snake Eyes, played exactly by their approved rules. Play chips only."),
    tables.length === 0 && h("p", "There are no tables yet."),
    each("ul.grid.tables", {}, inOrder(tables, me), (table) => card(table, me)),
    h(
      "footer",
      h("a", { href: "/developers" }, "For developers"),
      " · ",
      h("a", { href: "/rules" }, "The rules"),
      " · play chips only",
    ),
  );
}

start().catch((error) => showFailure("Tables", error, "/", "Try again"));
