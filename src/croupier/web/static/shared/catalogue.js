// The words of the pages. English is written where it is used, and is the key of its translation.

/** @type {Record<string, string>} the words of the reader's language by their English */
const translations = {};

/**
 * Say something in the reader's language: `t("Bets from {least}.", { least: "5.00" })`. The text is written out where it
 * is used, so that a test can list every text that needs a translation.
 * @param {string} text in English @param {Record<string, string | number>} [values] by the names in braces
 * @returns {string}
 */
export function t(text, values = {}) {
  const words = translations[text] ?? text;
  return words.replace(/\{(\w+)\}/g, (braces, name) => String(values[name] ?? braces));
}

/**
 * Say how many: `plural(3, "{n} throw", "{n} throws")`.
 * @param {number} n @param {string} one in English @param {string} many in English
 * @param {Record<string, string | number>} [values] by the names in braces
 * @returns {string}
 */
export function plural(n, one, many, values = {}) {
  return t(n === 1 ? one : many, { n, ...values });
}
