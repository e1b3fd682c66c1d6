// The figures behind a picture: a table to unfold, and a file to download.

import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { body, button, head } from "../shared/parts.js";
import { csv, saveFile } from "../shared/saving.js";

/** @import { Column } from "../shared/parts.js" */

export class Figures {
  /** @param {string} file its name, without the ending @param {string} caption */
  constructor(file, caption) {
    this.file = file;
    /** @type {string[][]} */
    this.rows = [];
    this.caption = h("caption.heard", caption);
    this.table = h("table", this.caption);
    this.element = h(
      "div.figures",
      h(
        "details",
        h("summary", t("As a table")),
        h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption }, this.table),
      ),
      button(t("Download CSV"), () => saveFile(csv(this.rows), `${this.file}.csv`, "text/csv"), "quiet"),
    );
  }

  /** @param {Column[]} columns @param {string[][]} rows */
  show(columns, rows) {
    const names = columns.map((one) => (typeof one === "string" ? one : one.number));
    this.rows = [names, ...rows];
    fill(this.table, this.caption, head(columns), body(columns, rows));
  }
}
