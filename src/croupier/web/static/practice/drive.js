// What makes the dice fall at a practice table: as the seed has them, or as they are picked.

import { face, faceName } from "../results/faces.js";
import { t } from "../shared/catalogue.js";
import { h, s } from "../shared/dom.js";
import { button, openDialog } from "../shared/parts.js";

/** @import { Drawing } from "../felt/area.js" */
/** @import { Faces } from "./dealer.js" */

export class PracticeDrive {
  /** @param {Drawing} drawing @param {(faces: Faces | null) => void} throws @param {boolean} [picks] whether faces can be picked */
  constructor(drawing, throws, picks = true) {
    this.drawing = drawing;
    this.throws = throws;
    /** @type {Faces} what was picked last */
    this.picked = Array.from({ length: drawing.throw.count }, (_, n) => drawing.throw.faces[n] ?? "");
    this.button = h(
      "button.roll",
      { type: "button", "aria-keyshortcuts": "t", title: t("Key t"), onclick: () => this.press() },
      drawing.throw.ready,
    );
    const words = typeof drawing.throw.faces[0] === "string" ? t("Pick the coins") : t("Pick the dice");
    this.picks = button(words, () => this.pick(), "quiet pick");
    this.element = h("section.drive", { "aria-label": t("The throw") }, this.button, picks && this.picks);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {boolean} busy */
  rest(busy) {
    this.button.setAttribute("aria-disabled", String(busy));
  }

  press() {
    if (this.button.getAttribute("aria-disabled") !== "true") this.throws(null);
  }

  /** Let the person say what falls. */
  pick() {
    const rows = this.picked.map((_, place) => this.row(place));
    const go = () => {
      dialog.close();
      this.throws([...this.picked]);
    };
    const dialog = openDialog(
      "pad",
      "pad-title",
      h("h2", { id: "pad-title" }, t("What shall fall?")),
      rows,
      h("p.row", button(t("Throw it like this"), go, "primary wide")),
    );
    /** @type {HTMLElement | null} */
    const first = dialog.querySelector("input:checked");
    first?.focus();
  }

  /** @param {number} place of the die or coin */
  row(place) {
    const isCoin = typeof this.picked[place] === "string";
    const name = isCoin ? t("Coin {n}", { n: place + 1 }) : t("Die {n}", { n: place + 1 });
    const choices = this.drawing.throw.faces.map((one) => {
      const input = h("input.heard", {
        type: "radio",
        name: `fall-${place}`,
        checked: one === this.picked[place],
        onchange: () => {
          this.picked[place] = one;
        },
      });
      const picture = s("svg", { viewBox: "0 0 24 24", width: 40, height: 40, "aria-hidden": "true" }, face(one));
      return h("label.face-choice", input, picture, h("span.heard", faceName(one)));
    });
    return h("fieldset.fall", h("legend.heard", name), choices);
  }

  /** The key works on the felt and beside it: elsewhere keys belong to screen readers and dictation. @param {KeyboardEvent} event */
  key(event) {
    if (event.key.toLowerCase() !== "t" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!(event.target instanceof Element && event.target.closest(".felt-box, .rack, .drive"))) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.press();
  }
}
