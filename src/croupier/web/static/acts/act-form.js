// Every act that a person may do at a table: the list of them, and a form for one, made from what the rules ask for.

import { listed, named, rich, t } from "../shared/catalogue.js";
import { announce, fill, fillEach, h, inEnglish, ruleLink } from "../shared/dom.js";
import { alertLine, button, field, openDialog, refusalLine, select } from "../shared/parts.js";
import { oneOf } from "../shared/words.js";
import { ActList } from "./act-list.js";
import { asked, isComplete, sentence } from "./act-words.js";
import { caseRow, openCases } from "./cases.js";
import { fieldFor, shortName, spoken } from "./fields.js";
import { Preview } from "./preview.js";

/** @import { Case } from "./cases.js" */
/** @import { Position, Act } from "./position.js" */

const BUSY = t("Your last order is still being sent. Press again in a moment.");

/** What the person may do here: acts, and commands for a player. @param {Position} position @returns {Act[]} */
function mine(position) {
  const { acts, commands } = position.book;
  const forPlayers = commands
    .filter((command) => command.says.length > 0 && position.command(command.do))
    .map((command) => ({ ...command, id: command.do, clause: command.clause ?? "", aside: false, topic: "betting" }));
  return [...acts.filter((act) => position.isMine(act.roles)), ...forPlayers].sort((one, other) =>
    plain(one).localeCompare(plain(other)),
  );
}

/** An act in words: `Offer the dice to (player)`. @param {Act} act @param {string} [about] its case */
export function plain(act, about = undefined) {
  return shortened(asked(act.says[0] ?? act.id), about);
}

/** The fields of an act stand in parentheses. @param {string} says @param {string} [about] */
function shortened(says, about) {
  return says.replace(/\{(\w+)\}/g, (_, name) => (name === "case" && about ? about : `(${shortName(name)})`));
}

/**
 * Show all acts, or the form of one, for a case if one is given.
 * @param {Position} position @param {string} [id] @param {string} [about]
 */
export function openActs(position, id, about) {
  const content = h("div");
  const dialog = openDialog("sheet", "acts-title", content);
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
  if (chosen) ask(chosen, about);
  else list();
}

/** @param {Position} position @param {Act[]} acts @param {(act: Act, given?: string) => void} ask */
function listOf(position, acts, ask) {
  const titles = listed(position.ownTitles(position.book.titles.map((one) => one.title)).map(named), "disjunction");
  return [
    h("h2", { id: "acts-title" }, t("What do you want to do?")),
    h("p.soft", t("Everything the rules let you do here as {titles}.", { titles })),
    casesOf(position, ask),
    new ActList(position, acts, ask, plain).element,
  ];
}

/**
 * Open cases, with a button for each next step that the person may take.
 * @param {Position} position @param {Case[]} cases @param {(act: Act, about: string) => void} [ask]
 */
export function caseRows(position, cases, ask = (act, about) => openActs(position, act.id, about)) {
  return cases.map((one) =>
    caseRow(one, (step) => {
      const act = position.act(step.act);
      return act && button(inEnglish(plain(act, one.case)), () => ask(act, one.case));
    }),
  );
}

/** The open cases of a table, which come first. @param {Position} position @param {(act: Act, about: string) => void} ask */
function casesOf(position, ask) {
  const part = h("section.open-cases", { hidden: true, "aria-labelledby": "open-cases-title" });
  void openCases(position.table).then((cases) => {
    part.hidden = cases.length === 0;
    const rows = caseRows(position, cases, ask);
    fill(part, h("h3", { id: "open-cases-title" }, t("Open cases")), h("ul.plain.cases", rows));
  });
  return part;
}

/** @param {Position} position @param {Act} act @param {() => void} back @param {() => void} done @param {string} [given] the case */
function formOf(position, act, back, done, given) {
  const beside = h("div.beside");
  const fields = h("div");
  const preview = new Preview(position, () => check());
  const submit = h("button.primary.wide", { type: "submit" }, t("Do it"));
  const way = () => Number(new FormData(form).get("way") ?? 0);
  const lay = () => {
    const named = [...(act.says[way()] ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    fillEach(
      fields,
      act.fields.filter((field) => named.includes(field.name)),
      (field) => fieldFor(position, field, act.id, given),
    );
  };
  const titles = position.ownTitles(act.by);
  /** If the house can say what would change, that is shown first. */
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
        const reply = await position
          .say(line, beside)
          .catch((error) => fill(beside, refusalLine(position.book.id, error)));
        submit.disabled = false;
        if (!reply) return;
        const words = t("Done: {act}", { act: sentence(position, act.says[way()] ?? act.id, line) });
        announce(words);
        done();
        position.did(words);
      },
    },
    act.says.length > 1 && waysOf(act, given, lay),
    fields,
    titles.length > 1 &&
      field(
        t("You act as"),
        select(
          titles.map((title) => [title, named(title)]),
          { name: "as" },
        ),
      ),
    preview.element,
    submit,
    beside,
  );
  lay();
  return [
    button(t("← All acts"), back, "quiet"),
    h("h2", { id: "acts-title" }, inEnglish(plain(act, given))),
    h("p.soft", rich("By {titles}, {rule}.", { titles: oneOf(act.by), rule: ruleLink(position.book.id, act.clause) })),
    form,
    act.against.length > 0 && against(position, act),
  ];
}

/** The ways to word an act, each in full. @param {Act} act @param {string | undefined} given @param {() => void} lay */
function waysOf(act, given, lay) {
  const rows = act.says.map((says, place) =>
    h(
      "label.way",
      h("input", { type: "radio", name: "way", value: place, checked: place === 0, onchange: lay }),
      h("span", inEnglish(shortened(asked(says), given))),
    ),
  );
  return h("fieldset.ways", h("legend", t("How")), rows);
}

/** @param {Position} position @param {Act} act */
function against(position, act) {
  const rows = act.against.map((one) =>
    h("li", inEnglish(one.say.replace(/[{}]/g, "")), " ", ruleLink(position.book.id, one.clause)),
  );
  return h("details", h("summary", t("Why it may be refused")), h("ul", rows));
}
