// A player's bets, sent one after the other. Each is shown as placed only once the house has accepted it.

import { keyOf } from "../felt/area.js";
import { Refused } from "../shared/api.js";
import { cents, money } from "../shared/words.js";

/** @import { Pick } from "../felt/area.js" */
/** @typedef {{do: "bet" | "take" | "call", wager: string, pick: Pick, amount?: string, on?: boolean, checks?: string}} Line */
/** @typedef {{line: Line, step: Step, round: number | null}} Move */
/** @typedef {{lines: Line[], isUndo: boolean, size: number, refusals: number}} Step several moves that are taken back as one */

/**
 * Who takes the lines: the house, or a practice table.
 * @typedef {object} Dealer
 * @property {(order: {line: Line, round?: number, number?: string}, how: {waiting: () => void}) => Promise<{number?: string}>} give
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
    /** @type {Move | null} */
    this.sent = null;
    /** @type {Step[]} what can be taken back */
    this.steps = [];
    /** @type {Step | null} to be taken back as soon as there is an answer to it */
    this.undone = null;
  }

  /** @param {Line[]} lines @param {boolean} [isUndo] */
  make(lines, isUndo = false) {
    if (lines.length === 0) return;
    const step = { lines: /** @type {Line[]} */ ([]), isUndo, size: lines.length, refusals: 0 };
    const round = this.listener.round(); // now, not when it is sent: a bet is never meant for a later round
    for (const line of lines) if (isUndo || !this.joined(line, round)) this.waiting.push({ line, step, round });
    this.listener.changed();
    void this.go();
  }

  /** Chips put on the same area in quick succession are sent together. @param {Line} line @param {number | null} round */
  joined(line, round) {
    const last = this.waiting.at(-1);
    if (!last || last.step.isUndo || last.round !== round) return false;
    if (line.do !== "bet" || last.line.do !== "bet" || keyOf(last.line) !== keyOf(line)) return false;
    if (last.line.checks !== line.checks) return false;
    last.line = { ...last.line, amount: money(cents(last.line.amount ?? "0.00") + cents(line.amount ?? "0.00")) };
    return true;
  }

  async go() {
    while (!this.sent && this.waiting.length > 0) {
      const move = /** @type {Move} */ (this.waiting.shift());
      this.sent = move;
      try {
        await this.send(move);
        this.done(move);
      } catch (error) {
        const refused = error instanceof Refused ? error : new Refused(0, {});
        // The state or the session is unknown: what was to follow is not sent.
        if (refused.status === 0 || refused.status === 401) this.waiting = [];
        move.step.refusals += 1;
        this.listener.refused(move.line, refused, move.step);
      } finally {
        this.sent = null;
        this.listener.changed();
      }
      if (this.undone === move.step) {
        this.undone = null;
        if (move.step.lines.length > 0) this.make(this.takenBack(), true);
      }
    }
  }

  /** @param {Move} move */
  async send(move) {
    const { line, round } = move;
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
  }

  /** @param {Move} move */
  done(move) {
    if (!move.step.isUndo) {
      if (move.step.lines.length === 0) this.steps.push(move.step);
      move.step.lines.push(move.line);
    }
    this.listener.accepted(move.line);
  }

  /** Bets on their way, by area. @returns {Map<string, string>} */
  ghosts() {
    const ghosts = new Map();
    for (const move of this.sent ? [this.sent, ...this.waiting] : this.waiting) {
      if (move.line.do !== "call") ghosts.set(keyOf(move.line), move.line.amount ?? "0.00");
    }
    return ghosts;
  }

  get canUndo() {
    return this.steps.length > 0 || (this.sent !== null && !this.sent.step.isUndo);
  }

  /** Undo the last step: what was not sent is dropped, what is on its way is undone once it is answered. */
  undo() {
    const last = this.waiting.at(-1) ?? this.sent;
    if (!last || last.step.isUndo) {
      this.make(this.takenBack(), true);
      return;
    }
    this.waiting = this.waiting.filter((move) => move.step !== last.step);
    if (this.sent?.step === last.step) this.undone = last.step;
    this.listener.changed();
  }

  /** The lines that undo the last step. @returns {Line[]} */
  takenBack() {
    return (this.steps.pop()?.lines ?? []).reverse().map(turnedRound);
  }

  /** After a throw nothing can be undone. */
  forget() {
    this.steps = [];
    this.undone = null;
  }
}

/** @param {Line} line @returns {Line} */
function turnedRound(line) {
  if (line.do === "call") return { ...line, on: !line.on };
  const { checks: _, ...rest } = line; // a wager is returned in the checks it was made in
  return { ...rest, do: line.do === "bet" ? "take" : "bet" };
}
