// A player at a table: the felt, the rack, the round, the calls, the results.

import { Numbers } from "../fairness/numbers.js";
import { receipts } from "../fairness/receipts.js";
import { receiptsCard } from "../fairness/receipts-card.js";
import { keyOf } from "../felt/area.js";
import { Felt } from "../felt/felt.js";
import { Corrected } from "../results/corrections.js";
import { results } from "../results/roads.js";
import { get, url } from "../shared/api.js";
import { announce, byId, fill, fromAddress, h, ruleLink } from "../shared/dom.js";
import { listen } from "../shared/live.js";
import { showFailure } from "../shared/parts.js";
import { arrive } from "../shared/session.js";
import { BetQueue } from "./bet-queue.js";
import { Betting } from "./betting.js";
import { listBox } from "./box-list.js";
import { Calls } from "./calls.js";
import { Drive } from "./drive.js";
import { concerning, sayEvents } from "./event-words.js";
import { AreaLine, signText } from "./odds.js";
import { OwnChips } from "./own-chips.js";
import { PlayerActs } from "./player-acts.js";
import { Rack } from "./rack.js";
import { Seat } from "./seat.js";
import { Stakes } from "./stakes.js";
import { Status } from "./status.js";

/** @import { Entry, Row } from "../shared/live.js" */
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
    this.status = new Status();
    this.acts = new PlayerActs(name);
    this.calls = new Calls(drawing.book);
    this.corrected = new Corrected();
    this.numbers = new Numbers(name, drawing, (say) => this.calls.say(say, { kind: "refused" }));
    this.queue = new BetQueue(name, {
      changed: () => this.redraw(),
      refused: (line, refused, step) => this.refused(line, refused, step),
      held: () => this.calls.say("No answer yet. Trying again …"),
      accepted: (line) => this.accepted(line),
      round: () => (this.reply?.by_itself ? (this.reply.round?.number ?? null) : null),
      number: (round) => this.numbers.commit(round),
      numbered: (round, stands) => this.numbers.accepted(round, stands),
    });
    this.rack = new Rack(drawing.chip, drawing.sleeps, (action) => this.betting.action(action));
    this.drive = new Drive(name, drawing, this.numbers, this.queue);
    this.felt = this.newFelt();
    this.ownChips = new OwnChips(name);
    this.areaLine = new AreaLine(drawing, {
      call: (area, on) => this.queue.make([{ do: "call", wager: area.wager, pick: area.pick, on }]),
      number: (area) => this.felt.numberOf(drawing.areas.indexOf(area)),
      list: (area) => this.list(drawing.areas.indexOf(area)),
    });
    this.info = h("section.card.info", { "aria-labelledby": "info-title" });
    this.seat = new Seat(name, drawing.book, house, () => this.account());
    this.bench = h("div.bench"); // the seat, for who has none
    this.corner = h("div.corner", this.seat.element);
    this.history = h("section.card.history", { "aria-labelledby": "history-title" });
    this.receipts = receiptsCard(house.house);
    this.stakes = new Stakes(name, drawing, me);
    const { stakes, rack, queue, seat } = this;
    this.betting = new Betting({ stakes, rack, queue, seat, bubble: this.felt.bubble });
    this.shownResults = "";
    this.refusedAt = 0;
    this.isDrawing = false;
    this.layOut();
    setInterval(() => this.time(), 10000);
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
        h("div.rail", this.areaLine.element, this.bench, this.rack.element, this.drive.element),
      ),
      h("div.panels", this.stakes.element, this.calls.element, this.history, this.info, this.receipts),
    );
    this.sign();
  }

  /** The table's limits, and how to bet. */
  sign() {
    fill(
      this.info,
      h("h2", { id: "info-title" }, "Table limits"),
      h("p", signText(this.drawing)),
      h(
        "p.soft",
        "Click or tap an area to add a chip. Right-click, long-press or press Backspace to take one off. Use the arrow keys to move between areas.",
      ),
    );
  }

  /** @param {Area} area */
  look(area) {
    this.areaLine.area = area;
    this.areaLine.show(this.stakes.on(area));
  }

  // What the house answers

  /** @param {Line} line @param {Refused} refused @param {import("./bet-queue.js").Step} step */
  refused(line, refused, step) {
    const place = this.drawing.areas.findIndex((area) => keyOf(area) === keyOf(line));
    const say = refused.status === 0 ? "No answer. The felt shows what the house has accepted." : refused.message;
    const name = step.size > 1 ? `${this.stakes.areaOf(line)?.name ?? line.wager}: ` : "";
    const said = h("p", name, say, " ", ruleLink(this.drawing.book, refused.clause));
    if (step.refusals > 1) this.felt.bubble.sayMore(Math.max(place, 0), said);
    else this.felt.bubble.say(Math.max(place, 0), said);
    this.refusedAt = performance.now();
    this.calls.say(`Not accepted: ${name}${say}`, { kind: "refused", clause: refused.clause, heard: false });
    if (refused.status === 401) void this.account();
  }

  /** @param {Line} line */
  accepted(line) {
    const name = this.stakes.areaOf(line)?.name ?? line.wager;
    const said = {
      bet: `${line.amount} on ${name}`,
      take: `${line.amount} back from ${name}`,
      call: `${name} is ${line.on ? "on" : "off"}`,
    }[line.do];
    announce(`${said}, accepted`);
  }

  // What is heard

  /** @param {FeltReply} reply */
  show(reply) {
    const isOther = this.reply && this.reply.seated !== reply.seated;
    this.reply = reply;
    this.stakes.know(reply, this.me);
    this.numbers.know(reply, this.stakes.all.length > 0, this.queue.sent !== null);
    if (reply.terms !== this.drawing.terms) void this.drawAgain();
    if (isOther) void this.account();
    this.redraw();
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
    this.stakes.drawing = this.drawing;
    const old = this.felt;
    const hadKeys = old.element.contains(document.activeElement);
    this.felt = this.newFelt();
    this.betting.bubble = this.felt.bubble;
    old.element.replaceWith(this.felt.element);
    const before = old.input.focused && this.felt.byKey.get(old.input.focused.key);
    if (hadKeys && before) this.felt.input.enter(before);
    this.areaLine.drawing = this.drawing;
    this.areaLine.area = this.areaLine.area && (this.stakes.areaOf(this.areaLine.area) ?? null);
    this.calls.say(`The table limits have changed. ${signText(this.drawing)}`);
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
    if (entry.events.some((row) => row.type === "thrown")) {
      this.stakes.remember();
      this.queue.forget();
      this.hushSoon();
    }
    if (entry.events.some((row) => this.concernsAccount(row))) void this.account();
    this.numbers.heard(entry);
    this.tell(entry);
  }

  /** @param {Entry} entry */
  tell(entry) {
    const person = this.me?.person ?? null;
    sayEvents(entry, this.drawing, person, this.calls);
    for (const row of this.calls.isPast ? [] : entry.events) this.acts.tell(concerning(row, this.drawing, person));
    this.corrected.hear(entry, person);
    this.status.correct(this.corrected.words);
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
    this.felt.show(reply, this.queue.ghosts());
    this.ownChips.show(reply, me, this.stakes.all);
    this.seat.show(reply, me);
    const place = reply.seated && me ? this.corner : this.bench;
    if (this.seat.element.parentElement !== place) place.append(this.seat.element);
    this.areaLine.show(this.areaLine.area ? this.stakes.on(this.areaLine.area) : undefined);
    this.betting.show();
    this.drive.show(reply, this.stakes.all.length > 0 || this.queue.ghosts().size > 0);
    this.stakes.show();
    const shown = JSON.stringify(reply.results);
    if (shown !== this.shownResults) {
      this.shownResults = shown;
      fill(this.history, h("h2", { id: "history-title" }, "Results"), results(this.drawing, reply.results ?? [], true));
    }
  }

  time() {
    if (this.reply) this.ownChips.show(this.reply, this.me, this.stakes.all);
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
        line: (line) => page.status.heard(line),
      },
      { felt: true, after },
    );
  } catch (error) {
    showFailure("Table", error);
  }
}

void start();
