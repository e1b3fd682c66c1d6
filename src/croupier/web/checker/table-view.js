// A table's record: the verdict, one of its rounds, and facts beside it.

import { counted, fill, grouped, h } from "./dom.js";
import { facesOf, named } from "./faces.js";
import { box, digitsOf, facts, sheet, tick, verdict } from "./parts.js";
import { markOf, roundSteps } from "./round-view.js";

/** @import { Round } from "./course.js" */
/** @import { Child } from "./dom.js" */
/** @import { TableRecord } from "./record.js" */

const MOST_FINDINGS = 50;
const OLD =
  "Rounds of the older kind have no players’ numbers. They do not prove that the house had no choice: it could vary what it wrote when it closed the bets.";

/**
 * @param {TableRecord} record @param {number | null} asked the round that was asked for
 * @param {boolean} isRewritten whether a receipt shows that it is not what the house signed @param {Child} beside
 */
export function tableView(record, asked, isRewritten, beside) {
  const { course, findings } = record;
  const { rounds } = course;
  const find = (/** @type {number | null} */ number) => rounds.findLast((one) => one.number === number);
  const place = h("div");
  const go = (/** @type {Round | undefined} */ round) => round && fill(place, roundSheet(record, round, find, go));
  const show = (/** @type {number | null} */ number) => {
    go(find(number));
    place.scrollIntoView();
    place.querySelector("h2").focus({ preventScroll: true });
  };
  go(find(asked) ?? rounds.find((one) => one.findings.length) ?? rounds.findLast((one) => one.drawn) ?? rounds.at(-1));
  return [
    asked === null || !course.byItself ? wholeVerdict(record, isRewritten) : roundVerdict(record, find(asked), asked),
    findings.length > 0 && findingsBox(record, show),
    h("div.columns", place, h("div.beside", recordBox(record, isRewritten), beside)),
  ];
}

/** @param {TableRecord} record @param {boolean} isRewritten */
function wholeVerdict({ findings, course }, isRewritten) {
  const { rounds, table } = course;
  const drawn = rounds.filter((one) => one.drawn);
  const isOld = drawn.some((one) => one.protocol === 1);
  const picture = drawn.length > 0 && facesOf(drawn[drawn.length - 1].drawn?.faces);
  if (findings.length) {
    const count = findings.length === 1 ? "One thing is" : `${grouped(findings.length)} things are`;
    return verdict(
      "bad",
      "This record does not check out.",
      `${count} wrong at ${table}. Keep the record: it is the proof.`,
    );
  }
  if (isRewritten)
    return verdict(
      "note",
      "This is not the record that was signed.",
      "It is consistent, but the house signed a different one: see your receipt.",
    );
  if (!drawn.length) {
    const why = course.byItself
      ? "Nothing has been thrown yet."
      : "People throw at this table, so there is nothing to throw again.";
    return verdict("note", "Nothing to throw again.", `${why} The record of ${table} is in one piece.`);
  }
  const title = drawn.length === 1 ? "The throw checks out." : `All ${grouped(drawn.length)} throws check out.`;
  const sure = `Checked on your device just now: no throw at ${table} was swapped, left out or made again.`;
  return verdict(isOld ? "note" : "good", title, isOld ? `${sure} ${OLD}` : sure, picture);
}

/** @param {TableRecord} record @param {Round | undefined} round @param {number} asked */
function roundVerdict({ findings, course }, round, asked) {
  const [where, picture] = [`Round ${grouped(asked)} at ${course.table}`, round?.drawn && facesOf(round.drawn.faces)];
  if (!round)
    return verdict(findings.length ? "bad" : "note", "There is no such round.", `${where} is not in the record.`);
  const mark = markOf(round);
  if (mark === "bad") return verdict(mark, "This throw does not check out.", round.findings[0].sentence, picture);
  if (findings.length)
    return verdict(
      "bad",
      "This throw checks out. The record does not.",
      "Something else at this table is wrong.",
      picture,
    );
  if (mark === "wait") return verdict(mark, "This round is under way.", `${where}: look again when it is over.`);
  if (!picture) return verdict(mark, "This round was cancelled.", `${where} ended without a throw.`);
  const sure = `${where}, checked on your device just now.`;
  return verdict(
    mark,
    "This throw checks out.",
    mark === "note" ? `${sure} ${OLD}` : `${sure} Seals, numbers and dice all match.`,
    picture,
  );
}

/** @param {TableRecord} record @param {(number: number | null) => void} show */
function findingsBox({ findings }, show) {
  const rows = findings
    .slice(0, MOST_FINDINGS)
    .map((one) =>
      h(
        "li",
        { "data-fault": one.fault },
        tick("bad"),
        h("span", one.sentence),
        one.round && h("button", { onclick: () => show(one.round) }, `Round ${one.round}`),
      ),
    );
  const left = findings.length - rows.length;
  return h(
    "section.box.findings",
    h("h2", "What is wrong"),
    h("ul", rows),
    left > 0 && h("p", `And ${grouped(left)} more.`),
  );
}

