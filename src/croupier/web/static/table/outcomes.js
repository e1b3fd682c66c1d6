// The outcomes of a throw as people tell them apart: totals, pairs and triples, sides of coins, numbers of one face.

import { t } from "../shared/catalogue.js";

/** @import { AreaEffects, NextThrow, ThrowEffect } from "../../types/contract.js" */
/** @import { Area } from "../felt/area.js" */
/** @typedef {NextThrow["outcomes"]} Outcomes */
/** @typedef {(number | string)[]} Faces */
/** Outcomes that are alike: `isMatched` if all faces are the same and others have the same total. @typedef {{label: string, outcomes: number[], isMatched: boolean}} Part */
/** A cell of the strip. `faces` are shown instead of its label. @typedef {{label: string, parts: Part[], faces?: Faces}} Cell */

/** The cells for all that can be thrown: totals, or sides of coins. @param {Outcomes} outcomes @returns {Cell[]} */
export function allCells(outcomes) {
  const isCoins = outcomes.some(({ faces }) => typeof faces[0] === "string");
  return isCoins ? sides(outcomes) : totals(outcomes);
}

/** @param {Outcomes} outcomes @returns {Cell[]} */
function sides(outcomes) {
  const grouped = groups(outcomes, ({ faces }) => [...faces].sort().join(""));
  return [...grouped].map(([label, places]) => ({ label, parts: [part(label, places)] }));
}

/** @param {Outcomes} outcomes @returns {Cell[]} */
function totals(outcomes) {
  const grouped = groups(outcomes, ({ faces }) =>
    faces.reduce((/** @type {number} */ sum, one) => sum + Number(one), 0),
  );
  return [...grouped].map(([total, places]) => {
    const matched = places.filter((place) => isMatched(outcomes[place]?.faces ?? []));
    const plain = places.filter((place) => !matched.includes(place));
    const label = String(total);
    if (matched.length === 0 || plain.length === 0) return { label, parts: [part(label, places, plain.length === 0)] };
    const same = (outcomes[matched[0] ?? 0]?.faces ?? []).join("-");
    return { label, parts: [part(label, plain), part(same, matched, true)] };
  });
}

/** The cells on which an area's effects depend. @param {Outcomes} outcomes @param {AreaEffects} of @param {Area} area @returns {Cell[]} */
export function cellsFor(outcomes, of, area) {
  const all = allCells(outcomes);
  const isSame = (/** @type {Cell[]} */ cells) => cells.every((cell) => cell.parts.every((one) => areAlike(one, of)));
  if (of.which.length === 0 || isSame(all)) return all;
  for (const [face] of area.dice[0] ? area.dice : []) {
    const counted = numbersOf(outcomes, of, face ?? 0);
    if (isSame(counted)) return counted;
  }
  return named(outcomes, of, area);
}

/** How often a face is thrown; those that are like none of it are together. @param {Outcomes} outcomes @param {AreaEffects} of @param {number | string} face @returns {Cell[]} */
function numbersOf(outcomes, of, face) {
  const grouped = groups(outcomes, ({ faces }) => faces.filter((one) => one === face).length);
  const none = grouped.get(0) ?? [];
  const like = of.which[none[0] ?? 0];
  const others = [...none];
  /** @type {Cell[]} */
  const cells = [];
  for (const [count, places] of [...grouped].sort(([one], [other]) => one - other)) {
    if (count === 0) continue;
    if (of.which[places[0] ?? 0] === like) others.push(...places);
    else {
      const faces = Array(count).fill(face);
      cells.push({ label: faces.join("-"), faces, parts: [part(faces.join("-"), places)] });
    }
  }
  return [...cells, rest(others)];
}

/** What an area names, and anything else. @param {Outcomes} outcomes @param {AreaEffects} of @param {Area} area @returns {Cell[]} */
function named(outcomes, of, area) {
  const wins = of.which.flatMap((effect, place) => (of.effects[effect]?.then === "win" ? [place] : []));
  const faces = area.dice[0] ?? [];
  const label = area.note || (faces.length > 0 ? faces.join("-") : area.label);
  const others = outcomes.flatMap((_, place) => (wins.includes(place) ? [] : [place]));
  return [{ label, faces, parts: [part(label, wins)] }, rest(others)];
}

/** @param {number[]} places @returns {Cell} */
function rest(places) {
  return { label: t("others"), parts: [part(t("anything else"), places)] };
}

/** @param {string} label @param {number[]} outcomes @param {boolean} [isMatched] @returns {Part} */
function part(label, outcomes, isMatched = false) {
  return { label, outcomes, isMatched };
}

/** @param {Part} one @param {AreaEffects} of */
function areAlike(one, of) {
  return one.outcomes.every((place) => of.which[place] === of.which[one.outcomes[0] ?? 0]);
}

/** What happens to an area where a part falls. @param {AreaEffects} of @param {Part} one @returns {ThrowEffect | undefined} */
export function effectOn(of, one) {
  return of.effects[of.which[one.outcomes[0] ?? -1] ?? -1];
}

/** @param {Faces} faces */
function isMatched(faces) {
  return faces.length > 1 && faces.every((one) => one === faces[0]);
}

/**
 * @template Key
 * @param {Outcomes} outcomes @param {(one: Outcomes[number]) => Key} keyOf @returns {Map<Key, number[]>}
 */
function groups(outcomes, keyOf) {
  const found = new Map();
  outcomes.forEach((one, place) => {
    const key = keyOf(one);
    found.set(key, [...(found.get(key) ?? []), place]);
  });
  return found;
}
