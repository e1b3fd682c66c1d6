// What wins: of the area that is pointed at, or of the player's own chips, for each total of the next throw. At live
// tables it names totals and what they pay, and no chances (Craps 10.2, 10.7).

import { keyOf } from "../felt/area.js";
import { named, t } from "../shared/catalogue.js";
import { fill, h, rulePage } from "../shared/dom.js";
import { button, Drawn, openDialog } from "../shared/parts.js";
import { money, short, spaced } from "../shared/words.js";
import { areaSentences, cellWords, ownNet, ownSentences } from "./effect-words.js";
import { stakeWords } from "./funds.js";
import { limits, listAll, paysIn, signText } from "./odds.js";
import { allCells, cellsFor, effectOn } from "./outcomes.js";
import { TotalStrip } from "./total-strip.js";
import { clauseOf, whyNot } from "./why-not.js";

/** @import { AreaEffects, NextThrow } from "../../types/contract.js" */
/** @import { Area, Drawing, Pick, Standing } from "../felt/area.js" */
/** @import { Child } from "../shared/dom.js" */
/** @import { Cell, Outcomes } from "./outcomes.js" */
/** @import { Look } from "./total-strip.js" */

/**
 * @typedef {object} Does
 * @property {(area: Area, on: boolean) => void} call
 * @property {(area: Area) => Pick} number the number of the box that an area is in
 * @property {(area: Area) => void} list list what can be bet on that number
 * @property {(area: Area, move: "add" | "take") => void} move
 * @property {(area: Area) => {chip: bigint, adds: bigint, takes: bigint} | null} step what the chosen chip adds, and what that takes
 * @property {(area: Area, told: NextThrow) => Child} [more] what a practice table says besides
 */

/** Signs beside the colours. @type {Record<string, string>} */
const MARKS = { lose: "×", void: "=", go: "→", stay: "–", sleep: "·" };

export class WhatWins {
  /** @param {Drawing} drawing @param {Does} does */
  constructor(drawing, does) {
    this.drawing = drawing;
    this.does = does;
    /** @type {Area | null} */
    this.area = null;
    /** @type {Standing | undefined} */
    this.own = undefined;
    /** @type {NextThrow | null} */
    this.told = null;
    this.hasChips = false; // whether any of the player's lie on the felt
    /** @type {Cell | null} the total that is pointed at */
    this.cell = null;
    this.shown = new Drawn();
    this.words = h("p.about");
    this.sentences = h("div.then");
    this.totals = new TotalStrip(t("What each result does"), (cell) => this.point(cell));
    /** @type {HTMLElement | null} */
    this.sheet = null;
    const payouts = button(t("Payouts"), () => listAll(this.drawing), "quiet payouts");
    this.open = button(t("What wins"), () => this.openSheet(), "quiet what-wins");
    this.asks = h("div.asks", this.open, payouts);
    this.element = h("div.at-hand", h("div.told", this.words, this.totals.element, this.sentences), this.asks);
    this.draw();
  }

  /** @param {Area | null} area @param {Standing | undefined} own the player's wager on it @param {NextThrow | null} told @param {boolean} hasChips */
  show(area, own, told, hasChips) {
    this.area = area;
    this.own = own;
    this.told = told;
    this.hasChips = hasChips;
    this.draw();
  }

  /** The message about a bet lies over it. @param {HTMLElement} message */
  hold(message) {
    if (message.parentElement === this.element) return;
    this.element.querySelector(".bubble")?.remove();
    this.element.append(message);
  }

  draw() {
    const { area, drawing, own, told, hasChips } = this;
    const step = area && this.does.step(area);
    const seen = [
      drawing.terms,
      area && keyOf(area),
      own,
      told?.version,
      hasChips,
      step && [step.chip, step.takes].map(String),
    ];
    if (this.shown.isSame(seen)) return;
    this.cell = null;
    fill(this.words, ...(area ? this.aboutArea(area) : [this.aboutTable()]));
    this.strip(this.totals);
    this.say(this.sentences);
    this.open.hidden = !told;
    this.element.classList.toggle("asked", area !== null);
    if (this.sheet) this.fillSheet(this.sheet);
  }

