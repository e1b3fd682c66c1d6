// What the next throw does, in sentences: to an area, and to the player's chips. Never how likely it is.

import { t } from "../shared/catalogue.js";
import { cents, net, oddsWords, spaced } from "../shared/words.js";
import { effectOn } from "./outcomes.js";

/** @import { AreaEffects, ThrowEffect } from "../../types/contract.js" */
/** @import { Cell, Outcomes, Part } from "./outcomes.js" */
/** @typedef {ThrowEffect["then"]} Then */
/** @typedef {{kind: Then, words: string}} Sentence */

const MANY = 5; // so many labels are listed before the rest is called "anything else"
const RUN = 4; // so many totals in a row are told by the first and the last

/** "7 or 11". @param {string[]} words */
function oneOf(words) {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang === "en" || !lang ? "en-AU" : lang, { type: "disjunction" }).format(words);
}

/** What an area wins, loses and waits on. @param {Cell[]} cells @param {AreaEffects} of @returns {Sentence[]} */
export function areaSentences(cells, of) {
  if (of.effects.some((one) => one.then === "sleep"))
    return [{ kind: "sleep", words: t("Off now: the next throw does nothing to it.") }];
  const parts = cells.flatMap((cell) => cell.parts.map((one) => ({ cell, one })));
  /** @type {Map<string, {effect: ThrowEffect, mine: Placed[]}>} */
  const grouped = new Map();
  for (const row of parts) {
    const effect = effectOn(of, row.one);
    if (!effect) continue;
    const key = [effect.then, effect.pays, moves(effect)].join();
    grouped.set(key, { effect, mine: [...(grouped.get(key)?.mine ?? []), row] });
  }
  const told = [...grouped.values()].map(({ effect, mine }) => ({ effect, labels: listed(mine, parts) }));
  const isOther = restOf(told);
  const hasSeveral = told.filter(({ effect }) => effect.then === "win").length > 1;
  const sentences = told.map(({ effect, labels }) => {
    const what = isOther === effect ? t("anything else") : oneOf(labels);
    return { kind: effect.then, words: sentence(effect, what, hasSeveral ? oddsWords(effect.pays ?? "") : "") };
  });
  return sentences.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** Whether a wager moves to a number. @param {ThrowEffect} effect */
function moves({ then, to }) {
  return then === "go" && to !== null && to !== undefined;
}

/** @type {Then[]} */
const ORDER = ["win", "lose", "void", "go", "stay", "sleep"];

/** What is called "anything else": where there is much of it. @param {{effect: ThrowEffect, labels: string[]}[]} told @returns {ThrowEffect | null} */
function restOf(told) {
  const [most] = told
    .filter(({ effect }) => effect.then === "lose" || effect.then === "stay")
    .sort((one, other) => other.labels.length - one.labels.length);
  return told.length > 1 && most && most.labels.length > MANY ? most.effect : null;
}

/** @param {ThrowEffect} effect @param {string} what @param {string} odds */
function sentence(effect, what, odds) {
  if (effect.then === "win") return odds ? t("Wins {odds} on {what}.", { odds, what }) : t("Wins on {what}.", { what });
  if (effect.then === "lose") return t("Loses on {what}.", { what });
  if (effect.then === "void") return t("Comes back on {what}.", { what });
  if (effect.then === "stay") return t("Waits on {what}.", { what });
  return moves(effect) ? t("Moves to its number on {what}.", { what }) : t("Plays on after {what}.", { what });
}

/** What one outcome does to an area, for those who do not see its colour. @param {string} what @param {ThrowEffect | undefined} effect */
export function cellWords(what, effect) {
  if (effect?.then === "win") return t("{what} wins {odds}.", { what, odds: oddsWords(effect.pays ?? "") });
  if (effect?.then === "lose") return t("{what} loses.", { what });
  if (effect?.then === "void") return t("{what} brings the bet back.", { what });
  if (effect?.then === "go") return t("After {what} it plays on.", { what });
  return effect ? t("{what} does nothing to it.", { what }) : what;
}

/** @typedef {{cell: Cell, one: Part}} Placed */

/** Labels in a list: totals in a row are shortened, and all triples have one name. @param {Placed[]} mine @param {Placed[]} all */
function listed(mine, all) {
  const matched = all.filter(({ one }) => one.isMatched);
  const isThree = matched.some(({ one }) => one.label.split("-").length === 3);
  const hasAll = isThree && matched.every((row) => mine.includes(row));
  const left = hasAll ? mine.filter(({ one }) => !one.isMatched) : mine;
  const hasSome = !isThree || matched.some((row) => mine.includes(row)); // or else all triples do something else
  const lone = left.filter(({ cell, one }) => hasSome && !hasAll && isPart(cell, one, mine));
  const plain = left
    .filter((row) => !lone.includes(row))
    .map(({ cell, one }) => (cell.parts.length > 1 && isWhole(cell, mine) ? cell.label : one.label));
  const others = lone.length > 0 ? [t("any other {total}", { total: oneOf(lone.map(({ one }) => one.label)) })] : [];
  return [...runs(plain), ...others, ...(hasAll ? [t("any triple")] : [])];
}

/** Whether all parts of a cell are among some. @param {Cell} cell @param {Placed[]} mine */
function isWhole(cell, mine) {
  return cell.parts.every((part) => mine.some(({ one }) => one === part));
}

/** Whether a part is a total without its pair. @param {Cell} cell @param {Part} one @param {Placed[]} mine */
function isPart(cell, one, mine) {
  return cell.parts.length > 1 && !one.isMatched && !isWhole(cell, mine);
}

/** "4 to 10" for totals in a row. @param {string[]} labels */
function runs(labels) {
  const words = [...new Set(labels)];
  /** @type {string[][]} */
  const rows = [];
  for (const word of words) {
    const row = rows.at(-1);
    if (row && /^\d+$/.test(word) && Number(row.at(-1)) + 1 === Number(word)) row.push(word);
    else rows.push([word]);
  }
  return rows.flatMap((row) =>
    row.length >= RUN ? [t("{from} to {to}", { from: row[0] ?? "", to: row.at(-1) ?? "" })] : row,
  );
}

/** What outcomes would do to the player's chips: net, least and most. @param {Outcomes} outcomes @param {number[]} places */
export function ownNet(outcomes, places) {
  const nets = places.map((place) => {
    const { won = "0.00", lost = "0.00" } = outcomes[place] ?? {};
    return cents(won) - cents(lost);
  });
  const sorted = nets.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return { least: sorted[0] ?? 0n, most: sorted.at(-1) ?? 0n };
}

/** @param {Outcomes} outcomes @param {Cell} cell @returns {string[]} */
export function ownSentences(outcomes, cell) {
  const said = cell.parts.map((one) => ({ label: one.label, words: ownSentence(outcomes, one.outcomes) }));
  const isSame = said.every(({ words }) => words === said[0]?.words);
  if (isSame) return [t("{what}: {does}", { what: cell.label, does: said[0]?.words ?? "" })];
  return said.map(({ label, words }) => t("{what}: {does}", { what: label, does: words }));
}

/** @param {Outcomes} outcomes @param {number[]} places */
function ownSentence(outcomes, places) {
  const kinds = new Map(places.map((place) => [JSON.stringify(changeOf(outcomes, place)), changeOf(outcomes, place)]));
  const [only] = kinds.values();
  if (kinds.size > 1 || !only) {
    const { least, most } = ownNet(outcomes, places);
    return t("between {least} and {most} for you, by the faces.", { least: net(least), most: net(most) });
  }
  const [won = "", lost = "", returned = ""] = [only.won, only.lost, only.returned].map(spaced);
  const isWon = cents(only.won) > 0n;
  const isLost = cents(only.lost) > 0n;
  const isBack = cents(only.returned) > 0n;
  if (isWon && isLost)
    return t("you win {won} and lose {lost}; {returned} comes back to you.", { won, lost, returned });
  if (isWon) return t("you win {won}; {returned} comes back to you.", { won, returned });
  if (isLost && isBack) return t("you lose {lost}; {returned} comes back to you.", { lost, returned });
  if (isLost) return t("you lose {lost}.", { lost });
  return isBack ? t("{returned} comes back to you.", { returned }) : t("nothing happens to your chips.");
}

/** @param {Outcomes} outcomes @param {number} place */
function changeOf(outcomes, place) {
  const { won = "0.00", lost = "0.00", returned = "0.00" } = outcomes[place] ?? {};
  return { won, lost, returned };
}
