// A table at any of its events: a slider, the felt as it was, the event in words, and the events around it.

import { Refused } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, each, fill, fillEach, h, inEnglish, ruleLink } from "../shared/dom.js";
import { alertLine, card } from "../shared/parts.js";
import { clockOf, exactly, zoneWords } from "../shared/times.js";
import { entryInWords, rowInWords } from "./event-sentences.js";
import { Past } from "./past.js";
import { PastFelt } from "./past-felt.js";

/** @import { Entry } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */

const AROUND = 7;
const SPEEDS = /** @type {[string, string, number][]} */ ([
  ["slow", t("1 event a second"), 1000],
  ["quick", t("4 events a second"), 250],
  ["throws", t("throw by throw"), 1500],
]);

export class Replay {
  /** @param {string} table @param {(version: number) => void} moved */
  constructor(table, moved) {
    this.past = new Past(table);
    this.moved = moved;
    this.version = 0;
    this.isLoading = false;
    this.book = "";
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    this.range = h("input.scrubber", {
      type: "range",
      min: 1,
      value: 1,
      id: "scrubber",
      "aria-label": t("Event"),
      oninput: () => void this.go(Number(this.range.value)),
    });
    this.number = h("input", {
      type: "number",
      min: 1,
      id: "event-number",
      onchange: () => void this.go(Number(this.number.value)),
    });
    this.of = h("span.soft");
    this.play = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.toggle() }, t("Play back"));
    this.speed = h(
      "select",
      { id: "speed", onchange: () => this.playing !== undefined && this.start() },
      SPEEDS.map(([name, words]) => h("option", { value: name }, words)),
    );
    this.felt = new PastFelt();
    this.event = new PastEvent((version) => void this.go(version));
    this.problem = alertLine();
    this.element = this.layOut();
  }

  layOut() {
    const step = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    const controls = h(
      "div.row.inspect-controls",
      { role: "group", "aria-label": t("Go to an event") },
      step("|◀", t("First event"), () => void this.go(1)),
      step("◀◀", t("Previous throw"), () => void this.toThrow(-1)),
      step("◀", t("Previous event"), () => void this.go(this.version - 1)),
      this.play,
      step("▶", t("Next event"), () => void this.go(this.version + 1)),
      step("▶▶", t("Next throw"), () => void this.toThrow(1)),
      step("▶|", t("Last event"), () => void this.begin(null)),
      h("label.inspect-number", h("span", t("Event")), this.number),
      this.of,
      h("label.inspect-speed", h("span", t("Speed")), this.speed),
    );
    return h(
      "div.inspect-replay",
      h(
        "div.inspect-left",
        h("section.card", { "aria-label": t("Replay") }, this.range, controls, this.problem),
        this.felt.elements,
      ),
      h("div.inspect-right", this.event.elements),
    );
  }

  /** Fetch the number of events, which grows while people play. @param {number | null} version null: its end */
  async begin(version) {
    try {
      this.book = (await this.past.begin()).book;
    } catch (error) {
      this.failed(error);
      return;
    }
    this.range.max = this.number.max = String(this.past.last);
    fill(this.of, t("of {last}", { last: this.past.last }));
    await this.go(version ?? this.past.last);
  }

  /** @param {unknown} error */
  failed(error) {
    if (!(error instanceof Refused)) throw error;
    this.stop();
    fill(this.problem, inEnglish(error.message));
  }

  /** Show the table after an event; while the slider is dragged, only the latest position loads. @param {number} wanted */
  async go(wanted) {
    const version = Math.max(1, Math.min(this.past.last, Math.round(wanted) || 1));
    this.version = version;
    this.range.value = this.number.value = String(version);
    this.range.setAttribute("aria-valuetext", t("event {version} of {last}", { version, last: this.past.last }));
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
      if (this.version !== version || !entry) return; // the slider has moved on
      fill(this.problem);
      this.felt.show(felt, drawing);
      this.event.show(entry, around, this.book, drawing);
      if (this.playing === undefined)
        announce(t("Event {version}. {entry}", { version, entry: entryInWords(entry, drawing) }));
      this.moved(version);
    } catch (error) {
      if (this.version === version) this.failed(error);
    }
  }

  /** @param {1 | -1} way */
  async toThrow(way) {
    try {
      const found = await this.past.nextThrow(this.version, way);
      if (found === this.version) announce(way > 0 ? t("No later throw.") : t("No earlier throw."));
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
    fill(this.play, t("Pause"));
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.play.setAttribute("aria-pressed", "false");
    fill(this.play, t("Play back"));
  }
}

/** An event in words, with all its data, and the events around it. */
class PastEvent {
  /** @param {(version: number) => void} go */
  constructor(go) {
    this.go = go;
    this.event = h("section.card.inspect-event", { "aria-labelledby": "event-title" });
    this.around = h("ol.inspect-around", { "aria-label": t("Nearby events") });
    this.clock = h("span.soft");
    this.elements = [this.event, card("around-title", t("Nearby events"), this.clock, this.around)];
  }

  /** @param {Entry} entry @param {Entry[]} around @param {string} book @param {Drawing | null} drawing */
  show(entry, around, book, drawing) {
    const rows = entry.events.map((row) => h("li", rowInWords(row, drawing), " ", ruleLink(book, row.clause)));
    fill(
      this.event,
      h("h2", { id: "event-title" }, t("Event {version}", { version: entry.version })),
      h("ul.plain", rows),
      each("dl.facts", {}, factsOf(entry), ([name, text]) => [h("dt", name), h("dd", text)]),
      h("details", h("summary", t("Raw data")), h("pre", { tabindex: 0 }, JSON.stringify(entry, null, 2))),
    );
    fill(this.clock, t("{zone} time", { zone: zoneWords() }));
    fillEach(this.around, around, (one) => this.line(one, drawing, one.version === entry.version));
  }

  /** @param {Entry} entry @param {Drawing | null} drawing @param {boolean} isHere */
  line(entry, drawing, isHere) {
    return h(
      "li",
      h(
        "button.quiet",
        { type: "button", "aria-current": isHere ? "true" : null, onclick: () => this.go(entry.version) },
        h("span.number", String(entry.version)),
        h("span.soft", clockOf(entry.at)),
        h("span", entryInWords(entry, drawing)),
      ),
    );
  }
}

/** @param {Entry} entry @returns {[string, string][]} */
function factsOf(entry) {
  return [
    [t("When"), exactly(entry.at)],
    [t("Who"), entry.who ?? t("the house")],
    [t("Role"), named(entry.as ?? "–")],
    [t("Type"), entry.type],
    [t("Order"), entry.order ?? "–"],
    [t("Hash"), entry.hash],
  ];
}
