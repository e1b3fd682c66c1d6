// What a correction, or calling the outcome invalid, would change: money, wagers made since, the table.

import { wagerName } from "../felt/area.js";
import { signed } from "../results/corrections.js";
import { get, Refused, url } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { refusalLine } from "../shared/parts.js";
import { cents, spaced } from "../shared/words.js";

/** @import { Position } from "./position.js" */
/** @typedef {import("../../types/contract.js").PlayerChange} PlayerChange */
/** @typedef {import("../../types/contract.js").SinceChange} SinceChange */
/** @typedef {import("../../types/contract.js").CorrectionPreview} Previewed */

export class Preview {
  /** @param {Position} position @param {() => void} changed hears when there is an answer */
  constructor(position, changed) {
    this.position = position;
    this.changed = changed;
    this.asked = ""; // the question, and the version of the table
    /** Whether the house has answered and not refused. */
    this.isThere = false;
    /** @type {Previewed | null} the answer */
    this.reply = null;
    this.element = h("div.preview", { role: "status", hidden: true });
  }

  /** Ask what these faces would change. @param {(number | string)[] | null} faces */
  show(faces) {
    this.about(faces && [["faces", inShort(faces)]]);
  }

  /** Ask what it would change to call the outcome invalid. @param {string} reason @param {string[]} forfeit whose wagers are lost */
  showInvalid(reason, forfeit) {
    this.about([["reason", reason], ...forfeit.map((player) => ["forfeit", player])]);
  }

  /** @param {string[][] | null} said */
  about(said) {
    const query = String(new URLSearchParams(said ?? []));
    const asked = said === null ? "" : `${query} ${this.position.felt.version}`;
    if (asked === this.asked) return;
    this.asked = asked;
    this.isThere = false;
    this.element.hidden = said === null;
    if (said === null) fill(this.element);
    else void this.ask(asked, query);
  }

  /** @param {string} asked @param {string} query */
  async ask(asked, query) {
    /** @type {Node[]} */
    let shown;
    let isThere = true;
    /** @type {Previewed | null} */
    let reply = null;
    try {
      reply = /** @type {Previewed} */ (await get(`${url`/tables/${this.position.table}/correction`}?${query}`));
      shown = previewed(this.position, reply);
    } catch (error) {
      isThere = error instanceof Refused && error.status === 0; // without an answer, let the house decide
      shown = [refusalLine(this.position.book.id, error)];
    }
    if (asked !== this.asked) return; // outdated
    this.isThere = isThere;
    this.reply = reply;
    fill(this.element, shown);
    this.changed();
  }
}

/** Faces in short: `4-2`, `HT`. @param {(number | string)[]} faces */
export function inShort(faces) {
  return faces.join(typeof faces[0] === "string" ? "" : "-");
}

/** @param {string} amount */
const inSigns = (amount) => signed(cents(amount));

/** @param {string} amount */
function kind(amount) {
  return amount.startsWith("-") ? "number bad" : "number";
}

/** @param {Position} position @param {Previewed} reply @returns {Node[]} */
function previewed(position, reply) {
  const was = inShort(reply.was);
  const now = inShort(reply.now);
  const head = [was ? `${was} gave` : "Now", now ? `${now} gives` : "If invalid", "Change"];
  const caption = now ? `If ${was} becomes ${now}` : `If ${was || `this ${position.drawing.throw.command}`} is invalid`;
  const nobody = h("tr", h("td.soft", { colspan: 4 }, "No chips change."));
  const house = h(
    "tr",
    h("th", { scope: "row", colspan: 3 }, "House"),
    h("td", { class: kind(reply.house) }, h("strong", inSigns(reply.house))),
  );
  return [
    h(
      "table",
      h("caption", caption),
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, "Player"),
          head.map((words) => h("th.number", { scope: "col" }, words)),
        ),
      ),
      h("tbody", reply.players.length > 0 ? reply.players.flatMap(rows) : nobody),
      h("tfoot", house),
    ),
    ...goesBack(reply),
    ...reply.since.map((one) => sinceWords(position, one)),
  ];
}

/** A player: what each result gives, and what that does to their chips. @param {PlayerChange} one */
function rows(one) {
  const at = [moves("in hand", one.hand), moves("on the felt", one.felt)].filter(Boolean).join(", ");
  const owes = one.owes !== "0.00" && h("strong.bad", ` owes ${spaced(one.owes)}`);
  return [
    h(
      "tr",
      h("th", { scope: "row" }, one.place === null ? one.player : `${one.place} ${one.player}`),
      h("td.number", inSigns(one.was)),
      h("td.number", inSigns(one.now)),
      h("td", { class: kind(one.change) }, h("strong", inSigns(one.change))),
    ),
    h("tr.chips-move", h("td", { colspan: 4 }, at || "no chips move", owes)),
  ];
}

/** @param {string} where @param {[string, string]} held */
function moves(where, [was, now]) {
  return was === now ? "" : `${where} ${spaced(was)} → ${spaced(now)}`;
}

/** What else would change: the puck, the lights, who throws. @param {Previewed} reply */
function goesBack(reply) {
  return reply.table.map(({ name, was, now }) =>
    h("p", h("strong", `${name}: `), `${was || "none"} → ${now || "none"}`),
  );
}

/** @param {Position} position @param {SinceChange} one */
function sinceWords(position, one) {
  const what = `${one.player}, ${spaced(one.amount)} on ${wagerName(position.drawing, one)}, made since, `;
  return h("p", what, h("strong", { class: one.stands ? "good" : "bad" }, one.stands ? "stands" : "is returned"), ".");
}
