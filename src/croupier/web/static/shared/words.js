// Money, counts and names in words: whole cents, never fractions of one.

import { listed, locale, named, t } from "./catalogue.js";

/** `"10.00"` as cents. @param {string} text @returns {bigint} */
export function cents(text) {
  return BigInt(text.replace(".", ""));
}

/** Cents as `"10.00"`, as the house writes them. @param {bigint} amount @returns {string} */
export function money(amount) {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const AMOUNT = /^-?\d+\.\d\d$/;
const FIGURES = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const [GROUP = "", DECIMAL = "."] = ["group", "decimal"].map(
  (type) => FIGURES.formatToParts(12345678.9).find((part) => part.type === type)?.value ?? "",
);

/** An amount as the reader writes it: `1,234.50`, or `1.234,50` in German. @param {string} text as the house writes it */
export function spaced(text) {
  return AMOUNT.test(text) ? FIGURES.format(/** @type {`${number}`} */ (text)) : text;
}

/** As short as possible: `10`, `2.50`, `12k`. @param {bigint} amount @returns {string} */
export function short(amount) {
  if (amount >= 10000000n && amount % 100000n === 0n) return `${amount / 100000n}k`;
  return whole(money(amount).replace(".", DECIMAL));
}

/** An amount that people read, without cents if there are none: `1,234`. @param {string} words */
export function whole(words) {
  return words.endsWith(`${DECIMAL}00`) ? words.slice(0, -3) : words;
}

/**
 * An amount that was typed, as the house writes it; null if it is none. Either sign may come before the cents: `2,5` is
 * `2.50` in every language. Only the reader's own sign may stand between thousands, so `1.234` is never taken for less.
 * @param {string} text @returns {string | null}
 */
export function typed(text) {
  const plain = text.replace(/[\s$]/g, "").replaceAll("’", "'");
  const found = /^(\d+|\d{1,3}(?:\D\d{3})+)(?:[.,](\d{1,2}))?$/.exec(plain);
  const [, units = "", rest = ""] = found ?? [];
  const signs = units.replace(/\d/g, "");
  if (!found || [...signs].some((sign) => sign !== GROUP.replace("’", "'"))) return null;
  return `${units.replace(/\D/g, "")}.${rest.padEnd(2, "0")}`;
}

/** What an amount field takes, for its `pattern`; `typed` reads it. */
export const TYPED = "\\s*\\$?\\s*[0-9]+([.,'’\\s][0-9]{3})*([.,][0-9]{1,2})?\\s*";

/** How an amount is typed, for its `placeholder`: `10.00`. @param {string} [amount] */
export function sample(amount = "10.00") {
  return amount.replace(".", DECIMAL);
}

/** Odds in words: `3 to 2`. @param {string} odds as a book has them */
export function oddsWords(odds) {
  const [win, to] = odds.split(" to ");
  return win && to ? t("{win} to {to}", { win: win.replace(".", DECIMAL), to }) : odds;
}

/** What was won or lost, with its sign: `+24.00`. @param {bigint} amount */
export function net(amount) {
  return `${amount > 0n ? "+" : ""}${spaced(money(amount))}`;
}

/** The sum of some amounts. @param {{amount: string}[]} rows @returns {bigint} */
export function total(rows) {
  return rows.reduce((sum, row) => sum + cents(row.amount), 0n);
}

/** The least and the most, in words. @param {{min: string | null, max: string | null}} limits @param {string} none where there are none */
export function limitWords({ min, max }, none) {
  if (min && max) return t("{min} to {max}", { min: spaced(min), max: spaced(max) });
  if (min) return t("from {min}", { min: spaced(min) });
  return max ? t("up to {max}", { max: spaced(max) }) : none;
}

/** @param {string} words */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An id as people read it. @param {string} id */
export function readable(id) {
  return named(id.replaceAll("_", " "));
}

/** Titles of which one is enough: `the dealer, the boxperson or the gaming manager`. @param {string[]} titles */
export function oneOf(titles) {
  return listed(
    titles.map((title) => t("the {title}", { title: named(title) })),
    "disjunction",
  );
}
