// The course of a promotion: how far it has come, and what can be said of it now by those who manage it.

import { h, ruleLink } from "../shared/dom.js";
import { facts } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { capital, readable } from "../shared/words.js";
import { sayForm, sayLater } from "./statement.js";
import { countdown, dollars, markWords } from "./words.js";

/** @typedef {import("./statement.js").Speaker} Speaker */
/** @typedef {import("./statement.js").Saying} Saying */
/**
 * Something that is said in the course of it. `waits`: it is what comes next; otherwise it is folded away, or left out
 * where `only` says so.
 * @typedef {object} Step
 * @property {string} do @property {(told: any, rules: any) => boolean} waits @property {boolean} [only]
 * @property {(told: any, rules: any) => Saying} saying
 */

/** @type {[string, string, (told: any) => string | null][]} */
const STAGES = [
  ["draft", "Draft", () => null],
  ["filed", "Filed", (told) => told.filed?.at ?? null],
  ["running", "Running", (told) => told.times.starts],
  ["entries closed", "Entries closed", (told) => told.times.entries_close],
  ["drawn", "Drawn", (told) => told.times.awarded_at],
  ["closed", "Closed", () => null],
];

/** Whether it would be taken now. @param {any} told @param {string} word */
function isTaken(told, word) {
  return told.may.some((/** @type {any} */ one) => one.do === word && one.refused === null);
}

/** Whether a scrutineer is still to be named, by the list of duties. @param {any} told */
function wantsScrutineer(told) {
  return told.duties.some((/** @type {any} */ duty) => duty.id === "scrutineer" && duty.done_at === null);
}

/** @type {Step[]} */
const STEPS = [
  {
    do: "file_terms",
    only: true,
    waits: (told) => told.stage !== "draft" && told.amendments.some((/** @type {any} */ one) => one.sent === null),
    saying: (told, rules) => ({
      button: `Send the amended terms to ${rules.filing.with}`,
      look: "primary",
      done: "The amended terms are sent.",
      hint: ["As soon as possible after the change. ", ruleLink(told.book, rules.amending.clause)],
      line: () => ({ do: "file_terms" }),
    }),
  },
  {
    do: "record_approval",
    only: true,
    waits: (told) => told.proposed !== null,
    saying: (told, rules) => ({
      button: "Record the approval",
      look: "primary",
      done: "The amendment is in force.",
      asked: [{ name: "reference", label: "Reference of the approval" }],
      hint: [
        "The amendment awaits approval. Until then the old terms apply. ",
        ruleLink(told.book, rules.amending.clause),
      ],
      line: ({ reference }) => ({ do: "record_approval", reference }),
    }),
  },
  {
    do: "publish_terms",
    waits: (told) => told.stage !== "draft" && (told.published === null || !told.in_marketing),
    saying: (told, rules) => ({
      button: "Record",
      look: "primary",
      done: "The terms are available.",
      asked: [
        { name: "means", label: "How patrons can get the terms" },
        { name: "in_marketing", label: "The marketing refers to the terms", kind: "tick" },
      ],
      hint: ruleLink(told.book, rules.availability.clause),
      line: ({ means, in_marketing }) => ({ do: "publish_terms", means, in_marketing }),
    }),
  },
  {
    do: "start_promotion",
    only: true,
    waits: (told) => told.stage === "filed",
    saying: (told) => ({
      button: "Start the promotion",
      look: "primary",
      done: "The promotion has started.",
      hint: told.times.starts && ["Start according to the terms: ", countdown(told.times.starts), "."],
      line: () => ({ do: "start_promotion" }),
    }),
  },
  {
    do: "name_scrutineer",
    waits: (told) => told.stage !== "draft" && wantsScrutineer(told),
    saying: (told, rules) => ({
      button: "Name the scrutineer",
      look: "primary",
      done: "The scrutineer is named.",
      asked: [{ name: "name", label: "Who oversees the draw" }],
      hint: [
        `A prize worth more than ${dollars(rules.scrutineer.above)} needs a scrutineer. `,
        ruleLink(told.book, rules.scrutineer.clause),
      ],
      line: ({ name }) => ({ do: "name_scrutineer", name }),
    }),
  },
  {
    do: "note_scrutineer",
    only: true,
    waits: (told) => told.scrutineer !== null && !told.scrutineer_there && told.to_draw > 0,
    saying: (told, rules) => ({
      button: "The scrutineer is here",
      done: "The scrutineer’s presence is recorded.",
      hint: ruleLink(told.book, rules.scrutineer.clause),
      line: () => ({ do: "note_scrutineer" }),
    }),
  },
  {
    do: "draw_prizes",
    only: true,
    waits: (told) => told.to_draw > 0,
    saying: (told) => ({
      button: told.stage === "drawn" ? "Redraw what was not awarded" : "Draw the prizes",
      look: "primary",
      done: "The prizes are drawn.",
      hint: told.times.awarded_at && ["Draw according to the terms: ", countdown(told.times.awarded_at), "."],
      line: () => ({ do: "draw_prizes" }),
    }),
  },
  {
    do: "take_entries",
    waits: () => false,
    saying: () => ({
      button: "Add the entry",
      done: "The entry was added.",
      asked: [
        { name: "id", label: "Name of the entry" },
        { name: "entrant", label: "Whose it is (username)" },
        { name: "weight", label: "Tickets", kind: "count" },
        { name: "reason", label: "Why it is added by hand", kind: "long" },
      ],
      line: ({ id, entrant, weight, reason }) => ({ do: "take_entries", entries: [{ id, entrant, weight }], reason }),
    }),
  },
  {
    do: "close_promotion",
    waits: (told) => !isBeforeTheStart(told) && isTaken(told, "close_promotion"),
    saying: (told) => {
      const early = isBeforeTheStart(told);
      const left = told.stage === "drawn" && told.to_draw > 0;
      return {
        button: early ? "Abandon the promotion" : "Close the promotion",
        look: early ? "danger" : "primary",
        done: early ? "The promotion was abandoned." : "The promotion is closed.",
        asked: left ? [{ name: "reason", label: "Why a prize is not drawn again", kind: "long" }] : [],
        hint: early && "It will never start, and can no longer be changed.",
        line: ({ reason }) => ({ do: "close_promotion", ...(left ? { reason } : {}) }),
      };
    },
  },
];

