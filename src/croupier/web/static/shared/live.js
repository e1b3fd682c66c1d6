// Live events of a table. After a cut it goes on from the last event, and it says whether it is connected.

import { address, heardReceipt, pause, Refused } from "./api.js";
import { t } from "./catalogue.js";

const SILENCE = 25000; // milliseconds; the house sends something at least every 15 seconds
const PAUSES = [200, 500, 1000, 2000, 3000];

/** The fields of an event, which its type decides. @typedef {any} Row */
/** An entry of a stream. @typedef {Omit<import("../../types/contract.js").Entry, "events"> & {events: Row[]}} Entry */
/** @typedef {"connecting" | "live" | "lost"} Line */
/**
 * @typedef {object} Handlers
 * @property {(felt: import("../../types/contract.js").Felt) => void} [felt] the state of the table
 * @property {(entry: Entry) => void} [entry] an event
 * @property {(line: Line) => void} line whether the house can be heard
 */

/**
 * Listen to a table until told to stop.
 * @param {string} path @param {Handlers} handlers @param {{after?: number, felt?: boolean}} [how]
 * @returns {() => void} stops it
 */
export function listen(path, handlers, how = {}) {
  const stopping = new AbortController();
  void follow(path, handlers, how, stopping.signal);
  return () => stopping.abort();
}

/** @param {string} path @param {Handlers} handlers @param {{after?: number, felt?: boolean}} how @param {AbortSignal} stop */
async function follow(path, handlers, how, stop) {
  let after = how.after;
  let failures = 0;
  const startAgain = () => {
    after = how.felt ? undefined : how.after; // the house has fewer events than this page: start again
  };
  handlers.line("connecting");
  while (!stop.aborted) {
    try {
      await once(path, { felt: how.felt === true, after }, stop, startAgain, (name, id, reply) => {
        if (failures >= 0) handlers.line("live");
        failures = -1;
        if (id !== null) after = id;
        if (name === "felt") {
          after = reply.version;
          handlers.felt?.(reply);
        } else if (name === "entry") handlers.entry?.(reply);
        else if (name === "receipt") heardReceipt(reply);
      });
      failures = Math.max(failures, 0); // the house ended it in good order: connect again at once
    } catch {
      failures = Math.max(failures, 0) + 1;
    }
    if (stop.aborted) return;
    if (failures > 0) handlers.line("lost");
    await pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 3000);
  }
}

/**
 * One connection, until it ends. Throws if it is cut or silent for too long.
 * @param {string} path @param {{felt: boolean, after: number | undefined}} from @param {AbortSignal} stop
 * @param {() => void} ahead hears that the house has not come so far
 * @param {(name: string, id: number | null, reply: any) => void} heard
 */
async function once(path, from, stop, ahead, heard) {
  const query = new URLSearchParams();
  if (from.felt) query.set("felt", "true");
  if (from.after !== undefined) query.set("after", String(from.after));
  const cut = new AbortController();
  const both = AbortSignal.any([stop, cut.signal]);
  const response = await fetch(`${address(path)}?${query}`, {
    signal: both,
    credentials: "same-origin",
    headers: { accept: "text/event-stream" },
  });
  if (response.status === 409) ahead();
  if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`);
  heard("open", null, null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let watch = setTimeout(() => cut.abort(), SILENCE);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(() => cut.abort(), SILENCE);
      const messages = (text + value).split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) hear(message, heard);
    }
  } finally {
    clearTimeout(watch);
  }
}

/** @param {string} message @param {(name: string, id: number | null, reply: any) => void} heard */
function hear(message, heard) {
  let name = "";
  let data = "";
  /** @type {number | null} */
  let id = null;
  for (const line of message.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
    else if (line.startsWith("id: ")) id = Number(line.slice(4));
  }
  if (name) heard(name, id, data ? JSON.parse(data) : null);
}

const HIDDEN = 20000; // milliseconds between refreshes while the page is hidden

/**
 * Refresh again and again until the person is signed out; `say` gets what is wrong, or "".
 * @param {() => Promise<void>} look @param {number} every milliseconds @param {(problem: string) => void} say
 * @returns {() => void} looks at once
 */
export function poll(look, every, say) {
  let wake = () => {};
  const follow = async () => {
    for (;;) {
      try {
        await look();
        say("");
      } catch (error) {
        if (error instanceof Refused && error.status === 401)
          return say(t("You are no longer signed in. Reload the page."));
        say(t("The house is not answering. This page may be out of date. Trying again …"));
      }
      const woken = new Promise((done) => {
        wake = () => done(null);
      });
      await Promise.race([pause(document.hidden ? Math.max(every, HIDDEN) : every), woken]);
    }
  };
  document.addEventListener("visibilitychange", () => wake());
  void follow();
  return () => wake();
}
