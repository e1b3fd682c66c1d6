// What is missing in a form, and what was done with it, in words.

import { wagerName } from "../felt/area.js";
import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { timeOf } from "../shared/times.js";
import { capital, sample } from "../shared/words.js";
import { shortName } from "./fields.js";

/** @import { Position, Line } from "./position.js" */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const MISSING = "act-missing";
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/; // as a form gives it
/** @type {Record<string, string>} */
const IRREGULAR = { has: "have", goes: "go" };

/** The label of a field. @param {Control} control */
function labelled(control) {
  const legend = control.closest("fieldset")?.querySelector("legend");
  return (legend ?? control.closest("label")?.querySelector("span"))?.textContent ?? shortName(control.name);
}

/** What is wrong with a field. @param {Control} control */
function wrong(control) {
  const name = labelled(control);
  if (control.type === "radio") return t("{name}: choose one in every row.", { name });
  if (control.validity.valueMissing) return t("{name} is missing.", { name });
  if (control.inputMode === "decimal")
    return t("{name} must be an amount such as {sample}.", { name, sample: sample() });
  if (control.type === "number") return t("{name} must be a whole number, 1 or more.", { name });
  return t("{name} is not valid.", { name });
}

/**
 * Say which field is missing or wrong, and focus it: a browser's own bubble is gone before it is read.
 * @param {HTMLFormElement} form @param {HTMLElement} beside @returns {boolean} whether all is there
 */
export function isComplete(form, beside) {
  const controls = /** @type {Control[]} */ ([...form.querySelectorAll("input, select")]);
  for (const control of controls) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
  }
  const lacking = controls.find((control) => !control.validity.valid);
  if (!lacking) return true;
  fill(beside, h("p.problem", { role: "alert", id: MISSING }, wrong(lacking)));
  lacking.setAttribute("aria-invalid", "true");
  lacking.setAttribute("aria-describedby", MISSING);
  lacking.focus();
  return false;
}

/** A sentence of the book as an instruction: `excludes ann` as `Exclude ann`. @param {string} says */
export function asked(says) {
  const [verb = "", ...rest] = says.split(" ");
  const plain =
    IRREGULAR[verb] ??
    verb
      .replace(/ies$/, "y")
      .replace(/(ss|sh|ch|x)es$/, "$1")
      .replace(/([^s])s$/, "$1");
  return [capital(plain), ...rest].join(" ");
}

/** What was done: `Exclude ann from the game.` @param {Position} position @param {string} says @param {Line} line */
export function sentence(position, says, line) {
  /** @param {string} name */
  const given = (name) => {
    const value = line[name];
    if (name === "wager") return wagerName(position.drawing, { wager: line.wager, pick: line.pick });
    if (name === "to") return wagerName(position.drawing, { wager: line.to, pick: line.to_pick });
    if (Array.isArray(value)) return value.join(typeof value[0] === "string" ? "" : "-");
    if (TIME.test(String(value))) return timeOf(String(value));
    return String(value ?? `(${shortName(name)})`);
  };
  return `${asked(says).replace(/\{(\w+)\}/g, (_, name) => given(name))}.`;
}
