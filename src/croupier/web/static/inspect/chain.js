// The hash chain of a table, verified in the browser: each hash is recomputed from the one before and the document.

import { hex, joined, unhex, utf8 } from "../fairness/bytes.js";
import { get, url } from "../shared/api.js";
import { locale, plural, t } from "../shared/catalogue.js";
import { fill, h } from "../shared/dom.js";
import { button, card, errorWords } from "../shared/parts.js";
import { exactly } from "../shared/times.js";

const PAGE = 500;
const MOST_PAGES = 10; // of signed statements, of twenty each
const STATEMENTS = 20;
const SECONDS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** @import { Bytes } from "../fairness/bytes.js" */
/** @typedef {{version: number, document?: string, sha256?: string, hash: string}} Kept */
/** @typedef {{version: number, hash: string, wrong: {version: number, words: string} | null, leaves: Map<string, number>}} Followed */

/** @param {Bytes} bytes @returns {Promise<Bytes>} */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Follow a chain from its start to the first record that does not fit.
 * @param {string} stream @param {AsyncIterable<Kept[]>} pages @param {(version: number) => void} reached
 * @returns {Promise<Followed>}
 */
export async function follow(stream, pages, reached) {
  let last = await sha256(utf8(`croupier stream\n${stream}`));
  let version = 0;
  /** @type {Map<string, number>} */
  const leaves = new Map();
  const stopped = (/** @type {number} */ at, /** @type {string} */ words) => ({
    version,
    hash: hex(last),
    wrong: { version: at, words },
    leaves,
  });
  for await (const page of pages) {
    const digests = await Promise.all(
      page.map((one) => (one.document === undefined ? unhex(one.sha256 ?? "") : sha256(utf8(one.document)))),
    );
    for (const [place, kept] of page.entries()) {
      if (kept.version !== version + 1)
        return stopped(version + 1, t("Event {event} is missing.", { event: version + 1 }));
      const digest = digests[place] ?? new Uint8Array();
      const made = await sha256(joined(last, digest));
      if (hex(made) !== kept.hash)
        return stopped(
          kept.version,
          t("Event {event} was altered: its hash does not follow from the one before.", { event: kept.version }),
        );
      [last, version] = [made, kept.version];
      const leaf = await sha256(utf8(`${stream}\n${version}\n${kept.hash}`));
      leaves.set(hex(leaf), version);
    }
    reached(version);
  }
  return { version, hash: hex(last), wrong: null, leaves };
}

/** The stored documents, for staff who may read them. @param {string} table @returns {AsyncGenerator<Kept[]>} */
async function* stored(table) {
  for (let after = /** @type {number | null} */ (0); after !== null; ) {
    /** @type {any} */
    const reply = await get(url`/tables/${table}/records?after=${after}&limit=${PAGE}`);
    yield reply.records;
    after = reply.next;
  }
}

/** The public record: documents without names, and digests of the others. @param {string} table @returns {AsyncGenerator<Kept[]>} */
async function* published(table) {
  const response = await fetch(url`/api/v1/tables/${table}/record`);
  if (!response.ok) throw new Error(t("The public record of this table is not available right now."));
  const lines = (await response.text()).trim().split("\n").slice(1, -1);
  for (let start = 0; start < lines.length; start += PAGE)
    yield lines.slice(start, start + PAGE).map((line) => JSON.parse(line));
}

/**
 * The newest signed statement that covers this chain.
 * @param {Followed} chain @returns {Promise<{reply: any, version: number} | null>}
 */
async function newestStatement(chain) {
  const { checkpoint } = await get("/house");
  if (!checkpoint) return null;
  let end = JSON.parse(checkpoint.split("\n")[0]).number;
  for (let turn = 0; turn < MOST_PAGES && end > 0; turn++) {
    const start = Math.max(0, end - STATEMENTS);
    const { entries } = await get(`/checkpoints?after=${start}&limit=${end - start}`);
    for (const reply of entries.reverse()) {
      const versions = JSON.parse(reply.statement).leaves.flatMap(
        (/** @type {string} */ leaf) => chain.leaves.get(leaf) ?? [],
      );
      if (versions.length > 0) return { reply, version: Math.max(...versions) };
    }
    end = start;
  }
  return null;
}

