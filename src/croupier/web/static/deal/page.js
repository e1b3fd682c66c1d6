// The dealer's console: run a table from one screen, by keyboard or touch.

import { Position } from "../acts/position.js";
import { Felt } from "../felt/felt.js";
import { get, post, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, byId, fill, fromAddress, h } from "../shared/dom.js";
import { listen } from "../shared/live.js";
import { button, refusalLine } from "../shared/parts.js";
import { arrive, welcome } from "../shared/session.js";
import { setClock } from "../shared/times.js";
import { oneOf } from "../shared/words.js";
import { Console } from "./console.js";

/** @import { Entry } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { House, Me } from "../shared/session.js" */

const STAFF = ["dealer", "supervisor", "manager", "operator", "inspector"];
const LOOK_BACK = 500; // events in which to find the last throw
const AGAIN = 2000;

const table = fromAddress(2);
const path = url`/tables/${table}`;
let stop = () => {};

async function start() {
  const { house, me } = await arrive();
  document.title = t("Dealer console · {table}", { table });
  try {
    await open(house, me);
  } catch (error) {
    fill(
      byId("main"),
      h("h1", t("Dealer console")),
      refusalLine("", error),
      h("p", h("a", { href: "/" }, t("All tables"))),
    );
  }
}

/** @param {House} house @param {Me | null} me */
async function open(house, me) {
  stop();
  document.onkeydown = null;
  const [felt, drawing] = await Promise.all([get(`${path}/felt`), get(`${path}/drawing`)]);
  document.title = t("Dealer console · {name}", { name: drawing.name });
  setClock(felt.now);
  if (felt.by_itself) return watch(felt, drawing, t("This table is automatic: its clock closes the bets and throws."));
  if (!me) return watch(felt, drawing, t("Sign in to run this table."), signingIn(house));
  const roles = me.roles.filter((role) => STAFF.includes(role));
  const playing = h("a.button", { href: path }, t("Play here instead"));
  if (roles.length === 0) return watch(felt, drawing, t("This page is for table staff."), playing);
  const book = await get(url`/books/${drawing.book}/acts`);
  const position = new Position(table, me, drawing, book, felt);
  if (!position.role) return takePost(house, me, position, roles);
  const after = Math.max(0, felt.version - LOOK_BACK);
  return deal(house, me, position, await get(`${path}/events?after=${after}&limit=${LOOK_BACK}`));
}

/** @param {House} house */
function signingIn(house) {
  const ask = () => void welcome(house, t("Sign in as a dealer or a supervisor."), true);
  return button(t("Sign in"), ask, "primary");
}

/** Watch the table. @param {FeltReply} reply @param {Drawing} drawing @param {string} why @param {...Node} more */
function watch(reply, drawing, why, ...more) {
  const felt = new Felt(drawing);
  felt.show(reply);
  fill(byId("main"), h("h1", drawing.name), h("div.card.row.spread", h("p", why), h("div.row", ...more)), felt.element);
  stop = listen(`${path}/live`, { felt: (now) => felt.show(now), line: () => {} }, { felt: true });
}

/** A person's titles under the book. @param {string} role @param {string[]} titles */
function asTitles(role, titles) {
  if (titles.length === 0) return t("These rules have no title for a {role}.", { role: named(role) });
  return t("As a {role} you act as {titles} under these rules.", { role: named(role), titles: oneOf(titles) });
}

/** @param {House} house @param {Me} me @param {Position} position @param {string[]} roles */
function takePost(house, me, position, roles) {
  const beside = h("div.beside");
  const take = async (/** @type {string} */ role) => {
    try {
      await post(`${path}/post`, { role });
      announce(t("You run this table as {role}.", { role: named(role) }));
      await open(house, me);
    } catch (error) {
      fill(beside, refusalLine(position.book.id, error));
    }
  };
  const titles = (/** @type {string} */ role) =>
    position.book.titles.filter(({ roles }) => roles.some((one) => one === role)).map((one) => one.title);
  const buttons = roles.map((role) =>
    button(t("Start as {role}", { role: named(role) }), () => void take(role), "primary"),
  );
  watch(
    position.felt,
    position.drawing,
    t(
      "You are not working at this table yet. Once you start, you see everyone's chips and run the game, but you cannot play here.",
    ),
    ...buttons,
  );
  const reply = roles.map((role) => h("li", asTitles(role, titles(role))));
  byId("main").querySelector(".card")?.append(h("ul.soft", reply), beside);
}

/** @param {House} house @param {Me} me @param {Position} position @param {{entries: Entry[]}} past */
function deal(house, me, position, past) {
  const problem = h("div.beside");
  const leave = async () => {
    try {
      await post(`${path}/post/leave`, {});
      await open(house, me);
    } catch (error) {
      fill(problem, refusalLine(position.book.id, error));
    }
  };
  const shown = new Console(position, () => void leave());
  for (const entry of past.entries) if (entry.version <= position.felt.version) shown.pay.hear(entry); // the rest comes live
  fill(byId("main"), problem, ...shown.elements);
  shown.show();
  document.onkeydown = (event) => shown.key(event);
  const reopen = () => void open(house, me).catch(() => setTimeout(reopen, AGAIN));
  const felt = (/** @type {FeltReply} */ now) => {
    if (now.terms !== position.felt.terms || !now.staff?.[me.person]) return reopen();
    position.felt = now;
    setClock(now.now);
    return shown.show();
  };
  const handlers = { line: shown.bar.hear.bind(shown.bar), entry: shown.hear.bind(shown), felt };
  stop = listen(`${path}/live`, handlers, { after: position.felt.version, felt: true });
}

void start();
