// All promotions: prizes, deadlines and progress; for managers also drafts, and a new one.

import { nextTime, prizeList, stagePill, tickAll } from "../promotion/words.js";
import { get, post, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { byId, each, fill, h } from "../shared/dom.js";
import { alertLine, attempt, field, section, select, showFailure, submitting } from "../shared/parts.js";
import { arrive, hasRole, MANAGING } from "../shared/session.js";
import { setClock } from "../shared/times.js";

/** @import { Summary } from "../promotion/words.js" */
/** @typedef {import("../../types/contract.js").BookTitle} Book */

/** Groups of promotions, in order. @type {[string, string, (reply: Summary) => boolean][]} */
const GROUPS = [
  ["now", t("Running and upcoming"), (reply) => ["filed", "running", "entries closed"].includes(reply.stage)],
  ["drafts", t("Drafts"), (reply) => ["new", "draft"].includes(reply.stage)],
  ["won", t("Drawn: prizes are being awarded"), (reply) => reply.stage === "drawn"],
  ["over", t("Over"), (reply) => ["closed", "cancelled"].includes(reply.stage)],
];

/** The reader's own part in it. @param {Summary} reply */
function ownPill(reply) {
  if (reply.won) return h("span.pill.on", t("★ you have won"));
  if (!reply.entered) return null;
  const isDrawn = ["drawn", "closed", "cancelled"].includes(reply.stage);
  return h("span", { class: isDrawn ? "pill" : "pill on" }, isDrawn ? t("you took part") : t("you are in the draw"));
}

/** @param {Summary} reply @param {Map<string, string>} titles */
function card(reply, titles) {
  return h(
    "li.card.promotion-card",
    h("p.row", stagePill(reply), ownPill(reply)),
    h("h3", h("a.cover", { href: url`/promotions/${reply.promotion}` }, reply.title)),
    h("p.soft", titles.get(reply.book) ?? reply.book),
    reply.prizes.length > 0 ? prizeList(reply.prizes) : h("p.soft", t("No prizes yet.")),
    nextTime(reply),
  );
}

/** @param {Summary[]} all @param {Map<string, string>} titles */
function groups(all, titles) {
  return GROUPS.map(([id, words, has]) => {
    const own = all.filter(has);
    if (own.length === 0) return null;
    return section(
      null,
      `group-${id}`,
      words,
      each("ul.grid.promotion-cards", {}, own, (one) => card(one, titles)),
    );
  });
}

/** A title as a name for addresses. @param {string} title */
function nameFrom(title) {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
}

/** @param {Book[]} books those with rules for prizes */
function newPromotion(books) {
  const problem = alertLine();
  let named = false;
  const name = h("input", {
    name: "promotion",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    oninput: () => {
      named = true;
    },
  });
  const title = h("input", {
    name: "title",
    required: true,
    maxlength: 60,
    autocomplete: "off",
    oninput: () => {
      if (!named) name.value = nameFrom(title.value);
    },
  });
  const titles = books.map((one) => [one.id, one.title]);
  const book = select(titles, { name: "book", required: true });
  const begin = h("button.primary", { type: "submit" }, t("Start a draft"));
  const send = () =>
    attempt({ problem, buttons: [begin] }, async () => {
      await post("/promotions", { promotion: name.value.trim(), title: title.value.trim(), book: book.value });
      location.assign(url`/promotions/${name.value.trim()}`);
    });
  return h(
    "details.card.new-promotion",
    h("summary", t("New promotion")),
    h(
      "form.fields",
      { onsubmit: submitting(send) },
      field(t("Title for patrons"), title),
      field(t("Name in addresses and records"), name),
      field(t("Rules"), book),
      begin,
      problem,
    ),
  );
}

async function start() {
  const { house, me } = await arrive();
  setClock(house.at);
  document.title = t("Promotions · {house}", { house: house.house });
  const [all, books] = /** @type {[Summary[], Book[]]} */ (await Promise.all([get("/promotions"), get("/books")]));
  const mayManage = hasRole(me, MANAGING);
  const titles = new Map(books.map((book) => [book.id, book.title]));
  fill(
    byId("main"),
    h("h1", t("Promotions")),
    h("p.soft", t("What you can win, and until when. Anyone can check the draw.")),
    mayManage && newPromotion(books.filter((book) => book.prizes)),
    all.length === 0 && h("p", t("There are no promotions right now.")),
    groups(all, titles),
  );
  setInterval(tickAll, 1000);
}

start().catch((error) => showFailure(t("Promotions"), error, "/promotions", t("Try again")));
