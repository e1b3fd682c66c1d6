// People: find a person, exclude them or lift an exclusion, issue or cancel a Player Card.

import { get, post, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, fill, h } from "../shared/dom.js";
import { alertLine, button, errorWords, facts, field, section } from "../shared/parts.js";
import { hasRole, MANAGING } from "../shared/session.js";
import { momentOf, now, timeOf, zoneWords } from "../shared/times.js";
import { spaced } from "../shared/words.js";

/** @import { Me } from "../shared/session.js" */
/** @typedef {import("../../types/contract.js").Account} Account */

const MOST = 12; // names shown at once
const PAUSE = 250; // milliseconds without a key before the search

/** Whether an exclusion holds now. @param {Account} account */
function isExcluded(account) {
  const { exclusion } = account;
  return exclusion !== null && (exclusion.until === null || Date.parse(exclusion.until) > now());
}

/** @param {Account} account @returns {string} */
function exclusionWords(account) {
  const { exclusion } = account;
  if (exclusion === null || !isExcluded(account)) return t("may play");
  const { until, by_house } = exclusion;
  if (until === null) return by_house ? t("excluded permanently, by the house") : t("excluded permanently, by choice");
  const time = timeOf(until);
  return by_house
    ? t("excluded until {time}, by the house", { time })
    : t("excluded until {time}, by choice", { time });
}

export class People {
  /** @param {Me} me @param {boolean} mayAct */
  constructor(me, mayAct) {
    this.me = me;
    this.mayAct = mayAct;
    this.asked = 0;
    this.timer = 0;
    this.found = h("ul.found");
    this.status = h("p.soft", { role: "status" });
    this.chosen = h("div.chosen");
    this.search = h("input", {
      type: "search",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 40,
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.look(), PAUSE);
      },
    });
    this.element = section(
      "people",
      "people-title",
      t("People"),
      h("div.card", field(t("Find a person by username"), this.search), this.status, this.found, this.chosen),
    );
  }

  async look() {
    const turn = ++this.asked;
    const words = this.search.value.trim().toLowerCase();
    if (!words) {
      fill(this.found);
      fill(this.status);
      return;
    }
    try {
      /** @type {string[]} */
      const names = await get(url`/accounts?limit=${MOST + 1}&containing=${words}`);
      if (turn !== this.asked) return;
      const shown = names.slice(0, MOST);
      fill(
        this.status,
        names.length === 0 ? t("No one found.") : names.length > MOST ? t("More names match. Type more letters.") : "",
      );
      fill(
        this.found,
        shown.map((person) =>
          h(
            "li",
            button(person, () => void this.choose(person)),
          ),
        ),
      );
    } catch (error) {
      fill(this.status, errorWords(error));
    }
  }

  /** @param {string} person */
  async choose(person) {
    const problem = alertLine();
    try {
      /** @type {Account} */
      const account = await get(url`/accounts/${person}`);
      fill(this.chosen, this.card(account, problem), problem);
      announce(`${account.name}, ${exclusionWords(account)}.`);
    } catch (error) {
      fill(this.chosen, alertLine(errorWords(error)));
    }
  }

  /** @param {Account} account @param {HTMLElement} problem */
  card(account, problem) {
    const rows = /** @type {[string, string][]} */ ([
      [t("Username"), account.person],
      [t("Roles"), account.roles.map(named).join(", ")],
      [t("In their account"), spaced(account.chips)],
      [t("At tables"), account.tables.join(", ") || t("none")],
      [t("Player Card"), account.card ?? t("none")],
      [t("Right to play"), exclusionWords(account)],
    ]);
    return h(
      "div.person",
      h("h3", account.name, " ", isExcluded(account) && h("span.pill.warn", t("! excluded"))),
      facts(rows),
      this.mayAct && this.orders(account, problem),
    );
  }

  /** @param {Account} account @param {HTMLElement} problem */
  orders(account, problem) {
    const path = url`/accounts/${account.person}`;
    const order = (/** @type {string} */ where, /** @type {object} */ body, /** @type {string} */ words) =>
      void this.order(account.person, path + where, body, words, problem);
    const mayLetIn = isExcluded(account) && account.exclusion?.by_house === true && hasRole(this.me, MANAGING);
    return h(
      "div",
      h(
        "div.row",
        account.card === null
          ? button(t("Issue a Player Card"), () => order("/card", {}, t("A Player Card was issued.")))
          : button(t("Cancel the Player Card"), () => order("/card/end", {}, t("The Player Card was cancelled."))),
        mayLetIn && button(t("Lift the exclusion"), () => order("/exclusion/end", {}, t("They may play again."))),
      ),
      account.person !== this.me.person &&
        exclusionForm(account, (until) => order("/exclusion", { until }, t("They are excluded."))),
    );
  }

  /** @param {string} person @param {string} path @param {object} body @param {string} words @param {HTMLElement} problem */
  async order(person, path, body, words, problem) {
    fill(problem);
    try {
      await post(path, body);
      await this.choose(person);
      announce(words);
    } catch (error) {
      fill(problem, errorWords(error));
    }
  }
}

/** Exclude until a time, or permanently; folded, so that it takes two presses. @param {Account} account @param {(until: string | null) => void} exclude */
function exclusionForm(account, exclude) {
  const until = h("input", { type: "datetime-local", name: "until" });
  const form = h(
    "form.exclusion",
    {
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        exclude(until.value ? momentOf(until.value) : null);
      },
    },
    field(t("Until ({zone} time); leave empty for a permanent exclusion", { zone: zoneWords() }), until),
    h("button.danger", { type: "submit" }, t("Exclude {name}", { name: account.name })),
  );
  return h("details", h("summary", t("Exclude from play")), form);
}
