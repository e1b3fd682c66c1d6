// The draw: the commitment, the entries, the winners by their names in the record, and how to check it.

import { url } from "../shared/api.js";
import { plural, rich, t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { card } from "../shared/parts.js";
import { capital } from "../shared/words.js";

/** @import { Promotion } from "./words.js" */

/** The outcome of an award, for everyone. @type {Record<string, string>} */
const OUTCOMES = {
  drawn: t("won"),
  given: t("given"),
  refused: t("claim refused, drawn again"),
  lapsed: t("not claimed, drawn again"),
};

/** @param {Promotion} reply @param {string | null} ownName */
function results(reply, ownName) {
  const { draw } = reply;
  if (draw.results.length === 0 && draw.nobody.length === 0)
    return h("p.soft", reply.stage === "cancelled" ? t("The draw was cancelled.") : t("Not drawn yet."));
  return h(
    "div.scroll",
    { role: "region", tabindex: 0, "aria-label": t("Results of the draw") },
    h(
      "table.results",
      h(
        "thead",
        h(
          "tr",
          [t("Prize"), t("Entry"), t("Winner in the record"), ""].map((name) =>
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
            h("td", h("code", row.entrant), row.entrant === ownName && h("strong", ` ${t("you")}`)),
            h("td", OUTCOMES[row.status] ?? row.status),
          ),
        ),
        draw.nobody.map((/** @type {string} */ prize) =>
          h(
            "tr",
            h("th", { scope: "row" }, capital(prize)),
            h("td", { colspan: 3 }, t("not awarded: no entries were left")),
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
    t("The draw"),
    draw.commitment === null
      ? h(
          "p.soft",
          ["closed", "cancelled"].includes(reply.stage)
            ? t("There was no draw.")
            : t("The draw is announced when the promotion starts."),
        )
      : [
          results(reply, own?.name ?? null),
          h(
            "dl.facts",
            fact(t("Entries"), entriesWords(reply)),
            fact(t("Digest of the secret"), h("code.hash", draw.commitment)),
          ),
          h(
            "p",
            rich(
              "You do not have to take the house’s word for it: the winners follow from a secret that this digest fixed before the first entry. {check}, or {download} and run {command}. The thirty lines of Python in its documentation work too. The record contains no names.",
              {
                check: h("a", { href: url`/check?promotion=${reply.promotion}` }, t("Check the draw in your browser")),
                download: h(
                  "a",
                  { href: record, download: `${reply.promotion}.jsonl` },
                  t("download the public record"),
                ),
                command: h("code", `croupier verify-draw ${reply.promotion}.jsonl`),
              },
            ),
          ),
        ],
  );
}

/** @param {Promotion} reply */
function entriesWords(reply) {
  const { entries, weight } = reply.draw;
  if (reply.stage === "running" && reply.earning !== null)
    return t("{entries} so far; those that play earns are counted at the end", { entries });
  return plural(weight, "{entries} with {n} ticket", "{entries} with {n} tickets", { entries });
}

/** @param {string} name @param {import("../shared/dom.js").Child} value */
export function fact(name, value) {
  return h("div", h("dt", name), h("dd", value));
}