/** Whether the house has signed it; null if this browser cannot tell. @param {any} reply @returns {Promise<boolean | null>} */
async function isSigned(reply) {
  try {
    const key = await crypto.subtle.importKey("raw", unhex(reply.key), { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, unhex(reply.signature), utf8(reply.statement));
  } catch {
    return null;
  }
}

/** A card that verifies the chain of a table. @param {string} table @param {boolean} whole whether documents may be read @param {(version: number) => void} go */
export function chainCard(table, whole, go) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("Progress of the verification"), hidden: true });
  const said = h("ul.plain");
  const start = button(t("Verify the chain"), () => void check(), "primary");
  const check = async () => {
    start.disabled = true;
    bar.hidden = false;
    fill(said);
    try {
      await verify(table, whole, bar, (isWell, ...words) => said.append(finding(isWell, ...words)), go);
    } catch (error) {
      said.append(finding(false, errorWords(error)));
    }
    start.disabled = false;
  };
  const how = whole
    ? t(
        "Your browser fetches every stored document and recomputes all hashes. It does not rely on the house’s own figures.",
      )
    : t("Your browser follows the public record: documents without names, and digests of all others.");
  return card("chain-title", t("Hash chain"), h("p.soft", how), start, bar, h("div", { role: "status" }, said));
}

/** @param {boolean | null} isWell @param {...(string | Node)} words */
function finding(isWell, ...words) {
  const mark = isWell === null ? "?" : isWell ? "✓" : "✗";
  return h(
    "li",
    { class: isWell === null ? "" : isWell ? "good" : "problem" },
    h("strong", { "aria-hidden": "true" }, `${mark} `),
    ...words,
  );
}

/**
 * @param {string} table @param {boolean} whole @param {HTMLProgressElement} bar
 * @param {(isWell: boolean | null, ...words: (string | Node)[]) => void} say @param {(version: number) => void} go
 */
async function verify(table, whole, bar, say, go) {
  if (!crypto.subtle) {
    say(null, t("This browser computes hashes only on pages loaded over HTTPS or from this machine."));
    return;
  }
  const started = performance.now();
  const head = await get(url`/tables/${table}`).catch(() => null);
  bar.max = head?.version ?? 1;
  const chain = await follow(`table/${table}`, whole ? stored(table) : published(table), (version) => {
    bar.value = version;
  });
  const { wrong } = chain;
  if (wrong) {
    const show = button(t("Go to event {version}", { version: wrong.version }), () => go(wrong.version));
    say(false, `${wrong.words} `, t("Events up to {last} are intact.", { last: chain.version }), " ", show);
  } else
    say(
      true,
      plural(chain.version, "The only event is intact.", "All {n} events are intact. It took {seconds} s.", {
        seconds: new Intl.NumberFormat(locale, SECONDS).format((performance.now() - started) / 1000),
      }),
    );
  if (head && !wrong && chain.version >= head.version) {
    const same = chain.version > head.version || chain.hash === head.hash;
    say(
      same,
      same
        ? t("The last hash matches the one that the house shows: {start}…", { start: chain.hash.slice(0, 16) })
        : t("The last hash does not match the one that the house shows."),
    );
  }
  await compare(chain, say);
}

/** @param {Followed} chain @param {(isWell: boolean | null, ...words: (string | Node)[]) => void} say */
async function compare(chain, say) {
  const found = await newestStatement(chain);
  if (!found) {
    say(null, t("No recent signed statement covers this chain yet. The house signs every few minutes."));
    return;
  }
  const { reply, version } = found;
  const { key } = await get("/house");
  say(
    true,
    t("Statement {number}, signed {at}, contains the hash of event {version}.", {
      number: reply.number,
      at: exactly(reply.at),
      version,
    }),
  );
  const signed = await isSigned(reply);
  if (signed === null) say(null, t("This browser cannot check Ed25519 signatures; `croupier verify` can."));
  else if (!signed) say(false, t("The signature on that statement is not valid."));
  else
    say(
      key === reply.key,
      key === reply.key
        ? t("It is signed with the house’s key, {start}…", { start: key.slice(0, 16) })
        : t("It is signed with a key that is not the one the house shows."),
    );
}
