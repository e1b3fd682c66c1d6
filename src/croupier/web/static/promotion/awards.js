// Awards, for managers: telling the winner, claims, money instead of the prize, payment, handing over, lapsing.

import { listed, named, t } from "../shared/catalogue.js";
import { h, inEnglish, ruleLink } from "../shared/dom.js";
import { alertLine, button, card, select, submitting } from "../shared/parts.js";
import { capital, cents, money, readable, sample } from "../shared/words.js";
import { claimsOf } from "./claims.js";
import { amount, foldedForm, lineForm, sending } from "./line-form.js";
import { dollars, markWords } from "./words.js";

/** @import { ManagedPromotion, PrizeRules, Award } from "./words.js" */
/** @import { LineForm, LineSender } from "./line-form.js" */

/** @type {Record<string, [string, string]>} */
const STATUS = {
  drawn: [t("to be given"), "warn"],
  given: [t("given"), "on"],
  refused: [t("claim refused"), ""],
  lapsed: [t("lapsed"), ""],
};

/**
 * @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender | null} sender
 * @param {Map<number, string>} given how each award was given
 */
export function awardsCard(reply, rules, sender, given) {
  if (reply.awards.length === 0) return null;
  return card(
    "awards-title",
    t("Awards"),
    reply.awards.map((award) => awardBlock(reply, rules, award, sender, given.get(award.award) ?? null)),
  );
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender | null} sender @param {string | null} given */
function awardBlock(reply, rules, award, sender, given) {
  const [words, look] = STATUS[award.status] ?? [award.status, ""];
  const isOpen = award.status === "drawn";
  return h(
    "section.award",
    { "aria-label": t("Award {award}", { award: award.award }) },
    h(
      "div.row.spread",
      h("h3", `${award.award}. ${capital(award.prize)}: ${award.entrant}`),
      h("span", { class: `pill ${look}` }, words),
    ),
    h("p", h("strong", dollars(award.value)), valueWords(rules, award, given)),
    attempts(award),
    claimsOf(reply, rules, award, sender),
    sender && isOpen && h("div.award-forms", doings(reply, rules, award, sender)),
  );
}

/** What else there is to say of its value: money instead, the form of payment, how it was given. @param {PrizeRules} rules @param {Award} award @param {string | null} given */
function valueWords(rules, award, given) {
  const amount = dollars(award.alternative);
  const forms = listed(award.forms.map((id) => formName(rules, id)));
  const words = [
    award.alternative &&
      (award.chosen
        ? t("{amount} offered instead, and chosen", { amount })
        : t("{amount} offered instead", { amount })),
    award.forms.length > 0 && t("the winner chose {forms}", { forms }),
    given,
  ];
  return words.filter(Boolean).map((one) => `; ${one}`);
}

/** @param {PrizeRules} rules @param {string} id */
export function formName(rules, id) {
  return named(rules.payment.forms.find((one) => one.id === id)?.name ?? readable(id));
}

/** @param {Award} award */
function attempts(award) {
  if (award.attempts.length === 0)
    return award.status === "drawn" && h("p.soft", t("No attempt to tell the winner yet."));
  return h(
    "ul.attempts",
    award.attempts.map((one) =>
      h(
        "li",
        `${capital(readable(one.way))}: `,
        h("strong", one.reached ? t("reached") : t("not reached")),
        " ",
        h("span.soft", markWords(one)),
      ),
    ),
  );
}

/** What cannot be done yet, in words. @type {Record<string, string>} */
const WANTED = {
  tell_winner: t("To tell the winner"),
  offer_alternative: t("To offer money instead"),
  choose_alternative: t("To take the money instead"),
  undo_alternative: t("To have the prize after all"),
  choose_forms: t("To say how it is paid"),
  pay_prize: t("To pay it"),
  hand_over: t("To hand it over"),
  lapse_award: t("To let it lapse"),
  decline: t("To decline it"),
};

