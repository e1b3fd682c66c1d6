// The rounds of a table as its public record tells them, and everything in them that is wrong.
// A round opens with a seal, its bets close, its dice are drawn, and thrown as drawn: each once, in order.

import { isCount, isMark, unhex } from "../static/fairness/bytes.js";
import { commitment, drawn, isSame, mixed, numberCommitment } from "../static/fairness/dice.js";

/** @import { Face } from "../static/fairness/dice.js" */
/** @typedef {{fault: string, sentence: string, round: number}} Finding `round` is 0 where it is of none */
/** @typedef {{version: number, hash: string, kind: string, event: any, at: string, isShown: boolean}} Told */
/**
 * @typedef {object} Round
 * @property {number} number @property {number} protocol @property {string} seal @property {string} opened
 * @property {string} closes @property {string} said when that was announced @property {boolean} waits for the first bet
 * @property {number} open for so many seconds, as the table's rhythm has it
 * @property {"open" | "shut" | "drawn" | "thrown" | "cancelled"} stage
 * @property {{seal: string, by: number}[]} put what players put in @property {Map<string, string>} shown
 * @property {Set<number>} ready the players who are @property {boolean} isEarly shut because all were
 * @property {{at: string, hash: string, numbers: string[]} | null} shut
 * @property {{at: string, numbers: string[], faces: Face[]} | null} drawn @property {string} secret
 * @property {Face[] | null} falls what follows @property {Face[] | null} settled
 * @property {Finding[]} findings
 */

const OF_A_ROUND = ["round_opened", "clock_set", "last_called", "bets_shut", "dice_drawn", "round_cancelled"];
const STAKING = ["wager_placed", "wager_found"];
const WAGERING = [...STAKING, "wager_reduced", "wager_called"];
const VOIDING = ["throw_voided", "outcome_invalidated"];
// Events that may come between a draw and its throw, or are faults of another kind there.
const BEFORE_A_THROW = ["turn_passed", "thrown", "dice_drawn", "round_cancelled", ...VOIDING, ...WAGERING];
const RHYTHM = { open: 20, numbers: 2, shut: 1 };
const MUCH_LATER = 10; // seconds; a house that is half as late announces a new time

/** Faces as they are written: `3 4`. @param {unknown} faces */
function written(faces) {
  const text = Array.isArray(faces) ? faces.join(" ") : "";
  return /^[A-Za-z0-9 ]{1,40}$/.test(text) ? text : "no throw";
}

/** @param {unknown} list @returns {string[]} */
function texts(list) {
  return Array.isArray(list) ? list.map(String) : [];
}

/** Whether a time is so many seconds later than another. @param {string} at @param {string} than @param {number} by */
function isLater(at, than, by) {
  return Date.parse(at) - Date.parse(than) >= 1000 * by;
}

/** @param {any} event @param {string} opened @param {number} open @returns {Round} */
function newRound({ number, protocol = 1, commitment, closes, waits = false }, opened, open) {
  return {
    ...{
      number,
      protocol,
      seal: String(commitment),
      opened,
      closes,
      said: opened,
      waits,
      open,
      stage: "open",
      put: [],
      ready: new Set(),
      isEarly: false,
      shown: new Map(),
    },
    ...{ shut: null, drawn: null, secret: "", falls: null, settled: null, findings: [] },
  };
}

export class Course {
  /** @param {string} table @param {Face[]} faces @param {number} throws */
  constructor(table, faces, throws) {
    this.table = table;
    this.faces = faces;
    this.throws = throws;
    /** @type {Round[]} */
    this.rounds = [];
    this.current = newRound({ number: 0 }, "", 0);
    this.current.stage = "cancelled";
    /** @type {Finding[]} */
    this.findings = [];
    this.byItself = false;
    this.rhythm = RHYTHM;
    this.stands = false; // whether the last change of a stake added to it
    this.hasBets = false; // whether there was a stake at all: the record does not show which are decided
    this.closes = false; // whether the table is closing, as far as the record shows
    this.mayClose = false;
    this.version = 0;
    /** @type {number[]} players with a number in the last round that was drawn */
    this.lately = [];
    /** @type {Round | null} */
    this.lastDrawn = null;
    this.clock = "";
    /** @type {Map<string, number>} seals and secrets, with their rounds */
    this.used = new Map();
  }

