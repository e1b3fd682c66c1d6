// Money and counts in words: whole cents, never fractions of one.

/** `"10.00"` as cents. @param {string} text @returns {bigint} */
export function cents(text) {
  return BigInt(text.replace(".", ""));
}

/** Cents as `"10.00"`. @param {bigint} amount @returns {string} */
export function money(amount) {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** As short as possible: `10`, `2.50`, `12k`. @param {bigint} amount @returns {string} */
export function short(amount) {
  if (amount >= 10000000n && amount % 100000n === 0n) return `${amount / 100000n}k`;
  return money(amount).replace(/\.00$/, "");
}

/** With a comma between thousands. @param {string} text @returns {string} */
export function spaced(text) {
  return text.replace(/\B(?=(\d{3})+(?=\.))/g, ",");
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
  if (min && max) return `${spaced(min)} to ${spaced(max)}`;
  return min ? `from ${spaced(min)}` : max ? `up to ${spaced(max)}` : none;
}

/** @param {string} words */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An id as people read it. @param {string} id */
export function readable(id) {
  return id.replaceAll("_", " ");
}

/** `1 throw`, `12 throws`. @param {number} count @param {string} one */
export function counted(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** Titles of which one is enough: `the dealer, the boxperson or the gaming manager`. @param {string[]} titles @param {string} [before] */
export function oneOf(titles, before = "the ") {
  const named = titles.map((title) => before + title);
  return [named.slice(0, -1).join(", "), ...named.slice(-1)].filter(Boolean).join(" or ");
}
