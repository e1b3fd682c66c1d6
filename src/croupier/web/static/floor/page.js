// The supervisors' floor: alerts that stay until they are answered, every table at a glance, and people.

import { get, pause, Refused } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { arrive, welcome } from "../shared/session.js";
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
  return me.roles.some((role) => roles.includes(role));
}

async function start() {
  const { house, me } = await arrive();
  document.title = `The floor · ${house.house}`;
  if (!me) {
    fill(
      byId("main"),
      h("h1", {}, "The floor"),
      h("p", {}, "This page is for those who supervise tables."),
      h(
        "button",
        {
          type: "button",
          class: "primary",
          onclick: () => void welcome(house, "Sign in as a supervisor, a manager or an operator.", true),
        },
        "Sign in",
      ),
    );
    return;
  }
  if (!has(me, LOOKING)) {
    fill(
      byId("main"),
      h("h1", {}, "The floor"),
      h("p", {}, "This page is for those who supervise tables. ", h("a", { href: "/" }, "All tables")),
    );
    return;
  }
  setZone(house.zone);
  await open(me);
}

/** @param {Me} me */
async function open(me) {
  const state = h("p", { class: "soft state", role: "status" });
  const clock = h("span", { class: "clock", "aria-hidden": "true" });
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
    h("div", { class: "row spread" }, h("h1", {}, "The floor"), h("p", { class: "row" }, duties, clock, state)),
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
      const [floor, told, open] = await Promise.all([get("/floor"), get("/floor/alerts"), get("/floor/cases")]);
      setClock(floor.at);
      cards.show(floor.tables);
      alerts.show(told);
      cases.show(open);
      showDuties(duties, told.duties.length);
      document.title = `${told.open.length > 0 ? `(${told.open.length}) ` : ""}The floor`;
      say(state, "");
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        say(state, "You are not signed in any more. Load the page again.");
        return;
      }
      say(state, "The house does not answer. What you see is old; it is tried again.");
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
  if (link.textContent !== words) fill(link, words);
}

/** Only what is new is said: a screen reader would hear it again and again. @param {HTMLElement} state @param {string} words */
function say(state, words) {
  state.classList.toggle("problem", words !== "");
  if (state.textContent !== words) fill(state, words);
}

void start();
