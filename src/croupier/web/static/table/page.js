// A player at a table: the felt, the rack, the round, the calls, the results.

import { Numbers } from "../fairness/numbers.js";
import { receipts } from "../fairness/receipts.js";
import { receiptsCard } from "../fairness/receipts-card.js";
import { keyOf } from "../felt/area.js";
import { Felt } from "../felt/felt.js";
import { Corrected } from "../results/corrections.js";
import { Panels } from "../results/panels.js";
import { throwAddress } from "../results/round-links.js";
import { Seal } from "../results/seal.js";
import { get, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, byId, fill, fromAddress, h, ruleLink } from "../shared/dom.js";
import { listen } from "../shared/live.js";
import { showFailure } from "../shared/parts.js";
import { goesOn } from "../shared/play.js";
import { arrive } from "../shared/session.js";
import { play } from "../shared/sound.js";
import { Ahead } from "./ahead.js";
import { AutoRebet } from "./auto-rebet.js";
import { BetQueue } from "./bet-queue.js";
import { Betting } from "./betting.js";
import { listBox } from "./box-list.js";
import { outWords } from "./call-words.js";
import { Calls } from "./calls.js";
import { Drag } from "./drag.js";
import { Drive } from "./drive.js";
import { concerning, sayEvents } from "./event-words.js";
import { Favourites } from "./favourites.js";
import { Funds, stakeWords } from "./funds.js";
import { houseDealer } from "./house-dealer.js";
import { withNickname } from "./nicknames.js";
import { signText } from "./odds.js";
import { OwnChips } from "./own-chips.js";
import { PlayerActs } from "./player-acts.js";
import { Rack } from "./rack.js";
import { RoundShow } from "./round-show.js";
import { Seat } from "./seat.js";
import { Stakes } from "./stakes.js";
import { Status } from "./status.js";
import { WhatWins } from "./what-wins.js";
import { clauseOf, whyNot } from "./why-not.js";

/** @import { Entry, Line as Connection, Row } from "../shared/live.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Area, Drawing } from "../felt/area.js" */
/** @import { Refused } from "../shared/api.js" */
/** @import { Me, House } from "../shared/session.js" */
/** @import { Line } from "./bet-queue.js" */

const LOOK_BACK = 200; // events whose calls are listed when the page is opened
const READ = 5000; // milliseconds that a refusal stays beside its area

