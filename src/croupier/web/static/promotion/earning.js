// How play earns entries: the amount for a ticket, at which tables, on which wagers.

import { named, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { sample } from "../shared/words.js";
import { amount } from "./line-form.js";
import { dollars } from "./words.js";

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
    return { box, label: h("label.tick", box, " ", named(words)) };
  });
}

export class EarningEditor {
  /** @param {Earning | null} earning @param {Known} known @param {() => void} changed */
  constructor(earning, known, changed) {
    this.is = h("input", { type: "checkbox", checked: earning !== null });
    this.amount = h("input", {
      inputmode: "decimal",
      placeholder: sample(),
      value: earning && sample(earning.amount),
      autocomplete: "off",
    });
    this.tables = boxes(known.tables, earning?.tables ?? [], changed);
    this.wagers = boxes(known.wagers, earning?.wagers ?? [], changed);
    this.problem = h("p.problem");
    this.amount.addEventListener("input", changed);
    this.rest = h(
      "div",
      { hidden: earning === null },
      h("label.short", h("span", t("Amount staked for each ticket")), this.amount),
      this.problem,
      h(
        "fieldset.ticks",
        h("legend", t("Tables (tick none for all tables of this game)")),
        this.tables.map(({ label }) => label),
      ),
      h(
        "details",
        { open: (earning?.wagers.length ?? 0) > 0 },
        h("summary", t("Only some wagers")),
        h(
          "fieldset.ticks",
          h("legend", t("Wagers (tick none for all wagers)")),
          this.wagers.map(({ label }) => label),
        ),
      ),
    );
    this.is.addEventListener("change", () => {
      this.rest.hidden = !this.is.checked;
      changed();
    });
    this.element = h("div.earning", h("label.tick", this.is, " ", t("Play at the tables earns entries")), this.rest);
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
  if (earning === null) return t("Entries are added by the house, not earned by play.");
  const names = (/** @type {string[]} */ ids, /** @type {Map<string, string>} */ known) =>
    ids.map((id) => named(known.get(id) ?? id)).join(", ");
  const words = {
    amount: dollars(earning.amount),
    tables: names(earning.tables, known.tables),
    wagers: names(earning.wagers, known.wagers),
  };
  const counts = t("Wagers count once they are won or lost, from the start until entries close.");
  return `${eachTicket(earning, words)} ${counts}`;
}

/** What earns a ticket. @param {Earning} earning @param {Record<string, string>} words */
function eachTicket({ tables, wagers }, words) {
  if (tables.length > 0)
    return wagers.length > 0
      ? t("One ticket for each {amount} staked at {tables}, on {wagers}.", words)
      : t("One ticket for each {amount} staked at {tables}, on any wager.", words);
  return wagers.length > 0
    ? t("One ticket for each {amount} staked at every table of this game, on {wagers}.", words)
    : t("One ticket for each {amount} staked at every table of this game, on any wager.", words);
}
