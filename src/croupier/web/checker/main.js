// The page: files are dropped or chosen, or a record is fetched from the house that served the page.

import { isMark } from "../static/fairness/bytes.js";
import { commitment, decidingWords, mixed, numberCommitment } from "../static/fairness/dice.js";
import { hasSignedByBrowser, hasSignedByHand } from "../static/fairness/ed25519.js";
import { signedOf } from "../static/fairness/receipt.js";
import { fill, h } from "./dom.js";
import { drawView } from "./draw-view.js";
import { facesOf } from "./faces.js";
import { box, verdict } from "./parts.js";
import { readInto } from "./reading.js";
import { judged, keysBox, receiptsSheet, receiptsVerdict } from "./receipt-view.js";
import { receiptOf } from "./receipts.js";
import { tableView } from "./table-view.js";

/** @import { Found } from "./reading.js" */

/** @type {Found} receipts stay, and so does a record until another one comes: either may come first */
const found = { records: [], draws: [], receipts: [], problems: [] };
let known = { key: "", whose: "" };
/** @type {HTMLElement | null} what the house showed, to be saved */
let saving = null;
const result = /** @type {HTMLElement} */ (document.getElementById("result"));

/** @param {string} words */
function working(words) {
  const bar = h("progress", { "aria-label": words });
  fill(result, h("section.box", h("h1", words), bar));
  return (/** @type {number} */ done, /** @type {number} */ of) => {
    bar.value = done / of;
  };
}

/** @param {FileList | undefined} files */
async function take(files) {
  if (!files?.length) return;
  const progress = working("Checking …");
  const { records } = found;
  found.records = [];
  found.draws = [];
  found.problems = [];
  saving = null;
  for (const file of files) {
    const bytes = await file.arrayBuffer().catch(() => new ArrayBuffer(0));
    await readInto(file.name, new Uint8Array(bytes), found, progress);
  }
  if (!found.records.length) found.records = records;
  await showAll(null);
}

/** Fetch from the house that served the page. @param {string} path */
async function ask(path) {
  const response = await fetch(`/api/v1/${path}`, { credentials: "omit" });
  if (!response.ok) throw new Error();
  return response;
}

/** Fetch the house's key, if a house served the page. */
async function askKey() {
  if (known.key || !location.protocol.startsWith("http")) return;
  const { key } = await ask("house").then((told) => told.json(), Object);
  if (isMark(key)) known = { key, whose: "this house shows" };
}

/** Use a key that was typed in. @param {string} written */
function giveKey(written) {
  const key = written.toLowerCase().replace(/\s/g, "");
  const isNone = key && !isMark(key);
  found.problems = isNone ? ["A key has 64 digits: 0 to 9, a to f."] : [];
  known = isNone ? known : { key, whose: "you entered" };
  void showAll(null);
}

/** Show everything. @param {number | null} round */
async function showAll(round) {
  const { records, draws, receipts, problems } = found;
  if (receipts.length) await askKey();
  const judgements = await judged(receipts, records, known);
  const [mark, title, words] = receiptsVerdict(judgements, known);
  const isEmpty = !records.length && !draws.length;
  const isRewritten = (/** @type {{stream: string}} */ { stream }) =>
    judgements.some((one) => one.receipt.stream === stream && ["forked", "shorter"].includes(one.fault));
  const signed = judgements.length > 0 && [
    verdict(mark, title, words),
    h(
      "div.columns",
      receiptsSheet(judgements, known),
      h("div.beside", keysBox(judgements, known, giveKey), isEmpty && dropBox()),
    ),
  ];
  fill(
    result,
    problems.map((problem) => h("p.problem", { role: "alert" }, problem)),
    mark === "bad" && signed,
    records.map((record) => tableView(record, round, isRewritten(record), beside())),
    draws.map((draw) => drawView(draw, beside())),
    mark !== "bad" && signed,
    isEmpty && !signed && welcome(),
  );
  result.querySelector("h1")?.focus({ preventScroll: true });
}

function picker() {
  const input = h("input.vh", { type: "file", multiple: true, onchange: () => void take(input.files) });
  return h("label.pick", input, "Choose files");
}

function welcome() {
  return h(
    "section.welcome",
    facesOf([5, 3], 64),
    h("h1", { tabindex: -1 }, "Check it yourself."),
    h("p.lead", "Was that throw fair? Your own device can find out. You need not trust the house or us."),
    h(
      "div.drop",
      h("p", h("strong", "Drop files here"), " or"),
      picker(),
      h("p.soft", "Nothing leaves this page. It works with the internet switched off."),
    ),
    h(
      "div.three",
      box(
        "A table’s record",
        "Every round is thrown again. “Check this throw” beside a result brings you here with it.",
      ),
      box("A prize draw", "Every winner is drawn again. Download the record from the page of the promotion."),
      box(
        "Your receipts",
        "Does the house still say what it signed? Download them at the table, and drop its record too.",
      ),
    ),
  );
}

function beside() {
  return [saving, dropBox()];
}

function dropBox() {
  return box("Check more", "Drop files anywhere on this page: a record, a prize draw, your receipts.", picker());
}

/** Ask the house for a record. @param {string} what @param {string} name @param {number | null} round */
async function load(what, name, round) {
  const progress = working("Checking …");
  try {
    const response = await ask(`${what}/${encodeURIComponent(name)}/record`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const href = URL.createObjectURL(new Blob([bytes]));
    saving = box(
      "Keep this record",
      "With the file you can check it again without the house, and show it to others.",
      h("a.pick", { href, download: `${name}.jsonl` }, "Save the record"),
    );
    await readInto(name, bytes, found, progress);
  } catch {
    found.problems.push(
      `The house does not provide the record of ${name.slice(0, 80)}. If you have the file, drop it here.`,
    );
  }
  await showAll(round);
}

function start() {
  const over = (/** @type {Event} */ event, /** @type {boolean} */ isOver) => {
    event.preventDefault();
    document.body.classList.toggle("over", isOver);
  };
  addEventListener("dragover", (event) => over(event, true));
  addEventListener("dragleave", (event) => over(event, false));
  addEventListener("drop", (event) => {
    over(event, false);
    void take(event.dataTransfer?.files);
  });
  const asked = new URLSearchParams(location.search);
  const [table, promotion, round] = ["table", "promotion", "round"].map((name) => asked.get(name));
  const number = /^\d{1,15}$/.test(round ?? "") ? Number(round) : null;
  if (table) void load("tables", table, number);
  else if (promotion) void load("promotions", promotion, null);
  else void showAll(null);
}

// For programs that drive this page, such as its tests.
Object.assign(globalThis, {
  checker: {
    commitment,
    numberCommitment,
    mixed,
    decidingWords,
    hasSignedByBrowser,
    hasSignedByHand,
    receiptOf,
    signedOf,
  },
});
start();
