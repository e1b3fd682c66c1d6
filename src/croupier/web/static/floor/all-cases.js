// The open cases of all tables: the oldest first, each with its next step.

import { caseRow } from "../acts/cases.js";
import { fill, h } from "../shared/dom.js";
import { button } from "../shared/parts.js";

/** @typedef {import("../acts/cases.js").Case} Case */

export class Cases {
  /** @param {(table: string) => void} look opens a table */
  constructor(look) {
    this.look = look;
    this.shown = "";
    this.count = h("span.pill");
    this.none = h("p.soft", "No open cases.");
    this.list = h("ul.plain.cases");
    this.element = h(
      "section",
      { "aria-labelledby": "cases-title" },
      h("h2", { id: "cases-title" }, "Cases ", this.count),
      this.none,
      this.list,
    );
  }

  /** Only what is new is drawn again. @param {Case[]} cases */
  show(cases) {
    const reply = JSON.stringify(cases);
    if (reply === this.shown) return;
    this.shown = reply;
    fill(this.count, String(cases.length));
    this.count.setAttribute("aria-label", `${cases.length} open`);
    this.none.hidden = cases.length > 0;
    const rows = cases.map((one) => {
      const [first] = one.next;
      return caseRow(one, (step) => step === first && button("Go to the table", () => this.look(one.table)), true);
    });
    fill(this.list, rows);
  }
}