class Page {
  /** @param {string} name @param {House} house @param {Me | null} me @param {Drawing} drawing */
  constructor(name, house, me, drawing) {
    this.name = name;
    this.house = house;
    this.me = me;
    this.drawing = drawing;
    /** @type {FeltReply | null} */
    this.reply = null;
    /** @type {FeltReply | null} */
    this.money = null;
    this.acts = new PlayerActs(name);
    this.calls = new Calls(drawing.book);
    this.corrected = new Corrected();
    this.numbers = new Numbers(name, drawing, (say) => this.calls.say(say, { kind: "refused" }));
    this.seal = new Seal(name, this.numbers);
    this.status = new Status(this.seal.element);
    this.queue = new BetQueue(houseDealer(name), {
      changed: () => this.redraw(),
      refused: (line, refused, step) => this.refused(line, refused, step),
      held: () => this.calls.say(t("No answer yet. Trying again …")),
      accepted: (line) => this.accepted(line),
      round: () => (this.reply?.by_itself ? (this.reply.round?.number ?? null) : null),
      number: (round) => this.numbers.commit(round),
      numbered: (round, stands) => this.numbers.accepted(round, stands),
    });
    this.rack = new Rack(drawing.chip, drawing.sleeps, (action) => this.betting.action(action));
    this.drive = new Drive(name, drawing, this.numbers, this.queue);
    this.felt = this.newFelt();
    this.ownChips = new OwnChips(name);
    this.ahead = new Ahead(name, () => this.look(this.area));
    /** @type {Area | null} the area that was looked at last */
    this.area = null;
    this.whatWins = new WhatWins(drawing, {
      call: (area, on) => this.queue.make([{ do: "call", wager: area.wager, pick: area.pick, on }]),
      number: (area) => this.felt.numberOf(this.drawing.areas.indexOf(area)),
      list: (area) => this.list(this.drawing.areas.indexOf(area)),
      move: (area, move) => this.betting.moved(area, this.drawing.areas.indexOf(area), move),
      step: (area) => this.betting.step(area),
    });
    this.info = h("section.card.info", { "aria-labelledby": "info-title" });
    this.seat = new Seat(
      name,
      drawing.book,
      house,
      () => this.account(),
      () => this.felt.input.enterFirst(),
    );
    this.isToGoOn = goesOn();
    this.bench = h("div.bench"); // the seat, for who has none
    this.corner = h("div.corner", this.seat.element);
    this.panels = new Panels(drawing);
    this.receipts = receiptsCard(house.house);
    this.stakes = new Stakes(name, drawing, me);
    const { stakes, rack, queue, seat } = this;
    const funds = new Funds(stakes, queue);
    this.betting = new Betting({ stakes, funds, rack, queue, seat, bubble: this.felt.bubble });
    this.roundShow = new RoundShow({
      felt: () => this.felt,
      drawing: () => this.drawing,
      person: () => this.me?.person ?? null,
      draw: (reply, money) => this.draw(reply, money),
      tell: (entry, isShown) => this.tell(entry, isShown),
      wait: () => this.status.wait(outWords(this.drawing.throw)),
    });
    this.panels.isHeld = () => this.roundShow.round !== null;
    this.auto = new AutoRebet({
      stakes,
      funds,
      queue,
      say: (words) => this.calls.say(words, { kind: "refused" }),
      turned: (isOn) => rack.repeat(isOn),
    });
    rack.add(new Favourites({ stakes, queue, auto: this.auto }).button, this.auto.newSwitch(t("Auto")));
    rack.chosen = () => this.look(this.area);
    new Drag(() => this.felt, rack.element, this.betting);
    this.refusedAt = 0;
    this.isDrawing = false;
    this.layOut();
    setInterval(() => this.showMoney(), 10000);
  }

  newFelt() {
    return new Felt(this.drawing, {
      moved: (area, place, move) => {
        this.look(area);
        this.betting.moved(area, place, move);
      },
      looked: (area) => area && this.look(area),
      listed: (place) => this.list(place),
    });
  }

  /** List what can be bet on the number of an area. @param {number} place */
  list(place) {
    const spot = this.felt.spots[place];
    const number = this.felt.numberOf(place);
    const spots = this.felt.boxOf(number).filter((one) => one.area.offered && !one.area.travelled);
    listBox(number, spots, this.stakes, (one) => {
      this.felt.reveal(one);
      if (spot) this.felt.input.enter(spot.isThere ? spot : one);
      this.betting.moved(one.area, one.place, "add");
    });
  }

  layOut() {
    const { drawing } = this;
    document.title = drawing.name;
    fill(
      byId("main"),
      h(
        "div.play",
        h("div.strip", h("h1", drawing.name), this.status.element, this.ownChips.element, this.corner),
        this.acts.element,
        h("div.felt-place", this.felt.element),
        h("div.rail", this.whatWins.element, this.bench, this.rack.element, this.drive.element),
      ),
      h("div.panels", this.stakes.element, this.calls.element, this.panels.element, this.info, this.receipts),
    );
    this.sign();
  }

  /** The table's limits, and how to bet. */
  sign() {
    fill(
      this.info,
      h("h2", { id: "info-title" }, t("Table limits")),
      h("p", signText(this.drawing)),
      h(
        "p.soft",
        t(
          "Click or tap an area to add a chip. Right-click, long-press or press Backspace to take one off. Use the arrow keys to move between areas.",
        ),
      ),
      h(
        "p",
        h("a", { href: url`/practice/${this.drawing.book}` }, t("Practise this game, with its chances explained")),
      ),
    );
  }

