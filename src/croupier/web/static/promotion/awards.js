// Awards, for managers: telling the winner, claims, money instead of the prize, payment, handing over, lapsing.

import { h, ruleLink } from "../shared/dom.js";
import { alertLine, button, card, select, submitting } from "../shared/parts.js";
import { capital, cents, money, readable } from "../shared/words.js";
import { claimsOf } from "./claims.js";
import { amount, foldedForm, lineForm, sending } from "./line-form.js";
import { dollars, markWords } from "./words.js";

/** @import { ManagedPromotion, PrizeRules, Award } from "./words.js" */
/** @import { LineForm, LineSender } from "./line-form.js" */

/** @type {Record<string, [string, string]>} */
const STATUS = {
  drawn: ["to be given", "warn"],
  given: ["given", "on"],
  refused: ["claim refused", ""],
  lapsed: ["lapsed", ""],
};

/**
 * @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender | null} sender
 * @param {Map<number, string>} given how each award was given
 */
export function awardsCard(reply, rules, sender, given) {
  if (reply.awards.length === 0) return null;
  return card(
    "awards-title",
    "Awards",
    reply.awards.map((award) => awardBlock(reply, rules, award, sender, given.get(award.award) ?? null)),
  );
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender | null} sender @param {string | null} given */
function awardBlock(reply, rules, award, sender, given) {
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
    claimsOf(reply, rules, award, sender),
    sender && isOpen && h("div.award-forms", doings(reply, rules, award, sender)),
  );
}

/** @param {PrizeRules} rules @param {string} id */
export function formName(rules, id) {
  return rules.payment.forms.find((one) => one.id === id)?.name ?? readable(id);
}

