// A player at a table: the felt, the rack, the round, what was called, what it brought.

import { get } from "./api.js";
import { Captions } from "./captions.js";
import { announce, byId, cents, fill, fromAddress, h, money, ruleLink } from "./dom.js";
import { Felt, keyOf } from "./felt.js";
import { listen } from "./live.js";
import { Moves } from "./moves.js";
import { AtHand, signText } from "./pays.js";
import { Purse } from "./purse.js";
import { Rack } from "./rack.js";
import { results } from "./roads.js";
import { Seat } from "./seat.js";
import { arrive } from "./session.js";
import { Status } from "./status.js";
import { Says } from "./table-says.js";
import { tellEntry } from "./telling.js";

/** @typedef {import("./felt.js").Area} Area */
/** @typedef {import("./felt.js").Standing} Standing */
/** @typedef {import("./session.js").Me} Me */
/** @typedef {import("./moves.js").Line} Line */
/** @typedef {import("./api.js").Refused} Refused */

const READ = 5000; // for so long a refusal stays beside its area, whatever happens

class Page {
  /** @param {string} name @param {any} house @param {Me | null} me @param {any} drawing */
  constructor(name, house, me, drawing) {
    this.name = name;
    this.house = house;
    this.me = me;
    this.drawing = drawing;
    /** @type {any} */
    this.told = null;
    this.status = new Status();
    this.says = new Says(name);
    this.captions = new Captions(drawing.book);
    this.moves = new Moves(name, {
      changed: () => this.redraw(),
      refused: (line, refused, step) => this.refused(line, refused, step),
      held: () => this.captions.say("No answer yet: it is sent again."),
      accepted: (line) => this.accepted(line),
      round: () => (this.told?.by_itself ? (this.told.round?.number ?? null) : null),
    });
    this.rack = new Rack(drawing.chip, drawing.sleeps, (deed) => this.deed(deed));
    this.felt = this.newFelt();
    this.purse = new Purse(name);
    this.atHand = new AtHand(drawing, (area, on) =>
      this.moves.make([{ do: "call", wager: area.wager, pick: area.pick, on }]),
    );
    this.info = h("section", { class: "card info", "aria-labelledby": "info-title" });
    this.seat = new Seat(name, drawing.book, house, () => this.account());
    this.history = h("section", { class: "card history", "aria-labelledby": "history-title" });
    this.own = h("section", { class: "card own", "aria-labelledby": "own-title" });
    this.stood = /** @type {Standing[]} */ (JSON.parse(sessionStorage.getItem(this.kept) ?? "[]"));
    this.shownResults = "";
    this.refusedAt = 0;
    this.isDrawing = false;
    this.layOut();
    setInterval(() => this.time(), 10000);
  }

  get kept() {
    return `croupier-stood-${this.name}`;
  }

  newFelt() {
    return new Felt(this.drawing, {
      moved: (area, place, move) => this.moved(area, place, move),
      looked: (area) => area && this.look(area),
    });
  }

  layOut() {
    const { drawing } = this;
    document.title = drawing.name;
    fill(
      byId("main"),
      h("div", { class: "row spread title" }, h("h1", {}, drawing.name), this.seat.element),
      this.status.element,
      this.says.element,
      h("div", { class: "felt-place" }, this.felt.element),
      h("div", { class: "hand" }, this.atHand.element, this.rack.element, this.purse.element),
      h("div", { class: "panels" }, this.own, this.captions.element, this.history, this.info),
    );
    this.sign();
  }

  /** What the table's sign says, and how one plays. */
  sign() {
    fill(
      this.info,
      h("h2", { id: "info-title" }, "The sign"),
      h("p", {}, signText(this.drawing)),
      h(
        "p",
        { class: "soft" },
        "Click or tap an area to add a chip; right-click, press long or use the Backspace key to take one off. Arrow keys go from area to area.",
      ),
    );
  }

  /** @param {Area} area */
  look(area) {
    this.atHand.area = area;
    this.atHand.show(this.standing(area));
  }

  /** The area of a wager. @param {{wager: string, pick: any}} of @returns {Area | undefined} */
  areaOf(of) {
    return this.drawing.areas.find((/** @type {Area} */ area) => keyOf(area) === keyOf(of));
  }

  /** One's own wager on an area. @param {{wager: string, pick: any}} area @returns {Standing | undefined} */
  standing(area) {
    return this.told?.wagers.find(
      (/** @type {Standing} */ one) => keyOf(one) === keyOf(area) && one.player === this.me?.person,
    );
  }

  /** @returns {Standing[]} */
  get mine() {
    return (this.told?.wagers ?? []).filter((/** @type {Standing} */ one) => one.player === this.me?.person);
  }

  // Moves

