// The dealer of a practice table. The page keeps all lines; the server plays them again and says what happened.

import { post, Refused, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";

/** @import { Drawing } from "../felt/area.js" */
/** @import { Row } from "../shared/live.js" */
/** @import { Line } from "../table/bet-queue.js" */
/** @typedef {import("../../types/contract.js").PracticeReply} Reply */
/** @typedef {(string | number)[]} Faces */
/** @typedef {Record<string, any>} Given a line as it is sent */

export const PLAYER = "you";
const MOST = 500; // lines that the server takes
const OPENING = 2; // those that open the table and seat the player

/**
 * @typedef {object} Heard
 * @property {(reply: Reply, rows: Row[], thrown: boolean) => void} answered what the table is like now, and what happened
 * @property {(busy: boolean) => void} busy a throw or a step back is on its way
 */

export class PracticeDealer {
  /** @param {string} book @param {Heard} heard @param {{ahead?: boolean}} [how] `ahead`: what the next throw would do is shown */
  constructor(book, heard, how = {}) {
    this.path = url`/practice/${book}`;
    this.heard = heard;
    this.ahead = how.ahead ?? true;
    /** @type {Given[]} */
    this.lines = [];
    this.seed = newSeed();
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Promise<unknown>} one at a time: each is played on what the one before has led to */
    this.turn = Promise.resolve();
  }

  /** Open the table and sit down. @param {string} chips @returns {Promise<Reply>} */
  async open(chips) {
    return this.next(async () => {
      const lines = [{ do: "open" }, { do: "seat", player: PLAYER, chips }];
      const reply = await this.ask(lines, { drawing: true });
      this.lines = lines;
      this.drawing = /** @type {Drawing} */ (reply.drawing);
      return reply;
    });
  }

  /** A bet, or another line about a wager. @param {{line: Line}} order @returns {Promise<{}>} */
  async give({ line }) {
    await this.next(() => this.add([{ player: PLAYER, ...line }]));
    return {};
  }

  /** Throw: these faces, or those of the seed. @param {Faces | null} faces @param {boolean} bets whether they are open */
  throws(faces, bets) {
    const drawing = /** @type {Drawing} */ (this.drawing);
    const { command, field } = drawing.throw;
    const fell = faces && (typeof faces[0] === "string" ? faces.join("") : faces);
    const shut = bets && drawing.closes_bets ? [{ do: "no_more_bets" }] : [];
    return this.wait(async () => {
      const reply = await this.add([...shut, { do: command, ...(fell && { [field]: fell }) }], true);
      const thrown = reply.events.find((row) => row.type === "thrown");
      const last = this.lines.at(-1);
      if (thrown && last) last[field] = thrown[field]; // it stays as it fell, whatever seed comes next
    });
  }

  /** Whether there is a line to take back. */
  get canStepBack() {
    return this.lines.length > OPENING;
  }

  /** Take the last line back; a call that closed the betting goes with its throw. */
  stepBack() {
    return this.wait(async () => {
      if (!this.canStepBack) return;
      const lines = this.lines.slice(0, -1);
      if (lines.at(-1)?.do === "no_more_bets") lines.pop();
      const reply = await this.ask(lines);
      this.lines = lines;
      this.heard.answered(reply, [], false);
    });
  }

  /** @param {Given[]} more @param {boolean} [thrown] */
  async add(more, thrown = false) {
    const lines = [...this.lines, ...more];
    if (lines.length > MOST)
      throw new Refused(422, {
        code: "table_full",
        message: t("This practice table is full: it takes 500 bets and throws. Start a new one below."),
      });
    const reply = await this.ask(lines);
    this.lines = lines;
    this.heard.answered(reply, reply.events, thrown);
    return reply;
  }

  /** @param {Given[]} lines @param {{drawing?: boolean}} [more] @returns {Promise<Reply>} */
  ask(lines, more = {}) {
    const body = { lines, seed: this.seed, ...(this.ahead && { ahead: true }), ...more };
    return post(this.path, body, { tries: 3 });
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  next(work) {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  /** The same, while the page waits for it. @param {() => Promise<void>} work */
  async wait(work) {
    this.heard.busy(true);
    try {
      await this.next(work);
    } finally {
      this.heard.busy(false);
    }
  }
}

/** A short seed that people can read to each other. */
export function newSeed() {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (one) => letters[one % letters.length]).join("");
}
