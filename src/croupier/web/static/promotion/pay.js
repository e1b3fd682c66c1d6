// Paying a prize of money in one part or several, each in a form that the book knows.

import { Refused } from "../shared/api.js";
import { announce, fill, h, ruleLink } from "../shared/dom.js";
import { alertLine, button, submitting } from "../shared/parts.js";
import { capital, cents, money } from "../shared/words.js";
import { amount, refusal } from "./line-form.js";
import { dollars } from "./words.js";

/** @param {any} reply @param {any} rules @param {any} award @param {import("./line-form.js").LineSender} sender */
export function payForm(reply, rules, award, sender) {
  /** @type {string} */
  const due = award.due;
  const problem = alertLine();
  const rows = h("div.parts");
  const pay = h("button.primary", { type: "submit" }, `Pay ${dollars(due)}`);
  const add = (/** @type {string} */ form, /** @type {string} */ sum) => {
    const number = rows.childElementCount + 1;
    rows.append(
      h(
        "div.part",
        h(
          "select",
          { name: "form", "aria-label": `Form of part ${number}` },
          rules.payment.forms.map((/** @type {any} */ one) =>
            h("option", { value: one.id, selected: one.id === form }, capital(one.name)),
          ),
        ),
        h("input", {
          name: "amount",
          "aria-label": `Amount of part ${number}`,
          inputmode: "decimal",
          required: true,
          value: sum,
        }),
      ),
    );
  };
  const send = async () => {
    pay.disabled = true;
    fill(problem);
    const data = new FormData(form);
    const sums = data.getAll("amount").map((one) => amount(String(one)));
    const parts = data.getAll("form").map((one, place) => ({ form: String(one), amount: sums[place] ?? "" }));
    try {
      await sender.say({ do: "pay_prize", award: award.award, parts: parts.filter((part) => part.amount !== "") });
      announce("The prize is paid.");
      await sender.stored();
    } catch (error) {
      fill(problem, refusal(reply.book, error));
      if (error instanceof Refused && error.code === "promotion_moved_on") await sender.stored();
    } finally {
      pay.disabled = false;
    }
  };
  const form = h(
    "form.say.pay",
    {
      onsubmit: submitting(() => send()),
    },
    rows,
    h("p.soft", ruleLink(reply.book, rules.payment.clause)),
    h(
      "div.row",
      pay,
      button("Another part", () => add("", left(form, due)), "quiet"),
    ),
    problem,
  );
  const first = award.forms.length > 0 ? award.forms : [rules.payment.forms[0]?.id ?? ""];
  first.forEach((/** @type {string} */ id, /** @type {number} */ place) => {
    add(id, place === 0 ? due : "");
  });
  return form;
}

/** What is left of it after the parts so far. @param {HTMLFormElement} form @param {string} due */
function left(form, due) {
  const sums = new FormData(form).getAll("amount").map((one) => amount(String(one)));
  if (!sums.every((one) => /^\d+\.\d\d$/.test(one))) return "";
  const rest = cents(due) - sums.reduce((sum, one) => sum + cents(one), 0n);
  return rest > 0n ? money(rest) : "";
}