  /** @param {Area} area @param {number} place @param {"add" | "take"} move */
  moved(area, place, move) {
    this.look(area);
    if (this.told?.open === false) {
      this.felt.say(place, h("p", {}, "This table is closed at the moment."));
      return;
    }
    if (!this.me || !this.told?.seated) {
      this.felt.say(
        place,
        h("p", {}, this.me ? "Sit down first: then your chips are at hand." : "Sign in first, or play as a guest."),
        h("button", { type: "button", class: "primary", onclick: () => this.seat.enter() }, "To your seat"),
      );
      return;
    }
    if (move === "take" || this.rack.isTaking) this.take(area, place);
    else if (area.travelled) this.felt.say(place, this.howItComes(area));
    else
      this.moves.make([
        { do: "bet", wager: area.wager, pick: area.pick, amount: area.fixed ? area.least : money(this.stepFor(area)) },
      ]);
  }

  /** Nobody bets on an area to which wagers travel. @param {Area} area */
  howItComes(area) {
    const start = this.areaOf({ wager: area.wager, pick: null })?.name ?? area.name;
    return h(
      "p",
      {},
      `A wager comes to ${area.name} by itself: bet on ${start}. `,
      ruleLink(this.drawing.book, area.clause),
    );
  }

  /** What a chip adds here: at least what the wager is made in. @param {Area} area */
  stepFor(area) {
    const least = cents(area.least);
    const { worth } = this.rack;
    const stake = worth % least === 0n ? worth : (worth / least + 1n) * least;
    const minimum = area.min && !this.standing(area) ? cents(area.min) : 0n;
    return stake < minimum ? minimum : stake;
  }

  /** @param {Area} area @param {number} place */
  take(area, place) {
    const own = this.standing(area);
    if (!own) {
      this.felt.say(place, h("p", {}, `You have nothing on ${area.name}.`));
      return;
    }
    const stands = cents(own.amount);
    const step = this.stepFor(area);
    const left = stands - step;
    const amount = left <= 0n || (area.min && left < cents(area.min)) ? stands : step;
    this.moves.make([{ do: "take", wager: area.wager, pick: area.pick, amount: money(amount) }]);
  }

  /** @param {import("./rack.js").Deed} deed */
  deed(deed) {
    this.felt.hush();
    if (deed === "undo") {
      this.moves.undo();
      return;
    }
    const lines = {
      clear: () => this.mine.map(take).reverse(), // what lies behind a wager before the wager itself
      double: () => this.mine.filter((one) => !this.areaOf(one)?.travelled).map((one) => bet(one, one.amount)),
      rebet: () => this.rebet(),
      on: () => this.calls(true),
      off: () => this.calls(false),
    }[deed]();
    this.moves.make(lines);
  }

  /** What stood before the last throw and stands no longer; what had travelled to a number is not made there. @returns {Line[]} */
  rebet() {
    return this.stood.flatMap((one) => {
      const now = this.standing(one);
      const missing = cents(one.amount) - (now ? cents(now.amount) : 0n);
      return missing > 0n && !this.hasTravelled(one) ? [bet(one, money(missing))] : [];
    });
  }

  /** A wager that was made elsewhere, or behind one. @param {Standing} one */
  hasTravelled(one) {
    const area = this.areaOf(one);
    const flat = area?.behind ? this.areaOf({ wager: area.behind, pick: one.pick }) : undefined;
    return Boolean(area?.travelled || flat?.travelled);
  }

  /** @param {boolean} on @returns {Line[]} */
  calls(on) {
    const sleepers = new Set(this.drawing.areas.filter((/** @type {Area} */ area) => area.sleeps).map(keyOf));
    return this.mine
      .filter((one) => sleepers.has(keyOf(one)) && one.on !== on)
      .map((one) => ({ do: "call", wager: one.wager, pick: one.pick, on }));
  }

  /** @param {Line} line @param {Refused} refused @param {import("./moves.js").Step} step */
  refused(line, refused, step) {
    const place = this.drawing.areas.findIndex((/** @type {Area} */ area) => keyOf(area) === keyOf(line));
    const say =
      refused.status === 0
        ? "No answer came. Look at the felt: it shows what the house has accepted."
        : refused.message;
    const name = step.size > 1 ? `${this.areaOf(line)?.name ?? line.wager}: ` : "";
    const said = h("p", {}, name, say, " ", ruleLink(this.drawing.book, refused.clause));
    if (step.refusals > 1) this.felt.sayMore(Math.max(place, 0), said);
    else this.felt.say(Math.max(place, 0), said);
    this.refusedAt = performance.now();
    this.captions.say(`Not accepted: ${name}${say}`, { kind: "refused", clause: refused.clause, heard: false });
    if (refused.status === 401) void this.account();
  }

  /** @param {Line} line */
  accepted(line) {
    const name = this.areaOf(line)?.name ?? line.wager;
    const said = {
      bet: `${line.amount} on ${name}`,
      take: `${line.amount} back from ${name}`,
      call: `${name} is ${line.on ? "on" : "off"}`,
    }[line.do];
    announce(`${said}, accepted`);
  }

  // What is heard

  /** @param {any} told */
  show(told) {
    const isOther = this.told && this.told.seated !== told.seated;
    this.told = told;
    if (told.terms !== this.drawing.terms) void this.drawAgain();
    if (isOther) void this.account();
    this.redraw();
  }