  /** Report a fault of a round. @param {string} fault @param {string} words @param {Round} [round] */
  wrong(fault, words, round = this.current) {
    this.report(fault, `Round ${round.number} ${words}.`, round);
  }

  /** Report a fault of the current event. @param {string} fault @param {string} words */
  wrongHere(fault, words) {
    this.report(fault, `Event ${this.version} ${words}.`);
  }

  /** @param {string} fault @param {string} sentence @param {Round} [round] */
  report(fault, sentence, round = this.current) {
    const finding = { fault, sentence, round: round.number };
    this.findings.push(finding);
    round.findings.push(finding);
  }

  outOfPlace() {
    this.wrongHere("out_of_place", "is out of order");
  }

  /** The next event. @param {Told} told */
  goOn(told) {
    const { kind, event, at } = told;
    this.version = told.version;
    if (at && at < this.clock) this.wrongHere("time_backwards", "is earlier than one before it");
    else if (at) this.clock = at;
    if (!BEFORE_A_THROW.includes(kind)) this.end();
    if (OF_A_ROUND.includes(kind)) this.step(told);
    else if (kind === "number_committed") this.putIn(event);
    else if (kind === "number_shown") this.showNumber(event);
    else if (kind === "player_ready") this.sayReady(event);
    else if (kind === "table_set" && event.rhythm) {
      this.byItself = true;
      this.rhythm = { ...RHYTHM, ...event.rhythm };
    } else if (kind === "thrown") this.throw(event.faces);
    else if (kind === "sign_changed" || kind === "rules_adopted") {
      if (this.current.stage === "shut") this.wrong("sign_changed", "had its sign changed after its bets were closed");
    } else if (kind === "table_reopened") this.closes = this.mayClose = false;
    else if (kind === "act_done" || kind === "noted") {
      if (event.table !== undefined) this.closes = event.table === "closing" || event.table === "closed";
      this.mayClose = true;
    } else if (VOIDING.includes(kind)) this.void();
    else if (WAGERING.includes(kind)) this.wager(kind);
  }

  /** What was drawn must have been thrown by now. */
  end() {
    if (this.current.stage !== "drawn") return;
    this.wrong("not_settled", "was drawn, but its throw did not follow");
    this.current.stage = "thrown";
  }

  /** @param {Told} told */
  step({ event, kind, isShown, at, hash }) {
    const round = this.current;
    if (!isShown) this.wrongHere("not_shown", `is ${kind}, and does not show its document`);
    else if (!isCount(event.number) || !event.number) this.outOfPlace();
    else if (kind === "round_opened") this.open(event, at);
    else if (round.number !== event.number) this.outOfPlace();
    else if (kind === "dice_drawn") this.draw(event, at);
    else if (kind === "round_cancelled") this.cancel(event);
    else if (round.stage !== "open") this.outOfPlace();
    else if (kind === "bets_shut") this.shut(texts(event.numbers), event.ready, at, hash);
    else if (kind === "clock_set" && event.closes === null) round.waits = true;
    else if (event.closes < round.closes) this.outOfPlace();
    else {
      round.closes = event.closes;
      round.said = at;
      if (kind === "clock_set") round.waits = false;
    }
  }

  /** @param {any} event @param {string} at */
  open(event, at) {
    const last = this.current;
    if (last.stage === "open" || last.stage === "shut") this.wrong("skipped", "was neither drawn nor cancelled");
    const round = newRound(event, at, this.rhythm.open);
    const { number, protocol } = round;
    this.current = round;
    this.rounds.push(round);
    this.byItself = true;
    if (number > last.number + 1) this.wrong("missing", `comes after round ${last.number}: some are missing`);
    if (number <= last.number) this.wrong("redrawn", `was opened after round ${last.number}`);
    if (![1, 2].includes(protocol) || protocol < last.protocol)
      this.wrong("other_dice", "uses a protocol that is not allowed here");
    this.use(round.seal, "seal");
  }

