// Receipts: what the house has signed, and what one shows when it is held against a record, or against another.

import { hex, isCount, isMark, joined, unhex, utf8 } from "./bytes.js";
import { hasSigned } from "./ed25519.js";
import { hashOf } from "./hashes.js";
import { parsed, Unreadable } from "./record.js";

/** @typedef {{key: string, stream: string, version: number, hash: string, at: string, order: string, path: string[], signature: string}} Receipt */
/** @typedef {{fault: string, sentence: string}} Judged */
/** @typedef {import("./record.js").TableRecord} TableRecord */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** A receipt, in the one form that it can have. @param {string} line @returns {Receipt} */
export function receiptOf(line) {
  const told = parsed(line);
  const isFormed =
    told?.croupier === "receipt" &&
    told.format === 1 &&
    [told.key, told.hash].every(isMark) &&
    typeof told.stream === "string" &&
    !told.stream.includes("\n") &&
    isCount(told.version) &&
    told.version > 0 &&
    TIME.test(told.at) &&
    (told.order === "" || isMark(told.order)) &&
    Array.isArray(told.path) &&
    told.path.length <= 64 &&
    told.path.every(isMark) &&
    /^[0-9a-f]{128}$/.test(told.signature);
  if (!isFormed) throw new Unreadable("It is no receipt that a house gives.");
  return told;
}

/** What is signed: up from the receipt's own leaf. @param {Receipt} receipt */
export function rootOf(receipt) {
  const { stream, version, hash, at, order } = receipt;
  let node = hex(hashOf(utf8(`croupier receipt 1\n${stream}\n${version}\n${hash}\n${at}\n${order}\n`)));
  for (const sibling of receipt.path) {
    const [low, high] = [node, sibling].sort();
    node = hex(hashOf(joined(new Uint8Array([1]), unhex(low), unhex(high))));
  }
  return node;
}

/** What stands under the signature. @param {Receipt} receipt */
export function signedOf(receipt) {
  return joined(utf8("croupier receipts 1\n"), unhex(rootOf(receipt)));
}

/** @param {Receipt} receipt */
export function isSigned(receipt) {
  return hasSigned(unhex(receipt.key), unhex(receipt.signature), signedOf(receipt));
}

/** What a receipt that is signed shows of a record. @param {Receipt} receipt @param {TableRecord} record @returns {Judged} */
export function heldAgainst(receipt, record) {
  if (receipt.stream !== record.stream)
    return { fault: "other_stream", sentence: "It is of another table than this record." };
  const there = record.hashes[receipt.version];
  if (there === receipt.hash)
    return { fault: "", sentence: `Record ${receipt.version} of this table has the very hash that you were given.` };
  if (there === undefined)
    return {
      fault: "shorter",
      sentence: `The house signed record ${receipt.version}, and this record has none. It was cut back.`,
    };
  return {
    fault: "forked",
    sentence: `Record ${receipt.version} now has another hash than the house signed. Its past was rewritten.`,
  };
}

/** The first two receipts of one key that cannot both be true. @param {Receipt[]} receipts @returns {[Receipt, Receipt] | null} */
export function twoPasts(receipts) {
  /** @type {Map<string, Receipt>} */
  const known = new Map();
  for (const receipt of receipts) {
    const mark = `${receipt.key} ${receipt.version} ${receipt.stream}`;
    const before = known.get(mark);
    if (before && before.hash !== receipt.hash) return [before, receipt];
    known.set(mark, receipt);
  }
  return null;
}