  /** The sign or the odds are others: the felt is drawn anew. */
  async drawAgain() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    try {
      this.drawing = await get(`/tables/${encodeURIComponent(this.name)}/drawing`);
    } catch {
      return; // it is asked for again when the table stands otherwise
    } finally {
      this.isDrawing = false;
    }
    const old = this.felt;
    const hadKeys = old.element.contains(document.activeElement);
    this.felt = this.newFelt();
    old.element.replaceWith(this.felt.element);
    const before = old.focused && this.felt.byKey.get(old.focused.key);
    if (hadKeys && before) this.felt.enter(before);
    this.atHand.drawing = this.drawing;
    this.atHand.area = this.atHand.area && (this.areaOf(this.atHand.area) ?? null);
    this.captions.say(`The sign of the table is another now. ${signText(this.drawing)}`);
    this.sign();
    this.redraw();
  }

  /** Who is here, and what is in the account, may be otherwise than it was. */
  async account() {
    try {
      this.me = (await arrive()).me;
    } catch {
      // no answer: what was known stays until there is one
    }
    if (!this.me) this.felt.hush();
    this.redraw();
  }

  /** @param {any} entry */
  heard(entry) {
    if (entry.events.some((/** @type {any} */ row) => row.type === "thrown")) {
      if (this.mine.length > 0) {
        this.stood = this.mine;
        sessionStorage.setItem(this.kept, JSON.stringify(this.stood));
      }
      this.moves.forget();
      if (performance.now() - this.refusedAt > READ) this.felt.hush();
    }
    if (entry.events.some((/** @type {any} */ row) => this.concernsAccount(row))) void this.account();
    tellEntry(entry, this.drawing, this.me?.person ?? null, this.captions);
  }

  /** Chips between the account and the table, perhaps by another page of the same player. @param {any} row */
  concernsAccount(row) {
    return row.type === "chips_bought" && row.player === this.me?.person;
  }

  redraw() {
    const { told } = this;
    if (!told) return;
    this.status.show(told, this.drawing, this.me?.person ?? null);
    this.says.show(told, this.drawing, this.me);
    this.felt.show(told, this.moves.ghosts());
    this.purse.show(told, this.me, this.mine);
    this.seat.show(told, this.me);
    this.atHand.show(this.atHand.area ? this.standing(this.atHand.area) : undefined);
    const can = told.seated && told.open;
    this.rack.element.hidden = !told.seated || !this.me;
    this.rack.allow({
      undo: can && this.moves.canUndo,
      clear: can && this.mine.length > 0,
      double: can && this.mine.length > 0,
      rebet: can && this.rebet().length > 0,
      on: can && this.calls(true).length > 0,
      off: can && this.calls(false).length > 0,
    });
    this.wagers();
    const shown = JSON.stringify(told.results);
    if (shown !== this.shownResults) {
      this.shownResults = shown;
      fill(this.history, h("h2", { id: "history-title" }, "Results"), results(this.drawing, told.results ?? []));
    }
  }

  time() {
    if (this.told) this.purse.show(this.told, this.me, this.mine);
  }

  wagers() {
    const { mine } = this;
    const names = new Map(this.drawing.areas.map((/** @type {Area} */ area) => [keyOf(area), area]));
    fill(
      this.own,
      h("h2", { id: "own-title" }, "Your wagers"),
      mine.length === 0
        ? h("p", { class: "soft" }, "Nothing on the felt.")
        : h(
            "ul",
            { class: "plain" },
            mine.map((one) =>
              h(
                "li",
                { class: "row spread" },
                h("span", {}, names.get(keyOf(one))?.name ?? one.wager),
                h("span", { class: "number" }, one.amount, one.on === false ? " off" : ""),
              ),
            ),
          ),
      h("p", {}, h("a", { href: "/me" }, "Every past wager")),
    );
  }
}

/** @param {Standing} of @param {string} amount @returns {Line} */
function bet(of, amount) {
  return { do: "bet", wager: of.wager, pick: of.pick, amount };
}

/** @param {Standing} of @returns {Line} */
function take(of) {
  return { do: "take", wager: of.wager, pick: of.pick, amount: of.amount };
}

async function start() {
  const name = fromAddress(2);
  const path = `/tables/${encodeURIComponent(name)}`;
  try {
    const [{ house, me }, drawing] = await Promise.all([arrive(), get(`${path}/drawing`)]);
    const page = new Page(name, house, me, drawing);
    listen(
      `${path}/live`,
      { felt: (told) => page.show(told), entry: (entry) => page.heard(entry), line: (line) => page.status.heard(line) },
      { felt: true },
    );
  } catch (error) {
    fill(
      byId("main"),
      h("h1", {}, "The table"),
      h("p", { class: "problem" }, error instanceof Error ? error.message : String(error)),
      h("p", {}, h("a", { href: "/" }, "All tables")),
    );
  }
}

void start();