/** @type {Record<string, string>} */
const FOLDED = {
  publish_terms: "Make the terms available in another way",
  name_scrutineer: "Name a scrutineer",
  take_entries: "Add an entry by hand",
  close_promotion: "Close the promotion",
};

/** @param {any} told */
function isBeforeTheStart(told) {
  return told.draw.commitment === null && told.stage !== "cancelled";
}

/** The last stage that one that is over has come to before. @param {any} told */
function reached(told) {
  const { commitment, results, nobody } = told.draw;
  if (results.length + nobody.length > 0) return "drawn";
  if (commitment === null) return told.filed ? "filed" : "draft";
  return told.entries_closed ? "entries closed" : "running";
}

/** How far it has come. @param {any} told */
export function stepsBar(told) {
  const placeOf = (/** @type {string} */ named) => STAGES.findIndex(([stage]) => stage === named);
  const place = placeOf(told.stage === "new" ? "draft" : told.stage);
  const came = ["closed", "cancelled"].includes(told.stage) ? placeOf(reached(told)) : place - 1;
  return h(
    "ol",
    { class: `course${told.stage === "cancelled" ? " stopped" : ""}`, "aria-label": "Progress of the promotion" },
    STAGES.map(([, words, at], step) => {
      const past = step <= came || (step === place && told.stage === "closed");
      const time = past || step >= place ? at(told) : null;
      return h(
        "li",
        { class: past ? "past" : step === place ? "here" : "", "aria-current": step === place ? "step" : null },
        h("span.dot", { "aria-hidden": "true" }, past ? "✓" : step + 1),
        h("span.words", words, time && h("span.soft", when(time))),
      );
    }),
    told.stage === "cancelled" &&
      h(
        "li.here",
        { "aria-current": "step" },
        h("span.dot", { "aria-hidden": "true" }, "!"),
        h("span.words", "Cancelled"),
      ),
  );
}

/**
 * What is on record of the course.
 * @param {any} told @param {string | null} scrutineer @param {Map<string, string>} tables
 */
export function courseFacts(told, scrutineer, tables) {
  const rows = /** @type {[string, string | null][]} */ ([
    ["Filed", told.filed && markWords(told.filed)],
    [
      "Available to patrons",
      told.published && `${markWords(told.published)}${told.in_marketing ? "; the marketing refers to it" : ""}`,
    ],
    [
      "Amended",
      told.amendments
        .map(
          (/** @type {any} */ one) =>
            `${markWords(one.made)}${one.sent ? `, sent ${markWords(one.sent)}` : ", not sent yet"}`,
        )
        .join("; ") || null,
    ],
    [
      "Scrutineer",
      told.scrutineer &&
        `${scrutineer ?? "named"}, ${markWords(told.scrutineer)}${told.scrutineer_there ? "; is here" : ""}`,
    ],
    ["Entrants", told.draw.commitment && String(told.entrants)],
    ["Play counted at", told.counted && namesIn(told.counted.tables, tables)],
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

/** @param {string} word @param {any} told */
function foldedWords(word, told) {
  if (word === "close_promotion" && isBeforeTheStart(told)) return "Abandon it before it starts";
  return FOLDED[word] ?? capital(readable(word));
}

/** What does not come next is no main button. @param {Saying} saying @returns {Saying} */
function quieter(saying) {
  return { ...saying, look: saying.look === "danger" ? "danger" : "" };
}

/** What can be said now. @param {any} told @param {any} rules @param {Speaker} speaker */
export function courseForms(told, rules, speaker) {
  const may = new Set(told.may.map((/** @type {any} */ one) => one.do));
  const known = STEPS.filter((step) => may.has(step.do));
  const next = known.filter((step) => step.waits(told, rules));
  const folded = known.filter((step) => !step.only && !next.includes(step));
  return h(
    "div.course-forms",
    next.length > 0 && h("h3", "To do now"),
    next.map((step) => h("div.next-step", sayForm(speaker, step.saying(told, rules)))),
    folded.map((step) => sayLater(foldedWords(step.do, told), speaker, quieter(step.saying(told, rules)))),
  );
}
