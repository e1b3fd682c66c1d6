// The chip rack: the chosen chip, adding or taking off, undo, clear, rebet, double, On and Off.

import { chipColour, disc } from "../felt/chip.js";
import { named, t } from "../shared/catalogue.js";
import { fillEach, h, s } from "../shared/dom.js";
import { Drawn } from "../shared/parts.js";
import { cents, short, spaced } from "../shared/words.js";

const WORTH = [1n, 5n, 25n, 100n, 500n, 1000n].map((dollars) => dollars * 100n);

/** @typedef {import("../../types/contract.js").OwnChecks} Checks */
/** @typedef {"undo" | "clear" | "rebet" | "double" | "on" | "off"} Action */

export class Rack {
  /** @param {string} chip the smallest one @param {boolean} sleeps @param {(deed: Action) => void} done */
  constructor(chip, sleeps, done) {
    const least = cents(chip);
    const worths = WORTH.filter((worth) => worth >= least && worth % least === 0n);
    if (worths.length === 0 || (worths[0] ?? 0n) > least) worths.unshift(least);
    this.worths = worths.slice(0, 6);
    this.worth = this.worths[1] ?? least;
    this.chips = this.worths.map((worth) => {
      const input = h("input.heard", {
        type: "radio",
        name: "chip",
        checked: worth === this.worth,
        onchange: () => this.choose(worth),
      });
      return h(
        "label",
        { class: `chip-button ${chipColour(worth)}` },
        input,
        h("span.disc", pile(chipColour(worth)), h("b", worth === 100000n ? "1k" : short(worth))),
        h("span.heard", ` ${t("chip")}`),
      );
    });
    this.takes = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.turn() }, t("Take off"));
    /** @type {Record<Action, HTMLButtonElement>} */
    this.actions = /** @type {any} */ ({});
    /** @type {[Action, string, string][]} */
    const keyed = [
      ["undo", t("Undo"), "u"],
      ["clear", t("Clear"), "c"],
      ["rebet", t("Rebet"), "r"],
      ["double", t("Double"), "d"],
    ];
    if (sleeps) keyed.push(["on", t("All on"), "o"], ["off", t("All off"), "f"]);
    for (const [action, words, key] of keyed) {
      this.actions[action] = h(
        "button",
        { type: "button", "aria-keyshortcuts": key, title: t("Key {key}", { key }), onclick: () => done(action) },
        words,
      );
    }
    this.checks = h("span.checks-choice");
    this.beside = h("span.checks-choice"); // what else lies in the tray
    this.row = h("div.row", this.takes, Object.values(this.actions));
    this.held = new Drawn();
    this.colour = ""; // of the checks to bet with; "" for value chips
    this.element = h(
      "section.rack",
      { "aria-label": t("Your chips") },
      h(
        "fieldset.chips-choice",
        h("legend.heard", t("Chip to bet with (keys 1 to 6)")),
        this.chips,
        this.checks,
        this.beside,
      ),
      this.row,
    );
    this.isTaking = false;
    this.chosen = () => {}; // called when another chip is picked
    document.addEventListener("keydown", (event) => this.key(event, keyed, done));
  }

  /** Show the player's checks beside the value chips. @param {Checks[]} checks */
  hold(checks) {
    if (this.held.isSame(checks)) return;
    const isGone = this.colour !== "" && !checks.some((one) => one.colour === this.colour);
    if (isGone) this.choose(this.worths[1] ?? this.worths[0] ?? this.worth);
    fillEach(this.checks, checks, (one) => this.check(one));
  }

  /** @param {Checks} one */
  check({ colour, value }) {
    const input = h("input.heard", {
      type: "radio",
      name: "chip",
      checked: colour === this.colour,
      onchange: () => {
        this.worth = cents(value);
        this.colour = colour;
        this.chosen();
      },
    });
    const label = h(
      "label.chip-button.check",
      { title: t("A {colour} check of {value}", { colour: named(colour), value: spaced(value) }) },
      input,
      h("span.disc", pile("check"), h("b", short(cents(value)))),
      h("span.heard", ` ${t("{colour} check", { colour: named(colour) })}`),
    );
    label.style.setProperty("--check", colour);
    return label;
  }

  /** @param {bigint} worth */
  choose(worth) {
    this.worth = worth;
    this.colour = "";
    this.chosen();
    const place = this.worths.indexOf(worth);
    const input = this.chips[place]?.querySelector("input");
    if (input) input.checked = true;
  }

  /** Switch between adding and taking off, for those without a right button or a long press. */
  turn() {
    this.isTaking = !this.isTaking;
    this.takes.setAttribute("aria-pressed", String(this.isTaking));
  }

  /**
   * Keys work only on the felt and the rack: elsewhere they belong to screen readers and dictation.
   * @param {KeyboardEvent} event @param {[Action, string, string][]} keyed @param {(deed: Action) => void} done
   */
  key(event, keyed, done) {
    if (!(event.target instanceof Element && event.target.closest(".felt-box, .rack"))) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "radio") return;
    const worth = /^[1-6]$/.test(event.key) ? this.worths[Number(event.key) - 1] : undefined;
    const action = keyed.find(([, , key]) => key === event.key.toLowerCase());
    if (worth !== undefined) this.choose(worth);
    else if (action && !this.actions[action[0]].disabled) done(action[0]);
    else return;
    event.preventDefault();
  }

  /** Add a button to the tray, and a switch to the others. @param {HTMLElement} beside @param {HTMLElement} more */
  add(beside, more) {
    this.beside.append(beside);
    this.row.append(more);
  }

  /** Mark that what stood is bet again by itself. @param {boolean} isOn */
  repeat(isOn) {
    this.actions.rebet.classList.toggle("repeats", isOn);
  }

  /** @param {Partial<Record<Action, boolean>>} can */
  allow(can) {
    for (const [action, button] of Object.entries(this.actions)) {
      button.disabled = can[/** @type {Action} */ (action)] === false;
      if (action === "on" || action === "off") button.hidden = button.disabled; // few people use them
    }
  }
}

/** A few chips of one colour. @param {string} colour */
function pile(colour) {
  const chips = Array.from({ length: 4 }, (_, place) => {
    const one = disc(colour, "");
    one.setAttribute("transform", `translate(0 ${12 - place * 4})`);
    return one;
  });
  return s("svg", { viewBox: "-17 -15 34 46", "aria-hidden": "true" }, chips);
}
