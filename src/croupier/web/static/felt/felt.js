// The felt: areas, chips, the marker, what won. It draws a sheet once, and then only what has changed.

import { named, plural, t } from "../shared/catalogue.js";
import { h, s } from "../shared/dom.js";
import { keyOf } from "./area.js";
import { Bubble } from "./bubble.js";
import { chosenRow } from "./choosing.js";
import { coin, restingPlaces } from "./coin.js";
import { Input } from "./input.js";
import { printed } from "./print.js";
import { Spot } from "./spot.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Drawing, Pick, Standing } from "./area.js" */
/** @import { Acting } from "./input.js" */
/** @typedef {import("../../types/contract.js").DrawnSheet} Sheet */
/** @typedef {import("../../types/contract.js").Marker} Marker */

const MARGIN = 4; // around a sheet
const CORNER = 17; // where the marker lies in a rectangle

export class Felt {
  /** @param {Drawing} drawing @param {Acting & {wide?: boolean}} [acting] `wide`: however small it is */
  constructor(drawing, acting = {}) {
    this.drawing = drawing;
    this.acting = acting;
    this.chipLayer = s("g", { class: "chips" });
    const rare = new Set(drawing.wide.areas.filter((one) => one.shows === "wanted").map((one) => one.place));
    this.spots = drawing.areas.map((area, place) => new Spot(area, place, this.chipLayer, rare.has(place)));
    /** @type {Map<string, Spot>} */
    this.byKey = new Map(this.spots.map((spot) => [spot.key, spot]));
    /** @type {Map<Spot, Spot>} the flat wager of each wager behind one */
    this.flats = new Map();
    for (const spot of this.spots) {
      const flat = spot.area.behind && this.byKey.get(keyOf({ wager: spot.area.behind, pick: spot.area.pick }));
      if (flat) this.flats.set(spot, flat);
    }
    this.puckWord = s("text", { y: 4 }, "ON");
    this.marker = s(
      "g",
      { class: "marker", "aria-hidden": "true" },
      s("ellipse", { class: "shadow", cx: 2, cy: 5, rx: 17, ry: 15.5 }),
      s("circle", { r: 16 }),
      s("circle", { class: "rim", r: 12.8 }),
      this.puckWord,
    );
    this.svg = s("svg", {
      class: "felt",
      role: "group",
      "aria-label": t("Betting areas of {title}", { title: drawing.title }),
    });
    this.ring = s("g", { class: "fall", "aria-hidden": "true" });
    this.choosing = s("g", { class: "choosing", role: "group", "aria-label": t("Number") });
    this.below = s("g", { class: "below words", "aria-hidden": "true" });
    this.tabs = h("div.felt-tabs", { role: "group", "aria-label": t("Parts of the felt") });
    this.wood = h("div.wood", this.svg);
    this.element = h("div.felt-box", this.wood, this.tabs);
    this.bubble = new Bubble(this.spots, (spot) => this.input.enter(spot));
    this.isNarrow = false;
    /** @type {Sheet} */
    this.sheet = drawing.wide;
    this.part = 0; // which of the narrow sheets
    /** @type {Pick | undefined} the number whose box is shown */
    this.chosen = undefined;
    /** @type {{hand: Pick, keys: Pick}} the numbers whose boxes are pointed at, and have the keyboard */
    this.nearby = { hand: null, keys: null };
    /** @type {Marker | null} */
    this.marked = null;
    /** @type {(string | number)[]} what lies in the ring */
    this.fallen = [];
    /** @type {{by: string, title: string} | null} whose place the disc lies at */
    this.before = null;
    /** @type {Spot[]} those on the sheet, as they are drawn */
    this.order = [];
    this.badges = "";
    /** @type {Input | null} */
    this.hand = null;
    this.arrange(false);
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.hand = this.input = new Input(this.spots, this.bubble, {
      ...acting,
      near: (number, by) => this.approach(number, by),
    });
    this.input.listen(this.svg, this.element);
  }

  /** Phones have sheets of their own. */
  fit() {
    const width = this.element.clientWidth;
    const narrow = !this.acting.wide && width > 0 && width < this.least;
    if (narrow !== this.isNarrow) this.arrange(narrow);
  }

  /** The least width of the wide sheet: betting with a finger needs more room than watching. */
  get least() {
    if (this.acting.moved === undefined) return 600;
    return matchMedia("(pointer: coarse)").matches ? 1000 : 700;
  }

