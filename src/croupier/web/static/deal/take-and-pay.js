// Take and pay after a throw, in a dealer's order: take losing wagers, then pay area by area, seat by seat.

import { keyOf } from "../felt/area.js";
import { faces } from "../results/faces.js";
import { named, rich, t } from "../shared/catalogue.js";
import { each, fill, h, ruleLink } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { cents, money, oddsWords, oneOf, spaced } from "../shared/words.js";
import { changes, movedBack, owes, VERBS } from "./corrected-pay.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Position } from "../acts/position.js" */
/** @import { Area, Pick } from "../felt/area.js" */
/** @import { Back, Change, Debt, Verb } from "./corrected-pay.js" */
/**
 * @typedef {object} Settled
 * @property {string} player @property {string} wager @property {Pick} pick @property {"win" | "lose" | "void"} result
 * @property {string} stake @property {string} paid @property {string} returned @property {string} clause
 */
/** @typedef {{player: string, wager: string, pick: Pick, to: Pick, clause: string}} Travel */
/** @typedef {{player: string, wager: string, pick: Pick, amount: string, clause: string}} Laid */
/** @typedef {{place: number, name: string, area: Area | undefined}} Group */
/** @typedef {{faces: (number | string)[], call: string, clause: string | null}} Fell */

const BEGINS = ["thrown", "throw_voided", "outcome_invalidated"];
const LESS = ["wager_reduced", "wager_removed"];

/** @type {Record<Verb, string>} */
const TO_DO = {
  "take-back": t("Take back"),
  "put-back": t("Put back"),
  take: t("Take"),
  pay: t("Pay"),
  "give-back": t("Give back"),
  keep: t("Keep"),
  move: t("Move"),
  "move-back": t("Move back"),
};

/** @param {Settled} row */
const isPaid = (row) => cents(row.paid) > 0n;
/** @param {Settled} row */
const isReturned = (row) => !isPaid(row) && cents(row.returned) > 0n;

/** In working order. @type {{verb: Verb, holds: (row: Settled) => boolean, sum: "stake" | "paid" | "returned"}[]} */
const WORK = [
  { verb: "take", holds: (row) => !isPaid(row) && !isReturned(row), sum: "stake" },
  { verb: "pay", holds: isPaid, sum: "paid" },
  { verb: "give-back", holds: isReturned, sum: "returned" },
];

