// The fields of an act's form, by kind, and the line that they make once filled in.

import { keyOf } from "../felt/area.js";
import { face, faceName } from "../results/faces.js";
import { named, t } from "../shared/catalogue.js";
import { each, fill, h, s } from "../shared/dom.js";
import { field } from "../shared/parts.js";
import { clockOf, fieldTime, momentOf, now, zoneWords } from "../shared/times.js";
import { capital, readable, sample, TYPED, typed } from "../shared/words.js";
import { caseWords, openCases } from "./cases.js";

/** @import { Position, Field } from "./position.js" */

/** @type {Record<string, string>} */
const SHORT = { about: "what", to: "wager", why: "why", reason: "ground", person: "person" };
/** The pick that belongs to a wager. @type {Record<string, string>} */
const PICKS = { wager: "pick", to: "to_pick" };
const NOTICE = 20; // minutes: the usual notice of a sign
/** @type {Record<string, string>} */
const LABELS = {
  to: t("To"),
  why: t("Why"),
  case: t("Case"),
  about: t("About what"),
  person: t("Person"),
  faces: t("Faces"),
  reason: t("Ground"),
};

/** The name of a field within a sentence of the book, which is in English. @param {string} name */
export function shortName(name) {
  return SHORT[name] ?? name.replaceAll("_", " ");
}

/** A name for a new case: who, and the time of day. @param {Position} position */
function newCase(position) {
  return `${position.me.person}-${clockOf(now(), position.felt.zone).replaceAll(":", "")}`;
}

/** A new case gets a name; an open one is chosen. @param {Field} field */
function labelOf({ name, kind }) {
  if (name === "case" && kind !== "case") return t("Case name");
  return LABELS[name] ?? capital(readable(name));
}

/** @param {Field} field @param {[string, string][]} options value and words */
function choice(field, options) {
  return each("select", { name: field.name, required: true }, options, ([value, words]) =>
    h("option", { value }, words),
  );
}

/** A player at the table; a typed name if their names are hidden. @param {Position} position @param {Field} field */
function players(position, field) {
  if (position.players.length === 0) return words(position, field);
  return choice(
    field,
    position.players.map((player) => [player, player]),
  );
}

/** Every area of the felt, those with chips first. @param {Position} position @param {Field} field */
function areas(position, field) {
  const standing = new Set(position.felt.wagers.map(keyOf));
  const own = position.drawing.areas.filter((area) => standing.has(keyOf(area)));
  const rest = position.drawing.areas.filter((area) => !standing.has(keyOf(area)));
  const options = [...own, ...rest].map(
    (area) =>
      /** @type {[string, string]} */ ([
        JSON.stringify([area.wager, area.pick]),
        standing.has(keyOf(area)) ? t("{area} (chips)", { area: named(area.name) }) : named(area.name),
      ]),
  );
  return choice(field, options);
}

/** @param {Position} position @param {Field} field */
function faces(position, field) {
  const { faces: values, count } = position.drawing.throw;
  const key = (/** @type {number} */ place, /** @type {number | string} */ value) =>
    h(
      "label.face-key",
      h("input", { type: "radio", name: `${field.name}-${place}`, value: JSON.stringify(value), required: true }),
      s("svg", { viewBox: "0 0 24 24", class: "faces", "aria-hidden": "true" }, face(value)),
      h("span.heard", t("{face}, {place} of {count}", { face: faceName(value), place: place + 1, count })),
    );
  return h(
    "span.face-keys",
    Array.from({ length: count }, (_, place) => each("span.row", {}, values, (value) => key(place, value))),
  );
}

/** @param {Position} position @param {Field} field */
function words(position, field) {
  if (field.choices.length > 0)
    return choice(
      field,
      field.choices.map((each) => [each, named(each)]),
    );
  const id = `known-${field.name}`;
  const known =
    field.name === "person"
      ? h(
          "datalist",
          { id },
          position.players.map((player) => h("option", { value: player })),
        )
      : null;
  return h(
    "span",
    h("input", {
      name: field.name,
      required: true,
      autocomplete: "off",
      list: known ? id : null,
      value: field.name === "case" ? newCase(position) : null,
    }),
    known,
  );
}