  /** @param {boolean} narrow @param {number} [part] of the narrow sheets */
  arrange(narrow, part = this.part) {
    const { drawing } = this;
    this.isNarrow = narrow;
    this.part = part;
    const sheet = (narrow ? drawing.narrow[part] : null) ?? drawing.wide;
    this.sheet = sheet;
    this.nearby = { hand: null, keys: null };
    const [width = 0, height = 0] = sheet.size;
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    this.element.classList.toggle("narrow", narrow);
    this.element.dataset.cloth = sheet.cloth;
    if (sheet.choose) this.chosen ??= this.marked?.value ?? sheet.numbers?.[0]?.[0];
    this.below.replaceChildren(...printed(sheet));
    const drawn = new Map(sheet.areas.map((one) => [one.place, one]));
    const order = [...drawn.keys()].flatMap((place) => this.spots[place] ?? []);
    const others = this.spots.filter((spot) => !drawn.has(spot.place));
    const layers = [...order, ...others].flatMap((spot) => [spot.group, spot.words]);
    this.svg.replaceChildren(this.below, this.ring, ...layers);
    this.svg.append(this.choosing, this.chipLayer, this.marker);
    for (const spot of this.spots) {
      const one = drawn.get(spot.place) ?? null;
      spot.isChosen =
        !sheet.choose || !one || one.number === null || one.number === undefined || one.number === this.chosen;
      spot.lay(one, narrow);
    }
    this.order = order;
    this.mark(this.marked, true);
    this.fall(this.fallen, this.before, true);
    this.showParts();
    this.hand?.keepStop();
  }

  /** The tabs of a phone, each with the number of wagers that only it shows. */
  showParts() {
    const { narrow } = this.drawing;
    const hasParts = this.isNarrow && narrow.length > 1;
    this.tabs.hidden = !hasParts;
    this.choosing.replaceChildren(
      ...(this.sheet.choose ? chosenRow(this.sheet, this.chosen, (number) => this.choose(number)) : []),
    );
    if (!hasParts) return;
    const here = new Set(this.order.map((spot) => spot.place));
    const made = narrow.map((sheet, part) => {
      const held = sheet.areas.filter(({ place }) => !here.has(place) && this.spots[place]?.chips.size).length;
      const badge = held > 0 && h("span.badge", held, h("span.heard", " ", plural(held, "wager", "wagers")));
      const press = () => this.turnTo(part);
      return h(
        "button",
        { type: "button", "aria-pressed": String(part === this.part), onclick: press },
        named(sheet.name),
        badge,
      );
    });
    this.tabs.replaceChildren(...made);
  }

