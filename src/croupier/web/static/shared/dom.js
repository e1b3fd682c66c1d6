// Elements in few words, money without fractions of a cent, and what a screen reader is told.

/** @typedef {string | number | Node | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `on…` is a listener, true an attribute without a value; false and null are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, props);
  element.append(...nodes(children));
  return element;
}

/**
 * An element of a drawing.
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

/** The element of a page's shell. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Put these in the place of what an element has. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** `"10.00"` as cents. @param {string} text @returns {bigint} */
export function cents(text) {
  return BigInt(text.replace(".", ""));
}

/** Cents as `"10.00"`. @param {bigint} amount @returns {string} */
export function money(amount) {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** As short as it can be said: `10`, `2.50`, `12k`. @param {bigint} amount @returns {string} */
export function short(amount) {
  if (amount >= 10000000n && amount % 100000n === 0n) return `${amount / 100000n}k`;
  return money(amount).replace(/\.00$/, "");
}

/** With thousands apart, for reading. @param {string} text @returns {string} */
export function spaced(text) {
  return text.replace(/\B(?=(\d{3})+(?=\.))/g, ",");
}

/** What a page is about, in its address. @param {number} place @returns {string} */
export function fromAddress(place) {
  return decodeURIComponent(location.pathname.split("/")[place] ?? "");
}

/** The page of a clause. @param {string} book @param {string} clause @returns {string} */
export function rulePage(book, clause) {
  return `/rules/${encodeURIComponent(book)}/${encodeURIComponent(clause)}`;
}

/** A link to a clause, or nothing. @param {string} book @param {string | null | undefined} clause */
export function ruleLink(book, clause) {
  return clause ? h("a", { href: rulePage(book, clause), class: "clause", target: "_blank" }, `rule ${clause}`) : null;
}

/** Have a screen reader say something: politely, or at once. @param {string} text @param {boolean} [atOnce] */
export function announce(text, atOnce = false) {
  const region = byId(atOnce ? "say-now" : "say");
  region.append(h("p", {}, text));
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}

/** Titles of which one is enough: `the dealer, the boxperson or the gaming manager`. @param {string[]} titles @param {string} [before] */
export function oneOf(titles, before = "the ") {
  const named = titles.map((title) => before + title);
  return [named.slice(0, -1).join(", "), ...named.slice(-1)].filter(Boolean).join(" or ");
}
