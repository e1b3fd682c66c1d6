// Every act of the book that the person may do: the sheet with their list, and a form made from what the book asks for.

import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, button } from "../shared/parts.js";
import { oneOf } from "../shared/words.js";
import { ActList } from "./act-list.js";
import { asked, isComplete, sentence } from "./act-words.js";
import { caseRow, openCases } from "./cases.js";
import { fieldFor, shortName, spoken } from "./fields.js";
import { refusal } from "./position.js";
import { Preview } from "./preview.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").Act} Act */

const BUSY = "Your last order is still being sent. Press again in a moment.";

/** What the person may do here, in words: acts, and what is done for a player. @param {Position} position @returns {Act[]} */
function mine(position) {
  const { acts, commands } = position.book;
  const forPlayers = commands
    .filter((command) => command.says.length > 0 && position.command(command.do))
    .map((command) => ({ ...command, id: command.do, clause: command.clause ?? "", aside: false, topic: "betting" }));
  return [...acts.filter((act) => position.isMine(act.roles)), ...forPlayers].sort((one, other) =>
    plain(one).localeCompare(plain(other)),
  );
}

/** An act in words, with what belongs to it: `Offer the dice to (player)`. @param {Act} act @param {string} [about] its case */
export function plain(act, about = undefined) {
  return shortened(asked(act.says[0] ?? act.id), about);
}

/** What is given with an act stands in brackets, by its name. @param {string} says @param {string} [about] */
function shortened(says, about) {
  return says.replace(/\{(\w+)\}/g, (_, name) => (name === "case" && about ? about : `(${shortName(name)})`));
}

/**
 * Show all acts, or the form of one; a case that it is about may be given with it.
 * @param {Position} position @param {string} [id] @param {string} [about]
 */
export function openActs(position, id, about) {
  const content = h("div");
  const dialog = h(
    "dialog.sheet",
    { "aria-labelledby": "acts-title", onclose: () => dialog.remove() },
    h("button.quiet.close", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "×"),
    content,
  );
  const acts = mine(position);
  const chosen = acts.find((act) => act.id === id);
  const list = () => {
    fill(content, ...listOf(position, acts, ask));
    content.querySelector("input")?.focus();
  };
  const ask = (/** @type {Act} */ act, /** @type {string | undefined} */ given) => {
    fill(content, ...formOf(position, act, list, () => dialog.close(), given));
    /** @type {HTMLElement | null} */ (content.querySelector("form input, form select, form button"))?.focus();
  };
  document.body.append(dialog);
  dialog.showModal();
  if (chosen) ask(chosen, about);
  else list();
}

/** @param {Position} position @param {Act[]} acts @param {(act: Act, given?: string) => void} ask */
function listOf(position, acts, ask) {
  const titles = oneOf(position.ownTitles(position.book.titles.map((one) => one.title)), "");
  return [
    h("h2", { id: "acts-title" }, "What do you want to do?"),
    h("p.soft", `Everything the rules let you do here as ${titles}.`),
    casesOf(position, acts, ask),
    new ActList(
      position,
      acts,
      (act) => ask(act),
      (act) => plain(act),
    ).element,
  ];
}

/** Open cases come first: each with what may be done next. @param {Position} position @param {Act[]} acts @param {(act: Act, given?: string) => void} ask */
function casesOf(position, acts, ask) {
  const part = h("section.open-cases", { hidden: true, "aria-labelledby": "open-cases-title" });
  void openCases(position.table).then((cases) => {
    part.hidden = cases.length === 0;
    const rows = cases.map((one) =>
      caseRow(one, (step) => {
        const act = acts.find((each) => each.id === step.act);
        return act && button(plain(act, one.case), () => ask(act, one.case));
      }),
    );
    fill(part, h("h3", { id: "open-cases-title" }, "Open cases"), h("ul.plain.cases", rows));
  });
  return part;
}

/** @param {Position} position @param {Act} act @param {() => void} back @param {() => void} done @param {string} [given] the case */
function formOf(position, act, back, done, given) {
  const beside = h("div.beside");
  const fields = h("div");
  const preview = new Preview(position, () => check());
  const submit = h("button.primary.wide", { type: "submit" }, "Do it");
  const way = () => Number(new FormData(form).get("way") ?? 0);
  const lay = () => {
    const named = [...(act.says[way()] ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    fill(
      fields,
      act.fields.filter((field) => named.includes(field.name)).map((field) => fieldFor(position, field, act.id, given)),
    );
  };
  const titles = position.ownTitles(act.by);
  /** Where the house tells what it would change, that is seen first. */
  const check = () => {
    if (!position.steps.some((step) => step.line.do === act.id && step.previews)) return;
    const faces = spoken(form, act.fields, position.felt.zone).faces ?? [];
    const areAll = faces.length === position.drawing.throw.count;
    preview.show(areAll ? [...faces] : null);
    submit.disabled = areAll && !preview.isThere;
  };
  const form = h(
    "form",
    {
      novalidate: true,
      onchange: check,
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        if (!isComplete(form, beside)) return;
        if (position.isSending) return void fill(beside, alertLine(BUSY));
        submit.disabled = true;
        const line = {
          do: act.id,
          ...spoken(form, act.fields, position.felt.zone),
          ...(titles.length > 1 ? { as: String(new FormData(form).get("as")) } : {}),
        };
        const reply = await position.say(line, beside).catch((error) => fill(beside, refusal(position.book.id, error)));
        submit.disabled = false;
        if (!reply) return;
        const words = `Done: ${sentence(position, act.says[way()] ?? act.id, line)}`;
        announce(words);
        done();
        position.did(words);
      },
    },
    act.says.length > 1 && waysOf(act, given, lay),
    fields,
    titles.length > 1 &&
      h(
        "div.field",
        h("label", { for: "act-as" }, h("span", "You act as")),
        h(
          "select",
          { name: "as", id: "act-as" },
          titles.map((title) => h("option", { value: title }, title)),
        ),
      ),
    preview.element,
    submit,
    beside,
  );
  lay();
  return [
    button("← All acts", back, "quiet"),
    h("h2", { id: "acts-title" }, plain(act, given)),
    h("p.soft", `By ${oneOf(act.by)}, `, ruleLink(position.book.id, act.clause), "."),
    form,
    act.against.length > 0 && against(position, act),
  ];
}

/** The ways to put an act, each in full: a long one has as many lines as it needs. @param {Act} act @param {string | undefined} given @param {() => void} lay */
function waysOf(act, given, lay) {
  const rows = act.says.map((says, place) =>
    h(
      "label.way",
      h("input", { type: "radio", name: "way", value: place, checked: place === 0, onchange: lay }),
      h("span", shortened(asked(says), given)),
    ),
  );
  return h("fieldset.ways", h("legend", "How"), rows);
}

/** @param {Position} position @param {Act} act */
function against(position, act) {
  const rows = act.against.map((one) =>
    h("li", `${one.say.replace(/[{}]/g, "")} `, ruleLink(position.book.id, one.clause)),
  );
  return h("details", h("summary", "Why it may be refused"), h("ul", rows));
}
