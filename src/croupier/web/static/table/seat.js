// The player's seat: sitting down with chips, adding more, leaving, or why that is not possible.

import { post, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, button, Drawn, submitting } from "../shared/parts.js";
import { play, refill, usualChips as usual } from "../shared/play.js";
import { DEALING, hasRole, welcome } from "../shared/session.js";
import { when } from "../shared/times.js";
import { cents, spaced, typed } from "../shared/words.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Me, House } from "../shared/session.js" */

const USUAL_PLACES = 8; // offered if the table has no number of seats
const OUT = t(
  "You are no longer signed in. You may have signed out or in elsewhere, or your session has expired. Your chips at the table are safe.",
);

export class Seat {
  /**
   * @param {string} table @param {string} book @param {House} house @param {() => Promise<void>} changed
   * @param {() => void} played where play goes on, once there are chips in hand
   */
  constructor(table, book, house, changed, played) {
    this.path = url`/tables/${table}`;
    this.table = table;
    this.book = book;
    this.house = house;
    this.changed = changed;
    this.played = played;
    this.wasIn = false;
    this.shown = "";
    /** @type {Record<string, string>} what was typed, which stays when the account is told again */
    this.typed = {};
    this.place = h("select", { name: "place", id: "seat-place" });
    this.known = new Drawn(); // which places were taken
    this.element = h("section.seat", { "aria-labelledby": "seat-title" });
  }

  /** @param {FeltReply} reply @param {Me | null} me @param {{corner: HTMLElement, bench: HTMLElement}} places where it is for those with a seat, and without */
  show(reply, me, { corner, bench }) {
    const isOut = this.wasIn && me === null;
    const isBroke = me !== null && cents(me.chips) === 0n;
    const isOutOfChips = isBroke && reply.seated && cents(reply.chips[me.person] ?? "0.00") === 0n && isBare(reply, me);
    const shown = JSON.stringify([
      isBroke && me.tables,
      isOutOfChips,
      me?.exclusion,
      me === null,
      isOut,
      reply.seated,
      reply.open,
    ]);
    this.showPlaces(reply);
    const inAccount = this.element.querySelector("#account-chips");
    if (shown === this.shown) {
      // The form stays as it is: the player may be typing.
      if (inAccount && me) fill(inAccount, accountWords(me));
      const input = this.element.querySelector("input");
      if (input && me && !reply.seated && this.typed.chips === undefined) input.value = usualChips(me);
      return;
    }
    this.shown = shown;
    if (isOut) announce(OUT, true);
    this.wasIn ||= me !== null;
    const hadKeys = this.element.contains(document.activeElement);
    const place = reply.seated && me ? corner : bench;
    if (this.element.parentElement !== place) place.append(this.element);
    fill(
      this.element,
      h("h2.heard", { id: "seat-title" }, t("Your seat")),
      !reply.open && h("p", t("This table is closed.")),
      me === null
        ? this.coming(isOut, reply.open)
        : reply.seated
          ? [isOutOfChips && this.refilling(me, true), this.seated(me)]
          : reply.open && this.sitting(me, reply.zone),
    );
    if (hadKeys) this.goOn(reply.seated);
  }

  /** Focus the first control. */
  enter() {
    /** @type {HTMLElement | null} */
    const first = this.element.querySelector("input, button, a");
    first?.focus();
  }

  /** Focus what comes next: the felt, or the way to a seat. @param {boolean} isSeated */
  goOn(isSeated) {
    if (isSeated && !this.element.querySelector(".broke")) return this.played();
    /** @type {HTMLElement | null} */
    const first = this.element.querySelector(".primary") ?? this.element.querySelector("button, a");
    first?.focus();
  }

  /** @param {boolean} isOut @param {boolean} isOpen */
  coming(isOut, isOpen) {
    if (!isOut && !isOpen) return null;
    const come = () => void welcome(this.house, isOut ? OUT : "");
    if (isOut) return [h("p.problem", OUT), h("p.row", button(t("Sign in again"), come, "primary"))];
    const start = async () => {
      await play(this.table, null);
      location.reload();
    };
    return [
      this.house.sign_up &&
        h(
          "p.row",
          button(t("Play"), () => void this.order(start), "primary"),
          h("span.soft", t("As a guest, with play chips and a seat at once.")),
        ),
      h("p.row", button(t("Sign in"), come, this.house.sign_up ? "quiet" : "primary")),
      alertLine(),
    ];
  }

  /** New chips for a player who has none left. @param {Me} me @param {boolean} isSeated */
  refilling(me, isSeated) {
    const again = () => void this.order(() => refill(this.table, me, isSeated));
    return h(
      "div.broke",
      h("p.row", t("Your chips are gone."), button(t("Get more chips"), again, "primary")),
      alertLine(),
    );
  }

