// A player's own part in a promotion: entries, prizes and what to do next, disputes.

import { listed, named, plural, rich, t } from "../shared/catalogue.js";
import { h, inEnglish, ruleLink } from "../shared/dom.js";
import { section } from "../shared/parts.js";
import { capital } from "../shared/words.js";
import { fact } from "./draw.js";
import { foldedForm, lineForm } from "./line-form.js";
import { ownPlay } from "./play.js";
import { dollars, markWords } from "./words.js";

/** @import { OwnPromotion, PrizeRules, Award, Claim, Dispute } from "./words.js" */
/** @import { LineForm, LineSender } from "./line-form.js" */

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {string} me @param {LineSender} sender */
export function ownCard(reply, rules, me, sender) {
  const { own } = reply;
  const tickets = own.entries.reduce((sum, one) => sum + one.weight, 0);
  return section(
    "card own-part",
    "own-title",
    t("Your part"),
    own.awards.map((award) => awardCard(reply, rules, award, me, sender)),
    h(
      "dl.facts",
      fact(t("Your entries"), entriesWords(reply, tickets)),
      own.name && fact(t("Your name in the record"), h("code.hash", own.name)),
    ),
    ownPlay(reply, rules),
    disputes(reply, rules, me, sender),
  );
}

/** @param {OwnPromotion} reply @param {number} tickets */
function entriesWords(reply, tickets) {
  const { entries } = reply.own;
  if (entries.length > 0) {
    const numbers = entries.map((one) => one.number).join(", ");
    return plural(
      tickets,
      "{n} ticket (entry {numbers} of the record)",
      "{n} tickets (entry {numbers} of the record)",
      {
        numbers,
      },
    );
  }
  if (reply.stage === "running" && reply.earning !== null) return t("Counted from your play when entries close");
  return ["filed", "running"].includes(reply.stage) ? t("None yet") : t("None");
}

