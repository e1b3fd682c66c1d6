// An area on the screen: its outline, what is printed on it, its chips and its accessible name.

import { named, plural, t } from "../shared/catalogue.js";
import { s } from "../shared/dom.js";
import { money, spaced } from "../shared/words.js";
import { keyOf, spoken } from "./area.js";
import { Chip, checkColour, faceValue } from "./chip.js";
import { write } from "./lettering.js";
import { printed } from "./print.js";

/** @import { Area, Standing } from "./area.js" */
/** @typedef {import("../../types/contract.js").DrawnArea} Drawn */

const GHOST = "\u0000on its way";
const STACKS = 3; // so many players' chips are drawn as stacks; more get one chip each
const BESIDE = 30; // from one stack to the next
const LONGEST_LAMMER = 4; // letters

export class Spot {
  /**
   * @param {Area} area @param {number} place @param {SVGGElement} chipLayer where chips lie, above all areas
   * @param {boolean} isRare whether the area shows only when it is wanted: its chips say what they are
   */
  constructor(area, place, chipLayer, isRare) {
    this.area = area;
    this.place = place;
    this.chipLayer = chipLayer;
    const word = area.label.toUpperCase();
    this.lies = { heeled: area.behind !== null, lammer: isRare && word.length <= LONGEST_LAMMER ? word : "" };
    /** @type {Drawn | null} how it is drawn on this sheet; null if it is not on it */
    this.drawn = null;
    this.ground = s("path", { class: "ground" });
    // The lettering is hidden from screen readers: the accessible name says more than the few letters that fit.
    this.words = s("g", { class: "words", "aria-hidden": "true" });
    this.group = s("g", { class: "area", "data-place": place, tabindex: -1, role: "button" }, this.ground);
    /** @type {Map<string, Chip>} by player */
    this.chips = new Map();
    this.label = "";
    this.look = ""; // its classes
    this.fixed = "area"; // those that stay while it is on this sheet
    this.wasThere = true;
    this.isWon = this.isClosed = this.isNear = this.isOpen = false;
    this.isChosen = true; // its box is the one that is shown, where boxes are chosen
    /** @type {DOMRect | null} */
    this.measured = null;
    this.key = keyOf(area);
    const words = { area: named(area.name), odds: spoken(area.pays), label: area.label };
    this.spoken = area.name.toLowerCase().includes(area.label.toLowerCase())
      ? t("{area}, pays {odds}", words)
      : t("{area}, pays {odds}, marked {label}", words);
    this.paint();
  }

  /** Draw it as a sheet has it, or not at all. @param {Drawn | null} drawn @param {boolean} narrow */
  lay(drawn, narrow) {
    this.drawn = drawn;
    this.measured = null;
    this.isNear = false;
    const tone = drawn?.tone ? ` is-${drawn.tone}` : "";
    this.fixed = `area${tone}${this.area.travelled ? " travelled" : ""}${this.area.offered ? "" : " not-offered"}`;
    if (drawn) {
      this.ground.setAttribute("d", drawn.path);
      this.ground.style.strokeWidth = drawn.width ? `${drawn.width}px` : "";
      this.words.replaceChildren(...(drawn.box ? write(this.area, drawn.box, narrow) : printed(drawn)));
      this.stack();
    }
    this.paint();
  }

  /** Whether it is to be seen now. */
  get isThere() {
    const { drawn } = this;
    if (!drawn || !this.isChosen) return false;
    const { shows } = drawn;
    if (shows === undefined || shows === "always" || this.chips.size > 0) return true;
    return shows === "wanted" ? this.isNear : shows === "odds" && this.isOpen;
  }

  /** Where it is on its sheet. */
  get bounds() {
    this.measured ??= this.ground.getBBox();
    return this.measured;
  }

  /** Show these chips. @param {Map<string, Standing> | undefined} here by player @param {string | undefined} ghost */
  update(here, ghost) {
    const { chips } = this;
    if (!here && ghost === undefined && chips.size === 0) return;
    const before = chips.size;
    /** @type {number[]} places that chips have left: others keep theirs, and who comes takes one of these */
    const free = [];
    for (const [player, chip] of chips) {
      if (here?.has(player) || (player === GHOST && ghost !== undefined)) continue;
      chip.group.remove();
      chips.delete(player);
      free.push(chip.slot);
    }
    const changed = free.length > 0;
    for (const [player, wager] of here ?? []) {
      const check = wager.checks ? checkColour(wager) : "";
      this.chipOf(player, free).set(wager.amount, wager.on !== false, false, check);
    }
    if (ghost !== undefined) this.chipOf(GHOST, free).set(ghost, true, true);
    if (free.length > 0) this.closeUp();
    if (changed || chips.size !== before) this.stack();
  }

