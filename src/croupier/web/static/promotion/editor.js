// The terms as a form, made from what the rules ask for. A refusal is shown at the point that it concerns.

import { Refused } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, each, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, button, refusal, setWords } from "../shared/parts.js";
import { zoneWords } from "../shared/times.js";
import { capital } from "../shared/words.js";
import { EarningEditor } from "./earning.js";

import { Points } from "./points.js";
import { PrizeEditor } from "./prizes.js";

/** @import { PrizeRules } from "./words.js" */
/** @import { Point } from "./points.js" */
/** @import { Prize } from "./prizes.js" */
/** @typedef {import("../../types/contract.js").Terms} Form */
/** A button of the form. @typedef {{words: string, primary?: boolean, lines: (terms: Form) => object[], done: string}} EditorButton */

/** In order of time; the books have another order. */
const TIMES = ["starts", "entries_close", "awarded_at"];

export class Editor {
  /**
   * @param {import("./line-form.js").LineSender} sender @param {PrizeRules} rules @param {Form} form
   * @param {import("./earning.js").Known} known @param {EditorButton[]} choices
   */
  constructor(sender, rules, form, known, choices) {
    this.sender = sender;
    this.rules = rules;
    this.book = sender.book;
    const changed = () => this.show();
    const own = rules.terms.filter((term) => term.of === "promotion");
    this.points = new Points(this.book, own, form.said, changed);
    /** @type {PrizeEditor[]} */
    this.prizes = [];
    this.prizePlace = h("div.prize-editors");
    this.earning = new EarningEditor(form.earning, known, changed);
    this.onePrize = h("input", { type: "checkbox", checked: form.one_prize_each, onchange: changed });
    this.progress = h("span.progress-words", { role: "status" });
    this.bar = h("progress", { max: 1, "aria-label": t("Required points that are written") });
    this.problem = alertLine();
    this.buttons = choices.map((choice) =>
      button(choice.words, () => void this.send(choice), choice.primary ? "primary" : null),
    );
    for (const prize of form.prizes) this.add(prize);
    this.element = this.laid();
    this.saved = sorted(this.value);
    this.show();
  }

  laid() {
    const times = TIMES.flatMap((id) => this.points.points.filter((point) => point.term.id === id));
    const rest = this.points.points.filter((point) => !times.includes(point));
    const group = (/** @type {string} */ words, /** @type {(Node | null)[]} */ ...content) =>
      h("fieldset.group", h("legend", words), content);
    return h(
      "form.editor",
      { onsubmit: (/** @type {SubmitEvent} */ event) => event.preventDefault() },
      group(t("When ({zone} time)", { zone: zoneWords() }), h("div.points.times", elements(times))),
      group(t("Terms"), h("div.points", elements(rest))),
      group(t("Prizes"), this.prizePlace, this.adding()),
      group(
        t("How entries are earned"),
        this.earning.element,
        h("label.tick", this.onePrize, " ", t("Each person can win only one prize")),
        h("p.soft", t("All the tickets that a person earns are one entry, which can win only once.")),
      ),
      h("div.editor-bar", h("div.editor-progress", this.bar, this.progress), this.problem, h("div.row", this.buttons)),
    );
  }

  adding() {
    const kind = each("select", { "aria-label": t("Kind of the new prize") }, this.rules.kinds, (one) =>
      h("option", { value: one.id }, capital(named(one.name))),
    );
    const add = () => {
      const editor = this.add({
        id: freeName(this.prizes.map((one) => one.name.value.trim())),
        kind: kind.value,
        said: {},
        count: 1,
        contains: [],
        millilitres: 0,
      });
      this.show();
      editor.name.focus();
      editor.name.select();
    };
    this.addButton = button(t("Add a prize"), add);
    return h("p.row.adding", kind, this.addButton, ruleLink(this.book, this.rules.terms_clause));
  }

  /** @param {Prize} prize */
  add(prize) {
    /** @type {PrizeEditor} */
    const editor = new PrizeEditor(this.book, this.rules, prize, {
      changed: () => this.show(),
      remove: () => {
        this.prizes = this.prizes.filter((one) => one !== editor);
        editor.element.remove();
        this.show();
        this.addButton?.focus();
      },
    });
    this.prizes.push(editor);
    this.prizePlace.append(editor.element);
    return editor;
  }

  /** @returns {Form} */
  get value() {
    return {
      said: this.points.said,
      prizes: this.prizes.map((one) => one.value),
      earning: this.earning.value,
      one_prize_each: this.onePrize.checked,
    };
  }

  /** Whether there are unsaved changes. */
  get isChanged() {
    return sorted(this.value) !== this.saved;
  }

  /** Whether it shows these terms. @param {Form} form */
  says(form) {
    return sorted(form) === sorted(this.value);
  }

  show() {
    this.points.show();
    for (const prize of this.prizes) prize.show();
    const parts = [this.points.progress, ...this.prizes.map((one) => one.points.progress)];
    const [written, due] = parts.reduce(([done, all], [more, most]) => [done + more, all + most], [0, 0]);
    const noPrize = this.prizes.length === 0;
    this.bar.max = due + Number(noPrize);
    this.bar.value = written;
    const words = noPrize
      ? t("{written} of {due} required points written, no prize yet", { written, due })
      : t("{written} of {due} required points written", { written, due });
    setWords(this.progress, words);
  }

  /** @param {EditorButton} choice */
  async send(choice) {
    this.blameNothing();
    for (const button of this.buttons) button.disabled = true;
    try {
      const terms = this.value;
      for (const line of choice.lines(terms)) {
        await this.sender.send(line);
        this.saved = sorted(terms);
      }
      announce(choice.done);
      await this.sender.stored();
    } catch (error) {
      await this.sender.stored();
      this.blame(error);
    } finally {
      for (const button of this.buttons) button.disabled = false;
    }
  }

  blameNothing() {
    fill(this.problem);
    this.earning.blame(null);
    for (const { point } of this.every()) point.blame(null);
    for (const prize of this.prizes) prize.declared.blame(null);
  }

  /** Every point with its prize. @returns {{point: Point, prize: PrizeEditor | null}[]} */
  every() {
    return [
      ...this.points.points.map((point) => ({ point, prize: null })),
      ...this.prizes.flatMap((prize) => prize.points.points.map((point) => ({ point, prize }))),
    ];
  }

  /** Show a refusal where it belongs. @param {unknown} error */
  blame(error) {
    fill(this.problem, refusal(this.book, error));
    if (!(error instanceof Refused)) return;
    const words = refusal(this.book, error);
    const [first = "", ...rest] = error.about;
    const prize = this.prizes.find((one) => one.name.value.trim() === first);
    const name = prize ? rest[0] : first;
    const found = this.every().find(({ point, prize: whose }) => point.term.id === name && whose === (prize ?? null));
    if (found) {
      found.point.blame(words);
      found.point.reach();
    } else if (prize) prize.declared.blame(words);
    else if (first === "earning") this.earning.blame(words);
    else if (first === "prizes") this.addButton?.focus();
  }
}

/** The same text for the same values, in any order. @param {unknown} value @returns {string} */
function sorted(value) {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** @param {Point[]} points */
function elements(points) {
  return points.map((point) => point.element);
}

/** @param {string[]} taken */
function freeName(taken) {
  for (let number = taken.length + 1; ; number++) {
    const name = number === 1 ? t("first prize") : t("prize {number}", { number });
    if (!taken.includes(name)) return name;
  }
}
