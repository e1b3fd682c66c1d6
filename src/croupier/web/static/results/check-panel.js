// Check this throw: a sentence and the steps behind it, each in a sentence, worked out on this device.

import { receipts } from "../fairness/receipts.js";
import { address, url } from "../shared/api.js";
import { plural, t } from "../shared/catalogue.js";
import { fill, h, s } from "../shared/dom.js";
import { clockWords } from "../shared/times.js";
import { checkAddress } from "./check-links.js";
import { checkRound } from "./check-round.js";
import { fellWords } from "./corrections.js";
import { faces } from "./faces.js";

/** @import { Checked, Mark, Step } from "./check-round.js" */

const SHIELD = "M12 2l8 3v6c0 5.5-3.6 9.2-8 11-4.4-1.8-8-5.5-8-11V5z";
/** @type {Record<Mark, string>} */
const MARKS = { good: "M8 12l3 3 5-6", bad: "M9 9l6 6M15 9l-6 6", wait: "M8.5 12h7", note: "M12 8v5M12 16v.1" };

/** A shield with a mark in it. @param {Mark} mark */
export function shield(mark) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: `shield ${mark}`, "aria-hidden": "true" },
    s("path", { d: SHIELD }),
    s("path", { d: MARKS[mark] }),
  );
}

/** Digits as they are shown where there is little room: 9c41…e07b. @param {string} digits */
export function brief(digits) {
  return `${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/**
 * Fetch the record of a round and check it. Throws if it cannot be read.
 * @param {string} table @param {number} number @param {{own: string | null, seal: string | null}} known
 */
export async function check(table, number, known) {
  const response = await fetch(address(url`/tables/${table}/rounds/${number}/record`), { credentials: "same-origin" });
  if (!response.ok) throw new Error(t("The record of this round is not there yet."));
  const text = await response.text();
  const stream = `table/${table}`;
  const last = lastOf(text);
  const isAbout = () => receipts.book.kept.some((one) => one.stream === stream && one.version === last);
  if (!isAbout()) await receipts.ask(stream, last);
  const { key, kept } = receipts.book;
  const about = { ...known, key, receipts: kept.filter((one) => one.stream === stream) };
  return checkRound(text, table, number, about);
}

/** The last event of a record. @param {string} text */
function lastOf(text) {
  return JSON.parse(text.trim().split("\n").at(-1) ?? "{}").count;
}

/** What a step is called, before it is made as well, and what it says. @typedef {{title: () => string, later?: () => string, says: (step: Step) => string}} Words */

/** @type {Record<Step["name"], Words>} */
const WORDS = {
  seal: {
    title: () => t("The house sealed a secret"),
    says: ({ fault }) =>
      fault === "other"
        ? t("This is not the seal that was on your screen while the bets were open.")
        : fault
          ? t("There is no seal from before the bets.")
          : t(
              "A seal is a fingerprint of the secret. It was public before the first bet, and another secret would have another seal.",
            ),
  },
  number: {
    title: () => t("Players added their numbers"),
    later: () => t("Players add their numbers"),
    says: ({ fault, count, mark }) => {
      if (mark === "wait") return t("No player has added a number yet. Yours is added with your first bet.");
      if (fault === "left_out") return t("Your device added a number, and the house left it out.");
      if (fault === "changed") return t("The house says another number than your device added.");
      if (fault === "late") return t("Your number came too late, and the throw was drawn without it.");
      if (!fault)
        return t(
          "Your device made a number and sealed it with your bet. The house could not know it when it sealed the secret.",
        );
      if (count === 0) return t("No player added a number: the throw was fixed when the round opened.");
      return plural(
        count,
        "One player added a number that the house did not know.",
        "{n} players added numbers that the house did not know.",
      );
    },
  },
  shut: {
    title: () => t("Bets were shut"),
    later: () => t("Then bets are shut"),
    says: ({ fault, mark }) => {
      if (mark === "wait") return t("Bets are still open.");
      if (fault === "late") return t("A bet came after the bets were shut.");
      if (fault) return t("The list of players’ numbers is not the one that was put in.");
      return t("Every bet and every player’s seal went into one fingerprint. No bet came after it.");
    },
  },
  secret: {
    title: () => t("The house opened its secret"),
    later: () => t("The house opens its secret"),
    says: ({ fault, mark }) => {
      if (mark === "wait") return t("The secret stays closed until the bets are shut.");
      if (fault === "other") return t("Its fingerprint is not the seal from before the bets. This is another secret.");
      if (fault === "bets") return t("It was opened for other bets than those that were shut.");
      if (fault) return t("A player’s number does not fit its seal.");
      return t("Its fingerprint is the seal, letter for letter: it is the secret from before the bets.");
    },
  },
  draw: {
    title: () => t("Your device threw again"),
    later: () => t("Your device throws again"),
    says: ({ fault, mark }) => {
      if (mark === "wait") return t("The dice follow from the secret and the players’ numbers, once both are known.");
      if (fault === "other") return t("Other dice follow from the secret and the numbers than the house drew.");
      if (fault) return t("The house settled the bets with other dice than it drew.");
      return t("From the secret and the players’ numbers the same dice follow, here as at the house.");
    },
  },
  chain: {
    title: () => t("Nothing was changed since"),
    says: ({ fault, count }) =>
      fault
        ? t("Event {event} does not follow from the one before it: the record was changed.", { event: count })
        : plural(
            count,
            "{n} event in a chain: it carries the fingerprint of the one before it.",
            "{n} events in a chain: each carries the fingerprint of the one before it, and all of them fit.",
          ),
  },
  receipt: {
    title: () => t("The house signed it"),
    says: ({ fault, count }) => {
      if (fault === "none") return t("This browser has no receipt for this round yet.");
      if (fault === "forked")
        return t("The house signed another history: event {event} in your receipt is another one.", { event: count });
      if (fault === "key") return t("It is signed with another key than the house’s.");
      if (fault) return t("The signature of your receipt is not valid.");
      return plural(
        count,
        "Your receipt has the house’s signature under exactly this.",
        "Your {n} receipts have the house’s signature under exactly this.",
      );
    },
  },
};

/** @type {Record<string, () => string>} */
const DIGITS = {
  seal: () => t("Seal"),
  shown: () => t("On your screen"),
  number: () => t("Your number"),
  fingerprint: () => t("Its fingerprint"),
  bets: () => t("Bets"),
  secret: () => t("Secret"),
  mix: () => t("Mixed with"),
  record: () => t("Last fingerprint"),
  key: () => t("The house’s key"),
  signature: () => t("Signature"),
};

/** @type {Record<Mark, () => string>} */
const SPOKEN = {
  good: () => t("Checks out:"),
  bad: () => t("Wrong:"),
  wait: () => t("Not yet:"),
  note: () => t("Note:"),
};

/** @type {Record<Mark, () => string>} */
const TITLES = {
  good: () => t("This throw checks out."),
  bad: () => t("Caught."),
  wait: () => t("The dice are sealed."),
  note: () => t("This round was cancelled."),
};

/** What the check says in a sentence. @param {Checked} checked */
function sentence({ mark, steps }) {
  const bad = steps.find((one) => one.mark === "bad");
  if (bad) return WORDS[bad.name].says(bad);
  if (mark === "wait")
    return t("The secret behind this throw is fixed. Its seal is public, so it cannot be swapped for another.");
  if (mark === "note") return t("It ended without a throw.");
  return t(
    "Checked on this device just now: the seal, the numbers, the bets, the dice, the chain and the signature all fit.",
  );
}

/** @param {Step} step @param {Checked} checked @param {string | undefined} zone */
function stepLine(step, checked, zone) {
  const { title, later = title, says } = WORDS[step.name];
  return h(
    "li.check-step",
    h(`span.tick.${step.mark}`, shield(step.mark), h("span.heard", SPOKEN[step.mark]())),
    h(
      "div",
      h("h3", (step.mark === "wait" ? later : title)(), step.at && h("small", ` ${clockWords(step.at, zone)}`)),
      h("p", says(step)),
      step.name === "draw" && step.mark === "bad" && thrown(checked),
      step.digits.length > 0 && h("details", h("summary", t("Show the digits")), step.digits.map(digitsOf)),
    ),
  );
}

/** What follows, beside what the house says. @param {Checked} checked */
function thrown({ faces: follows, said }) {
  return h(
    "p.soft",
    t("By the record: {follows}. The house says: {said}.", { follows: fellWords(follows), said: fellWords(said) }),
  );
}

/** @param {[string, string]} row */
function digitsOf([name, digits]) {
  return h("p.digits", h("span", DIGITS[name]?.() ?? name), " ", h("code", digits.replace(/[\da-f]{4}(?=.)/g, "$& ")));
}

export class CheckPanel {
  /**
   * @param {string} table @param {number} number of the round @param {string | undefined} zone of the table
   * @param {() => {own: string | null, seal: string | null}} known what this page knows of it
   */
  constructor(table, number, zone, known) {
    this.zone = zone;
    this.table = table;
    this.number = number;
    this.known = known;
    this.element = h("div.check-panel");
  }

  /** Check now, and show it. @returns {Promise<Mark>} */
  async run() {
    fill(this.element, h("p.soft", { role: "status" }, t("Checking …")));
    try {
      const checked = await check(this.table, this.number, this.known());
      this.show(checked);
      return checked.mark;
    } catch (error) {
      const words = error instanceof SyntaxError ? t("The record of this round cannot be read.") : error;
      fill(this.element, h("p.problem", { role: "alert" }, words instanceof Error ? words.message : String(words)));
      return "note";
    }
  }

  /** @param {Checked} checked */
  show(checked) {
    const { mark, said, number, steps } = checked;
    fill(
      this.element,
      h(
        `div.verdict.${mark}`,
        said.length > 0 && faces(said, { size: 44 }),
        h(
          "div",
          { role: mark === "bad" ? "alert" : "status" },
          h("h2", { id: "check-title" }, TITLES[mark]()),
          h("p", sentence(checked)),
        ),
        shield(mark),
      ),
      h(
        "ol.check-steps",
        steps.map((one) => stepLine(one, checked, this.zone)),
      ),
      h(
        "p.soft",
        t("Do not take our word for it."),
        " ",
        h(
          "a.whole-check",
          { href: checkAddress(this.table, number) ?? "", target: "_blank" },
          t("Check the whole table with the checker"),
        ),
      ),
    );
  }
}
