// Alerts: they stay until somebody answers for them. Who did, and when, is told under them.

import { post, Refused, url } from "../shared/api.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, button, errorWords, head, setWords, submitting } from "../shared/parts.js";
import { ago, timeOf } from "../shared/times.js";

/**
 * @typedef {object} Alert
 * @property {string} table @property {string} title @property {string} book @property {string} zone @property {number} event
 * @property {string} words @property {string} tells @property {string | null} clause @property {string | null} who
 * @property {string} at @property {string} since
 * @property {{who: string | null, at: string, note: string} | null} answered
 */
/**
 * What can be done: `answered` hears of an answer, `look` opens a table.
 * @typedef {{mayAnswer: boolean, answered: () => void, look: (table: string) => void}} Doing
 */
/** @typedef {{open: Alert[], coming: Alert[], answered: Alert[]}} Told */

/** @param {Alert} alert */
function keyOf(alert) {
  return `${alert.table} ${alert.event}`;
}

/** What happened, in a sentence. @param {Alert} alert @returns {string} */
function sentence(alert) {
  return `${alert.who ?? "The house"} ${alert.tells}.`;
}

/** One alert that waits for an answer. What is being written stays when the page is brought up to date. */
class Waiting {
  /** @param {Alert} alert @param {Doing} doing */
  constructor(alert, doing) {
    this.alert = alert;
    this.since = h("span.soft");
    this.problem = alertLine();
    const id = `note-${alert.table}-${alert.event}`;
    this.note = h("input", { id, name: "note", required: true, maxlength: 200, autocomplete: "off" });
    this.button = h("button.primary", { type: "submit" }, "Answer");
    const form = h(
      "form.answer",
      {
        onsubmit: submitting(() => this.answer(doing.answered)),
      },
      h("label", { for: id }, h("span", "What was done"), this.note),
      this.button,
      button("Go to the table", () => doing.look(alert.table)),
    );
    this.element = h(
      "li.alert.card",
      h("div.row", h("span.pill.warn", `! ${alert.words}`), h("strong", alert.title), this.since),
      h("p", sentence(alert), " ", ruleLink(alert.book, alert.clause)),
      doing.mayAnswer ? form : h("p.soft", "A supervisor must answer this."),
      this.problem,
    );
    this.tick();
  }

  tick() {
    const { since, zone } = this.alert;
    const words = `since ${timeOf(since, zone)}, ${ago(since)}`;
    setWords(this.since, words);
  }

  /** @param {() => void} answered */
  async answer(answered) {
    const { table, event } = this.alert;
    this.button.disabled = true;
    fill(this.problem);
    try {
      await post(url`/tables/${table}/alerts/${event}/answer`, { note: this.note.value.trim() });
      announce(`Answered: ${this.alert.words}, ${this.alert.title}.`);
      answered();
    } catch (error) {
      fill(this.problem, errorWords(error));
      if (error instanceof Refused && error.code === "alert_answered") answered();
    } finally {
      this.button.disabled = false;
    }
  }
}

/** @param {Alert} alert */
function answeredRow(alert) {
  const given = alert.answered;
  return h(
    "tr",
    h("td", h("strong", alert.words), `, ${alert.title}`, h("br"), h("span.soft", sentence(alert))),
    h("td", timeOf(alert.since, alert.zone)),
    h("td", given?.who ?? "the house"),
    h("td", given ? timeOf(given.at, alert.zone) : ""),
    h("td", given?.note ?? ""),
  );
}

export class Alerts {
  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    /** @type {Map<string, Waiting> | null} */
    this.waiting = null;
    this.count = h("span.pill");
    this.none = h("p.soft", "No open alerts.");
    this.list = h("ul.alerts");
    this.lately = h("tbody");
    this.past = h(
      "details",
      { hidden: true },
      h("summary", "Recently answered"),
      h(
        "div.scroll",
        { tabindex: 0, role: "region", "aria-label": "Recently answered" },
        h("table", head(["What", "Since", "Answered by", "At", "Note"]), this.lately),
      ),
    );
    this.shownLately = "";
    this.element = h(
      "section",
      { "aria-labelledby": "alerts-title" },
      h("h2", { id: "alerts-title" }, "Alerts ", this.count),
      this.none,
      this.list,
      this.past,
    );
  }

  /** @param {Told} reply */
  show(reply) {
    const before = this.waiting;
    /** @type {Map<string, Waiting>} */
    const after = new Map();
    for (const alert of reply.open) {
      const key = keyOf(alert);
      after.set(key, before?.get(key) ?? new Waiting(alert, this.doing));
      if (before && !before.has(key)) announce(`Alert: ${alert.words}, ${alert.title}. ${sentence(alert)}`, true);
    }
    this.waiting = after;
    this.place([...after.values()].map((one) => one.element));
    this.none.hidden = after.size > 0;
    fill(this.count, String(after.size));
    this.count.className = after.size > 0 ? "pill warn" : "pill";
    this.count.setAttribute("aria-label", `${after.size} open`);
    this.showLately(reply.answered);
  }

  /** Only what is new moves: whoever writes a note keeps the place. @param {HTMLElement[]} elements */
  place(elements) {
    for (const old of [...this.list.children]) if (!elements.includes(/** @type {HTMLElement} */ (old))) old.remove();
    elements.forEach((element, place) => {
      if (this.list.children[place] !== element) this.list.insertBefore(element, this.list.children[place] ?? null);
    });
  }

  /** @param {Alert[]} answered */
  showLately(answered) {
    const key = answered.map(keyOf).join(",");
    if (key === this.shownLately) return;
    this.shownLately = key;
    this.past.hidden = answered.length === 0;
    fill(this.lately, answered.map(answeredRow));
  }

  tick() {
    for (const one of this.waiting?.values() ?? []) one.tick();
  }
}
