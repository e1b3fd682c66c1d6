// An area on the screen: its background, lettering, chips and accessible name.

import { s } from "../shared/dom.js";
import { money } from "../shared/words.js";
import { keyOf, spoken } from "./area.js";
import { Chip, checkColour, faceValue } from "./chip.js";
import { write } from "./lettering.js";

/** @import { Area, Standing } from "./area.js" */

const GHOST = "\u0000on its way";

export class Spot {
  /** @param {Area} area @param {number} place @param {SVGGElement} chipLayer where chips lie, above all areas */
  constructor(area, place, chipLayer) {
    this.area = area;
    this.place = place;
    this.chipLayer = chipLayer;
    this.isNarrow = false;
    this.box = { x: 0, y: 0, width: 0, height: 0 };
    this.ground = s("rect", { class: "ground", rx: 5 });
    // The lettering is hidden from screen readers: the accessible name says more than the few letters that fit.
    this.words = s("g", { class: "words", "aria-hidden": "true" });
    this.star = s("text", { class: "star" }, "★");
    this.group = s("g", { class: "area", "data-place": place, tabindex: -1, role: "button" }, this.ground);
    /** @type {Map<string, Chip>} by player */
    this.chips = new Map();
    this.label = "";
    this.marks = "";
    this.key = keyOf(area);
    const marked = area.name.toLowerCase().includes(area.label.toLowerCase()) ? "" : `, marked ${area.label}`;
    this.spoken = `${area.name}, pays ${spoken(area.pays)}${marked}`;
  }

  /** @param {Spot["box"]} box @param {boolean} narrow */
  lay(box, narrow) {
    this.box = box;
    this.isNarrow = narrow;
    for (const [name, value] of Object.entries(box)) this.ground.setAttribute(name, value.toFixed(1));
    write(this, narrow);
    this.stack();
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
      chip = new Chip();
      chip.slot = free.pop() ?? this.chips.size;
      this.chips.set(player, chip);
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

  /** Place the chips: one or two at the side, more in rows. */
  stack() {
    const { x, y, width, height } = this.box;
    const count = this.chips.size;
    if (count === 0) return;
    if (count <= 2) {
      const radius = Math.min(this.isNarrow ? 12 : 14, height / 2 - 3, Math.max(9, width / 7));
      for (const chip of this.chips.values()) {
        chip.place(x + width - radius - 3 - chip.slot * radius * 1.3, y + height - radius - 3, radius);
      }
      return;
    }
    const columns = Math.max(1, Math.ceil(Math.sqrt((count * width) / height)));
    const rows = Math.ceil(count / columns);
    const radius = Math.max(2, Math.min(12, width / columns / 2, height / rows / 2));
    for (const chip of this.chips.values()) {
      const column = chip.slot % columns;
      const row = Math.floor(chip.slot / columns);
      chip.place(x + ((column + 0.5) * width) / columns, y + ((row + 0.5) * height) / rows, radius);
    }
  }

  /** @param {boolean} won @param {boolean} closed */
  look(won, closed) {
    const { area } = this;
    const open = area.optional && area.fixed && !closed; // wagers that can be made only at times: it flashes then
    const marks = [
      area.travelled && "travelled",
      !area.offered && "not-offered",
      won && "won",
      closed && "closed",
      open && "window",
    ];
    const look = ["area", ...marks].filter(Boolean).join(" ");
    if (look === this.marks) return;
    this.marks = look;
    this.group.setAttribute("class", look);
    this.words.setAttribute("class", ["words", ...marks].filter(Boolean).join(" "));
  }

  /** Set the accessible name. @param {Map<string, Standing> | undefined} here @param {boolean} won @param {boolean} closed */
  name(here, won, closed) {
    const staked = here ? stakedBy(here) : "";
    const label = `${this.spoken}${won ? ", won on the last throw" : ""}${staked}${closed ? ", closed now" : ""}`;
    if (label === this.label) return;
    this.label = label;
    this.group.setAttribute("aria-label", label);
  }
}

/** @param {Map<string, Standing>} here */
function stakedBy(here) {
  let sum = 0n;
  let off = "";
  for (const wager of here.values()) {
    sum += faceValue(wager.amount).worth;
    if (wager.on === false) off = ", off";
  }
  const by = here.size === 1 ? "" : ` by ${here.size} players`;
  return `, ${money(sum)} staked${by}${off}`;
}
