// Favourite layouts: what lies on the felt, saved under a name and placed again as one action. Kept in this browser, for
// all tables of a book.

import { rich, t } from "../shared/catalogue.js";
import { announce, each, fill, h } from "../shared/dom.js";
import { button, field, openDialog, submitting } from "../shared/parts.js";
import { cents, money } from "../shared/words.js";
import { price } from "./funds.js";

/** @import { Pick } from "../felt/area.js" */
/** @import { AutoRebet } from "./auto-rebet.js" */
/** @import { BetQueue, Line } from "./bet-queue.js" */
/** @import { Stakes } from "./stakes.js" */
/** @typedef {{wager: string, pick: Pick, amount: string}} Saved */
/** @typedef {{name: string, wagers: Saved[]}} Layout */

const MOST = 12; // layouts of a book
const LONGEST = 30; // letters of a name

export class Favourites {
  /** @param {{stakes: Stakes, queue: BetQueue, auto: AutoRebet}} parts */
  constructor({ stakes, queue, auto }) {
    this.stakes = stakes;
    this.queue = queue;
    this.auto = auto;
    this.kept = `croupier-layouts-${stakes.drawing.book}`;
    this.button = h(
      "button.favourites",
      { type: "button", title: t("Favourite layouts and auto-rebet"), onclick: () => this.open() },
      h("span", { "aria-hidden": "true" }, "★"),
      h("span.heard", t("Favourites")),
    );
    this.body = h("div");
  }

  /** @returns {Layout[]} */
  get layouts() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.kept) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /** @param {Layout[]} layouts */
  keep(layouts) {
    localStorage.setItem(this.kept, JSON.stringify(layouts.slice(0, MOST)));
    this.draw();
  }

  open() {
    this.body = h("div");
    this.draw();
    openDialog("favourites-list", "favourites-title", this.body);
  }

  draw() {
    const { layouts } = this;
    fill(
      this.body,
      h("h2", { id: "favourites-title" }, t("Favourite layouts")),
      layouts.length === 0
        ? h("p.soft", t("Save what lies on the felt, and place it again with one press."))
        : each("ul.plain", {}, layouts, (layout) => this.row(layout)),
      this.saving(layouts),
      h("div.auto", this.auto.newSwitch()),
    );
  }

  /** @param {Layout} layout */
  row(layout) {
    const lines = this.lines(layout);
    const called = () => ({ name: h("span.heard", layout.name) }); // it is seen beside the buttons
    const place = button(rich("Place {name}", called()), () => this.place(layout), "primary");
    place.disabled = lines.length === 0 || !this.stakes.reply?.seated;
    const away = button(
      rich("Delete {name}", called()),
      () => this.keep(this.layouts.filter((one) => one.name !== layout.name)),
      "quiet",
    );
    return h("li.row", h("span.name", layout.name), h("span.number", money(this.total(lines))), place, away);
  }

  /** @param {Layout[]} layouts */
  saving(layouts) {
    const own = this.worthSaving();
    if (own.length === 0) return h("p.soft", t("There is nothing of yours on the felt to save now."));
    if (layouts.length >= MOST) return h("p.soft", t("Delete a layout to save another one."));
    const name = h("input", { name: "layout", maxlength: LONGEST, required: true, autocomplete: "off" });
    const save = () => {
      const named = name.value.trim();
      if (!named) return;
      this.keep([...this.layouts.filter((one) => one.name !== named), { name: named, wagers: own }]);
      announce(t("{name} is saved.", { name: named }));
    };
    return h(
      "form.row",
      { onsubmit: submitting(save) },
      field(t("Name of the layout"), name),
      h("button", { type: "submit" }, t("Save what stands")),
    );
  }

  /** The player's wagers, except those that have travelled: they are made elsewhere. @returns {Saved[]} */
  worthSaving() {
    const { stakes } = this;
    const made = stakes.all.filter((one) => !stakes.hasTravelled(one));
    return made.map(({ wager, pick, amount }) => ({ wager, pick, amount }));
  }

  /** @param {Layout} layout @returns {Line[]} */
  lines({ wagers }) {
    const known = wagers.filter((one) => this.stakes.areaOf(one)?.offered);
    return known.map(({ wager, pick, amount }) => ({ do: "bet", wager, pick, amount }));
  }

  /** What a layout takes, with commission. @param {Line[]} lines */
  total(lines) {
    return lines.reduce((sum, line) => {
      const area = this.stakes.areaOf(line);
      return area ? sum + price(area, 0n, cents(line.amount ?? "0.00")) : sum;
    }, 0n);
  }

  /** @param {Layout} layout */
  place(layout) {
    this.body.closest("dialog")?.close();
    this.queue.make(this.lines(layout));
  }
}
