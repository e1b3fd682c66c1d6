// What a correction, or calling the outcome invalid, would change: money, wagers made since, the table.

import { wagerName } from "../felt/area.js";
import { signed } from "../results/corrections.js";
import { get, Refused, url } from "../shared/api.js";
import { named, rich, t } from "../shared/catalogue.js";
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
  const head = [
    was ? t("{was} gave", { was }) : t("Now"),
    now ? t("{now} gives", { now }) : t("If invalid"),
    t("Difference"),
  ];
  const caption = now
    ? t("If {was} becomes {now}", { was, now })
    : was
      ? t("If {was} is invalid", { was })
      : t("If this throw is invalid");
  const nobody = h("tr", h("td.soft", { colspan: 4 }, t("No chips change.")));
  const house = h(
    "tr",
    h("th", { scope: "row", colspan: 3 }, t("House")),
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
          h("th", { scope: "col" }, t("Player")),
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
  const at = [
    moves(one.hand, (was, now) => t("in hand {was} → {now}", { was, now })),
    moves(one.felt, (was, now) => t("on the felt {was} → {now}", { was, now })),
  ]
    .filter(Boolean)
    .join(", ");
  const owes = one.owes !== "0.00" && h("strong.bad", ` ${t("owes {amount}", { amount: spaced(one.owes) })}`);
  return [
    h(
      "tr",
      h("th", { scope: "row" }, one.place === null ? one.player : `${one.place} ${one.player}`),
      h("td.number", inSigns(one.was)),
      h("td.number", inSigns(one.now)),
      h("td", { class: kind(one.change) }, h("strong", inSigns(one.change))),
    ),
    h("tr.chips-move", h("td", { colspan: 4 }, at || t("no chips move"), owes)),
  ];
}

/** @param {[string, string]} held @param {(was: string, now: string) => string} words */
function moves([was, now], words) {
  return was === now ? "" : words(spaced(was), spaced(now));
}

/** What else would change: the puck, the lights, who throws. @param {Previewed} reply */
function goesBack(reply) {
  return reply.table.map(({ name, was, now }) =>
    h("p", h("strong", `${named(name)}: `), `${named(was) || t("none")} → ${named(now) || t("none")}`),
  );
}

/** @param {Position} position @param {SinceChange} one */
function sinceWords(position, one) {
  const what = { player: one.player, amount: spaced(one.amount), wager: wagerName(position.drawing, one) };
  const words = one.stands
    ? rich("{player}, {amount} on {wager}, made since, {stands}.", { ...what, stands: h("strong.good", t("stands")) })
    : rich("{player}, {amount} on {wager}, made since, {back}.", { ...what, back: h("strong.bad", t("is returned")) });
  return h("p", words);
}
