// The calls at the table: as captions, for screen readers, and aloud if calls are on.

import { roundLink } from "../results/round-links.js";
import { t } from "../shared/catalogue.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { speak } from "../shared/sound.js";

const MOST = 40;

export class Calls {
  /** @param {string} book */
  constructor(book) {
    this.book = book;
    this.list = h("ol.calls", { tabindex: 0, "aria-label": t("Calls and settlements") });
    this.called = "";
    /** @type {string | null} the result that was taken back, until another is in its place */
    this.wrong = null;
    /** @type {string | null} where the round of the call can be seen again */
    this.again = null;
    this.isPast = false; // past calls are listed, not spoken
    this.isSummed = false; // the sum of a round is announced: a screen reader need not say each settlement
    this.element = h(
      "section.card.captions",
      { "aria-labelledby": "calls-title" },
      h("h2", { id: "calls-title" }, t("Calls")),
      this.list,
    );
  }

  /**
   * @param {string} text @param {{kind?: string, clause?: string | null, loud?: boolean, heard?: boolean, once?: boolean, thrown?: boolean}} [how]
   *   `loud`: it is called out; `heard: false`: a screen reader need not say it; `once`: not where it was just called;
   *   `thrown`: it calls a throw, which can be seen again
   */
  say(text, how = {}) {
    const isRepeated = text.toLowerCase() === this.called;
    this.called = how.kind === "call" ? text.toLowerCase() : "";
    if (how.once && isRepeated) return;
    const again = how.thrown ? roundLink(this.again, t("see again")) : null;
    const line = h("li", { class: how.kind ?? "" }, text, " ", ruleLink(this.book, how.clause), " ", again);
    this.list.prepend(line);
    while (this.list.childElementCount > MOST) this.list.lastElementChild?.remove();
    const isSummed = this.isSummed && how.kind !== "call";
    if (how.heard !== false && !isSummed && !this.isPast) announce(text);
    if (how.loud && !this.isPast) speak(text);
  }

  clear() {
    fill(this.list);
  }
}
