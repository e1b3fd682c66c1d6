// The list of acts: those possible now first, the rest folded by topic; a search filters both.

import { get, url } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { each, fill, h, inEnglish } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { capital, readable } from "../shared/words.js";

/** @import { Position, Act } from "./position.js" */

/** Topics in the order in which they are listed. @type {Record<string, string>} */
export const TOPICS = {
  signs: t("Limits, signs, closing"),
  throw: t("The throw: calls and overruling"),
  betting: t("Wagers"),
  payments: t("Wrong payments and refunds"),
  disputes: t("Disputes and complaints"),
  people: t("People and exclusions"),
  corrections: t("Wrong results"),
  equipment: t("Equipment and faults"),
  dice: t("Dice and coins"),
  chips: t("Chips and the float"),
};

/** @param {string} topic @returns {string} */
export function topicWords(topic) {
  return TOPICS[topic] ?? (readable(capital(topic)) || t("More"));
}

/** The topics of some acts, in order. @param {Act[]} acts */
export function topicsOf(acts) {
  return [...new Set([...Object.keys(TOPICS), ...acts.map((act) => act.topic)])];
}

/** The acts that the table would accept now, as the house finds. @param {Position} position @returns {Promise<string[]>} */
function possible(position) {
  return get(url`/tables/${position.table}/acts`).catch(() => []);
}

export class ActList {
  /** @param {Position} position @param {Act[]} acts @param {(act: Act) => void} ask @param {(act: Act) => string} plain an act in words */
  constructor(position, acts, ask, plain) {
    this.acts = acts;
    this.ask = ask;
    this.plain = plain;
    /** @type {string[] | null} until the house has answered */
    this.now = null;
    this.search = h("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      "aria-keyshortcuts": "Enter ArrowDown",
      oninput: () => this.show(),
    });
    this.found = h("p.soft", { role: "status" }, t("Loading …"));
    this.parts = h("div.act-list");
    this.element = h(
      "div",
      { onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      h("label.search", h("span", t("Search")), this.search),
      this.found,
      this.parts,
    );
    const steps = position.steps.map((step) => step.line.do);
    void possible(position).then((now) => {
      this.now = now;
      this.acts = [...acts].sort((one, other) => Number(steps.includes(other.id)) - Number(steps.includes(one.id)));
      this.show();
    });
  }

  /** @returns {string[]} */
  get words() {
    return this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** @param {Act} act */
  isFound(act) {
    const text = `${this.plain(act)} ${act.says.join(" ")} ${act.id} ${act.clause}`.toLowerCase();
    return this.words.every((word) => text.includes(word));
  }

  show() {
    const { now } = this;
    if (now === null) return;
    const shown = this.acts.filter((act) => this.isFound(act));
    const first = shown.filter((act) => now.includes(act.id));
    const rest = shown.filter((act) => !now.includes(act.id));
    fill(
      this.found,
      shown.length === 0
        ? t("No act matches.")
        : plural(shown.length, "{n} act, {now} possible now", "{n} acts, {now} possible now", { now: first.length }),
    );
    fill(
      this.parts,
      this.part(t("Possible now"), first),
      this.words.length > 0 ? this.part(t("Other acts"), rest) : this.folded(rest),
    );
  }

  /** @param {string} heading @param {Act[]} acts */
  part(heading, acts) {
    if (acts.length === 0) return null;
    return h("section", { "aria-label": heading }, h("h3", heading), this.list(acts));
  }

  /** @param {Act[]} acts */
  folded(acts) {
    return topicsOf(acts).map((topic) => {
      const own = acts.filter((act) => act.topic === topic);
      if (own.length === 0) return null;
      const count = h("span.soft", String(own.length));
      return h("details.topic", h("summary", topicWords(topic), " ", count), this.list(own));
    });
  }

  /** @param {Act[]} acts */
  list(acts) {
    const row = (/** @type {Act} */ act) =>
      button([inEnglish(this.plain(act)), h("span.soft", ` ${act.clause}`)], () => this.ask(act), "quiet wide");
    return each("ul.plain.acts", {}, acts, (act) => h("li", row(act)));
  }

  /** Enter takes the first match; arrow keys move between matches. @param {KeyboardEvent} event */
  key(event) {
    const listed = /** @type {HTMLElement[]} */ ([...this.parts.querySelectorAll("button, summary")]);
    const all = listed.filter((one) => one.checkVisibility());
    const isSearching = event.target === this.search;
    if (event.key === "Enter" && isSearching && this.words.length > 0) all[0]?.click();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const at = all.indexOf(/** @type {HTMLElement} */ (event.target)) + (event.key === "ArrowDown" ? 1 : -1);
      (at < 0 ? this.search : all[Math.min(at, all.length - 1)])?.focus();
    } else return;
    event.preventDefault();
  }
}