export class TakeAndPay {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    /** @type {Fell | null} */
    this.fell = null;
    /** @type {Settled[]} */
    this.rows = [];
    /** @type {Travel[]} */
    this.moves = [];
    /** @type {Back | null} the result that was taken back, until another is in its place */
    this.back = null;
    /** @type {Back | null} what the result was before it was corrected */
    this.was = null;
    /** @type {{order: string | null, since: Laid[], debts: Debt[]}} what an order did before it took a result back */
    this.before = { order: "", since: [], debts: [] };
    /** @type {Debt[]} kept back from what is paid, for what is owed */
    this.kept = [];
    /** @type {Set<string>} what this screen was told is done */
    this.done = new Set();
    this.isStale = true;
    this.heading = h("h2", t("Take and pay"));
    this.list = h("ol.plain.pay-list");
    this.hint = h("p.soft.hint", { hidden: true });
    this.element = h("section.card.pay", this.heading, this.list, this.hint);
  }

  /** One event. @param {Entry} entry */
  hear(entry) {
    for (const row of entry.events) {
      if (BEGINS.includes(row.type)) this.begin(row);
      else if (row.type === "wager_settled") this.rows.push(row);
      else if (row.type === "wager_moved" && row.to !== null && row.to !== row.pick) this.moves.push(row);
      else if (row.type === "debt_paid") this.kept.push(row);
      else if (row.type === "result_taken_back") this.takeBack(row, entry.order ?? null);
      else if ((row.type === "wager_placed" && this.was?.order === entry.order) ?? null) this.standsAgain(row);
      else {
        this.remember(row, entry.order ?? null);
        continue;
      }
      this.isStale = true;
    }
  }

  /** What an order does before it withdraws a result: wagers made since come off, and missing chips become debts. @param {Row} row @param {string | null} order */
  remember(row, order) {
    if (this.before.order !== order) this.before = { order, since: [], debts: [] };
    if (LESS.includes(row.type)) this.before.since.push(row);
    else if (row.type === "debt_incurred") this.before.debts.push(row);
  }

  /** @param {Row} row @param {string | null} order */
  takeBack(row, order) {
    const { since, debts } = this.before.order === order ? this.before : { since: [], debts: [] };
    const rows = (row.undone ?? []).filter((/** @type {any} */ one) => one.type === "wager_settled");
    this.back = { faces: this.facesOf(row), rows, moves: this.moves, since: [...since], debts: [...debts], order };
  }

  /** A wager made since the wrong result stands after all. @param {Laid} row */
  standsAgain(row) {
    const { was } = this;
    if (was) was.since = was.since.filter((one) => one.player !== row.player || keyOf(one) !== keyOf(row));
  }

  /** @param {Row} row @returns {(number | string)[]} */
  facesOf(row) {
    const fell = row[this.position.drawing.throw.field];
    return typeof fell === "string" ? [...fell] : (fell ?? []);
  }

  /** @param {Row} row */
  begin(row) {
    this.was = this.back;
    this.back = null;
    this.kept = [];
    this.fell = { faces: this.facesOf(row), call: row.call ?? t("invalid outcome"), clause: row.clause ?? null };
    this.rows = [];
    this.moves = [];
    this.done.clear();
  }

  /** Say who can correct a result, to a dealer who cannot. */
  showHint() {
    const { felt, steps } = this.position;
    /** @type {string[]} */
    const by = felt.corrected_by ?? [];
    const isMine = steps.some((step) => step.previews);
    this.hint.hidden = by.length === 0 || isMine || !this.fell?.faces.length;
    const words = this.hint.hidden
      ? ""
      : t("Wrong entry? Until the next throw begins, {by} can correct it.", { by: oneOf(by) });
    setWords(this.hint, words);
  }

  show() {
    this.showHint();
    if (!this.isStale) return;
    this.isStale = false;
    const { fell, was } = this;
    const now = fell && [fell.faces.length > 0 && faces(fell.faces, { size: 24 }), ` ${fell.call}`];
    if (was) fill(this.heading, rich("Correction · {was} becomes {now}", { was: faces(was.faces, { size: 24 }), now }));
    else fill(this.heading, t("Take and pay"), now && " · ", now);
    this.element.classList.toggle("corrects", was !== null);
    const items = [...(was ? this.putRight(was) : this.settle()), ...this.travels(this.moves, "move"), ...this.keeps()];
    fill(this.list, items.length > 0 ? items : h("li.soft", this.none()));
  }

  /** What to say if there is nothing to do. */
  none() {
    if (this.was) return t("The correction does not change any chips.");
    return this.fell ? t("Nothing to take or pay.") : t("What to take and pay appears here after each throw.");
  }

  settle() {
    const groups = this.groups(this.rows);
    return WORK.flatMap((work) => groups.flatMap((group) => this.work(work, group, group.rows.filter(work.holds))));
  }

  /** What a correction requires: only the differences. @param {Back} was */
  putRight(was) {
    const found = changes(was, this.rows);
    const items = VERBS.flatMap((verb) => {
      const own = found.filter((one) => one.verb === verb);
      const groups = this.groups(own.map((one) => one.row));
      return groups.map((group) =>
        this.change(
          verb,
          group.name,
          group.rows.flatMap((row) => own.filter((one) => one.row === row)),
        ),
      );
    });
    const debts = was.debts.map((debt) => h("li.owes", owes(debt)));
    return [...items, ...this.travels(movedBack(was, this.moves), "move-back"), ...debts];
  }

  /** @param {Verb} verb @param {string} name @param {Change[]} together */
  change(verb, name, together) {
    const sum = together.reduce((all, one) => all + one.cents, 0n);
    const rows = each("ul.plain", {}, together, (one) => h("li", one.words));
    return this.item(verb, name, spaced(money(sum)), together[0]?.row.clause, rows);
  }

  /** Debts deducted from payments. */
  keeps() {
    return this.kept.map((debt) =>
      this.item(
        "keep",
        t("owed by {player}", { player: debt.player }),
        spaced(debt.amount),
        undefined,
        h("span", t("from the payout")),
      ),
    );
  }

  /**
   * Areas in the order of the layout, stakes in the order of the seats.
   * @template {Settled | Laid} Row
   * @param {Row[]} rows @returns {(Group & {rows: Row[]})[]}
   */
  groups(rows) {
    const areas = this.position.drawing.areas;
    const places = new Map(areas.map((area, place) => [keyOf(area), place]));
    /** @type {Map<string, Group & {rows: Row[]}>} */
    const groups = new Map();
    for (const row of rows) {
      const key = keyOf(row);
      const place = places.get(key) ?? areas.length;
      const group = groups.get(key) ?? {
        place,
        name: named(areas[place]?.name ?? row.wager),
        area: areas[place],
        rows: [],
      };
      groups.set(key, group);
      group.rows.push(row);
    }
    const seats = this.position.players;
    for (const group of groups.values())
      group.rows.sort((one, other) => seats.indexOf(one.player) - seats.indexOf(other.player));
    return [...groups.values()].sort((one, other) => one.place - other.place);
  }

  /** What to do at an area. @param {(typeof WORK)[number]} work @param {Group} group @param {Settled[]} rows */
  work({ verb, sum }, group, rows) {
    if (rows.length === 0) return [];
    const each =
      verb === "pay"
        ? h(
            "ul.plain",
            rows.map((row) => this.payment(group, row)),
          )
        : h("span", rows.map((row) => `${row.player} ${spaced(row[sum])}`).join(", "));
    return [this.item(verb, group.name, total(rows, sum), rows[0]?.clause, each)];
  }

  /** @param {Group} group @param {Settled} row */
  payment(group, row) {
    const odds = oddsOf(group.area, row, this.position.drawing.chip);
    const kept = cents(row.stake) + cents(row.paid) - cents(row.returned);
    const words = {
      player: h("strong", row.player),
      stake: spaced(row.stake),
      odds: oddsWords(odds ?? ""),
      pay: h("strong", t("pay {paid}", { paid: spaced(row.paid) })),
      kept: spaced(money(kept)),
    };
    if (kept > 0n)
      return h(
        "li",
        odds
          ? rich("{player} {stake} at {odds}: {pay}, take {kept} of the stake", words)
          : rich("{player} {stake}: {pay}, take {kept} of the stake", words),
      );
    return h("li", odds ? rich("{player} {stake} at {odds}: {pay}", words) : rich("{player} {stake}: {pay}", words));
  }

  /** Wagers that move to a number, grouped by area. @param {Travel[]} travelled @param {"move" | "move-back"} verb */
  travels(travelled, verb) {
    /** @type {Map<string, Travel[]>} */
    const together = new Map();
    for (const move of travelled) {
      const key = `${keyOf(move)} ${move.to}`;
      together.set(key, [...(together.get(key) ?? []), move]);
    }
    return [...together.values()].map((moves) => {
      const [first] = /** @type {[Travel]} */ (moves);
      const area = this.position.drawing.areas.find((one) => keyOf(one) === keyOf(first));
      const whose = moves.map((move) => move.player).join(", ");
      const words = { wager: named(area?.name ?? first.wager), to: String(first.to) };
      const name = verb === "move" ? t("{wager} to {to}", words) : t("{wager} from {to}", words);
      return this.item(verb, name, "", first.clause, h("span", whose));
    });
  }

  /** @param {Verb} verb @param {string} name @param {string} sum @param {string | undefined} clause @param {Node} each */
  item(verb, name, sum, clause, each) {
    const key = `${verb} ${name}`;
    const tick = h("input", {
      type: "checkbox",
      checked: this.done.has(key),
      onchange: () => {
        this.done[tick.checked ? "add" : "delete"](key);
        made.classList.toggle("done", tick.checked);
      },
    });
    const kind = h("span", { class: `verb ${verb}` }, TO_DO[verb]);
    const made = h(
      "li",
      { class: this.done.has(key) ? "done" : null },
      h("label.tick", tick, kind, h("span.what", name)),
      h("span.number", sum),
      h("div.detail.row.spread", each, ruleLink(this.position.book.id, clause)),
    );
    return made;
  }
}

/** @param {Settled[]} rows @param {"stake" | "paid" | "returned"} what */
function total(rows, what) {
  return spaced(money(rows.reduce((sum, row) => sum + cents(row[what]), 0n)));
}

/**
 * The printed odds that give what was paid, to the chip, if any do.
 * @param {Area | undefined} area @param {Settled} row @param {string} chip
 */
function oddsOf(area, row, chip) {
  const stake = cents(row.stake);
  const printed = [...new Set((area?.lines ?? []).map((line) => line.odds))];
  return printed.find((odds) => {
    const [win, to] = odds.split(" to ").map(tenths);
    if (win === undefined || to === undefined) return false;
    const over = cents(row.paid) * to - stake * win;
    return over >= 0n && over < cents(chip) * to;
  });
}

/** `7.5` as 75: odds have one digit after the point at most. @param {string} text @returns {bigint | undefined} */
function tenths(text) {
  return /^\d+(\.\d)?$/.test(text) ? BigInt(Math.round(Number(text) * 10)) : undefined;
}
