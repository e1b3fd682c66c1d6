// One round of a table with electronic dice, checked from its public record: what was sealed, put in, shut, opened,
// drawn, chained and signed. It decides nothing about the game and needs no page.

import { hex, isMark, joined, unhex, utf8 } from "../fairness/bytes.js";
import { commitment, drawn as drawnBy, isSame, mixed, numberCommitment } from "../fairness/dice.js";
import { sha256 } from "../fairness/hashes.js";
import { isSigned } from "../fairness/receipt.js";

/** @import { Face } from "../fairness/dice.js" */
/** @import { Receipt } from "../fairness/receipt.js" */
/** @typedef {"good" | "bad" | "wait" | "note"} Mark */
/** @typedef {"seal" | "number" | "shut" | "secret" | "draw" | "chain" | "receipt"} Name */
/** @typedef {{name: Name, mark: Mark, at: string, fault: string, digits: [string, string][], count: number}} Step */
/** @typedef {{version: number, sha256: string, hash: string, document?: string, event?: any, type?: string}} Line */
/** @typedef {{version: number, hash: string, type: string, event: any, at: string}} Told */
/**
 * What this device knows by itself: the number that it added, the seal that it showed, the receipts that it keeps and
 * the key that it knows the house by.
 * @typedef {{own: string | null, seal: string | null, receipts: Receipt[], key: string | null}} Known
 */
/** @typedef {{number: number, mark: Mark, faces: Face[], said: Face[], seal: string, steps: Step[]}} Checked */

const STAKING = ["wager_placed", "wager_found"];

/** @param {Name} name @param {Partial<Step>} rest @returns {Step} */
function step(name, rest) {
  return { name, mark: "good", at: "", fault: "", digits: [], count: 0, ...rest };
}

/** @param {Line} line @returns {Told} */
function toldBy({ version, hash, document, event, type }) {
  const whole = document === undefined ? { event: event ?? { type }, at: "" } : JSON.parse(document);
  return { version, hash, type: String(whole.event?.type), event: whole.event, at: String(whole.at ?? "") };
}

class Round {
  /** @param {string} table @param {number} number @param {any} header @param {Line[]} lines from the one before its opening */
  constructor(table, number, header, lines) {
    this.table = table;
    this.number = number;
    this.thrown = { faces: header.faces, count: header.throw };
    this.lines = lines;
    this.told = lines.map(toldBy);
    const of = (/** @type {string} */ type) =>
      this.told.filter((one) => one.type === type && one.event.number === number);
    this.opened = of("round_opened")[0];
    this.put = of("number_committed");
    this.shut = of("bets_shut")[0];
    this.drawn = of("dice_drawn")[0];
    this.cancelled = of("round_cancelled")[0];
    this.fell = this.told.findLast((one) => one.type === "thrown");
  }

  get protocol() {
    return this.opened?.event.protocol ?? 1;
  }

  /** The commitments that were fixed when the bets were shut. @returns {string[]} */
  get listed() {
    return this.shut?.event.numbers ?? [];
  }

  /** What the secret is mixed with. */
  get mix() {
    if (this.protocol === 1) return unhex(this.shut?.hash ?? "");
    return mixed(this.table, this.number, this.listed, this.drawn?.event.numbers ?? []);
  }

  /** The dice as they follow from secret and numbers. @returns {Face[]} */
  get follows() {
    if (!this.drawn || !isMark(this.drawn.event.secret)) return [];
    return drawnBy(this.drawn.event.secret, this.mix, this.thrown.faces, this.thrown.count);
  }
}

/** @param {Round} round @param {Known} known */
function sealed({ opened }, { seal }) {
  const digits = /** @type {[string, string][]} */ ([["seal", String(opened?.event.commitment ?? "")]]);
  if (!opened) return step("seal", { mark: "bad", fault: "missing" });
  if (seal !== null && seal !== opened.event.commitment)
    return step("seal", { mark: "bad", at: opened.at, fault: "other", digits: [...digits, ["shown", seal]] });
  return step("seal", { at: opened.at, digits });
}

/** @param {Round} round @param {Known} known */
function numbered({ table, number, put, shut, drawn, listed, protocol }, { own }) {
  const seals = put.map((one) => one.event.commitment);
  if (protocol === 1) return null;
  const mark = put.length > 0 ? "good" : shut ? "note" : "wait";
  if (own === null) return step("number", { mark, fault: "none", count: put.length });
  const seal = numberCommitment(table, number, own);
  const digits = /** @type {[string, string][]} */ ([
    ["number", own],
    ["fingerprint", seal],
  ]);
  const fault = !seals.includes(seal) || (shut && !listed.includes(seal)) ? "left_out" : "";
  if (fault) return step("number", { mark: "bad", fault, digits, count: put.length });
  const shown = drawn?.event.numbers[listed.indexOf(seal)];
  if (drawn && shown && shown !== own)
    return step("number", { mark: "bad", fault: "changed", digits, count: put.length });
  if (drawn && !shown) return step("number", { mark: "note", fault: "late", digits, count: put.length });
  return step("number", { digits, count: put.length });
}

