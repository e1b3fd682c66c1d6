// Wagers that wait for the house: late ones to confirm, spoken ones to lay, calls of On to mark.

import { fill, h, money } from "./dom.js";

/** @typedef {import("./deal-desk.js").Desk} Desk */
/** @typedef {{kind: string, act: string, press: string, player: string, wager: string, pick: any, name: string, amount: string}} Waiting */

/** How the table remembers each kind, and what is done with it. @type {{kind: string, act: string, press: string, head: string}[]} */
const KINDS = [
  { kind: "late", act: "confirm_late", press: "Confirm", head: "late" },
  { kind: "spoken", act: "place_declared", press: "Lay it", head: "spoken" },
  { kind: "called on", act: "mark_on", press: "Mark On", head: "called On" },
];

/** Under which name the table remembers a wager that waits. @param {string} kind @param {string} player @param {string} wager @param {any} pick */
function factName(kind, player, wager, pick) {
  const words = Array.isArray(pick) ? pick : pick === null || pick === undefined ? [] : [pick];
  return [kind, player, wager, ...words].join(" ");
}

/** @param {Desk} desk @returns {Waiting[]} */
export function waitingAt(desk) {
  /** @type {Waiting[]} */
  const found = [];
  const names = new Set(Object.keys(desk.facts));
  for (const { kind, act, press, head } of KINDS) {
    if (!desk.act(act) || ![...names].some((name) => name.startsWith(`${kind} `))) continue;
    for (const player of desk.players)
      for (const area of desk.drawing.areas) {
        const name = factName(kind, player, area.wager, area.pick);
        if (!names.delete(name)) continue;
        const value = desk.facts[name];
        const amount = typeof value === "number" ? money(BigInt(value)) : "";
        found.push({ kind: head, act, press, player, wager: area.wager, pick: area.pick, name: area.name, amount });
      }
  }
  return found;
}

export class WaitingList {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.list = h("ul", { class: "plain" });
    this.beside = h("div", { class: "beside" });
    this.element = h("section", { class: "card waiting" }, h("h2", {}, "Wagers to confirm"), this.list, this.beside);
    this.shown = "";
  }

  show() {
    const found = waitingAt(this.desk);
    const shown = JSON.stringify(found);
    if (shown !== this.shown)
      fill(
        this.list,
        found.map((one) => this.row(one)),
      );
    this.shown = shown;
    this.element.hidden = found.length === 0 && this.beside.childElementCount === 0;
  }

  /** @param {Waiting} one */
  row(one) {
    const { act, player, wager, pick } = one;
    const press = () => void this.desk.say({ do: act, player, wager, pick }, this.beside);
    const what = `${one.name} of ${player}`;
    return h(
      "li",
      { class: "row spread" },
      h(
        "span",
        {},
        h("strong", {}, player),
        ` ${one.name} ${one.amount} `,
        h("span", { class: "pill warn" }, one.kind),
      ),
      h(
        "button",
        { type: "button", class: "primary", onclick: press, "aria-label": `${one.press}: ${what}` },
        one.press,
      ),
    );
  }
}