  /** @param {string} mark @param {string} what */
  use(mark, what) {
    const { number } = this.current;
    const before = this.used.get(mark) ?? number;
    if (before !== number) this.wrong("secret_reused", `has the ${what} of round ${before}`);
    this.used.set(mark, before);
  }

  /** @param {any} event */
  putIn({ number, commitment: seal, contributor: by }) {
    const round = this.current;
    if (round.number !== number || round.stage !== "open" || round.protocol === 1 || !isMark(seal)) this.outOfPlace();
    else if (round.put.some((one) => one.seal === seal || one.by === by))
      this.wrongHere("numbers_altered", "adds a number that was already in, or a player’s second one");
    else round.put.push({ seal, by: Number(by) });
  }

  /** @param {any} event */
  sayReady({ number, contributor: by, ready }) {
    const round = this.current;
    const isDue = round.number === number && round.stage === "open" && round.protocol !== 1;
    if (!isDue || !Number.isInteger(by) || typeof ready !== "boolean") this.outOfPlace();
    else if (ready) round.ready.add(by);
    else round.ready.delete(by);
  }

  /** @param {string[]} numbers @param {unknown} ready those who were, if the bets were shut for it @param {string} at @param {string} hash */
  shut(numbers, ready, at, hash) {
    const round = this.current;
    round.stage = "shut";
    round.shut = { at, hash, numbers };
    round.isEarly = Array.isArray(ready) && ready.length > 0;
    if (round.isEarly) this.checkReady(/** @type {number[]} */ (ready));
    else this.checkTime(at);
    this.checkTimeForNumbers(at);
    if (!isSame(numbers, round.put.map((one) => one.seal).sort()))
      this.wrong("numbers_altered", "was closed with a list of numbers that are not those added");
  }

  /** The bets were shut at the time announced. @param {string} at */
  checkTime(at) {
    const round = this.current;
    if (round.waits || at < round.closes) this.wrong("shut_early", "was closed before the announced time");
    // A clock that was set back announces times that have already passed.
    else if (isLater(at, round.closes > round.said ? round.closes : round.said, MUCH_LATER + this.rhythm.numbers))
      this.wrong("shut_late", "was closed much later than announced");
  }

  /** The bets were shut because all were ready: at least everybody with a number. @param {number[]} ready */
  checkReady(ready) {
    const round = this.current;
    const said = [...round.ready].sort((one, other) => one - other);
    if (!isSame(ready, said) || !round.put.every((one) => round.ready.has(one.by)))
      this.wrong("shut_early", "was shut early, and not everybody with a number in it was ready");
  }

  /**
   * Players with a number in the round before had time for the next: as long as for revealing it, or as long as this
   * table ever takes bets. A round that takes none gives them the whole time. @param {string} at
   */
  checkTimeForNumbers(at) {
    const { put, opened, closes, open, isEarly } = this.current;
    if (this.lately.every((by) => put.some((one) => one.by === by))) return;
    const { numbers } = this.rhythm;
    if (!isLater(at, opened, closes > opened && !isEarly ? Math.min(numbers, open) : numbers))
      this.wrong("shut_early", "was shut before players had time to put their numbers in");
  }

  /** @param {any} event */
  showNumber({ number, commitment: seal, shown }) {
    const round = this.current;
    const isDue = round.number === number && round.stage === "shut" && round.shut?.numbers.includes(seal);
    if (!isDue || round.shown.has(seal)) this.outOfPlace();
    else if (isMark(shown) && numberCommitment(this.table, number, shown) === seal) round.shown.set(seal, shown);
    else this.wrong("number_changed", "reveals a number that is not the one added");
  }