/** The time in some minutes, for a time field. @param {Position} position @param {number} minutes */
function inMinutes(position, minutes) {
  return fieldTime(Math.ceil(now() / 60000 + minutes) * 60000, position.felt.zone);
}

/**
 * An open case, those that wait for this act first; a typed name if none is open.
 * @param {Position} position @param {Field} field @param {string} act @param {string} [given]
 */
function cases(position, field, act, given) {
  const place = h("span", h("input", { name: field.name, required: true, autocomplete: "off", value: given ?? "" }));
  void openCases(position.table).then((open) => {
    const typed = place.querySelector("input")?.value ?? "";
    if (open.length === 0 || typed !== (given ?? "")) return; // the person is typing
    const waiting = open.filter((one) => one.next.some((step) => step.act === act));
    const rest = open.filter((one) => !waiting.includes(one));
    const select = choice(
      field,
      [...waiting, ...rest].map((one) => [one.case, caseWords(one)]),
    );
    if (given !== undefined) select.value = given;
    fill(place, select);
  });
  return place;
}

/** The control for each kind. @type {Record<string, (desk: Position, field: Field, act: string, given?: string) => HTMLElement>} */
const KINDS = {
  player: players,
  money: (_, field) =>
    h("input", {
      name: field.name,
      required: true,
      inputmode: "decimal",
      pattern: TYPED,
      placeholder: sample(),
      autocomplete: "off",
    }),
  count: (_, field) => h("input", { name: field.name, required: true, type: "number", min: 1, step: 1, value: 1 }),
  time: (position, field) =>
    h("input", { name: field.name, required: true, type: "datetime-local", value: inMinutes(position, NOTICE) }),
  faces,
  reason: (_, field) =>
    choice(
      field,
      field.reasons.map(({ reason, summary }) => [reason, summary ? `${reason} ${summary}` : reason]),
    ),
  wager: areas,
  role: (position, field) =>
    choice(
      field,
      position.book.titles.map(({ title }) => [title, named(title)]),
    ),
  case: cases,
  text: words,
};

/**
 * A field with its label, for an act and perhaps a given case.
 * @param {Position} position @param {Field} asked @param {string} [act] @param {string} [given]
 */
export function fieldFor(position, asked, act = "", given = undefined) {
  const control = (KINDS[asked.kind] ?? words)(position, asked, act, given);
  if (asked.kind === "faces") return h("fieldset", h("legend", labelOf(asked)), control);
  const label = labelOf(asked);
  const zone = zoneWords(position.felt.zone);
  return field(asked.kind === "time" ? t("{label} ({zone} time)", { label, zone }) : label, control);
}

/** The filled-in fields as parts of a line, in the table's zone. @param {HTMLFormElement} form @param {Field[]} fields @param {string} zone @returns {Record<string, any>} */
export function spoken(form, fields, zone) {
  const data = new FormData(form);
  /** @type {Record<string, any>} */
  const said = {};
  for (const { name, kind } of fields) {
    if (kind === "faces") {
      const fell = [...data.entries()]
        .filter(([key]) => key.startsWith(`${name}-`))
        .map(([, value]) => JSON.parse(String(value)));
      if (fell.length > 0) said[name] = fell;
      continue;
    }
    const value = data.get(name);
    if (value === null) continue;
    const text = String(value).trim();
    if (kind === "wager") [said[name], said[PICKS[name] ?? "pick"]] = JSON.parse(text);
    else if (kind === "count") said[name] = Number(text);
    else if (kind === "time") said[name] = momentOf(text, zone);
    else if (kind === "money") said[name] = typed(text) ?? text;
    else said[name] = text;
  }
  return said;
}
