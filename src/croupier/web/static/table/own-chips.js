// One's own money at a table, always in view: in hand, on the felt, won or lost since one sat down, and for how long.

import { fill, h } from "../shared/dom.js";
import { now } from "../shared/times.js";
import { cents, money, spaced } from "../shared/words.js";

/** @import { Standing } from "../felt/area.js" */

export class Purse {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.shown = "";
    this.element = h("dl.purse", { hidden: true });
  }

  /** @param {any} reply @param {any} me @param {Standing[]} mine */
  show(reply, me, mine) {
    this.element.hidden = !reply.seated || !me;
    if (!reply.seated || !me) return;
    const hand = cents(reply.chips[me.person] ?? "0.00");
    const felt = mine.reduce((sum, one) => sum + cents(one.amount), 0n);
    const visit = me.visits.find((/** @type {any} */ one) => one.table === this.table && one.until === null);
    const net = visit ? hand + felt - cents(visit.taken) : 0n;
    const rows = [
      ["In hand", spaced(money(hand)), "in-hand"],
      ["On the felt", spaced(money(felt)), ""],
      ["Net", `${net > 0n ? "+" : ""}${spaced(money(net))}`, net < 0n ? "bad" : "good"],
      ["At the table", visit ? lasting(visit.since) : "", "since"],
    ];
    const checks = (reply.own_checks ?? []).map((/** @type {import("./rack.js").Checks} */ one) => [
      `In ${one.colour} checks`,
      spaced(one.amount),
      "",
    ]);
    rows.splice(1, 0, ...checks);
    const owing = reply.owing?.[me.person];
    if (owing) rows.splice(2 + checks.length, 0, ["You owe", spaced(owing), "bad"]);
    if (String(rows) === this.shown) return;
    this.shown = String(rows);
    fill(
      this.element,
      rows.map(([name, text, kind]) => h("div", { class: kind }, h("dt", name), h("dd", text))),
    );
  }
}

/** How long since then. @param {string} since */
function lasting(since) {
  const minutes = Math.max(0, Math.floor((now() - Date.parse(since)) / 60000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
