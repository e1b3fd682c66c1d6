// Registers and returns: choose a period, see how many entries each register has, read one or download it.

import { get, url } from "../shared/api.js";
import { locale, plural, t } from "../shared/catalogue.js";
import { byId, fill, fillEach, h, inEnglish, ruleLink } from "../shared/dom.js";
import { errorWords, field } from "../shared/parts.js";
import { arrive, hasRole, KEEPING_BOOKS, showClosed } from "../shared/session.js";
import { fieldTime, setClock } from "../shared/times.js";
import { registerTable } from "./register-table.js";

/** @typedef {import("../../types/contract.js").RegisterTitle} Listed */
/** @typedef {import("../../types/contract.js").Registers} List */

/** @param {string} day */
function dayWords(day) {
  return new Date(`${day}T12:00`).toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" });
}

/** The month of a time in the house's zone. @param {string} at @param {string} zone */
function monthOf(at, zone) {
  return fieldTime(at, zone).slice(0, "2026-11".length);
}

class Registers {
  /** @param {string} month */
  constructor(month) {
    this.month = h("input", {
      type: "month",
      value: month,
      required: true,
      pattern: "[0-9]{4}-[0-9]{2}",
      placeholder: "2026-11",
      onchange: () => this.chooseMonth(),
    });
    this.from = h("input", { type: "date", onchange: () => this.chooseDays() });
    this.to = h("input", { type: "date", onchange: () => this.chooseDays() });
    this.period = new URLSearchParams(location.search).get("period") ?? month;
    if (/^\d{4}-\d\d$/.test(this.period)) this.month.value = this.period;
    this.says = h("p", { role: "status" });
    this.list = h("ul.registers");
    this.open = h("div.open-register");
    this.chosen = new URLSearchParams(location.search).get("register") ?? "";
    this.turn = 0;
  }

  chooseMonth() {
    if (!/^\d{4}-\d\d$/.test(this.month.value)) return;
    this.from.value = "";
    this.to.value = "";
    void this.look(this.month.value);
  }

  chooseDays() {
    if (!this.from.value || !this.to.value) return;
    this.month.value = "";
    void this.look(`${this.from.value}/${this.to.value}`);
  }

  /** @param {string} period */
  async look(period) {
    const turn = ++this.turn;
    this.period = period;
    this.remember();
    fill(this.says, t("Loading …"));
    try {
      /** @type {List} */
      const reply = await get(url`/registers?period=${period}`);
      if (turn !== this.turn) return;
      const span =
        reply.first === reply.last
          ? dayWords(reply.first)
          : t("{first} to {last}", { first: dayWords(reply.first), last: dayWords(reply.last) });
      fill(this.says, h("strong", span), reply.so_far && h("span.soft", " ", inEnglish(reply.so_far)));
      fillEach(this.list, reply.registers, (one) => this.item(one));
      this.chosen ||= reply.registers.find((one) => one.rows > 0)?.register ?? "";
      await this.show();
    } catch (error) {
      if (turn !== this.turn) return;
      fill(this.list);
      fill(this.open);
      fill(this.says, h("span.problem", errorWords(error)));
    }
  }

  /** @param {Listed} one */
  item(one) {
    const choose = () => {
      this.chosen = one.register;
      this.remember();
      void this.show().then(() => {
        this.open.scrollIntoView({ block: "start" });
        this.open.querySelector("h2")?.focus({ preventScroll: true });
      });
    };
    return h(
      "li",
      h(
        "button.register",
        { type: "button", "data-register": one.register, "aria-pressed": "false", onclick: choose },
        h("span.register-title", inEnglish(one.title)),
        h("span", { class: `pill${one.rows > 0 ? " on" : ""}` }, plural(one.rows, "{n} row", "{n} rows")),
      ),
    );
  }

  remember() {
    const query = new URLSearchParams({ period: this.period });
    if (this.chosen) query.set("register", this.chosen);
    history.replaceState(null, "", `?${query}`);
  }

  async show() {
    for (const button of this.list.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.getAttribute("data-register") === this.chosen));
    if (!this.chosen) {
      fill(this.open, h("p.soft", t("Nothing was recorded in this period. Choose a register to read it.")));
      return;
    }
    const path = url`/registers/${this.chosen}?period=${this.period}`;
    const reply = await get(path);
    fill(
      this.open,
      h("h2", { tabindex: -1 }, inEnglish(reply.title)),
      h("p", inEnglish(reply.purpose)),
      clauses(reply.clauses),
      registerTable(reply, path),
    );
  }
}

/** The clauses that require a register. @param {Record<string, string[]>} cited */
function clauses(cited) {
  const books = Object.entries(cited).filter(([, own]) => own.length > 0);
  if (books.length === 0) return null;
  return h(
    "details",
    h("summary", t("Clauses that require it")),
    books.map(([book, own]) => {
      const links = own.flatMap((clause) => [ruleLink(book, clause), " "]);
      return h("p.soft", h("a", { href: url`/rules/${book}` }, book), ": ", links);
    }),
  );
}

async function start() {
  const { house, me } = await arrive();
  document.title = t("Registers · {house}", { house: house.house });
  if (!hasRole(me, KEEPING_BOOKS))
    return showClosed(house, me, t("Registers and returns"), t("This page is for inspectors, managers and operators."));
  setClock(house.at);
  const registers = new Registers(monthOf(house.at, house.zone));
  fill(
    byId("main"),
    h("h1", t("Registers and returns")),
    h("p.soft", t("Built from the events alone: the same period always gives the same file, byte for byte.")),
    h(
      "div.register-period",
      field(t("Month"), registers.month),
      field(t("or from"), registers.from),
      field(t("to"), registers.to),
    ),
    registers.says,
    h("div.register-columns", h("nav", { "aria-label": t("Registers") }, registers.list), registers.open),
  );
  return registers.look(registers.period);
}

void start();
