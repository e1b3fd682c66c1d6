// Receipts: whether the house has signed them, and whether its record still says so.

import { counted, h } from "./dom.js";
import { box, digitsOf, sheet, step } from "./parts.js";
import { heldAgainst, isSigned, twoPasts } from "./receipts.js";

/** @typedef {import("./receipts.js").Receipt} Receipt */
/** @typedef {import("./record.js").TableRecord} TableRecord */
/** @typedef {{receipt: Receipt, fault: string, sentence: string}} Judgement `fault` is empty where all is well */
/** @typedef {import("./parts.js").Mark} Mark */

const MOST_SHOWN = 100;

/** @param {Receipt[]} receipts @param {TableRecord[]} records @returns {Promise<Judgement[]>} */
export async function judged(receipts, records) {
  const judgements = [];
  for (const receipt of receipts) {
    const record = records.find((one) => one.stream === receipt.stream) ?? records[0];
    const unsigned = { fault: "signature", sentence: "" };
    const held = !(await isSigned(receipt))
      ? unsigned
      : record
        ? heldAgainst(receipt, record)
        : { fault: "", sentence: "" };
    judgements.push({ receipt, ...held });
  }
  return judgements;
}

/** @param {Judgement} judgement @returns {Mark} */
function markFor({ fault }) {
  return fault === "other_stream" ? "note" : fault ? "bad" : "good";
}

/** What receipts come to. @param {Judgement[]} judgements @returns {[Mark, string, string]} */
export function receiptsVerdict(judgements) {
  const signed = judgements.filter((one) => one.fault !== "signature");
  const [count, unsigned] = [judgements.length, judgements.length - signed.length];
  const convicts = signed.find((one) => markFor(one) === "bad");
  if (twoPasts(signed.map((one) => one.receipt)))
    return [
      "bad",
      "The house signed two pasts.",
      "Two of these receipts cannot both be true. Keep them: together they convict the house.",
    ];
  if (convicts)
    return ["bad", "This receipt convicts the house.", `${convicts.sentence} Keep both files: they are the proof.`];
  if (unsigned)
    return [
      "bad",
      count === 1 ? "This receipt is not signed." : `${unsigned} of ${count} receipts are not signed.`,
      "The signature does not fit: something was changed, or the house never signed it. It proves nothing.",
    ];
  if (new Set(signed.map((one) => one.receipt.key)).size > 1)
    return [
      "note",
      "Signed by several keys.",
      "A house has one key. Find out which of them is the house’s: the others prove nothing.",
    ];
  if (signed.some((one) => one.fault))
    return [
      "note",
      "Signed, but of another table.",
      "The house signed this. Drop the record of that table to compare the two.",
    ];
  const good = count === 1 ? "This receipt is good." : `All ${count} receipts are good.`;
  const compared = judgements.every((one) => one.sentence);
  return [
    "good",
    good,
    compared
      ? "The house signed it, and its record still says the same."
      : "The house signed it. Drop the table’s record too, to see whether it still says the same.",
  ];
}

/** @param {Judgement[]} judgements */
export function receiptsSheet(judgements) {
  const steps = judgements.slice(0, MOST_SHOWN).map((one) => {
    const { stream, version, at, hash, order } = one.receipt;
    const isGood = one.fault !== "signature";
    return step(
      markFor(one),
      `Record ${version} of ${stream.replace("table/", "")}`,
      `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`,
      h(
        "p",
        { "data-fault": one.fault },
        isGood ? "The signature fits: the house said this, and cannot take it back." : "The signature does not fit.",
      ),
      one.sentence,
      digitsOf("Hash", hash),
      order && digitsOf("Your order", order),
    );
  });
  return sheet("Receipts", h("h2", counted(judgements.length, "receipt")), steps);
}

/** @param {Judgement[]} judgements */
export function keysBox(judgements) {
  const keys = [...new Set(judgements.map((one) => one.receipt.key))];
  return box(
    keys.length === 1 ? "The house’s key" : "They name several keys",
    "See that it is the key which the house shows everywhere. A receipt by another key proves nothing about this house.",
    keys.slice(0, 5).map((key) => digitsOf("Key", key)),
  );
}
