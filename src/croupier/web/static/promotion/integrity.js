// Doubts about integrity with the notice that the rules require, and disputes with the right to complain.

import { named, rich, t } from "../shared/catalogue.js";
import { h, inEnglish, ruleLink } from "../shared/dom.js";
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
  const authority = named(rules.integrity.tell);
  const must = hours
    ? t("If the draw is postponed or cancelled, {authority} must be told within {hours} hours.", { authority, hours })
    : t("If the draw is postponed or cancelled, {authority} must be told at once.", { authority });
  const waits = reply.notices.some((one) => one.told === null);
  const mayDoubt = ["postpone", "validate", "cancel_draw"].some((word) => may.has(word));
  if (reply.notices.length === 0 && !mayDoubt) return null;
  const reason = { name: "reason", label: t("Why its integrity is in doubt"), kind: /** @type {const} */ ("long") };
  return h(
    "section",
    { class: `card${reply.postponed ? " alerting" : ""}`, "aria-labelledby": "doubts-title" },
    h("h2", { id: "doubts-title" }, t("Integrity")),
    h("p.soft", must, " ", ruleLink(reply.book, rules.integrity.clause)),
    reply.notices.map((one) => noticeWords(one, rules)),
    sender && [
      waits &&
        may.has("tell_inspector") &&
        lineForm(sender, {
          button: t("Record that {authority} was told", { authority }),
          look: "primary",
          done: t("The notice is recorded."),
          line: () => ({ do: "tell_inspector" }),
        }),
      reply.postponed &&
        may.has("validate") &&
        lineForm(sender, {
          button: t("Continue the promotion"),
          done: t("The promotion continues."),
          asked: [{ name: "finding", label: t("How its integrity was validated"), kind: "long" }],
          line: ({ finding }) => ({ do: "validate", finding }),
        }),
      !reply.postponed &&
        may.has("postpone") &&
        foldedForm(t("Postpone the draw"), sender, {
          button: t("Postpone the draw"),
          done: t("The draw is postponed."),
          asked: [reason],
          line: (given) => ({ do: "postpone", reason: given.reason }),
        }),
      may.has("cancel_draw") &&
        foldedForm(t("Cancel the draw"), sender, {
          button: t("Cancel the draw"),
          look: "danger",
          done: t("The draw is cancelled."),
          asked: [reason],
          line: (given) => ({ do: "cancel_draw", reason: given.reason }),
        }),
    ],
  );
}

/** @param {Notice} one @param {PrizeRules} rules */
function noticeWords(one, rules) {
  const what = h("strong", one.what === "cancelled" ? t("Cancelled") : t("Postponed"));
  return h("p", what, ` ${when(one.since)}. `, toldWords(one, rules));
}

/** Whether the authority was told, or by when it must be. @param {Notice} one @param {PrizeRules} rules */
function toldWords(one, rules) {
  const authority = capital(named(rules.integrity.tell));
  if (one.told) return t("{authority} was told {mark}.", { authority, mark: markWords(one.told) });
  if (!rules.integrity.within_hours) return h("strong", t("{authority} must be told at once.", { authority }));
  return rich("{authority} must be told by {time}, {countdown}.", {
    authority,
    time: when(one.due),
    countdown: countdown(one.due),
  });
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender | null} sender */
export function disputesCard(reply, rules, sender) {
  const may = mayDo(reply);
  if (reply.disputes.length === 0 && !may.has("raise_dispute")) return null;
  return card(
    "disputes-title",
    t("Disputes"),
    reply.disputes.length === 0 && h("p.soft", t("No disputes.")),
    reply.disputes.map((one) => dispute(reply, rules, one, may, sender)),
    sender &&
      may.has("raise_dispute") &&
      foldedForm(t("Record a dispute"), sender, {
        button: t("Record the dispute"),
        done: t("The dispute is recorded."),
        asked: [
          { name: "patron", label: t("Who disputes (username)") },
          { name: "about", label: t("What is disputed"), kind: "long" },
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
    h("p", `“${one.about}” `, h("span.soft", t("raised {mark}", { mark: markWords(one.raised) }))),
    one.decided && h("p", h("strong", t("Decided:")), " ", one.decision, " ", h("span.soft", markWords(one.decided))),
    one.dissatisfied && h("p", t("Not satisfied"), " ", h("span.soft", markWords(one.dissatisfied))),
    one.advised && h("p", t("Told of the right to complain"), " ", h("span.soft", markWords(one.advised))),
    sender && [
      !one.decided &&
        may.has("decide_dispute") &&
        lineForm(sender, {
          button: t("Decide"),
          done: t("The decision is recorded."),
          asked: [{ name: "decision", label: t("The decision, which is final"), kind: "long" }, ...restoring(one)],
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
          button: t("The patron is not satisfied"),
          done: t("That is recorded."),
          line: () => ({ do: "note_dissatisfied", dispute: one.dispute }),
        }),
      !one.advised &&
        may.has("advise_of_right") &&
        lineForm(sender, {
          button: t("Tell the patron of the right to complain"),
          look: one.dissatisfied ? "primary" : "",
          done: t("The patron was told of the right."),
          hint: ["“", inEnglish(rules.disputes.advice), "” ", ruleLink(reply.book, rules.disputes.clause)],
          line: () => ({ do: "advise_of_right", dispute: one.dispute }),
        }),
    ],
  );
}

/** What a decision can restore, if anything. @param {Dispute} one @returns {import("./line-form.js").Asked[]} */
function restoring(one) {
  if (!one.restorable?.length) return [];
  const awards = one.restorable.map((/** @type {number} */ number) => [
    String(number),
    t("Restore award {number}", { number }),
  ]);
  return [
    {
      name: "restores",
      label: t("The prize"),
      kind: "choice",
      optional: true,
      choices: [["", t("Nothing is restored")], ...awards],
    },
  ];
}
