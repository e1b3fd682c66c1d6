// The page of one round: the felt as it was after each of its events, each in a sentence with its clause. Everyone sees
// what they could see at the table: players their own chips, staff all of them.

import { ownNumbers } from "../fairness/numbers.js";
import { Felt } from "../felt/felt.js";
import { Past } from "../inspect/past.js";
import { CheckPanel } from "../results/check-panel.js";
import { fellWords, signed } from "../results/corrections.js";
import { faces } from "../results/faces.js";
import { roundAddress, throwAddress } from "../results/round-links.js";
import { get, Refused, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { announce, byId, fill, fillEach, fromAddress, h, ruleLink } from "../shared/dom.js";
import { alertLine, setWords, showFailure } from "../shared/parts.js";
import { arrive } from "../shared/session.js";
import { clockOf, setClock, setZone, when } from "../shared/times.js";
import { cents } from "../shared/words.js";
import { lamp } from "../table/status.js";
import { told } from "./sentences.js";

/** @import { Entry, Row } from "../shared/live.js" */
/** @import { Felt as FeltReply, PastRound } from "../../types/contract.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Me } from "../shared/session.js" */

const PAUSE = 900; // milliseconds between the events of a replay
const NOT_SHOWN = ["phase_moved", "noted", "clock_set", "player_away", "player_back"]; // they show on the felt

/** An event of the round with what a viewer may see of it. @typedef {{entry: Entry, rows: Row[]}} Step */

class RoundPage {
  /** @param {string} table @param {PastRound} round @param {Past} past @param {Me | null} me */
  constructor(table, round, past, me) {
    this.table = table;
    this.round = round;
    this.past = past;
    this.me = me;
    /** @type {Step[]} */
    this.steps = [];
    this.place = 0;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Felt | null} */
    this.felt = null;
    /** @type {FeltReply | null} */
    this.reply = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
    this.feltPlace = h("div.round-felt");
    this.lamps = h("p.lamps");
    this.list = h("ol.round-steps", { "aria-label": t("What happened") });
    this.now = h("p.round-now", { role: "status" });
    this.problem = alertLine();
    this.range = h("input.scrubber", {
      type: "range",
      min: 0,
      value: 0,
      "aria-label": t("Moment of the round"),
      oninput: () => this.stepTo(Number(this.range.value)),
    });
    this.play = h("button.primary", { type: "button", onclick: () => this.toggle() }, t("Play it again"));
  }

  async load() {
    const { first, last } = this.round;
    const entries = await this.past.entries(first, last);
    this.steps = entries.flatMap((entry) => {
      const rows = entry.events.filter((row) => !NOT_SHOWN.includes(row.type));
      return rows.length > 0 ? [{ entry, rows }] : [];
    });
    const felt = await this.past.felt(Math.max(first, this.past.opened));
    if (felt) await this.draw(felt);
    this.layOut(entries);
    const thrown = this.steps.findIndex((one) => one.entry.version === this.round.thrown);
    await this.go(thrown < 0 ? this.steps.length - 1 : thrown);
  }

  /** @param {Entry[]} entries */
  layOut(entries) {
    const { table, round, drawing } = this;
    const name = drawing?.name ?? table;
    const title = round.round === null ? t("A throw") : t("Round {round}", { round: round.round });
    document.title = `${title} · ${name}`;
    const thrown = entries.findLast((one) => one.type === "thrown");
    const row = thrown?.events.find((one) => one.type === "thrown");
    const fell = row && drawing ? [...(row[drawing.throw.field] ?? [])] : [];
    this.range.max = String(Math.max(0, this.steps.length - 1));
    fill(
      byId("main"),
      h(
        "div.round-head",
        fell.length > 0 && faces(fell, { size: 56 }),
        h(
          "div",
          h("h1", title),
          h("p.soft", h("a", { href: url`/tables/${table}` }, name), " · ", when((thrown ?? entries[0])?.at ?? 0)),
          h("p.round-call", row ? (row.call ?? fellWords(fell)) : this.underWay()),
          this.ownNet(entries),
        ),
        this.neighbours(),
      ),
      h(
        "div.round-grid",
        h(
          "div.round-left",
          this.feltPlace,
          h(
            "section.card.round-controls",
            { "aria-label": t("Replay") },
            this.range,
            h("div.row.spread", this.stepButtons(), this.lamps),
            this.now,
            this.problem,
          ),
          h("p.soft", this.sight()),
          this.check(),
        ),
        h(
          "section.card.round-right",
          { "aria-labelledby": "steps-title" },
          h("h2", { id: "steps-title" }, t("What happened")),
          this.list,
        ),
      ),
    );
    this.listSteps();
  }

  underWay() {
    return this.round.is_over ? t("Nothing was thrown.") : t("This round is under way.");
  }

  /** Whose chips are shown. */
  sight() {
    const felt = this.reply;
    if (felt?.staff !== undefined && felt.staff !== null) return t("As staff you see everyone’s chips.");
    if (felt?.seated) return t("You see your own chips, and what everyone at the table could see.");
    return t("You see what everyone at the table could see. Chips are shown to their players only.");
  }

  /** What the round brought the viewer. @param {Entry[]} entries */
  ownNet(entries) {
    const person = this.me?.person;
    const own = entries
      .flatMap((entry) => entry.events)
      .filter((row) => row.type === "wager_settled" && row.player === person);
    if (!person || own.length === 0) return null;
    const won = own.reduce((sum, row) => sum + cents(row.returned) - cents(row.stake), 0n);
    return h("p.round-net", { class: won > 0n ? "won" : null }, t("For you: {net}", { net: signed(won) }));
  }

  neighbours() {
    const { table, round } = this;
    const { round: number, first, last } = round;
    const before = number === null ? throwAddress(table, first - 1) : roundAddress(table, { round: number - 1 });
    const after = number === null ? throwAddress(table, last + 1) : roundAddress(table, { round: number + 1 });
    const hasBefore = number === null ? first > this.past.opened : number > 1;
    return h(
      "nav.round-turn",
      { "aria-label": t("Rounds beside this one") },
      hasBefore && h("a", { href: before ?? "" }, t("‹ The one before")),
      round.is_over && last < this.past.last && h("a", { href: after ?? "" }, t("The next ›")),
    );
  }

  /** The check of electronic dice. */
  check() {
    const { table } = this;
    const { round: number, thrown } = this.round;
    if (number === null || thrown === null) return null;
    const panel = new CheckPanel(table, number, undefined, () => ({
      own: ownNumbers(table)[number] ?? null,
      seal: null,
    }));
    const press = h("button", { type: "button", onclick: () => void begin() }, t("Check this throw"));
    const begin = async () => {
      press.hidden = true;
      await panel.run();
    };
    const words = h("p.soft", t("The dice of this table are electronic. Your device can throw them again."));
    return h("section.card.round-check", { "aria-label": t("Check this throw") }, words, press, panel.element);
  }

  stepButtons() {
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ by) =>
      h("button", { type: "button", "aria-label": label, onclick: () => this.stepTo(this.place + by) }, sign);
    return h("div.row", step("◀", t("Event before"), -1), this.play, step("▶", t("Next event"), 1));
  }

  listSteps() {
    const { drawing } = this;
    fillEach(this.list, this.steps, ({ entry, rows }, place) =>
      h(
        "li",
        h(
          "button.quiet",
          { type: "button", onclick: () => this.stepTo(place) },
          h("span.soft", clockOf(entry.at)),
          h("span", rows.map((row) => told(row, drawing, this.me?.person)).join(" ")),
        ),
        " ",
        rows.map((row) => ruleLink(drawing?.book ?? "", row.clause)),
      ),
    );
  }

  /** Go there by hand: a replay stops. @param {number} place */
  stepTo(place) {
    this.stop();
    void this.go(place);
  }

  /** Show the felt after one of the events. @param {number} wanted */
  async go(wanted) {
    const place = Math.max(0, Math.min(this.steps.length - 1, wanted));
    const step = this.steps[place];
    this.place = place;
    this.range.value = String(place);
    if (!step) return;
    try {
      const felt = await this.past.felt(step.entry.version);
      if (this.place !== place || !felt) return; // it has gone on
      await this.draw(felt);
      fill(this.problem);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.stop();
      fill(this.problem, error.message);
      return;
    }
    for (const [at, line] of [...this.list.children].entries())
      line.firstElementChild?.setAttribute("aria-current", at === place ? "step" : "false");
    const line = /** @type {HTMLElement | undefined} */ (this.list.children[place]);
    if (line) this.list.scrollTop = line.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    const words = step.rows.map((row) => told(row, this.drawing, this.me?.person)).join(" ");
    this.range.setAttribute("aria-valuetext", words);
    setWords(this.now, words);
  }

  /** @param {FeltReply} reply */
  async draw(reply) {
    const drawing = await this.past.drawing(reply);
    this.reply = reply;
    if (drawing !== this.drawing) {
      this.drawing = drawing;
      this.felt = new Felt(drawing);
      fill(this.feltPlace, this.felt.element);
    }
    this.felt?.show(reply);
    fill(this.lamps, (reply.lamps ?? []).map(lamp));
  }

  toggle() {
    if (this.playing === undefined) this.start();
    else this.stop();
  }

  start() {
    if (this.place >= this.steps.length - 1) this.place = -1;
    else if (this.steps[this.place]?.entry.version === this.round.thrown) this.place = -1;
    announce(t("The round is shown again."));
    fill(this.play, t("Pause"));
    const next = () => {
      if (this.place >= this.steps.length - 1) this.stop();
      else void this.go(this.place + 1);
    };
    this.playing = setInterval(next, PAUSE);
    next();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    fill(this.play, t("Play it again"));
  }
}

async function start() {
  const table = fromAddress(2);
  const kind = fromAddress(3) === "rounds" ? "rounds" : "throws";
  try {
    const { house, me } = await arrive();
    setClock(house.at);
    const past = new Past(table);
    const [round, reply] = await Promise.all([get(`${url`/tables/${table}`}/${kind}/${fromAddress(4)}`), past.begin()]);
    setZone(reply.zone);
    await new RoundPage(table, round, past, me).load();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showFailure(t("A round"), error, url`/tables/${table}`, t("Back to the table"));
  }
}

void start();
