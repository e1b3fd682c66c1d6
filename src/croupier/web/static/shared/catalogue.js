// The words of the pages. English is written where it is used, and is the key of its translation; a translation is one
// file in `words/`, fetched before anything is drawn.

/** @import { Child } from "./dom.js" */
/** Translations by their English; of a count, the forms of the language. @typedef {Record<string, string | Record<string, string>>} Translations */
/** @typedef {Record<string, string | number>} Values by their names in braces */

const KEPT = "croupier-language";
export const ENGLISH = "en";

/** The languages there are, as the server lists them. */
export const languages = [ENGLISH, ...(document.documentElement.dataset.languages ?? "").split(" ").filter(Boolean)];

/** The language and the script of a tag: zh-CN is zh-Hans. @param {string} tag */
function written(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return ""; // not the tag of a language
  }
}

/** @param {string} code @returns {Promise<Translations | null>} */
async function fetched(code) {
  const response = await fetch(`/web/words/${code}.json`).catch(() => null);
  return response?.ok ? response.json() : null;
}

/** What the reader chose, then what the browser prefers. */
const wanted = [localStorage.getItem(KEPT) ?? "", ...navigator.languages];
const best = wanted.flatMap((tag) => languages.filter((one) => written(one) === written(tag)))[0] ?? ENGLISH;
const found = best === ENGLISH ? null : await fetched(best);

/** The language of this page: English if there is no translation. */
export const language = found === null ? ENGLISH : best;
const translations = found ?? {};

/** The reader's own kind of that language, such as de-CH, for dates and numbers. */
export const locale = navigator.languages.find((tag) => written(tag) === written(language)) ?? language;

const plurals = new Intl.PluralRules(language);
const counts = new Intl.NumberFormat(locale);
document.documentElement.lang = language;

/** Read the pages in another language from now on. @param {string} chosen */
export function chooseLanguage(chosen) {
  localStorage.setItem(KEPT, chosen);
  location.reload();
}

/** @param {string} text @param {Record<string, unknown>} values */
function filledIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (braces, name) => String(values[name] ?? braces));
}

/**
 * Say something in the reader's language: `t("Bets from {least}.", { least: "5.00" })`. The text is written out where it
 * is used, so that a test can list every text that needs a translation.
 * @param {string} text in English @param {Values} [values]
 * @returns {string}
 */
export function t(text, values = {}) {
  const words = translations[text];
  return filledIn(typeof words === "string" ? words : text, values);
}

/**
 * Say how many: `plural(3, "{n} throw", "{n} throws")`. The key of the translation is the last.
 * @param {number} n @param {string} one in English @param {string} many in English @param {Values} [values]
 * @returns {string}
 */
export function plural(n, one, many, values = {}) {
  const forms = translations[many];
  const form = typeof forms === "object" ? (forms[plurals.select(n)] ?? forms.other) : undefined;
  return filledIn(form ?? (n === 1 ? one : many), { n: counts.format(n), ...values });
}

/**
 * Say something with elements in it: `rich("Press {key}.", { key: h("kbd", "C") })`.
 * @param {string} text in English @param {Record<string, Child>} values
 * @returns {Child[]}
 */
export function rich(text, values) {
  return t(text)
    .split(/\{(\w+)\}/)
    .map((part, place) => (place % 2 === 0 ? part : values[part]));
}

const NUMBERED = /^(\d+ )?(\D*[^\d ])( \d[\d ]*)?$/;

/**
 * A name from a book or from the server, in the reader's language if it is translated: `named(area.name)`. Numbers
 * before and after it stay: `Lay 4`.
 * @param {string} name in English
 */
export function named(name) {
  if (name in translations) return t(name);
  const [, before = "", kind = "", after = ""] = NUMBERED.exec(name) ?? [];
  return kind in translations ? before + t(kind) + after : name;
}

/** Names in a sentence: `ann and ben`, `ann or ben`. @param {string[]} names @param {"conjunction" | "disjunction"} [type] */
export function listed(names, type = "conjunction") {
  return new Intl.ListFormat(locale, { type }).format(names);
}