  /** @param {string} player @param {number[]} free @returns {Chip} */
  chipOf(player, free) {
    let chip = this.chips.get(player);
    if (!chip) {
      chip = new Chip(this.lies);
      chip.slot = free.pop() ?? this.chips.size;
      this.chips.set(player, chip);
      if (!this.wasThere) chip.group.setAttribute("visibility", "hidden");
      this.chipLayer.append(chip.group);
    }
    return chip;
  }

  /** Close gaps that removed chips have left. */
  closeUp() {
    let slot = 0;
    for (const chip of this.chips.values()) {
      chip.slot = slot;
      slot += 1;
    }
  }

  /** Place the chips: a few as stacks where the sheet says, more in rows. */
  stack() {
    const { chips, drawn } = this;
    const count = chips.size;
    if (count === 0 || !drawn) return;
    const scale = drawn.scale ?? 1;
    if (count <= STACKS) {
      const [x = 0, y = 0] = drawn.chip;
      const side = (drawn.pay[0] ?? 0) < 0 ? -BESIDE : BESIDE;
      for (const chip of chips.values()) {
        chip.draw(true);
        chip.place(x + chip.slot * side * scale, y, 14 * scale);
      }
      return;
    }
    const [left = 0, top = 0, width = 0, height = 0] = drawn.room;
    const columns = Math.max(1, Math.ceil(Math.sqrt((count * width) / height)));
    const rows = Math.ceil(count / columns);
    const radius = Math.max(2, Math.min(12, width / columns / 2, height / rows / 2));
    for (const chip of chips.values()) {
      chip.draw(false);
      const column = chip.slot % columns;
      const row = Math.floor(chip.slot / columns);
      chip.place(left + ((column + 0.5) * width) / columns, top + ((row + 0.5) * height) / rows, radius);
    }
  }

  /** @param {boolean} won @param {boolean} closed @param {boolean} open whether odds may be made here */
  show(won, closed, open) {
    this.isWon = won;
    this.isClosed = closed;
    this.isOpen = open;
    this.paint();
  }

  /** Show or hide what is seen only when it is wanted. @param {boolean} near */
  near(near) {
    this.isNear = near;
    this.paint();
  }

  /** Dress it in what is known of it. */
  paint() {
    const { area, drawn } = this;
    const isThere = this.isThere;
    let look = this.fixed;
    if (drawn?.width) look += " band";
    if (drawn?.box) look += " boxed";
    if (drawn?.shows) look += ` shows-${drawn.shows}`;
    if (this.chips.size > 0) look += " held";
    if (area.behind && !this.isOpen) look += " needs-flat";
    if (this.isWon) look += " won";
    // A wager that can be made only at times flashes then.
    if (this.isClosed) look += " closed";
    else if (area.optional && area.fixed) look += " window";
    if (!isThere) look += " absent";
    if (look !== this.look) this.group.setAttribute("class", look);
    this.look = look;
    if (isThere !== this.wasThere) this.showChips(isThere);
  }

  /** Chips are seen where their area is. @param {boolean} isThere */
  showChips(isThere) {
    this.wasThere = isThere;
    for (const chip of this.chips.values()) chip.group.setAttribute("visibility", isThere ? "visible" : "hidden");
  }

  /** Set the accessible name. @param {Map<string, Standing> | undefined} here */
  name(here) {
    const said = [
      this.spoken,
      this.isWon && t("won on the last throw"),
      here && stakedBy(here),
      this.isClosed && t("closed now"),
    ];
    const label = said.filter(Boolean).join(", ");
    if (label === this.label) return;
    this.label = label;
    this.group.setAttribute("aria-label", label);
  }
}

/** @param {Map<string, Standing>} here */
function stakedBy(here) {
  let sum = 0n;
  let isOff = false;
  for (const wager of here.values()) {
    sum += faceValue(wager.amount).worth;
    if (wager.on === false) isOff = true;
  }
  const amount = spaced(money(sum));
  const staked = plural(here.size, "{amount} staked", "{amount} staked by {n} players", { amount });
  return isOff ? `${staked}, ${t("off")}` : staked;
}