  /** @param {Area} area @returns {Child[]} */
  aboutArea(area) {
    const { own } = this;
    const isOff = own?.on === false;
    const number = this.does.number(area);
    const staked = own && stakeWords(area, own);
    const isInStrip = area.pays.endsWith("+") && (this.effects?.which.length ?? 0) > 0;
    return [
      h("strong", named(area.name)),
      !isInStrip && h("span.pays-now", t("pays {odds}", { odds: paysIn(area) })),
      staked &&
        h(
          "span.own",
          isOff ? t("your stake {stake}, off", { stake: staked }) : t("your stake {stake}", { stake: staked }),
        ),
      own && area.sleeps && button(isOff ? t("Call it on") : t("Call it off"), () => this.does.call(area, isOff)),
      number !== null && button(t("All on {number}", { number: String(number) }), () => this.does.list(area)),
    ];
  }

  aboutTable() {
    return this.told && this.hasChips ? h("strong", t("Your chips on the next throw")) : signText(this.drawing);
  }

  /** What the house says of the area. @returns {AreaEffects | null} */
  get effects() {
    const place = this.area ? this.drawing.areas.indexOf(this.area) : -1;
    return this.told?.areas[place] ?? null;
  }

  /** @param {TotalStrip} totals */
  strip(totals) {
    const { told, effects, area } = this;
    if (!told || (!area && !this.hasChips)) return totals.show([], () => NONE);
    const cells = area && effects ? cellsFor(told.outcomes, effects, area) : allCells(told.outcomes);
    totals.show(cells, (cell) =>
      area && effects ? this.areaLook(cell, effects, told.outcomes) : ownLook(cell, told.outcomes),
    );
  }

  /** @param {Cell} cell @param {AreaEffects} of @param {Outcomes} outcomes @returns {Look} */
  areaLook(cell, of, outcomes) {
    const all = cell.parts.map((one) => effectOn(of, one));
    const kinds = all.map((effect) => effect?.then ?? "none");
    const winning = all.findIndex((effect) => effect?.then === "win");
    const effect = all[Math.max(winning, 0)];
    const isSplit = new Set(kinds).size > 1;
    const odds = effect?.then === "win" ? (effect.pays ?? "").replaceAll(" to ", ":") : markOf(effect);
    const mark = isSplit ? (cell.parts[Math.max(winning, 0)]?.label ?? "") : odds;
    const said = all.map((one, place) => cellWords(cell.parts[place]?.label ?? "", one));
    const own = this.hasChips ? ownSentences(outcomes, cell) : [];
    return { kinds: isSplit ? kinds : kinds.slice(0, 1), mark, says: [...new Set(said), ...own].join(" ") };
  }

  /** The sentences: of a total that is pointed at, or of the area. @param {HTMLElement} where */
  say(where) {
    const { area, cell, told, effects } = this;
    if (cell && told) {
      fill(where, h("p", ownSentences(told.outcomes, cell).join(" ")));
      return;
    }
    if (!area) {
      fill(where, told && this.hasChips && h("p", t("Point at a result to see what it would do to your chips.")));
      return;
    }
    const sentences =
      told && effects && effects.which.length > 0 ? areaSentences(cellsFor(told.outcomes, effects, area), effects) : [];
    const closed = effects?.refused;
    fill(
      where,
      h(
        "p",
        sentences.map(({ kind, words }) => [h("span", { class: `says-${kind}` }, words), " "]),
        closed && [h("span.closed", whyNot(closed, this.about(area))), " "],
        h("span.limits", this.takesWords(area), t("Bets {limits}.", { limits: limits(area, this.drawing.chip) })),
        " ",
        h(
          "a",
          { href: rulePage(this.drawing.book, (closed && clauseOf(closed)) ?? area.clause), target: "_blank" },
          t("rule {clause}", { clause: (closed && clauseOf(closed)) ?? area.clause }),
        ),
      ),
      told && this.does.more?.(area, told),
    );
  }

