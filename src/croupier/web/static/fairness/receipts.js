// Receipts: what the house has signed of its tables' records. This browser keeps them and compares each with the others.

import { get, keepReceipts, pause, Refused } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { isSigned } from "./receipt.js";

/** @import { Receipt } from "./receipt.js" */
/** @typedef {{key: string | null, kept: Receipt[], wrong: string[]}} Book what is kept, and what was found wrong */

const PLACE = "croupier-receipts";
const MOST = 200; // of all tables; the newest of each table always stays
const MOST_WRONG = 20;
const LATER = 250; // milliseconds, so that several are written together
const LOOKS = [0, 50, 100, 150]; // milliseconds; a receipt comes right after its event
const LONGEST = 1000; // milliseconds to wait for a receipt that was requested

/** What this browser keeps; other pages of the house may have changed it. @returns {Book} */
function read() {
  try {
    const book = JSON.parse(localStorage.getItem(PLACE) ?? "null");
    if (book && Array.isArray(book.kept) && Array.isArray(book.wrong)) return book;
  } catch {
    // unreadable: start again
  }
  return { key: null, kept: [], wrong: [] };
}

/** @param {Book} book */
function write(book) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(book));
  } catch {
    // storage is off: receipts last as long as the page
  }
}

/** @param {Receipt} one @param {Receipt} other */
function isSameEvent(one, other) {
  return one.stream === other.stream && one.version === other.version;
}

/** The latest receipt of a stream. @param {Receipt[]} kept @param {string} stream @returns {Receipt | undefined} */
function newestOf(kept, stream) {
  return kept.filter((one) => one.stream === stream).sort((one, other) => other.version - one.version)[0];
}

/** Drop the oldest; those that show something wrong and the newest of each table stay. @param {Book} book */
function bound(book) {
  const { kept } = book;
  const stays = (/** @type {Receipt} */ one) =>
    newestOf(kept, one.stream) === one ||
    one.key !== book.key ||
    kept.some((other) => isSameEvent(one, other) && one.hash !== other.hash);
  while (kept.length > MOST) {
    const place = kept.findIndex((one) => !stays(one));
    kept.splice(Math.max(place, 0), 1);
  }
}

/** A contradiction that an honest house never signs. @param {Receipt} one @param {Receipt} other */
function twoPasts(one, other) {
  return t(
    "The house has signed two different histories of {stream}: for event {version} it signed one record at {at} and another at {later}. Download your receipts: they prove it.",
    { stream: one.stream.replace("/", " "), version: one.version, at: one.at, later: other.at },
  );
}

/** @param {string} key @param {string} before */
function otherKey(key, before) {
  return t("The house signs with a different key than before ({now}…, not {before}…). It may not be the same house.", {
    now: key.slice(0, 16),
    before: before.slice(0, 16),
  });
}

/** What is wrong with a receipt, by those before it. @param {Book} book @param {Receipt} receipt @returns {string | null} */
function against(book, receipt) {
  if (book.key !== null && receipt.key !== book.key) return otherKey(receipt.key, book.key);
  const before = book.kept.find((one) => isSameEvent(one, receipt) && one.key === receipt.key);
  return before && before.hash !== receipt.hash ? twoPasts(before, receipt) : null;
}

/** Ask the house to sign an event now. @param {string} stream @param {number} version @returns {Promise<Receipt>} */
function signedBy(stream, version) {
  return get(`/tables/${encodeURIComponent(stream.slice(stream.indexOf("/") + 1))}/receipts/${version}`);
}

class Receipts {
  constructor() {
    /** @type {Receipt[]} */
    this.waiting = [];
    /** @type {string[]} */
    this.wrong = [];
    /** @type {Set<() => void>} */
    this.hears = new Set();
    this.timer = 0;
  }

  /** What is kept, with what has just come. @returns {Book} */
  get book() {
    const book = read();
    for (const receipt of this.waiting) {
      book.key ??= receipt.key;
      if (!book.kept.some((one) => isSameEvent(one, receipt) && one.hash === receipt.hash && one.key === receipt.key))
        book.kept.push(receipt);
    }
    for (const words of this.wrong) if (!book.wrong.includes(words)) book.wrong.push(words);
    book.wrong = book.wrong.slice(-MOST_WRONG);
    bound(book);
    return book;
  }

