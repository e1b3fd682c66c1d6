// The parts of a result: a verdict, steps with a tick or a cross, digits to compare, boxes beside them.

import { h } from "./dom.js";

/** @import { Child } from "./dom.js" */
/** @typedef {"good" | "bad" | "note" | "wait"} Mark */

/** A path for sighted readers and words for screen readers. @type {Record<Mark, [string, string]>} */
const MARKS = {
  good: ["M7 14.5l5 5 9-10", "Checks out: "],
  bad: ["M9 9l10 10M19 9L9 19", "Wrong: "],
  note: ["M14 7v8M14 20v.1", "Note: "],
  wait: ["M8.5 14h11", "Not yet: "],
};

/** @param {Mark} mark */
export function tick(mark) {
  const [path, name] = MARKS[mark];
  const drawn = h("svg", { viewBox: "0 0 28 28", "aria-hidden": "true" }, h("path", { d: path }));
  return h(`span.tick.${mark}`, drawn, h("span.vh", name));
}

/** The verdict. @param {Mark} mark @param {string} title @param {Child} words @param {Child} [picture] */
export function verdict(mark, title, words, picture) {
  const shield = "M32 3l27 10v22c0 18-12 29-27 34C17 64 5 53 5 35V13z";
  return h(
    `div.verdict.${mark}`,
    picture,
    h("div", h("h1", { tabindex: -1 }, title), h("p", words)),
    h(
      "svg.shield",
      { viewBox: "0 0 64 72", "aria-hidden": "true" },
      h("path", { d: shield }),
      h("path", { d: MARKS[mark][0], transform: "translate(4 8) scale(2)" }),
    ),
  );
}

/** Text as paragraphs. @param {Child[]} inside @returns {Child[]} */
function paragraphs(inside) {
  return inside.map((one) => (typeof one === "string" ? one && h("p", one) : one));
}

/** One step. @param {Mark} mark @param {string} title @param {string} when @param {...Child} inside */
export function step(mark, title, when, ...inside) {
  return h("li.step", tick(mark), h("div", h("h3", title, when && h("small", when)), paragraphs(inside)));
}

/** A sheet of steps. @param {string} name @param {Child} head @param {Child} steps */
export function sheet(name, head, steps) {
  return h("section.sheet", { "aria-label": name }, h("header", head), h("ol.steps", steps));
}

/** Digits, in fours. @param {string} name @param {string} digits @param {string} [kind] */
export function digitsOf(name, digits, kind = "") {
  return h(`div.digits.${kind}`, h("span", name), h("code", digits.replace(/[\da-f]{4}(?=.)/g, "$& ")));
}

/** More detail, folded. @param {string} title @param {...Child} inside */
export function more(title, ...inside) {
  return h("details", h("summary", title), inside);
}

/** A box beside the result. @param {string} title @param {...Child} inside */
export function box(title, ...inside) {
  return h("section.box", h("h2", title), paragraphs(inside));
}

/** Names and values. @param {Record<string, Child>} rows */
export function facts(rows) {
  return h(
    "dl",
    Object.entries(rows).map(([name, value]) => h("div", h("dt", name), h("dd", value))),
  );
}
