// What players say of a throw besides the call of the book. The book's words come first and are never changed.

import { t } from "../shared/catalogue.js";
import { capital } from "../shared/words.js";

/** @import { Drawing } from "../felt/area.js" */
/** @typedef {import("../../types/contract.js").ShownResult} Result */

/** Two equal dice, by their total: `Hard eight`. @type {Record<number, () => string>} */
const HARD = {
  2: () => t("Snake eyes"),
  4: () => t("Hard four"),
  6: () => t("Hard six"),
  8: () => t("Hard eight"),
  10: () => t("Hard ten"),
  12: () => t("Boxcars"),
};

/** @param {Result} result @param {Drawing} drawing @returns {string} nothing if the call says it all */
export function besideCall(result, drawing) {
  const { faces, names, call, passes, before, after } = result;
  const [one, other] = faces;
  if (typeof one !== "number") return "";
  if (faces.length !== 2) {
    const isTriple = faces.every((face) => face === one);
    return isTriple
      ? t("Triple")
      : names
          .filter((name) => name !== call)
          .map(capital)
          .join(" · ");
  }
  const total = one + Number(other);
  const hard = one === other ? (HARD[total]?.() ?? "") : "";
  if (drawing.marker === null) return hard;
  if (passes) return t("Seven out");
  if (before === null && after !== null) return hard || t("The point is {total}", { total });
  if (before !== null && after === null) return hard ? t("{hard}, point made", { hard }) : t("Point made");
  return hard || (total === 11 ? t("Yo") : "");
}

/** What to say while dice or coins are out. @param {Drawing["throw"]} thrown */
export function outWords({ faces, count }) {
  if (typeof faces[0] === "string") return t("Coins in the air");
  return count > 2 ? t("The lid is lifted") : t("Dice are out");
}
