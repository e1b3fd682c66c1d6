// A person's own limits and self-exclusion: those in force, those to come, and how to set them.

import { post } from "../shared/api.js";
import { rich, t } from "../shared/catalogue.js";
import { announce, fill, h } from "../shared/dom.js";
import { alertLine, attempt, card, field, select, submitting } from "../shared/parts.js";
import { when } from "../shared/times.js";
import { sample, typed } from "../shared/words.js";
import { limitsInWords } from "./account-words.js";

/** @import { Me } from "../shared/session.js" */

const WORDS = t("I will not play");
const SPANS = /** @type {[string, string, number | null][]} */ ([
  ["1", t("for a day"), 1],
  ["7", t("for a week"), 7],
  ["30", t("for thirty days"), 30],
  ["183", t("for half a year"), 183],
  ["for-good", t("permanently"), null],
]);

/** @param {Me} me @param {() => void} changed */
export function limitsCard(me, changed) {
  const { limits } = me;
  const entry = (
    /** @type {string} */ name,
    /** @type {string} */ inputmode,
    /** @type {string | number | null} */ value,
  ) => h("input", { name, inputmode, placeholder: t("no limit"), value, autocomplete: "off" });
  const loss = entry("loss", "decimal", limits.loss === null ? null : sample(limits.loss));
  const minutes = entry("minutes", "numeric", limits.minutes);
  const problem = alertLine();
  const later = me.later_limits;
  const form = h(
    "form",
    { onsubmit: submitting(() => send()) },
    h("div.me-pair", field(t("Daily loss limit"), loss), field(t("Daily time limit (min)"), minutes)),
    h("button", { type: "submit" }, t("Set my limits")),
    problem,
  );
  const send = async () => {
    const amount = loss.value.trim() === "" ? null : typed(loss.value);
    const time = minutes.value.trim();
    if ((amount === null && loss.value.trim() !== "") || (time !== "" && !/^\d{1,4}$/.test(time))) {
      fill(
        problem,
        t("Enter an amount such as 50 or {sample}, and whole minutes. Leave a field empty for no limit.", {
          sample: sample("50.00"),
        }),
      );
      return;
    }
    const body = { loss: amount, minutes: time === "" ? null : Number(time) };
    await ordered(problem, `/accounts/${me.person}/limits`, body, changed, t("Your limits are set."));
  };
  return card(
    "limits-title",
    t("My limits"),
    h("p", rich("{now} {limits}.", { now: h("strong", t("Now:")), limits: limitsInWords(limits) })),
    later &&
      h(
        "p.me-later",
        rich("{from} {limits}.", {
          from: h("strong", t("From {time}:", { time: when(later.from) })),
          limits: limitsInWords(later),
        }),
      ),
    h(
      "p.soft",
      t(
        "A stricter limit applies at once. A looser one, or none, applies after 24 hours, so that you cannot change it in the heat of the game. Chips on the felt count as lost until they are returned.",
      ),
    ),
    form,
  );
}

/** @param {HTMLElement} problem @param {string} path @param {object} body @param {() => void} changed @param {string} done */
function ordered(problem, path, body, changed, done) {
  return attempt({ problem, buttons: [] }, async () => {
    await post(path, body);
    announce(done);
    changed();
  });
}

/** Until when a person is excluded, and by whom. @param {Me} me */
function excludedWords({ exclusion }) {
  if (!exclusion?.until)
    return exclusion?.by_house ? t("You cannot play again, by decision of the house.") : t("You cannot play again.");
  const until = when(exclusion.until);
  return exclusion.by_house
    ? t("You cannot play until {until}, by decision of the house.", { until })
    : t("You cannot play until {until}.", { until });
}

/** @param {Me} me @param {() => void} changed */
export function exclusionCard(me, changed) {
  const state = me.exclusion
    ? h("p", h("span.pill.warn", t("excluded")), " ", excludedWords(me))
    : h("p", t("You may play."));
  return card(
    "exclusion-title",
    t("Self-exclusion"),
    state,
    h(
      "details",
      h("summary", me.exclusion ? t("Extend the exclusion") : t("Exclude myself from play")),
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
      fill(problem, t("Type “{words}” to confirm.", { words: WORDS }));
      words.focus();
      return;
    }
    const days = SPANS.find(([value]) => value === span.value)?.[2] ?? null;
    const until = days === null ? null : new Date(Date.now() + days * 86400000).toISOString();
    await ordered(problem, `/accounts/${me.person}/exclusion`, { until }, changed, t("You are excluded from play."));
  };
  return h(
    "form",
    { onsubmit: submitting(() => send()) },
    h("p", t("It applies at every table at once. Neither you nor the house can shorten it.")),
    field(t("For how long"), span),
    field(t("To confirm, type: {words}", { words: WORDS }), words),
    h("button.danger", { type: "submit" }, t("Exclude me")),
    problem,
  );
}
