// A person's own limits and self-exclusion: those in force, those to come, and how to set them.

import { post } from "../shared/api.js";
import { announce, fill, h } from "../shared/dom.js";
import { alertLine, attempt, card, field, select, submitting } from "../shared/parts.js";
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
  const { limits } = me;
  const entry = (
    /** @type {string} */ name,
    /** @type {string} */ inputmode,
    /** @type {string | number | null} */ value,
  ) => h("input", { name, inputmode, placeholder: "no limit", value, autocomplete: "off" });
  const loss = entry("loss", "decimal", limits.loss);
  const minutes = entry("minutes", "numeric", limits.minutes);
  const problem = alertLine();
  const later = me.later_limits;
  const form = h(
    "form",
    { onsubmit: submitting(() => send()) },
    h("div.me-pair", field("Daily loss limit", loss), field("Daily time limit (min)", minutes)),
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
    const body = { loss: amount, minutes: time === "" ? null : Number(time) };
    await ordered(problem, `/accounts/${me.person}/limits`, body, changed, "Your limits are set.");
  };
  return card(
    "limits-title",
    "My limits",
    h("p", h("strong", "Now: "), limitsInWords(limits), "."),
    later && h("p.me-later", h("strong", `From ${when(later.from)}: `), limitsInWords(later), "."),
    h(
      "p.soft",
      "A stricter limit applies at once. A looser one, or none, applies after 24 hours, so that you cannot change it in the heat of the game. Chips on the felt count as lost until they are returned.",
    ),
    form,
  );
}

/** Whole cents as text; null if empty, undefined if it is not an amount. @param {string} text @returns {string | null | undefined} */
function asMoney(text) {
  const found = /^\s*(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (found) return `${found[1]}.${(found[2] ?? "").padEnd(2, "0")}`;
  return text.trim() === "" ? null : undefined;
}

/** @param {HTMLElement} problem @param {string} path @param {object} body @param {() => void} changed @param {string} done */
function ordered(problem, path, body, changed, done) {
  return attempt({ problem, buttons: [] }, async () => {
    await post(path, body);
    announce(done);
    changed();
  });
}

/** @param {Me} me @param {() => void} changed */
export function exclusionCard(me, changed) {
  const until = me.exclusion?.until ?? null;
  const words = `You cannot play ${until ? `until ${when(until)}` : "again"}${me.exclusion?.by_house ? ", by decision of the house" : ""}.`;
  const state = me.exclusion ? h("p", h("span.pill.warn", "excluded"), " ", words) : h("p", "You may play.");
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
  const spans = SPANS.map(([value, words]) => [value, words]);
  const span = select(spans, { name: "span" });
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
