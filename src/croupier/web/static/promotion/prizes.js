// The prizes of a draft: each with its kind, the points that the kind asks for, and what it is declared to contain.

import { named, t } from "../shared/catalogue.js";
import { fill, fillEach, h, ruleLink } from "../shared/dom.js";
import { button, field } from "../shared/parts.js";
import { capital } from "../shared/words.js";
import { Points } from "./points.js";

/** @import { Value } from "./points.js" */
/** @typedef {import("../../types/contract.js").PrizeTerms} Prize */
/** @typedef {import("./words.js").PrizeRules} Rules */

let numbered = 0;

export class PrizeEditor {
  /** @param {string} book @param {Rules} rules @param {Prize} prize @param {{changed: () => void, remove: () => void}} hears */
  constructor(book, rules, prize, hears) {
    this.book = book;
    this.rules = rules;
    this.hears = hears;
    /** Values under other kinds, in case the kind is changed back. @type {Record<string, Value>} */
    this.remembered = { ...prize.said };
    const number = ++numbered;
    this.name = h("input", { value: prize.id, required: true, maxlength: 60, autocomplete: "off" });
    this.count = h("input", { type: "number", min: 1, step: 1, value: prize.count });
    this.kind = h(
      "select",
      rules.kinds.map((kind) =>
        h("option", { value: kind.id, selected: kind.id === prize.kind }, capital(named(kind.name))),
      ),
    );
    this.points = this.pointsOf(prize.said);
    this.place = h("div.points");
    this.declared = new Declared(book, rules, prize, hears.changed);
    this.heading = h("h3", { id: `prize-${number}` });
    this.kind.addEventListener("change", () => this.changeKind());
    for (const one of [this.name, this.count]) one.addEventListener("input", hears.changed);
    this.element = h(
      "section.prize-editor",
      { "aria-labelledby": `prize-${number}` },
      h("div.row.spread", this.heading, button(t("Remove"), hears.remove)),
      h(
        "div.prize-facts",
        field(t("Name of the prize"), this.name),
        field(t("Kind"), this.kind),
        field(t("Quantity"), this.count),
      ),
      this.place,
      this.declared.element,
    );
    this.lay();
  }

  /** @param {Record<string, Value>} said */
  pointsOf(said) {
    const kind = this.kind.value;
    const isMoney = this.rules.kinds.some(({ id, monetary }) => id === kind && monetary);
    const noInstead = isMoney || this.rules.alternative.except.includes(kind);
    const terms = this.rules.terms.filter(
      (term) =>
        term.of === "prize" &&
        (term.kinds.length === 0 || term.kinds.includes(kind)) &&
        !(term.id === "alternative" && noInstead),
    );
    return new Points(this.book, terms, said, this.hears.changed);
  }

  changeKind() {
    this.remembered = { ...this.remembered, ...this.points.said };
    this.points = this.pointsOf(this.remembered);
    this.points.rest = {};
    this.lay();
    this.hears.changed();
  }

  lay() {
    fillEach(this.place, this.points.points, (point) => point.element);
  }

  show() {
    this.points.show();
    fill(this.heading, this.name.value.trim() || t("A prize"));
  }

  /** @returns {Prize} */
  get value() {
    return {
      id: this.name.value.trim(),
      kind: this.kind.value,
      said: this.points.said,
      count: Number(this.count.value) || 0,
      contains: this.declared.contains,
      millilitres: this.declared.millilitres,
    };
  }
}

/** Prohibited contents: the drafter declares them, and the rules decide. */
class Declared {
  /** @param {string} book @param {Rules} rules @param {Prize} prize @param {() => void} changed */
  constructor(book, rules, prize, changed) {
    const own = rules.prohibited.filter((row) => row.above_litres === null);
    const measured = rules.prohibited.find((row) => row.above_litres !== null);
    this.ticks = own.flatMap((row) =>
      row.things.map((thing) => {
        const box = h("input", { type: "checkbox", value: thing, checked: prize.contains.includes(thing) });
        return { box, row };
      }),
    );
    const litres = prize.millilitres ? String(prize.millilitres / 1000) : "";
    this.litres = h("input", {
      inputmode: "decimal",
      pattern: "[0-9]*([.][0-9]{1,3})?",
      placeholder: "0",
      value: litres,
    });
    this.kept = prize.millilitres;
    this.problem = h("p.problem");
    for (const input of [this.litres, ...this.ticks.map(({ box }) => box)]) input.addEventListener("input", changed);
    this.element = h(
      "details.declared",
      { open: prize.contains.length > 0 || prize.millilitres > 0 },
      h("summary", t("Prohibited contents")),
      h("p.soft", t("Tick what applies."), " ", ruleLink(book, rules.prohibited_clause)),
      h(
        "div.ticks",
        this.ticks.map(({ box, row }) =>
          h("span.declared-thing", h("label.tick", box, " ", capital(named(box.value))), ruleLink(book, row.clause)),
        ),
      ),
      measured &&
        h(
          "label.litres",
          h("span", t("Litres of {thing}", { thing: named(measured.things[0] ?? "") })),
          this.litres,
          h(
            "span.soft",
            t("Up to {litres} are allowed.", { litres: measured.above_litres ?? "" }),
            " ",
            ruleLink(book, measured.clause),
          ),
        ),
      this.problem,
    );
  }

  get contains() {
    return this.ticks.filter(({ box }) => box.checked).map(({ box }) => box.value);
  }

  get millilitres() {
    const litres = Number(this.litres.value.trim() || "0");
    return Number.isFinite(litres) ? Math.round(litres * 1000) : this.kept;
  }

  /** @param {import("../shared/dom.js").Child} words */
  blame(words) {
    fill(this.problem, words);
    if (!words) return;
    this.element.open = true;
    this.element.scrollIntoView({ block: "center" });
  }
}
