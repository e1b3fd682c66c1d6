// The progress of a promotion: its stage, and what its managers can do now.

import { named, rich, t } from "../shared/catalogue.js";
import { h, ruleLink } from "../shared/dom.js";
import { facts } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { capital, readable } from "../shared/words.js";
import { foldedForm, lineForm } from "./line-form.js";
import { countdown, dollars, markWords, mayDo } from "./words.js";

/** @import { ManagedPromotion, PrizeRules } from "./words.js" */
/** @import { LineSender, LineForm } from "./line-form.js" */
/**
 * A step of a promotion. `waits`: it comes next; otherwise it is folded, or left out if `only`.
 * @typedef {object} Step
 * @property {string} do @property {(reply: ManagedPromotion, rules: PrizeRules) => boolean} waits @property {boolean} [only]
 * @property {(reply: ManagedPromotion, rules: PrizeRules) => LineForm} spec
 */

/** @type {[string, string, (reply: ManagedPromotion) => string | null][]} */
const STAGES = [
  ["draft", t("Draft"), () => null],
  ["filed", t("Filed"), (reply) => reply.filed?.at ?? null],
  ["running", t("Running"), (reply) => reply.times.starts],
  ["entries closed", t("Entries closed"), (reply) => reply.times.entries_close],
  ["drawn", t("Drawn"), (reply) => reply.times.awarded_at],
  ["closed", t("Closed"), () => null],
];

/** Whether the house would accept it now. @param {ManagedPromotion} reply @param {string} word */
function isTaken(reply, word) {
  return reply.may.some((one) => one.do === word && one.refused === null);
}

/** Whether a scrutineer must still be named, by the duties. @param {ManagedPromotion} reply */
function wantsScrutineer(reply) {
  return reply.duties.some((duty) => duty.id === "scrutineer" && duty.done_at === null);
}

