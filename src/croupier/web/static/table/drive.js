// The player's own pace: "Roll". Bets are shut once all who have chips down say so; the clock is for company.

import { post, Refused, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, h } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";

/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Numbers } from "../fairness/numbers.js" */
/** @import { BetQueue } from "./bet-queue.js" */

export class Drive {
  /** @param {string} table @param {Drawing} drawing @param {Numbers} numbers @param {BetQueue} queue */
  constructor(table, drawing, numbers, queue) {
    this.table = table;
    this.word = named(drawing.throw.ready);
    this.numbers = numbers;
    this.queue = queue;
    /** @type {FeltReply | null} */
    this.reply = null;
    this.hasBet = false;
    /** @type {number | null} the round in which to say it, as soon as all bets have an answer */
    this.wanted = null;
    this.isSending = false;
    this.button = h(
      "button.roll",
      { type: "button", "aria-keyshortcuts": "t", title: t("Key {key}", { key: "t" }), onclick: () => this.press() },
      this.word,
    );
    this.count = h("span.count", { role: "status" });
    this.element = h("section.drive", { "aria-label": t("The throw"), hidden: true }, this.button, this.count);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Whether the player can be ready, or is. */
  get canSay() {
    const round = this.reply?.round;
    return this.hasBet && !!round && !round.shut && !round.brief;
  }

  /** @param {FeltReply} reply @param {boolean} hasBet whether chips of the player lie on the felt, or are on their way */
  show(reply, hasBet) {
    this.reply = reply;
    this.hasBet = hasBet;
    this.element.hidden = !(reply.by_itself && reply.seated && reply.open);
    const isReady = reply.own_ready || this.wanted === reply.round?.number;
    if (this.wanted !== null && (this.wanted !== reply.round?.number || !this.canSay)) this.wanted = null;
    this.button.setAttribute("aria-disabled", String(!this.canSay));
    this.button.setAttribute("aria-pressed", String(isReady));
    setWords(this.count, this.words(reply));
    void this.go();
  }

  /** @param {FeltReply} reply */
  words({ round, ready, playing, own_ready }) {
    if (!round || round.shut || round.brief) return "";
    if (!this.hasBet) return t("Place your bets");
    if (playing > 1) return t("{ready} of {playing} ready", { ready, playing });
    return own_ready ? t("Ready") : "";
  }

  press() {
    const { reply } = this;
    if (!reply?.round || !this.canSay) return;
    if (reply.own_ready) void this.say(reply.round.number, false);
    else this.wanted = reply.round.number;
    void this.go();
  }

  /** Say it once no bet is on its way: a change of wager takes readiness back. */
  async go() {
    const { queue, wanted } = this;
    if (wanted === null || this.isSending || queue.sent || queue.waiting.length > 0) return;
    await this.say(wanted, true);
    this.wanted = null;
  }

  /** @param {number} round @param {boolean} ready */
  async say(round, ready) {
    if (this.isSending) return;
    this.isSending = true;
    const number = ready ? this.numbers.commit(round) : null;
    if (ready) this.numbers.saysReady(round);
    try {
      const body = { round, ready, ...(number !== null && { number }) };
      const reply = await post(url`/tables/${this.table}/ready`, body, { tries: 3 });
      if (number !== null) this.numbers.accepted(round, reply.number);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The round went on without it: the clock shuts the bets in any case.
      if (error.status !== 422 && error.status !== 409) announce(error.message, true);
    } finally {
      this.isSending = false;
    }
  }

  /** The key works on the felt and beside it: elsewhere keys belong to screen readers and dictation. @param {KeyboardEvent} event */
  key(event) {
    if (event.key.toLowerCase() !== "t" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!(event.target instanceof Element && event.target.closest(".felt-box, .rack, .drive"))) return;
    if (document.querySelector("dialog[open]") || this.element.hidden) return;
    event.preventDefault();
    this.press();
  }
}