/** A form for what can be done with an award, or why it cannot be done yet, or nothing. @param {ManagedPromotion} reply @param {Award} award @param {string} name @param {() => any} form */
function offered(reply, award, name, form) {
  if (!(name in award.offers)) return null;
  const refused = award.offers[name];
  if (!refused) return form();
  const what = h("strong", `${WANTED[name] ?? capital(readable(name))}: `);
  return h("p.soft", what, inEnglish(refused.message), " ", ruleLink(reply.book, refused.clause));
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function doings(reply, rules, award, sender) {
  const number = award.award;
  return [
    offered(reply, award, "tell_winner", () => tellForm(reply, rules, award, sender)),
    offered(reply, award, "offer_alternative", () =>
      foldedForm(t("Offer money instead"), sender, {
        button: t("Offer the {called}", { called: named(rules.alternative.called) }),
        done: t("The money is offered."),
        hint: ruleLink(reply.book, rules.alternative.clause),
        line: () => ({ do: "offer_alternative", award: number }),
      }),
    ),
    offered(reply, award, "choose_alternative", () =>
      foldedForm(t("The winner takes the money instead"), sender, {
        button: t("Record that the winner takes {amount}", { amount: dollars(award.alternative) }),
        done: t("The winner takes the money."),
        asked: [{ name: "reason", label: t("Why the winner takes the money"), kind: "long" }],
        hint: [t("It can be undone until it is paid."), " ", ruleLink(reply.book, rules.alternative.clause)],
        line: ({ reason }) => ({ do: "choose_alternative", award: number, reason }),
      }),
    ),
    offered(reply, award, "undo_alternative", () =>
      foldedForm(t("The winner wants the prize after all"), sender, {
        button: t("Record that the winner wants the prize"),
        done: t("The winner takes the prize, not the money."),
        asked: [{ name: "reason", label: t("Why the winner wants the prize after all"), kind: "long" }],
        hint: ruleLink(reply.book, rules.alternative.clause),
        line: ({ reason }) => ({ do: "undo_alternative", award: number, reason }),
      }),
    ),
    offered(reply, award, "choose_forms", () => choiceForm(reply, rules, award, sender)),
    offered(reply, award, "pay_prize", () => payForm(reply, rules, award, sender)),
    offered(reply, award, "hand_over", () =>
      lineForm(sender, {
        button: t("Hand it over"),
        look: "primary",
        done: t("The prize is handed over."),
        line: () => ({ do: "hand_over", award: number }),
      }),
    ),
    offered(reply, award, "lapse_award", () =>
      foldedForm(t("It was not claimed"), sender, {
        button: t("Let it lapse"),
        look: "danger",
        done: t("The award has lapsed."),
        asked: [{ name: "reason", label: t("Which term was not met"), kind: "long" }],
        hint: [t("The prize is then drawn again."), " ", ruleLink(reply.book, rules.winners.clause)],
        line: ({ reason }) => ({ do: "lapse_award", award: number, reason }),
      }),
    ),
    offered(reply, award, "decline", () =>
      foldedForm(t("The winner does not want it"), sender, {
        button: t("Record that it is declined"),
        look: "danger",
        done: t("The award is declined."),
        asked: [{ name: "reason", label: t("What the winner said"), kind: "long" }],
        hint: t("The prize is then drawn again."),
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
    button: t("Record the winner's choice"),
    done: t("The winner’s choice is recorded."),
    asked: [
      {
        name: "forms",
        label: t("How the winner wants to be paid (one or more)"),
        kind: "ticks",
        choices: forms.map((one) => [one.id, capital(named(one.name))]),
      },
    ],
    hint: [
      isDue && `${t("Above {amount} the winner chooses, here or on their own page.", { amount: dollars(above) })} `,
      ruleLink(reply.book, clause),
    ],
    line: (given) => ({ do: "choose_forms", award: award.award, forms: given.forms }),
  };
  return isDue ? lineForm(sender, spec) : foldedForm(t("The winner says how to be paid"), sender, spec);
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function tellForm(reply, rules, award, sender) {
  const waits = award.attempts.every((one) => !one.reached);
  /** @type {LineForm} */
  const spec = {
    button: t("Record the attempt"),
    done: t("The attempt is recorded."),
    asked: [
      {
        name: "way",
        label: t("How the winner was told"),
        kind: "choice",
        choices: rules.winners.ways.map((way) => [way.id, capital(readable(way.id))]),
      },
      { name: "reached", label: t("It reached the winner"), kind: "tick" },
    ],
    hint: [
      t("Within {days} days of the draw.", { days: rules.winners.within_days }),
      " ",
      ruleLink(reply.book, rules.winners.clause),
    ],
    line: (given) => ({
      do: "tell_winner",
      award: award.award,
      way: given.way,
      reached: given.reached,
    }),
  };
  return waits ? lineForm(sender, spec) : foldedForm(t("Record another attempt to tell the winner"), sender, spec);
}

/**
 * Paying a prize of money, in one part or several, each in a form that the rules allow.
 * @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender
 */
function payForm(reply, rules, award, sender) {
  const due = award.due ?? "0.00";
  const forms = rules.payment.forms.map((one) => [one.id, capital(named(one.name))]);
  const problem = alertLine();
  const rows = h("div.parts");
  const pay = h("button.primary", { type: "submit" }, t("Pay {amount}", { amount: dollars(due) }));
  const add = (/** @type {string} */ chosen, /** @type {string} */ value) => {
    const part = rows.childElementCount + 1;
    const form = select(forms, { name: "form", "aria-label": t("Form of part {part}", { part }) }, chosen);
    const props = {
      name: "amount",
      "aria-label": t("Amount of part {part}", { part }),
      inputmode: "decimal",
      required: true,
    };
    rows.append(h("div.part", form, h("input", { ...props, value: sample(value) })));
  };
  const send = () => {
    const data = new FormData(form);
    const sums = data.getAll("amount").map((one) => amount(String(one)));
    const all = data.getAll("form").map((one, place) => ({ form: String(one), amount: sums[place] ?? "" }));
    const parts = all.filter((part) => part.amount !== "");
    const line = () => sender.send({ do: "pay_prize", award: award.award, parts });
    return sending(sender, problem, pay, line, t("The prize is paid."));
  };
  const another = button(t("Another part"), () => add("", left(form, due)), "quiet");
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