/** @type {Step[]} */
const STEPS = [
  {
    do: "file_terms",
    only: true,
    waits: (reply) => reply.stage !== "draft" && reply.amendments.some((one) => one.sent === null),
    spec: (reply, rules) => ({
      button: t("Send the amended terms to {authority}", { authority: named(rules.filing.with) }),
      look: "primary",
      done: t("The amended terms are sent."),
      hint: [t("As soon as possible after the change."), " ", ruleLink(reply.book, rules.amending.clause)],
      line: () => ({ do: "file_terms" }),
    }),
  },
  {
    do: "record_approval",
    only: true,
    waits: (reply) => reply.proposed !== null,
    spec: (reply, rules) => ({
      button: t("Record the approval"),
      look: "primary",
      done: t("The amendment is in force."),
      asked: [{ name: "reference", label: t("Reference of the approval") }],
      hint: [
        t("The amendment awaits approval. Until then the old terms apply."),
        " ",
        ruleLink(reply.book, rules.amending.clause),
      ],
      line: ({ reference }) => ({ do: "record_approval", reference }),
    }),
  },
  {
    do: "publish_terms",
    waits: (reply) => reply.stage !== "draft" && (reply.published === null || !reply.in_marketing),
    spec: (reply, rules) => ({
      button: t("Record"),
      look: "primary",
      done: t("The terms are available."),
      asked: [
        { name: "means", label: t("How patrons can get the terms") },
        { name: "in_marketing", label: t("The marketing refers to the terms"), kind: "tick" },
      ],
      hint: ruleLink(reply.book, rules.availability.clause),
      line: ({ means, in_marketing }) => ({ do: "publish_terms", means, in_marketing }),
    }),
  },
  {
    do: "start_promotion",
    only: true,
    waits: (reply) => reply.stage === "filed",
    spec: (reply) => ({
      button: t("Start the promotion"),
      look: "primary",
      done: t("The promotion has started."),
      hint:
        reply.times.starts &&
        rich("Start according to the terms: {countdown}.", { countdown: countdown(reply.times.starts) }),
      line: () => ({ do: "start_promotion" }),
    }),
  },
  {
    do: "name_scrutineer",
    waits: (reply) => reply.stage !== "draft" && wantsScrutineer(reply),
    spec: (reply, rules) => ({
      button: t("Name the scrutineer"),
      look: "primary",
      done: t("The scrutineer is named."),
      asked: [{ name: "name", label: t("Who oversees the draw") }],
      hint: [
        t("A prize worth more than {amount} needs a scrutineer.", { amount: dollars(rules.scrutineer.above) }),
        " ",
        ruleLink(reply.book, rules.scrutineer.clause),
      ],
      line: ({ name }) => ({ do: "name_scrutineer", name }),
    }),
  },
  {
    do: "note_scrutineer",
    only: true,
    waits: (reply) => reply.scrutineer !== null && !reply.scrutineer_there && reply.to_draw > 0,
    spec: (reply, rules) => ({
      button: t("The scrutineer is here"),
      done: t("The scrutineer’s presence is recorded."),
      hint: ruleLink(reply.book, rules.scrutineer.clause),
      line: () => ({ do: "note_scrutineer" }),
    }),
  },
  {
    do: "draw_prizes",
    only: true,
    waits: (reply) => reply.to_draw > 0,
    spec: (reply) => ({
      button: reply.stage === "drawn" ? t("Redraw what was not awarded") : t("Draw the prizes"),
      look: "primary",
      done: t("The prizes are drawn."),
      hint:
        reply.times.awarded_at &&
        rich("Draw according to the terms: {countdown}.", { countdown: countdown(reply.times.awarded_at) }),
      line: () => ({ do: "draw_prizes" }),
    }),
  },
  {
    do: "take_entries",
    waits: () => false,
    spec: () => ({
      button: t("Add the entry"),
      done: t("The entry was added."),
      asked: [
        { name: "id", label: t("Name of the entry") },
        { name: "entrant", label: t("Whose it is (username)") },
        { name: "weight", label: t("Tickets"), kind: "count" },
        { name: "reason", label: t("Why it is added by hand"), kind: "long" },
      ],
      line: ({ id, entrant, weight, reason }) => ({ do: "take_entries", entries: [{ id, entrant, weight }], reason }),
    }),
  },
  {
    do: "close_promotion",
    waits: (reply) => !isBeforeTheStart(reply) && isTaken(reply, "close_promotion"),
    spec: (reply) => {
      const early = isBeforeTheStart(reply);
      const left = reply.stage === "drawn" && reply.to_draw > 0;
      return {
        button: early ? t("Abandon the promotion") : t("Close the promotion"),
        look: early ? "danger" : "primary",
        done: early ? t("The promotion was abandoned.") : t("The promotion is closed."),
        asked: left ? [{ name: "reason", label: t("Why a prize is not drawn again"), kind: "long" }] : [],
        hint: early && t("It will never start, and can no longer be changed."),
        line: ({ reason }) => ({ do: "close_promotion", ...(left ? { reason } : {}) }),
      };
    },
  },
];

/** @type {Record<string, string>} */
const FOLDED = {
  publish_terms: t("Make the terms available in another way"),
  name_scrutineer: t("Name a scrutineer"),
  take_entries: t("Add an entry by hand"),
  close_promotion: t("Close the promotion"),
};

/** @param {ManagedPromotion} reply */
function isBeforeTheStart(reply) {
  return reply.draw.commitment === null && reply.stage !== "cancelled";
}

/** The last stage that a finished promotion had reached. @param {ManagedPromotion} reply */
function reached(reply) {
  const { commitment, results, nobody } = reply.draw;
  if (results.length + nobody.length > 0) return "drawn";
  if (commitment === null) return reply.filed ? "filed" : "draft";
  return reply.entries_closed ? "entries closed" : "running";
}

