// A practice table: the felt, the chips and the bets of a live table, with a dealer that only plays for this page.

import { keyOf } from "../felt/area.js";
import { Felt } from "../felt/felt.js";
import { results } from "../results/roads.js";
import { named, t } from "../shared/catalogue.js";
import { announce, byId, fill, h, ruleLink } from "../shared/dom.js";
import { errorWords } from "../shared/parts.js";
import { BetQueue } from "../table/bet-queue.js";
import { Betting } from "../table/betting.js";
import { listBox } from "../table/box-list.js";
import { outWords } from "../table/call-words.js";
import { Calls } from "../table/calls.js";
import { sayEvents } from "../table/event-words.js";
import { Funds } from "../table/funds.js";
import { OwnChips } from "../table/own-chips.js";
import { Rack } from "../table/rack.js";
import { RoundShow } from "../table/round-show.js";
import { Stakes } from "../table/stakes.js";
import { Status } from "../table/status.js";
import { WhatWins } from "../table/what-wins.js";
import { whyNot } from "../table/why-not.js";
import { PLAYER } from "./dealer.js";
import { PracticeDrive } from "./drive.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Area, Drawing } from "../felt/area.js" */
/** @import { Move } from "../felt/input.js" */
/** @import { Refused } from "../shared/api.js" */
/** @import { Child } from "../shared/dom.js" */
/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Me } from "../shared/session.js" */
/** @import { Line } from "../table/bet-queue.js" */
/** @import { Action } from "../table/rack.js" */
/** @import { Seat } from "../table/seat.js" */
/** @import { Faces, PracticeDealer, Reply } from "./dealer.js" */

/**
 * What a page of a practice table adds to it; a first game takes moves itself.
 * @typedef {object} Host
 * @property {(area: Area | null) => void} [looked]
 * @property {(area: Area, place: number, move: Move) => boolean} [moved] whether the table shall do nothing
 * @property {(faces: Faces | null) => boolean} [thrown] whether the table shall do nothing
 * @property {(reply: Reply, thrown: boolean) => void} [answered]
 */

export class PracticeTable {
  /** @param {PracticeDealer} dealer @param {Drawing} drawing @param {string} chips @param {Host} host @param {boolean} [picks] whether dice can be picked */
  constructor(dealer, drawing, chips, host, picks = true) {
    this.dealer = dealer;
    this.drawing = drawing;
    this.host = host;
    const name = `practice-${drawing.book}`;
    this.me = player(name, chips);
    /** @type {FeltReply | null} */
    this.reply = null;
    /** @type {FeltReply | null} in which the player's money stands */
    this.money = null;
    /** @type {{reply: Reply, thrown: boolean} | null} the last answer, until all of it is on the felt */
    this.unseen = null;
    /** @type {import("./dealer.js").Reply["ahead"]} */
    this.ahead = null;
    /** @type {Area | null} the area that was looked at last */
    this.area = null;
    this.status = new Status();
    this.calls = new Calls(drawing.book);
    this.queue = new BetQueue(dealer, {
      changed: () => this.queueChanged(),
      refused: (line, refused) => this.refused(line, refused),
      held: () => this.calls.say(t("No answer yet. Trying again …")),
      accepted: (line) => announce(t("{area}: done", { area: named(this.stakes.areaOf(line)?.name ?? line.wager) })),
      round: () => null,
      number: () => null,
      numbered: () => {},
    });
    this.rack = new Rack(drawing.chip, drawing.sleeps, (action) => this.act(action));
    fill(this.rack.actions.undo, t("Step back"));
    this.drive = new PracticeDrive(drawing, (faces) => this.throws(faces), picks);
    this.stakes = new Stakes(name, drawing, this.me);
    this.felt = new Felt(drawing, {
      moved: (area, place, move) => this.moved(area, place, move),
      looked: (area) => this.look(area),
      listed: (place) => this.list(place),
    });
    this.ownChips = new OwnChips(name);
    this.whatWins = new WhatWins(drawing, {
      call: (area, on) => this.queue.make([{ do: "call", wager: area.wager, pick: area.pick, on }]),
      number: (area) => this.felt.numberOf(drawing.areas.indexOf(area)),
      list: (area) => this.list(drawing.areas.indexOf(area)),
      move: (area, move) => this.moved(area, drawing.areas.indexOf(area), move),
      step: (area) => this.betting.step(area),
    });
    const { stakes, rack, queue } = this;
    const seat = /** @type {Seat} */ (/** @type {unknown} */ ({ enter: () => {} })); // the player is always seated
    const funds = new Funds(stakes, queue);
    this.betting = new Betting({ stakes, funds, rack, queue, seat, bubble: this.felt.bubble });
    rack.chosen = () => this.showArea();
    this.roundShow = new RoundShow({
      felt: () => this.felt,
      drawing: () => drawing,
      person: () => PLAYER,
      draw: (reply, money) => this.draw(reply, money),
      tell: (entry, isSummed) => this.tell(entry, isSummed),
      wait: () => this.status.wait(outWords(drawing.throw)),
    });
    this.history = h("section.card.history", { "aria-labelledby": "history-title" });
    this.shownResults = "";
    /** @type {(() => void)[]} what waits until no bet is on its way */
    this.after = [];
    /** @type {(() => void)[]} what waits until the felt shows the last answer */
    this.whenSeen = [];
  }

