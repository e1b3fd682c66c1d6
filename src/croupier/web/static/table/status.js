// The bar above the felt: whether bets are open and how long, what fell, the puck and the lights, whether we are heard.

import { checkLink } from "../results/check-links.js";
import { correctedWords } from "../results/corrections.js";
import { faces } from "../results/faces.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { setWords } from "../shared/parts.js";
import { setClock } from "../shared/times.js";
import { capital } from "../shared/words.js";
import { signWords } from "./signs.js";

/** @typedef {import("../shared/live.js").Line} Line */

export class Status {
  constructor() {
    this.state = h("strong.bets");
    this.clock = h("span.clock", { "aria-hidden": "true" });
    this.bar = h("div.time", { "aria-hidden": "true" }, h("i"));
    this.result = h("div.result");
    this.corrected = h("p.corrected", { hidden: true });
    this.change = h("p.corrected-change", { hidden: true });
    this.lamps = h("div.lamps");
    this.signs = h("ul.signs", { "aria-label": "Upcoming changes", hidden: true });
    this.line = h("p.line", { role: "status", hidden: true });
    this.element = h(
      "section.status.card",
      { "aria-label": "The round" },
      h("div.betting", this.state, this.clock, this.bar),
      this.result,
      this.lamps,
      h("div.corrections", this.corrected, this.change),
      this.signs,
      this.line,
    );
    /** @type {any} */
    this.told = null;
    this.skew = 0;
    this.fell = "";
    this.length = 20;
    setInterval(() => this.tick(), 250);
  }

  /** @param {any} told @param {any} drawing @param {string | null} person */
  show(told, drawing, person) {
    this.told = told;
    this.skew = Date.parse(told.now) - Date.now();
    this.length = drawing.rhythm?.open ?? 20;
    this.tick();
    const last = told.results?.at(-1);
    const fell = last ? JSON.stringify(told.results) : "none";
    if (fell !== this.fell) {
      fill(
        this.result,
        last
          ? [
              result(last, drawing.book, this.fell !== ""),
              checkLink(drawing.table, last, "Check", h("span", " this throw")),
            ]
          : h("span.soft", "No throws yet."),
      );
      this.fell = fell;
    }
    say(this.corrected, correctedWords(last));
    fill(this.lamps, (told.lamps ?? []).map(lamp), thrower(told, person));
    this.posted(told);
  }

  /** A higher minimum or the closing, announced by a sign: who sits here must be able to read it. @param {any} told */
  posted(told) {
    setClock(told.now);
    const words = (told.signs ?? []).map((/** @type {import("./signs.js").Sign} */ sign) => signWords(sign, told.zone));
    if (words.join() === Array.from(this.signs.children, (one) => one.textContent).join()) return;
    for (const sign of words) announce(`New sign: ${sign}`);
    fill(
      this.signs,
      words.map((/** @type {string} */ sign) => h("li", sign)),
    );
    this.signs.hidden = words.length === 0;
  }

  /** What a correction made of one's own chips stays until the next throw. @param {string} words */
  correct(words) {
    say(this.change, words);
  }

  /** @param {Line} line */
  heard(line) {
    const isLost = line === "lost";
    if (isLost !== this.element.classList.contains("lost") && line !== "connecting")
      announce(isLost ? "Connection lost." : "Connected again.", isLost);
    this.element.classList.toggle("lost", isLost);
    this.line.hidden = line !== "lost";
    fill(this.line, line === "lost" ? "Connection lost. Reconnecting … Bets that the house has accepted stand." : "");
  }

  tick() {
    const told = this.told;
    if (!told) return;
    const [words, left] = betting(told, Date.now() + this.skew);
    setWords(this.state, words);
    const clock = left === null ? "" : `${Math.max(0, Math.ceil(left))} s`;
    setWords(this.clock, clock);
    const share = left === null ? 0 : Math.max(0, Math.min(1, left / this.length));
    const inner = /** @type {HTMLElement} */ (this.bar.firstElementChild);
    inner.style.width = `${(share * 100).toFixed(1)}%`;
    this.bar.hidden = !told.by_itself;
    this.bar.classList.toggle("soon", left !== null && left < 6);
    this.element.dataset.bets = words === "No more bets" || !told.open ? "closed" : "open";
  }
}

/** @param {HTMLElement} element @param {string} words */
function say(element, words) {
  setWords(element, words);
  element.hidden = words === "";
}

/** At a table that people run. @type {Record<string, string>} */
const BETTING = {
  open: "Bets are open",
  late: "Late bets only; the dealer must confirm them",
  closed: "No more bets",
};

/** Whether bets are open, in words, and for how many seconds. @param {any} told @param {number} now @returns {[string, number | null]} */
export function betting(told, now) {
  if (!told.open) return ["The table is closed", null];
  if (!told.by_itself) {
    const isCalled = told.betting === "open" && told.bets === undefined; // no call of the book closes them
    const words = `${BETTING[told.betting] ?? ""}${isCalled ? " until the throw" : ""}`;
    return [told.attended === false ? `${words}; waiting for a dealer` : words, null];
  }
  const round = told.round;
  if (round === null) return [told.players === 0 ? "Sit down to begin" : "Next round in a moment", null];
  if (round.shut) return ["No more bets", null];
  if (round.waiting) return ["Bets are open: waiting for the first bet", null];
  const left = (Date.parse(round.closes) - now) / 1000;
  return [round.last_call ? "Last bets" : "Bets are open", left];
}

/** @param {any} last @param {string} book @param {boolean} isNew */
function result(last, book, isNew) {
  if (last.faces.length === 0 || last.void) {
    return [
      last.faces.length > 0 && faces(last.faces, { size: 40 }),
      h("span", last.call ?? "Does not count"),
      " ",
      ruleLink(book, last.void),
    ];
  }
  return [faces(last.faces, { size: 44, thrown: isNew }), h("span.called", last.call ?? "")];
}

/** @param {{name: string, words: string, lit: number, of: number, colour: string}} one */
export function lamp(one) {
  if (one.of === 0) return h("span.lamp", h("span.soft", one.name), " ", h("strong", one.words));
  const lights = Array.from({ length: one.of }, (_, place) =>
    h("i", { class: `light ${one.colour} ${place < one.lit ? "lit" : ""}` }),
  );
  return h(
    "span.lamp",
    { role: "img", "aria-label": `${one.name}${one.words ? ` ${one.words}` : ""}: ${one.lit} of ${one.of}` },
    h("span.soft", one.name, one.words ? ` ${one.words}` : ""),
    " ",
    lights,
    h("small", ` ${one.lit}/${one.of}`),
  );
}

/** Who throws, while somebody has the dice or coins. @param {any} told @param {string | null} person */
function thrower(told, person) {
  if (!told.thrower?.title || told.by_itself) return null;
  const { by, title } = told.thrower;
  const who = by === null ? "the house" : by === person ? "you" : by;
  return h("span.lamp", h("span.soft", capital(title)), " ", h("strong", who));
}
