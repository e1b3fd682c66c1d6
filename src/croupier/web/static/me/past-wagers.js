// Past wagers at a table, the newest first, with the throw and the clause that settled each.

import { faces } from "../results/faces.js";
import { roundLink, throwAddress } from "../results/round-links.js";
import { get, Refused, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { fill, h, inEnglish, ruleLink } from "../shared/dom.js";
import { select } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { cents, net, spaced } from "../shared/words.js";
import { row, table } from "./row-table.js";

/** @import { PastWager } from "../../types/contract.js" */
/** @import { Child } from "../shared/dom.js" */

const RESULTS = /** @type {Record<string, string>} */ ({ win: t("won"), lose: t("lost"), void: t("void") });
const COLUMNS = [
  t("When"),
  t("Wager"),
  t("Throw"),
  { number: t("Stake") },
  t("Result"),
  { number: t("Paid") },
  { number: t("Returned") },
  t("Rule"),
];
const PAGE = 30;

export class PastWagers {
  /** @param {{table: string, title: string, zone: string | undefined}[]} tables */
  constructor(tables) {
    this.tables = tables;
    /** @type {number | null} */
    this.next = null;
    const titles = tables.map((one) => [one.table, one.title]);
    this.select = select(titles, { onchange: () => void this.begin() });
    this.rows = h("tbody");
    this.more = h("button", { type: "button", hidden: true, onclick: () => void this.load() }, t("Show more"));
    this.say = h("p.soft", { role: "status" });
    const choice = h("label.me-table", h("span", t("Table")), this.select);
    this.element = h(
      "section.card",
      { "aria-labelledby": "wagers-title" },
      h("div.row.spread", h("h2", { id: "wagers-title" }, t("Past wagers")), tables.length > 0 && choice),
      table(COLUMNS, this.rows, "wagers-title"),
      this.say,
      this.more,
    );
    if (tables.length === 0) fill(this.say, t("You have not played at a table yet."));
  }

  async begin() {
    fill(this.rows);
    this.next = null;
    if (this.select.value) await this.load();
  }

  /** Load the next page. */
  async load() {
    this.more.disabled = true;
    const at = this.select.value;
    const before = this.next === null ? "" : `&before=${this.next}`;
    try {
      const reply = await get(url`/me/wagers?table=${at}&limit=${PAGE}` + before);
      if (this.select.value === at) this.show(reply);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fill(this.say, inEnglish(error.message));
    }
    this.more.disabled = false;
  }

  /** @param {import("../../types/contract.js").PastWagers} reply */
  show(reply) {
    const zone = this.tables.find((one) => one.table === this.select.value)?.zone;
    this.rows.append(...reply.wagers.map((one) => row(COLUMNS, cells(one, this.select.value, zone))));
    this.next = reply.next;
    this.more.hidden = reply.next === null;
    const isNone = this.rows.childElementCount === 0;
    if (reply.next !== null) fill(this.say);
    else fill(this.say, isNone ? t("None of your wagers has been settled at this table yet.") : t("No more wagers."));
  }
}

/** @param {PastWager} one @param {string} at the table @param {string | undefined} zone @returns {Child[]} */
function cells(one, at, zone) {
  const result = h("span", { class: `pill ${one.result === "win" ? "on" : ""}` }, RESULTS[one.result] ?? one.result);
  const thrown = one.faces.length > 0 && [faces(one.faces, { size: 20 }), h("span.soft", ` ${one.call ?? ""}`)];
  return [
    when(one.at, zone),
    named(one.name),
    roundLink(throwAddress(at, one.version), thrown || t("See it again")),
    spaced(one.stake),
    [result, h("span.soft", ` ${net(cents(one.returned) - cents(one.stake))}`)],
    spaced(one.paid),
    spaced(one.returned),
    ruleLink(one.book, one.clause),
  ];
}
