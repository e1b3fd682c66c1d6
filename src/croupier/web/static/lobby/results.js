// The last results of a table in a row, the newest first.

import { faces } from "../results/faces.js";
import { t } from "../shared/catalogue.js";
import { each, fill, h } from "../shared/dom.js";

/** @typedef {import("../../types/contract.js").LastResult} LastResult */

const LONGEST = 2; // letters of a call that is shown whole; of a longer one the first letter is
const MOST = 6;
const MOST_WITH_DICE = 3;

export class LastResults {
  constructor() {
    this.element = h("p.lately");
    this.shown = "";
  }

  /** @param {LastResult[]} results the newest last */
  show(results) {
    const now = JSON.stringify(results);
    if (now === this.shown) return;
    this.shown = now;
    const newest = [...results].reverse();
    if (newest.length === 0) return fill(this.element, h("span.soft", t("No throws yet")));
    const dice = newest.some(isManyDice);
    const shown = newest.slice(0, dice ? MOST_WITH_DICE : MOST);
    fill(
      this.element,
      h("span.heard", t("Last results, the newest first: {results}.", { results: shown.map(inWords).join("; ") })),
      h("span", { "aria-hidden": "true" }, t("Last")),
      each("span.fell-lately", { "aria-hidden": "true" }, shown, (one) =>
        isManyDice(one) ? dicePicture(one) : disc(one),
      ),
    );
  }
}

/** Whether the dice say more than their call. @param {LastResult} one */
function isManyDice({ faces: fell }) {
  return fell.length > 2 && typeof fell[0] === "number";
}

/** @param {LastResult} one */
function inWords({ call, faces: fell }) {
  return call ?? fell.join(" ");
}

/** @param {LastResult} one */
function dicePicture({ faces: fell }) {
  return h("span.few", faces(fell, { size: 14 }));
}

/** @param {LastResult} one */
function disc(one) {
  const words = inWords(one);
  const isShort = words.length <= LONGEST;
  return h(
    "span",
    { class: `fell-one${isShort ? "" : ` is-${words.toLowerCase()}`}` },
    isShort ? words : words.slice(0, 1),
  );
}
