// The panels below the felt: results, totals, the longest hand, the own session. Each is read when it is looked at.

import { get, Refused, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { Drawn } from "../shared/parts.js";
import { Figures } from "./figures.js";
import { LongestHands } from "./hands.js";
import { inWords, results } from "./roads.js";
import { Totals } from "./totals.js";
import { Session } from "./visit.js";

/** @import { Felt } from "../../types/contract.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Me } from "../shared/session.js" */

const SOON = 300; // milliseconds: several changes are read together

/** @typedef {"results" | "totals" | "hands" | "session"} Name */

export class Panels {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.path = url`/tables/${drawing.table}`;
    /** @type {Felt | null} */
    this.reply = null;
    /** @type {Me | null} */
    this.me = null;
    this.drawn = new Drawn();
    this.timer = 0;
    this.isHeld = () => false; // whether a throw is being shown: the counts would tell its result
    /** @type {Name} */
    this.open = "results";
    this.results = h("div");
    this.figures = new Figures(`${drawing.table}-results`, t("Results, the newest first"));
    this.totals = new Totals(drawing.table);
    this.hands = new LongestHands(drawing.table, drawing.book);
    this.session = new Session(drawing.table);
    this.problem = h("p.soft", { role: "status" });
    /** @type {Record<Name, HTMLElement>} */
    this.bodies = {
      results: h("div", this.results, this.figures.element),
      totals: this.totals.element,
      hands: this.hands.element,
      session: this.session.element,
    };
    this.tabs = this.makeTabs({
      results: t("Results"),
      totals: t("Totals"),
      hands: t("Longest hand"),
      session: t("Session"),
    });
    this.element = this.layOut();
    this.turnTo("results");
  }

  /** @param {Record<Name, string>} words @returns {Record<Name, HTMLButtonElement>} */
  makeTabs(words) {
    const made = Object.entries(words).map(([name, text]) => {
      const tab = /** @type {Name} */ (name);
      const onclick = () => this.turnTo(tab);
      const controls = {
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        hidden: tab === "hands" || tab === "session",
      };
      return [name, h("button", { type: "button", ...controls, onclick }, text)];
    });
    return Object.fromEntries(made);
  }

  layOut() {
    for (const [name, body] of Object.entries(this.bodies)) {
      body.id = `panel-${name}`;
      body.setAttribute("role", "tabpanel");
      body.setAttribute("aria-labelledby", `tab-${name}`);
    }
    const list = h("div.tabs", { role: "tablist", "aria-label": t("Past of the table") }, Object.values(this.tabs));
    list.addEventListener("keydown", (event) => this.keyed(event));
    return h(
      "section.card.history",
      { "aria-labelledby": "history-title" },
      h("h2.heard", { id: "history-title" }, t("Results")),
      list,
      this.problem,
      Object.values(this.bodies),
    );
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const names = /** @type {Name[]} */ (Object.keys(this.tabs)).filter((name) => !this.tabs[name].hidden);
    const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
    const by = steps[event.key];
    const next = names[(names.indexOf(this.open) + (by ?? 0) + names.length) % names.length];
    if (by === undefined || !next) return;
    event.preventDefault();
    this.turnTo(next);
    this.tabs[next].focus();
  }

  /** @param {Name} name */
  turnTo(name) {
    this.open = name;
    for (const [one, tab] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
      this.bodies[/** @type {Name} */ (one)].hidden = one !== name;
    }
    fill(this.problem);
    if (this.reply) void this.load();
  }

  /** @param {Felt} reply @param {Me | null} me */
  show(reply, me) {
    this.reply = reply;
    this.me = me;
    const isPlayer = me !== null && (reply.seated || me.visits.some((one) => one.table === reply.table));
    this.tabs.session.hidden = !isPlayer;
    if (!isPlayer && this.open === "session") this.turnTo("results");
    const fell = reply.results ?? [];
    if (this.drawn.isSame([fell, reply.seated])) return;
    fill(this.results, results(this.drawing, fell, true));
    const newest = [...fell].reverse();
    this.figures.show(
      [t("Round"), t("Result")],
      newest.map((one) => [String(one.round ?? one.version ?? ""), inWords(one)]),
    );
    this.loadSoon();
  }

  loadSoon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.load(), SOON);
  }

  /** Read what the open panel shows; which games have a longest hand is known once the counts are read. */
  async load() {
    const name = this.open;
    if (this.isHeld()) {
      this.loadSoon();
      return;
    }
    try {
      if (name === "session") await this.loadSession();
      else if (name !== "results" || this.totals.counts === null) await this.loadCounts();
      if (this.open === name) fill(this.problem);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (this.open === name) fill(this.problem, error.message);
    }
  }

  async loadCounts() {
    const counts = await this.whole("counts");
    if (this.isHeld()) {
      this.loadSoon();
      return;
    }
    this.totals.show(counts);
    this.tabs.hands.hidden = counts.hands === null;
    const zone = this.reply?.zone ?? "UTC";
    if (counts.hands !== null) this.hands.show(counts.hands, zone, this.me !== null);
  }

  async loadSession() {
    const course = await this.whole("visit");
    if (this.isHeld()) this.loadSoon();
    else this.session.show(course, this.reply?.zone ?? "UTC");
  }

  /** A reply that the house counts piece by piece. @param {"counts" | "visit"} what */
  async whole(what) {
    for (;;) {
      const reply = await get(`${this.path}/${what}`);
      if (reply.counted >= reply.version) return reply;
      fill(
        this.problem,
        t("Counting: {counted} of {version} events.", { counted: reply.counted, version: reply.version }),
      );
    }
  }
}
