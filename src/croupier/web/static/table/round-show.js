// A throw, and then its result: the dice fly, and what the house has said about them is shown step by step. It needs
// two replies and the events between them, and nothing else: a practice table can use it as well.

import { Stage } from "../felt/stage.js";
import { t } from "../shared/catalogue.js";
import { announce } from "../shared/dom.js";
import { play, speak } from "../shared/sound.js";
import { money, net, spaced } from "../shared/words.js";
import { besideCall } from "./call-words.js";
import { broughtTo, moneyAt, ORDER, paceFor, replyAt, roundOf, WHOLE } from "./round-steps.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Felt } from "../felt/felt.js" */
/** @import { Chip } from "../felt/chip.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Entry } from "../shared/live.js" */
/** @import { Round, Step, Settled } from "./round-steps.js" */

/**
 * The page on which a round is shown.
 * @typedef {object} Page
 * @property {() => Felt} felt
 * @property {() => Drawing} drawing
 * @property {() => string | null} person
 * @property {(reply: FeltReply, money: FeltReply) => void} draw the table as it stands in a reply, and the player's money as in another
 * @property {(entry: Entry, isShown: boolean) => void} tell list and say what happened; `isShown`: the banner has the sum
 * @property {() => void} wait take the last result from view: the next one is on its way
 */

const SPARE = 120; // milliseconds that are left to the house's next step
const TUMBLE = 950; // milliseconds for which a shaker tumbles

/** Whether motion is to be reduced. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class RoundShow {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Entry[]} heard, but not told */
    this.untold = [];
    /** @type {Round | null} the round that is being shown */
    this.round = null;
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Step | null} */
    this.step = null;
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    this.isStill = false;
    this.opens = false; // a round has opened since the last reply
    this.isLive = false; // what comes before the first reply of a connection has happened before
    document.addEventListener("visibilitychange", () => document.hidden && this.finish());
  }

  /** Another connection begins, or this one is lost. */
  cut() {
    this.isLive = false;
    this.finish();
  }

  /** An event. It is told at once, unless it belongs to a throw. @param {Entry} entry */
  hear(entry) {
    const isThrow = entry.events.some((row) => row.type === "thrown");
    if (isThrow) this.finish();
    if (this.isLive && entry.events.some((row) => row.type === "bets_shut")) play("shut");
    this.opens ||= entry.events.some((row) => row.type === "round_opened");
    if (isThrow || this.untold.length > 0 || this.round) this.untold.push(entry);
    else this.page.tell(entry, false);
  }

  /**
   * The table as it stands now. It is drawn at once, or step by step after a throw.
   * @param {FeltReply | null} before what was drawn last @param {FeltReply} after
   */
  show(before, after) {
    const { isLive, opens } = this;
    this.isLive = true;
    this.opens = false;
    if (this.round && (!after.round || after.round.shut)) {
      this.round.after = after;
      this.draw(this.round, this.step ?? "tumble");
      return;
    }
    this.finish();
    const rows = this.untold.flatMap((entry) => entry.events);
    const round = isLive && before && !document.hidden ? roundOf(before, after, rows) : null;
    const pace = paceFor(timeFor(after));
    if (round && pace > 0) this.start(round, pace);
    else this.end(after);
    if (isLive && opens && !this.round) this.tumble();
  }

  /** @param {Round} round @param {number} pace */
  start(round, pace) {
    this.round = round;
    this.isStill = isStill();
    const felt = this.page.felt();
    felt.wood.querySelector(".round-banner")?.remove();
    this.stage = new Stage(felt);
    this.listen(felt);
    for (const timed of ORDER) {
      if (round.settled.length === 0 && (timed.step === "sweep" || timed.step === "pay")) continue;
      const how = { ms: this.isStill ? 0 : timed.ms * pace, each: this.isStill ? 0 : (timed.each ?? 0) * pace };
      const at = (this.isStill ? timed.still : timed.at) * pace;
      if (at === 0) this.take(timed.step, how);
      else this.timers.push(setTimeout(() => this.take(timed.step, how), at));
    }
  }

  /** From the payments on a press on the felt skips to the end, and it always does where bets are open. @param {Felt} felt */
  listen(felt) {
    this.stopping = new AbortController();
    const skip = (/** @type {Event} */ event) => {
      if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
      const isOpen = this.round !== null && takesBets(this.round.after);
      if (!isOpen && !["pay", "banner", "home"].includes(this.step ?? "")) return;
      this.finish();
      if (isOpen) return; // it is a bet
      event.preventDefault();
      event.stopPropagation();
    };
    for (const type of ["click", "keydown"])
      felt.svg.addEventListener(type, skip, { capture: true, signal: this.stopping.signal });
  }

  /** @param {Step} step @param {{ms: number, each: number}} how */
  take(step, how) {
    const { round, stage } = this;
    if (!round || !stage) return;
    try {
      this.step = step;
      stage.felt.element.dataset.show = step;
      this.steps[step](round, stage, how);
    } catch (error) {
      this.finish();
      throw error;
    }
  }

  /** @param {Round} round @param {Step} step */
  draw(round, step) {
    this.page.draw(replyAt(round, step), moneyAt(round, step));
  }

  /** Show the end at once, if anything is being shown. */
  finish() {
    const { round, stage } = this;
    if (!round) return;
    this.round = this.step = null;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.stopping?.abort();
    if (stage) {
      delete stage.felt.element.dataset.show;
      stage.leave();
    }
    this.stage = null;
    this.end(round.after);
  }

  /** @param {FeltReply} after */
  end(after) {
    this.tellAll(false);
    this.page.draw(after, after);
  }

  /** @param {boolean} isShown */
  tellAll(isShown) {
    const entries = this.untold;
    this.untold = [];
    for (const entry of entries) this.page.tell(entry, isShown);
  }

  /** Tell what happened up to the throw itself. */
  tellThrow() {
    const last = this.untold.findIndex((entry) => entry.events.some((row) => row.type === "thrown"));
    for (const entry of this.untold.splice(0, last + 1)) this.page.tell(entry, true);
  }

  /** What happens at each step. @type {Record<Step, (round: Round, stage: Stage, how: {ms: number, each: number}) => void>} */
  steps = {
    tumble: (round, stage, { ms }) => {
      this.page.wait();
      this.draw(round, "tumble");
      const faces = lastOf(round).faces;
      play(typeof faces[0] === "string" ? "coins" : faces.length > 2 ? "lid" : "dice", ms);
      stage.fall(faces, ms);
    },
    land: () => play("land"),
    call: (round, stage) => {
      const last = lastOf(round);
      this.tellThrow();
      this.draw(round, "call");
      const beside = besideCall(last, this.page.drawing());
      stage.call(last.call ?? "", beside || this.stands(round), last.faces.length);
      if (!beside) return;
      announce(beside);
      speak(beside);
    },
    puck: (round, stage, how) => {
      const from = round.moved.map((one) => ({ ...one, chip: chipOn(stage, { key: one.from, player: one.player }) }));
      this.draw(round, "puck");
      for (const { chip, to, player } of from)
        if (chip) stage.chips.travel(chip, chipOn(stage, { key: to, player }), how);
    },
    light: (round, stage, { ms }) => {
      if (lastOf(round).faces.length > 2) stage.clearAir(ms);
      this.draw(round, "light");
    },
    sweep: (round, stage, how) => {
      const lost = chipsOf(stage, round, (one) => one.result === "lose");
      if (lost.length > 0) play("sweep");
      stage.chips.sweep(lost, how);
      this.draw(round, "sweep");
    },
    pay: (round, stage, how) => {
      const won = round.settled.filter((one) => one.profit > 0n);
      if (won.length > 0) play("paid", won.length);
      stage.chips.pay(
        won.flatMap((one) => payment(stage, one)),
        how,
      );
    },
    banner: (round, stage) => {
      this.tellAll(true);
      const { words, sum, isUp } = outcome(broughtTo(round, this.page.person()));
      this.draw(round, "banner");
      if (!words) return;
      stage.banner(words, sum, isUp);
      announce(sum ? `${words}, ${sum}` : words);
      if (isUp) play("won");
    },
    home: (round, stage, how) => {
      stage.chips.home(
        chipsOf(stage, round, (one) => one.result !== "lose"),
        how,
      );
      stage.clearAir(how.ms);
      this.draw(round, "home");
    },
    open: () => this.finish(),
  };

  /** What to say beside the call of a spin that decides nothing. @param {Round} round */
  stands({ before, settled, after }) {
    const isCoins = typeof after.results.at(-1)?.faces[0] === "string";
    return isCoins && before.wagers.length > 0 && settled.length === 0 ? t("Bets stand") : "";
  }

  /** The shaker of three dice tumbles before the bets. Bets are open meanwhile. */
  tumble() {
    const felt = this.page.felt();
    if (this.page.drawing().throw.count < 3 || document.hidden || isStill()) return;
    const stage = new Stage(felt);
    const over = () => stage.leave();
    play("shaker", TUMBLE);
    stage.tumble(TUMBLE).then(over, over);
  }
}