  /** Say what wins, of an area or of the player's chips. @param {Area | null} area */
  look(area) {
    this.area = area;
    const own = area ? this.stakes.on(area) : undefined;
    this.whatWins.show(area, own, this.ahead.told, this.stakes.all.length > 0);
    this.whatWins.hold(this.felt.bubble.element);
  }

  // What the house answers

  /** @param {Line} line @param {Refused} refused @param {import("./bet-queue.js").Step} step */
  refused(line, refused, step) {
    const place = this.drawing.areas.findIndex((area) => keyOf(area) === keyOf(line));
    const say = whyNot(refused, this.betting.about(line));
    const clause = clauseOf(refused);
    const about = named(this.stakes.areaOf(line)?.name ?? line.wager);
    const reason = step.size > 1 ? t("{wager}: {reason}", { wager: about, reason: say }) : say;
    const said = h("p", reason, " ", ruleLink(this.drawing.book, clause));
    this.auto.refused(step);
    if (step.refusals > 1) this.felt.bubble.sayMore(Math.max(place, 0), said);
    else this.felt.bubble.say(Math.max(place, 0), said);
    this.refusedAt = performance.now();
    play("refused");
    this.calls.say(t("Not accepted: {reason}", { reason }), { kind: "refused", clause, heard: false });
    if (refused.status === 401) void this.account();
  }

  /** @param {Line} line */
  accepted(line) {
    play("chip");
    const area = this.stakes.areaOf(line);
    const wager = named(area?.name ?? line.wager);
    const amount = line.amount ?? "";
    if (line.do === "bet") announce(t("{stake} on {wager}, accepted", { stake: stakeWords(area, { amount }), wager }));
    else if (line.do === "take") announce(t("{amount} back from {wager}, accepted", { amount, wager }));
    else announce(line.on ? t("{wager} is on, accepted", { wager }) : t("{wager} is off, accepted", { wager }));
  }

  // What is heard

  /** @param {FeltReply} reply */
  show(reply) {
    const stands = reply.wagers.some((one) => one.player === this.me?.person);
    this.numbers.know(reply, stands, this.queue.sent !== null);
    this.roundShow.show(this.reply, reply);
  }

  /** @param {FeltReply} reply @param {FeltReply} money in which the player's money stands */
  draw(reply, money) {
    this.money = money;
    const isOther = this.reply && this.reply.seated !== reply.seated;
    this.reply = reply;
    this.stakes.know(reply, this.me);
    this.queue.seen(reply.version);
    if (reply.terms !== this.drawing.terms) void this.drawAgain();
    if (isOther) void this.account();
    this.ahead.know(reply, this.stakes.all);
    this.redraw();
    if (!this.roundShow.round) this.auto.show(reply);
  }

