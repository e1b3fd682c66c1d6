// What falls, repeated here: the house's commitment, those to players' numbers, and the dice that follow from both.

import { fromHex, hex, hmac, joined, sha256, utf8 } from "./sha256.js";

/** Something for one round at one table. @param {string} what @param {string} table @param {number} round @param {Uint8Array} data */
function bound(what, table, round, data) {
  return sha256(joined(utf8(`croupier ${what}\n${table}\n${round}\n`), data));
}

/** @param {string} table @param {number} round @param {string} secret in hexadecimal digits */
export function commitment(table, round, secret) {
  return hex(bound("dice 2", table, round, fromHex(secret)));
}

/** @param {string} table @param {number} round @param {string} number in hexadecimal digits */
export function numberCommitment(table, round, number) {
  return hex(bound("number 1", table, round, fromHex(number)));
}

/**
 * What falls. @param {string} table @param {number} round @param {string} secret
 * @param {[string, string][]} numbers commitments with their numbers, "" where one is missing
 * @param {(number | string)[]} faces @param {number} count
 */
export function drawn(table, round, secret, numbers, faces, count) {
  const rows = numbers.map(([committed, shown]) => `${committed} ${shown || "-"}\n`).join("");
  const mix = bound("throw 2", table, round, utf8(rows));
  const fair = 2 ** 32 - (2 ** 32 % faces.length);
  const fell = [];
  for (let block = 0; fell.length < count; block++) {
    const place = new DataView(new ArrayBuffer(4));
    place.setUint32(0, block);
    const words = new DataView(hmac(fromHex(secret), joined(mix, new Uint8Array(place.buffer))).buffer);
    for (let i = 0; i < 32; i += 4) {
      const word = words.getUint32(i);
      if (word < fair) fell.push(faces[word % faces.length]);
    }
  }
  return fell.slice(0, count);
}
