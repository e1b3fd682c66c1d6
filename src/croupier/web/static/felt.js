// The felt: areas, chips, the marker, what won. It draws what it is told, once, and then changes what has changed.

import { cents, h, money, s, short } from "./dom.js";
import { face } from "./faces.js";

/** @typedef {number | string | number[] | null} Pick */
/**
 * @typedef {object} Area
 * @property {string} wager @property {Pick} pick @property {string} name @property {string} label @property {string} note
 * @property {string} clause @property {[number, number, number, number]} at @property {[number, number, number, number]} narrow
 * @property {string} group @property {(number | string)[][]} dice @property {boolean} travelled @property {string} pays @property {string} terms
 * @property {{for: string, odds: string}[]} lines @property {string} least @property {boolean} fixed @property {boolean} optional
 * @property {boolean} offered @property {boolean} sleeps @property {string | null} behind
 * @property {string | null} min @property {string | null} max
 */
/**
 * @typedef {object} Drawing
 * @property {string} table @property {string} name @property {string} terms @property {string} book @property {string} title
 * @property {[number, number]} size @property {[number, number]} narrow_size @property {Area[]} areas
 * @property {{at: [number, number, number, number], narrow: [number, number, number, number]} | null} ring
 * @property {{faces: (number | string)[], count: number, field: string, command: string}} throw
 * @property {string} chip @property {Record<string, any>} sign @property {boolean} closes_bets @property {boolean} sleeps
 * @property {{name: string, sides: string[]}[]} roads @property {string | null} marker what lies on a number
 */
/** @typedef {{player: string, wager: string, pick: Pick, amount: string, on?: boolean}} Standing */
/** @typedef {"add" | "take"} Move */

const WIDE = 1240;
const ROW = 21; // of the wide felt
const NARROW = 344;
const NARROW_ROW = 15;
const LONG_PRESS = 450;
const CHIP_COLOURS = /** @type {[bigint, string][]} */ ([
  [100000n, "c1000"],
  [50000n, "c500"],
  [10000n, "c100"],
  [2500n, "c25"],
  [500n, "c5"],
  [0n, "c1"],
]);

/** Which colour a chip of this worth has. @param {bigint} amount */
export function chipColour(amount) {
  return CHIP_COLOURS.find(([least]) => amount >= least)?.[1] ?? "c1";
}

/** The name of an area among all. @param {{wager: string, pick: Pick}} of */
export function keyOf(of) {
  const { pick } = of;
  return pick === null || pick === undefined ? of.wager : `${of.wager} ${Array.isArray(pick) ? pick.join("-") : pick}`;
}

/** What the parts of an area are, on the screen. */
class Spot {
  /** @param {Area} area @param {number} place */
  constructor(area, place) {
    this.area = area;
    this.place = place;
    this.box = { x: 0, y: 0, width: 0, height: 0 };
    this.ground = s("rect", { class: "ground", rx: 5 });
    // What is written there lies above the button: a name of its own says more than the few letters that fit.
    this.words = s("g", { class: "words", "aria-hidden": "true" });
    this.star = s("text", { class: "star" }, "★");
    this.group = s("g", { class: "area", "data-place": place, tabindex: -1, role: "button" }, this.ground);
    /** @type {Map<string, Chip>} by player */
    this.chips = new Map();
    this.label = "";
    this.look = "";
    this.key = keyOf(area);
    const marked = area.name.toLowerCase().includes(area.label.toLowerCase()) ? "" : `, marked ${area.label}`;
    this.spoken = `${area.name}, pays ${spoken(area.pays)}${marked}`;
  }
}

/** Odds as they are said: `1:1+` is from 1 to 1. @param {string} pays */
export function spoken(pays) {
  const odds = pays.replace(/:/g, " to ");
  return odds.endsWith("+") ? `from ${odds.slice(0, -1)}` : odds;
}

/** How an amount looks on a chip; most are seen again and again. @type {Map<string, {worth: bigint, colour: string, text: string}>} */
const faceValues = new Map();

/** @param {string} amount */
function faceValue(amount) {
  let known = faceValues.get(amount);
  if (!known) {
    if (faceValues.size > 5000) faceValues.clear();
    const worth = cents(amount);
    known = { worth, colour: chipColour(worth), text: short(worth) };
    faceValues.set(amount, known);
  }
  return known;
}

