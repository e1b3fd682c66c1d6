// The public record of a table: a line for each of its events, every one chained to the one before.

import { hex, isCount, isMark, joined, unhex, utf8 } from "../static/fairness/bytes.js";
import { sha256 } from "../static/fairness/hashes.js";
import { Course } from "./course.js";

/** A file that cannot be checked; the message is a sentence for a person. */
export class Unreadable extends Error {}

/** @param {string} line @returns {any} nothing where it is no JSON */
export function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export class TableRecord {
  /** @param {any} header */
  constructor(header) {
    const { stream, faces, throw: throws } = header;
    if (header.format !== 1) throw new Unreadable("This page does not know the format of this record.");
    if (typeof stream !== "string" || !/^table\/[a-z0-9]([a-z0-9_.-]{0,38}[a-z0-9])?$/.test(stream))
      throw new Unreadable("Its first line names no table.");
    const kinds = Array.isArray(faces) ? new Set(faces.map((face) => typeof face)) : new Set();
    const isPlain = kinds.size === 1 && faces.length > 1 && faces.every((/** @type {any} */ f) => /^\w+$/.test(f));
    if (!isPlain || !isCount(throws) || throws < 1 || throws > 100)
      throw new Unreadable("Its first line does not say what is thrown.");
    this.stream = stream;
    this.course = new Course(stream.slice(6), faces, throws);
    this.chain = sha256(utf8(`croupier stream\n${stream}`));
    this.head = hex(this.chain);
    this.version = 0;
    this.count = 0;
    this.unseen = 0;
    this.ended = false;
    /** @type {string[]} by version: receipts are held against them */
    this.hashes = [];
    if (new Set(faces).size < faces.length) this.report("other_dice", "Two faces of the dice are the same.");
  }

  get findings() {
    return this.course.findings;
  }

  /** @param {string} fault @param {string} sentence */
  report(fault, sentence) {
    this.findings.push({ fault, sentence, round: 0 });
  }

  /** One line after the first. @param {number} number @param {string} line */
  read(number, line) {
    const told = parsed(line);
    const isLine = told && isCount(told.version) && isMark(told.sha256) && isMark(told.hash);
    if (!isLine) {
      this.end(number, told);
      return;
    }
    if ([told.document, told.event, told.type].filter((shown) => shown !== undefined).length !== 1)
      throw new Unreadable(`Line ${number} must show a document, an event or its kind, and only one of them.`);
    if (this.ended) this.report("added", "There is an event after the last line of the file.");
    this.follow(told);
    this.tell(told);
  }

  /** @param {number} number @param {any} told */
  end(number, told) {
    if (!told || !isCount(told.count) || typeof told.head !== "string")
      throw new Unreadable(`Line ${number} is not a line of a table’s record.`);
    if (this.ended) this.report("added", "The record ends a second time.");
    else if (told.count !== this.count)
      this.report("missing", `The last line counts ${told.count} events, but there are ${this.count}.`);
    else if (told.head !== this.head)
      this.report("altered", "The hash in the last line is not that of the last event.");
    this.ended = true;
  }

  /** The chain: versions without a gap, each hash from the one before it. @param {any} told */
  follow(told) {
    const before = this.version;
    const follows = hex(sha256(joined(this.chain, unhex(told.sha256))));
    this.version = told.version;
    this.chain = unhex(told.hash);
    this.head = told.hash;
    this.hashes[told.version] = told.hash;
    this.count += 1;
    if (told.version > before + 1) this.report("missing", `${these(before + 1, told.version - 1)} missing.`);
    else if (told.version <= before) this.report("added", `Event ${told.version} comes after event ${before}.`);
    else if (follows !== told.hash)
      this.report("altered", `The hash of event ${told.version} does not follow from the event before it.`);
    if (told.document !== undefined && hex(sha256(utf8(String(told.document)))) !== told.sha256)
      this.report("altered", `The document of event ${told.version} does not match its digest.`);
  }

  /** The course: what the record tells, as far as it is shown. @param {any} told */
  tell(told) {
    const { version, hash } = told;
    if (told.document === undefined) {
      this.unseen += 1;
      const event = told.event ?? { type: told.type };
      this.course.goOn({ version, hash, kind: String(event.type), event, at: "", isShown: false });
      return;
    }
    const document = parsed(told.document);
    if (typeof document?.event?.type !== "string" || typeof document.at !== "string")
      this.report("altered", `The document of event ${version} cannot be read.`);
    else
      this.course.goOn({
        version,
        hash,
        kind: document.event.type,
        event: document.event,
        at: document.at,
        isShown: true,
      });
  }

  /** Nothing more comes. */
  close() {
    if (!this.ended) this.report("missing", "The record ends without its last line: some of it is missing.");
    this.course.end();
  }
}

/** @param {number} first @param {number} last */
function these(first, last) {
  return first === last ? `Event ${first} is` : `Events ${first} to ${last} are`;
}