  /** @param {Me} me @param {string} zone */
  sitting(me, zone) {
    if (!me.roles.includes("player")) return this.lookingOn(me);
    if (me.exclusion) return h("p.problem", excluded(me.exclusion, zone));
    if (cents(me.chips) === 0n) return this.penniless(me);
    const { place } = this;
    const sit = (/** @type {string} */ amount) =>
      post(`${this.path}/seat`, { chips: amount, ...(place.value && { place: Number(place.value) }) });
    return this.chipsForm(
      t("Sit down"),
      usualChips(me),
      sit,
      me,
      h("span.place", h("label", { for: "seat-place" }, t("Place")), place),
    );
  }

  /** @param {Me} me */
  penniless(me) {
    if (me.tables.length === 0) return this.refilling(me, false);
    const elsewhere = me.tables.map((table) => h("a", { href: url`/tables/${table}` }, table));
    return h("p.row", t("Your account has no play chips."), h("span", t("You have chips at")), elsewhere);
  }

  /** Offer the free places of the table. @param {FeltReply} reply */
  showPlaces(reply) {
    if (this.known.isSame([reply.seats, reply.taken_places])) return;
    /** @type {Set<number>} */
    const taken = new Set(reply.taken_places ?? []);
    const most = reply.seats ?? Math.max(USUAL_PLACES, ...[...taken].map((one) => one + 1));
    const wanted = Number(this.place.value);
    fill(
      this.place,
      h("option", { value: "" }, t("any")),
      Array.from({ length: most }, (_, before) => before + 1).map((number) => {
        const isTaken = taken.has(number);
        const words = isTaken ? t("{place}, taken", { place: number }) : String(number);
        return h("option", { value: number, disabled: isTaken, selected: number === wanted && !isTaken }, words);
      }),
    );
  }

  /** @param {Me} me */
  lookingOn(me) {
    const deals = hasRole(me, DEALING);
    return h(
      "p.row",
      h("span", t("You are watching as staff.")),
      deals && h("a.button", { href: `${this.path}/deal` }, t("Dealer console")),
    );
  }

  /** @param {Me} me */
  seated(me) {
    const more = this.chipsForm(t("Add chips"), "100", (amount) => post(`${this.path}/chips`, { chips: amount }), me);
    const up = () => void this.order(() => post(`${this.path}/leave`, {}), false);
    return h(
      "details.seated",
      h("summary", t("You are seated")),
      h("div.card", more, button(t("Leave the table"), up)),
    );
  }

  /**
   * @param {string} action @param {string} usual @param {(amount: string) => Promise<any>} order @param {Me} me
   * @param {HTMLElement} [more]
   */
  chipsForm(action, usual, order, me, more) {
    const input = h("input", {
      name: "chips",
      inputmode: "decimal",
      autocomplete: "off",
      value: this.typed.chips ?? usual,
      oninput: () => this.keep(input),
      "aria-describedby": "account-chips",
    });
    return h(
      "form.row.chips-form",
      {
        onsubmit: submitting(() => this.order(() => order(typed(input.value) ?? input.value))),
      },
      h("label.row", h("span", t("Play chips")), input),
      more,
      h("button.primary", { type: "submit" }, action),
      h("span.soft", { id: "account-chips" }, accountWords(me)),
      alertLine(),
    );
  }

  /** @param {HTMLInputElement} input */
  keep(input) {
    this.typed[input.name] = input.value;
  }

  /** @param {() => Promise<any>} order @param {boolean} [isToPlay] whether play goes on after it */
  async order(order, isToPlay = true) {
    const pressed = document.activeElement;
    const problem = this.element.querySelector(".problem");
    if (problem) fill(problem);
    const { typed } = this;
    this.typed = {}; // what is typed from now on is for the next order
    try {
      await order();
      await this.changed();
      if (isToPlay && (document.activeElement === pressed || document.activeElement === document.body)) {
        this.element.querySelector("details[open]")?.removeAttribute("open");
        this.played();
      }
    } catch (error) {
      const refused = /** @type {import("../shared/api.js").Refused} */ (error);
      this.typed = { ...typed, ...this.typed };
      if (refused.status === 401) await this.changed();
      else if (problem) fill(problem, refused.message, " ", ruleLink(this.book, refused.clause));
    }
  }
}

/** @param {{until: string | null, by_house: boolean}} exclusion @param {string} zone */
function excluded(exclusion, zone) {
  if (!exclusion.until)
    return exclusion.by_house
      ? t("You are excluded from play by the house. You may watch.")
      : t("You are excluded from play, as you asked. You may watch.");
  const until = when(exclusion.until, zone);
  return exclusion.by_house
    ? t("You are excluded from play until {until} by the house. You may watch.", { until })
    : t("You are excluded from play until {until}, as you asked. You may watch.", { until });
}

/** The usual chips to sit down with, as people type them. @param {Me} me */
function usualChips(me) {
  return usual(me).replace(/\.00$/, "");
}

/** Whether none of a player's chips lie on the felt. @param {FeltReply} reply @param {Me} me */
function isBare(reply, me) {
  return !reply.wagers.some((one) => one.player === me.person);
}

/** @param {Me} me */
const accountWords = (me) => t("of {amount} in your account", { amount: spaced(me.chips) });
