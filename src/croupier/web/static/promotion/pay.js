// Paying a prize of money in one part or several, each in a form that the book knows.

import { Refused } from "../shared/api.js";
import { announce, cents, fill, h, money, ruleLink } from "../shared/dom.js";
import { amount, refusal } from "./statement.js";
import { capital, dollars } from "./words.js";

/** @param {any} told @param {any} rules @param {any} award @param {import("./statement.js").Speaker} speaker */
export function payForm(told, rules, award, speaker) {
  /** @type {string} */
  const due = award.due;
  const problem = h("p", { class: "problem", role: "alert" });
  const rows = h("div", { class: "parts" });
  const button = h("button", { type: "submit", class: "primary" }, `Pay ${dollars(due)}`);
  const add = (/** @type {string} */ form, /** @type {string} */ sum) => {
    const number = rows.childElementCount + 1;
    rows.append(
      h(
        "div",
        { class: "part" },
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
    button.disabled = true;
    fill(problem);
    const data = new FormData(form);
    const sums = data.getAll("amount").map((one) => amount(String(one)));
    const parts = data.getAll("form").map((one, place) => ({ form: String(one), amount: sums[place] ?? "" }));
    try {
      await speaker.say({ do: "pay_prize", award: award.award, parts: parts.filter((part) => part.amount !== "") });
      announce("The prize is paid.");
      await speaker.stored();
    } catch (error) {
      fill(problem, refusal(told.book, error));
      if (error instanceof Refused && error.code === "promotion_moved_on") await speaker.stored();
    } finally {
      button.disabled = false;
    }
  };
  const form = h(
    "form",
    {
      class: "say pay",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        void send();
      },
    },
    rows,
    h("p", { class: "soft" }, ruleLink(told.book, rules.payment.clause)),
    h(
      "div",
      { class: "row" },
      button,
      h("button", { type: "button", class: "quiet", onclick: () => add("", left(form, due)) }, "Another part"),
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
