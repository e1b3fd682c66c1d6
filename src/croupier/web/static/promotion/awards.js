// Awards for those who manage: telling the winner, claims, money instead of the prize, payment, handing over, lapsing.

import { h, ruleLink } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { capital, readable } from "../shared/words.js";
import { claimsOf } from "./claims.js";
import { payForm } from "./pay.js";
import { sayForm, sayLater } from "./statement.js";
import { dollars, markWords } from "./words.js";

/** @typedef {import("./statement.js").Speaker} Speaker */

/** @type {Record<string, [string, string]>} */
const STATUS = {
  drawn: ["to be given", "warn"],
  given: ["given", "on"],
  refused: ["claim refused", ""],
  lapsed: ["lapsed", ""],
};

/**
 * @param {any} told @param {any} rules @param {Speaker | null} speaker
 * @param {Map<number, string>} given how each award was given
 */
export function awardsCard(told, rules, speaker, given) {
  if (told.awards.length === 0) return null;
  return card(
    "awards-title",
    "Awards",
    told.awards.map((/** @type {any} */ award) =>
      awardBlock(told, rules, award, speaker, given.get(award.award) ?? null),
    ),
  );
}

/** @param {any} told @param {any} rules @param {any} award @param {Speaker | null} speaker @param {string | null} given */
function awardBlock(told, rules, award, speaker, given) {
  const [words, look] = STATUS[award.status] ?? [award.status, ""];
  const isOpen = award.status === "drawn";
  return h(
    "section.award",
    { "aria-label": `Award ${award.award}` },
    h(
      "div.row.spread",
      h("h3", `${award.award}. ${capital(award.prize)}: ${award.entrant}`),
      h("span", { class: `pill ${look}` }, words),
    ),
    h(
      "p",
      h("strong", dollars(award.value)),
      award.alternative && `; ${dollars(award.alternative)} offered instead${award.chosen ? ", and chosen" : ""}`,
      award.forms.length > 0 &&
        `; the winner chose ${award.forms.map((/** @type {string} */ id) => formName(rules, id)).join(" and ")}`,
      given && `; ${given}`,
    ),
    attempts(award),
    claimsOf(told, rules, award, speaker),
    speaker && isOpen && h("div.award-forms", doings(told, rules, award, speaker)),
  );
}

/** @param {any} rules @param {string} id */
export function formName(rules, id) {
  return rules.payment.forms.find((/** @type {any} */ one) => one.id === id)?.name ?? readable(id);
}

/** @param {any} award */
function attempts(award) {
  if (award.attempts.length === 0) return award.status === "drawn" && h("p.soft", "No attempt to tell the winner yet.");
  return h(
    "ul.attempts",
    award.attempts.map((/** @type {any} */ one) =>
      h(
        "li",
        `${capital(readable(one.way))}: `,
        h("strong", one.reached ? "reached" : "not reached"),
        " ",
        h("span.soft", markWords(one)),
      ),
    ),
  );
}

/** What is said to be refused yet. @type {Record<string, string>} */
const WANTED = {
  tell_winner: "To tell the winner",
  offer_alternative: "To offer money instead",
  choose_alternative: "To take the money instead",
  undo_alternative: "To have the prize after all",
  choose_forms: "To say how it is paid",
  pay_prize: "To pay it",
  hand_over: "To hand it over",
  lapse_award: "To let it lapse",
  decline: "To decline it",
};

/** Something that may be done with an award; or why not yet, or nothing. @param {any} told @param {any} award @param {string} name @param {() => any} form */
function offered(told, award, name, form) {
  if (!(name in award.offers)) return null;
  const refused = award.offers[name];
  if (!refused) return form();
  const what = h("strong", `${WANTED[name] ?? capital(readable(name))}: `);
  return h("p.soft", what, `${refused.message} `, ruleLink(told.book, refused.clause));
}