  queueChanged() {
    this.redraw();
    if (!this.isQuiet) return;
    for (const go of this.after.splice(0)) go();
  }

  /** Whether no bet is on its way. */
  get isQuiet() {
    return this.queue.sent === null && this.queue.waiting.length === 0;
  }

  /** A throw or a step back comes after all bets that were made before it. @returns {Promise<void>} */
  quiet() {
    return this.isQuiet ? Promise.resolve() : new Promise((done) => this.after.push(done));
  }

  /** @param {string} title @param {Child} above between the strip and the felt @param {...Child} panels below the table */
  layOut(title, above, ...panels) {
    document.title = title;
    fill(
      byId("main"),
      h(
        "div.play",
        h(
          "div.strip",
          h("h1", title),
          this.status.element,
          this.ownChips.element,
          h("p.corner.nothing-counts", t("Practice: nothing counts")),
        ),
        above,
        h("div.felt-place", this.felt.element),
        h("div.rail", this.whatWins.element, this.rack.element, this.drive.element),
      ),
      h("div.panels", ...panels),
    );
  }

  /** @param {Area | null} area */
  look(area) {
    if (area) {
      this.area = area;
      this.showArea();
    }
    this.host.looked?.(area);
  }

  /** Say what wins. */
  showArea() {
    const { area, whatWins } = this;
    whatWins.show(area, area ? this.stakes.on(area) : undefined, this.ahead ?? null, this.stakes.all.length > 0);
    whatWins.hold(this.felt.bubble.element);
  }

  /** @param {Area} area @param {number} place @param {Move} move */
  moved(area, place, move) {
    this.look(area);
    if (!this.host.moved?.(area, place, move)) this.betting.moved(area, place, move);
  }

  /** List what can be bet on the number of an area. @param {number} place */
  list(place) {
    const number = this.felt.numberOf(place);
    const spots = this.felt.boxOf(number).filter((one) => one.area.offered && !one.area.travelled);
    listBox(number, spots, this.stakes, (one) => {
      this.felt.reveal(one);
      this.felt.input.enter(one);
      this.moved(one.area, one.place, "add");
    });
  }

  /** @param {Action} action */
  act(action) {
    if (action === "undo") void this.stepBack();
    else this.betting.action(action);
  }

  async stepBack() {
    await this.quiet();
    await this.tried(() => this.dealer.stepBack());
    announce(t("One step back"));
  }

  /** @param {Faces | null} faces picked, or those of the seed */
  throws(faces) {
    if (this.host.thrown?.(faces)) return;
    void this.fall(faces);
  }

