// One receipt: its form, what the house signs with it, and whether it has, by docs/receipts.md.

import { hex, isCount, isMark, joined, unhex, utf8 } from "./bytes.js";
import { hasSigned } from "./ed25519.js";
import { sha256 } from "./hashes.js";

/**
 * @typedef {object} Receipt
 * @property {string} key @property {string} stream @property {number} version @property {string} hash
 * @property {string} at @property {string} order @property {string[]} path @property {string} signature
 */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Whether it has the only form a receipt can have: any other could be read in two ways. @param {any} reply @returns {reply is Receipt} */
export function isReceipt(reply) {
  return (
    reply?.croupier === "receipt" &&
    reply.format === 1 &&
    [reply.key, reply.hash].every(isMark) &&
    typeof reply.stream === "string" &&
    !reply.stream.includes("\n") &&
    isCount(reply.version) &&
    reply.version > 0 &&
    TIME.test(reply.at) &&
    (reply.order === "" || isMark(reply.order)) &&
    Array.isArray(reply.path) &&
    reply.path.length <= 64 &&
    reply.path.every(isMark) &&
    /^[0-9a-f]{128}$/.test(reply.signature)
  );
}

/** The root that is signed, computed from the receipt's own leaf. @param {Receipt} receipt */
export function signedOf({ stream, version, hash, at, order, path }) {
  let node = hex(sha256(utf8(`croupier receipt 1\n${stream}\n${version}\n${hash}\n${at}\n${order}\n`)));
  for (const sibling of path) {
    const [low, high] = [node, sibling].sort();
    node = hex(sha256(joined(Uint8Array.of(1), unhex(low), unhex(high))));
  }
  return joined(utf8("croupier receipts 1\n"), unhex(node));
}

/** Whether the key that it names has signed it. @param {Receipt} receipt */
export async function isSigned(receipt) {
  return isReceipt(receipt) && (await hasSigned(unhex(receipt.key), unhex(receipt.signature), signedOf(receipt)));
}
