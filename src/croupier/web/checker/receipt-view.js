// Receipts: whether the house has signed them, and whether its record still says so.

import { isSigned } from "../static/fairness/receipt.js";
import { counted, h } from "./dom.js";
import { box, digitsOf, sheet, step } from "./parts.js";
import { heldAgainst, twoPasts } from "./receipts.js";

/** @import { Receipt } from "../static/fairness/receipt.js" */
/** @import { Mark } from "./parts.js" */
/** @import { TableRecord } from "./record.js" */
/** @typedef {{receipt: Receipt, fault: string, sentence: string}} Judgement `fault` is empty where all is well */

const MOST_SHOWN = 100;

/** @typedef {{key: string, whose: string}} Known the key of the house, and from where it is known; both empty where it is not */

/** @param {Receipt[]} receipts @param {TableRecord[]} records @param {Known} known @returns {Promise<Judgement[]>} */
export async function judged(receipts, records, { key, whose }) {
  const judgements = [];
  for (const receipt of receipts) {
    const record = records.find((one) => one.stream === receipt.stream) ?? records[0];
    const held = !(await isSigned(receipt))
      ? { fault: "signature", sentence: "The signature is not valid." }
      : key && receipt.key !== key
        ? { fault: "key", sentence: `Its key is not the one that ${whose}.` }
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

/** @param {Judgement} judgement */
function isOurs({ fault }) {
  return fault !== "signature" && fault !== "key";
}

/** The verdict on receipts. @param {Judgement[]} judgements @param {Known} known @returns {[Mark, string, string]} */
export function receiptsVerdict(judgements, { key }) {
  const signed = judgements.filter(isOurs);
  const [count, unsigned] = [judgements.length, judgements.length - signed.length];
  const convicts = signed.find((one) => markFor(one) === "bad");
  if (twoPasts(signed.map((one) => one.receipt)))
    return [
      "bad",
      "The house signed two different histories.",
      "Two of these receipts cannot both be true. Keep them: together they are the proof.",
    ];
  if (convicts)
    return [
      "bad",
      "This receipt proves it: the record was changed.",
      `${convicts.sentence} Keep both files: they are the proof.`,
    ];
  if (unsigned)
    return [
      "bad",
      count === 1 ? "The house has not signed this." : `The house has not signed ${unsigned} of ${count} receipts.`,
      "The signature or the key does not match: the receipt was changed, comes from another house, or the house has another key now.",
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
      "Signed, but for another table.",
      "The house signed this. Drop the record of that table to compare the two.",
    ];
  const good = count === 1 ? "This receipt is good." : `All ${count} receipts are good.`;
  const compared = judgements.every((one) => one.sentence);
  const says = key ? "The house signed this" : "The signature fits";
  return [
    "good",
    good,
    compared
      ? `${says}, and its record still says the same.`
      : `${says}. Drop the table’s record too, to see whether it still says the same.`,
  ];
}

/** @param {Judgement[]} judgements @param {Known} known */
export function receiptsSheet(judgements, { key }) {
  const fits = key
    ? "The signature fits: the house said this, and cannot take it back. "
    : "The signature fits the key. ";
  const steps = judgements.slice(0, MOST_SHOWN).map((one) => {
    const { stream, version, at, hash, order } = one.receipt;
    return step(
      markFor(one),
      `Event ${version} of ${stream.replace("table/", "")}`,
      `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`,
      h("p", { "data-fault": one.fault }, isOurs(one) && fits, one.sentence),
      digitsOf("Hash", hash),
      order && digitsOf("Your order", order),
    );
  });
  return sheet("Receipts", h("h2", counted(judgements.length, "receipt")), steps);
}

/** @param {Judgement[]} judgements @param {Known} known @param {(key: string) => void} give hears which key the house has */
export function keysBox(judgements, { key, whose }, give) {
  const keys = [...new Set(judgements.map((one) => one.receipt.key))];
  const field = h("input", { value: key, onchange: () => give(field.value) });
  return box(
    keys.length === 1 ? "Whose key is it?" : "Whose keys are they?",
    key
      ? `Every receipt was compared with the key that ${whose}.`
      : "A receipt counts only if it was signed with the house’s key. Enter the key that the house shows, to be sure.",
    keys.slice(0, 5).map((one) => digitsOf("Signed with", one)),
    h("label.field", "The house’s key", field),
  );
}