/** @param {Round} round */
function closed({ shut, put, drawn, told, listed }) {
  if (!shut) return step("shut", { mark: "wait" });
  const digits = /** @type {[string, string][]} */ ([["bets", shut.hash]]);
  const end = drawn?.version ?? Number.POSITIVE_INFINITY;
  const late = told.some((one) => STAKING.includes(one.type) && one.version > shut.version && one.version < end);
  const isListed = isSame([...listed], put.map((one) => one.event.commitment).sort());
  const fault = late ? "late" : isListed ? "" : "numbers";
  return step("shut", { mark: fault ? "bad" : "good", at: shut.at, fault, digits });
}

/** @param {Round} round */
function opened({ table, number, opened: first, drawn, shut, protocol, listed }) {
  if (!drawn) return step("secret", { mark: "wait" });
  const { secret, numbers, shut: from } = drawn.event;
  const digits = /** @type {[string, string][]} */ ([["secret", String(secret)]]);
  const bad = (/** @type {string} */ fault) => step("secret", { mark: "bad", at: drawn.at, fault, digits });
  if (!isMark(secret) || commitment(protocol, table, number, secret) !== first?.event.commitment) return bad("other");
  if (from !== shut?.hash) return bad("bets");
  const isOpen = listed.every((seal, place) => {
    const shown = (numbers ?? [])[place];
    return !shown || numberCommitment(table, number, shown) === seal;
  });
  return isOpen ? step("secret", { at: drawn.at, digits }) : bad("numbers");
}

/** @param {Round} round */
function threw({ drawn, fell, follows, mix }) {
  if (!drawn) return step("draw", { mark: "wait" });
  const digits = /** @type {[string, string][]} */ ([["mix", hex(mix)]]);
  const fault = !isSame(follows, drawn.event.faces)
    ? "other"
    : fell && !isSame(follows, fell.event.faces)
      ? "settled"
      : "";
  return step("draw", { mark: fault ? "bad" : "good", at: drawn.at, fault, digits });
}

/** Each record carries the fingerprint of the one before it. @param {Round} round */
function chained({ lines }) {
  for (const [place, line] of lines.entries()) {
    const before = lines[place - 1];
    const follows = before && hex(sha256(joined(unhex(before.hash), unhex(line.sha256))));
    const isOwn = line.document === undefined || hex(sha256(utf8(line.document))) === line.sha256;
    if (!isOwn || (before && (before.version + 1 !== line.version || follows !== line.hash)))
      return step("chain", { mark: "bad", fault: "altered", count: line.version, digits: [["record", line.hash]] });
  }
  return step("chain", { count: lines.length, digits: [["record", lines.at(-1)?.hash ?? ""]] });
}

/** @param {Round} round @param {Known} known */
async function signed({ lines }, { receipts, key }) {
  const hashes = new Map(lines.map((line) => [line.version, line.hash]));
  const about = receipts.filter((one) => hashes.has(one.version));
  const [first] = about;
  if (!first) return step("receipt", { mark: "note", fault: "none" });
  const digits = /** @type {[string, string][]} */ ([
    ["key", first.key],
    ["signature", first.signature],
  ]);
  for (const one of about) {
    const fault = one.hash !== hashes.get(one.version) ? "forked" : key !== null && one.key !== key ? "key" : "";
    if (fault) return step("receipt", { mark: "bad", fault, digits, count: one.version });
    if (!(await isSigned(one))) return step("receipt", { mark: "bad", fault: "signature", digits, count: one.version });
  }
  return step("receipt", { digits, count: about.length, at: first.at });
}

/**
 * Check a round. Raises SyntaxError if the record cannot be read.
 * @param {string} text its public record @param {string} table @param {number} number @param {Known} known
 * @returns {Promise<Checked>}
 */
export async function checkRound(text, table, number, known) {
  const [header, ...rest] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const round = new Round(
    table,
    number,
    header,
    rest.filter((line) => isMark(line.hash)),
  );
  const made = [
    sealed(round, known),
    numbered(round, known),
    closed(round),
    opened(round),
    threw(round),
    chained(round),
    await signed(round, known),
  ];
  const steps = /** @type {Step[]} */ (made.filter((one) => one !== null));
  const isBad = steps.some((one) => one.mark === "bad");
  const mark = isBad ? "bad" : round.cancelled ? "note" : round.drawn ? "good" : "wait";
  return {
    number,
    mark,
    faces: round.follows,
    said: round.fell?.event.faces ?? round.drawn?.event.faces ?? [],
    seal: String(round.opened?.event.commitment ?? ""),
    steps,
  };
}