  /** @param {Faces | null} faces */
  async fall(faces) {
    this.felt.bubble.hush();
    this.drive.rest(true);
    await this.quiet();
    this.stakes.remember();
    await this.tried(() => this.dealer.throws(faces, this.reply?.betting === "open"));
    if (this.unseen) await new Promise((done) => this.whenSeen.push(() => done(undefined)));
  }

  /** @param {() => Promise<void>} work */
  async tried(work) {
    try {
      await work();
    } catch (error) {
      this.calls.say(errorWords(error), { kind: "refused" });
      this.felt.bubble.say(0, h("p", errorWords(error)));
    }
  }

  // What the dealer answers

  /** @param {Line} line @param {Refused} refused */
  refused(line, refused) {
    const place = this.drawing.areas.findIndex((area) => keyOf(area) === keyOf(line));
    const say = whyNot(refused, this.betting.about(line));
    this.felt.bubble.say(Math.max(place, 0), h("p", say, " ", ruleLink(this.drawing.book, refused.clause)));
    this.calls.say(t("Not accepted: {reason}", { reason: say }), {
      kind: "refused",
      clause: refused.clause,
      heard: false,
    });
  }

  /** @param {Reply} reply @param {Row[]} rows what happened @param {boolean} thrown */
  answered(reply, rows, thrown) {
    if (rows.length === 0) this.roundShow.cut(); // another table, or a step back: no part of what is being shown
    if (thrown) this.queue.forget();
    this.unseen = { reply, thrown };
    if (rows.length > 0)
      this.roundShow.hear(/** @type {Entry} */ (/** @type {unknown} */ ({ events: rows, who: PLAYER })));
    this.roundShow.show(this.reply, reply.felt);
  }

  /** @param {FeltReply} reply @param {FeltReply} money in which the player's money stands */
  draw(reply, money) {
    this.money = money;
    this.reply = reply;
    const { unseen } = this;
    const isAll = unseen !== null && unseen.reply.felt === reply;
    if (isAll) this.ahead = unseen.reply.ahead;
    this.redraw();
    if (!isAll) return;
    this.unseen = null;
    this.host.answered?.(unseen.reply, unseen.thrown);
    for (const go of this.whenSeen.splice(0)) go();
  }

  /** @param {Entry} entry @param {boolean} isSummed the sum of the round is said by itself */
  tell(entry, isSummed) {
    this.calls.isSummed = isSummed;
    sayEvents(entry, this.drawing, PLAYER, this.calls);
    this.calls.isSummed = false;
  }

  redraw() {
    const { reply, me } = this;
    if (!reply) return;
    this.stakes.know(reply, me);
    const shown = unhurried(reply);
    this.status.show(shown, this.drawing, PLAYER);
    this.felt.show(shown, this.queue.ghosts());
    const money = this.money ?? reply;
    this.ownChips.show(money, me, money.wagers);
    this.showArea();
    this.betting.show();
    this.rack.actions.undo.disabled = !this.dealer.canStepBack;
    const fell = JSON.stringify(reply.results);
    if (fell === this.shownResults) return;
    this.shownResults = fell;
    fill(this.history, h("h2", { id: "history-title" }, t("Results")), results(this.drawing, reply.results ?? []));
  }
}

/**
 * The table as one that throws by itself and waits for the player: nothing is said of a dealer or a clock.
 * @param {FeltReply} reply @returns {FeltReply}
 */
function unhurried(reply) {
  const round = {
    number: 0,
    commitment: "",
    closes: reply.now,
    last_call: false,
    shut: false,
    waiting: true,
    protocol: 0,
    numbers: 0,
    brief: reply.betting !== "open",
  };
  return { ...reply, by_itself: true, round };
}

/** Who practises: someone without an account, who has bought these chips. @param {string} table @param {string} chips @returns {Me} */
function player(table, chips) {
  const visit = { table, since: new Date().toISOString(), taken: chips, brought: "0.00", until: null };
  const me = { person: PLAYER, name: "", roles: ["player"], chips: "0.00", visits: [visit], tables: [table] };
  return /** @type {Me} */ (/** @type {unknown} */ (me));
}
