// Receipts: what one shows when compared with a record, or with another.

import { isReceipt } from "../static/fairness/receipt.js";
import { parsed, Unreadable } from "./record.js";

/** @import { Receipt } from "../static/fairness/receipt.js" */
/** @import { TableRecord } from "./record.js" */
/** @typedef {{fault: string, sentence: string}} Judged */

/** @param {string} line @returns {Receipt} */
export function receiptOf(line) {
  const told = parsed(line);
  if (!isReceipt(told)) throw new Unreadable("This is not a receipt from a house.");
  return told;
}

/** What a signed receipt shows about a record. @param {Receipt} receipt @param {TableRecord} record @returns {Judged} */
export function heldAgainst(receipt, record) {
  if (receipt.stream !== record.stream)
    return { fault: "other_stream", sentence: "This receipt is for another table than this record." };
  const there = record.hashes[receipt.version];
  if (there === receipt.hash)
    return { fault: "", sentence: `Event ${receipt.version} of this table still has the hash that you were given.` };
  if (there === undefined)
    return {
      fault: "shorter",
      sentence: `The house signed event ${receipt.version}, but this record has no such event. It was cut short.`,
    };
  return {
    fault: "forked",
    sentence: `Event ${receipt.version} now has a different hash from the one that the house signed. History was rewritten.`,
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