  /** Show another part of the felt. @param {number} part */
  turnTo(part) {
    if (part === this.part) return;
    this.bubble.hush();
    this.arrange(this.isNarrow, part);
    const button = this.tabs.children[part];
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /** Show the part of the felt that an area is on. @param {Spot} spot */
  reveal(spot) {
    const { narrow } = this.drawing;
    const isOn = (/** @type {Sheet} */ sheet) => sheet.areas.some((one) => one.place === spot.place);
    if (this.isNarrow && !isOn(this.sheet)) this.arrange(true, Math.max(0, narrow.findIndex(isOn)));
    const number = spot.drawn?.number;
    if (this.sheet.choose && number !== null && number !== undefined && number !== this.chosen) this.choose(number);
  }

  /** Show the box of another number. @param {Pick} number */
  choose(number) {
    this.chosen = number;
    this.bubble.hush();
    this.arrange(this.isNarrow);
    /** @type {SVGElement | null} */
    const cell = this.choosing.querySelector('[aria-pressed="true"]');
    cell?.focus({ preventScroll: true });
  }

  /** Show what can be bet on the numbers that the hand or the keyboard is at. @param {Pick} number @param {"hand" | "keys"} by */
  approach(number, by) {
    if (this.nearby[by] === number) return;
    this.nearby[by] = number;
    const { hand, keys } = this.nearby;
    for (const spot of this.spots) {
      const own = spot.drawn?.shows === "wanted" ? (spot.drawn.number ?? null) : null;
      const near = own !== null && (own === hand || own === keys);
      if (near !== spot.isNear) spot.near(near);
    }
  }

  /** The areas of a number's box, in the order of the felt. @param {Pick} number @returns {Spot[]} */
  boxOf(number) {
    const { areas } = this.drawing.wide;
    const places = areas.filter((one) => number !== null && one.number === number).map((one) => one.place);
    return places.flatMap((place) => this.spots[place] ?? []);
  }

  /** The number of the box that an area is in. @param {number} place @returns {Pick} */
  numberOf(place) {
    return this.drawing.wide.areas.find((one) => one.place === place)?.number ?? null;
  }

  /**
   * Draw the coins in the ring, if the felt has one, and the disc that marks the spinner.
   * @param {(string | number)[]} fallen @param {{by: string, title: string} | null} before @param {boolean} [again]
   */
  fall(fallen, before, again = false) {
    if (!again && fallen.join() === this.fallen.join() && before?.by === this.before?.by) return;
    this.fallen = fallen;
    this.before = before;
    const { fall } = this.sheet;
    if (!fall) {
      this.ring.replaceChildren();
      return;
    }
    const [x = 0, y = 0, radius = 0] = fall;
    const { size, places } = restingPlaces(fall, fallen.length);
    this.ring.replaceChildren(
      s("circle", { cx: x, cy: y, r: radius, class: "ring" }),
      ...fallen.map((one, place) => {
        const [left = 0, top = 0] = places[place] ?? [];
        const lying = coin(String(one));
        lying.setAttribute("transform", `translate(${left - size / 2} ${top - size / 2}) scale(${size / 24})`);
        return lying;
      }),
      ...(before ? [spinnerDisc(before, x, y + radius * 0.72, Math.min(18, radius / 5))] : []),
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
    for (const spot of this.spots) spot.update(standing.get(spot), ghosts.get(spot.key));
    for (const spot of this.spots) {
      const isClosed = closed.has(spot.place) && !spot.area.travelled;
      const flat = this.flats.get(spot);
      const needsFlat = flat !== undefined && flat.chips.size === 0;
      spot.show(won.has(spot.key), isClosed || needsFlat, !isClosed && flat !== undefined && !needsFlat);
      spot.name(standing.get(spot));
    }
    // What won stays marked during the next bets, but is no longer bright.
    this.svg.classList.toggle("afresh", Boolean(reply.round && !reply.round.shut));
    this.mark(reply.marker ?? null);
    const { by, title } = reply.thrower ?? {};
    this.fall(reply.results?.at(-1)?.faces ?? [], by && title ? { by, title } : null);
    if (!this.tabs.hidden) this.showBadges();
    this.input.keepStop();
  }

  /** Redraw the tabs when a wager appears on another part, or leaves it. */
  showBadges() {
    const held = this.spots.map((spot) => (spot.chips.size > 0 ? 1 : 0)).join("");
    if (held === this.badges) return;
    this.badges = held;
    this.showParts();
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

  /** Place the puck, or another marker. @param {Marker | null} marked @param {boolean} [again] laid out again, not moved */
  mark(marked, again = false) {
    const isSame = marked?.value === this.marked?.value && marked?.area === this.marked?.area;
    if (isSame && !again && Boolean(marked) === Boolean(this.marked)) return; // it may be on its way
    this.marked = marked;
    const at = marked && this.placeOf(marked);
    this.marker.classList.toggle("there", Boolean(at));
    this.marker.classList.toggle("off", marked?.value === null);
    if (!at || !marked) return;
    const word = marked.value === null ? "OFF" : "ON";
    if (this.puckWord.textContent !== word) this.puckWord.textContent = word;
    const scale = this.isNarrow ? 0.88 : 0.94;
    this.marker.classList.toggle("still", again);
    this.marker.style.transform = `translate(${at[0]}px, ${at[1]}px) scale(${scale})`;
  }

  /** Where the marker lies on this sheet. @param {Marker} marked @returns {number[] | null} */
  placeOf({ value, area }) {
    const { choose, numbers, puck } = this.sheet;
    if (value === null) return puck ?? null;
    if (choose && numbers) {
      const [left = 0, top = 0, width = 0] = choose;
      const place = numbers.findIndex(([number]) => number === value);
      return place < 0 ? null : [left + ((place + 1) * width) / numbers.length - 13, top + 14];
    }
    const drawn = area === null ? null : this.spots[area]?.drawn;
    if (drawn?.puck) return drawn.puck;
    return drawn?.box ? [(drawn.box[0] ?? 0) + CORNER, (drawn.box[1] ?? 0) + CORNER] : null;
  }
}

/**
 * The disc in front of the spinner, with the name.
 * @param {{by: string, title: string}} before @param {number} x @param {number} y @param {number} radius
 */
function spinnerDisc(before, x, y, radius) {
  return s(
    "g",
    { class: "disc-there", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    s("circle", { r: radius }),
    s("text", { y: 4 }, before.title.slice(0, 1).toUpperCase()),
    s("text", { class: "who", x: radius + 6, y: 5 }, before.by),
  );
}
