// A player's acts besides betting, at a table with a dealer: buttons for what matters now, a list for the rest.

import { caseRows, openActs } from "../acts/act-form.js";
import { asked } from "../acts/act-words.js";
import { Position } from "../acts/position.js";
import { faceName } from "../results/faces.js";
import { get, url } from "../shared/api.js";
import { listed, t } from "../shared/catalogue.js";
import { announce, fill, h, inEnglish } from "../shared/dom.js";
import { button, Drawn } from "../shared/parts.js";
import { readable } from "../shared/words.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { BookActs, Line } from "../acts/position.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Me } from "../shared/session.js" */

/** @typedef {import("../../types/contract.js").OwnAct & {line: Line}} Offered */

/** A player's position: the same orders as a dealer's, in another role, with less in view. */
class PlayerPosition extends Position {
  /** @type {(words: string) => void} hears what was said */
  said = () => {};

  /** @override @returns {string | null} */
  get role() {
    return this.felt.seated ? "player" : null;
  }

  /** Other players' names are hidden here: a name is typed. @override @returns {string[]} */
  get players() {
    return [];
  }

  /** Wagers are made on the felt. @override @param {string} _word */
  command(_word) {
    return undefined;
  }

  /** @override */
  moment() {
    const { bets, open, results, own_acts } = this.felt;
    return JSON.stringify([bets, open, results?.at(-1), own_acts]);
  }

  /** @returns {Offered[]} */
  get now() {
    return /** @type {Offered[]} */ (this.felt.own_acts);
  }

  /** A line in words: `Accept the dice`. @param {Line} line */
  words(line) {
    const says = this.book.acts.find((act) => act.id === line.do)?.says[0] ?? line.do;
    return asked(says).replace(/\{(\w+)\}/g, (_, field) => given(line[field]));
  }

  /** @override @param {Line} line @param {HTMLElement} beside @returns {Promise<any>} */
  async say(line, beside) {
    const reply = await super.say(line, beside);
    if (reply) this.said(this.words(line));
    return reply;
  }
}

/** A value given with an act. @param {any} value */
function given(value) {
  if (Array.isArray(value)) return listed(value.map(faceName));
  return readable(String(value ?? "…"));
}

export class PlayerActs {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {PlayerPosition | null} */
    this.seat = null;
    this.isAsking = false;
    this.shown = "";
    this.offered = "";
    this.buttons = h("div.row", { role: "group", "aria-labelledby": "says-title", tabindex: -1 });
    this.beside = h("div.beside");
    this.cases = h("ul.plain.cases", { "aria-label": t("Your open cases"), hidden: true });
    this.shownCases = new Drawn();
    this.element = h(
      "section.card.says",
      { "aria-labelledby": "says-title", hidden: true },
      h("h2", { id: "says-title" }, t("Actions")),
      this.buttons,
      this.beside,
      this.cases,
    );
  }

  /** The player's own open cases, with what they may do next. @param {PlayerPosition} seat */
  drawCases(seat) {
    /** @type {import("../acts/cases.js").Case[]} */
    const open = seat.felt.cases ?? [];
    if (this.shownCases.isSame(open)) return;
    fill(this.cases, caseRows(seat, open));
    this.cases.hidden = open.length === 0;
  }

  /** Show the table's state. @param {FeltReply} felt @param {Drawing} drawing @param {Me | null} me */
  show(felt, drawing, me) {
    const isHere = me !== null && felt.seated && felt.open && !felt.by_itself;
    this.element.hidden = !isHere || !this.seat;
    if (!isHere) return;
    if (!this.seat) return void this.ask(felt, drawing, me);
    this.seat.drawing = drawing;
    this.seat.felt = felt;
    this.draw(this.seat);
  }

  /** Fetch the acts of the book. @param {FeltReply} felt @param {Drawing} drawing @param {Me} me */
  async ask(felt, drawing, me) {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      /** @type {BookActs} */
      const book = await get(url`/books/${drawing.book}/acts`);
      const seat = new PlayerPosition(this.table, me, drawing, book, felt);
      seat.changed = () => this.draw(seat);
      seat.said = (words) => fill(this.beside, h("p.soft.told", { role: "status" }, t("Done: {act}.", { act: words })));
      this.seat = seat;
      this.show(felt, drawing, me);
    } catch {
      // no answer: asked for again at the next change
    } finally {
      this.isAsking = false;
    }
  }

  /** Say beside the buttons what staff did, until something else can be done; the calls say it aloud. @param {string} words */
  tell(words) {
    if (words) fill(this.beside, h("p.told", `${words}.`));
  }

  /** The next thing to say: it is seen, and what was done before is history. @param {boolean} isFirst after a time with nothing */
  turnTo(isFirst) {
    this.beside.querySelector(".told")?.remove();
    if (isFirst) this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {PlayerPosition} seat */
  draw(seat) {
    this.drawCases(seat);
    const { now } = seat;
    const shown = JSON.stringify([now, seat.isSending]);
    if (shown === this.shown) return;
    const isOther = JSON.stringify(now) !== this.offered;
    if (isOther && now.length > 0) this.turnTo(this.offered === "[]");
    this.shown = shown;
    this.offered = JSON.stringify(now);
    const more = now.length > 0 ? t("More actions …") : t("Actions …");
    const at = [...this.buttons.children].indexOf(/** @type {Element} */ (document.activeElement));
    fill(
      this.buttons,
      now.map((one) => this.button(seat, one)),
      button(more, () => openActs(seat), "quiet"),
    );
    if (isOther && now.length > 0)
      announce(t("You can now: {acts}.", { acts: now.map((one) => one.words).join(", ") }));
    if (at >= 0 && !document.querySelector("dialog[open]")) this.keep(isOther ? null : this.buttons.children[at]);
  }

  /** Keep the focus; if the buttons have changed, on none of them. @param {Element | null | undefined} button */
  keep(button) {
    const isThere = button instanceof HTMLButtonElement && !button.disabled;
    (isThere ? button : this.buttons).focus({ preventScroll: true });
  }

  /** @param {PlayerPosition} seat @param {Offered} one */
  button(seat, { words, line, goes_on }) {
    const press = () => void seat.say(line, this.beside);
    const kind = goes_on ? "primary" : null;
    return h("button", { type: "button", class: kind, disabled: seat.isSending, onclick: press }, inEnglish(words));
  }
}
