// "No roll": choose the ground on which a throw does not count, then confirm.

import { named, t } from "../shared/catalogue.js";
import { fill, h, inEnglish, ruleLink } from "../shared/dom.js";
import { field, openDialog } from "../shared/parts.js";
import { capital } from "../shared/words.js";
import { Preview } from "./preview.js";

/** @import { Position, Ground } from "./position.js" */

/** The call for a void throw, in the book's words. @param {Position} position @returns {string} */
export function voidWords(position) {
  const words = grounds(position).find((ground) => ground.calls.length > 0)?.calls[0];
  return words ?? t("invalid outcome");
}

/** @param {Position} position @returns {Ground[]} */
export function grounds(position) {
  return position.book.voids.filter((ground) => position.isMine(ground.roles));
}

/** The grounds that can be called now: a throw that has not begun cannot be void. @param {Position} position */
function possible(position) {
  return grounds(position).filter((ground) => ground.kind !== "void" || position.felt.begun);
}

/** Ask for the ground, and call the throw void. @param {Position} position */
export function callVoid(position) {
  const beside = h("div.beside");
  const extra = h("div");
  const call = h("button.danger.wide", { type: "submit", disabled: true }, t("Choose a ground"));
  /** @type {Ground | null} */
  let chosen = null;
  const who = h("div");
  /** Show first what calling the outcome invalid would change, and for whom. */
  const preview = new Preview(position, () => {
    call.disabled = !preview.isThere;
    if (chosen?.kind === "forfeits" && who.childElementCount === 0) fill(who, forfeits(position, preview.reply));
    call.scrollIntoView({ block: "nearest" });
  });
  const check = () => {
    if (!chosen || chosen.kind === "void") return preview.about(null);
    preview.showInvalid(chosen.clause, forfeited(form));
    call.disabled = !preview.isThere;
  };
  const choose = (/** @type {Ground} */ ground) => {
    chosen = ground;
    call.disabled = false;
    fill(beside);
    fill(who);
    const words = capital(ground.calls[0] ?? t("Invalidate the outcome"));
    fill(call, t("{call}, under rule {clause}", { call: words, clause: ground.clause }));
    fill(extra, callsOf(ground), who);
  };
  const form = h(
    "form",
    {
      onchange: check,
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        if (chosen && (await position.say(line(form, chosen), beside))) dialog.close();
      },
    },
    h(
      "fieldset.grounds",
      possible(position).length > 0 && h("legend", t("On which ground?")),
      !position.felt.begun &&
        h(
          "p.soft",
          t("A {throw} can be called void only while it is under way. A settled result must be corrected instead.", {
            throw: named(position.drawing.throw.command),
          }),
        ),
      possible(position).map((ground, place) => row(position, ground, place, choose)),
    ),
    extra,
    preview.element,
    possible(position).length > 0 && call,
    beside,
  );
  const heading = h("h2", { id: "void-title" }, capital(voidWords(position)));
  const dialog = openDialog("sheet", "void-title", heading, form);
  dialog.addEventListener("close", closed);
}

/** Focus goes back to the dealing part, not to a button: the next key must not call "no roll" again. */
function closed() {
  /** @type {HTMLElement | null} */
  const dealing = document.querySelector(".dealing");
  dealing?.focus({ preventScroll: true });
}

/** @param {Position} position @param {Ground} ground @param {number} place @param {(ground: Ground) => void} choose */
function row(position, ground, place, choose) {
  const id = `ground-${place}`;
  const depth = ground.clause.split(/[.(]/).length - 2;
  return h(
    "div",
    { class: `ground depth-${depth}` },
    h("input", { type: "radio", name: "ground", id, value: ground.clause, onchange: () => choose(ground) }),
    h(
      "label",
      { for: id },
      h("strong", ground.clause),
      " ",
      inEnglish(ground.summary),
      ground.mandatory && h("span.pill", t("must be called")),
    ),
    h("span.soft", ruleLink(position.book.id, ground.clause)),
  );
}

/** A choice of calls, if the book has several. @param {Ground} ground */
function callsOf(ground) {
  if (ground.calls.length < 2) return null;
  const options = ground.calls.map((call) => h("option", { value: call }, call));
  return field(t("Call"), h("select", { name: "call" }, options));
}

/**
 * Whose wagers are forfeited instead of refunded: players with wagers, or those whom the settled result concerned.
 * @param {Position} position @param {import("./preview.js").Previewed | null} reply
 */
function forfeits(position, reply) {
  /** @type {{player: string}[]} */
  const rows = position.felt.begun || !reply ? position.felt.wagers : reply.players;
  const staked = [...new Set(rows.map((one) => one.player))];
  const boxes = staked.map((player) =>
    h("label.tick", h("input", { type: "checkbox", name: "forfeit", value: player }), ` ${player}`),
  );
  return h(
    "fieldset",
    h("legend", t("Whose wagers are forfeited?")),
    boxes,
    h("p.soft", t("The wagers of everyone else are refunded.")),
  );
}

/** @param {HTMLFormElement} form */
function forfeited(form) {
  return new FormData(form).getAll("forfeit").map(String);
}

/** @param {HTMLFormElement} form @param {Ground} ground */
function line(form, ground) {
  const data = new FormData(form);
  const forfeit = forfeited(form);
  const call = data.get("call");
  return {
    do: "void",
    reason: ground.clause,
    ...(call ? { call: String(call) } : {}),
    ...(forfeit.length > 0 ? { forfeit } : {}),
  };
}
