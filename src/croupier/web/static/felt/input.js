// Input on the felt: a click adds a chip, a right click or long press takes one, arrow keys move between areas.

/** @import { Area } from "./area.js" */
/** @import { Bubble } from "./bubble.js" */
/** @import { Spot } from "./spot.js" */
/** @typedef {"add" | "take"} Move */
/**
 * What input does; without `moved` the felt is only watched.
 * @typedef {{moved?: (area: Area, place: number, move: Move) => void, looked?: (area: Area | null) => void}} Acting
 */

const LONG_PRESS = 450;
/** @type {Record<string, Move>} */
const KEYS = { Enter: "add", " ": "add", "+": "add", Backspace: "take", Delete: "take", "-": "take" };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Input {
  /** @param {Spot[]} spots @param {Bubble} bubble @param {Acting} acting */
  constructor(spots, bubble, acting) {
    this.spots = spots;
    this.bubble = bubble;
    this.acting = acting;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pressing = undefined;
    this.pressed = false;
    this.focused = spots.find(isReached) ?? spots[0];
    this.focused?.group.setAttribute("tabindex", "0");
  }

  /** @param {SVGSVGElement} svg @param {HTMLElement} box what the drawing is in */
  listen(svg, box) {
    svg.addEventListener("pointerdown", (event) => this.press(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(end, () => clearTimeout(this.pressing));
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("contextmenu", (event) => this.clickRight(event));
    svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.acting.looked?.(this.spotOf(event.target)?.area ?? null);
    });
    // On the box: a listener on the SVG itself would make browsers focus it.
    box.addEventListener("focusin", (event) => {
      const spot = this.spotOf(event.target);
      if (spot) this.rove(spot);
      this.acting.looked?.(spot?.area ?? null);
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {PointerEvent} event */
  press(event) {
    const spot = this.spotOf(event.target);
    this.pressed = false;
    clearTimeout(this.pressing);
    if (!spot || event.pointerType === "mouse") return;
    this.pressing = setTimeout(() => {
      this.pressed = true;
      navigator.vibrate?.(20);
      this.move(spot, "take");
    }, LONG_PRESS);
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
    else if (event.key === "Home") this.enter(this.spots.find(isReached) ?? spot);
    else if (event.key === "End") this.enter(this.spots.filter(isReached).at(-1) ?? spot);
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
      const { box } = spot;
      const aside = dx ? gap(y, box.y, box.y + box.height) : gap(x, box.x, box.x + box.width);
      if (ahead <= 1) continue;
      const distance = ahead + aside * 3;
      if (distance < nearest) [best, nearest] = [spot, distance];
    }
    return best;
  }

  /** Focus an area. @param {Spot} spot */
  enter(spot) {
    this.rove(spot);
    spot.group.focus();
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
  return spot.area.offered;
}

/** @param {Spot} spot @returns {[number, number]} */
function middle(spot) {
  return [spot.box.x + spot.box.width / 2, spot.box.y + spot.box.height / 2];
}

/** The distance from an interval. @param {number} at @param {number} from @param {number} to */
function gap(at, from, to) {
  return at < from ? from - at : at > to ? at - to : 0;
}