/** Chips of one player on an area. What has not changed is not touched. */
class Chip {
  constructor() {
    this.words = document.createTextNode("");
    this.group = s("g", { "aria-hidden": "true" }, s("circle", { r: 14 }), s("text", {}, this.words));
    this.amount = "";
    this.look = "";
    this.on = true;
    this.ghost = false;
    this.x = this.y = this.radius = -1;
    this.slot = 0; // which of the places on its area
  }

  /** @param {string} amount @param {boolean} on @param {boolean} ghost */
  set(amount, on, ghost) {
    if (amount === this.amount && on === this.on && ghost === this.ghost) return;
    const { colour, text } = faceValue(amount);
    const words = ghost ? "…" : on ? text : `${text} off`;
    const look = `stack ${colour}${on ? "" : " off"}${ghost ? " ghost" : ""}${words.length > 4 ? " long" : ""}`;
    if (look !== this.look) this.group.setAttribute("class", look);
    this.words.data = words;
    this.amount = amount;
    this.look = look;
    this.on = on;
    this.ghost = ghost;
  }

  /** @param {number} x @param {number} y @param {number} radius */
  place(x, y, radius) {
    if (x === this.x && y === this.y && radius === this.radius) return;
    this.x = x;
    this.y = y;
    this.radius = radius;
    this.group.setAttribute(
      "transform",
      `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}) scale(${radius / 14})`,
    );
  }
}

export class Felt {
  /**
   * @param {Drawing} drawing
   * @param {{moved?: (area: Area, place: number, move: Move) => void, looked?: (area: Area | null) => void, wide?: boolean}} [hands]
   *   who acts on it; without `moved` it is only looked at; `wide`: however small it is
   */
  constructor(drawing, hands = {}) {
    this.drawing = drawing;
    this.hands = hands;
    this.spots = drawing.areas.map((area, place) => new Spot(area, place));
    /** @type {Map<string, Spot>} */
    this.byKey = new Map(this.spots.map((spot) => [keyOf(spot.area), spot]));
    this.chipLayer = s("g", { class: "chips" });
    this.marker = s("g", { class: "marker", "aria-hidden": "true" }, s("circle", { r: 15 }), s("text", { y: 4 }, "ON"));
    this.svg = s("svg", { class: "felt", role: "group", "aria-label": `Betting areas of ${drawing.title}` });
    this.ring = s("g", { class: "fall", "aria-hidden": "true" });
    this.svg.append(this.ring);
    for (const spot of this.spots) this.svg.append(spot.group);
    for (const spot of this.spots) this.svg.append(spot.words);
    this.svg.append(this.chipLayer, this.marker);
    this.bubble = h("div", { class: "bubble", role: "alert", hidden: true });
    this.element = h("div", { class: "felt-box" }, this.svg, this.bubble);
    this.said = 0; // beside which area
    this.isNarrow = false;
    /** @type {{value: any, area: number | null} | null} */
    this.marked = null;
    /** @type {(string | number)[]} what lies in the ring */
    this.fallen = [];
    /** @type {{by: string, title: string} | null} whose place the disc lies at */
    this.before = null;
    this.arrange(false);
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.focused = this.spots.find((spot) => this.isReached(spot)) ?? this.spots[0];
    this.focused?.group.setAttribute("tabindex", "0");
    this.listen();
  }

  /** A phone has another arrangement of the same areas. */
  fit() {
    const width = this.element.clientWidth;
    const coarse = this.hands.moved !== undefined && matchMedia("(pointer: coarse)").matches; // fingers need room
    const narrow = !this.hands.wide && width > 0 && width < (coarse ? 1000 : 700);
    if (narrow !== this.isNarrow) this.arrange(narrow);
  }

