// A small place in a page for the receipts that this browser keeps: how many, a file of them, and what is wrong.

import { announce, fill, h } from "../shared/dom.js";
import { receipts } from "./receipts.js";

/** Have the browser save a text as a file. @param {string} text @param {string} name */
function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** @param {string} house what the house calls itself */
function fileName(house) {
  return `${house.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.receipts.jsonl`;
}

/** @param {string} house what the house calls itself @returns {HTMLElement} */
export function receiptsCard(house) {
  const count = h("p", { class: "kept" });
  const wrong = h("div", { role: "alert" });
  const download = h(
    "button",
    { type: "button", onclick: () => save(receipts.file(), fileName(house)) },
    "Download the receipts",
  );
  const forget = h("button", { type: "button", class: "quiet", onclick: () => receipts.forget() }, "Forget them");
  let said = "";
  const show = () => {
    const { kept, wrong: found } = receipts.book;
    const few = kept.length === 1 ? "One receipt is" : `${kept.length} receipts are`;
    fill(count, kept.length === 0 ? "This browser has no receipt of the house yet." : `${few} kept in this browser.`);
    download.hidden = kept.length === 0;
    forget.hidden = kept.length === 0 && found.length === 0;
    const words = found.join(" ");
    if (words === said) return;
    said = words;
    if (words) announce(words, true);
    fill(
      wrong,
      found.map((one) => h("p", { class: "problem" }, one)),
    );
  };
  receipts.hears.add(show);
  show();
  return h(
    "section",
    { class: "card receipts", "aria-labelledby": "receipts-title" },
    h("h2", { id: "receipts-title" }, "Receipts"),
    wrong,
    count,
    h(
      "p",
      { class: "soft" },
      "With each bet the house signs how far the record of its table has come. Should it ever show another past, a receipt proves it.",
    ),
    h("div", { class: "row" }, download, forget),
  );
}
