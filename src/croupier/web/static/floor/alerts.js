// What waits for a supervisor: alerts, which stay until one is answered with a note, and the open cases of all tables.

import { caseRow } from "../acts/cases.js";
import { post, Refused, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, fill, fillEach, h, inEnglish, ruleLink } from "../shared/dom.js";
import {
  alertLine,
  attempt,
  button,
  Drawn,
  field,
  head,
  scrolling,
  section,
  setWords,
  submitting,
} from "../shared/parts.js";
import { ago, timeOf } from "../shared/times.js";

/** @import { Case } from "../acts/cases.js" */
/** @typedef {import("../../types/contract.js").Alert} Alert */
/**
 * What can be done: `answered` is called after an answer, `look` opens a table.
 * @typedef {{mayAnswer: boolean, answered: () => void, look: (table: string) => void}} Doing
 */
/** @typedef {import("../../types/contract.js").Alerts} AlertsReply */

const HEADS = [t("What"), t("Since"), t("Answered by"), t("At"), t("Note")];

/** @param {Alert} alert */
function keyOf(alert) {
  return `${alert.table} ${alert.event}`;
}

/** What happened, in a sentence. @param {Alert} alert @returns {string} */
function sentence(alert) {
  return `${alert.who ?? "The house"} ${alert.tells}.`; // the house's own words
}

/** An alert that waits for an answer. It keeps what is being typed when the page is refreshed. */
class OpenAlert {
  /** @param {Alert} alert @param {Doing} doing */
  constructor(alert, doing) {
    this.alert = alert;
    this.since = h("span.soft");
    this.problem = alertLine();
    this.note = h("input", { name: "note", required: true, maxlength: 200, autocomplete: "off" });
    this.button = h("button.primary", { type: "submit" }, t("Answer"));
    const form = h(
      "form.answer",
      { onsubmit: submitting(() => this.answer(doing.answered)) },
      field(t("What was done"), this.note),
      this.button,
      button(t("Go to the table"), () => doing.look(alert.table)),
    );
    this.element = h(
      "li.alert.card",
      h("div.row", h("span.pill.warn", `! ${named(alert.words)}`), h("strong", alert.title), this.since),
      h("p", inEnglish(sentence(alert)), " ", ruleLink(alert.book, alert.clause)),
      doing.mayAnswer ? form : h("p.soft", t("A supervisor must answer this.")),
      this.problem,
    );
    this.tick();
  }

  tick() {
    const { since, zone } = this.alert;
    setWords(this.since, t("since {time}, {ago}", { time: timeOf(since, zone), ago: ago(since) }));
  }

  /** @param {() => void} answered */
  answer(answered) {
    const { table, event, words, title } = this.alert;
    return attempt({ problem: this.problem, buttons: [this.button] }, async () => {
      try {
        await post(url`/tables/${table}/alerts/${event}/answer`, { note: this.note.value.trim() });
        announce(t("Answered: {words}, {title}.", { words: named(words), title }));
        answered();
      } catch (error) {
        if (error instanceof Refused && error.code === "alert_answered") answered();
        throw error;
      }
    });
  }
}

/** @param {Alert} alert */
function answeredRow(alert) {
  const given = alert.answered;
  return h(
    "tr",
    h("td", h("strong", named(alert.words)), `, ${alert.title}`, h("br"), h("span.soft", inEnglish(sentence(alert)))),
    h("td", timeOf(alert.since, alert.zone)),
    h("td", given?.who ?? t("the house")),
    h("td", given ? timeOf(given.at, alert.zone) : ""),
    h("td", given?.note ?? ""),
  );
}

export class Alerts {
  /** @param {Doing} doing */
  constructor(doing) {
    this.doing = doing;
    /** @type {Map<string, OpenAlert> | null} */
    this.open = null;
    this.count = h("span.pill");
    this.none = h("p.soft", t("No open alerts."));
    this.list = h("ul.alerts");
    this.rows = h("tbody");
    const answered = scrolling(t("Recently answered"), h("table", head(HEADS), this.rows));
    this.past = h("details", { hidden: true }, h("summary", t("Recently answered")), answered);
    this.drawnPast = new Drawn();
    this.element = section(null, "alerts-title", [t("Alerts"), " ", this.count], this.none, this.list, this.past);
  }

  /** @param {AlertsReply} reply */
  show({ open, answered }) {
    const before = this.open;
    /** @type {Map<string, OpenAlert>} */
    const after = new Map();
    for (const alert of open) {
      const key = keyOf(alert);
      after.set(key, before?.get(key) ?? new OpenAlert(alert, this.doing));
      if (before && !before.has(key))
        announce(
          t("Alert: {words}, {title}. {alert}", {
            words: named(alert.words),
            title: alert.title,
            alert: sentence(alert),
          }),
          true,
        );
    }
    this.open = after;
    this.place([...after.values()].map((one) => one.element));
    this.none.hidden = after.size > 0;
    fill(this.count, String(after.size));
    this.count.className = after.size > 0 ? "pill warn" : "pill";
    this.count.setAttribute("aria-label", t("{count} open", { count: after.size }));
    this.past.hidden = answered.length === 0;
    if (!this.drawnPast.isSame(answered)) fill(this.rows, answered.map(answeredRow));
  }

  /** Move only what is new: the cursor stays in a note that is being typed. @param {HTMLElement[]} elements */
  place(elements) {
    for (const old of [...this.list.children]) if (!elements.includes(/** @type {HTMLElement} */ (old))) old.remove();
    elements.forEach((element, place) => {
      if (this.list.children[place] !== element) this.list.insertBefore(element, this.list.children[place] ?? null);
    });
  }

  tick() {
    for (const one of this.open?.values() ?? []) one.tick();
  }
}

/** The open cases of all tables: the oldest first, each with its next step. */
export class Cases {
  /** @param {(table: string) => void} look opens a table */
  constructor(look) {
    this.look = look;
    this.drawn = new Drawn();
    this.count = h("span.pill");
    this.none = h("p.soft", t("No open cases."));
    this.list = h("ul.plain.cases");
    this.element = section(null, "cases-title", [t("Cases"), " ", this.count], this.none, this.list);
  }

  /** @param {Case[]} cases */
  show(cases) {
    if (this.drawn.isSame(cases)) return;
    fill(this.count, String(cases.length));
    this.count.setAttribute("aria-label", t("{count} open", { count: cases.length }));
    this.none.hidden = cases.length > 0;
    const go = (/** @type {Case} */ one) => button(t("Go to the table"), () => this.look(one.table));
    fillEach(this.list, cases, (one) => caseRow(one, (step) => step === one.next[0] && go(one), true));
  }
}