/** @param {any} told @param {any} rules @param {any} award @param {Speaker} speaker */
function doings(told, rules, award, speaker) {
  const number = award.award;
  return [
    offered(told, award, "tell_winner", () => tellForm(told, rules, award, speaker)),
    offered(told, award, "offer_alternative", () =>
      sayLater("Offer money instead", speaker, {
        button: `Offer the ${rules.alternative.called}`,
        done: "The money is offered.",
        hint: ruleLink(told.book, rules.alternative.clause),
        line: () => ({ do: "offer_alternative", award: number }),
      }),
    ),
    offered(told, award, "choose_alternative", () =>
      sayLater("The winner takes the money instead", speaker, {
        button: `Record that the winner takes ${dollars(award.alternative)}`,
        done: "The winner takes the money.",
        asked: [{ name: "reason", label: "Why the winner takes the money", kind: "long" }],
        hint: ["It can be undone until it is paid. ", ruleLink(told.book, rules.alternative.clause)],
        line: ({ reason }) => ({ do: "choose_alternative", award: number, reason }),
      }),
    ),
    offered(told, award, "undo_alternative", () =>
      sayLater("The winner wants the prize after all", speaker, {
        button: "Record that the winner wants the prize",
        done: "The winner takes the prize, not the money.",
        asked: [{ name: "reason", label: "Why the winner wants the prize after all", kind: "long" }],
        hint: ruleLink(told.book, rules.alternative.clause),
        line: ({ reason }) => ({ do: "undo_alternative", award: number, reason }),
      }),
    ),
    offered(told, award, "choose_forms", () => choiceForm(told, rules, award, speaker)),
    offered(told, award, "pay_prize", () => payForm(told, rules, award, speaker)),
    offered(told, award, "hand_over", () =>
      sayForm(speaker, {
        button: "Hand it over",
        look: "primary",
        done: "The prize is handed over.",
        line: () => ({ do: "hand_over", award: number }),
      }),
    ),
    offered(told, award, "lapse_award", () =>
      sayLater("It was not claimed", speaker, {
        button: "Let it lapse",
        look: "danger",
        done: "The award has lapsed.",
        asked: [{ name: "reason", label: "Which term was not met", kind: "long" }],
        hint: ["The prize is then drawn again. ", ruleLink(told.book, rules.winners.clause)],
        line: ({ reason }) => ({ do: "lapse_award", award: number, reason }),
      }),
    ),
    offered(told, award, "decline", () =>
      sayLater("The winner does not want it", speaker, {
        button: "Record that it is declined",
        look: "danger",
        done: "The award is declined.",
        asked: [{ name: "reason", label: "What the winner said", kind: "long" }],
        hint: "The prize is then drawn again. ",
        line: ({ reason }) => ({ do: "lapse_award", award: number, reason, declined: true }),
      }),
    ),
  ];
}

/** What the winner says at the desk; above the book's amount nothing is paid before. @param {any} told @param {any} rules @param {any} award @param {Speaker} speaker */
function choiceForm(told, rules, award, speaker) {
  const { forms, clause, winner_chooses_above: above } = rules.payment;
  const isDue = award.winner_chooses && award.forms.length === 0;
  const saying = {
    button: "Record the winner's choice",
    done: "The winner’s choice is recorded.",
    asked: [
      {
        name: "forms",
        label: "How the winner wants to be paid (one or more)",
        kind: /** @type {const} */ ("ticks"),
        choices: forms.map((/** @type {any} */ one) => [one.id, capital(one.name)]),
      },
    ],
    hint: [
      isDue ? `Above ${dollars(above)} the winner chooses, here or on their own page. ` : "",
      ruleLink(told.book, clause),
    ],
    line: (/** @type {any} */ given) => ({ do: "choose_forms", award: award.award, forms: given.forms }),
  };
  return isDue ? sayForm(speaker, saying) : sayLater("The winner says how to be paid", speaker, saying);
}

/** @param {any} told @param {any} rules @param {any} award @param {Speaker} speaker */
function tellForm(told, rules, award, speaker) {
  const waits = award.attempts.every((/** @type {any} */ one) => !one.reached);
  const saying = {
    button: "Record the attempt",
    done: "The attempt is recorded.",
    asked: [
      {
        name: "way",
        label: "How the winner was told",
        kind: /** @type {const} */ ("choice"),
        choices: rules.winners.ways.map((/** @type {any} */ way) => [way.id, capital(readable(way.id))]),
      },
      { name: "reached", label: "It reached the winner", kind: /** @type {const} */ ("tick") },
    ],
    hint: [`Within ${rules.winners.within_days} days of the draw. `, ruleLink(told.book, rules.winners.clause)],
    line: (/** @type {any} */ given) => ({
      do: "tell_winner",
      award: award.award,
      way: given.way,
      reached: given.reached,
    }),
  };
  return waits ? sayForm(speaker, saying) : sayLater("Record another attempt to tell the winner", speaker, saying);
}
