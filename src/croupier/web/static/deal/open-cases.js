// Open cases at the console: nobody has to look for what waits for somebody.

import { openActs, plain } from "../acts/act-form.js";
import { caseRow } from "../acts/cases.js";
import { fill, h } from "../shared/dom.js";
import { button } from "../shared/parts.js";

/** @typedef {import("../acts/position.js").Position} Position */

export class OpenCases {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.heading = h("h2", { id: "console-cases" });
    this.list = h("ul.plain.cases");
    this.element = h(
      "section.card.console-cases",
      { "aria-labelledby": "console-cases", hidden: true },
      this.heading,
      this.list,
    );
    this.shown = "";
  }

  show() {
    const { position } = this;
    /** @type {import("../acts/cases.js").Case[]} */
    const open = position.felt.cases ?? [];
    const shown = JSON.stringify(open);
    if (shown === this.shown) return;
    this.shown = shown;
    fill(this.heading, open.length === 1 ? "1 open case" : `${open.length} open cases`);
    fill(
      this.list,
      open.map((one) =>
        caseRow(one, (step) => {
          const act = position.act(step.act);
          const ask = () => act && openActs(position, act.id, one.case);
          return act && button(plain(act, one.case), ask);
        }),
      ),
    );
    this.element.hidden = open.length === 0;
  }
}