  /** @param {Area} area */
  about(area) {
    const flat =
      area.behind &&
      this.drawing.areas.find((one) => keyOf(one) === keyOf({ wager: area.behind ?? "", pick: area.pick }));
    return { name: named(area.name), ...(flat && { flat: named(flat.name) }) };
  }

  /** What the chosen chip really takes, where that is another amount. @param {Area} area */
  takesWords(area) {
    const step = this.does.step(area);
    if (!step || step.takes === step.chip) return "";
    const said = {
      chip: short(step.chip),
      takes: spaced(money(step.takes)),
      commission: spaced(money(step.takes - step.adds)),
    };
    const words =
      step.takes === step.adds
        ? t("Your {chip} chip takes {takes} here.", said)
        : t("Your {chip} chip takes {takes} here, {commission} of it commission.", said);
    return `${words} `;
  }

  /** @param {Cell | null} cell */
  point(cell) {
    this.cell = cell;
    this.say(this.sheet?.querySelector(".then") instanceof HTMLElement ? this.sheetThen() : this.sentences);
  }

  sheetThen() {
    return /** @type {HTMLElement} */ (this.sheet?.querySelector(".then"));
  }

  /** All of it, large enough for fingers. */
  openSheet() {
    const body = h("div.sheet-body");
    const dialog = openDialog("what-wins-sheet", "what-wins-title", body);
    this.sheet = body;
    this.fillSheet(body);
    dialog.addEventListener("close", () => {
      this.sheet = null;
      this.cell = null;
    });
  }

  /** @param {HTMLElement} body */
  fillSheet(body) {
    const { area } = this;
    const totals = new TotalStrip(t("What each result does"), (cell) => this.point(cell));
    const sentences = h("div.then");
    const close = () => body.closest("dialog")?.close();
    const press = (/** @type {"add" | "take"} */ move) => () => {
      close();
      if (area) this.does.move(area, move);
    };
    const about = area && h("p.about", ...this.aboutArea(area).slice(1));
    for (const one of about?.querySelectorAll("button") ?? []) one.addEventListener("click", close);
    fill(
      body,
      h("h2", { id: "what-wins-title" }, area ? named(area.name) : t("Your chips on the next throw")),
      about,
      totals.element,
      sentences,
      area && legend(),
      h(
        "div.row",
        button(t("Payouts"), () => {
          close();
          listAll(this.drawing);
        }),
        this.own && button(t("Take a chip off"), press("take")),
        area && !area.travelled && button(t("Add a chip"), press("add"), "primary"),
      ),
    );
    this.strip(totals);
    this.say(sentences);
  }
}

/** @type {Look} */
const NONE = { kinds: [], mark: "", says: "" };

/** @param {import("../../types/contract.js").ThrowEffect | undefined} effect */
function markOf(effect) {
  if (effect?.then === "go" && effect.to !== null && effect.to !== undefined) return `→${effect.to}`;
  return effect ? (MARKS[effect.then] ?? "") : "";
}

/** What a total does to the player's chips. @param {Cell} cell @param {Outcomes} outcomes @returns {Look} */
function ownLook(cell, outcomes) {
  const nets = cell.parts.map((one) => ownNet(outcomes, one.outcomes));
  const kinds = nets.map(({ least, most }) => (least > 0n ? "win" : most < 0n ? "lose" : least < most ? "go" : "stay"));
  const least = nets.reduce((low, one) => (one.least < low ? one.least : low), nets[0]?.least ?? 0n);
  const most = nets.reduce((high, one) => (one.most > high ? one.most : high), nets[0]?.most ?? 0n);
  const isOne = least === most;
  const mark = !isOne ? "±" : least === 0n ? "–" : least > 0n ? `+${short(least)}` : `−${short(-least)}`;
  return {
    kinds: new Set(kinds).size > 1 ? kinds : kinds.slice(0, 1),
    mark,
    says: ownSentences(outcomes, cell).join(" "),
  };
}

function legend() {
  const one = (/** @type {string} */ kind, /** @type {string} */ words) => h("li", h("i", { class: kind }), words);
  return h(
    "ul.legend",
    one("win", t("wins")),
    one("lose", t("loses")),
    one("void", t("comes back")),
    one("go", t("moves on")),
  );
}
