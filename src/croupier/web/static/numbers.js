// A player's own numbers: one for each round, drawn here, put in with the first bet, shown once the bets are shut.
// So nobody can choose the dice. Where the house leaves the number out, or the dice do not follow, the player is told.
// A number is shown for a receipt of the record that shut the bets: a house that only says so would have it in writing.

import { post, Refused } from "./api.js";
import { commitment, drawn, numberCommitment } from "./dice-drawn.js";
import { receipts } from "./receipts.js";
import { hex } from "./sha256.js";

const PROTOCOL = 2;

/** @typedef {{round: number, own: string, isIn: boolean, isShown: boolean}} Kept */
/** @typedef {{number: number, commitment: string, protocol: number}} Round */
/** @typedef {{number: number, version: number, hash: string, listed: string[]}} Shut */

export class Numbers {
  /** @param {string} table @param {any} drawing @param {(sentence: string) => void} say */
  constructor(table, drawing, say) {
    this.table = table;
    this.thrown = drawing.throw;
    this.say = say;
    this.place = `croupier-number-${table}`;
    /** @type {Kept | null} until it is shown, also for when the page is opened again */
    this.kept = JSON.parse(sessionStorage.getItem(this.place) ?? "null");
    /** @type {Round | null} */
    this.round = null;
    /** @type {Shut | null} */
    this.shut = null;
    this.isSending = false;
    this.opened = 0; // the round that this page heard open: of that one it hears all that follows
    this.signed = 0; // the round for which the house has signed that its bets are shut
    this.asked = 0; // the version at which a page that was opened later was told that the bets are shut
    receipts.comes.add((receipt) => {
      const { shut } = this;
      if (receipt.stream !== `table/${table}` || receipt.version !== shut?.version || receipt.hash !== shut.hash)
        return;
      this.signed = shut.number;
      void this.show(shut.number);
    });
  }

  /** How the table stands. @param {any} told @param {boolean} stands whether one has wagers on it @param {boolean} isBetting */
  know(told, stands, isBetting) {
    const round = told.by_itself ? told.round : null;
    if (round && round.number >= (this.round?.number ?? 0)) this.round = round;
    if (!round || round.protocol !== PROTOCOL) return;
    if (round.shut) {
      if (this.opened === round.number && this.signed !== round.number) return;
      if (this.signed !== round.number) this.asked = told.version;
      void this.show(round.number);
    } else if (stands && !isBetting && !this.of(round.number)?.isIn) void this.putIn(round.number);
  }

  /** What is kept for a round. @param {number} round */
  of(round) {
    return this.kept?.round === round ? this.kept : null;
  }

  /** @param {Kept} kept */
  keep(kept) {
    this.kept = kept;
    sessionStorage.setItem(this.place, JSON.stringify(kept));
  }

  /** The commitment that goes with a bet, until one stands. @param {number | null} round @returns {string | null} */
  commit(round) {
    if (round === null || this.round?.number !== round || this.round.protocol !== PROTOCOL) return null;
    const known = this.of(round);
    if (known?.isIn) return null;
    if (!known) this.keep({ round, own: newNumber(), isIn: false, isShown: false });
    return numberCommitment(this.table, round, this.kept?.own ?? "");
  }

  /** The house says which commitment stands. @param {number | null} round @param {string | undefined} stands */
  accepted(round, stands) {
    const kept = round === null ? null : this.of(round);
    if (kept && stands === numberCommitment(this.table, kept.round, kept.own)) this.keep({ ...kept, isIn: true });
  }

  /** Without a bet, for wagers that stand. @param {number} round */
  async putIn(round) {
    const number = this.isSending ? null : this.commit(round);
    if (number === null) return;
    this.isSending = true;
    try {
      const told = await post(`/tables/${encodeURIComponent(this.table)}/numbers`, { round, number }, { tries: 2 });
      this.accepted(round, told.number);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the round goes on without it
    } finally {
      this.isSending = false;
    }
    if (this.signed === round) void this.show(round); // the bets were shut before the answer came
  }

  /** @param {number} round */
  async show(round) {
    const kept = this.of(round);
    if (!kept?.isIn || kept.isShown || this.isSending) return;
    this.isSending = true;
    try {
      const body = { round, number: kept.own };
      await post(`/tables/${encodeURIComponent(this.table)}/numbers/show`, body, { tries: 2 });
      if (this.of(round)) this.keep({ ...kept, isShown: true });
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // it came too late: the draw says so
    } finally {
      this.isSending = false;
    }
  }

  /** @param {any} entry */
  heard(entry) {
    for (const row of entry.events) {
      if (row.type === "round_opened") {
        this.round = row;
        this.opened = row.number;
        this.asked = 0;
      } else if (row.type === "bets_shut") {
        this.shut = { number: row.number, version: entry.version, hash: entry.hash, listed: row.numbers ?? [] };
        if (this.asked && this.asked < entry.version)
          this.say("The house said that the bets were shut, and had your number, before they were.");
      } else if (row.type === "dice_drawn") this.check(row);
    }
  }

  /** What was drawn, against what this page knows. @param {any} row */
  check(row) {
    const { round, shut } = this;
    if (round?.protocol !== PROTOCOL || round.number !== row.number || !shut || shut.number !== row.number) return;
    const kept = this.of(row.number);
    const numbers = /** @type {[string, string][]} */ (shut.listed.map((one, i) => [one, row.numbers[i] ?? ""]));
    if (row.shut !== shut.hash) this.say("The dice were drawn after other bets than this page was told of.");
    else if (!this.follows(row, numbers)) this.say("The dice do not follow from what the house had committed to.");
    else if (kept?.isIn && new Map(numbers).get(numberCommitment(this.table, row.number, kept.own)) !== kept.own)
      this.say(
        kept.isShown
          ? "Your number was left out of this throw, though the house had it."
          : "Your number came too late for this throw, which was drawn without it.",
      );
  }

  /** @param {any} row @param {[string, string][]} numbers */
  follows(row, numbers) {
    const { table, thrown } = this;
    if (row.numbers.length !== numbers.length || commitment(table, row.number, row.secret) !== this.round?.commitment)
      return false;
    const isOpen = numbers.every(([committed, own]) => !own || numberCommitment(table, row.number, own) === committed);
    const falls = drawn(table, row.number, row.secret, numbers, thrown.faces, thrown.count);
    return isOpen && JSON.stringify(falls) === JSON.stringify(row.faces);
  }
}

/** 32 bytes that nobody else knows. */
function newNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}
