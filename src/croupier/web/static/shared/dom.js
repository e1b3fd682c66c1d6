// Elements, links to rules, and announcements for screen readers.

import { ENGLISH, language, t } from "./catalogue.js";

/** @typedef {string | number | Node | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * The type of an element by its name: `p`, or `p.soft` with classes.
 * @template {string} Name
 * @typedef {Name extends `${infer Tag}.${string}` ? ElementOf<Tag> : Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement} ElementOf
 */

/**
 * Make an element: `h("p.soft", { id: "x" }, "words")`. Attributes may be left out; `on…` is a listener, true an attribute
 * without a value; false and null are left out.
 * @template {string} Name
 * @param {Name} name tag and classes @param {...(Props | Child)} inside attributes, then children
 * @returns {ElementOf<Name>}
 */
export function h(name, ...inside) {
  const [tag = "", ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  const hasProps = inside[0]?.constructor === Object;
  if (hasProps) dress(element, /** @type {Props} */ (inside[0]));
  element.append(...nodes(/** @type {Child[]} */ (hasProps ? inside.slice(1) : inside)));
  return /** @type {ElementOf<Name>} */ (element);
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, props);
  element.append(...nodes(children));
  return element;
}

/** @param {Element} element @param {Props} props */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

/** @param {Child[]} children @returns {(string | Node)[]} */
function nodes(children) {
  return children.flatMap((one) => {
    if (Array.isArray(one)) return nodes(one);
    if (one === null || one === undefined || one === false) return [];
    return [typeof one === "number" ? String(one) : one];
  });
}

/** An element of the page's shell. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Replace what an element contains. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Replace what an element contains by a child for each row.
 * @template Row
 * @param {Element} element @param {readonly Row[]} rows @param {(row: Row, place: number) => Child} make
 */
export function fillEach(element, rows, make) {
  element.replaceChildren(...nodes(rows.map(make)));
}

/**
 * Make an element with a child for each row.
 * @template {string} Name @template Row
 * @param {Name} name @param {Props} props @param {readonly Row[]} rows @param {(row: Row, place: number) => Child} make
 */
export function each(name, props, rows, make) {
  return h(name, props, rows.map(make));
}

/** Words that are only in English, such as those of a book; marked, so that screen readers pronounce them. @param {string} words @returns {Child} */
export function inEnglish(words) {
  return language === ENGLISH ? words : h("span", { lang: ENGLISH }, words);
}

/** A part of the page's address. @param {number} place @returns {string} */
export function fromAddress(place) {
  return decodeURIComponent(location.pathname.split("/")[place] ?? "");
}

/** The address of a clause's page. @param {string} book @param {string} clause @returns {string} */
export function rulePage(book, clause) {
  return `/rules/${encodeURIComponent(book)}/${encodeURIComponent(clause)}`;
}

/** A link to a clause, if there is one. @param {string} book @param {string | null | undefined} clause */
export function ruleLink(book, clause) {
  return clause
    ? h("a.clause", { href: rulePage(book, clause), target: "_blank" }, t("rule {clause}", { clause }))
    : null;
}

/** Have a screen reader say something: politely, or at once. @param {string} text @param {boolean} [atOnce] */
export function announce(text, atOnce = false) {
  const region = byId(atOnce ? "say-now" : "say");
  region.append(h("p", text));
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}
