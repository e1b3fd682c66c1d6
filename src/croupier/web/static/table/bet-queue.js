// A player's bets, sent one after the other. Each is shown as placed only once the house has accepted it.

import { keyOf } from "../felt/area.js";
import { Refused } from "../shared/api.js";
import { cents, money } from "../shared/words.js";

/** @import { Pick } from "../felt/area.js" */
/** @import { Entry } from "../shared/live.js" */
/** @typedef {{do: "bet" | "take" | "call", wager: string, pick: Pick, amount?: string, on?: boolean, checks?: string}} Line */
/** @typedef {{line: Line, step: Step, round: number | null, isAlone: boolean}} Move `isAlone`: not to be sent with others */
/** @typedef {{line: Line, moves: Move[], round: number | null, version: number | null}} Sent several moves as one line; `version`: of the table with it */
/**
 * One action of the player, which is taken back as one.
 * @typedef {object} Step
 * @property {Line[]} lines those that were accepted
 * @property {boolean} isUndo
 * @property {boolean} isWhole all of it, or nothing
 * @property {number} size
 * @property {number} refusals
 */

/**
 * Who takes the lines: the house, or a practice table.
 * @typedef {object} Dealer
 * @property {(order: {line: Line, round?: number, number?: string}, how: {waiting: () => void}) => Promise<{number?: string, version?: number}>} give `version`: of the table with it, if it is shown later
 */
/**
 * @typedef {object} Listener
 * @property {() => void} changed what is on its way is another
 * @property {(line: Line, refused: Refused, step: Step) => void} refused
 * @property {() => void} held no answer came: it is sent again
 * @property {(line: Line) => void} accepted
 * @property {() => number | null} round the round that bets are for
 * @property {(round: number | null) => string | null} number the commitment that goes with a bet for a round
 * @property {(round: number | null, stands: string | undefined) => void} numbered which one stands
 */

export class BetQueue {
  /** @param {Dealer} dealer @param {Listener} listener */
  constructor(dealer, listener) {
    this.dealer = dealer;
    this.listener = listener;
    /** @type {Move[]} */
    this.waiting = [];
    /** @type {Sent | null} */
    this.sent = null;
    /** @type {{line: Line, version: number}[]} accepted, but not yet seen on the felt */
    this.landed = [];
    this.seenVersion = 0; // of the felt
    /** @type {Step[]} what can be taken back */
    this.steps = [];
    /** @type {Set<Step>} to be taken back as soon as there is an answer to them */
    this.undone = new Set();
  }

  /** Make an action of these lines. @param {Line[]} lines @param {{isUndo?: boolean, isWhole?: boolean}} [how] @returns {Step | null} */
  make(lines, { isUndo = false, isWhole = false } = {}) {
    if (lines.length === 0) return null;
    /** @type {Step} */
    const step = { lines: [], isUndo, isWhole, size: lines.length, refusals: 0 };
    const round = this.listener.round(); // now, not when it is sent: a bet is never meant for a later round
    for (const line of lines) this.waiting.push({ line, step, round, isAlone: isUndo || isWhole });
    this.listener.changed();
    void this.go();
    return step;
  }

  async go() {
    while (!this.sent && this.waiting.length > 0) {
      const sent = this.next();
      this.sent = sent;
      try {
        await this.send(sent);
        this.done(sent);
      } catch (error) {
        this.turnedDown(sent, error instanceof Refused ? error : new Refused(0, {}));
      } finally {
        this.sent = null;
        this.listener.changed();
      }
      for (const { step } of [...sent.moves].reverse()) {
        if (!this.undone.delete(step)) continue;
        if (step.lines.length > 0) this.make(this.takenBack(step), { isUndo: true });
      }
    }
  }

  /** What is sent next: chips put on the same area in quick succession go together. @returns {Sent} */
  next() {
    const first = /** @type {Move} */ (this.waiting.shift());
    const sent = { line: first.line, moves: [first], round: first.round, version: null };
    for (let more = this.waiting[0]; more && joins(first, more); more = this.waiting[0]) {
      this.waiting.shift();
      sent.moves.push(more);
      sent.line = { ...sent.line, amount: money(amountOf(sent.line) + amountOf(more.line)) };
    }
    return sent;
  }

  /** @param {Sent} sent */
  async send(sent) {
    const { line, round } = sent;
    const number = line.do === "bet" ? this.listener.number(round) : null;
    const body = { line, ...(line.do === "bet" && round !== null && { round }), ...(number !== null && { number }) };
    let isHeld = false;
    const reply = await this.dealer.give(body, {
      waiting: () => {
        if (!isHeld) this.listener.held();
        isHeld = true;
      },
    });
    if (number !== null) this.listener.numbered(round, reply.number);
    sent.version ??= reply.version ?? 0;
  }

  /** @param {Sent} sent */
  done({ line, moves, version }) {
    for (const move of moves) {
      if (move.step.isUndo) continue;
      if (move.step.lines.length === 0) this.steps.push(move.step);
      move.step.lines.push(move.line);
    }
    if ((version ?? 0) > this.seenVersion) this.landed.push({ line, version: version ?? 0 });
    this.listener.accepted(line);
  }

