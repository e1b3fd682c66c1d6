// One round, step by step, each with a sentence for a player.

import { hex } from "../static/fairness/bytes.js";
import { commitment, decidingWords, isSame } from "../static/fairness/dice.js";
import { mixing } from "./course.js";
import { counted, grouped, h } from "./dom.js";
import { faceName, facesOf, named } from "./faces.js";
import { digitsOf, more, step } from "./parts.js";

/** @import { Course, Round } from "./course.js" */
/** @import { Child } from "./dom.js" */
/** @import { Mark } from "./parts.js" */
/** @typedef {[mark: Mark, title: string, at: string, ...inside: Child[]] | null} Made */

/** The mark of a round. @param {Round} round @returns {Mark} */
export function markOf(round) {
  if (round.findings.length) return "bad";
  if (round.stage === "thrown") return round.protocol === 1 ? "note" : "good";
  return round.stage === "cancelled" ? "note" : "wait";
}

/** @param {Course} course @param {Round} round */
export function roundSteps(course, round) {
  return STEPS.map(([make, ...faults], place) => {
    const wrong = round.findings.filter(({ fault }) =>
      place === STEPS.length - 1 ? !STEPS.flat().includes(fault) : faults.includes(fault),
    );
    const made = make(course, round);
    if (!made) return null;
    const [mark, title, at, ...inside] = made;
    const sentences = wrong.map((one) => h("p.wrong", one.sentence));
    // The usual text of a step is left out if something is wrong.
    const rest = wrong.length && make !== diceStep ? inside.filter((one) => typeof one !== "string") : inside;
    return step(wrong.length ? "bad" : mark, title, at && `${at.slice(11, 19)} UTC`, sentences, ...rest);
  });
}

/** @param {Course} _ @param {Round} round @returns {Made} */
function sealStep(_, round) {
  const says =
    "Before the first bet of the round it published this seal: the fingerprint of a secret number. Another secret would have another seal.";
  return ["good", "The house sealed a secret", round.opened, says, digitsOf("Seal", round.seal)];
}

/** @param {Course} _ @param {Round} round @returns {Made} */
function putStep(_, { protocol, put }) {
  const title = "Players add numbers";
  if (protocol === 1) return null;
  if (!put.length)
    return [
      "note",
      "No player added a number",
      "",
      "So the throw was fixed when the round opened. The house knew it then, but could no longer change it.",
    ];
  const whose = put.length === 1 ? "One player sealed a number" : `${put.length} players each sealed a number`;
  const rows = put.map((one) => digitsOf(`Player ${one.by}`, one.seal));
  const says = `${whose} on their own device, with their bets. The house saw only ${put.length === 1 ? "its seal" : "the seals"}.`;
  return ["good", title, "", says, more(`Show ${counted(put.length, "seal")}`, rows)];
}

/** @param {Course} _ @param {Round} round @returns {Made} */
function shutStep(_, { protocol, shut, stage, isEarly, ready }) {
  const title = "The bets were closed";
  if (!shut) return stage === "cancelled" ? null : ["wait", title, "", "The bets are still open."];
  if (protocol === 1)
    return [
      "good",
      title,
      shut.at,
      "Every bet went into one fingerprint. No bet came after it.",
      digitsOf("Fingerprint", shut.hash),
    ];
  const early = isEarly
    ? `Before the time was over: ${counted(ready.size, "player")} said “ready”, and everybody with a number was among them. `
    : "";
  return ["good", title, shut.at, `${early}No bet came after this, and the list of players’ seals was fixed.`];
}

/** @param {Course} _ @param {Round} round @returns {Made} */
function numbersStep(_, { put, shut, drawn }) {
  const seals = shut?.numbers ?? [];
  const title = "The numbers were revealed";
  if (!seals.length) return null;
  if (!drawn) return ["wait", title, "", "The players’ devices are about to reveal them."];
  const missing = seals.filter((_, place) => !drawn.numbers[place]).length;
  const rows = seals.map((seal, place) => {
    const by = put.find((one) => one.seal === seal)?.by ?? "?";
    return digitsOf(`Player ${by}`, drawn.numbers[place] || "missing");
  });
  const gone = missing === 1 ? "One is missing" : `${missing} are missing`;
  const says = missing
    ? `${seals.length - missing} of ${counted(seals.length, "number")} came in time. ${gone}: the throw was drawn without, and not made again.`
    : "Every number matches its seal.";
  return [missing ? "note" : "good", title, "", says, more(`Show ${counted(seals.length, "number")}`, rows)];
}

/** @param {Course} course @param {Round} round @returns {Made} */
function secretStep(course, round) {
  const title = "The house opened its secret";
  const { secret } = round;
  if (!secret) return round.drawn ? ["bad", title, ""] : null;
  const seal = commitment(round.protocol, course.table, round.number, secret);
  const fits = seal === round.seal;
  const says = `Its fingerprint is ${fits ? "" : "not "}the seal from before the bets${fits ? ", letter for letter" : ""}.`;
  return [
    "good",
    title,
    round.drawn?.at ?? "",
    says,
    digitsOf("Secret", secret),
    digitsOf("Its seal", seal, fits ? "ok" : "no"),
  ];
}

/** @param {Course} course @param {Round} round @returns {Made} */
function diceStep(course, round) {
  const { falls, drawn, secret } = round;
  const sides = course.faces.length;
  if (!falls || !drawn || !secret) return null;
  const mix = mixing(course.table, round);
  const from =
    round.protocol === 1
      ? " and the fingerprint of the bets"
      : drawn.numbers.length
        ? " and the players’ numbers"
        : " alone";
  const isRight = isSame(falls, drawn.faces);
  const house = isRight ? "The house drew the same." : `The house says ${named(drawn.faces)}.`;
  const sums = decidingWords(secret, mix, sides, course.throws).map((word) =>
    h("p.sum", `${grouped(word)} ÷ ${sides} leaves ${word % sides}: ${faceName(course.faces[word % sides])}`),
  );
  return [
    "good",
    "Your device threw again",
    "",
    `Large numbers follow from the secret${from}. Divided by ${sides}, what is left of each is a face. ${house}`,
    h("div.thrown", facesOf(falls), !isRight && ["not", facesOf(drawn.faces)]),
    more("Show the sums", sums, digitsOf("Mixed with", hex(mix))),
  ];
}

/** @param {Course} _ @param {Round} round @returns {Made} */
function settledStep(_, { stage, settled, drawn, findings }) {
  if (stage === "cancelled")
    return ["note", "The round was cancelled", "", "It ended without a throw, and its secret was revealed."];
  const title = "The table settled this throw";
  if (!settled) return ["wait", title, "", findings.length ? "" : "The round is still under way."];
  return [
    "good",
    title,
    "",
    `Bets were settled with ${isSame(settled, drawn?.faces) ? "exactly this: " : ""}${named(settled)}.`,
  ];
}

/** Each step with the faults that belong to it; the last has all others. @type {[(course: Course, round: Round) => Made, ...string[]][]} */
const STEPS = [
  [sealStep, "early_bet"],
  [putStep],
  [shutStep, "numbers_altered", "late_bet", "shut_early", "shut_late", "sign_changed"],
  [numbersStep, "number_changed", "drawn_early"],
  [secretStep, "commitment_changed", "secret_reused"],
  [diceStep, "other_dice"],
  [settledStep],
];
