// A prize draw: announced with a seal, its entries closed, its secret shown, and every draw made again from both. There
// is one way to write each line, so the expected line is known: the first that differs ends the check.

import { bigNumber, hex, isCount, isMark, joined, unhex, utf8 } from "../static/fairness/bytes.js";
import { hmac, sha256 } from "../static/fairness/hashes.js";
import { parsed, Unreadable } from "./record.js";

/** @import { Bytes } from "../static/fairness/bytes.js" */
/** @typedef {{number: number, entrant: string, weight: number}} Entry */
/** @typedef {{draw: number, prize: number | null, number: number | null, entrant: string | null}} Drawn */

export class DrawRecord {
  /** @param {any} header @param {Bytes} bytes the whole file */
  constructor(header, bytes) {
    const { promotion, commitment, prizes, reserves } = header;
    const isPlain =
      header.format === 1 &&
      typeof promotion === "string" &&
      isMark(commitment) &&
      isCount(reserves) &&
      Array.isArray(prizes) &&
      prizes.length > 0;
    if (!isPlain) throw new Unreadable("Its first line does not say what is drawn in a form that this page knows.");
    this.header = header;
    this.bytes = bytes;
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {bigint[]} tickets that are still in */
    this.left = [];
    this.digest = "";
    this.secret = "";
    /** @type {Drawn[]} */
    this.drawn = [];
    /** @type {Map<number, number>} the prize that each draw holds */
    this.held = new Map(prizes.map((/** @type {string} */ _, /** @type {number} */ place) => [place + 1, place + 1]));
    /** @type {Map<number, string>} why a draw got a prize of another one */
    this.passes = new Map();
    this.next = prizes.length;
    this.ended = false;
    this.finding = this.fault = "";
  }

  get due() {
    return this.drawn.length < Math.max(this.header.prizes.length + this.header.reserves, this.next);
  }

  /** One line, the first included. @param {number} number @param {string} line @param {number} start where it begins in the file */
  read(number, line, start) {
    if (this.finding) return;
    const told = parsed(line);
    const right = told && !this.ended ? this.mustBe(number, told, start) : null;
    if (right && JSON.stringify(right) === line) this.goOn(right);
    else {
      this.fault = number < 2 || JSON.stringify(told) !== line ? "altered" : this.faultOf(told ?? {}, number);
      this.finding = `Line ${number} (${this.fault}) is not what it should be.`;
      if (this.fault === "other_winner")
        this.finding = `Draw ${right.draw} must select entry ${right.number}, but the record says entry ${told.number}.`;
    }
  }

  /** Nothing more comes. */
  close() {
    if (this.ended || this.finding) return;
    this.fault = "missing";
    this.finding = "The record ends without its last line: some of it is missing.";
  }

  /** What is wrong with a line, by the names that `verify-draw` has for it. @param {any} told @param {number} number */
  faultOf(told, number) {
    const { digest, secret, due, held } = this;
    const [count, draws] = [this.entries.length, this.drawn.length];
    const than = (/** @type {number} */ said, /** @type {number} */ there) =>
      said > there ? "missing" : said < there ? "added" : "altered";
    if (this.ended) return "added";
    if (told.weight) return digest ? "late_entry" : than(told.number, count + 1);
    if (told.closed >= 0) return digest ? "added" : than(told.closed, count);
    if (told.ended >= 0) return count && !digest ? "missing" : secret && due ? "skipped" : than(told.ended, number - 1);
    if (told.secret) return secret ? "redrawn" : digest ? "other_secret" : "out_of_place";
    if (!told.draw && !told.passed) return "altered";
    if (!secret) return "out_of_place";
    if (told.passed) return due || held.has(told.passed) ? "skipped" : "redrawn";
    if (told.draw <= draws || !due) return "redrawn";
    if (told.draw > draws + 1) return "skipped";
    return told.prize === (held.get(told.draw) ?? null) ? "other_winner" : "other_prize";
  }

  /** The expected line, if its kind may come now. @param {number} number @param {any} told @param {number} start @returns {any} */
  mustBe(number, told, start) {
    const { record, format, promotion, commitment, prizes, reserves, one_prize_each } = this.header;
    if (number === 1) return { record, format, promotion, commitment, prizes, reserves, one_prize_each };
    const hash = () => hex(sha256(this.bytes.subarray(0, start)));
    const count = this.entries.length;
    if (told.ended >= 0)
      return (this.secret ? this.due : count && !this.digest) ? null : { ended: number - 1, sha256: hash() };
    if (this.secret) return this.due ? this.nextDraw() : this.nextPass(told);
    if (this.digest) return this.opens(told.secret) ? { secret: told.secret } : null;
    if (told.closed >= 0) return { closed: count, sha256: hash() };
    const isPlain = typeof told.entrant === "string" && isCount(told.weight) && told.weight > 0;
    return isPlain ? { number: count + 1, entrant: told.entrant, weight: told.weight } : null;
  }

  /** @param {any} line that is right */
  goOn(line) {
    if (line.ended !== undefined) this.ended = true;
    else if (line.closed !== undefined) this.digest = line.sha256;
    else if (line.secret) this.secret = line.secret;
    else if (line.draw) {
      this.drawn.push(line);
      for (const [place, entry] of this.entries.entries())
        if (entry.number === line.number || (this.header.one_prize_each && entry.entrant === line.entrant))
          this.left[place] = 0n;
    } else if (line.passed) {
      this.next = line.to;
      this.held.set(line.to, /** @type {number} */ (this.held.get(line.passed)));
      this.held.delete(line.passed);
      this.passes.set(line.to, line.because);
    } else if (line.weight) {
      this.entries.push(line);
      this.left.push(BigInt(line.weight));
    }
  }

  /** @param {unknown} secret */
  opens(secret) {
    const { promotion, commitment } = this.header;
    const bound = utf8(`croupier prize draw 1\n${promotion}\n`);
    return isMark(secret) && hex(sha256(joined(bound, unhex(secret)))) === commitment;
  }

  /** @returns {Drawn} */
  nextDraw() {
    const draw = this.drawn.length + 1;
    const won = this.fall(draw);
    return { draw, prize: this.held.get(draw) ?? null, number: won?.number ?? null, entrant: won?.entrant ?? null };
  }

  /** @param {any} told */
  nextPass({ passed, because }) {
    const isPlain = this.held.has(passed) && ["unclaimed", "declined", "denied"].includes(because);
    return isPlain ? { passed, to: this.next + 1, because } : null;
  }

  /** The entry that a draw selects. @param {number} draw @returns {Entry | null} */
  fall(draw) {
    const total = this.left.reduce((sum, weight) => sum + weight, 0n);
    const spare = BigInt(256 - total.toString(2).length);
    for (let attempt = 0; total > 0n; attempt++) {
      const bits = hmac(unhex(this.secret), utf8(`${this.digest}\n${draw}\n${attempt}\n`));
      let ticket = bigNumber(bits) >> spare;
      for (const [place, weight] of this.left.entries()) {
        if (ticket < weight) return this.entries[place];
        ticket -= weight;
      }
    }
    return null;
  }
}
