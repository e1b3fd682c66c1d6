// All duties in one list: what is late comes first and stays until somebody answers for it, then what is due, then done.

import { tickAll } from "../promotion/words.js";
import { get, pause, Refused } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { button, field } from "../shared/parts.js";
import { arrive, hasRole, welcome } from "../shared/session.js";
import { setClock } from "../shared/times.js";
import { dutyItem, keyOf, waits } from "./list.js";

/** @typedef {import("../shared/session.js").Me} Me */
/** @typedef {import("./list.js").Duty} Duty */

const LOOKING = ["supervisor", "manager", "operator", "inspector"];
const EVERY = 5000; // milliseconds between looks

/** @type {[string, string, (duty: Duty) => boolean][]} */
const STANDINGS = [
  ["late", "Late: needs an answer", waits],
  ["open", "To be done", (duty) => duty.done_at === null && !waits(duty)],
  ["done", "Recently done", (duty) => duty.done_at !== null && !waits(duty)],
];

/** @type {Record<string, string>} */
const NOTHING = { late: "Nothing is late.", open: "Nothing is due.", done: "Nothing was done recently." };

class Duties {
  /** @param {Me} me */
  constructor(me) {
    this.me = me;
    /** @type {Duty[]} */
    this.all = [];
    this.shown = "";
    this.where = h("select", { onchange: () => this.show() });
    this.standing = h(
      "select",
      { onchange: () => this.show() },
      h("option", { value: "" }, "All"),
      STANDINGS.map(([id, words]) => h("option", { value: id }, words.split(":")[0])),
    );
    this.lists = h("div");
    this.state = h("p.problem", { role: "status" });
    this.again = () => {};
  }

  /** @param {{at: string, open: Duty[], done: Duty[]}} reply */
  hear(reply) {
    setClock(reply.at);
    this.all = [...reply.open, ...reply.done];
    const places = named(this.all);
    const before = this.where.value;
    fill(
      this.where,
      h("option", { value: "" }, "All tables and promotions"),
      [...places].sort().map(([value, title]) => h("option", { value, selected: value === before }, title)),
    );
    const key = this.all.map((duty) => `${keyOf(duty)} ${duty.standing} ${duty.answered}`).join("\n");
    if (key === this.shown) return;
    this.shown = key;
    const late = this.all.filter(waits).length;
    document.title = `${late > 0 ? `(${late}) ` : ""}Duties`;
    this.show();
  }

  show() {
    const own = this.all.filter((duty) => !this.where.value || `${duty.of} ${duty.name}` === this.where.value);
    const answering = { roles: this.me.roles, answered: () => this.again() };
    const written = notes(this.lists);
    fill(
      this.lists,
      STANDINGS.filter(([id]) => !this.standing.value || this.standing.value === id).map(([id, words, has]) => {
        const found = own.filter(has);
        return h(
          "section",
          { "aria-labelledby": `duties-${id}` },
          h(
            "h2",
            { id: `duties-${id}` },
            words,
            " ",
            h("span", { class: found.length > 0 && id === "late" ? "pill warn" : "pill" }, found.length),
          ),
          found.length === 0
            ? h("p.soft", NOTHING[id])
            : h(
                "ul",
                { class: id === "late" ? "duties late" : "duties card" },
                found.map((duty) => dutyItem(duty, answering)),
              ),
        );
      }),
    );
    for (const [key, text] of written) {
      const note = [...this.lists.querySelectorAll(".duty")].find((one) => one.getAttribute("data-key") === key);
      const input = note?.querySelector("input");
      if (input) input.value = text;
    }
  }

  async follow() {
    for (;;) {
      try {
        this.hear(await get("/duties"));
        fill(this.state);
      } catch (error) {
        if (error instanceof Refused && error.status === 401) {
          fill(this.state, "You are no longer signed in. Reload the page.");
          return;
        }
        fill(this.state, "The house is not answering. This page may be out of date. Trying again …");
      }
      const waking = new Promise((/** @type {(value?: unknown) => void} */ wake) => {
        this.again = () => wake();
      });
      await Promise.race([pause(EVERY), waking]);
    }
  }
}

/** Every place by its key. Titles that are not alone have the name behind them. @param {Duty[]} all */
function named(all) {
  const places = new Map(all.map((duty) => [`${duty.of} ${duty.name}`, duty]));
  const titles = [...places.values()].map((duty) => duty.title);
  const isAlone = (/** @type {string} */ title) => titles.indexOf(title) === titles.lastIndexOf(title);
  return new Map([...places].map(([key, { title, name }]) => [key, isAlone(title) ? title : `${title} (${name})`]));
}

/** What is being written, so that it stays when the list is brought up to date. @param {HTMLElement} lists */
function notes(lists) {
  return [...lists.querySelectorAll(".duty")]
    .map((one) => /** @type {const} */ ([one.getAttribute("data-key") ?? "", one.querySelector("input")?.value ?? ""]))
    .filter(([, text]) => text !== "");
}

async function start() {
  const { house, me } = await arrive();
  document.title = `Duties · ${house.house}`;
  if (!hasRole(me, LOOKING)) {
    fill(
      byId("main"),
      h("h1", "Duties"),
      h("p", "This page is for supervisors, managers, operators and inspectors."),
      !me && button("Sign in", () => void welcome(house), "primary"),
    );
    return;
  }
  const duties = new Duties(me);
  fill(
    byId("main"),
    h("h1", "Duties"),
    h("p.soft", "What the rules require by a deadline, at every table and in every promotion."),
    h("div.duty-filter", field("Where", duties.where), field("Status", duties.standing)),
    duties.state,
    duties.lists,
  );
  setInterval(tickAll, 1000);
  await duties.follow();
}

void start();
