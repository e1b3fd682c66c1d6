// All duties in one list: what is late, until someone answers for it; then what is due; then what was done.

import { tickAll } from "../promotion/words.js";
import { get } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { byId, fill, h } from "../shared/dom.js";
import { poll } from "../shared/live.js";
import { Drawn, field, select, setWords } from "../shared/parts.js";
import { arrive, hasRole, INSPECTING, showClosed } from "../shared/session.js";
import { setClock } from "../shared/times.js";
import { dutyItem, waits } from "./list.js";

/** @import { Me } from "../shared/session.js" */
/** @import { Duty } from "./list.js" */

const EVERY = 5000; // milliseconds between looks

/** In order, with a heading and a name in short. @type {[string, string, string, (duty: Duty) => boolean][]} */
const STANDINGS = [
  ["late", t("Late: needs an answer"), t("Late"), waits],
  ["open", t("To be done"), t("To be done"), (duty) => duty.done_at === null && !waits(duty)],
  ["done", t("Recently done"), t("Recently done"), (duty) => duty.done_at !== null && !waits(duty)],
];

/** @type {Record<string, string>} */
const NOTHING = { late: t("Nothing is late."), open: t("Nothing is due."), done: t("Nothing was done recently.") };

class Duties {
  /** @param {Me} me */
  constructor(me) {
    this.me = me;
    /** @type {Duty[]} */
    this.all = [];
    this.shown = new Drawn();
    const onchange = () => this.show();
    this.where = h("select", { onchange });
    const choices = STANDINGS.map(([id, , short]) => [id, short]);
    this.standing = select([["", t("All")], ...choices], { onchange });
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
      h("option", { value: "" }, t("All tables and promotions")),
      [...places].sort().map(([value, title]) => h("option", { value, selected: value === before }, title)),
    );
    if (this.shown.isSame(this.all)) return;
    const late = this.all.filter(waits).length;
    document.title = late > 0 ? `(${late}) ${t("Duties")}` : t("Duties");
    this.show();
  }

  show() {
    const own = this.all.filter((duty) => !this.where.value || `${duty.of} ${duty.name}` === this.where.value);
    const answering = { roles: this.me.roles, answered: () => this.again() };
    const written = notes(this.lists);
    fill(
      this.lists,
      STANDINGS.filter(([id]) => !this.standing.value || this.standing.value === id).map(([id, words, , has]) =>
        section(id, words, own.filter(has), answering),
      ),
    );
    for (const [key, text] of written) {
      const note = [...this.lists.querySelectorAll(".duty")].find((one) => one.getAttribute("data-key") === key);
      const input = note?.querySelector("input");
      if (input) input.value = text;
    }
  }

  follow() {
    this.again = poll(
      async () => this.hear(await get("/duties")),
      EVERY,
      (problem) => setWords(this.state, problem),
    );
  }
}

/** @param {string} id @param {string} words @param {Duty[]} duties @param {import("./list.js").Answering} answering */
function section(id, words, duties, answering) {
  const isLate = id === "late";
  const count = h("span", { class: duties.length > 0 && isLate ? "pill warn" : "pill" }, duties.length);
  const rows = duties.map((duty) => dutyItem(duty, answering));
  return h(
    "section",
    { "aria-labelledby": `duties-${id}` },
    h("h2", { id: `duties-${id}` }, words, " ", count),
    rows.length === 0 ? h("p.soft", NOTHING[id]) : h(isLate ? "ul.duties.late" : "ul.duties.card", rows),
  );
}

/** Every table and promotion by its key; if two have one title, with its name. @param {Duty[]} all */
function named(all) {
  const places = new Map(all.map((duty) => [`${duty.of} ${duty.name}`, duty]));
  const titles = [...places.values()].map((duty) => duty.title);
  const isAlone = (/** @type {string} */ title) => titles.indexOf(title) === titles.lastIndexOf(title);
  return new Map([...places].map(([key, { title, name }]) => [key, isAlone(title) ? title : `${title} (${name})`]));
}

/** Notes being typed, so that they stay when the list is refreshed. @param {HTMLElement} lists */
function notes(lists) {
  return [...lists.querySelectorAll(".duty")]
    .map((one) => /** @type {const} */ ([one.getAttribute("data-key") ?? "", one.querySelector("input")?.value ?? ""]))
    .filter(([, text]) => text !== "");
}

async function start() {
  const { house, me } = await arrive();
  document.title = t("Duties · {house}", { house: house.house });
  if (!hasRole(me, INSPECTING))
    return showClosed(house, me, t("Duties"), t("This page is for supervisors, managers, operators and inspectors."));
  const duties = new Duties(me);
  fill(
    byId("main"),
    h("h1", t("Duties")),
    h("p.soft", t("What the rules require by a deadline, at every table and in every promotion.")),
    h("div.duty-filter", field(t("Where"), duties.where), field(t("Status"), duties.standing)),
    duties.state,
    duties.lists,
  );
  setInterval(tickAll, 1000);
  return duties.follow();
}

void start();
