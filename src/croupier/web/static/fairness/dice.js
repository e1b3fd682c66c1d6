// How dice are drawn: the house's commitment, the players' commitments, and the faces that follow from secret and numbers.

import { hex, joined, unhex, utf8 } from "./bytes.js";
import { hmac, sha256 } from "./hashes.js";

/** @import { Bytes } from "./bytes.js" */
/** @typedef {number | string} Face */

/** A digest bound to one round at one table. @param {string} what @param {string} table @param {number} round @param {Bytes} data */
function bound(what, table, round, data) {
  return sha256(joined(utf8(`croupier ${what}\n${table}\n${round}\n`), data));
}

/** The commitment to the house's secret. @param {number} protocol @param {string} table @param {number} round @param {string} secret in hexadecimal digits */
export function commitment(protocol, table, round, secret) {
  return hex(bound(`dice ${protocol}`, table, round, unhex(secret)));
}

/** The commitment to a player's number. @param {string} table @param {number} round @param {string} number in hexadecimal digits */
export function numberCommitment(table, round, number) {
  return hex(bound("number 1", table, round, unhex(number)));
}

/**
 * What the secret is mixed with: every commitment with its number, "" if that is missing.
 * @param {string} table @param {number} round @param {string[]} commitments @param {string[]} numbers @returns {Bytes}
 */
export function mixed(table, round, commitments, numbers) {
  const rows = commitments.map((committed, place) => `${committed} ${numbers[place] || "-"}\n`);
  return bound("throw 2", table, round, utf8(rows.join("")));
}

/** An endless sequence of 32-bit words. @param {string} secret @param {Bytes} mix */
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
 * The words that decide, one for each die. Words that would favour some faces are discarded.
 * @param {string} secret @param {Bytes} mix @param {number} sides @param {number} count @returns {number[]}
 */
export function decidingWords(secret, mix, sides, count) {
  const fair = 2 ** 32 - (2 ** 32 % sides);
  const words = [];
  for (const word of wordsOf(secret, mix)) {
    if (word < fair) words.push(word);
    if (words.length === count) break;
  }
  return words;
}

/** The faces that are drawn. @param {string} secret @param {Bytes} mix @param {Face[]} faces @param {number} count @returns {Face[]} */
export function drawn(secret, mix, faces, count) {
  return decidingWords(secret, mix, faces.length, count).map((word) => faces[word % faces.length]);
}

/** Whether two lists are equal. @param {unknown} one @param {unknown} other */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
