// A card for the receipts that this browser keeps: how many, a download, and what is wrong with them.

import { plural, t } from "../shared/catalogue.js";
import { announce, fill, fillEach, h } from "../shared/dom.js";
import { button, section } from "../shared/parts.js";
import { saveFile } from "../shared/saving.js";
import { receipts } from "./receipts.js";

/** @param {string} house what the house calls itself */
function fileName(house) {
  return `${house.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.receipts.jsonl`;
}

/** @param {string} house what the house calls itself @returns {HTMLElement} */
export function receiptsCard(house) {
  const count = h("p.kept");
  const wrong = h("div", { role: "alert" });
  const download = button(t("Download receipts"), () =>
    saveFile(receipts.file(), fileName(house), "application/jsonl"),
  );
  const forget = button(t("Delete them"), () => receipts.forget(), "quiet");
  let said = "";
  const show = () => {
    const { kept, wrong: found } = receipts.book;
    const words = plural(kept.length, "{n} receipt is kept in this browser.", "{n} receipts are kept in this browser.");
    fill(count, kept.length === 0 ? t("This browser has no receipts yet.") : words);
    download.hidden = kept.length === 0;
    forget.hidden = kept.length === 0 && found.length === 0;
    const problems = found.join(" ");
    if (problems === said) return;
    said = problems;
    if (problems) announce(problems, true);
    fillEach(wrong, found, (one) => h("p.problem", one));
  };
  receipts.hears.add(show);
  show();
  return section(
    "card receipts",
    "receipts-title",
    t("Receipts"),
    wrong,
    count,
    h(
      "p.soft",
      t(
        "With each bet the house signs the state of the table’s record. If it ever changes that record, your receipt proves it.",
      ),
    ),
    h("div.row", download, forget),
  );
}
