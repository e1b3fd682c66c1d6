// Auto-rebet: once bets open after a throw, what stood before it is bet again, until that is refused or there is too little.

import { t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { cents, money } from "../shared/words.js";
import { tooLittle } from "./why-not.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { BetQueue, Step } from "./bet-queue.js" */
/** @import { Funds } from "./funds.js" */
/** @import { Stakes } from "./stakes.js" */

export class AutoRebet {
  /** @param {{stakes: Stakes, funds: Funds, queue: BetQueue, say: (words: string) => void, turned: (isOn: boolean) => void}} parts */
  constructor({ stakes, funds, queue, say, turned }) {
    this.stakes = stakes;
    this.funds = funds;
    this.queue = queue;
    this.say = say;
    this.turned = turned;
    this.isOn = false; // never from the beginning: nothing is bet because a page was opened again
    /** @type {number | null} the version of the table with the throw after which it is due */
    this.due = null;
    /** @type {Step | null} what was bet last */
    this.step = null;
    /** @type {HTMLElement[]} */
    this.switches = [];
  }

  /** A switch; there may be several. @param {string} [words] */
  newSwitch(words = t("Auto-rebet")) {
    const one = h(
      "button.auto-rebet",
      {
        type: "button",
        role: "switch",
        "aria-checked": String(this.isOn),
        "aria-label": t("Auto-rebet"),
        title: t("Bet the same again after each throw"),
        onclick: () => this.turn(!this.isOn),
      },
      words,
    );
    this.switches = [...this.switches.filter((other) => other.isConnected), one];
    return one;
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.due = null;
    for (const one of this.switches) one.setAttribute("aria-checked", String(isOn));
    this.turned(isOn);
  }

  /** The dice were thrown while these wagers stood. @param {number} version */
  thrown(version) {
    if (this.isOn && this.stakes.all.length > 0) this.due = version;
  }

  /** @param {FeltReply} reply */
  show(reply) {
    if (this.due === null || reply.version < this.due || !areBetsOpen(reply)) return;
    this.due = null;
    const lines = this.stakes.rebet(this.funds.all);
    const takes = lines.reduce((sum, line) => {
      const area = this.stakes.areaOf(line);
      return area ? sum + this.funds.takes(area, cents(line.amount ?? "0.00")) : sum;
    }, 0n);
    const { inHand } = this.funds;
    if (takes > inHand) this.stop(tooLittle(money(inHand), money(takes)));
    else this.step = this.queue.make(lines);
  }

  /** @param {Step} step that was refused, or a part of it */
  refused(step) {
    if (step === this.step && this.isOn) this.stop("");
  }

  /** @param {string} why */
  stop(why) {
    this.turn(false);
    this.say(why ? t("Auto-rebet has stopped. {why}", { why }) : t("Auto-rebet has stopped: a bet was refused."));
  }
}

/** @param {FeltReply} reply */
function areBetsOpen({ by_itself, round, betting, open, seated }) {
  if (!open || !seated) return false;
  return by_itself ? round !== null && !round.shut && !round.brief : betting === "open";
}
