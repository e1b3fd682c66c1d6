// Files: what each one is, and its lines one after the other, in pieces small enough to keep the page responsive.

import { DrawRecord } from "./draw.js";
import { receiptOf } from "./receipts.js";
import { parsed, TableRecord, Unreadable } from "./record.js";

/** @import { Bytes } from "../static/fairness/bytes.js" */
/** @import { Receipt } from "../static/fairness/receipt.js" */
/** @typedef {{records: TableRecord[], draws: DrawRecord[], receipts: Receipt[], problems: string[]}} Found */
/** @typedef {(done: number, of: number) => void} Progress */

const PIECE_MS = 24;
const MOST_BYTES = 2 ** 29;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Read a file into what was found so far. @param {string} name @param {Bytes} bytes @param {Found} found @param {Progress} progress */
export async function readInto(name, bytes, found, progress) {
  try {
    await read(bytes, found, progress);
  } catch (error) {
    const known = error instanceof Unreadable ? error.message : "This file cannot be read.";
    found.problems.push(`${name.slice(0, 80)}: ${known}`);
  }
}

/** @param {Bytes} bytes @param {Found} found @param {Progress} progress */
async function read(bytes, found, progress) {
  if (bytes.length === 0) throw new Unreadable("The file is empty.");
  if (bytes.length > MOST_BYTES)
    throw new Unreadable("The file is too large for a page. `croupier verify-dice` can read it.");
  const [, start] = lineAt(bytes, 0);
  const header = parsed(text(bytes.subarray(0, start)));
  if (header?.record === "croupier public record") {
    const record = new TableRecord(header);
    await eachLine(bytes, progress, (number, line) => number > 1 && line.trim() && record.read(number, line));
    record.close();
    found.records.push(record);
  } else if (header?.record === "croupier prize draw") {
    const draw = new DrawRecord(header, bytes);
    await eachLine(bytes, progress, (number, line, at) => draw.read(number, line, at));
    draw.close();
    found.draws.push(draw);
  } else if (header?.croupier === "receipt")
    await eachLine(bytes, progress, (_, line) => line.trim() && found.receipts.push(receiptOf(line)));
  else if (parsed(text(bytes))?.croupier === "receipt") found.receipts.push(receiptOf(text(bytes)));
  else if (header?.croupier === "export")
    throw new Unreadable("This is an export of a whole house. `croupier verify` checks it.");
  else throw new Unreadable("This is neither a table’s record, nor a prize draw, nor a receipt.");
}

/** @param {Bytes} bytes */
function text(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return "";
  }
}

/** Where a line ends, and where the next one begins. @param {Bytes} bytes @param {number} start */
function lineAt(bytes, start) {
  const end = bytes.indexOf(10, start);
  return end < 0 ? [bytes.length, bytes.length] : [end, end + 1];
}

/** @param {Bytes} bytes @param {Progress} progress @param {(number: number, line: string, start: number) => unknown} each */
async function eachLine(bytes, progress, each) {
  let rested = performance.now();
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const [end, next] = lineAt(bytes, start);
    number += 1;
    each(number, text(bytes.subarray(start, end)), start);
    start = next;
    if (performance.now() - rested > PIECE_MS) {
      progress(start, bytes.length);
      await new Promise((done) => setTimeout(done));
      rested = performance.now();
    }
  }
}