  /** Note the house's key: the first that this browser sees is the house's. @param {string} key */
  meet(key) {
    const { book } = this;
    if (book.key === null) write({ ...book, key });
    else if (book.key !== key) this.note(otherKey(key, book.key));
  }

  /** Whether the house has signed it. Without a signature it proves nothing and is not kept. @param {Receipt} receipt */
  async accepts(receipt) {
    const isGood = await isSigned(receipt);
    if (!isGood)
      this.note(
        t("The house sent a receipt for event {version} without a valid signature. It was not kept.", {
          version: receipt.version,
        }),
      );
    return isGood;
  }

  /** Keep a receipt. @param {Receipt} receipt */
  async keep(receipt) {
    if (!(await this.accepts(receipt))) return;
    const { book } = this;
    const before = newestOf(book.kept, receipt.stream);
    this.note(against(book, receipt));
    this.waiting.push(receipt);
    this.later();
    // An older answer that was sent again, or a house that was cut back: it must show that it still has the later events.
    if (before && receipt.version < before.version && receipt.key === before.key) void this.confirm(receipt.stream);
  }

  /** Check that the house still has the events that it signed. @param {string} stream */
  async confirm(stream) {
    const { key, kept } = this.book;
    const before = newestOf(
      kept.filter((one) => one.key === key),
      stream,
    );
    if (!before) return;
    try {
      const now = await signedBy(stream, before.version);
      const wrong = (await this.accepts(now)) ? against(this.book, now) : null;
      this.note(wrong);
      if (wrong) {
        this.waiting.push(now);
        this.later();
      }
    } catch (error) {
      if (error instanceof Refused && error.status === 404)
        this.note(
          t(
            "At {at} the house signed event {version} of {stream}, and now says that there is none: its record was cut back. Download your receipts: they prove it.",
            { at: before.at, version: before.version, stream: stream.replace("/", " ") },
          ),
        );
    }
  }

  /**
   * Whether the house has signed this hash of a recent event; null if no receipt comes soon.
   * @param {string} stream @param {number} version @param {string} hash @returns {Promise<boolean | null>}
   */
  async vouches(stream, version, hash) {
    const found = () => this.book.kept.filter((one) => one.stream === stream && one.version === version);
    for (const look of LOOKS) if (found().length === 0) await pause(look);
    if (found().length === 0) await Promise.race([this.ask(stream, version), pause(LONGEST)]);
    const { key } = this.book;
    const signed = found();
    for (const one of signed) if (one.hash !== hash || one.key !== key || !(await isSigned(one))) return false;
    return signed.length > 0 || null;
  }

  /** Request a receipt for an event. @param {string} stream @param {number} version */
  async ask(stream, version) {
    try {
      await this.keep(await signedBy(stream, version));
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // there is none
    }
  }

  /** @param {string | null} words what is wrong */
  note(words) {
    if (words === null || this.wrong.includes(words)) return;
    this.wrong.push(words);
    this.later();
  }

  later() {
    if (this.timer === 0) this.timer = window.setTimeout(() => this.save(), LATER);
  }

  save() {
    window.clearTimeout(this.timer);
    this.timer = 0;
    if (this.waiting.length === 0 && this.wrong.length === 0) return;
    write(this.book);
    this.waiting = [];
    this.wrong = [];
    for (const hear of this.hears) hear();
  }

  /** Start again, as with another house. */
  forget() {
    this.waiting = [];
    this.wrong = [];
    write({ key: null, kept: [], wrong: [] });
    for (const hear of this.hears) hear();
  }

  /** One receipt per line, as `croupier verify --receipt` reads them. @returns {string} */
  file() {
    return this.book.kept.map((one) => `${JSON.stringify(one)}\n`).join("");
  }
}

export const receipts = new Receipts();

keepReceipts((receipt) => void receipts.keep(receipt));
window.addEventListener("pagehide", () => receipts.save());
