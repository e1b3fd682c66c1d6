// The bar above the felt: whether bets are open and how long, the last throw, the puck and lights, the connection.

import { correctedWords } from "../results/corrections.js";
import { faces } from "../results/faces.js";
import { named, t } from "../shared/catalogue.js";
import { announce, fill, fillEach, h, ruleLink } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { setClock } from "../shared/times.js";
import { capital } from "../shared/words.js";
import { signWords } from "./signs.js";
import { soundSwitch } from "./sound-switch.js";

/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Line } from "../shared/live.js" */

export class Status {
  /** @param {HTMLElement | null} [seal] of the dice */
  constructor(seal = null) {
    this.seal = seal;
    this.state = h("strong.bets");
    this.clock = h("span.clock", { "aria-hidden": "true" });
    this.bar = h("div.time", { "aria-hidden": "true" }, h("i"));
    this.result = h("div.result");
    this.corrected = h("p.corrected", { hidden: true });
    this.change = h("p.corrected-change", { hidden: true });
    this.lamps = h("div.lamps");
    this.signs = h("ul.signs", { "aria-label": t("Upcoming changes"), hidden: true });
    this.line = h("p.line", { role: "status", hidden: true });
    this.element = h(
      "section.status",
      { "aria-label": t("The round") },
      h("div.betting", this.state, this.clock, soundSwitch(), this.bar),
      this.result,
      this.lamps,
      h("div.corrections", this.corrected, this.change),
      this.signs,
      this.line,
    );
    /** @type {FeltReply | null} */
    this.reply = null;
    this.skew = 0;
    this.fell = "";
    this.length = 20;
    setInterval(() => this.tick(), 250);
  }

  /** @param {FeltReply} reply @param {Drawing} drawing @param {string | null} person */
  show(reply, drawing, person) {
    this.reply = reply;
    this.skew = Date.parse(reply.now) - Date.now();
    this.length = drawing.rhythm?.open ?? 20;
    this.tick();
    const last = reply.results?.at(-1);
    const fell = last ? JSON.stringify(reply.results) : "none";
    if (fell !== this.fell) {
      fill(
        this.result,
        last ? result(last, drawing.book, this.fell !== "") : h("span.soft", t("No throws yet.")),
        this.seal,
      );
      this.fell = fell;
    }
    say(this.corrected, correctedWords(last));
    fill(this.lamps, (reply.lamps ?? []).map(lamp), thrower(reply, person));
    this.posted(reply);
  }

  /** Signs that announce a higher minimum or the closing. @param {FeltReply} reply */
  posted(reply) {
    setClock(reply.now);
    const words = (reply.signs ?? []).map((/** @type {import("./signs.js").Sign} */ sign) =>
      signWords(sign, reply.zone),
    );
    if (words.join() === Array.from(this.signs.children, (one) => one.textContent).join()) return;
    for (const sign of words) announce(t("New sign: {sign}", { sign }));
    fillEach(this.signs, words, (/** @type {string} */ sign) => h("li", sign));
    this.signs.hidden = words.length === 0;
  }

  /** Show what a correction changed for the player, until the next throw. @param {string} words */
  correct(words) {
    say(this.change, words);
  }

  /** The dice or coins are out: the last result makes room for the next. @param {string} words */
  wait(words) {
    fill(this.result, h("span.soft", words));
    this.result.classList.add("staged"); // what falls next is seen on the felt
  }

  /** @param {Line} line */
  heard(line) {
    const isLost = line === "lost";
    if (isLost !== this.element.classList.contains("lost") && line !== "connecting")
      announce(isLost ? t("Connection lost.") : t("Connected again."), isLost);
    this.element.classList.toggle("lost", isLost);
    this.line.hidden = line !== "lost";
    fill(
      this.line,
      line === "lost" ? t("Connection lost. Reconnecting … Bets that the house has accepted stand.") : "",
    );
  }

  tick() {
    const reply = this.reply;
    if (!reply) return;
    const [words, left] = betting(reply, Date.now() + this.skew);
    setWords(this.state, words);
    const clock = left === null ? "" : t("{seconds} s", { seconds: Math.max(0, Math.ceil(left)) });
    setWords(this.clock, clock);
    const share = left === null ? 0 : Math.max(0, Math.min(1, left / this.length));
    const inner = /** @type {HTMLElement} */ (this.bar.firstElementChild);
    inner.style.transform = `scaleX(${share.toFixed(3)})`;
    this.bar.hidden = !reply.by_itself;
    this.bar.classList.toggle("soon", left !== null && left < 6);
    this.element.dataset.bets = words === t("No more bets") || !reply.open ? "closed" : "open";
  }
}

/** @param {HTMLElement} element @param {string} words */
function say(element, words) {
  setWords(element, words);
  element.hidden = words === "";
}

/** At a table with a dealer. @type {Record<string, string>} */
const BETTING = {
  open: t("Bets are open"),
  late: t("Late bets only; the dealer must confirm them"),
  closed: t("No more bets"),
};

/** Whether bets are open, in words, and for how many seconds. @param {FeltReply} reply @param {number} now @returns {[string, number | null]} */
export function betting(reply, now) {
  if (!reply.open) return [t("The table is closed"), null];
  if (!reply.by_itself) {
    const isCalled = reply.betting === "open" && reply.bets === undefined; // no call closes them
    const words = isCalled ? t("Bets are open until the throw") : (BETTING[reply.betting] ?? "");
    return [reply.attended === false ? t("{words}; waiting for a dealer", { words }) : words, null];
  }
  const round = reply.round;
  if (round === null) return [reply.players === 0 ? t("Sit down to begin") : t("Next round in a moment"), null];
  if (round.shut) return [t("No more bets"), null];
  if (round.brief) return [t("Bets stand until a result is known"), null];
  if (round.waiting) return [t("Place your bets"), null];
  const left = (Date.parse(round.closes) - now) / 1000;
  return [round.last_call ? t("Last bets") : t("Bets are open"), left];
}

/** @param {import("../results/roads.js").Result} last @param {string} book @param {boolean} isNew */
function result(last, book, isNew) {
  if (last.faces.length === 0 || last.void) {
    return [
      last.faces.length > 0 && faces(last.faces, { size: 40 }),
      h("span", last.call ?? t("Does not count")),
      " ",
      ruleLink(book, last.void),
    ];
  }
  return [faces(last.faces, { size: 44, thrown: isNew }), h("span.called", last.call ?? "")];
}

/** @param {{name: string, words: string, lit: number, of: number, colour: string}} one */
export function lamp(one) {
  const [name, words] = [named(one.name), named(one.words)];
  if (one.of === 0) return h("span.lamp", h("span.soft", name), " ", h("strong", words));
  const lights = Array.from({ length: one.of }, (_, place) =>
    h("i", { class: `light ${one.colour} ${place < one.lit ? "lit" : ""}` }),
  );
  return h(
    "span.lamp",
    {
      role: "img",
      "aria-label": t("{lamp}: {lit} of {of}", {
        lamp: words ? `${name} ${words}` : name,
        lit: one.lit,
        of: one.of,
      }),
    },
    h("span.soft", name, words ? ` ${words}` : ""),
    " ",
    lights,
    h("small", ` ${one.lit}/${one.of}`),
  );
}

/** Who has the dice or coins. @param {FeltReply} reply @param {string | null} person */
function thrower(reply, person) {
  if (!reply.thrower?.title || reply.by_itself) return null;
  const { by, title } = reply.thrower;
  const who = by === null ? t("the house") : by === person ? t("you") : by;
  return h("span.lamp", h("span.soft", capital(named(title))), " ", h("strong", who));
}