/** @param {TableRecord} record @param {Round} round @param {(number: number) => Round | undefined} find @param {(round: Round | undefined) => void} go */
function roundSheet({ course }, round, find, go) {
  const { rounds } = course;
  const turn = (/** @type {number} */ by, /** @type {string} */ name, /** @type {string} */ sign) => {
    const other = rounds[rounds.indexOf(round) + by];
    return h("button", { type: "button", disabled: !other, "aria-label": name, onclick: () => go(other) }, sign);
  };
  const field = h("input", { type: "number", value: round.number, "aria-label": "Round" });
  const jump = (/** @type {Event} */ event) => {
    event.preventDefault();
    go(find(+field.value));
  };
  const head = [
    h("h2", { tabindex: -1 }, tick(markOf(round)), `Round ${grouped(round.number)}`),
    round.drawn && h("span.soft", named(round.drawn.faces)),
    h(
      "form",
      { onsubmit: jump },
      turn(-1, "The round before", "‹"),
      field,
      h("button", "Go"),
      turn(1, "The next round", "›"),
    ),
  ];
  return sheet("One round", head, roundSteps(course, round));
}

/** @param {TableRecord} record @param {boolean} isRewritten */
function recordBox({ course, findings, count, head }, isRewritten) {
  const { rounds, table } = course;
  const drawn = rounds.filter((one) => one.drawn);
  const ofPlayers = drawn.filter((one) => one.protocol === 2);
  const numbers = ofPlayers.flatMap((one) => one.drawn?.numbers ?? []);
  const isBroken = findings.some((one) => ["altered", "missing", "added"].includes(one.fault));
  return box(
    "The whole record",
    isBroken
      ? "The chain is broken: events were changed, removed or added."
      : `Each event carries the fingerprint of the one before it, and all of them match${isRewritten ? ". But your receipt is for a different history." : ": nothing was changed, removed or added."}`,
    facts({
      Table: table,
      Events: grouped(count),
      Rounds: grouped(rounds.length),
      Throws: grouped(drawn.length),
      Cancelled: rounds.filter((one) => one.stage === "cancelled").length,
      ...(ofPlayers.length && {
        "Players’ numbers": grouped(numbers.length),
        "Missing numbers": grouped(numbers.filter((number) => !number).length),
        "Throws without any": ofPlayers.filter((one) => !one.drawn?.numbers.length).length,
      }),
    }),
    oftenMissing(drawn).map(([by, all, gone]) =>
      h("p.wrong", `Player ${by}: ${gone} of ${counted(all, "number")} missing, more than chance explains.`),
    ),
    thinRounds(drawn).map(([round, all, gone]) =>
      h("p.wrong", `Round ${round}: ${gone} of ${counted(all, "number")} missing, more than chance explains.`),
    ),
    digitsOf("Last hash", head),
    "Write this hash down. If the house ever changes what came before it, it will no longer match.",
  );
}

/** Players whose numbers are missing more often than chance explains. @param {Round[]} drawn @returns {[number, number, number][]} */
function oftenMissing(drawn) {
  const all = drawn.flatMap(({ put, shut, drawn: shown }) =>
    put.map(({ seal, by }) => ({ by, isGone: !shown?.numbers[shut?.numbers.indexOf(seal) ?? -1] })),
  );
  return [...new Set(all.map((one) => one.by))].flatMap((by) => {
    const [own, others] = [all.filter((one) => one.by === by), all.filter((one) => one.by !== by)];
    const gone = own.filter((one) => one.isGone).length;
    const lost = others.filter((one) => one.isGone).length;
    return gone && chanceOf(gone, own.length, lost, others.length) < 0.001 ? [[by, own.length, gone]] : [];
  });
}

/** Rounds with more missing numbers than chance explains, given that there are many rounds. @param {Round[]} drawn @returns {[number, number, number][]} */
function thinRounds(drawn) {
  const rounds = drawn.flatMap(({ number, drawn: shown }) => {
    const numbers = shown?.numbers ?? [];
    return numbers.length ? [{ number, all: numbers.length, gone: numbers.filter((one) => !one).length }] : [];
  });
  let [every, lost] = [0, 0];
  for (const { all, gone } of rounds) [every, lost] = [every + all, lost + gone];
  return rounds
    .filter(({ all, gone }) => gone && rounds.length * chanceOf(gone, all, lost - gone, every - all) < 0.001)
    .map(({ number, all, gone }) => [number, all, gone]);
}

/** The probability that so many are missing, at the rate of the others. @param {number} gone @param {number} all @param {number} lost @param {number} others */
function chanceOf(gone, all, lost, others) {
  const rate = (lost + 1) / (others + 2);
  let [chance, tail] = [all * Math.log(1 - rate), 0];
  for (let count = 0; count <= all; count++) {
    if (count >= gone) tail += Math.exp(chance);
    chance += Math.log(((all - count) / (count + 1)) * (rate / (1 - rate)));
  }
  return tail;
}
