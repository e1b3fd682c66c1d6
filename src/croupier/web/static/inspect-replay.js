// A table at any of its events: a scrubber, the felt as it was, the event in words, and those around it.

import { Refused } from "./api.js";
import { announce, cents, fill, h, money, ruleLink, spaced } from "./dom.js";
import { Felt } from "./felt.js";
import { Past } from "./inspect-past.js";
import { entryInWords, rowInWords, wagerName, when } from "./inspect-words.js";
import { results } from "./roads.js";
import { lamp } from "./status.js";

const AROUND = 7;
const SPEEDS = /** @type {[string, string, number][]} */ ([
  ["slow", "1 event a second", 1000],
  ["quick", "4 events a second", 250],
  ["throws", "throw by throw", 1500],
]);

export class Replay {
  /** @param {string} table @param {(version: number) => void} moved */
  constructor(table, moved) {
    this.past = new Past(table);
    this.moved = moved;
    this.version = 0;
    this.isLoading = false;
    this.book = "";
    /** @type {any} */
    this.drawing = null;
    /** @type {Felt | null} */
    this.felt = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    this.range = h("input", {
      type: "range",
      min: 1,
      value: 1,
      id: "scrubber",
      class: "scrubber",
      "aria-label": "Event",
      oninput: () => void this.go(Number(this.range.value)),
    });
    this.number = h("input", {
      type: "number",
      min: 1,
      id: "event-number",
      onchange: () => void this.go(Number(this.number.value)),
    });
    this.of = h("span", { class: "soft" });
    this.play = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.toggle() }, "Play");
    this.speed = h(
      "select",
      { id: "speed", onchange: () => this.playing !== undefined && this.start() },
      SPEEDS.map(([name, words]) => h("option", { value: name }, words)),
    );
    this.place = h("div", { class: "inspect-felt" });
    this.state = h("p", { class: "lamps inspect-state" });
    this.chips = h("details", {}, h("summary", {}, "Chips on the felt"));
    this.history = h("details", { open: true }, h("summary", {}, "Results up to here"));
    this.event = h("section", { class: "card inspect-event", "aria-labelledby": "event-title" });
    this.around = h("ol", { class: "inspect-around", "aria-label": "Events around it" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.element = this.layOut();
  }

  layOut() {
    const step = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    const controls = h(
      "div",
      { class: "row inspect-controls", role: "group", "aria-label": "Go to an event" },
      step("|◀", "The first event", () => void this.go(1)),
      step("◀◀", "The throw before", () => void this.toThrow(-1)),
      step("◀", "One event back", () => void this.go(this.version - 1)),
      this.play,
      step("▶", "One event on", () => void this.go(this.version + 1)),
      step("▶▶", "The next throw", () => void this.toThrow(1)),
      step("▶|", "The last event", () => void this.begin(null)),
      h("label", { class: "inspect-number" }, h("span", {}, "Event"), this.number),
      this.of,
      h("label", { class: "inspect-speed" }, h("span", {}, "Speed"), this.speed),
    );
    return h(
      "div",
      { class: "inspect-replay" },
      h(
        "div",
        { class: "inspect-left" },
        h("section", { class: "card", "aria-label": "Replay" }, this.range, controls, this.problem),
        this.place,
        this.state,
        this.chips,
        this.history,
      ),
      h(
        "div",
        { class: "inspect-right" },
        this.event,
        h(
          "section",
          { class: "card", "aria-labelledby": "around-title" },
          h("h2", { id: "around-title" }, "Around it"),
          this.around,
        ),
      ),
    );
  }

  /** How far the table has come by now; a table that is played at goes on. @param {number | null} version null: its end */
  async begin(version) {
    try {
      this.book = (await this.past.begin()).book;
    } catch (error) {
      this.failed(error);
      return;
    }
    this.range.max = this.number.max = String(this.past.last);
    fill(this.of, `of ${this.past.last}`);
    await this.go(version ?? this.past.last);
  }

  /** @param {unknown} error */
  failed(error) {
    if (!(error instanceof Refused)) throw error;
    this.stop();
    fill(this.problem, error.message);
  }

  /** Show how it was after an event; whoever drags the scrubber is shown where they are by then. @param {number} wanted */
  async go(wanted) {
    const version = Math.max(1, Math.min(this.past.last, Math.round(wanted) || 1));
    this.version = version;
    this.range.value = this.number.value = String(version);
    this.range.setAttribute("aria-valuetext", `event ${version} of ${this.past.last}`);
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let shown = 0; shown !== this.version; ) {
        shown = this.version;
        await this.load(shown);
      }
    } finally {
      this.isLoading = false;
    }
  }

  /** @param {number} version */
  async load(version) {
    try {
      const [entry, felt, around] = await Promise.all([
        this.past.entry(version),
        this.past.felt(version),
        this.past.entries(version - AROUND, version + AROUND),
      ]);
      const drawing = felt ? await this.past.drawing(felt) : null;
      if (this.version !== version) return; // somebody has gone on
      fill(this.problem);
      this.show(felt, drawing);
      this.tell(entry, around);
      this.moved(version);
    } catch (error) {
      if (this.version === version) this.failed(error);
    }
  }

  /** @param {any} felt @param {any} drawing */
  show(felt, drawing) {
    if (!felt || !drawing) {
      fill(this.place, h("p", { class: "card soft" }, "The table was not open yet."));
      [this.felt, this.drawing] = [null, null];
      fill(this.state);
      fill(this.chips, h("summary", {}, "Chips on the felt"));
      fill(this.history, h("summary", {}, "Results up to here"));
      return;
    }
    if (drawing !== this.drawing) {
      this.drawing = drawing;
      this.felt = new Felt(drawing);
      fill(this.place, this.felt.element);
    }
    this.felt?.show(felt);
    fill(
      this.state,
      (felt.lamps ?? []).map(lamp),
      h(
        "span",
        {},
        felt.open
          ? felt.bets === "closed" || felt.round?.shut
            ? "No more bets"
            : "Bets are open"
          : "The table is closed",
      ),
    );
    fill(
      this.chips,
      h("summary", {}, `Chips on the felt: ${spaced(money(sum(felt.wagers)))}, in hand: ${inHand(felt)}`),
      chipTable(felt, drawing),
    );
    fill(this.history, h("summary", {}, "Results up to here"), results(drawing, felt.results ?? []));
  }

  /** @param {any} entry @param {any[]} around */
  tell(entry, around) {
    const rows = entry.events.map((/** @type {any} */ row) =>
      h("li", {}, rowInWords(row, this.drawing), " ", ruleLink(this.book, row.clause)),
    );
    const facts = /** @type {[string, string][]} */ ([
      ["When", `${when(entry.at)} UTC`],
      ["Who", entry.who ?? "the house"],
      ["As", entry.as ?? "–"],
      ["Kind", entry.type],
      ["Order", entry.order ?? "–"],
      ["Hash", entry.hash],
    ]);
    fill(
      this.event,
      h("h2", { id: "event-title" }, `Event ${entry.version}`),
      h("ul", { class: "plain" }, rows),
      h(
        "dl",
        { class: "facts" },
        facts.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
      ),
      h("details", {}, h("summary", {}, "As it is told"), h("pre", { tabindex: 0 }, JSON.stringify(entry, null, 2))),
    );
    fill(
      this.around,
      around.map((one) => this.line(one)),
    );
    if (this.playing === undefined) announce(`Event ${entry.version}. ${entryInWords(entry, this.drawing)}`);
  }

  /** @param {any} entry */
  line(entry) {
    const isHere = entry.version === this.version;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-current": isHere ? "true" : null,
          onclick: () => void this.go(entry.version),
        },
        h("span", { class: "number" }, String(entry.version)),
        h("span", { class: "soft" }, when(entry.at).slice(11)),
        h("span", {}, entryInWords(entry, this.drawing)),
      ),
    );
  }

  /** @param {1 | -1} way */
  async toThrow(way) {
    try {
      const found = await this.past.nextThrow(this.version, way);
      if (found === this.version) announce(way > 0 ? "There is no later throw." : "There is no earlier throw.");
      if (found === this.version) this.stop();
      else await this.go(found);
    } catch (error) {
      this.failed(error);
    }
  }

  toggle() {
    if (this.playing === undefined) this.start();
    else this.stop();
  }

  start() {
    clearInterval(this.playing);
    const [name, , pause] = SPEEDS.find(([one]) => one === this.speed.value) ?? SPEEDS[0] ?? ["", "", 1000];
    this.playing = setInterval(() => {
      if (this.version >= this.past.last) this.stop();
      else if (name === "throws") void this.toThrow(1);
      else void this.go(this.version + 1);
    }, pause);
    this.play.setAttribute("aria-pressed", "true");
    fill(this.play, "Pause");
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.play.setAttribute("aria-pressed", "false");
    fill(this.play, "Play");
  }
}

/** @param {{amount: string}[]} wagers */
function sum(wagers) {
  return wagers.reduce((all, one) => all + cents(one.amount), 0n);
}

/** @param {any} felt */
function inHand(felt) {
  const chips = Object.entries(felt.chips).map(([player, amount]) => `${player} ${spaced(String(amount))}`);
  return chips.length === 0 ? "nobody's" : chips.join(", ");
}

/** @param {any} felt @param {any} drawing */
function chipTable(felt, drawing) {
  if (felt.wagers.length === 0) return h("p", { class: "soft" }, "Nothing lies on the felt.");
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", {}, "Player"), h("th", {}, "Wager"), h("th", { class: "number" }, "Chips"))),
      h(
        "tbody",
        {},
        felt.wagers.map((/** @type {any} */ one) =>
          h(
            "tr",
            {},
            h("td", {}, one.player),
            h("td", {}, wagerName(drawing, one)),
            h("td", { class: "number" }, one.amount, one.on === false ? " off" : ""),
          ),
        ),
      ),
    ),
  );
}
