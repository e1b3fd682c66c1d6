// The player's own chips at a table: in hand, on the felt, won or lost since sitting down, and for how long.

import { named, t } from "../shared/catalogue.js";
import { fillEach, h } from "../shared/dom.js";
import { duration, now } from "../shared/times.js";
import { cents, money, net, spaced, total } from "../shared/words.js";

/** @import { Me } from "../shared/session.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Standing } from "../felt/area.js" */

export class OwnChips {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.shown = "";
    this.element = h("dl.purse", { hidden: true });
  }

  /** @param {FeltReply} reply @param {Me | null} me @param {Standing[]} mine */
  show(reply, me, mine) {
    this.element.hidden = !reply.seated || !me;
    if (!reply.seated || !me) return;
    const hand = cents(reply.chips[me.person] ?? "0.00");
    const felt = total(mine);
    const visit = me.visits.find((one) => one.table === this.table && one.until === null);
    const won = visit ? hand + felt - cents(visit.taken) : 0n;
    const rows = [
      [t("In hand"), spaced(money(hand)), "in-hand"],
      [t("On the felt"), spaced(money(felt)), ""],
      [t("Net"), net(won), won < 0n ? "bad" : "good"],
      [t("At the table"), visit ? duration(now() - Date.parse(visit.since)) : "", "since"],
    ];
    const checks = (reply.own_checks ?? []).map((/** @type {import("./rack.js").Checks} */ one) => [
      t("In {colour} checks", { colour: named(one.colour) }),
      spaced(one.amount),
      "",
    ]);
    rows.splice(1, 0, ...checks);
    const owing = reply.owing?.[me.person];
    if (owing) rows.splice(2 + checks.length, 0, [t("You owe"), spaced(owing), "bad"]);
    if (String(rows) === this.shown) return;
    this.shown = String(rows);
    fillEach(this.element, rows, ([name, text, kind]) => h("div", { class: kind }, h("dt", name), h("dd", text)));
  }
}
