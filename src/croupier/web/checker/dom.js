// Elements.

/** @typedef {string | number | Node | null | undefined | false | "" | Child[]} Child */

/**
 * An element: `h("p.soft", { id: "x" }, "words")`. `on…` is a listener, true an attribute without a value.
 * @param {string} name tag and classes @param {any} [props] they may be left out @param {...Child} children @returns {any}
 */
export function h(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  const isDrawn = /^(svg|path|rect|circle|text)$/.test(tag);
  const element = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  const isProps = props?.constructor === Object;
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(isProps ? props : {})) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  fill(element, isProps ? children : [props, children]);
  return element;
}

/** Replace what an element contains. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(.../** @type {Node[]} */ (children.flat(9).filter((one) => one || one === 0)));
}

/** `1 throw`, `1,204 throws`. @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** @param {number | bigint} number */
export function grouped(number) {
  return number.toLocaleString("en-AU");
}