/** @param {Award} award */
function attempts(award) {
  if (award.attempts.length === 0) return award.status === "drawn" && h("p.soft", "No attempt to tell the winner yet.");
  return h(
    "ul.attempts",
    award.attempts.map((one) =>
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

/** What cannot be done yet, in words. @type {Record<string, string>} */
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

/** A form for what can be done with an award, or why it cannot be done yet, or nothing. @param {ManagedPromotion} reply @param {Award} award @param {string} name @param {() => any} form */
function offered(reply, award, name, form) {
  if (!(name in award.offers)) return null;
  const refused = award.offers[name];
  if (!refused) return form();
  const what = h("strong", `${WANTED[name] ?? capital(readable(name))}: `);
  return h("p.soft", what, `${refused.message} `, ruleLink(reply.book, refused.clause));
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function doings(reply, rules, award, sender) {
  const number = award.award;
  return [
    offered(reply, award, "tell_winner", () => tellForm(reply, rules, award, sender)),
    offered(reply, award, "offer_alternative", () =>
      foldedForm("Offer money instead", sender, {
        button: `Offer the ${rules.alternative.called}`,
        done: "The money is offered.",
        hint: ruleLink(reply.book, rules.alternative.clause),
        line: () => ({ do: "offer_alternative", award: number }),
      }),
    ),
    offered(reply, award, "choose_alternative", () =>
      foldedForm("The winner takes the money instead", sender, {
        button: `Record that the winner takes ${dollars(award.alternative)}`,
        done: "The winner takes the money.",
        asked: [{ name: "reason", label: "Why the winner takes the money", kind: "long" }],
        hint: ["It can be undone until it is paid. ", ruleLink(reply.book, rules.alternative.clause)],
        line: ({ reason }) => ({ do: "choose_alternative", award: number, reason }),
      }),
    ),
    offered(reply, award, "undo_alternative", () =>
      foldedForm("The winner wants the prize after all", sender, {
        button: "Record that the winner wants the prize",
        done: "The winner takes the prize, not the money.",
        asked: [{ name: "reason", label: "Why the winner wants the prize after all", kind: "long" }],
        hint: ruleLink(reply.book, rules.alternative.clause),
        line: ({ reason }) => ({ do: "undo_alternative", award: number, reason }),
      }),
    ),
    offered(reply, award, "choose_forms", () => choiceForm(reply, rules, award, sender)),
    offered(reply, award, "pay_prize", () => payForm(reply, rules, award, sender)),
    offered(reply, award, "hand_over", () =>
      lineForm(sender, {
        button: "Hand it over",
        look: "primary",
        done: "The prize is handed over.",
        line: () => ({ do: "hand_over", award: number }),
      }),
    ),
    offered(reply, award, "lapse_award", () =>
      foldedForm("It was not claimed", sender, {
        button: "Let it lapse",
        look: "danger",
        done: "The award has lapsed.",
        asked: [{ name: "reason", label: "Which term was not met", kind: "long" }],
        hint: ["The prize is then drawn again. ", ruleLink(reply.book, rules.winners.clause)],
        line: ({ reason }) => ({ do: "lapse_award", award: number, reason }),
      }),
    ),
    offered(reply, award, "decline", () =>
      foldedForm("The winner does not want it", sender, {
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

/** How the winner wants to be paid; above the book's amount this comes before payment. @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function choiceForm(reply, rules, award, sender) {
  const { forms, clause, winner_chooses_above: above } = rules.payment;
  const isDue = award.winner_chooses && award.forms.length === 0;
  /** @type {LineForm} */
  const spec = {
    button: "Record the winner's choice",
    done: "The winner’s choice is recorded.",
    asked: [
      {
        name: "forms",
        label: "How the winner wants to be paid (one or more)",
        kind: "ticks",
        choices: forms.map((one) => [one.id, capital(one.name)]),
      },
    ],
    hint: [
      isDue ? `Above ${dollars(above)} the winner chooses, here or on their own page. ` : "",
      ruleLink(reply.book, clause),
    ],
    line: (given) => ({ do: "choose_forms", award: award.award, forms: given.forms }),
  };
  return isDue ? lineForm(sender, spec) : foldedForm("The winner says how to be paid", sender, spec);
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function tellForm(reply, rules, award, sender) {
  const waits = award.attempts.every((one) => !one.reached);
  /** @type {LineForm} */
  const spec = {
    button: "Record the attempt",
    done: "The attempt is recorded.",
    asked: [
      {
        name: "way",
        label: "How the winner was told",
        kind: "choice",
        choices: rules.winners.ways.map((way) => [way.id, capital(readable(way.id))]),
      },
      { name: "reached", label: "It reached the winner", kind: "tick" },
    ],
    hint: [`Within ${rules.winners.within_days} days of the draw. `, ruleLink(reply.book, rules.winners.clause)],
    line: (given) => ({
      do: "tell_winner",
      award: award.award,
      way: given.way,
      reached: given.reached,
    }),
  };
  return waits ? lineForm(sender, spec) : foldedForm("Record another attempt to tell the winner", sender, spec);
}

/**
 * Paying a prize of money, in one part or several, each in a form that the rules allow.
 * @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender
 */
function payForm(reply, rules, award, sender) {
  const due = award.due ?? "0.00";
  const forms = rules.payment.forms.map((one) => [one.id, capital(one.name)]);
  const problem = alertLine();
  const rows = h("div.parts");
  const pay = h("button.primary", { type: "submit" }, `Pay ${dollars(due)}`);
  const add = (/** @type {string} */ chosen, /** @type {string} */ value) => {
    const part = rows.childElementCount + 1;
    const form = select(forms, { name: "form", "aria-label": `Form of part ${part}` }, chosen);
    const props = { name: "amount", "aria-label": `Amount of part ${part}`, inputmode: "decimal", required: true };
    rows.append(h("div.part", form, h("input", { ...props, value })));
  };
  const send = () => {
    const data = new FormData(form);
    const sums = data.getAll("amount").map((one) => amount(String(one)));
    const all = data.getAll("form").map((one, place) => ({ form: String(one), amount: sums[place] ?? "" }));
    const parts = all.filter((part) => part.amount !== "");
    const line = () => sender.send({ do: "pay_prize", award: award.award, parts });
    return sending(sender, problem, pay, line, "The prize is paid.");
  };
  const another = button("Another part", () => add("", left(form, due)), "quiet");
  const form = h(
    "form.say.pay",
    { onsubmit: submitting(send) },
    rows,
    h("p.soft", ruleLink(reply.book, rules.payment.clause)),
    h("div.row", pay, another),
    problem,
  );
  /** @type {string[]} */
  const first = award.forms.length > 0 ? award.forms : [forms[0]?.[0] ?? ""];
  for (const [place, id] of first.entries()) add(id, place === 0 ? due : "");
  return form;
}

/** What is left to pay after the parts so far. @param {HTMLFormElement} form @param {string} due */
function left(form, due) {
  const sums = new FormData(form).getAll("amount").map((one) => amount(String(one)));
  if (!sums.every((one) => /^\d+\.\d\d$/.test(one))) return "";
  const rest = cents(due) - sums.reduce((sum, one) => sum + cents(one), 0n);
  return rest > 0n ? money(rest) : "";
}
