// Doubts about integrity with the notice that the rules require, and disputes with the right to complain.

import { h, ruleLink } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { capital } from "../shared/words.js";
import { foldedForm, lineForm } from "./line-form.js";
import { countdown, markWords, mayDo } from "./words.js";

/** @import { ManagedPromotion, PrizeRules, Dispute, Notice } from "./words.js" */
/** @import { LineSender } from "./line-form.js" */

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender | null} sender null for those who cannot act */
export function integrityCard(reply, rules, sender) {
  const may = mayDo(reply);
  const hours = rules.integrity.within_hours;
  const notice = hours ? `within ${hours} hours` : "at once";
  const waits = reply.notices.some((one) => one.told === null);
  const mayDoubt = ["postpone", "validate", "cancel_draw"].some((word) => may.has(word));
  if (reply.notices.length === 0 && !mayDoubt) return null;
  const reason = { name: "reason", label: "Why its integrity is in doubt", kind: /** @type {const} */ ("long") };
  return h(
    "section",
    { class: `card${reply.postponed ? " alerting" : ""}`, "aria-labelledby": "doubts-title" },
    h("h2", { id: "doubts-title" }, "Integrity"),
    h(
      "p.soft",
      `If the draw is postponed or cancelled, ${rules.integrity.tell} must be told ${notice}. `,
      ruleLink(reply.book, rules.integrity.clause),
    ),
    reply.notices.map((one) => noticeWords(one, rules)),
    sender && [
      waits &&
        may.has("tell_inspector") &&
        lineForm(sender, {
          button: `Record that ${rules.integrity.tell} was told`,
          look: "primary",
          done: "The notice is recorded.",
          line: () => ({ do: "tell_inspector" }),
        }),
      reply.postponed &&
        may.has("validate") &&
        lineForm(sender, {
          button: "Continue the promotion",
          done: "The promotion continues.",
          asked: [{ name: "finding", label: "How its integrity was validated", kind: "long" }],
          line: ({ finding }) => ({ do: "validate", finding }),
        }),
      !reply.postponed &&
        may.has("postpone") &&
        foldedForm("Postpone the draw", sender, {
          button: "Postpone the draw",
          done: "The draw is postponed.",
          asked: [reason],
          line: (given) => ({ do: "postpone", reason: given.reason }),
        }),
      may.has("cancel_draw") &&
        foldedForm("Cancel the draw", sender, {
          button: "Cancel the draw",
          look: "danger",
          done: "The draw is cancelled.",
          asked: [reason],
          line: (given) => ({ do: "cancel_draw", reason: given.reason }),
        }),
    ],
  );
}

/** @param {Notice} one @param {PrizeRules} rules */
function noticeWords(one, rules) {
  return h(
    "p",
    h("strong", one.what === "cancelled" ? "Cancelled" : "Postponed"),
    ` ${when(one.since)}. `,
    one.told
      ? `${capital(rules.integrity.tell)} was told ${markWords(one.told)}.`
      : rules.integrity.within_hours
        ? [`${capital(rules.integrity.tell)} must be told by ${when(one.due)}, `, countdown(one.due), "."]
        : h("strong", `${capital(rules.integrity.tell)} must be told at once.`),
  );
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender | null} sender */
export function disputesCard(reply, rules, sender) {
  const may = mayDo(reply);
  if (reply.disputes.length === 0 && !may.has("raise_dispute")) return null;
  return card(
    "disputes-title",
    "Disputes",
    reply.disputes.length === 0 && h("p.soft", "No disputes."),
    reply.disputes.map((one) => dispute(reply, rules, one, may, sender)),
    sender &&
      may.has("raise_dispute") &&
      foldedForm("Record a dispute", sender, {
        button: "Record the dispute",
        done: "The dispute is recorded.",
        asked: [
          { name: "patron", label: "Who disputes (username)" },
          { name: "about", label: "What is disputed", kind: "long" },
        ],
        line: ({ patron, about }) => ({ do: "raise_dispute", patron, about }),
      }),
  );
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Dispute} one @param {Set<string>} may @param {LineSender | null} sender */
function dispute(reply, rules, one, may, sender) {
  return h(
    "section.award",
    h("h3", `${one.dispute}: ${one.patron}`),
    h("p", `“${one.about}” `, h("span.soft", `raised ${markWords(one.raised)}`)),
    one.decided && h("p", h("strong", "Decided: "), one.decision, " ", h("span.soft", markWords(one.decided))),
    one.dissatisfied && h("p", "Not satisfied ", h("span.soft", markWords(one.dissatisfied))),
    one.advised && h("p", "Told of the right to complain ", h("span.soft", markWords(one.advised))),
    sender && [
      !one.decided &&
        may.has("decide_dispute") &&
        lineForm(sender, {
          button: "Decide",
          done: "The decision is recorded.",
          asked: [{ name: "decision", label: "The decision, which is final", kind: "long" }, ...restoring(one)],
          line: ({ decision, restores }) => ({
            do: "decide_dispute",
            dispute: one.dispute,
            decision,
            restores: restores ? Number(restores) : null,
          }),
        }),
      one.decided &&
        !one.dissatisfied &&
        may.has("note_dissatisfied") &&
        lineForm(sender, {
          button: "The patron is not satisfied",
          done: "That is recorded.",
          line: () => ({ do: "note_dissatisfied", dispute: one.dispute }),
        }),
      !one.advised &&
        may.has("advise_of_right") &&
        lineForm(sender, {
          button: "Tell the patron of the right to complain",
          look: one.dissatisfied ? "primary" : "",
          done: "The patron was told of the right.",
          hint: [`“${rules.disputes.advice}” `, ruleLink(reply.book, rules.disputes.clause)],
          line: () => ({ do: "advise_of_right", dispute: one.dispute }),
        }),
    ],
  );
}

/** What a decision can restore, if anything. @param {Dispute} one @returns {import("./line-form.js").Asked[]} */
function restoring(one) {
  if (!one.restorable?.length) return [];
  const awards = one.restorable.map((/** @type {number} */ number) => [String(number), `Restore award ${number}`]);
  return [
    {
      name: "restores",
      label: "The prize",
      kind: "choice",
      optional: true,
      choices: [["", "Nothing is restored"], ...awards],
    },
  ];
}
