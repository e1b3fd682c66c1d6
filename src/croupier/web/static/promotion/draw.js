// The draw: the commitment, the entries, the winners by their names in the record, and how to check it.

import { url } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { capital } from "../shared/words.js";

/** @import { Promotion } from "./words.js" */

/** The outcome of an award, for everyone. @type {Record<string, string>} */
const OUTCOMES = {
  drawn: "won",
  given: "given",
  refused: "claim refused, drawn again",
  lapsed: "not claimed, drawn again",
};

/** @param {Promotion} reply @param {string | null} ownName */
function results(reply, ownName) {
  const { draw } = reply;
  if (draw.results.length === 0 && draw.nobody.length === 0)
    return h("p.soft", reply.stage === "cancelled" ? "The draw was cancelled." : "Not drawn yet.");
  return h(
    "div.scroll",
    { role: "region", tabindex: 0, "aria-label": "Results of the draw" },
    h(
      "table.results",
      h(
        "thead",
        h(
          "tr",
          ["Prize", "Entry", "Winner in the record", ""].map((name) =>
            name ? h("th", { scope: "col" }, name) : h("td"),
          ),
        ),
      ),
      h(
        "tbody",
        draw.results.map((row) =>
          h(
            "tr",
            { class: row.entrant === ownName ? "own" : null },
            h("th", { scope: "row" }, capital(row.prize)),
            h("td", row.entry),
            h("td", h("code", row.entrant), row.entrant === ownName && h("strong", " you")),
            h("td", OUTCOMES[row.status] ?? row.status),
          ),
        ),
        draw.nobody.map((/** @type {string} */ prize) =>
          h(
            "tr",
            h("th", { scope: "row" }, capital(prize)),
            h("td", { colspan: 3 }, "not awarded: no entries were left"),
          ),
        ),
      ),
    ),
  );
}

/** @param {Promotion} reply */
export function drawCard(reply) {
  const { draw, own } = reply;
  const record = url`/api/v1/promotions/${reply.promotion}/record`;
  return card(
    "draw-title",
    "The draw",
    draw.commitment === null
      ? h(
          "p.soft",
          ["closed", "cancelled"].includes(reply.stage)
            ? "There was no draw."
            : "The draw is announced when the promotion starts.",
        )
      : [
          results(reply, own?.name ?? null),
          h(
            "dl.facts",
            fact("Entries", entriesWords(reply)),
            fact("Digest of the secret", h("code.hash", draw.commitment)),
          ),
          h(
            "p",
            "You do not have to take the house’s word for it: the winners follow from a secret that this digest fixed before the first entry. ",
            h("a", { href: url`/check?promotion=${reply.promotion}` }, "Check the draw in your browser"),
            ", or ",
            h("a", { href: record, download: `${reply.promotion}.jsonl` }, "download the public record"),
            " and run ",
            h("code", `croupier verify-draw ${reply.promotion}.jsonl`),
            ". The thirty lines of Python in its documentation work too. The record contains no names.",
          ),
        ],
  );
}

/** @param {Promotion} reply */
function entriesWords(reply) {
  const { entries, weight } = reply.draw;
  if (reply.stage === "running" && reply.earning !== null)
    return `${entries} so far; those that play earns are counted at the end`;
  return `${entries} with ${weight} ${weight === 1 ? "ticket" : "tickets"}`;
}

/** @param {string} name @param {import("../shared/dom.js").Child} value */
export function fact(name, value) {
  return h("div", h("dt", name), h("dd", value));
}
