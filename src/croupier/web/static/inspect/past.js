// The past of a table, fetched in pages and kept: events, felts and drawings.

import { get, url } from "../shared/api.js";

/** @import { Entry } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Felt as FeltReply } from "../../types/contract.js" */

const PAGE = 100;
const MOST_FELTS = 400;

export class Past {
  /** @param {string} table */
  constructor(table) {
    this.path = url`/tables/${table}`;
    /** @type {Map<number, Promise<Entry[]>>} */
    this.pages = new Map();
    /** @type {Map<number, Promise<FeltReply>>} */
    this.felts = new Map();
    /** @type {Map<string, Promise<Drawing>>} */
    this.drawings = new Map();
    this.last = 0;
    this.opened = 1;
  }

  /** Fetch the number of events, and the first with a felt. */
  async begin() {
    const reply = await get(this.path);
    this.last = reply.version;
    const first = await this.page(0);
    this.opened = first.find((entry) => entry.type === "table_opened")?.version ?? this.last + 1;
    return reply;
  }

  /** @param {number} number @returns {Promise<Entry[]>} */
  page(number) {
    let page = this.pages.get(number);
    if (!page) {
      page = get(`${this.path}/events?after=${number * PAGE}&limit=${PAGE}`).then((reply) => reply.entries);
      this.pages.set(number, page);
      page.then(
        (entries) => entries.length < PAGE && this.pages.delete(number), // it is still growing
        () => this.pages.delete(number),
      );
    }
    return page;
  }

  /** An event by its number. @param {number} version @returns {Promise<Entry | undefined>} */
  async entry(version) {
    const page = await this.page(Math.floor((version - 1) / PAGE));
    return page[(version - 1) % PAGE];
  }

  /** Events from one to another. @param {number} from @param {number} to @returns {Promise<Entry[]>} */
  async entries(from, to) {
    const first = Math.floor((Math.max(1, from) - 1) / PAGE);
    const last = Math.floor((Math.min(to, this.last) - 1) / PAGE);
    const pages = await Promise.all(Array.from({ length: last - first + 1 }, (_, place) => this.page(first + place)));
    return pages.flat().filter((entry) => entry.version >= from && entry.version <= to);
  }

  /** The felt after an event; nothing before the table was opened. @param {number} version @returns {Promise<FeltReply | null>} */
  felt(version) {
    if (version < this.opened) return Promise.resolve(null);
    let felt = this.felts.get(version);
    if (!felt) {
      felt = get(`${this.path}/at/${version}/felt`);
      this.felts.set(version, felt);
      felt.catch(() => this.felts.delete(version));
      const [oldest] = this.felts.keys();
      if (this.felts.size > MOST_FELTS && oldest !== undefined) this.felts.delete(oldest);
    }
    return felt;
  }

  /** The drawing of a felt at an event. @param {FeltReply} felt @returns {Promise<Drawing>} */
  drawing(felt) {
    let drawing = this.drawings.get(felt.terms);
    if (!drawing) {
      drawing = get(`${this.path}/at/${felt.version}/drawing`);
      this.drawings.set(felt.terms, drawing);
      drawing.catch(() => this.drawings.delete(felt.terms));
    }
    return drawing;
  }

  /** The nearest throw before or after an event, or that event. @param {number} from @param {1 | -1} way */
  async nextThrow(from, way) {
    for (let number = Math.floor((from - 1 + way) / PAGE); number >= 0 && number * PAGE < this.last; number += way) {
      const page = await this.page(number);
      const found = (way > 0 ? page : [...page].reverse()).find(
        (entry) => (entry.version - from) * way > 0 && (entry.type === "thrown" || entry.type === "throw_voided"),
      );
      if (found) return found.version;
    }
    return from;
  }
}
