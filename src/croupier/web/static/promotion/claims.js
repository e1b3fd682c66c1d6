// Claims to an award: who made them, their name and address on request, and refusing one with a reason.

import { get, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, h, ruleLink } from "../shared/dom.js";
import { button, refusalLine } from "../shared/parts.js";
import { foldedForm, lineForm } from "./line-form.js";
import { dollars, markWords, mayDo } from "./words.js";

/** @import { ManagedPromotion, PrizeRules, Award, Claim } from "./words.js" */
/** @import { LineSender } from "./line-form.js" */

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {LineSender | null} sender */
export function claimsOf(reply, rules, award, sender) {
  const may = mayDo(reply);
  const own = reply.claims.filter((one) => one.award === award.award);
  return [
    own.map((claim) => claimBlock(reply, rules, award, claim, sender, may)),
    sender && award.status === "drawn" && may.has("make_claim") && takeDown(award, sender),
  ];
}

/** @param {Award} award @param {LineSender} sender */
function takeDown(award, sender) {
  return foldedForm(t("Record a claim"), sender, {
    button: t("Record the claim"),
    done: t("The claim is recorded."),
    asked: [
      { name: "claimant", label: t("Claimant (username)"), value: award.entrant },
      { name: "name", label: t("Full name"), optional: true },
      { name: "address", label: t("Address"), optional: true },
    ],
    line: ({ claimant }) => ({ do: "make_claim", award: award.award, claimant }),
    personal: personalOf,
  });
}

/** @param {{name: string, address: string}} given */
function personalOf({ name, address }) {
  return name || address ? { name, address } : null;
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Award} award @param {Claim} claim @param {LineSender | null} sender @param {Set<string>} may */
function claimBlock(reply, rules, award, claim, sender, may) {
  const given = award.status === "given" && claim.claimant === award.entrant;
  return h(
    "div.claim",
    h(
      "p",
      h("strong", t("{claimant} claims it", { claimant: claim.claimant })),
      " ",
      h("span.soft", `${claim.claim}, ${markWords(claim.made)}`),
    ),
    claim.named && whoIs(reply, claim),
    claim.denied &&
      h(
        "p",
        h("strong", t("Refused:")),
        " ",
        claim.reason,
        " ",
        h("span.soft", markWords(claim.denied)),
        claim.kept && h("span.soft", `; ${t("kept with name and address")}`),
        claim.told && h("span.soft", `; ${t("the claimant was told why {mark}", { mark: markWords(claim.told) })}`),
      ),
    sender && !claim.denied && !given && may.has("deny_claim") && denyForm(reply, rules, claim, sender),
    sender &&
      claim.denied &&
      !claim.told &&
      may.has("tell_reason") &&
      lineForm(sender, {
        button: t("Record that the claimant was told why"),
        look: "primary",
        done: t("It is recorded that the claimant was told."),
        hint: ruleLink(reply.book, rules.refusals.clause),
        line: () => ({ do: "tell_reason", claim: claim.claim }),
      }),
  );
}

/** @param {ManagedPromotion} reply @param {PrizeRules} rules @param {Claim} claim @param {LineSender} sender */
function denyForm(reply, rules, claim, sender) {
  const kept = t("Above {amount} name and address are kept.", { amount: dollars(rules.refusals.keep_above) });
  return foldedForm(t("Refuse the claim"), sender, {
    button: t("Refuse"),
    look: "danger",
    done: t("The claim is refused."),
    asked: [
      { name: "reason", label: t("Why it is refused"), kind: "long" },
      ...(claim.named
        ? []
        : [
            { name: "name", label: t("Full name of the claimant"), optional: true },
            { name: "address", label: t("Address of the claimant"), optional: true },
          ]),
    ],
    hint: [kept, " ", ruleLink(reply.book, rules.refusals.keep_clause)],
    line: ({ reason }) => ({ do: "deny_claim", claim: claim.claim, reason }),
    personal: (given) => (claim.named ? null : personalOf(given)),
  });
}

/** Name and address, shown only on request. @param {ManagedPromotion} reply @param {Claim} claim */
function whoIs(reply, claim) {
  const place = h("div.who-is");
  const path = url`/promotions/${reply.promotion}/claims/${claim.claim}`;
  const ask = async () => {
    try {
      const who = await get(path);
      fill(
        place,
        h(
          "p",
          { role: "status" },
          h("strong", who.name),
          `, ${who.address} `,
          h(
            "span",
            { class: who.sealed ? "soft" : "problem" },
            who.sealed ? t("as recorded") : t("not what was recorded with the claim"),
          ),
        ),
      );
    } catch (error) {
      fill(place, refusalLine(reply.book, error));
    }
  };
  fill(
    place,
    button(t("Show name and address"), () => void ask()),
  );
  return place;
}
