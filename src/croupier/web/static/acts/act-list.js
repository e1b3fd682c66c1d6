// The list of acts: what the table would take just now comes first, the rest lies folded by topic; words filter both.

import { get } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";

/** @typedef {import("./position.js").Desk} Desk */
/** @typedef {import("./position.js").Act} Act */

/** Topics in the order in which they are listed. @type {Record<string, string>} */
export const TOPICS = {
  signs: "Limits, signs, closing",
  throw: "The throw: calls and overruling",
  betting: "Wagers",
  payments: "Wrong payments and refunds",
  disputes: "Disputes and complaints",
  people: "People and exclusions",
  corrections: "Wrong results",
  equipment: "Equipment and faults",
  dice: "Dice and coins",
  chips: "Chips and the float",
};

/** @param {string} topic @returns {string} */
export function topicWords(topic) {
  return TOPICS[topic] ?? (topic.charAt(0).toUpperCase() + topic.slice(1).replace(/_/g, " ") || "More");
}

/** All topics of some acts, in their order. @param {Act[]} acts */
export function topicsOf(acts) {
  return [...new Set([...Object.keys(TOPICS), ...acts.map((act) => act.topic)])];
}

/** What the table would take now, tried by the house; none where it cannot be told. @param {Desk} desk @returns {Promise<string[]>} */
function possible(desk) {
  return get(`/tables/${encodeURIComponent(desk.table)}/acts`).catch(() => []);
}

export class ActList {
  /** @param {Desk} desk @param {Act[]} acts @param {(act: Act) => void} ask @param {(act: Act) => string} plain an act in words */
  constructor(desk, acts, ask, plain) {
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
    this.found = h("p", { class: "soft", role: "status" }, "One moment …");
    this.parts = h("div", { class: "act-list" });
    this.element = h(
      "div",
      { onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      h("label", { class: "search" }, h("span", {}, "Search"), this.search),
      this.found,
      this.parts,
    );
    const steps = desk.steps.map((step) => step.line.do);
    void possible(desk).then((now) => {
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
    const total = shown.length === 1 ? "1 act" : `${shown.length} acts`;
    fill(this.found, shown.length === 0 ? "No act has these words." : `${total}, ${first.length} possible now`);
    fill(
      this.parts,
      this.part("Possible now", first),
      this.words.length > 0 ? this.part("Others", rest) : this.folded(rest),
    );
  }

  /** @param {string} heading @param {Act[]} acts */
  part(heading, acts) {
    if (acts.length === 0) return null;
    return h("section", { "aria-label": heading }, h("h3", {}, heading), this.list(acts));
  }

  /** @param {Act[]} acts */
  folded(acts) {
    return topicsOf(acts).map((topic) => {
      const own = acts.filter((act) => act.topic === topic);
      if (own.length === 0) return null;
      const count = h("span", { class: "soft" }, String(own.length));
      return h("details", { class: "topic" }, h("summary", {}, topicWords(topic), " ", count), this.list(own));
    });
  }

  /** @param {Act[]} acts */
  list(acts) {
    const button = (/** @type {Act} */ act) =>
      h(
        "button",
        { type: "button", class: "quiet wide", onclick: () => this.ask(act) },
        this.plain(act),
        h("span", { class: "soft" }, ` ${act.clause}`),
      );
    return h(
      "ul",
      { class: "plain acts" },
      acts.map((act) => h("li", {}, button(act))),
    );
  }

  /** Enter takes the first that was found; arrows go from one to the next. @param {KeyboardEvent} event */
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
