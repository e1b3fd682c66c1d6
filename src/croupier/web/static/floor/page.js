// The supervisors' floor: alerts that stay until they are answered, every table at a glance, and people.

import { get, pause, Refused } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { button, setWords } from "../shared/parts.js";
import { arrive, hasRole, welcome } from "../shared/session.js";
import { clockWords, now, setClock, setZone } from "../shared/times.js";
import { Alerts } from "./alerts.js";
import { Cases } from "./all-cases.js";
import { Cards } from "./cards.js";
import { People } from "./people.js";
import { supervise } from "./supervise.js";

/** @typedef {import("../shared/session.js").Me} Me */

const LOOKING = ["supervisor", "manager", "operator", "inspector"];
const ACTING = ["supervisor", "manager", "operator"];
const EVERY = 3000; // milliseconds between looks; the figures are reckoned only where something has happened
const EVERY_UNSEEN = 20000;

/** @param {Me} me @param {string[]} roles */
function has(me, roles) {
  return hasRole(me, roles);
}

async function start() {
  const { house, me } = await arrive();
  document.title = `Floor · ${house.house}`;
  if (!me) {
    fill(
      byId("main"),
      h("h1", "Floor"),
      h("p", "This page is for staff who supervise tables."),
      button(
        "Sign in",
        () => void welcome(house, "Sign in as a supervisor, a manager or an operator.", true),
        "primary",
      ),
    );
    return;
  }
  if (!has(me, LOOKING)) {
    fill(
      byId("main"),
      h("h1", "Floor"),
      h("p", "This page is for staff who supervise tables. ", h("a", { href: "/" }, "All tables")),
    );
    return;
  }
  setZone(house.zone);
  await open(me);
}

/** @param {Me} me */
async function open(me) {
  const state = h("p.soft.state", { role: "status" });
  const clock = h("span.clock", { "aria-hidden": "true" });
  const duties = h("a", { href: "/duties" }, "Duties");
  let again = () => {};
  document.addEventListener("visibilitychange", () => again());
  const cards = new Cards((table) => void supervise(table, me));
  const alerts = new Alerts({
    mayAnswer: has(me, ACTING),
    answered: () => again(),
    look: (table) => cards.open(table),
  });
  const cases = new Cases((table) => cards.open(table));
  const people = new People(me, has(me, ACTING));
  fill(
    byId("main"),
    h("div.row.spread", h("h1", "Floor"), h("p.row", duties, clock, state)),
    alerts.element,
    cases.element,
    cards.element,
    people.element,
  );
  setInterval(() => {
    fill(clock, clockWords(now()));
    alerts.tick();
    cards.tick();
  }, 1000);
  for (;;) {
    try {
      const [floor, reply, open] = await Promise.all([get("/floor"), get("/floor/alerts"), get("/floor/cases")]);
      setClock(floor.at);
      cards.show(floor.tables);
      alerts.show(reply);
      cases.show(open);
      showDuties(duties, reply.duties.length);
      document.title = `${reply.open.length > 0 ? `(${reply.open.length}) ` : ""}Floor`;
      say(state, "");
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        say(state, "You are no longer signed in. Reload the page.");
        return;
      }
      say(state, "The house is not answering. This page may be out of date. Trying again …");
    }
    const waking = new Promise((/** @type {(value?: unknown) => void} */ wake) => {
      again = () => wake();
    });
    await Promise.race([pause(document.hidden ? EVERY_UNSEEN : EVERY), waking]);
  }
}

/** How many duties wait for an answer. @param {HTMLElement} link @param {number} late */
function showDuties(link, late) {
  const words = late === 0 ? "Duties" : late === 1 ? "! 1 duty is late" : `! ${late} duties are late`;
  link.className = late > 0 ? "pill warn" : "";
  setWords(link, words);
}

/** Only what is new is said: a screen reader would hear it again and again. @param {HTMLElement} state @param {string} words */
function say(state, words) {
  state.classList.toggle("problem", words !== "");
  setWords(state, words);
}

void start();
