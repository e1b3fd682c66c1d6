// Betting by hand on the felt: chip by chip or all at once, and why a bet cannot be made.

import { h, ruleLink } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { cents, money } from "../shared/words.js";

/** @import { Area } from "../felt/area.js" */
/** @import { Bubble } from "../felt/bubble.js" */
/** @import { BetQueue } from "./bet-queue.js" */
/** @import { Action, Rack } from "./rack.js" */
/** @import { Seat } from "./seat.js" */
/** @import { Stakes } from "./stakes.js" */

export class Betting {
  /** @param {{stakes: Stakes, rack: Rack, queue: BetQueue, seat: Seat, bubble: Bubble}} parts */
  constructor({ stakes, rack, queue, seat, bubble }) {
    this.stakes = stakes;
    this.rack = rack;
    this.queue = queue;
    this.seat = seat;
    this.bubble = bubble;
  }

  /** @param {Area} area @param {number} place @param {"add" | "take"} move */
  moved(area, place, move) {
    const { me, reply } = this.stakes;
    if (reply?.open === false) {
      this.bubble.say(place, h("p", "This table is closed."));
      return;
    }
    if (!me || !reply?.seated) {
      this.bubble.say(
        place,
        h("p", me ? "Sit down first to get your chips." : "Sign in first, or play as a guest."),
        button("Go to your seat", () => this.seat.enter(), "primary"),
      );
      return;
    }
    if (move === "take" || this.rack.isTaking) this.take(area, place);
    else if (area.travelled) this.bubble.say(place, this.howItComes(area));
    else this.bet(area);
  }

  /** Wagers travel to such an area; they are not made there. @param {Area} area */
  howItComes(area) {
    const start = this.stakes.areaOf({ wager: area.wager, pick: null })?.name ?? area.name;
    return h(
      "p",
      `Wagers move to ${area.name} by themselves. Bet on ${start}. `,
      ruleLink(this.stakes.drawing.book, area.clause),
    );
  }

  /** @param {Area} area */
  bet(area) {
    const amount = area.fixed ? area.least : money(this.stepFor(area));
    const { colour } = this.rack;
    this.queue.make([{ do: "bet", wager: area.wager, pick: area.pick, amount, ...(colour && { checks: colour }) }]);
  }

  /** What a chip adds here: at least the unit of the wager. @param {Area} area */
  stepFor(area) {
    const least = cents(area.least);
    const { worth } = this.rack;
    const stake = worth % least === 0n ? worth : (worth / least + 1n) * least;
    const minimum = area.min && !this.stakes.on(area) ? cents(area.min) : 0n;
    return stake < minimum ? minimum : stake;
  }

  /** @param {Area} area @param {number} place */
  take(area, place) {
    const own = this.stakes.on(area);
    if (!own) {
      this.bubble.say(place, h("p", `You have no wager on ${area.name}.`));
      return;
    }
    const stands = cents(own.amount);
    const step = this.stepFor(area);
    const left = stands - step;
    const amount = left <= 0n || (area.min && left < cents(area.min)) ? stands : step;
    this.queue.make([{ do: "take", wager: area.wager, pick: area.pick, amount: money(amount) }]);
  }

  /** @param {Action} action */
  action(action) {
    this.bubble.hush();
    if (action === "undo") this.queue.undo();
    else this.queue.make(this.lines(action));
  }

  /** @param {Exclude<Action, "undo">} action */
  lines(action) {
    const { stakes } = this;
    return {
      clear: () => stakes.clear(),
      double: () => stakes.double(),
      rebet: () => stakes.rebet(),
      on: () => stakes.calls(true),
      off: () => stakes.calls(false),
    }[action]();
  }

  /** Show in the rack what can be done now. */
  show() {
    const { me, reply } = this.stakes;
    if (!reply) return;
    const can = reply.seated && reply.open;
    const hasAny = this.stakes.all.length > 0;
    this.rack.element.hidden = !reply.seated || !me;
    this.rack.hold(reply.own_checks ?? []);
    this.rack.allow({
      undo: can && this.queue.canUndo,
      clear: can && hasAny,
      double: can && hasAny,
      rebet: can && this.lines("rebet").length > 0,
      on: can && this.lines("on").length > 0,
      off: can && this.lines("off").length > 0,
    });
  }
}
