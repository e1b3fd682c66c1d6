// Duties with a deadline: what is due, by when, under which clause, by whom. Late ones need an answer.

import { countdown } from "../promotion/words.js";
import { post, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { announce, h, inEnglish, ruleLink } from "../shared/dom.js";
import { alertLine, attempt, field, refusal, submitting } from "../shared/parts.js";
import { MANAGING, SUPERVISING } from "../shared/session.js";
import { when } from "../shared/times.js";
import { readable } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").Duty} Duty */
/** Who answers, and what to do after an answer. @typedef {{roles: string[], answered: () => void}} Answering */

/** The roles that answer for duties of each kind. @type {Record<Duty["of"], string[]>} */
const ANSWERING = { table: SUPERVISING, promotion: MANAGING };

/** @param {Duty} duty */
export function keyOf(duty) {
  return `${duty.of} ${duty.name} ${duty.id}`;
}

/** Whether it needs an answer. @param {Duty} duty */
export function waits(duty) {
  return (duty.standing === "overdue" || duty.standing === "done late") && !duty.answered;
}

/** @param {Duty} duty */
function place(duty) {
  const at = encodeURIComponent(duty.name);
  return duty.of === "table" ? `/tables/${at}/deal` : `/promotions/${at}`;
}

/** Answer a duty, or the alert that stands for it. @param {Duty} duty @param {string} note */
function answerTo(duty, note) {
  const at = url`/${duty.of}s/${duty.name}`;
  if (duty.alert !== null) return post(`${at}/alerts/${duty.alert}/answer`, { note });
  return post(`${at}/duties/answer`, { duty: duty.id, note });
}

/** @param {Duty} duty */
function dueWords(duty) {
  const { zone, due } = duty;
  if (duty.done_at !== null) {
    const done = { time: when(duty.done_at, zone), who: duty.done_by ?? t("the clock") };
    if (duty.standing !== "done late" || !due) return t("done {time} by {who}", done);
    return t("done {time} by {who}, due {due}", { ...done, due: when(due, zone) });
  }
  if (due !== null) return [h("strong", countdown(due)), ` (${when(due, zone)})`];
  return duty.since
    ? t("as soon as possible, since {time}", { time: when(duty.since, zone) })
    : t("as soon as possible");
}

/** How it stands: its look and its words. @type {Record<Duty["standing"], [string, string]>} */
const PILLS = {
  due: ["", t("due")],
  overdue: ["warn", t("overdue")],
  done: ["on", t("done")],
  "done late": ["warn", t("done late")],
};

/** One duty. @param {Duty} duty @param {Answering} answering @param {boolean} [isApart] whether it says where it is */
export function dutyItem(duty, answering, isApart = true) {
  const late = waits(duty);
  const [look, standing] = PILLS[duty.standing];
  const may = answering.roles.some((role) => ANSWERING[duty.of].includes(role));
  return h(
    "li",
    { class: `duty${late ? " card alert" : ""}`, "data-key": keyOf(duty) },
    h(
      "p.row",
      h("span", { class: `pill ${look}` }, late ? `! ${standing}` : standing),
      isApart && h("a", { href: place(duty) }, duty.title),
      duty.answered && h("span.soft", t("answered")),
    ),
    h("p.duty-what", inEnglish(duty.what), " ", ruleLink(duty.book, duty.clause)),
    h(
      "p.soft",
      dueWords(duty),
      duty.responsible.length > 0 && h("span.duty-who", duty.responsible.map(readable).join(", ")),
    ),
    late && (may ? answerForm(duty, answering) : h("p.soft", t("This needs an answer."))),
  );
}

/** @param {Duty} duty @param {Answering} answering */
function answerForm(duty, answering) {
  const problem = alertLine();
  const note = h("input", { name: "note", required: true, maxlength: 200, autocomplete: "off" });
  const submit = h("button.primary", { type: "submit" }, t("Answer"));
  const send = () =>
    attempt({ problem, buttons: [submit], words: (error) => refusal(duty.book, error) }, async () => {
      await answerTo(duty, note.value.trim());
      announce(t("Answered: {what}.", { what: duty.what }));
      answering.answered();
    });
  const label = t("Why it is late, and what was done about it");
  return h("form.duty-answer", { onsubmit: submitting(send) }, field(label, note), submit, problem);
}
