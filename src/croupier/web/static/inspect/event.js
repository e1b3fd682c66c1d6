// An event in words, with all that the record says of it, and the events around it.

import { fill, h, ruleLink } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { clockOf, exactly, zoneWords } from "../shared/times.js";
import { entryInWords, rowInWords } from "./event-sentences.js";

export class EventThen {
  /** @param {(version: number) => void} go */
  constructor(go) {
    this.go = go;
    this.event = h("section.card.inspect-event", { "aria-labelledby": "event-title" });
    this.around = h("ol.inspect-around", { "aria-label": "Nearby events" });
    this.clock = h("span.soft");
    this.elements = [this.event, card("around-title", "Nearby events", this.clock, this.around)];
  }

  /** @param {any} entry @param {any[]} around @param {string} book @param {any} drawing */
  show(entry, around, book, drawing) {
    const rows = entry.events.map((/** @type {any} */ row) =>
      h("li", rowInWords(row, drawing), " ", ruleLink(book, row.clause)),
    );
    fill(
      this.event,
      h("h2", { id: "event-title" }, `Event ${entry.version}`),
      h("ul.plain", rows),
      h(
        "dl.facts",
        facts(entry).map(([name, text]) => [h("dt", name), h("dd", text)]),
      ),
      h("details", h("summary", "Raw data"), h("pre", { tabindex: 0 }, JSON.stringify(entry, null, 2))),
    );
    fill(this.clock, `${zoneWords()} time`);
    fill(
      this.around,
      around.map((one) => this.line(one, drawing, one.version === entry.version)),
    );
  }

  /** @param {any} entry @param {any} drawing @param {boolean} isHere */
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

/** @param {any} entry @returns {[string, string][]} */
function facts(entry) {
  return [
    ["When", exactly(entry.at)],
    ["Who", entry.who ?? "the house"],
    ["Role", entry.as ?? "–"],
    ["Type", entry.type],
    ["Order", entry.order ?? "–"],
    ["Hash", entry.hash],
  ];
}
