// How dice fall: seals, and what is mixed from the house's secret and the players' numbers.

import { hex, joined, unhex, utf8 } from "./bytes.js";
import { hashOf, hmac } from "./hashes.js";

/** @typedef {import("./bytes.js").Bytes} Bytes */
/** @typedef {number | string} Face */

/** The house's seal of a secret. @param {number} protocol @param {string} table @param {number} round @param {string} secret */
export function sealOf(protocol, table, round, secret) {
  return hex(hashOf(joined(utf8(`croupier dice ${protocol}\n${table}\n${round}\n`), unhex(secret))));
}

/** A player's seal of a number. @param {string} table @param {number} round @param {string} number */
export function numberSeal(table, round, number) {
  return hex(hashOf(joined(utf8(`croupier number 1\n${table}\n${round}\n`), unhex(number))));
}

/**
 * What the secret is mixed with: every player's seal with its number, "" where that is missing.
 * @param {string} table @param {number} round @param {string[]} seals @param {string[]} numbers @returns {Bytes}
 */
export function mixOf(table, round, seals, numbers) {
  const rows = seals.map((seal, place) => `${seal} ${numbers[place] || "-"}\n`);
  return hashOf(utf8(`croupier throw 2\n${table}\n${round}\n${rows.join("")}`));
}

/** Words of 32 bits without end. @param {string} secret @param {Bytes} mix */
function* wordsOf(secret, mix) {
  const key = unhex(secret);
  for (let block = 0; ; block++) {
    const count = new DataView(new ArrayBuffer(4));
    count.setUint32(0, block);
    const bits = new DataView(hmac(key, joined(mix, new Uint8Array(count.buffer))).buffer);
    for (let at = 0; at < 32; at += 4) yield bits.getUint32(at);
  }
}

/**
 * The words that decide, one for each die. One that would favour some faces is thrown away.
 * @param {string} secret @param {Bytes} mix @param {number} sides @param {number} throws @returns {number[]}
 */
export function decidingWords(secret, mix, sides, throws) {
  const fair = 2 ** 32 - (2 ** 32 % sides);
  const words = [];
  for (const word of wordsOf(secret, mix)) {
    if (word < fair) words.push(word);
    if (words.length === throws) break;
  }
  return words;
}

/** What falls. @param {string} secret @param {Bytes} mix @param {Face[]} faces @param {number} throws @returns {Face[]} */
export function fallOf(secret, mix, faces, throws) {
  const words = decidingWords(secret, mix, faces.length, throws);
  return words.map((word) => faces[word % faces.length]);
}

/** @param {unknown} one @param {unknown} other */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
