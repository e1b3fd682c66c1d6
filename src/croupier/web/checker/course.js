// The course of a table's rounds, as its public record tells it, and everything in it that is not as it must be.
// A round is opened with a seal, its bets are shut, its dice drawn, and thrown as they were drawn: each once, in order.

import { isCount, isMark, unhex } from "./bytes.js";
import { fallOf, isSame, mixOf, numberSeal, sealOf } from "./dice.js";

/** @typedef {import("./dice.js").Face} Face */
/** @typedef {{fault: string, sentence: string, version: number | null, round: number | null}} Finding */
/** @typedef {{version: number, hash: string, kind: string, event: any, at: string, isShown: boolean}} Told */
/**
 * @typedef {object} Round
 * @property {number} number @property {number} protocol @property {string} seal @property {string} opened
 * @property {string} closes @property {"open" | "shut" | "drawn" | "thrown" | "cancelled"} stage
 * @property {{seal: string, by: number}[]} put what players put in @property {Map<string, string>} shown
 * @property {number} bets @property {boolean} closing whether staff did something meanwhile
 * @property {{at: string, hash: string, numbers: string[]} | null} shut
 * @property {{at: string, secret: string, numbers: string[], faces: Face[]} | null} drawn
 * @property {Face[] | null} falls what follows @property {Face[] | null} settled @property {string | null} secret
 * @property {Finding[]} findings
 */

const OF_A_ROUND = ["round_opened", "last_called", "bets_shut", "dice_drawn", "round_cancelled"];
const WAGERING = ["wager_placed", "wager_reduced", "wager_called", "wager_found"];
const VOIDING = ["throw_voided", "outcome_invalidated"];
// What may come between the dice and their throw, or is a fault of its own there.
const BEFORE_A_THROW = ["turn_passed", "thrown", "dice_drawn", "round_cancelled", ...VOIDING, ...WAGERING];
const LATE_SECONDS = 60;

/** Faces as they are written: `3 4`. @param {unknown} faces */
export function written(faces) {
  const text = Array.isArray(faces) ? faces.slice(0, 40).join(" ") : "";
  return /^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(text) && text.length <= 40 ? text : "no throw";
}

export class Course {
  /** @param {string} table @param {Face[]} faces @param {number} throws */
  constructor(table, faces, throws) {
    this.table = table;
    this.faces = faces;
    this.throws = throws;
    /** @type {Round[]} */
    this.rounds = [];
    /** @type {Finding[]} */
    this.findings = [];
    this.byItself = false;
    this.book = "";
    this.version = 0;
    /** @type {Round | null} */
    this.lastDrawn = null;
    this.clock = "";
    /** @type {Map<string, number>} */
    this.secrets = new Map();
  }

  get current() {
    return this.rounds.at(-1) ?? null;
  }

  /** @param {string} fault @param {string} sentence @param {Round | null} [round] */
  report(fault, sentence, round = this.current) {
    const finding = { fault, sentence, version: this.version || null, round: round?.number ?? null };
    this.findings.push(finding);
    round?.findings.push(finding);
  }

  /** @param {string} what */
  outOfPlace(what) {
    this.report("out_of_place", `Record ${this.version} does not belong here: ${what}.`);
  }

  /** The next record. @param {Told} told */
  goOn(told) {
    this.version = told.version;
    if (told.at) this.time(told.at);
    if (this.current?.stage === "drawn" && !BEFORE_A_THROW.includes(told.kind)) this.leaveUnsettled(this.current);
    if (OF_A_ROUND.includes(told.kind)) this.step(told);
    else if (told.kind === "number_committed") this.putIn(told.event);
    else if (told.kind === "number_shown") this.showNumber(told.event);
    else if (told.kind === "table_set") this.byItself ||= Boolean(told.event.rhythm);
    else if (told.kind === "table_opened") this.book = String(told.event.terms?.book ?? "");
    else if (told.kind === "thrown") this.throw(told.event);
    else if (told.kind === "sign_changed") this.changeSign();
    else if (VOIDING.includes(told.kind)) this.void();
    else if (WAGERING.includes(told.kind)) this.wager();
    else if (this.current) this.current.closing ||= told.kind === "act_done";
  }

  end() {
    if (this.current?.stage === "drawn") this.leaveUnsettled(this.current);
  }

  /** @param {string} at */
  time(at) {
    if (at < this.clock)
      this.report("time_backwards", `Record ${this.version} is of an earlier time than one before it.`);
    else this.clock = at;
  }

  /** @param {Round} round */
  leaveUnsettled(round) {
    this.report("not_settled", `Round ${round.number} was drawn, and its throw did not follow.`);
    round.stage = "thrown";
  }

