// The supervisors' floor: alerts until they are answered, open cases, every table at a glance, and people.

import { get } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { byId, fill, h } from "../shared/dom.js";
import { poll } from "../shared/live.js";
import { setWords } from "../shared/parts.js";
import { arrive, hasRole, INSPECTING, SUPERVISING, showClosed } from "../shared/session.js";
import { clockWords, now, setClock, setZone } from "../shared/times.js";
import { Alerts, Cases } from "./alerts.js";
import { Cards } from "./cards.js";
import { People } from "./people.js";
import { supervise } from "./supervise.js";

/** @import { Me } from "../shared/session.js" */

const EVERY = 3000; // milliseconds between looks; the house calculates figures only if something has happened

async function start() {
  const { house, me } = await arrive();
  document.title = t("Floor · {house}", { house: house.house });
  if (!hasRole(me, INSPECTING))
    return showClosed(house, me, t("Floor"), t("This page is for staff who supervise tables."));
  setZone(house.zone);
  return open(me);
}

/** @param {Me} me */
function open(me) {
  const state = h("p.soft.state", { role: "status" });
  const clock = h("span.clock", { "aria-hidden": "true" });
  const duties = h("a", { href: "/duties" }, t("Duties"));
  const mayAct = hasRole(me, SUPERVISING);
  const cards = new Cards((table) => void supervise(table, me));
  const look = (/** @type {string} */ table) => cards.open(table);
  const alerts = new Alerts({ mayAnswer: mayAct, answered: () => again(), look });
  const cases = new Cases(look);
  fill(
    byId("main"),
    h("div.row.spread", h("h1", t("Floor")), h("p.row", duties, clock, state)),
    alerts.element,
    cases.element,
    cards.element,
    new People(me, mayAct).element,
  );
  setInterval(() => {
    fill(clock, clockWords(now()));
    alerts.tick();
    cards.tick();
  }, 1000);
  const refresh = async () => {
    const [floor, reply, open] = await Promise.all([get("/floor"), get("/floor/alerts"), get("/floor/cases")]);
    setClock(floor.at);
    cards.show(floor.tables);
    alerts.show(reply);
    cases.show(open);
    showDuties(duties, reply.duties.length);
    document.title = reply.open.length > 0 ? `(${reply.open.length}) ${t("Floor")}` : t("Floor");
  };
  const again = poll(refresh, EVERY, (problem) => {
    state.classList.toggle("problem", problem !== "");
    setWords(state, problem);
  });
}

/** How many duties are late. @param {HTMLElement} link @param {number} late */
function showDuties(link, late) {
  link.className = late > 0 ? "pill warn" : "";
  setWords(link, late === 0 ? t("Duties") : plural(late, "! {n} duty is late", "! {n} duties are late"));
}

void start();
