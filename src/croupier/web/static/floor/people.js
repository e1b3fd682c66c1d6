// People of the house: find somebody, and exclude them, let them in again, issue or end a Player Card.

import { get, post, Refused } from "../shared/api.js";
import { announce, fill, h, spaced } from "../shared/dom.js";
import { momentOf, now, timeOf, zoneWords } from "../shared/times.js";

/** @typedef {import("../shared/session.js").Me} Me */
/**
 * @typedef {object} Account
 * @property {string} person @property {string} name @property {string[]} roles @property {string | null} card
 * @property {string} chips @property {string[]} tables
 * @property {{until: string | null, by_house: boolean} | null} exclusion
 */

const MOST = 12; // names that are shown at once
const PAUSE = 250; // milliseconds without a key, before it is looked for
const LETTING_IN = ["manager", "operator"];

/** Whether an exclusion holds now. @param {Account} account */
function isExcluded(account) {
  const { exclusion } = account;
  return exclusion !== null && (exclusion.until === null || Date.parse(exclusion.until) > now());
}

/** @param {Account} account @returns {string} */
function exclusionWords(account) {
  const { exclusion } = account;
  if (exclusion === null || !isExcluded(account)) return "may play";
  const until = exclusion.until === null ? "for good" : `until ${timeOf(exclusion.until)}`;
  return `excluded ${until}, ${exclusion.by_house ? "by the house" : "by themselves"}`;
}

export class People {
  /** @param {Me} me @param {boolean} mayAct */
  constructor(me, mayAct) {
    this.me = me;
    this.mayAct = mayAct;
    this.asked = 0;
    this.timer = 0;
    this.found = h("ul", { class: "found" });
    this.status = h("p", { class: "soft", role: "status" });
    this.chosen = h("div", { class: "chosen" });
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
    this.element = h(
      "section",
      { "aria-labelledby": "people-title", class: "people" },
      h("h2", { id: "people-title" }, "People"),
      h(
        "div",
        { class: "card" },
        h("label", {}, h("span", {}, "Find somebody by the name they sign in with"), this.search),
        this.status,
        this.found,
        this.chosen,
      ),
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
      const names = await get(`/accounts?limit=${MOST + 1}&containing=${encodeURIComponent(words)}`);
      if (turn !== this.asked) return;
      const shown = names.slice(0, MOST);
      fill(
        this.status,
        names.length === 0
          ? "Nobody has such a name."
          : names.length > MOST
            ? "More names than these have that in them."
            : "",
      );
      fill(
        this.found,
        shown.map((person) =>
          h("li", {}, h("button", { type: "button", onclick: () => void this.choose(person) }, person)),
        ),
      );
    } catch (error) {
      fill(this.status, error instanceof Refused ? error.message : "It cannot be looked up now.");
    }
  }

  /** @param {string} person */
  async choose(person) {
    const problem = h("p", { class: "problem", role: "alert" });
    try {
      /** @type {Account} */
      const account = await get(`/accounts/${encodeURIComponent(person)}`);
      fill(this.chosen, this.card(account, problem), problem);
      announce(`${account.name}, ${exclusionWords(account)}.`);
    } catch (error) {
      fill(
        this.chosen,
        h(
          "p",
          { class: "problem", role: "alert" },
          error instanceof Refused ? error.message : "It cannot be looked up now.",
        ),
      );
    }
  }

  /** @param {Account} account @param {HTMLElement} problem */
  card(account, problem) {
    const rows = [
      ["Signs in as", account.person],
      ["Roles", account.roles.join(", ")],
      ["In the account", spaced(account.chips)],
      ["At tables", account.tables.join(", ") || "none"],
      ["Player Card", account.card ?? "none"],
      ["Play", exclusionWords(account)],
    ];
    return h(
      "div",
      { class: "person" },
      h("h3", {}, account.name, " ", isExcluded(account) && h("span", { class: "pill warn" }, "! excluded")),
      h(
        "dl",
        {},
        rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
      ),
      this.mayAct && this.orders(account, problem),
    );
  }

  /** @param {Account} account @param {HTMLElement} problem */
  orders(account, problem) {
    const path = `/accounts/${encodeURIComponent(account.person)}`;
    const order = (/** @type {string} */ where, /** @type {object} */ body, /** @type {string} */ words) =>
      void this.order(account.person, path + where, body, words, problem);
    const mayLetIn =
      isExcluded(account) &&
      account.exclusion?.by_house === true &&
      this.me.roles.some((role) => LETTING_IN.includes(role));
    return h(
      "div",
      {},
      h(
        "div",
        { class: "row" },
        account.card === null
          ? h(
              "button",
              { type: "button", onclick: () => order("/card", {}, "A Player Card was issued.") },
              "Issue a Player Card",
            )
          : h(
              "button",
              { type: "button", onclick: () => order("/card/end", {}, "The Player Card is ended.") },
              "End the Player Card",
            ),
        mayLetIn &&
          h(
            "button",
            { type: "button", onclick: () => order("/exclusion/end", {}, "They may play again.") },
            "Let in again",
          ),
      ),
      account.person !== this.me.person &&
        exclusionForm(account, (until) => order("/exclusion", { until }, "They are excluded.")),
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
      fill(problem, error instanceof Refused ? error.message : "It could not be sent.");
    }
  }
}

/** Until a time, or for good: it takes two presses. @param {Account} account @param {(until: string | null) => void} exclude */
function exclusionForm(account, exclude) {
  const until = h("input", { type: "datetime-local", name: "until" });
  const form = h(
    "form",
    {
      class: "exclusion",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        exclude(until.value ? momentOf(until.value) : null);
      },
    },
    h("label", {}, h("span", {}, `Until, by the clock of ${zoneWords()}; left empty, for good`), until),
    h("button", { type: "submit", class: "danger" }, `Exclude ${account.name}`),
  );
  return h("details", {}, h("summary", {}, "Exclude from play"), form);
}
