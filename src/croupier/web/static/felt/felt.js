// The felt: areas, chips, the marker, what won. It draws everything once, and then only what has changed.

import { face } from "../results/faces.js";
import { h, s } from "../shared/dom.js";
import { keyOf } from "./area.js";
import { Bubble } from "./bubble.js";
import { Input } from "./input.js";
import { Spot } from "./spot.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Drawing, Standing } from "./area.js" */
/** @import { Acting } from "./input.js" */

const WIDE = 1240;
const ROW = 21; // of the wide felt
const NARROW = 344;
const NARROW_ROW = 15;

export class Felt {
  /** @param {Drawing} drawing @param {Acting & {wide?: boolean}} [acting] `wide`: however small it is */
  constructor(drawing, acting = {}) {
    this.drawing = drawing;
    this.acting = acting;
    this.chipLayer = s("g", { class: "chips" });
    this.spots = drawing.areas.map((area, place) => new Spot(area, place, this.chipLayer));
    /** @type {Map<string, Spot>} */
    this.byKey = new Map(this.spots.map((spot) => [spot.key, spot]));
    this.marker = s("g", { class: "marker", "aria-hidden": "true" }, s("circle", { r: 15 }), s("text", { y: 4 }, "ON"));
    this.svg = s("svg", { class: "felt", role: "group", "aria-label": `Betting areas of ${drawing.title}` });
    this.ring = s("g", { class: "fall", "aria-hidden": "true" });
    this.svg.append(this.ring);
    for (const spot of this.spots) this.svg.append(spot.group);
    for (const spot of this.spots) this.svg.append(spot.words);
    this.svg.append(this.chipLayer, this.marker);
    this.element = h("div.felt-box", this.svg);
    this.bubble = new Bubble(this.element, this.spots, (spot) => this.input.enter(spot));
    this.isNarrow = false;
    /** @type {import("../../types/contract.js").Marker | null} */
    this.marked = null;
    /** @type {(string | number)[]} what lies in the ring */
    this.fallen = [];
    /** @type {{by: string, title: string} | null} whose place the disc lies at */
    this.before = null;
    this.arrange(false);
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.input = new Input(this.spots, this.bubble, acting);
    this.input.listen(this.svg, this.element);
  }

  /** Phones have their own arrangement of the areas. */
  fit() {
    const width = this.element.clientWidth;
    const narrow = !this.acting.wide && width > 0 && width < this.least;
    if (narrow !== this.isNarrow) this.arrange(narrow);
  }

  /** The least width of the wide arrangement: betting with a finger needs more room than watching. */
  get least() {
    if (this.acting.moved === undefined) return 600;
    return matchMedia("(pointer: coarse)").matches ? 1000 : 700;
  }

  /** @param {boolean} narrow */
  arrange(narrow) {
    this.isNarrow = narrow;
    const [square, row] = this.unit;
    const size = narrow ? this.drawing.narrow_size : this.drawing.size;
    this.svg.setAttribute("viewBox", `-2 -2 ${(narrow ? NARROW : WIDE) + 4} ${size[1] * row + 4}`);
    this.element.classList.toggle("narrow", narrow);
    for (const spot of this.spots) {
      const [left, top, across, down] = narrow ? spot.area.narrow : spot.area.at;
      const [x, y] = [left * square + 1.5, top * row + 1.5];
      spot.lay({ x, y, width: across * square - 3, height: down * row - 3 }, narrow);
    }
    this.mark(this.marked);
    this.fall(this.fallen, this.before, true);
  }

  /** The width of a column and the height of a row. @returns {[number, number]} */
  get unit() {
    const { size, narrow_size } = this.drawing;
    return this.isNarrow ? [NARROW / narrow_size[0], NARROW_ROW] : [WIDE / size[0], ROW];
  }

  /**
   * Draw the coins in the ring, if the felt has one, and the disc that marks the spinner.
   * @param {(string | number)[]} fallen @param {{by: string, title: string} | null} before @param {boolean} [again]
   */
  fall(fallen, before, again = false) {
    const { ring } = this.drawing;
    if (!ring || (!again && fallen.join() === this.fallen.join() && before?.by === this.before?.by)) return;
    this.fallen = fallen;
    this.before = before;
    const [left, top, across, down] = this.isNarrow ? ring.narrow : ring.at;
    const [square, row] = this.unit;
    const [x, y] = [(left + across / 2) * square, (top + down / 2) * row];
    const size = Math.min(64, (down * row) / 2.4);
    const start = x - (fallen.length * (size + 12) - 12) / 2;
    this.ring.replaceChildren(
      s("ellipse", { cx: x, cy: y, rx: (across * square) / 2 - 8, ry: (down * row) / 2 - 8, class: "ring" }),
      ...fallen.map((one, place) => {
        const coin = face(one);
        coin.setAttribute("transform", `translate(${start + place * (size + 12)} ${y - size / 2}) scale(${size / 24})`);
        return coin;
      }),
      ...(before ? [disc(before, x, (top + down) * row - size * 0.55, size / 2.8)] : []),
    );
  }

  /**
   * Show the table's state. `ghosts` are bets that the house has not accepted yet.
   * @param {FeltReply} reply @param {Map<string, string>} [ghosts] what is on its way, by area
   */
  show(reply, ghosts = new Map()) {
    const standing = this.bySpot(reply.wagers);
    const won = new Set((reply.wins ?? []).map(keyOf));
    const closed = new Set(reply.closed_areas ?? []);
    for (const spot of this.spots) {
      const here = standing.get(spot);
      spot.update(here, ghosts.get(spot.key));
      const isClosed = closed.has(spot.place) && !spot.area.travelled;
      spot.look(won.has(spot.key), isClosed);
      spot.name(here, won.has(spot.key), isClosed);
    }
    // What won stays marked during the next bets, but is no longer bright.
    this.svg.classList.toggle("afresh", Boolean(reply.round && !reply.round.shut));
    this.mark(reply.marker ?? null);
    const { by, title } = reply.thrower ?? {};
    this.fall(reply.results?.at(-1)?.faces ?? [], by && title ? { by, title } : null);
  }

  /** Wagers by area and player. @param {Standing[]} wagers */
  bySpot(wagers) {
    /** @type {Map<Spot, Map<string, Standing>>} */
    const standing = new Map();
    for (const wager of wagers) {
      const spot = this.byKey.get(keyOf(wager));
      if (!spot) continue;
      const here = standing.get(spot) ?? new Map();
      if (here.size === 0) standing.set(spot, here);
      here.set(wager.player, wager);
    }
    return standing;
  }

  /** Place the puck, or another marker. @param {import("../../types/contract.js").Marker | null} marked */
  mark(marked) {
    this.marked = marked;
    const spot = marked?.area === null || marked?.area === undefined ? undefined : this.spots[marked.area];
    this.marker.toggleAttribute("hidden", !spot);
    this.marker.classList.toggle("there", Boolean(spot));
    const [aside, scale] = this.isNarrow ? [10, 0.7] : [17, 1]; // the label of the area stays readable
    if (spot)
      this.marker.setAttribute("transform", `translate(${spot.box.x + aside} ${spot.box.y + aside}) scale(${scale})`);
  }
}

/**
 * The disc in front of the spinner, with the name.
 * @param {{by: string, title: string}} before @param {number} x @param {number} y @param {number} radius
 */
function disc(before, x, y, radius) {
  return s(
    "g",
    { class: "disc-there", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    s("circle", { r: radius }),
    s("text", { y: 4 }, before.title.slice(0, 1).toUpperCase()),
    s("text", { class: "who", x: radius + 6, y: 5 }, before.by),
  );
}
