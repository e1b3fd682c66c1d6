// Betting by hand on the felt: chip by chip or all at once, and why a bet cannot be made.

import { keyOf } from "../felt/area.js";
import { named, t } from "../shared/catalogue.js";
import { h, ruleLink } from "../shared/dom.js";
import { button } from "../shared/parts.js";
import { cents, money, spaced } from "../shared/words.js";
import { price } from "./funds.js";
import { tooLittle } from "./why-not.js";

/** @import { Area } from "../felt/area.js" */
/** @import { Bubble } from "../felt/bubble.js" */
/** @import { BetQueue, Line } from "./bet-queue.js" */
/** @import { Funds } from "./funds.js" */
/** @import { Action, Rack } from "./rack.js" */
/** @import { Seat } from "./seat.js" */
/** @import { Stakes } from "./stakes.js" */

export class Betting {
  /** @param {{stakes: Stakes, funds: Funds, rack: Rack, queue: BetQueue, seat: Seat, bubble: Bubble}} parts */
  constructor({ stakes, funds, rack, queue, seat, bubble }) {
    this.stakes = stakes;
    this.funds = funds;
    this.rack = rack;
    this.queue = queue;
    this.seat = seat;
    this.bubble = bubble;
  }

  /** @param {Area} area @param {number} place @param {"add" | "take"} move */
  moved(area, place, move) {
    if (!this.isPlaying(place)) return;
    if (move === "take" || this.rack.isTaking) this.take(area, place);
    else this.dropped(area, place);
  }

  /** Whether the player can bet at all; if not, it is said. @param {number} place */
  isPlaying(place) {
    const { me, reply } = this.stakes;
    if (reply?.open === false) this.bubble.say(place, h("p", t("This table is closed.")));
    else if (me && reply?.seated) return true;
    else
      this.bubble.say(
        place,
        h("p", me ? t("Sit down first to get your chips.") : t("Sign in first, or play as a guest.")),
        button(t("Go to your seat"), () => this.seat.enter(), "primary"),
      );
    return false;
  }

  /** A chip was drawn onto an area. @param {Area} area @param {number} place */
  dropped(area, place) {
    if (!this.isPlaying(place)) return;
    if (area.travelled) this.bubble.say(place, this.howItComes(area));
    else this.bet(area, place);
  }

  /** Wagers travel to such an area; they are not made there. @param {Area} area */
  howItComes(area) {
    const start = named(this.stakes.areaOf({ wager: area.wager, pick: null })?.name ?? area.name);
    const words = t("Bets move to {name} by themselves. Bet on {start}.", { name: named(area.name), start });
    return h("p", words, " ", ruleLink(this.stakes.drawing.book, area.clause));
  }

  /** @param {Area} area @param {number} place */
  bet(area, place) {
    const { funds } = this;
    const { colour } = this.rack;
    let step = this.stepFor(area);
    if (!colour && funds.takes(area, step) > funds.inHand) {
      const rest = area.fixed ? 0n : funds.rest(area);
      if (rest < this.leastFor(area)) {
        this.say(place, tooLittle(spaced(money(funds.inHand)), spaced(money(funds.takes(area, this.leastFor(area))))));
        return;
      }
      step = rest;
      this.say(
        place,
        t("All in: your last {amount} go on {name}.", { amount: spaced(money(rest)), name: named(area.name) }),
      );
    }
    this.queue.make([this.line(area, step)]);
  }

  /** @param {number} place @param {string} words */
  say(place, words) {
    this.bubble.say(place, h("p", words));
  }

  /** @param {Area} area @param {bigint} amount @returns {Line} */
  line(area, amount) {
    const { colour } = this.rack;
    const checks = colour ? { checks: colour } : {};
    return { do: "bet", wager: area.wager, pick: area.pick, amount: money(amount), ...checks };
  }

  /** What a chip adds here: at least the unit of the wager, and its minimum. @param {Area} area */
  stepFor(area) {
    const unit = cents(area.least);
    const { worth } = this.rack;
    if (area.fixed) return unit;
    const stake = worth % unit === 0n ? worth : (worth / unit + 1n) * unit;
    const least = this.leastFor(area);
    return stake < least ? least : stake;
  }

  /** The least that can be added: chips on their way count. @param {Area} area */
  leastFor(area) {
    const unit = cents(area.least);
    const missing = (area.min ? cents(area.min) : 0n) - this.funds.on(area);
    return missing <= unit ? unit : ((missing + unit - 1n) / unit) * unit;
  }

  /** What the chosen chip adds to an area, and what that takes. @param {Area} area */
  step(area) {
    const { me, reply } = this.stakes;
    if (!me || !reply?.seated || area.travelled) return null;
    const adds = this.stepFor(area);
    return { chip: this.rack.worth, adds, takes: this.funds.takes(area, adds) };
  }

  /** What a refusal of a line is about. @param {Line} line */
  about(line) {
    const area = this.stakes.areaOf(line);
    if (!area) return { name: line.wager };
    const flat = area.behind && this.stakes.areaOf({ wager: area.behind, pick: area.pick });
    const takes = line.do === "bet" ? money(price(area, this.funds.standing(area), cents(line.amount ?? "0.00"))) : "";
    const { me, reply } = this.stakes;
    const left = (me && reply?.chips[me.person]) ?? "0.00";
    return {
      name: named(area.name),
      ...(flat && { flat: named(flat.name) }),
      ...(takes && { takes: spaced(takes), left: spaced(left) }),
    };
  }

  /** @param {Area} area @param {number} place */
  take(area, place) {
    const stands = this.funds.on(area);
    if (stands <= 0n) {
      this.say(place, t("You have no bet on {name}.", { name: named(area.name) }));
      return;
    }
    const step = this.stepFor(area);
    const left = stands - step;
    const amount = left <= 0n || (area.min && left < cents(area.min)) ? stands : step;
    this.queue.make([{ do: "take", wager: area.wager, pick: area.pick, amount: money(amount) }]);
  }

  /** Move a whole stake to another area, as one action; without another one, take it off. @param {Area} from @param {Area | null} to @param {number} place */
  shift(from, to, place) {
    const stands = this.funds.standing(from);
    if (stands === 0n || (to && keyOf(to) === keyOf(from))) return;
    /** @type {Line} */
    const off = { do: "take", wager: from.wager, pick: from.pick, amount: money(stands) };
    if (!to) this.queue.make([off]);
    else if (to.travelled) this.bubble.say(place, this.howItComes(to));
    else
      this.queue.make([off, { do: "bet", wager: to.wager, pick: to.pick, amount: money(stands) }], { isWhole: true });
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
    const { all } = this.funds; // chips on their way count
    return {
      clear: () => stakes.clear(all),
      double: () => stakes.double(all),
      rebet: () => stakes.rebet(all),
      on: () => stakes.calls(true),
      off: () => stakes.calls(false),
    }[action]();
  }

  /** Show in the rack what can be done now. */
  show() {
    const { me, reply } = this.stakes;
    if (!reply) return;
    const can = reply.seated && reply.open;
    const hasAny = this.funds.all.length > 0;
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
