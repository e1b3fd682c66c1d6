// A player's own part in a promotion: entries, prizes and what to do next, disputes.

import { h, ruleLink } from "../shared/dom.js";
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
    "Your part",
    own.awards.map((award) => awardCard(reply, rules, award, me, sender)),
    h(
      "dl.facts",
      fact("Your entries", entriesWords(reply, tickets)),
      own.name && fact("Your name in the record", h("code.hash", own.name)),
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
    return `${tickets} ${tickets === 1 ? "ticket" : "tickets"} (entry ${numbers} of the record)`;
  }
  if (reply.stage === "running" && reply.earning !== null) return "Counted from your play when entries close";
  return ["filed", "running"].includes(reply.stage) ? "None yet" : "None";
}

/** @param {OwnPromotion} reply @param {Award} award */
function prizeOf(reply, award) {
  return reply.prizes.find((one) => one.id === award.prize);
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {string} me @param {LineSender} sender */
function awardCard(reply, rules, award, me, sender) {
  const claim = reply.own.claims.find((one) => one.award === award.award);
  const nature = prizeOf(reply, award)?.nature || award.prize;
  const may = (/** @type {string} */ name) => award.offers[name] === null;
  return h(
    "section.award.own-award",
    h("h3", `${["refused", "lapsed"].includes(award.status) ? "You had won" : "You have won"}: ${nature}`),
    h("p", `${capital(award.prize)}, worth `, h("strong", dollars(award.value)), `. ${standing(award, claim)}`),
    award.chosen && h("p", "You take ", h("strong", dollars(award.alternative)), " instead."),
    claim?.denied &&
      h("p", `The house refused the claim: ${claim.reason} `, ruleLink(reply.book, rules.refusals.clause)),
    may("make_claim") && claimForm(award, me, sender),
    may("choose_alternative") && alternativeForm(reply, rules, award, sender),
    may("undo_alternative") && undoForm(reply, rules, award, sender),
    may("choose_forms") && formsForm(reply, rules, award, sender),
    may("decline") && declineForm(award, sender),
  );
}

/** @param {Award} award @param {Claim | undefined} claim */
function standing(award, claim) {
  if (award.status === "given") return "You have received it.";
  if (award.declined) return "You declined it.";
  if (award.status === "lapsed") return "It was not claimed as the terms require.";
  if (award.status === "refused") return "It was not given.";
  return claim ? `You claimed it: ${markWords(claim.made)}.` : "Claim it as the terms describe.";
}

/** @param {Award} award @param {LineSender} sender */
function declineForm(award, sender) {
  return foldedForm("I do not want the prize", sender, {
    button: "Decline the prize",
    look: "danger",
    done: "You have declined the prize.",
    asked: [{ name: "reason", label: "Reason (optional)", optional: true }],
    hint: "It will be drawn again, and you can no longer claim it.",
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
    button: "Claim it",
    look: "primary",
    done: "Your claim is recorded.",
    asked: [
      { name: "name", label: "Your full name", complete: "name" },
      { name: "address", label: "Your address", complete: "street-address" },
    ],
    hint: "Only those who manage the promotion and inspectors see your name and address.",
    line: () => ({ do: "make_claim", award: award.award, claimant: me }),
    personal: ({ name, address }) => ({ name, address }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function alternativeForm(reply, rules, award, sender) {
  return lineForm(sender, {
    button: `Take ${dollars(award.alternative)} instead`,
    done: "You take the money.",
    asked: [{ name: "reason", label: "Why you take the money" }],
    hint: [
      "You may take money instead of the prize. You can change your mind until it is paid. ",
      ruleLink(reply.book, rules.alternative.clause),
    ],
    line: ({ reason }) => ({ do: "choose_alternative", award: award.award, reason }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function undoForm(reply, rules, award, sender) {
  return foldedForm("I want the prize after all", sender, {
    button: "Take the prize, not the money",
    done: "You take the prize, not the money.",
    asked: [{ name: "reason", label: "Why you want the prize after all" }],
    hint: ruleLink(reply.book, rules.alternative.clause),
    line: ({ reason }) => ({ do: "undo_alternative", award: award.award, reason }),
  });
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender} sender */
function formsForm(reply, rules, award, sender) {
  const { forms, clause, winner_chooses_above: above } = rules.payment;
  const yours = award.winner_chooses;
  const chosen = forms.filter((one) => award.forms.includes(one.id));
  const words = chosen.map((one) => one.name).join(" and ");
  /** @type {LineForm} */
  const spec = {
    button: "Choose how I am paid",
    done: "Your choice is recorded.",
    asked: [
      {
        name: "forms",
        label: "How you want to be paid (one or more)",
        kind: "ticks",
        choices: forms.map((one) => [one.id, capital(one.name)]),
      },
    ],
    hint: [yours ? `Above ${dollars(above)} the choice is yours. ` : "", ruleLink(reply.book, clause)],
    line: (given) => ({ do: "choose_forms", award: award.award, forms: given.forms }),
  };
  if (chosen.length > 0) return [h("p", `You are paid by ${words}.`), foldedForm("Change your choice", sender, spec)];
  return yours ? lineForm(sender, spec) : foldedForm("Choose how you want to be paid", sender, spec);
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {string} me @param {LineSender} sender */
function disputes(reply, rules, me, sender) {
  return [
    reply.own.disputes.map((one) => disputeWords(reply, rules, one, sender)),
    foldedForm("Raise a dispute", sender, {
      button: "Raise the dispute",
      done: "Your dispute is recorded.",
      asked: [{ name: "about", label: "What you dispute", kind: "long" }],
      hint: ["The operator decides. ", ruleLink(reply.book, rules.disputes.clause)],
      line: ({ about }) => ({ do: "raise_dispute", patron: me, about }),
    }),
  ];
}

/** @param {OwnPromotion} reply @param {PrizeRules} rules @param {Dispute} one @param {LineSender} sender */
function disputeWords(reply, rules, one, sender) {
  return h(
    "section.award",
    h("h3", "Your dispute"),
    h("p", `“${one.about}”, raised ${markWords(one.raised)}.`),
    one.decided
      ? h("p", h("strong", "Decided: "), one.decision, " ", h("span.soft", markWords(one.decided)))
      : h("p.soft", "Not decided yet."),
    one.advised && h("p", rules.disputes.advice, " ", ruleLink(reply.book, rules.disputes.clause)),
    one.decided &&
      !one.dissatisfied &&
      lineForm(sender, {
        button: "I am not satisfied",
        done: "That is recorded.",
        line: () => ({ do: "note_dissatisfied", dispute: one.dispute }),
      }),
    one.dissatisfied && !one.advised && h("p.soft", "You are not satisfied. You will be told of your rights."),
  );
}