  /** @param {Told} told */
  step(told) {
    const { event, kind } = told;
    const round = this.current;
    if (!told.isShown) this.report("not_shown", `Record ${told.version} is ${kind}, and does not show its document.`);
    else if (!isCount(event.number) || !event.number) this.outOfPlace("its round has no number");
    else if (kind === "round_opened") this.open(event, told);
    else if (round?.number !== event.number) this.outOfPlace(`it is of round ${event.number}`);
    else if (kind === "last_called") this.lastCall(/** @type {Round} */ (round), event);
    else if (kind === "bets_shut") this.shut(/** @type {Round} */ (round), event, told);
    else if (kind === "dice_drawn") this.draw(/** @type {Round} */ (round), event, told);
    else this.cancel(/** @type {Round} */ (round), event);
  }

  /** @param {any} event @param {Told} told */
  open(event, told) {
    const last = this.current;
    if (last?.stage === "open" || last?.stage === "shut")
      this.report("skipped", `Round ${last.number} was neither drawn nor cancelled.`);
    /** @type {Round} */
    const round = {
      ...{ number: event.number, protocol: event.protocol ?? 1, seal: String(event.commitment), opened: told.at },
      ...{ closes: String(event.closes), stage: "open", put: [], shown: new Map(), bets: 0, closing: false },
      ...{ shut: null, drawn: null, falls: null, settled: null, secret: null, findings: [] },
    };
    this.rounds.push(round);
    this.byItself = true;
    const before = last?.number ?? 0;
    if (round.number > before + 1) {
      const gap =
        round.number === before + 2 ? `Round ${before + 1} is` : `Rounds ${before + 1} to ${round.number - 1} are`;
      this.report("missing", `${gap} missing.`);
    } else if (round.number <= before)
      this.report("redrawn", `Round ${round.number} was opened after round ${before}.`);
    if (round.protocol !== 1 && round.protocol !== 2)
      this.report("other_dice", `Round ${round.number} is drawn in a way that this page does not know.`);
  }

  /** @param {Round} round @param {any} event */
  lastCall(round, event) {
    if (round.stage !== "open") this.outOfPlace(`the last call of round ${round.number}`);
    else if (event.closes < round.closes)
      this.outOfPlace(`the last call of round ${round.number} is for an earlier time than was announced`);
    else round.closes = event.closes;
  }

  /** @param {any} event */
  putIn(event) {
    const round = this.current;
    if (round?.number !== event.number || round?.stage !== "open") this.outOfPlace("a number is put in");
    else round.put.push({ seal: String(event.commitment), by: Number(event.contributor) });
  }

  /** @param {Round} round @param {any} event @param {Told} told */
  shut(round, event, told) {
    if (round.stage !== "open") {
      this.outOfPlace(`the bets of round ${round.number} are shut`);
      return;
    }
    const numbers = Array.isArray(event.numbers) ? event.numbers.map(String) : [];
    round.stage = "shut";
    round.shut = { at: told.at, hash: told.hash, numbers };
    const name = `The bets of round ${round.number} were shut`;
    if (told.at < round.closes) this.report("shut_early", `${name} before the time that was announced.`);
    if (Date.parse(told.at) - Date.parse(round.closes) > LATE_SECONDS * 1000)
      this.report("shut_late", `${name} long after the time that was announced.`);
    const put = round.put.map((one) => one.seal).sort();
    if (!isSame(numbers, round.protocol === 1 ? [] : put)) {
      const say = `The list of numbers that was fixed for round ${round.number} is not that of the numbers put in.`;
      this.report("numbers_altered", say);
    }
  }

  /** @param {any} event */
  showNumber(event) {
    const round = this.current;
    const seal = String(event.commitment);
    if (round?.number !== event.number || round?.stage !== "shut" || !round.put.some((one) => one.seal === seal)) {
      this.outOfPlace("a number is shown");
      return;
    }
    const opens = isMark(event.shown) && numberSeal(this.table, round.number, event.shown) === seal;
    if (!opens)
      this.report("number_changed", `A number shown in round ${round.number} is not the one that was put in.`);
    round.shown.set(seal, String(event.shown));
  }

