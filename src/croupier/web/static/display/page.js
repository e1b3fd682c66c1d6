// The public screen above a table: limits, last results, puck and lights, whether bets are open.

import { Felt } from "../felt/felt.js";
import { correctedWords } from "../results/corrections.js";
import { faces } from "../results/faces.js";
import { results } from "../results/roads.js";
import { get, Refused, url } from "../shared/api.js";
import { named, rich, t } from "../shared/catalogue.js";
import { announce, byId, fill, fromAddress, h, inEnglish, ruleLink } from "../shared/dom.js";
import { listen } from "../shared/live.js";
import { Drawn, section, setWords } from "../shared/parts.js";
import { setClock } from "../shared/times.js";
import { signWords } from "../table/signs.js";
import { betting, lamp } from "../table/status.js";
import { sign } from "./limits-sign.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Line } from "../shared/live.js" */

class Display {
  /** @param {string} table @param {Drawing} drawing */
  constructor(table, drawing) {
    this.table = table;
    this.drawing = drawing;
    /** @type {FeltReply | null} */
    this.reply = null;
    this.skew = 0;
    this.fell = "";
    this.bets = h("strong.display-bets");
    this.clock = h("span.display-clock", { "aria-hidden": "true" });
    this.lost = h("p.display-lost", { role: "status" });
    this.posted = h("ul.plain.display-posted", { "aria-label": t("Signs"), hidden: true });
    this.signs = new Drawn();
    this.last = h("div.display-last");
    this.lamps = h("div.lamps.display-lamps");
    this.sign = h("section.card.display-sign", { "aria-labelledby": "sign-title" });
    this.history = h("section.card.display-history", { "aria-labelledby": "history-title" });
    this.place = h("div.display-felt", { inert: true });
    this.felt = this.draw();
    this.layOut();
    setInterval(() => this.tick(), 250);
  }

  draw() {
    const felt = new Felt(this.drawing, { wide: true });
    fill(this.place, felt.element);
    fill(this.sign, sign(this.drawing));
    return felt;
  }

  layOut() {
    const { name } = this.drawing;
    document.title = t("{table}: display", { table: name });
    fill(
      byId("main"),
      h("div.display-head", h("h1", name), h("div.display-state", this.bets, this.clock)),
      this.lost,
      this.posted,
      h(
        "div.display-body",
        section("card display-fallen", "last-title", t("Last result"), this.last, this.lamps),
        this.sign,
        this.history,
        this.place,
      ),
      h(
        "p.display-foot.soft",
        h("a", { href: url`/tables/${this.table}` }, t("Go to the table")),
        ` · ${t("play chips only")}`,
      ),
    );
  }

  /** Show the table's state, without anyone's chips. @param {FeltReply} reply */
  async show(reply) {
    if (reply.terms !== this.drawing.terms) {
      this.drawing = await get(url`/tables/${this.table}/drawing`);
      this.felt = this.draw();
    }
    this.reply = reply;
    this.skew = Date.parse(reply.now) - Date.now();
    this.felt.show({ ...reply, wagers: [] });
    fill(this.lamps, (reply.lamps ?? []).map(lamp), thrower(reply));
    this.announced(reply);
    this.fallen(reply.results ?? []);
    this.tick();
  }

  /** Signs that announce a higher minimum or the closing. @param {FeltReply} reply */
  announced(reply) {
    if (this.signs.isSame(reply.signs ?? [])) return;
    setClock(reply.now);
    fill(
      this.posted,
      (reply.signs ?? []).map((/** @type {import("../table/signs.js").Sign} */ sign) =>
        h("li", signWords(sign, reply.zone)),
      ),
    );
    this.posted.hidden = this.posted.childElementCount === 0;
  }

  /** @param {import("../results/roads.js").Result[]} reply */
  fallen(reply) {
    const fell = JSON.stringify(reply);
    if (fell === this.fell) return;
    const last = reply.at(-1);
    const isNew = this.fell !== "";
    this.fell = fell;
    fill(this.history, h("h2", { id: "history-title" }, t("Results")), results(this.drawing, reply));
    fill(this.last, last ? fallen(last, this.drawing.book, isNew) : h("p.soft", t("No throws yet.")));
    if (last && isNew) announce(last.call ?? t("No result"));
  }

  /** @param {Line} line */
  heard(line) {
    document.body.classList.toggle("lost", line === "lost");
    fill(this.lost, line === "lost" ? t("Connection lost. This may be out of date. Reconnecting …") : "");
  }

  tick() {
    if (!this.reply) return;
    const [words, left] = betting(this.reply, Date.now() + this.skew);
    const isOpen = this.reply.open && words !== t("No more bets");
    if (this.bets.textContent !== words) {
      if (this.bets.textContent) announce(words);
      fill(this.bets, words);
      this.bets.classList.toggle("open", isOpen);
    }
    const clock = left === null ? "" : String(Math.max(0, Math.ceil(left)));
    setWords(this.clock, clock);
  }
}

/** @param {import("../results/roads.js").Result} last @param {string} book @param {boolean} isNew */
function fallen(last, book, isNew) {
  const called = h("p.display-call", last.call ?? t("No result"));
  if (last.void !== null) return [called, h("p", rich("Did not count: {rule}", { rule: ruleLink(book, last.void) }))];
  const corrected = correctedWords(last);
  return [faces(last.faces, { size: 90, thrown: isNew }), called, corrected && h("p.display-corrected", corrected)];
}

/** Who has the dice or coins; a public screen shows no names. @param {FeltReply} reply */
function thrower(reply) {
  if (!reply.thrower?.title || reply.by_itself) return null;
  const title = named(reply.thrower.title);
  const who = reply.thrower.by === null ? title : t("a player, the {title}", { title });
  return h("span.lamp", h("span.soft", t("Next to throw")), " ", h("strong", who));
}

async function start() {
  const table = fromAddress(2);
  const path = url`/tables/${table}`;
  try {
    const display = new Display(table, await get(`${path}/drawing`));
    listen(
      `${path}/live`,
      { felt: (reply) => void display.show(reply), line: (line) => display.heard(line) },
      { felt: true },
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fill(
      byId("main"),
      h("h1", t("Table display")),
      h("p.problem", inEnglish(error.message)),
      h("a", { href: "/" }, t("All tables")),
    );
  }
}

void start();
