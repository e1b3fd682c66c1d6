// Requests to the house. An order is carried out once, however often it is sent.

import { hex } from "../fairness/bytes.js";
import { t } from "./catalogue.js";

const ROOT = "/api/v1";
const PAUSES = [250, 500, 1000, 2000, 4000, 8000];

/** The house refused, or could not be reached. `status` is 0 if no answer came. */
export class Refused extends Error {
  /** @param {number} status @param {{code?: string, clause?: string | null, message?: string, about?: string[]}} reply */
  constructor(status, reply) {
    super(reply.message ?? t("The house cannot be reached."));
    this.status = status;
    this.code = reply.code ?? "no_answer";
    this.clause = reply.clause ?? null;
    this.about = reply.about ?? [];
  }
}

/** @type {string | null} */
let csrf = null;

/** Set the token that goes with each order. @param {string | null} word */
export function useCsrf(word) {
  csrf = word;
}

/** @type {(receipt: any) => void} */
let keep = () => {};

/** Pass on every receipt that comes with an answer or on the live stream. @param {(receipt: any) => void} hears */
export function keepReceipts(hears) {
  keep = hears;
}

/** Pass a receipt on. @param {any} receipt */
export function heardReceipt(receipt) {
  keep(receipt);
}

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** A new key for each order. */
export function newKey() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** A path with its values encoded: url`/tables/${table}/lines`. @param {TemplateStringsArray} parts @param {...(string | number)} values */
export function url(parts, ...values) {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}

/** Fetch something, again if no answer comes: a connection may have ended unseen while the house was away. @param {string} path @returns {Promise<any>} */
export async function get(path) {
  const asked = { headers: { accept: "application/json" } };
  try {
    return await answer(await reach(path, asked));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 0) throw error;
  }
  await pause(PAUSES[1] ?? 0);
  return answer(await reach(path, asked));
}

/**
 * Give an order. If no answer comes, or it cannot be stored now, it is sent again with the same key: the house
 * carries it out once. `waiting` is called when that begins.
 * @param {string} path @param {object} body @param {{waiting?: () => void, tries?: number}} [how]
 * @returns {Promise<any>}
 */
export async function post(path, body, how = {}) {
  const key = newKey();
  const tries = how.tries ?? PAUSES.length + 1;
  for (let turn = 0; ; turn++) {
    try {
      const reply = await answer(
        await reach(path, { method: "POST", headers: headers(key), body: JSON.stringify(body) }),
      );
      if (reply?.receipt) heardReceipt(reply.receipt);
      return reply;
    } catch (error) {
      const again = error instanceof Refused && (error.status === 0 || error.status >= 502);
      if (!again || turn + 1 >= tries) throw error;
      how.waiting?.();
      await pause(PAUSES[turn] ?? 8000);
    }
  }
}

/** @param {string} key @returns {Record<string, string>} */
function headers(key) {
  /** @type {Record<string, string>} */
  const sent = { "content-type": "application/json", accept: "application/json", "idempotency-key": key };
  if (csrf) sent["x-csrf-token"] = csrf;
  return sent;
}

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
async function reach(path, init) {
  try {
    return await fetch(path.startsWith("/health") ? path : ROOT + path, { ...init, credentials: "same-origin" });
  } catch {
    throw new Refused(0, {});
  }
}

/** @param {Response} response @returns {Promise<any>} */
async function answer(response) {
  const text = await response.text().catch(() => {
    throw new Refused(0, {});
  });
  /** @type {any} */
  let reply = null;
  try {
    reply = text ? JSON.parse(text) : null;
  } catch {
    throw new Refused(response.status, { message: t("The house sent an answer that this page cannot read.") });
  }
  if (!response.ok || reply?.ok === false) throw new Refused(response.status, reply ?? {});
  return reply;
}

/** The address of a path of the API. @param {string} path */
export function address(path) {
  return ROOT + path;
}