/** @param {OwnPromotion} reply @param {Award} award */
function prizeOf(reply, award) {
  return reply.prizes.find((one) => one.id === award.prize);
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {string} me @param {LineSender} sender */
function awardCard(reply, rules, award, me, sender) {
  const claim = reply.own.claims.find((one) => one.award === award.award);
  const nature = String(prizeOf(reply, award)?.nature || award.prize);
  const may = (/** @type {string} */ name) => award.offers[name] === null;
  return h(
    "section.award.own-award",
    h(
      "h3",
      ["refused", "lapsed"].includes(award.status)
        ? t("You had won: {prize}", { prize: nature })
        : t("You have won: {prize}", { prize: nature }),
    ),
    h(
      "p",
      rich("{prize}, worth {value}. {standing}", {
        prize: capital(award.prize),
        value: h("strong", dollars(award.value)),
        standing: standing(award, claim),
      }),
    ),
    award.chosen && h("p", rich("You take {amount} instead.", { amount: h("strong", dollars(award.alternative)) })),
    claim?.denied &&
      h(
        "p",
        rich("The house refused the claim: {reason} {rule}", {
          reason: claim.reason,
          rule: ruleLink(reply.book, rules.refusals.clause),
        }),
      ),
    may("make_claim") && claimForm(award, me, sender),
    may("choose_alternative") && alternativeForm(reply, rules, award, sender),
    may("undo_alternative") && undoForm(reply, rules, award, sender),
    may("choose_forms") && formsForm(reply, rules, award, sender),
    may("decline") && declineForm(award, sender),
  );
}

/** @param {Award} award @param {Claim | undefined} claim */
function standing(award, claim) {
  if (award.status === "given") return t("You have received it.");
  if (award.declined) return t("You declined it.");
  if (award.status === "lapsed") return t("It was not claimed as the terms require.");
  if (award.status === "refused") return t("It was not given.");
  return claim ? t("You claimed it: {mark}.", { mark: markWords(claim.made) }) : t("Claim it as the terms describe.");
}

/** @param {Award} award @param {LineSender} sender */
function declineForm(award, sender) {
  return foldedForm(t("I do not want the prize"), sender, {
    button: t("Decline the prize"),
    look: "danger",
    done: t("You have declined the prize."),
    asked: [{ name: "reason", label: t("Reason (optional)"), optional: true }],
    hint: t("It will be drawn again, and you can no longer claim it."),
    line: ({ reason }) => ({
      do: "lapse_award",
      award: award.award,
      reason: reason || "The winner does not want it.",
      declined: true,
    }),
  });
}

/** @param {Award} award @param {string} me @param {LineSender} sender */
function claimForm(award, me, sender) {
  return lineForm(sender, {
    button: t("Claim it"),
    look: "primary",
    done: t("Your claim is recorded."),
    asked: [
      { name: "name", label: t("Your full name"), complete: "name" },
      { name: "address", label: t("Your address"), complete: "street-address" },
    ],
    hint: t("Only those who manage the promotion and inspectors see your name and address."),
    line: () => ({ do: "make_claim", award: award.award, claimant: me }),
    personal: ({ name, address }) => ({ name, address }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function alternativeForm(reply, rules, award, sender) {
  return lineForm(sender, {
    button: t("Take {amount} instead", { amount: dollars(award.alternative) }),
    done: t("You take the money."),
    asked: [{ name: "reason", label: t("Why you take the money") }],
    hint: [
      t("You may take money instead of the prize. You can change your mind until it is paid."),
      " ",
      ruleLink(reply.book, rules.alternative.clause),
    ],
    line: ({ reason }) => ({ do: "choose_alternative", award: award.award, reason }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function undoForm(reply, rules, award, sender) {
  return foldedForm(t("I want the prize after all"), sender, {
    button: t("Take the prize, not the money"),
    done: t("You take the prize, not the money."),
    asked: [{ name: "reason", label: t("Why you want the prize after all") }],
    hint: ruleLink(reply.book, rules.alternative.clause),
    line: ({ reason }) => ({ do: "undo_alternative", award: award.award, reason }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function formsForm(reply, rules, award, sender) {
  const { forms, clause, winner_chooses_above: above } = rules.payment;
  const yours = award.winner_chooses;
  const chosen = forms.filter((one) => award.forms.includes(one.id));
  const words = listed(chosen.map((one) => named(one.name)));
  /** @type {LineForm} */
  const spec = {
    button: t("Choose how I am paid"),
    done: t("Your choice is recorded."),
    asked: [
      {
        name: "forms",
        label: t("How you want to be paid (one or more)"),
        kind: "ticks",
        choices: forms.map((one) => [one.id, capital(named(one.name))]),
      },
    ],
    hint: [
      yours && `${t("Above {amount} the choice is yours.", { amount: dollars(above) })} `,
      ruleLink(reply.book, clause),
    ],
    line: (given) => ({ do: "choose_forms", award: award.award, forms: given.forms }),
  };
  if (chosen.length > 0)
    return [h("p", t("You are paid by {forms}.", { forms: words })), foldedForm(t("Change your choice"), sender, spec)];
  return yours ? lineForm(sender, spec) : foldedForm(t("Choose how you want to be paid"), sender, spec);
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {string} me @param {LineSender} sender */
function disputes(reply, rules, me, sender) {
  return [
    reply.own.disputes.map((one) => disputeWords(reply, rules, one, sender)),
    foldedForm(t("Raise a dispute"), sender, {
      button: t("Raise the dispute"),
      done: t("Your dispute is recorded."),
      asked: [{ name: "about", label: t("What you dispute"), kind: "long" }],
      hint: [t("The operator decides."), " ", ruleLink(reply.book, rules.disputes.clause)],
      line: ({ about }) => ({ do: "raise_dispute", patron: me, about }),
    }),
  ];
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Dispute} one @param {LineSender} sender */
function disputeWords(reply, rules, one, sender) {
  return h(
    "section.award",
    h("h3", t("Your dispute")),
    h("p", t("“{about}”, raised {mark}.", { about: one.about, mark: markWords(one.raised) })),
    one.decided
      ? h("p", h("strong", t("Decided:")), " ", one.decision, " ", h("span.soft", markWords(one.decided)))
      : h("p.soft", t("Not decided yet.")),
    one.advised && h("p", inEnglish(rules.disputes.advice), " ", ruleLink(reply.book, rules.disputes.clause)),
    one.decided &&
      !one.dissatisfied &&
      lineForm(sender, {
        button: t("I am not satisfied"),
        done: t("That is recorded."),
        line: () => ({ do: "note_dissatisfied", dispute: one.dispute }),
      }),
    one.dissatisfied && !one.advised && h("p.soft", t("You are not satisfied. You will be told of your rights.")),
  );
}
