// Receipts: what the house has signed of its tables' pasts. This browser keeps them, and holds each against the others.

import { get, keepReceipts, Refused } from "./api.js";

/**
 * @typedef {object} Receipt
 * @property {string} key @property {string} stream @property {number} version @property {string} hash
 * @property {string} at @property {string} order @property {string[]} path @property {string} signature
 */
/** @typedef {{key: string | null, kept: Receipt[], wrong: string[]}} Book what is kept, and what was found wrong */

const PLACE = "croupier-receipts";
const MOST = 200; // of all tables; the newest of each stays whatever comes
const MOST_WRONG = 20;
const LATER = 250; // milliseconds: several are written together

/** What this browser keeps of this house. Other pages of it may be open. @returns {Book} */
function read() {
  try {
    const book = JSON.parse(localStorage.getItem(PLACE) ?? "null");
    if (book && Array.isArray(book.kept) && Array.isArray(book.wrong)) return book;
  } catch {
    // nothing that can be read: it begins anew
  }
  return { key: null, kept: [], wrong: [] };
}

/** @param {Book} book */
function write(book) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(book));
  } catch {
    // a browser that keeps nothing: what came is at hand as long as the page is open
  }
}

/** @param {Receipt} one @param {Receipt} other */
function isSameEvent(one, other) {
  return one.stream === other.stream && one.version === other.version;
}

/** The one that goes furthest. @param {Receipt[]} kept @param {string} stream @returns {Receipt | undefined} */
function newestOf(kept, stream) {
  return kept.filter((one) => one.stream === stream).sort((one, other) => other.version - one.version)[0];
}

/** As many as fit: those that show something wrong and the newest of each table stay. @param {Book} book */
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

/** What a house that kept one past never signs. @param {Receipt} one @param {Receipt} other */
function twoPasts(one, other) {
  return `The house has signed two different pasts of ${one.stream.replace("/", " ")}: for event ${one.version} it signed one record at ${one.at} and another at ${other.at}. Download your receipts: they prove it.`;
}

/** @param {string} key @param {string} before */
function otherKey(key, before) {
  return `The house signs with another key than before (${key.slice(0, 16)}…, not ${before.slice(0, 16)}…): it is not the house that it was.`;
}

/** What is wrong with another one, by those before it. @param {Book} book @param {Receipt} receipt @returns {string | null} */
function against(book, receipt) {
  if (book.key !== null && receipt.key !== book.key) return otherKey(receipt.key, book.key);
  const before = book.kept.find((one) => isSameEvent(one, receipt) && one.key === receipt.key);
  return before && before.hash !== receipt.hash ? twoPasts(before, receipt) : null;
}

class Receipts {
  constructor() {
    /** @type {Receipt[]} */
    this.waiting = [];
    /** @type {string[]} */
    this.wrong = [];
    /** @type {Set<() => void>} */
    this.hears = new Set();
    /** @type {Set<(receipt: Receipt) => void>} hear of each that nothing is known against */
    this.comes = new Set();
    this.timer = 0;
  }

  /** What is kept now, with what has just come. @returns {Book} */
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

  /** The key that the house says it signs with: the first that this browser sees is the house's. @param {string} key */
  meet(key) {
    const { book } = this;
    if (book.key === null) write({ ...book, key });
    else if (book.key !== key) this.note(otherKey(key, book.key));
  }

  /** Keep another one. @param {Receipt} receipt */
  keep(receipt) {
    const { book } = this;
    const before = newestOf(book.kept, receipt.stream);
    const wrong = against(book, receipt);
    this.note(wrong);
    this.waiting.push(receipt);
    this.later();
    // An older answer that was sent again, or a house that was taken back: it has to show that it has that past still.
    if (before && receipt.version < before.version && receipt.key === before.key) void this.confirm(receipt.stream);
    void isSigned(receipt).then((isGood) => {
      if (isGood === false) this.note(`A receipt for event ${receipt.version} is not signed by the house's key.`);
      else if (wrong === null) for (const hear of this.comes) hear(receipt);
    });
  }

  /** Have the house show that it has the past still that it signed. @param {string} stream */
  async confirm(stream) {
    const { key, kept } = this.book;
    const before = newestOf(
      kept.filter((one) => one.key === key),
      stream,
    );
    if (!before) return;
    try {
      const table = encodeURIComponent(stream.slice(stream.indexOf("/") + 1));
      const now = /** @type {Receipt} */ (await get(`/tables/${table}/receipts/${before.version}`));
      const wrong = against(this.book, now);
      this.note(wrong);
      if (wrong) {
        this.waiting.push(now);
        this.later();
      }
    } catch (error) {
      if (error instanceof Refused && error.status === 404)
        this.note(
          `The house signed at ${before.at} that ${stream.replace("/", " ")} had come to event ${before.version}, and says now that there is none: it was taken back. Download your receipts: they prove it.`,
        );
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

  /** Begin anew, as with another house. */
  forget() {
    this.waiting = [];
    this.wrong = [];
    write({ key: null, kept: [], wrong: [] });
    for (const hear of this.hears) hear();
  }

  /** One to a line, as `croupier verify --receipt` takes them. @returns {string} */
  file() {
    return this.book.kept.map((one) => `${JSON.stringify(one)}\n`).join("");
  }
}

// What is signed, as docs/receipts.md says

/** @param {string} hex */
function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {...Uint8Array} parts @returns {Uint8Array<ArrayBuffer>} */
function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** @param {Uint8Array<ArrayBuffer>} content */
async function sha256(content) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content));
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function isBefore(one, other) {
  const place = one.findIndex((byte, at) => byte !== other[at]);
  return place >= 0 && Number(one[place]) < Number(other[place]);
}

/**
 * Whether the key that a receipt names has signed it; null where this browser cannot tell.
 * @param {Receipt} receipt @returns {Promise<boolean | null>}
 */
export async function isSigned(receipt) {
  const { key, stream, version, hash, at, order, path, signature } = receipt;
  if (!window.isSecureContext) return null;
  try {
    const text = new TextEncoder();
    const leaf = ["croupier receipt 1", stream, version, hash, at, order, ""].join("\n");
    let node = await sha256(text.encode(leaf));
    for (const step of path) {
      const beside = bytes(step);
      const pair = isBefore(node, beside) ? [node, beside] : [beside, node];
      node = await sha256(joined(Uint8Array.of(1), ...pair));
    }
    const own = await crypto.subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify(
      "Ed25519",
      own,
      bytes(signature),
      joined(text.encode("croupier receipts 1\n"), node),
    );
  } catch {
    return null; // a browser that does not know such keys
  }
}

export const receipts = new Receipts();

keepReceipts((receipt) => receipts.keep(receipt));
window.addEventListener("pagehide", () => receipts.save());
