// A person's position at a table: what they see of it, in which role they act, and the orders they give.

import { pause, post, Refused, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { refusalLine } from "../shared/parts.js";

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Drawing } from "../felt/area.js" */
/** @import { Me } from "../shared/session.js" */
/** @typedef {import("../../types/contract.js").Field} Field */
/** @typedef {import("../../types/contract.js").Against} Against */
/** @typedef {import("../../types/contract.js").Act} Act */
/** @typedef {import("../../types/contract.js").TableCommand} Command */
/** @typedef {import("../../types/contract.js").Ground} Ground */
/** @typedef {import("../../types/contract.js").Acts} BookActs */
/** @typedef {Record<string, any> & {do: string}} Line */
/** @typedef {Omit<import("../../types/contract.js").ConsoleStep, "line" | "first"> & {line: Line, first?: Line[]}} Step */

const TRIES = 12; // how often an order is sent again because players kept betting
const CATCHING_UP = 3000;

export class Position {
  /** @param {string} table @param {Me} me @param {Drawing} drawing @param {BookActs} book @param {FeltReply} felt */
  constructor(table, me, drawing, book, felt) {
    this.table = table;
    this.me = me;
    this.drawing = drawing;
    this.book = book;
    this.felt = felt;
    this.throws = 0; // since the page was opened
    this.isSending = false;
    /** @type {(() => void) | null} what was pressed while an order was on its way */
    this.kept = null;
    /** @type {() => void} what shows the desk */
    this.changed = () => {};
    /** @type {(words: string) => void} hears what was done with a form, in a sentence to show */
    this.did = () => {};
  }

  /** @returns {string | null} the role in which the person runs this table */
  get role() {
    return this.felt.staff?.[this.me.person] ?? null;
  }

  /** @returns {Record<string, any>} what the table remembers, and what it has by the book */
  get facts() {
    return { ...this.book.facts, ...this.felt.facts };
  }

  /** Whether people throw the dice or coins here. */
  get isByHand() {
    return this.drawing.sign.dice === "manual";
  }

  /** What the person can do now. @returns {Step[]} */
  get steps() {
    return /** @type {Step[]} */ (this.felt.steps ?? []);
  }

  /** The players, clockwise by their places. @returns {string[]} */
  get players() {
    const { chips, places } = this.felt;
    return Object.keys(chips ?? {}).sort((one, other) => (places?.[one] ?? 0) - (places?.[other] ?? 0));
  }

  /** An act that the person may do here, if the book has it. @param {string} id @returns {Act | undefined} */
  act(id) {
    return this.book.acts.find((act) => act.id === id && this.isMine(act.roles));
  }

  /** A command of every table that the person may give. @param {string} word */
  command(word) {
    return this.book.commands.find((command) => command.do === word && this.isMine(command.roles));
  }

  /** @param {string[]} roles */
  isMine(roles) {
    return this.role !== null && roles.includes(this.role);
  }

  /** The person's titles among these. @param {string[]} by @returns {string[]} */
  ownTitles(by) {
    return this.book.titles.filter((one) => this.isMine(one.roles) && by.includes(one.title)).map((one) => one.title);
  }

  /** What an order relies on: players may keep betting meanwhile. */
  moment() {
    const { bets, open, thrower } = this.felt;
    return JSON.stringify([this.throws, bets, open, thrower?.by, this.facts.throw, this.facts.result]);
  }

  /** What an entry relies on too: the layout that was read back. */
  layout() {
    return this.moment() + JSON.stringify(this.felt.wagers);
  }

  /**
   * Send a line for this moment of the table; a refusal is shown beside the button.
   * @param {Line} line @param {HTMLElement} beside @param {() => string} [relies] what it relies on
   * @returns {Promise<any>} null where it was refused
   */
  async say(line, beside, relies = () => this.moment()) {
    if (this.isSending) return null;
    this.isSending = true;
    fill(beside);
    this.changed();
    try {
      const reply = await this.send(line, beside, relies);
      // Until the page has received the change, it still shows the old steps.
      await this.catchUp((reply.versions?.[`table/${this.table}`] ?? 0) - 1);
      return reply;
    } catch (error) {
      fill(beside, refusalLine(this.book.id, error));
      return null;
    } finally {
      this.isSending = false;
      this.changed();
      const { kept } = this;
      this.kept = null;
      kept?.();
    }
  }

  /** Do it now, or once the order on its way is answered: the table may show the next step before that. @param {() => void} press */
  whenFree(press) {
    if (this.isSending) this.kept = press;
    else press();
  }

  /** @param {Line} line @param {HTMLElement} beside @param {() => string} [relies] @returns {Promise<any>} */
  async send(line, beside, relies = () => this.moment()) {
    const before = relies();
    const waiting = () => fill(beside, h("p.soft", { role: "status" }, t("No answer yet. Trying again …")));
    for (let turn = 1; ; turn++) {
      const version = this.felt.version;
      try {
        const reply = await post(url`/tables/${this.table}/lines`, { line, version }, { waiting });
        fill(beside);
        return reply;
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== "table_moved_on" || turn === TRIES) throw error;
        await this.catchUp(version);
        if (this.felt.version === version || relies() !== before) throw error;
      }
    }
  }

  /** Wait until the page is past this version. @param {number} version */
  async catchUp(version) {
    for (let waited = 0; this.felt.version <= version && waited < CATCHING_UP; waited += 50) await pause(50);
  }
}
