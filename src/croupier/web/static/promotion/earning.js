// How play earns entries: the amount for a ticket, at which tables, on which wagers.

import { fill, h } from "../shared/dom.js";
import { amount } from "./line-form.js";

/** @typedef {import("../../types/contract.js").Earning} Earning */
/** The choices. @typedef {{tables: Map<string, string>, wagers: Map<string, string>}} Known */

/** @param {Map<string, string>} known @param {string[]} chosen @param {() => void} changed */
function boxes(known, chosen, changed) {
  const all = new Map([
    ...known,
    ...chosen.filter((id) => !known.has(id)).map((id) => /** @type {const} */ ([id, id])),
  ]);
  return [...all].map(([value, words]) => {
    const box = h("input", { type: "checkbox", value, checked: chosen.includes(value), onchange: changed });
    return { box, label: h("label.tick", box, " ", words) };
  });
}

export class EarningEditor {
  /** @param {Earning | null} earning @param {Known} known @param {() => void} changed */
  constructor(earning, known, changed) {
    this.is = h("input", { type: "checkbox", checked: earning !== null });
    this.amount = h("input", {
      inputmode: "decimal",
      placeholder: "10.00",
      value: earning?.amount,
      autocomplete: "off",
    });
    this.tables = boxes(known.tables, earning?.tables ?? [], changed);
    this.wagers = boxes(known.wagers, earning?.wagers ?? [], changed);
    this.problem = h("p.problem");
    this.amount.addEventListener("input", changed);
    this.rest = h(
      "div",
      { hidden: earning === null },
      h("label.short", h("span", "Amount staked for each ticket"), this.amount),
      this.problem,
      h(
        "fieldset.ticks",
        h("legend", "Tables (tick none for all tables of this game)"),
        this.tables.map(({ label }) => label),
      ),
      h(
        "details",
        { open: (earning?.wagers.length ?? 0) > 0 },
        h("summary", "Only some wagers"),
        h(
          "fieldset.ticks",
          h("legend", "Wagers (tick none for all wagers)"),
          this.wagers.map(({ label }) => label),
        ),
      ),
    );
    this.is.addEventListener("change", () => {
      this.rest.hidden = !this.is.checked;
      changed();
    });
    this.element = h("div.earning", h("label.tick", this.is, " Play at the tables earns entries"), this.rest);
  }

  /** @param {import("../shared/dom.js").Child} words nothing where all is well */
  blame(words) {
    fill(this.problem, words);
    this.amount.setAttribute("aria-invalid", words ? "true" : "false");
    if (words) this.amount.focus();
  }

  /** @returns {Earning | null} */
  get value() {
    if (!this.is.checked) return null;
    const chosen = (/** @type {{box: HTMLInputElement}[]} */ all) =>
      all.filter(({ box }) => box.checked).map(({ box }) => box.value);
    return { amount: amount(this.amount.value), tables: chosen(this.tables), wagers: chosen(this.wagers) };
  }
}

/** In words. @param {Earning | null} earning @param {Known} known */
export function earningWords(earning, known) {
  if (earning === null) return "Entries are added by the house, not earned by play.";
  const named = (/** @type {string[]} */ ids, /** @type {Map<string, string>} */ names) =>
    ids.map((id) => names.get(id) ?? id).join(", ");
  const where = earning.tables.length > 0 ? `at ${named(earning.tables, known.tables)}` : "at every table of this game";
  const what = earning.wagers.length > 0 ? `on ${named(earning.wagers, known.wagers)}` : "on any wager";
  return (
    `One ticket for each $${earning.amount.replace(/\.00$/, "")} staked ${where}, ${what}. ` +
    "Wagers count once they are won or lost, from the start until entries close."
  );
}