  /** @param {Sent} sent @param {Refused} refused */
  turnedDown({ line, moves }, refused) {
    // The state or the session is unknown: what was to follow is not sent.
    const isUnknown = refused.status === 0 || refused.status === 401;
    if (isUnknown) this.waiting = [];
    else if (moves.length > 1) {
      // Together they are too much: one by one, as many are accepted as if they had been laid slowly.
      const wanted = moves.filter((move) => !this.undone.has(move.step));
      this.waiting.unshift(...wanted.map((move) => ({ ...move, isAlone: true })));
      return;
    }
    for (const { step } of moves) {
      step.refusals += 1;
      if (!step.isWhole) continue;
      this.waiting = this.waiting.filter((move) => move.step !== step);
      if (step.lines.length > 0) this.make(this.takenBack(step), { isUndo: true });
    }
    const step = /** @type {Move} */ (moves[0]).step;
    this.listener.refused(line, refused, step);
  }

  /** The table's state has been seen. @param {number} version */
  seen(version) {
    this.seenVersion = version;
    this.landed = this.landed.filter((one) => one.version > version);
  }

  /** An event of the player's own, perhaps before the answer to it. @param {Entry} entry */
  heard(entry) {
    const { sent } = this;
    if (sent && entry.events.some((row) => isFor(sent.line, row))) sent.version ??= entry.version;
  }

  /** Lines that the felt does not show yet. @returns {Line[]} */
  get unseen() {
    const { sent } = this;
    const isSeen = sent?.version != null && sent.version <= this.seenVersion;
    const first = sent && !isSeen ? [sent.line] : [];
    return [...this.landed.map((one) => one.line), ...first, ...this.waiting.map((move) => move.line)];
  }

  /** What is on its way to the areas, in cents; less than nothing where chips come back. @returns {Map<string, bigint>} */
  onTheWay() {
    const sums = new Map();
    for (const line of this.unseen) {
      if (line.do === "call") continue;
      const amount = line.do === "bet" ? amountOf(line) : -amountOf(line);
      sums.set(keyOf(line), (sums.get(keyOf(line)) ?? 0n) + amount);
    }
    return sums;
  }

  /** Chips on their way, by area. @returns {Map<string, string>} */
  ghosts() {
    const moved = [...this.onTheWay()].filter(([, amount]) => amount !== 0n);
    return new Map(moved.map(([key, amount]) => [key, money(amount < 0n ? -amount : amount)]));
  }

  get canUndo() {
    return this.steps.length > 0 || this.inFlight() !== undefined;
  }

  /** The last action that has a line without an answer. @returns {Step | undefined} */
  inFlight() {
    const moves = [...(this.sent?.moves ?? []), ...this.waiting];
    return moves.map((move) => move.step).findLast((step) => !step.isUndo && !this.undone.has(step));
  }

  /** Undo the last action: what was not sent is dropped, what is on its way is undone once it is answered. */
  undo() {
    const step = this.inFlight() ?? this.steps.at(-1);
    if (!step) return;
    this.waiting = this.waiting.filter((move) => move.step !== step);
    if (this.sent?.moves.some((move) => move.step === step)) this.undone.add(step);
    else if (step.lines.length > 0) this.make(this.takenBack(step), { isUndo: true });
    this.listener.changed();
  }

  /** The lines that undo an action. @param {Step} step @returns {Line[]} */
  takenBack(step) {
    this.steps = this.steps.filter((one) => one !== step);
    return [...step.lines].reverse().map(turnedRound);
  }

  /** After a throw nothing can be undone. */
  forget() {
    this.steps = [];
    this.undone.clear();
  }
}

/** @param {Line} line */
function amountOf(line) {
  return cents(line.amount ?? "0.00");
}

/** Whether two bets make one line. @param {Move} one @param {Move} other */
function joins(one, other) {
  const areBets = one.line.do === "bet" && other.line.do === "bet" && !one.isAlone && !other.isAlone;
  const isSame = keyOf(one.line) === keyOf(other.line) && one.line.checks === other.line.checks;
  return areBets && isSame && one.round === other.round;
}

/** What the house notes of each line. @type {Record<Line["do"], string[]>} */
const NOTED = { bet: ["wager_placed"], take: ["wager_reduced", "wager_removed"], call: ["wager_called"] };

/** Whether an event is what a line did. @param {Line} line @param {import("../shared/live.js").Row} row */
function isFor(line, row) {
  const isSame = NOTED[line.do].includes(row.type) && keyOf(/** @type {Line} */ (row)) === keyOf(line);
  return isSame && (line.do === "call" || row.amount === line.amount);
}

/** @param {Line} line @returns {Line} */
function turnedRound(line) {
  if (line.do === "call") return { ...line, on: !line.on };
  const { checks: _, ...rest } = line; // a wager is returned in the checks it was made in
  return { ...rest, do: line.do === "bet" ? "take" : "bet" };
}