/** Milliseconds until the house goes on. @param {FeltReply} reply */
function timeFor({ shown_until, now }) {
  return shown_until === null ? WHOLE : Date.parse(shown_until) - Date.parse(now) - SPARE;
}

/** Whether bets can be made now: not between the rounds of a table that runs by itself. @param {FeltReply} reply */
function takesBets({ by_itself, round, betting }) {
  return by_itself ? round !== null && !round.shut : betting === "open";
}

/** @param {Round} round */
function lastOf({ after }) {
  const last = after.results.at(-1);
  if (!last) throw new Error("a round without a result");
  return last;
}

/** @param {Stage} stage @param {{key: string, player: string}} one @returns {Chip | undefined} */
function chipOn({ felt }, { key, player }) {
  const spot = felt.byKey.get(key);
  return spot?.isThere ? spot.chips.get(player) : undefined;
}

/** @param {Stage} stage @param {Round} round @param {(one: Settled) => boolean} which @returns {Chip[]} */
function chipsOf(stage, round, which) {
  return round.settled.filter(which).flatMap((one) => chipOn(stage, one) ?? []);
}

/** @param {Stage} stage @param {Settled} one */
function payment(stage, { key, player, profit }) {
  const spot = stage.felt.byKey.get(key);
  return spot ? [{ spot, player, profit }] : [];
}

/** What a round brought, in words. A loss is stated, never cheered or mourned. @param {{won: bigint, lost: bigint, net: bigint}} brought */
function outcome({ won, lost, net: round }) {
  const amounts = { won: spaced(money(won)), lost: spaced(money(lost)) };
  const sum = t("round {net}", { net: net(round) });
  if (won > 0n && round > 0n) return { words: t("You won {won}", amounts), sum, isUp: true };
  if (won > 0n) return { words: t("{won} won, {lost} lost", amounts), sum, isUp: false };
  return { words: lost > 0n ? t("{lost} lost", amounts) : "", sum: "", isUp: false };
}