  /** Draw the felt again after the limits or the odds have changed. */
  async drawAgain() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    try {
      this.drawing = await get(url`/tables/${this.name}/drawing`);
    } catch {
      return; // asked for again at the next change
    } finally {
      this.isDrawing = false;
    }
    this.stakes.drawing = this.panels.drawing = this.drawing;
    this.roundShow.finish();
    const old = this.felt;
    const hadKeys = old.element.contains(document.activeElement);
    this.felt = this.newFelt();
    this.betting.bubble = this.felt.bubble;
    old.element.replaceWith(this.felt.element);
    const before = old.input.focused && this.felt.byKey.get(old.input.focused.key);
    if (hadKeys && before) this.felt.input.enter(before);
    this.whatWins.drawing = this.drawing;
    this.area = this.area && (this.stakes.areaOf(this.area) ?? null);
    this.calls.say(t("The table limits have changed. {limits}", { limits: signText(this.drawing) }));
    this.sign();
    this.redraw();
  }

  /** Refresh who is signed in and what is in the account. */
  async account() {
    try {
      this.me = (await arrive()).me;
    } catch {
      // no answer: keep what is known
    }
    if (!this.me) this.felt.bubble.hush();
    this.redraw();
  }

  /** @param {Entry} entry */
  heard(entry) {
    this.roundShow.hear(entry);
    if (entry.events.some((row) => row.type === "thrown")) {
      this.stakes.remember();
      this.auto.thrown(entry.version);
      this.queue.forget();
      this.hushSoon();
    }
    if (entry.events.some((row) => this.concernsAccount(row))) void this.account();
    this.numbers.heard(entry);
    if (entry.who === this.me?.person) this.queue.heard(entry);
  }

  /** @param {Entry} entry @param {boolean} [isSummed] the sum of the round is said by itself */
  tell(entry, isSummed = false) {
    const person = this.me?.person ?? null;
    this.calls.isSummed = isSummed;
    this.calls.again = throwAddress(this.name, entry.version);
    sayEvents(entry, this.drawing, person, this.calls);
    this.calls.isSummed = false;
    for (const row of this.calls.isPast ? [] : entry.events) this.acts.tell(concerning(row, this.drawing, person));
    this.corrected.hear(entry, person);
    this.status.correct(this.corrected.words);
  }

  /** @param {Connection} line */
  heardLine(line) {
    this.roundShow.cut();
    this.status.heard(line);
  }

  /** List the calls from before the page was opened. @param {Entry[]} entries */
  catchUp(entries) {
    this.calls.isPast = true;
    for (const entry of entries) {
      this.numbers.remember(entry);
      this.tell(entry);
    }
    this.calls.isPast = false;
  }

  /** Close a refusal after the throw it was about, once there was time to read it. */
  hushSoon() {
    const { refusedAt } = this;
    const left = Math.max(0, READ - (performance.now() - refusedAt));
    setTimeout(() => refusedAt === this.refusedAt && this.felt.bubble.hush(), left);
  }

  /** Whether chips moved between account and table, perhaps from another page of the player. @param {Row} row */
  concernsAccount(row) {
    return row.type === "chips_bought" && row.player === this.me?.person;
  }

  redraw() {
    const { reply, me } = this;
    if (!reply) return;
    this.stakes.know(reply, me);
    this.status.show(reply, this.drawing, me?.person ?? null);
    this.acts.show(reply, this.drawing, me);
    const shown = withNickname(reply, me);
    this.felt.show(shown, this.queue.ghosts());
    this.showMoney();
    this.seat.show(reply, me, this);
    this.look(this.area);
    this.betting.show();
    this.drive.show(reply, this.stakes.all.length > 0 || this.queue.ghosts().size > 0);
    this.stakes.show();
    if (this.isToGoOn) this.seat.goOn(reply.seated); // after "Play" or signing in, play goes on here
    this.isToGoOn = false;
    if (this.roundShow.round) return; // the rest has figures of its own, which would tell the result
    this.seal.show(reply);
    this.panels.show(shown, me);
  }

  showMoney() {
    const { money, me } = this;
    if (money)
      this.ownChips.show(
        money,
        me,
        money.wagers.filter((one) => one.player === me?.person),
      );
  }
}

/** The latest events, and after which one to listen. @param {string} path @returns {Promise<{after: number | undefined, entries: Entry[]}>} */
async function lately(path) {
  try {
    const { version } = await get(`${path}/felt`);
    const after = Math.max(0, version - LOOK_BACK);
    const { entries } = await get(`${path}/events?after=${after}&limit=${LOOK_BACK}`);
    return { after: version, entries: entries.filter((/** @type {Entry} */ entry) => entry.version <= version) };
  } catch {
    return { after: undefined, entries: [] }; // the table matters more: listen without it
  }
}

async function start() {
  const name = fromAddress(2);
  const path = url`/tables/${name}`;
  try {
    const [{ house, me }, drawing] = await Promise.all([arrive(), get(`${path}/drawing`)]);
    const page = new Page(name, house, me, drawing);
    const { after, entries } = await lately(path);
    page.catchUp(entries);
    receipts.meet(house.key);
    void receipts.confirm(`table/${name}`);
    listen(
      `${path}/live`,
      {
        felt: (reply) => page.show(reply),
        entry: (entry) => page.heard(entry),
        line: (line) => page.heardLine(line),
      },
      { felt: true, after },
    );
  } catch (error) {
    showFailure(t("Table"), error);
  }
}

void start();