  /** @param {Round} round @param {any} event @param {Told} told */
  draw(round, event, told) {
    if (round.stage === "open") this.outOfPlace(`round ${round.number} is drawn before its bets are shut`);
    else if (round.stage !== "shut") {
      const how = round.stage === "cancelled" ? "after it was cancelled" : "a second time";
      this.report("redrawn", `Round ${round.number} was drawn ${how}.`);
    }
    const numbers = Array.isArray(event.numbers) ? event.numbers.map(String) : [];
    round.drawn = { at: told.at, secret: String(event.secret), numbers, faces: event.faces };
    this.checkSecret(round, event.secret);
    if (round.protocol === 2) this.checkNumbers(round, numbers);
    this.checkFaces(round, event);
    round.stage = "drawn";
    this.lastDrawn = round;
  }

  /** @param {Round} round @param {unknown} secret */
  checkSecret(round, secret) {
    round.secret = isMark(secret) ? secret : null;
    if (!isMark(secret) || sealOf(round.protocol, this.table, round.number, secret) !== round.seal) {
      this.report("commitment_changed", `The secret of round ${round.number} is not the one that was sealed.`);
      return;
    }
    const before = this.secrets.get(secret);
    if (before !== undefined && before !== round.number)
      this.report("secret_reused", `Round ${round.number} has the same secret as round ${before}.`);
    this.secrets.set(secret, round.number);
  }

  /** @param {Round} round @param {string[]} numbers */
  checkNumbers(round, numbers) {
    const seals = round.shut?.numbers ?? [];
    const asShown = seals.map((seal) => round.shown.get(seal) ?? "");
    if (!isSame(numbers, asShown)) {
      const say = `Round ${round.number} was drawn with other numbers than the players showed.`;
      this.report("number_changed", say);
    }
  }

  /** @param {Round} round @param {any} event */
  checkFaces(round, event) {
    const { shut, drawn, secret } = round;
    if (!shut || !drawn) return;
    if (event.shut !== shut.hash)
      this.report("altered", `Round ${round.number} names another record than the one that shut its bets.`);
    if (!secret) return;
    const mix = mixing(this.table, round);
    round.falls = fallOf(secret, mix, this.faces, this.throws);
    if (!isSame(round.falls, event.faces)) {
      const [says, gives] = [written(event.faces), written(round.falls)];
      this.report("other_dice", `Round ${round.number} shows ${says}, and what was sealed gives ${gives}.`);
    }
  }

  /** @param {Round} round @param {any} event */
  cancel(round, event) {
    if (round.stage === "cancelled") {
      this.outOfPlace(`round ${round.number} is cancelled`);
      return;
    }
    if (round.stage === "shut") this.report("skipped", `Round ${round.number} was cancelled after its bets were shut.`);
    else if (round.stage !== "open") this.report("voided", `Round ${round.number} was cancelled after it was drawn.`);
    else if (round.bets > 0 && !round.closing)
      this.report("cancelled_with_bets", `Round ${round.number} was cancelled with bets standing.`);
    this.checkSecret(round, event.secret);
    round.stage = "cancelled";
  }

  // What else happens at the table

  /** @param {any} event */
  throw(event) {
    const round = this.current;
    if (round?.stage === "drawn") {
      round.settled = event.faces;
      if (!isSame(event.faces, round.drawn?.faces)) {
        const [was, is] = [written(round.drawn?.faces), written(event.faces)];
        this.report("other_throw", `In round ${round.number} ${was} was drawn, and ${is} was settled.`);
      }
      round.stage = "thrown";
    } else if (this.byItself) this.report("not_drawn", `Record ${this.version} settles a throw that was not drawn.`);
  }

  changeSign() {
    const round = this.current;
    if (round?.stage === "shut")
      this.report(
        "sign_changed",
        `The sign of the table was changed after the bets of round ${round.number} were shut.`,
      );
  }

  void() {
    const round = this.lastDrawn;
    if (round) this.report("voided", `The throw of round ${round.number} was declared void after it was drawn.`, round);
    else if (this.byItself) this.report("voided", `Record ${this.version} declares a throw void that was not drawn.`);
    if (this.current?.stage === "drawn") this.current.stage = "thrown";
  }

  wager() {
    const round = this.current;
    if (round?.stage === "open") round.bets += 1;
    else if (!this.byItself) return;
    else if (round?.stage === "shut" || round?.stage === "drawn")
      this.report(
        "late_bet",
        `Record ${this.version} changes a bet after the bets of round ${round.number} were shut.`,
      );
    else
      this.report("early_bet", `Record ${this.version} changes a bet while no round is open: nothing was sealed yet.`);
  }
}

/** What the secret of a round is mixed with. @param {string} table @param {Round} round */
export function mixing(table, round) {
  if (round.protocol === 1) return unhex(round.shut?.hash ?? "");
  return mixOf(table, round.number, round.shut?.numbers ?? [], round.drawn?.numbers ?? []);
}
