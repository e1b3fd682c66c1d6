// Input on the felt: a click adds a chip, a right click or long press takes one, arrow keys move between areas.

/** @import { Area, Pick } from "./area.js" */
/** @import { Bubble } from "./bubble.js" */
/** @import { Spot } from "./spot.js" */
/** @typedef {"add" | "take"} Move */
/**
 * What input does; without `moved` the felt is only watched. `listed` asks for a list of what can be bet on a number.
 * @typedef {object} Acting
 * @property {(area: Area, place: number, move: Move) => void} [moved]
 * @property {(area: Area | null) => void} [looked]
 * @property {(place: number) => void} [listed]
 */
/** @typedef {Acting & {near: (number: Pick, by: "hand" | "keys") => void}} Given `near`: what is in this number's box */

const LONG_PRESS = 450;
/** @type {Record<string, Move>} */
const KEYS = { Enter: "add", " ": "add", "+": "add", Backspace: "take", Delete: "take", "-": "take" };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Input {
  /** @param {Spot[]} spots @param {Bubble} bubble @param {Given} acting */
  constructor(spots, bubble, acting) {
    this.spots = spots;
    this.bubble = bubble;
    this.acting = acting;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pressing = undefined;
    this.pressed = false;
    this.isByHand = false; // whether a press was the last thing that was done
    /** @type {Spot | undefined} */
    this.focused = undefined;
    this.keepStop();
  }

  /** The areas that the keyboard reaches, as they are drawn. @returns {Spot[]} */
  reached() {
    const drawn = this.spots.filter(isReached);
    return drawn.sort((one, other) =>
      one.group.compareDocumentPosition(other.group) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
  }

  /** Keep one area, which is there, that Tab stops at. */
  keepStop() {
    if (this.focused && isReached(this.focused)) return;
    const first = this.reached()[0] ?? this.spots[0];
    if (first) this.rove(first);
  }

  /** @param {SVGSVGElement} svg @param {HTMLElement} box what the drawing is in */
  listen(svg, box) {
    svg.addEventListener("pointerdown", (event) => this.press(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(end, () => clearTimeout(this.pressing));
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("contextmenu", (event) => this.clickRight(event));
    svg.addEventListener("pointerover", (event) => {
      const spot = this.spotOf(event.target);
      this.approach(spot, "hand");
      if (event.pointerType === "mouse") this.acting.looked?.(spot?.area ?? null);
    });
    svg.addEventListener("pointerleave", () => this.approach(undefined, "hand"));
    // On the box: a listener on the SVG itself would make browsers focus it.
    box.addEventListener("focusin", (event) => {
      const spot = this.spotOf(event.target);
      if (spot) this.rove(spot);
      // A click leaves the focus behind: what the hand opened closes once it is elsewhere.
      this.approach(this.isByHand ? undefined : spot, "keys");
      this.acting.looked?.(spot?.area ?? null);
    });
    document.addEventListener("keydown", () => (this.isByHand = false), { capture: true });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show what can be bet on the number of an area, where betting is possible. @param {Spot | undefined} spot @param {"hand" | "keys"} by */
  approach(spot, by) {
    if (this.acting.moved) this.acting.near(spot?.drawn?.number ?? null, by);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const spot = this.spotOf(event.target);
    this.pressed = false;
    this.isByHand = true;
    clearTimeout(this.pressing);
    if (!spot || event.pointerType === "mouse") return;
    this.pressing = setTimeout(() => {
      this.pressed = true;
      navigator.vibrate?.(20);
      this.move(spot, "take");
    }, LONG_PRESS);
  }

  /** The finger draws chips: it presses nothing. */
  rest() {
    clearTimeout(this.pressing);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const spot = this.spotOf(event.target);
    const wasPressed = this.pressed;
    this.pressed = false; // a screen reader clicks without pressing first
    if (!spot || wasPressed) return;
    this.enter(spot);
    this.move(spot, "add");
  }

  /** @param {MouseEvent} event */
  clickRight(event) {
    const spot = this.spotOf(event.target);
    if (!spot) return;
    event.preventDefault();
    clearTimeout(this.pressing);
    if (!this.pressed) this.move(spot, "take");
    this.pressed = true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const spot = this.spotOf(event.target);
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = KEYS[event.key];
    if (move) this.move(spot, move);
    else if (event.key in ARROWS) this.enter(this.next(spot, event.key));
    else if (event.key === "Home") this.enter(this.reached()[0] ?? spot);
    else if (event.key === "End") this.enter(this.reached().at(-1) ?? spot);
    else if (event.key.toLowerCase() === "m" && this.acting.listed && spot.drawn?.number)
      this.acting.listed(spot.place);
    else if (event.key === "Escape" && this.bubble.isOpen) this.bubble.hush();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Spot} spot @param {Move} move */
  move(spot, move) {
    this.bubble.hush();
    this.acting.moved?.(spot.area, spot.place, move);
  }

  /** The nearest area in a direction. @param {Spot} from @param {string} key @returns {Spot} */
  next(from, key) {
    const [dx, dy] = ARROWS[key] ?? [0, 0];
    const [x, y] = middle(from);
    let best = from;
    let nearest = Infinity;
    for (const spot of this.spots) {
      if (spot === from || !isReached(spot)) continue;
      const [otherX, otherY] = middle(spot);
      const ahead = (otherX - x) * dx + (otherY - y) * dy;
      const box = spot.bounds;
      const aside = dx ? gap(y, box.y, box.y + box.height) : gap(x, box.x, box.x + box.width);
      if (ahead <= 1) continue;
      const off = Math.abs(dx ? otherY - y : otherX - x);
      const distance = ahead + aside * 3 + off * 0.3; // a large area may be beside, and yet its chips far off
      if (distance < nearest) [best, nearest] = [spot, distance];
    }
    return best;
  }

  /** Focus an area. @param {Spot} spot */
  enter(spot) {
    this.rove(spot);
    spot.group.focus();
  }

  /** Focus the area that Tab would come to. */
  enterFirst() {
    const spot = this.focused ?? this.reached()[0];
    if (spot) this.enter(spot);
  }

  /** Let Tab return to this area. @param {Spot} spot */
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
}

/** @param {Spot} spot */
function isReached(spot) {
  return spot.area.offered && spot.isThere;
}

/** @param {Spot} spot @returns {[number, number]} */
function middle(spot) {
  const [x = 0, y = 0] = spot.drawn?.chip ?? [];
  const { bounds } = spot;
  return spot.drawn?.box ? [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2] : [x, y];
}

/** The distance from an interval. @param {number} at @param {number} from @param {number} to */
function gap(at, from, to) {
  return at < from ? from - at : at > to ? at - to : 0;
}
