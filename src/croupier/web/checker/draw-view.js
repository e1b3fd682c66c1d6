// A prize draw, step by step.

import { counted, grouped, h } from "./dom.js";
import { box, digitsOf, facts, sheet, step, verdict } from "./parts.js";

/** @import { Child } from "./dom.js" */
/** @import { DrawRecord } from "./draw.js" */

const MOST_ROWS = 200;
/** Why a prize went to the next in line. @type {Record<string, string>} */
const PASSED = { unclaimed: "did not claim it", declined: "declined it", denied: "was denied it" };

/** @param {DrawRecord} draw @param {Child} beside */
export function drawView(draw, beside) {
  const { header, finding, entries, digest, secret } = draw;
  const weight = entries.reduce((sum, entry) => sum + BigInt(entry.weight), 0n);
  const steps = [
    step(
      "good",
      "The house sealed a secret",
      "",
      "Before the first entry it published the prizes, and this seal of a secret number.",
      digitsOf("Seal", header.commitment),
    ),
    digest &&
      step(
        "good",
        "The entries were closed",
        "",
        `${counted(entries.length, "entry", "entries")} went into one fingerprint. None came later.`,
        digitsOf("Fingerprint", digest),
      ),
    secret &&
      step(
        "good",
        "The house opened its secret",
        "",
        "Its fingerprint is the seal from before the first entry.",
        digitsOf("Secret", secret),
      ),
    draw.drawn.length > 0 &&
      step(
        finding ? "note" : "good",
        "Your device drew again",
        "",
        `${counted(draw.drawn.length, "draw")} followed from the secret and the entries. More tickets, more chance: nothing else counts.`,
        winners(draw),
      ),
    finding && step("bad", "Here something is wrong", "", h("p.wrong", { "data-fault": draw.fault }, finding)),
  ];
  return [
    finding
      ? verdict("bad", "This draw does not check out.", finding)
      : secret
        ? verdict(
            "good",
            "This draw checks out.",
            "Drawn again on your device just now: the same entries win the same prizes.",
          )
        : verdict(
            "note",
            digest ? "The entries are closed." : "The draw is announced.",
            "All is well so far. Nothing is drawn yet.",
          ),
    h(
      "div.columns",
      sheet("The draw", h("h2", header.promotion), steps),
      h(
        "div.beside",
        box(
          "The whole draw",
          facts({
            Prizes: header.prizes.length,
            Reserves: header.reserves,
            "Each entrant": header.one_prize_each ? "wins once" : "may win again",
            Entries: grouped(entries.length),
            Entrants: grouped(new Set(entries.map((entry) => entry.entrant)).size),
            Tickets: grouped(weight),
          }),
        ),
        beside,
      ),
    ),
  ];
}

/** Who holds the prizes that were drawn so far. @param {DrawRecord} draw */
function winners({ held, drawn, header, passes }) {
  const rows = [...held]
    .filter(([at]) => at <= drawn.length)
    .sort((one, other) => one[1] - other[1])
    .slice(0, MOST_ROWS)
    .map(([at, prize]) => {
      const { number, entrant } = drawn[at - 1];
      const why = passes.get(at);
      return h(
        "li",
        h("strong", header.prizes[prize - 1]),
        h(
          "span",
          number ? `Entry ${grouped(number)}` : "No one",
          h("code", entrant),
          why && h("small", `Next in line: the winner before ${PASSED[why]}.`),
        ),
      );
    });
  return h("ul.winners", rows);
}