  /** @param {boolean} narrow */
  arrange(narrow) {
    this.isNarrow = narrow;
    const size = narrow ? this.drawing.narrow_size : this.drawing.size;
    const width = narrow ? NARROW : WIDE;
    const square = width / size[0];
    const row = narrow ? NARROW_ROW : ROW;
    this.svg.setAttribute("viewBox", `-2 -2 ${width + 4} ${size[1] * row + 4}`);
    this.element.classList.toggle("narrow", narrow);
    for (const spot of this.spots) {
      const [left, top, across, down] = narrow ? spot.area.narrow : spot.area.at;
      spot.box = { x: left * square + 1.5, y: top * row + 1.5, width: across * square - 3, height: down * row - 3 };
      for (const [name, value] of Object.entries(spot.box)) spot.ground.setAttribute(name, value.toFixed(1));
      write(spot, narrow);
      this.stack(spot);
    }
    this.mark(this.marked);
    this.fall(this.fallen, this.before, true);
  }

  /**
   * Where the areas leave a ring, what fell lies there, and the disc that marks who spins.
   * @param {(string | number)[]} fallen @param {{by: string, title: string} | null} before @param {boolean} [again]
   */
  fall(fallen, before, again = false) {
    const { ring } = this.drawing;
    if (!ring || (!again && fallen.join() === this.fallen.join() && before?.by === this.before?.by)) return;
    this.fallen = fallen;
    this.before = before;
    const [left, top, across, down] = this.isNarrow ? ring.narrow : ring.at;
    const square = this.isNarrow ? NARROW / this.drawing.narrow_size[0] : WIDE / this.drawing.size[0];
    const row = this.isNarrow ? NARROW_ROW : ROW;
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
   * How the table stands now. `ghosts` are moves that the house has not accepted yet.
   * @param {any} told @param {Map<string, string>} [ghosts] what is on its way, by area
   */
  show(told, ghosts = new Map()) {
    /** @type {Map<Spot, Map<string, Standing>>} */
    const standing = new Map();
    for (const wager of /** @type {Standing[]} */ (told.wagers)) {
      const spot = this.byKey.get(keyOf(wager));
      if (!spot) continue;
      const here = standing.get(spot) ?? new Map();
      if (here.size === 0) standing.set(spot, here);
      here.set(wager.player, wager);
    }
    const won = new Set((told.wins ?? []).map(keyOf));
    const closed = new Set(told.closed_areas ?? []);
    for (const spot of this.spots) {
      const here = standing.get(spot);
      this.update(spot, here, ghosts.get(spot.key));
      const isClosed = closed.has(spot.place) && !spot.area.travelled;
      this.look(spot, won.has(spot.key), isClosed);
      this.name(spot, here, won.has(spot.key), isClosed);
    }
    // What won stays marked while bets are made for the next throw, but it no longer shines.
    this.svg.classList.toggle("afresh", Boolean(told.round && !told.round.shut));
    this.mark(told.marker ?? null);
    this.fall(told.results?.at(-1)?.faces ?? [], told.thrower?.by ? told.thrower : null);
  }

  /** @param {Spot} spot @param {Map<string, Standing> | undefined} here @param {string | undefined} ghost */
  update(spot, here, ghost) {
    if (!here && ghost === undefined && spot.chips.size === 0) return;
    const before = spot.chips.size;
    /** @type {number[]} places that chips have left: others keep theirs, and who comes takes one of these */
    const free = [];
    for (const [player, chip] of spot.chips) {
      if (here?.has(player) || (player === GHOST && ghost !== undefined)) continue;
      chip.group.remove();
      spot.chips.delete(player);
      free.push(chip.slot);
    }
    const changed = free.length > 0;
    for (const [player, wager] of here ?? []) {
      this.chipOf(spot, player, free).set(wager.amount, wager.on !== false, false);
    }
    if (ghost !== undefined) this.chipOf(spot, GHOST, free).set(ghost, true, true);
    if (free.length > 0) closeUp(spot);
    if (changed || spot.chips.size !== before) this.stack(spot);
  }

  /** @param {Spot} spot @param {string} player @param {number[]} free @returns {Chip} */
  chipOf(spot, player, free) {
    let chip = spot.chips.get(player);
    if (!chip) {
      chip = new Chip();
      chip.slot = free.pop() ?? spot.chips.size;
      spot.chips.set(player, chip);
      this.chipLayer.append(chip.group);
    }
    return chip;
  }

  /** Where the chips of an area lie: one at its side, many in rows. @param {Spot} spot */
  stack(spot) {
    const { x, y, width, height } = spot.box;
    const count = spot.chips.size;
    if (count === 0) return;
    if (count <= 2) {
      const radius = Math.min(this.isNarrow ? 12 : 14, height / 2 - 3, Math.max(9, width / 7));
      for (const chip of spot.chips.values()) {
        chip.place(x + width - radius - 3 - chip.slot * radius * 1.3, y + height - radius - 3, radius);
      }
      return;
    }
    const columns = Math.max(1, Math.ceil(Math.sqrt((count * width) / height)));
    const rows = Math.ceil(count / columns);
    const radius = Math.max(2, Math.min(12, width / columns / 2, height / rows / 2));
    for (const chip of spot.chips.values()) {
      const column = chip.slot % columns;
      const row = Math.floor(chip.slot / columns);
      chip.place(x + ((column + 0.5) * width) / columns, y + ((row + 0.5) * height) / rows, radius);
    }
  }

  /** @param {Spot} spot @param {boolean} won @param {boolean} closed */
  look(spot, won, closed) {
    const { area } = spot;
    const open = area.optional && area.fixed && !closed; // wagers that can be made at times only: it flashes then
    const marks = [
      area.travelled && "travelled",
      !area.offered && "not-offered",
      won && "won",
      closed && "closed",
      open && "window",
    ];
    const look = ["area", ...marks].filter(Boolean).join(" ");
    if (look === spot.look) return;
    spot.look = look;
    spot.group.setAttribute("class", look);
    spot.words.setAttribute("class", ["words", ...marks].filter(Boolean).join(" "));
  }

  /** What a screen reader says of an area. @param {Spot} spot @param {Map<string, Standing> | undefined} here @param {boolean} won @param {boolean} closed */
  name(spot, here, won, closed) {
    let staked = "";
    if (here) {
      let sum = 0n;
      let off = "";
      for (const wager of here.values()) {
        sum += faceValue(wager.amount).worth;
        if (wager.on === false) off = ", off";
      }
      const by = here.size === 1 ? "" : ` by ${here.size} players`;
      staked = `, ${money(sum)} staked${by}${off}`;
    }
    const label = `${spot.spoken}${won ? ", won on the last throw" : ""}${staked}${closed ? ", closed now" : ""}`;
    if (label === spot.label) return;
    spot.label = label;
    spot.group.setAttribute("aria-label", label);
  }

  /** The puck, or whatever lies on a number. @param {{value: any, area: number | null} | null} marked */
  mark(marked) {
    this.marked = marked;
    const spot = marked?.area === null || marked?.area === undefined ? undefined : this.spots[marked.area];
    this.marker.toggleAttribute("hidden", !spot);
    this.marker.classList.toggle("there", Boolean(spot));
    const [aside, scale] = this.isNarrow ? [10, 0.7] : [17, 1]; // what is written in the area stays readable
    if (spot)
      this.marker.setAttribute("transform", `translate(${spot.box.x + aside} ${spot.box.y + aside}) scale(${scale})`);
  }

  // Hands

  listen() {
    const { svg } = this;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let pressing;
    let pressed = false;
    svg.addEventListener("pointerdown", (event) => {
      const spot = this.spotOf(event.target);
      pressed = false;
      clearTimeout(pressing);
      if (!spot || event.pointerType === "mouse") return;
      pressing = setTimeout(() => {
        pressed = true;
        navigator.vibrate?.(20);
        this.move(spot, "take");
      }, LONG_PRESS);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(end, () => clearTimeout(pressing));
    svg.addEventListener("click", (event) => {
      const spot = this.spotOf(event.target);
      const wasPressed = pressed;
      pressed = false; // a screen reader clicks without pressing first
      if (!spot || wasPressed) return;
      this.enter(spot);
      this.move(spot, "add");
    });
    svg.addEventListener("contextmenu", (event) => {
      const spot = this.spotOf(event.target);
      if (!spot) return;
      event.preventDefault();
      clearTimeout(pressing);
      if (!pressed) this.move(spot, "take");
      pressed = true;
    });
    svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.hands.looked?.(this.spotOf(event.target)?.area ?? null);
    });
    // Not at the drawing itself: where somebody listens for it, browsers let a drawing have the keyboard.
    this.element.addEventListener("focusin", (event) => {
      const spot = this.spotOf(event.target);
      if (spot) this.rove(spot);
      this.hands.looked?.(spot?.area ?? null);
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Spot} spot @param {Move} move */
  move(spot, move) {
    this.hush();
    if (this.hands.moved) this.hands.moved(spot.area, spot.place, move);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const spot = this.spotOf(event.target);
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = KEYS[event.key];
    if (move) this.move(spot, move);
    else if (event.key in ARROWS) this.enter(this.next(spot, event.key));
    else if (event.key === "Home") this.enter(this.spots.find((one) => this.isReached(one)) ?? spot);
    else if (event.key === "End") this.enter(this.spots.filter((one) => this.isReached(one)).at(-1) ?? spot);
    else if (event.key === "Escape" && !this.bubble.hidden) this.hush();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest area in a direction. @param {Spot} from @param {string} key @returns {Spot} */
  next(from, key) {
    const [dx, dy] = ARROWS[key] ?? [0, 0];
    const [x, y] = middle(from);
    let best = from;
    let nearest = Infinity;
    for (const spot of this.spots) {
      if (spot === from || !this.isReached(spot)) continue;
      const [otherX, otherY] = middle(spot);
      const ahead = (otherX - x) * dx + (otherY - y) * dy;
      const { box } = spot;
      const aside = dx ? gap(y, box.y, box.y + box.height) : gap(x, box.x, box.x + box.width);
      if (ahead <= 1) continue;
      const distance = ahead + aside * 3;
      if (distance < nearest) [best, nearest] = [spot, distance];
    }
    return best;
  }

  /** @param {Spot} spot */
  isReached(spot) {
    return spot.area.offered;
  }

  /** Have the keyboard at an area. @param {Spot} spot */
  enter(spot) {
    this.rove(spot);
    spot.group.focus();
  }

  /** Tab comes back to where the keyboard was. @param {Spot} spot */
  rove(spot) {
    this.focused?.group.setAttribute("tabindex", "-1");
    this.focused = spot;
    spot.group.setAttribute("tabindex", "0");
  }

  /** @param {EventTarget | null} target @returns {Spot | undefined} */
  spotOf(target) {
    const group = target instanceof Element ? target.closest("[data-place]") : null;
    return group ? this.spots[Number(group.getAttribute("data-place"))] : undefined;
  }

  /** Say something beside an area, until it is read. @param {number} place @param {...(Node | string)} said */
  say(place, ...said) {
    const spot = this.spots[place];
    if (!spot) return;
    const away = () => {
      this.hush();
      this.enter(spot);
    };
    const close = h("button", { type: "button", class: "quiet close", "aria-label": "Close", onclick: away }, "×");
    this.bubble.replaceChildren(close, ...said);
    this.bubble.hidden = false;
    this.said = place;
    this.lay(spot);
  }

  /** Say more of the same kind where something is said already. @param {number} place @param {...(Node | string)} said */
  sayMore(place, ...said) {
    const spot = this.spots[this.said];
    if (this.bubble.hidden || !spot) this.say(place, ...said);
    else {
      this.bubble.append(...said);
      this.lay(spot);
    }
  }

  /** Have the bubble below an area, or above it where there is no room, and in view. @param {Spot} spot */
  lay(spot) {
    const here = this.element.getBoundingClientRect();
    const there = spot.ground.getBoundingClientRect();
    const width = Math.min(300, here.width - 8);
    const left = Math.max(4, Math.min(there.left - here.left + there.width / 2 - width / 2, here.width - width - 4));
    this.bubble.style.width = `${width}px`;
    this.bubble.style.left = `${left}px`;
    const below = there.bottom - here.top + 8;
    const above = there.top - here.top - this.bubble.offsetHeight - 8;
    this.bubble.style.top = `${here.height - below < this.bubble.offsetHeight && above > 0 ? above : below}px`;
    this.bubble.scrollIntoView({ block: "nearest" });
  }

  /** Take back what was said. */
  hush() {
    this.bubble.hidden = true;
    this.bubble.replaceChildren();
  }
}

const GHOST = "\u0000on its way";
/** @type {Record<string, Move>} */
const KEYS = { Enter: "add", " ": "add", "+": "add", Backspace: "take", Delete: "take", "-": "take" };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** No place stays empty where fewer chips lie than before. @param {Spot} spot */
function closeUp(spot) {
  let slot = 0;
  for (const chip of spot.chips.values()) {
    chip.slot = slot;
    slot += 1;
  }
}

/** @param {Spot} spot @returns {[number, number]} */
function middle(spot) {
  return [spot.box.x + spot.box.width / 2, spot.box.y + spot.box.height / 2];
}

/** How far outside an interval. @param {number} at @param {number} from @param {number} to */
function gap(at, from, to) {
  return at < from ? from - at : at > to ? at - to : 0;
}

/**
 * The disc that lies before whoever spins, with a name.
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

/** Write the label, the note, the odds and little dice on an area. @param {Spot} spot @param {boolean} narrow */
function write(spot, narrow) {
  const { area, box } = spot;
  const { x, y, width, height } = box;
  const [centre, half] = [x + width / 2, y + height / 2];
  const isLow = height < 50;
  const small = isLow ? (narrow ? 10.5 : 12.5) : Math.max(narrow ? 11 : 12.5, Math.min(24, height * 0.16));
  const isWide = width > 150;
  const dice = area.dice.flat();
  const hasDice = dice.length > 0 && dice.length <= 4;
  const label = hasDice && dice.join("") === area.label.replaceAll(" ", "") ? "" : area.label;
  const largest = isLow ? (narrow ? 13 : 15) : Math.max(narrow ? 13 : 18, Math.min(56, height * 0.27));
  const size = Math.max(8, Math.min(largest, (width - 8) / (area.label.length * 0.76)));
  const words = /** @type {SVGElement[]} */ ([]);
  /** @param {string} text @param {number} atX @param {number} atY @param {string} kind @param {number} font */
  const put = (text, atX, atY, kind, font) => {
    if (!text) return;
    const made = s("text", { x: atX.toFixed(1), y: atY.toFixed(1), class: kind }, text);
    made.style.fontSize = `${font.toFixed(1)}px`;
    words.push(made);
  };
  /** @param {number} atY their middle @param {number} most */
  const roll = (atY, most) => {
    const die = Math.min(most, (width - 8) / dice.length - 2);
    dice.forEach((value, place) => {
      const made = face(value);
      const left = centre - (dice.length * (die + 3) - 3) / 2 + place * (die + 3);
      made.setAttribute(
        "transform",
        `translate(${left.toFixed(1)} ${(atY - die / 2).toFixed(1)}) scale(${(die / 24).toFixed(3)})`,
      );
      words.push(made);
    });
  };
  if (isLow && isWide) {
    if (hasDice && !label) roll(half, height * 0.55);
    const note = area.note && width > 260 ? `  ${area.note}` : "";
    put(label && label + note, centre, half + size * 0.35, "label", size);
    put(area.pays, x + 6, half + 4, "odds start", small);
  } else if (hasDice) {
    roll(y + height * (label ? 0.3 : isLow ? 0.36 : 0.42), Math.min(44, height * (label ? 0.34 : 0.42)));
    put(label, centre, y + height * 0.7, "label", Math.min(size, isLow ? 9 : 40));
    put(printed(area, width, small), centre, y + height - 5, "odds", small);
  } else if (isLow) {
    put(label, centre, half - 1, "label", Math.min(size, 14));
    put(area.pays, centre, y + height - 6, "odds", small);
  } else {
    const lift = area.note ? (height < 70 ? 8 : 4) : -2;
    put(label, centre, half - lift, "label", size);
    if (area.note.length * small * 0.5 < width) put(area.note, centre, half + small + 6 - lift, "note", small);
    put(printed(area, width, small), centre, y + height - 6, "odds", small);
  }
  // Where neither words nor chips lie
  const [starX, starY] = isLow && isWide ? [x + width - 46, half + 5] : [x + 4, y + (narrow ? 9.5 : 14)];
  spot.star.setAttribute("x", starX.toFixed(1));
  spot.star.setAttribute("y", starY.toFixed(1));
  spot.star.style.fontSize = `${narrow ? 9 : 13}px`;
  spot.words.replaceChildren(...words, spot.star);
}

/** What an area pays, as fully as there is room for beside a chip. @param {Area} area @param {number} width @param {number} font */
function printed(area, width, font) {
  const { pays } = area;
  const words = pays.endsWith("+") ? area.terms : pays.replace(":", " to ");
  return words.length * font * 0.55 < width - 70 ? words : pays;
}
