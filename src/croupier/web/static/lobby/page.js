// The front page: a table to sit down at with one press, all others, and what else there is.

import { get, pause, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { byId, each, fill, h } from "../shared/dom.js";
import { section, showFailure } from "../shared/parts.js";
import { play, USUAL } from "../shared/play.js";
import { arrive, leave, welcome } from "../shared/session.js";
import { money, spaced } from "../shared/words.js";
import { paysMore, pricesCard } from "./prices.js";
import { TableParts, wayIn } from "./table-parts.js";

/** @import { House, Me } from "../shared/session.js" */
/** @import { Front, ListedTable } from "../../types/contract.js" */

const AGAIN = 15000; // milliseconds after which the tables are asked for again
const READABLE = /^\/(rules|sheets|developers)(\/|$)/; // pages without scripts, which send people here to sign in

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
  const isSlow = (/** @type {ListedTable} */ table) => Number(!table.by_itself && wayIn(table, me) !== "deal");
  const isDealt = (/** @type {ListedTable} */ table) => Number(wayIn(table, me) === "deal");
  return [...tables].sort((one, other) => isSlow(one) - isSlow(other) || isDealt(other) - isDealt(one));
}

/** The first table, large, with the way in beside it. @param {TableParts} parts @param {House} house @param {Me | null} me */
function first(parts, house, me) {
  parts.enter.classList.add("gold", "large");
  return h(
    "section.table-card.first",
    { "aria-label": parts.table.title },
    h(
      "div.welcome-words",
      h("h1", t("Pull up a chair.")),
      h("p.lead", t("Dice and coin games of real casinos, exactly by their approved rules. Play chips only, ever.")),
      h("p.row", parts.enter),
      me === null &&
        house.sign_up &&
        h("p.soft", t("One click, {chips} in play chips. No name, no email.", { chips: spaced(money(USUAL)) })),
      me?.roles.includes("player") && h("p.soft", t("You have {chips} in play chips.", { chips: spaced(me.chips) })),
      parts.facts,
      h("p.ways", parts.ways()),
    ),
    h(
      "div.on-show",
      parts.preview?.element,
      h("div.ledge", h("div", parts.title(), parts.about()), parts.thrown, parts.results.element),
    ),
  );
}

/** @param {TableParts} parts @param {Front} front */
function card(parts, front) {
  return h(
    "li.card.table-card",
    h("div.on-show", parts.preview?.element, h("div.ledge", parts.results.element)),
    h("div.about-table", parts.title(), parts.about(), paysMore(front, parts.table.book), parts.facts),
    h("p.way-in", parts.enter),
    h("p.ways", parts.ways()),
  );
}

/** @param {ListedTable[]} tables the first of them in order */
function more([table]) {
  const rows = /** @type {[string, string, string][]} */ (
    [
      table && [url`/learn/${table.book}`, t("First game"), t("Five steps in two minutes, with dice that behave.")],
      table && [
        url`/practice/${table.book}`,
        t("Practice table"),
        t("Your own dice: let any number fall and see what each bet does."),
      ],
      ["/check", t("Check the dice"), t("Every throw is sealed before you bet. Open one and see.")],
      ["/rules", t("The rules"), t("Every order clause by clause, and how doubtful words are read.")],
      ["/promotions", t("Promotions"), t("Prizes, their terms, and draws that anyone can verify.")],
      table && [
        url`/display/${table.table}`,
        t("On a big screen"),
        t("The last results, limits and puck, for the wall."),
      ],
    ].filter(Boolean)
  );
  const links = each("ul.others", {}, rows, ([href, name, about]) =>
    h("li", h("a", { href }, name), h("p.soft", about)),
  );
  return section(
    "card",
    "more-title",
    t("Before you sit down, or after"),
    h("p.soft", t("Nothing here needs an account.")),
    links,
  );
}

/** Keep who plays and the last results up to date while the page is seen. @param {Map<string, TableParts>} shown */
async function follow(shown) {
  for (;;) {
    await pause(AGAIN);
    if (document.hidden) continue;
    const tables = /** @type {ListedTable[]} */ (await get("/tables").catch(() => []));
    for (const table of tables) shown.get(table.table)?.show(table);
  }
}

/** Pages without scripts send people here to sign in or out. @param {House} house @param {Me | null} me */
function asked(house, me) {
  const wanted = new URLSearchParams(location.search);
  const back = wanted.get("sign-in");
  if (back !== null && me === null) void welcome(house, "", false, READABLE.test(back) ? back : "/");
  if (wanted.has("sign-out") && me !== null) leave(me, true);
}

async function start() {
  const [{ house, me }, tables, front] = await Promise.all([arrive(), get("/tables"), get("/front")]);
  document.title = house.house;
  const ordered = inOrder(tables, me);
  const parts = ordered.map((table) => new TableParts(table, front, me, (one, event) => enter(one, me, event)));
  const [head, ...others] = parts;
  fill(
    byId("main"),
    head ? first(head, house, me) : [h("h1", t("Pull up a chair.")), h("p", t("There are no tables yet."))],
    others.length > 0 && each("ul.tables", { "aria-label": t("More tables") }, others, (one) => card(one, front)),
    h(
      "div.below",
      /** @type {Front} */ (front).prices.map((one) => pricesCard(one, front)),
      more(ordered),
    ),
    h(
      "footer",
      t("Play chips only. This house neither takes nor pays money."),
      " ",
      h("a", { href: "/me" }, t("Set yourself a limit")),
      h("a", { href: "/rules" }, t("The approved rules")),
      h("a", { href: "/developers" }, t("For developers")),
    ),
  );
  asked(house, me);
  void follow(new Map(parts.map((one) => [one.table.table, one])));
}

start().catch((error) => showFailure(t("Tables"), error, "/", t("Try again")));
