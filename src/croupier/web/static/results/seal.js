// The seal in the strip: while bets are open, the fingerprint that fixes the dice; then, that this device has checked
// the throw. Press it to see how.

import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { openDialog } from "../shared/parts.js";
import { brief, CheckPanel, shield } from "./check-panel.js";
import { roundAddress, roundLink } from "./round-links.js";

/** @import { Numbers } from "../fairness/numbers.js" */
/** @import { Felt } from "../../types/contract.js" */
/** @import { Mark } from "./check-round.js" */

export class Seal {
  /** @param {string} table @param {Numbers} numbers */
  constructor(table, numbers) {
    this.table = table;
    this.numbers = numbers;
    /** @type {Map<number, string>} the seals that this page has shown, by their rounds */
    this.seen = new Map();
    this.number = 0; // the round that it is about
    this.zone = "UTC";
    this.shown = "";
    this.words = h("span.seal-words");
    this.element = h("button.seal", { type: "button", hidden: true, onclick: () => this.open() }, this.words);
  }

  /** @param {Felt} reply */
  show(reply) {
    const { round, zone } = reply;
    this.zone = zone;
    const last = reply.results?.findLast((one) => one.round !== null)?.round ?? 0;
    this.element.hidden = !reply.by_itself || (!round && last === 0);
    if (round) this.see(round.number, round.commitment);
    this.number = round ? round.number : last;
    this.draw(round ? round.commitment : null);
  }

  /** Remember what was on the screen. @param {number} number @param {string} commitment */
  see(number, commitment) {
    if (!this.seen.has(number)) this.seen.set(number, commitment);
    for (const old of this.seen.keys()) if (old < number - 60) this.seen.delete(old);
  }

  /** @param {string | null} commitment of a round under way */
  draw(commitment) {
    const isGood = commitment === null ? this.numbers.checked(this.number) : null;
    const state = `${this.number} ${commitment} ${isGood}`;
    if (state === this.shown) return;
    this.shown = state;
    const mark = /** @type {Mark} */ (
      commitment !== null ? "wait" : isGood === null ? "note" : isGood ? "good" : "bad"
    );
    this.element.className = `seal ${mark}`;
    fill(this.element, shield(mark), this.words);
    if (commitment !== null) fill(this.words, h("span.word", t("Sealed")), " ", h("code", brief(commitment)));
    else if (isGood === false) fill(this.words, t("Does not check out"));
    else if (isGood) fill(this.words, t("Checked"), " ", h("span.long", t("on this device")));
    else fill(this.words, t("Check"), " ", h("span.long", t("this throw")));
  }

  /** Open the steps of the round that the seal is about. */
  open() {
    const { table, number } = this;
    const known = () => ({ own: this.numbers.own(number), seal: this.seen.get(number) ?? null });
    const panel = new CheckPanel(table, number, this.zone, known);
    const before =
      number > 1 &&
      roundLink(
        roundAddress(table, { round: number - 1 }),
        t("The throw before, round {round}", { round: number - 1 }),
      );
    const again = h("button", { type: "button", onclick: () => void panel.run() }, t("Check again"));
    openDialog(
      "check-dialog",
      "check-heading",
      h("h2", { id: "check-heading" }, t("Round {round}", { round: number })),
      panel.element,
      h("p.row.spread", again, before),
    );
    void panel.run();
  }
}
