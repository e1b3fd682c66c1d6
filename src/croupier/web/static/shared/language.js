// The words of the shell in the reader's language, and the choice of another language at the end of the page.

import { chooseLanguage, language, languages, named, t } from "./catalogue.js";
import { fill, h } from "./dom.js";

/** The name of a language in itself. @param {string} code */
function ownName(code) {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/** @param {string} code */
function choice(code) {
  const isHere = code === language;
  const press = () => chooseLanguage(code);
  return h(
    "button.quiet",
    { type: "button", lang: code, "aria-pressed": String(isHere), onclick: press },
    ownName(code),
  );
}

for (const one of document.querySelectorAll("[data-words]")) one.textContent = named(one.textContent ?? "");
document.title = named(document.title);

const foot = document.getElementById("foot");
if (foot) fill(foot, h("div.row", { role: "group", "aria-label": t("Language") }, languages.map(choice)));
