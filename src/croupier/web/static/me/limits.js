// One's own limits, and staying away: what holds, what will, and how to set it.

import { post, Refused } from "../shared/api.js";
import { announce, fill, h } from "../shared/dom.js";
import { alertLine, card, field, submitting } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { limitsInWords } from "./account-words.js";

/** @import { Me } from "../shared/session.js" */

const WORDS = "I will not play";
const SPANS = /** @type {[string, string, number | null][]} */ ([
  ["1", "for a day", 1],
  ["7", "for a week", 7],
  ["30", "for thirty days", 30],
  ["183", "for half a year", 183],
  ["for-good", "permanently", null],
]);

/** @param {Me} me @param {() => void} changed */
export function limitsCard(me, changed) {
  const loss = h("input", {
    name: "loss",
    inputmode: "decimal",
    placeholder: "no limit",
    value: me.limits.loss ?? "",
    autocomplete: "off",
  });
  const minutes = h("input", {
    name: "minutes",
    inputmode: "numeric",
    placeholder: "no limit",
    value: me.limits.minutes ?? "",
    autocomplete: "off",
  });
  const problem = alertLine();
  const later = me.later_limits;
  const form = h(
    "form",
    { onsubmit: submitting(() => send()) },
    h("div.me-pair", field("Daily loss limit", loss), field("Daily time limit in minutes", minutes)),
    h("button", { type: "submit" }, "Set my limits"),
    problem,
  );
  const send = async () => {
    const amount = asMoney(loss.value);
    const time = minutes.value.trim();
    if (amount === undefined || (time !== "" && !/^\d{1,4}$/.test(time))) {
      fill(problem, "Enter an amount such as 50 or 50.00, and whole minutes. Leave a field empty for no limit.");
      return;
    }
    await ordered(
      problem,
      `/accounts/${me.person}/limits`,
      { loss: amount, minutes: time === "" ? null : Number(time) },
      changed,
      "Your limits are set.",
    );
  };
  return card(
    "limits-title",
    "My limits",
    h("p", h("strong", "Now: "), limitsInWords(me.limits), "."),
    later && h("p.me-later", h("strong", `From ${when(later.from)}: `), limitsInWords(later), "."),
    h(
      "p.soft",
      "A stricter limit applies at once. A looser one, or none, applies after 24 hours, so that you cannot change it in the heat of the game. Chips on the felt count as lost until they are returned.",
    ),
    form,
  );
}

/** Whole cents as text; null for nothing, undefined for what is no amount. @param {string} text @returns {string | null | undefined} */
function asMoney(text) {
  const found = /^\s*(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (found) return `${found[1]}.${(found[2] ?? "").padEnd(2, "0")}`;
  return text.trim() === "" ? null : undefined;
}

/**
 * Give an order, and say what became of it.
 * @param {HTMLElement} problem @param {string} path @param {object} body @param {() => void} changed @param {string} done
 */
async function ordered(problem, path, body, changed, done) {
  fill(problem);
  try {
    await post(path, body);
    announce(done);
    changed();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fill(problem, error.message);
  }
}

/** @param {Me} me @param {() => void} changed */
export function exclusionCard(me, changed) {
  const until = me.exclusion?.until ?? null;
  const state = me.exclusion
    ? h(
        "p",
        h("span.pill.warn", "excluded"),
        ` You cannot play ${until ? `until ${when(until)}` : "again"}${me.exclusion.by_house ? ", by decision of the house" : ""}.`,
      )
    : h("p", "You may play.");
  return card(
    "exclusion-title",
    "Self-exclusion",
    state,
    h(
      "details",
      h("summary", me.exclusion ? "Extend the exclusion" : "Exclude myself from play"),
      exclusionForm(me, changed),
    ),
  );
}

/** @param {Me} me @param {() => void} changed */
function exclusionForm(me, changed) {
  const span = h(
    "select",
    { name: "span" },
    SPANS.map(([value, words]) => h("option", { value }, words)),
  );
  const words = h("input", { name: "words", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const problem = alertLine();
  const send = async () => {
    if (words.value.trim().toLowerCase() !== WORDS.toLowerCase()) {
      fill(problem, `Type “${WORDS}” to confirm.`);
      words.focus();
      return;
    }
    const days = SPANS.find(([value]) => value === span.value)?.[2] ?? null;
    const until = days === null ? null : new Date(Date.now() + days * 86400000).toISOString();
    await ordered(problem, `/accounts/${me.person}/exclusion`, { until }, changed, "You are excluded from play.");
  };
  return h(
    "form",
    { onsubmit: submitting(() => send()) },
    h("p", "It applies at every table at once. Neither you nor the house can shorten it."),
    field("For how long", span),
    field(`To confirm, type: ${WORDS}`, words),
    h("button.danger", { type: "submit" }, "Exclude me"),
    problem,
  );
}