/** The stages as a bar. @param {ManagedPromotion} reply */
export function stepsBar(reply) {
  const placeOf = (/** @type {string} */ named) => STAGES.findIndex(([stage]) => stage === named);
  const place = placeOf(reply.stage === "new" ? "draft" : reply.stage);
  const came = ["closed", "cancelled"].includes(reply.stage) ? placeOf(reached(reply)) : place - 1;
  return h(
    "ol",
    { class: `course${reply.stage === "cancelled" ? " stopped" : ""}`, "aria-label": t("Progress of the promotion") },
    STAGES.map(([, words, at], step) => {
      const past = step <= came || (step === place && reply.stage === "closed");
      const time = past || step >= place ? at(reply) : null;
      return h(
        "li",
        { class: past ? "past" : step === place ? "here" : "", "aria-current": step === place ? "step" : null },
        h("span.dot", { "aria-hidden": "true" }, past ? "✓" : step + 1),
        h("span.words", words, time && h("span.soft", when(time))),
      );
    }),
    reply.stage === "cancelled" &&
      h(
        "li.here",
        { "aria-current": "step" },
        h("span.dot", { "aria-hidden": "true" }, "!"),
        h("span.words", t("Cancelled")),
      ),
  );
}

/**
 * What is recorded of its progress.
 * @param {ManagedPromotion} reply @param {string | null} scrutineer @param {Map<string, string>} tables
 */
export function courseFacts(reply, scrutineer, tables) {
  const rows = /** @type {[string, string | null][]} */ ([
    [t("Filed"), reply.filed && markWords(reply.filed)],
    [
      t("Available to patrons"),
      reply.published &&
        [markWords(reply.published), reply.in_marketing && t("the marketing refers to it")].filter(Boolean).join("; "),
    ],
    [
      t("Amended"),
      reply.amendments
        .map(({ made, sent }) => {
          const words = { made: markWords(made), sent: markWords(sent) };
          return sent ? t("{made}, sent {sent}", words) : t("{made}, not sent yet", words);
        })
        .join("; ") || null,
    ],
    [
      t("Scrutineer"),
      reply.scrutineer &&
        [`${scrutineer ?? t("named")}, ${markWords(reply.scrutineer)}`, reply.scrutineer_there && t("is here")]
          .filter(Boolean)
          .join("; "),
    ],
    [t("Entrants"), reply.draw.commitment && String(reply.entrants)],
    [t("Play counted at"), reply.counted && namesIn(reply.counted.tables, tables)],
  ]);
  return facts(
    rows.filter(([, value]) => value),
    "facts",
  );
}

/** @param {Record<string, number>} counted @param {Map<string, string>} tables */
function namesIn(counted, tables) {
  const names = Object.keys(counted).map((id) => tables.get(id) ?? id);
  return names.join(", ");
}

/** @param {string} word @param {ManagedPromotion} reply */
function foldedWords(word, reply) {
  if (word === "close_promotion" && isBeforeTheStart(reply)) return t("Abandon it before it starts");
  return FOLDED[word] ?? capital(readable(word));
}

/** The same without a primary button, for what does not come next. @param {LineForm} spec @returns {LineForm} */
function quieter(spec) {
  return { ...spec, look: spec.look === "danger" ? "danger" : "" };
}

/** What can be done now. @param {ManagedPromotion} reply @param {PrizeRules} rules @param {LineSender} sender */
export function courseForms(reply, rules, sender) {
  const may = mayDo(reply);
  const known = STEPS.filter((step) => may.has(step.do));
  const next = known.filter((step) => step.waits(reply, rules));
  const folded = known.filter((step) => !step.only && !next.includes(step));
  return h(
    "div.course-forms",
    next.length > 0 && h("h3", t("To do now")),
    next.map((step) => h("div.next-step", lineForm(sender, step.spec(reply, rules)))),
    folded.map((step) => foldedForm(foldedWords(step.do, reply), sender, quieter(step.spec(reply, rules)))),
  );
}
