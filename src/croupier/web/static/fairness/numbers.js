// A player's numbers: one for each round, chosen here, committed with the first bet, revealed once the house has signed
// which bets it closed. So no one can choose the dice. If the house leaves the number out, or the dice do not follow,
// the player is told.

import { post, Refused, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { hex } from "./bytes.js";
import { commitment, drawn, isSame, mixed, numberCommitment } from "./dice.js";
import { receipts } from "./receipts.js";

const PROTOCOL = 2;
const MOST_OWN = 60; // numbers of past rounds

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @typedef {{round: number, own: string, isIn: boolean, isShown: boolean}} Kept */
/** @typedef {{number: number, commitment: string, protocol: number}} Round */
/** @typedef {{number: number, version: number, hash: string, listed: string[]}} Shut */

export class Numbers {
  /** @param {string} table @param {Drawing} drawing @param {(sentence: string) => void} say */
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
    /** @type {Record<string, string>} the numbers of the last rounds, to check their throws */
    this.owns = ownNumbers(table);
    this.verdict = { round: 0, isGood: true }; // of the newest throw that this page could check
    this.isSending = false;
    this.readyIn = 0; // the round in which the player is ready, as the house has it
    this.mayBeReadyIn = 0; // the round in which the player said so here, or took chips down
  }

  /** Take note of the table's state. @param {FeltReply} reply @param {boolean} stands whether one has wagers on it @param {boolean} isBetting */
  know(reply, stands, isBetting) {
    const round = reply.by_itself ? reply.round : null;
    if (round && round.number >= (this.round?.number ?? 0)) this.round = round;
    if (!round || round.protocol !== PROTOCOL) return;
    if (round.shut) void this.show(round.number);
    else if (stands && !isBetting && !this.of(round.number)?.isIn) void this.putIn(round.number);
  }

  /** The number kept for a round. @param {number} round */
  of(round) {
    return this.kept?.round === round ? this.kept : null;
  }

  /** @param {Kept} kept */
  keep(kept) {
    this.kept = kept;
    sessionStorage.setItem(this.place, JSON.stringify(kept));
    if (!kept.isIn || this.owns[kept.round] === kept.own) return;
    const last = Object.entries(this.owns).slice(1 - MOST_OWN);
    this.owns = { ...Object.fromEntries(last), [kept.round]: kept.own };
    localStorage.setItem(placeOfOwn(this.table), JSON.stringify(this.owns));
  }

  /** The number that this device put into a round. @param {number} round @returns {string | null} */
  own(round) {
    return this.owns[round] ?? null;
  }

  /** Whether the throw of a round was right; null if this page was not there for all of it. @param {number} round */
  checked(round) {
    return this.verdict.round === round ? this.verdict.isGood : null;
  }

  /** The commitment to send with a bet, unless the house has one. @param {number | null} round @returns {string | null} */
  commit(round) {
    if (round === null || this.round?.number !== round || this.round.protocol !== PROTOCOL) return null;
    const known = this.of(round);
    if (known?.isIn) return null;
    if (!known) this.keep({ round, own: newNumber(), isIn: false, isShown: false });
    return numberCommitment(this.table, round, this.kept?.own ?? "");
  }

  /** The player is about to say so on this page. @param {number} round */
  saysReady(round) {
    this.mayBeReadyIn = round;
  }

  /** The house says which commitment it has. @param {number | null} round @param {string | undefined} stands */
  accepted(round, stands) {
    const kept = round === null ? null : this.of(round);
    if (kept && stands === numberCommitment(this.table, kept.round, kept.own)) this.keep({ ...kept, isIn: true });
  }

  /** Commit a number without a bet, for wagers that stand. @param {number} round */
  async putIn(round) {
    const number = this.isSending ? null : this.commit(round);
    if (number === null) return;
    this.isSending = true;
    try {
      const reply = await post(url`/tables/${this.table}/numbers`, { round, number }, { tries: 2 });
      this.accepted(round, reply.number);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the round continues without it
    } finally {
      this.isSending = false;
    }
  }

  /** @param {number} round */
  async show(round) {
    const kept = this.of(round);
    if (!kept?.isIn || kept.isShown || this.isSending) return;
    this.isSending = true;
    try {
      if (!(await this.mayShow(kept))) {
        this.keep({ ...kept, isIn: false });
        return;
      }
      const body = { round, number: kept.own };
      await post(url`/tables/${this.table}/numbers/show`, body, { tries: 2 });
      if (this.of(round)) this.keep({ ...kept, isShown: true });
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // too late: the draw will say so
    } finally {
      this.isSending = false;
    }
  }

  /**
   * Whether the house has signed the bets that it closed, with this number among them. A house that knew the number
   * earlier could close other bets. A house that signs nothing does not get it, and the player is told. @param {Kept} kept
   */
  async mayShow(kept) {
    const shut = this.shut?.number === kept.round ? this.shut : null;
    if (shut && !shut.listed.includes(numberCommitment(this.table, kept.round, kept.own))) {
      this.say(
        t(
          "The bets were closed without your number, although the house had accepted it. Your number was not revealed.",
        ),
      );
      return false;
    }
    const isSigned = shut && (await receipts.vouches(`table/${this.table}`, shut.version, shut.hash));
    if (isSigned === false)
      this.say(t("The house signed different bets from those it says it closed. Your number was not revealed."));
    else if (!isSigned) this.say(t("No signed receipt came for the bets. Your number was not revealed."));
    return isSigned === true;
  }

  /** @param {Entry} entry */
  heard(entry) {
    this.remember(entry);
    for (const row of entry.events) {
      if (row.type === "round_opened") this.round = row;
      else if (row.type === "wager_reduced" && row.player) this.saysReady(this.round?.number ?? 0);
      else if (row.type === "player_ready" && row.player && row.ready) this.checkReady(row.number);
      else if (row.type === "bets_shut") {
        if (row.ready?.length && this.of(row.number)?.isIn && this.readyIn !== row.number)
          this.say(t("The bets were closed early, and you were not ready."));
        void this.show(row.number);
      } else if (row.type === "dice_drawn") this.check(row);
    }
  }

  /** The house has the player down as ready: only they can say so. @param {number} round */
  checkReady(round) {
    if (this.of(round)?.isIn && this.mayBeReadyIn !== round)
      this.say(t("The house says that you are ready, and you did not say so here. Did you on another page?"));
  }

  /** Note which bets were closed, perhaps before the page was opened. @param {Entry} entry */
  remember({ version, hash, events }) {
    // Only the player's own readiness has a name.
    for (const row of events)
      if (row.type === "player_ready" && row.player && (row.ready || this.readyIn === row.number))
        this.readyIn = row.ready ? row.number : 0;
      else if (row.type === "bets_shut") this.shut = { number: row.number, version, hash, listed: row.numbers ?? [] };
  }

  /** Check a draw against what this page knows. @param {Row} row */
  check(row) {
    const { round, shut } = this;
    if (round?.protocol !== PROTOCOL || round.number !== row.number || !shut || shut.number !== row.number) return;
    const kept = this.of(row.number);
    const own = kept && shut.listed.indexOf(numberCommitment(this.table, row.number, kept.own));
    this.verdict = { round: row.number, isGood: row.shut === shut.hash && this.follows(row, shut.listed) };
    if (row.shut !== shut.hash)
      this.say(t("The dice were drawn for different bets from those this page was told about."));
    else if (!this.verdict.isGood) this.say(t("The dice do not follow from the house’s commitment."));
    else if (kept?.isIn && row.numbers[own ?? -1] !== kept.own)
      this.say(
        kept.isShown
          ? t("Your number was left out of this throw, although the house had it.")
          : t("Your number came too late: this throw was drawn without it."),
      );
  }

  /** @param {Row} row @param {string[]} listed the commitments */
  follows({ number, secret, numbers, faces }, listed) {
    const { table, thrown } = this;
    if (numbers.length !== listed.length || commitment(PROTOCOL, table, number, secret) !== this.round?.commitment)
      return false;
    const isOpen = listed.every((one, i) => !numbers[i] || numberCommitment(table, number, numbers[i]) === one);
    return isOpen && isSame(drawn(secret, mixed(table, number, listed, numbers), thrown.faces, thrown.count), faces);
  }
}

/** @param {string} table */
function placeOfOwn(table) {
  return `croupier-numbers-${table}`;
}

/** The numbers that this browser has put into the last rounds of a table, by their rounds. @param {string} table @returns {Record<string, string>} */
export function ownNumbers(table) {
  try {
    return JSON.parse(localStorage.getItem(placeOfOwn(table)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** 32 random bytes, known only here. */
function newNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}
