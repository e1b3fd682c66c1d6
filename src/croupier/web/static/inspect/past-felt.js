// The felt as it was after an event: chips, whether bets were open, the results so far.

import { wagerName } from "../felt/area.js";
import { Felt } from "../felt/felt.js";
import { results } from "../results/roads.js";
import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { table } from "../shared/parts.js";
import { money, spaced, total } from "../shared/words.js";
import { lamp } from "../table/status.js";

/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */

export class PastFelt {
  constructor() {
    /** @type {Drawing | null} null before the table was opened */
    this.drawing = null;
    /** @type {Felt | null} */
    this.felt = null;
    this.place = h("div.inspect-felt");
    this.state = h("p.lamps.inspect-state");
    this.chips = h("details", h("summary", t("Chips on the felt")));
    this.history = h("details", { open: true }, h("summary", t("Results so far")));
    this.elements = [this.place, this.state, this.chips, this.history];
  }

  /** @param {FeltReply | null} felt @param {Drawing | null} drawing */
  show(felt, drawing) {
    if (!felt || !drawing) {
      this.clear();
      return;
    }
    if (drawing !== this.drawing) {
      this.drawing = drawing;
      this.felt = new Felt(drawing);
      fill(this.place, this.felt.element);
    }
    this.felt?.show(felt);
    fill(this.state, (felt.lamps ?? []).map(lamp), h("span", openWords(felt)));
    fill(
      this.chips,
      h(
        "summary",
        t("Chips on the felt: {sum}, in hand: {chips}", {
          sum: spaced(money(total(felt.wagers))),
          chips: inHand(felt),
        }),
      ),
      chipTable(felt, drawing),
    );
    fill(this.history, h("summary", t("Results so far")), results(drawing, felt.results ?? []));
  }

  clear() {
    fill(this.place, h("p.card.soft", t("The table was not open yet.")));
    [this.felt, this.drawing] = [null, null];
    fill(this.state);
    fill(this.chips, h("summary", t("Chips on the felt")));
    fill(this.history, h("summary", t("Results so far")));
  }
}

/** @param {FeltReply} felt */
function openWords(felt) {
  if (!felt.open) return t("The table is closed");
  return felt.bets === "closed" || felt.round?.shut ? t("No more bets") : t("Bets are open");
}

/** @param {FeltReply} felt */
function inHand(felt) {
  const chips = Object.entries(felt.chips).map(([player, amount]) => `${player} ${spaced(String(amount))}`);
  return chips.length === 0 ? t("none") : chips.join(", ");
}

/** @param {FeltReply} felt @param {Drawing} drawing */
function chipTable(felt, drawing) {
  if (felt.wagers.length === 0) return h("p.soft", t("No chips on the felt."));
  const rows = felt.wagers.map((/** @type {import("../felt/area.js").Standing} */ one) => [
    one.player,
    wagerName(drawing, one),
    [spaced(one.amount), one.on === false ? ` ${t("off")}` : ""],
  ]);
  return h("div.scroll", table([t("Player"), t("Wager"), { number: t("Chips") }], rows));
}