  /** @param {any} event @param {string} at */
  draw(event, at) {
    const round = this.current;
    if (round.stage === "open") this.outOfPlace();
    else if (round.stage !== "shut") this.wrong("redrawn", "was drawn again, or after it was cancelled");
    round.drawn = { at, numbers: texts(event.numbers), faces: event.faces };
    round.stage = "drawn";
    this.lastDrawn = round;
    this.lately = round.put.map((one) => one.by);
    this.checkSecret(event.secret);
    if (!round.shut) return;
    this.checkNumbers(round.shut, round.drawn);
    if (event.shut !== round.shut.hash) this.wrong("altered", "does not name the event that closed its bets");
    if (!round.secret) return;
    round.falls = drawn(round.secret, mixing(this.table, round), this.faces, this.throws);
    if (!isSame(round.falls, event.faces))
      this.wrong("other_dice", `shows ${written(event.faces)}, but the sealed numbers give ${written(round.falls)}`);
  }

  /** @param {unknown} secret */
  checkSecret(secret) {
    const round = this.current;
    round.secret = isMark(secret) ? secret : "";
    if (!round.secret || commitment(round.protocol, this.table, round.number, round.secret) !== round.seal)
      this.wrong("commitment_changed", "reveals a secret that is not the sealed one");
    else this.use(round.secret, "secret");
  }

  /** @param {{at: string, numbers: string[]}} shut @param {{at: string, numbers: string[]}} drawn */
  checkNumbers(shut, drawn) {
    const asShown = shut.numbers.map((seal) => this.current.shown.get(seal) ?? "");
    if (!isSame(drawn.numbers, asShown))
      this.wrong("number_changed", "was drawn with numbers that are not those the players revealed");
    const waits = Math.max(this.rhythm.numbers, this.rhythm.shut);
    if (drawn.numbers.includes("") && !isLater(drawn.at, shut.at, waits))
      this.wrong("drawn_early", "was drawn before the deadline of a missing number");
  }

  /** @param {any} event */
  cancel(event) {
    const { stage, protocol } = this.current;
    if (stage === "cancelled") {
      this.outOfPlace();
      return;
    }
    if (stage === "shut") this.wrong("skipped", "was cancelled after its bets were closed");
    else if (stage !== "open") this.wrong("voided", "was cancelled after it was drawn");
    const mayStand = event.standing || (protocol > 1 && stage === "open" ? this.hasBets : this.stands);
    if (mayStand && !this.closes && !(this.mayClose && protocol === 1)) {
      const how = event.standing || this.stands ? "with bets standing" : "and bets may have stood";
      this.wrong("cancelled_with_bets", `was cancelled ${how}, although the table never closed`);
    }
    this.checkSecret(event.secret);
    this.current.stage = "cancelled";
  }

  /** @param {Face[]} faces */
  throw(faces) {
    const { stage, drawn } = this.current;
    if (stage !== "drawn") {
      if (this.byItself) this.wrongHere("not_drawn", "settles a throw that was not drawn");
      return;
    }
    if (!isSame(faces, drawn?.faces))
      this.wrong("other_throw", `drew ${written(drawn?.faces)}, but ${written(faces)} was settled`);
    this.current.settled = faces;
    this.current.stage = "thrown";
    this.stands = false;
  }

  void() {
    if (this.lastDrawn) this.wrong("voided", "was declared void after it was drawn", this.lastDrawn);
    else if (this.byItself) this.wrongHere("voided", "declares a throw void that was not drawn");
    if (this.current.stage === "drawn") this.current.stage = "thrown";
  }

  /** @param {string} kind */
  wager(kind) {
    const { stage } = this.current;
    if (kind !== "wager_called") this.stands = STAKING.includes(kind);
    this.hasBets ||= this.stands;
    if (stage === "open" || !this.byItself) return;
    if (stage === "shut" || stage === "drawn") this.wrongHere("late_bet", "changes a bet after the bets were closed");
    else this.wrongHere("early_bet", "changes a bet while no round is open and nothing is sealed");
  }
}

/** What the secret of a round is mixed with. @param {string} table @param {Round} round */
export function mixing(table, round) {
  if (round.protocol === 1) return unhex(round.shut?.hash ?? "");
  return mixed(table, round.number, round.shut?.numbers ?? [], round.drawn?.numbers ?? []);
}
