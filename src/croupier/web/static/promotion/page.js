// One promotion: for everybody its terms and its draw, for players their own part, for those who manage all of it.

import { dutyItem } from "../duties/list.js";
import { get, pause, Refused, url } from "../shared/api.js";
import { byId, fill, fromAddress, h } from "../shared/dom.js";
import { alertLine, button, card, errorWords } from "../shared/parts.js";
import { arrive, hasRole } from "../shared/session.js";
import { setClock, setZone } from "../shared/times.js";
import { awardsCard } from "./awards.js";
import { courseFacts, courseForms, stepsBar } from "./course.js";
import { drawCard } from "./draw.js";
import { Editor } from "./editor.js";
import { givenIn, historyCard, historyOf, scrutineerOf } from "./history.js";
import { disputesCard, doubtsCard } from "./integrity.js";
import { ownCard } from "./own.js";
import { playCount } from "./play.js";
import { Speaker } from "./statement.js";
import { glance, termsCard } from "./terms.js";
import { nextTime, stagePill, tickAll } from "./words.js";

/** @typedef {import("../shared/session.js").Me} Me */
/** @typedef {import("./earning.js").Known} Known */

const MANAGING = ["manager", "operator"];
const EVERY = 5000; // milliseconds between looks
const DRAFTING = ["new", "draft"];

class Page {
  /** @param {Me | null} me @param {any} first @param {any} rules @param {{title: string}} book @param {Known} known */
  constructor(me, first, rules, book, known) {
    this.me = me;
    this.rules = rules;
    this.book = book;
    this.known = known;
    this.name = first.promotion;
    this.mayManage = hasRole(me, MANAGING);
    this.speaker = new Speaker(this.name, first.book, () => this.look());
    /** @type {Editor | null} */
    this.editor = null;
    this.offers = "";
    this.seen = 0;
    this.moved = h("p.card.moved", { hidden: true, role: "status" });
  }

  /** Read it anew, and show it. */
  async look() {
    const told = await get(url`/promotions/${this.name}`);
    const seesAll = told.may !== undefined;
    const [history, duties] = seesAll ? await Promise.all([historyOf(this.name), get("/duties")]) : [[], null];
    told.duties = (duties ? [...duties.open, ...duties.done] : []).filter(
      (/** @type {any} */ one) => one.of === "promotion" && one.name === this.name,
    );
    this.seen = told.version;
    setZone(told.zone);
    if (this.mayManage) this.speaker.version = told.version;
    this.moved.hidden = true;
    const top = [
      h("p", h("a", { href: "/promotions" }, "All promotions")),
      h("div.row.spread", h("h1", told.title), stagePill(told)),
      h("p.soft", this.book.title),
      nextTime(told),
      this.moved,
    ];
    fill(byId("main"), top, seesAll ? this.all(told, history) : this.forEverybody(told));
    document.title = told.title;
  }

  /** @param {any} told */
  forEverybody(told) {
    const { me } = this;
    const plays = me?.roles.includes("player") && told.own !== null;
    return h(
      "div.columns",
      h(
        "div",
        plays && me && ownCard(told, this.rules, me.person, this.speaker),
        glance(told, this.rules, this.known),
        drawCard(told),
      ),
      h("div", termsCard(told, this.rules)),
    );
  }

  /** @param {any} told @param {import("./history.js").Entry[]} history */
  all(told, history) {
    const speaker = this.mayManage ? this.speaker : null;
    const drafting = DRAFTING.includes(told.stage);
    return [
      stepsBar(told),
      h(
        "div.columns",
        h(
          "div",
          !drafting && this.courseCard(told, history),
          awardsCard(told, this.rules, speaker, givenIn(history, this.rules)),
          this.editing(told),
          !drafting && [glance(told, this.rules, this.known), drawCard(told)],
        ),
        h(
          "div",
          this.dutiesCard(told),
          doubtsCard(told, this.rules, speaker),
          disputesCard(told, this.rules, speaker),
          drafting && this.courseCard(told, history),
          historyCard(history, told.book),
          !(drafting && this.mayManage) && termsCard(told, this.rules),
        ),
      ),
    ];
  }

  /** @param {any} told @param {import("./history.js").Entry[]} history */
  courseCard(told, history) {
    return h(
      "section.card.console",
      { "aria-labelledby": "course-title" },
      h("h2", { id: "course-title" }, "Progress"),
      courseFacts(told, scrutineerOf(history), this.known.tables),
      playCount(told),
      this.mayManage && courseForms(told, this.rules, this.speaker),
    );
  }

  /** @param {any} told */
  dutiesCard(told) {
    if (told.duties.length === 0) return null;
    const answering = { roles: this.me?.roles ?? [], answered: () => void this.look() };
    return card(
      "duties-title",
      "Duties",
      h(
        "ul.duties",
        told.duties.map((/** @type {any} */ duty) => dutyItem(duty, answering, false)),
      ),
    );
  }

  /** The terms as a form: a draft is open, filed ones are folded away. What was written and not stored stays. @param {any} told */
  editing(told) {
    const may = new Set(told.may.map((/** @type {any} */ one) => one.do));
    const word = may.has("draft_terms") ? "draft_terms" : "amend_terms";
    if (!this.mayManage || !may.has(word)) {
      this.editor = null;
      return null;
    }
    const form = told.proposed ?? told.form;
    const deeds = this.deeds(told, word);
    const offers = deeds.map((deed) => deed.words).join();
    if (this.editor === null || this.offers !== offers || !(this.editor.isChanged || this.editor.says(form))) {
      this.editor = new Editor(this.speaker, this.rules, form, this.known, deeds);
    }
    this.offers = offers;
    const isDraft = word === "draft_terms";
    const title = isDraft ? "The draft" : "Change the terms";
    const body = [!isDraft && h("p.soft", this.amending(told)), this.editor.element];
    return isDraft
      ? card("editor-title", title, body)
      : h("details.card", { open: this.editor.isChanged }, h("summary", title), body);
  }

  /** @param {any} told */
  amending(told) {
    const { filing, amending } = this.rules;
    if (told.stage === "filed")
      return `Before the start, changed terms become a draft again and must be filed with ${filing.with} again.`;
    return amending.after_start === "approval"
      ? `After the start, an amendment takes effect once ${filing.with} approves it.`
      : `After the start, an amendment takes effect at once and must be sent to ${filing.with} as soon as possible.`;
  }

  /** @param {any} told @param {string} word @returns {import("./editor.js").Deed[]} */
  deeds(told, word) {
    const { filing, amending } = this.rules;
    if (word === "draft_terms")
      return [
        { words: "Save the draft", done: "The draft is saved.", lines: (terms) => [{ do: word, terms }] },
        {
          words: `Save and file with ${filing.with}`,
          primary: true,
          done: `The terms are filed with ${filing.with}.`,
          lines: (terms) => [{ do: word, terms }, { do: "file_terms" }],
        },
      ];
    const words =
      told.stage === "filed"
        ? "Make it a draft again"
        : amending.after_start === "approval"
          ? "Propose the amendment"
          : "Amend the terms";
    return [{ words, primary: true, done: "The change is on record.", lines: (terms) => [{ do: word, terms }] }];
  }

  /** Whether somebody is writing: nothing is taken out of their hands. */
  get isBusy() {
    const fields = document.querySelectorAll("main form.say :is(input, textarea), main form.duty-answer input");
    const written = [...fields].some((one) => isWritten(/** @type {HTMLInputElement} */ (one)));
    return (
      written || document.querySelector("main details[open] form.say") !== null || (this.editor?.isChanged ?? false)
    );
  }

  /** Look from time to time whether something has happened. */
  async follow() {
    for (;;) {
      await pause(EVERY);
      if (document.hidden) continue;
      try {
        const told = await get(url`/promotions/${this.name}`);
        if (told.version === this.seen) continue;
        if (!this.isBusy) await this.look();
        else if (this.moved.hidden) {
          fill(
            this.moved,
            "This promotion has changed. ",
            button("Show the latest", () => void this.look()),
          );
          this.moved.hidden = false;
        }
      } catch (error) {
        if (error instanceof Refused && error.status > 0 && error.status < 500) return;
      }
    }
  }
}

/** Whether somebody changed it. @param {HTMLInputElement} field */
function isWritten(field) {
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

async function start() {
  const { house, me } = await arrive();
  setClock(house.at);
  const name = fromAddress(2);
  const all = await get("/promotions");
  const first = all.find((/** @type {any} */ one) => one.promotion === name);
  if (!first) {
    fill(
      byId("main"),
      h("h1", "No such promotion"),
      h("p", "There is no promotion with that name. ", h("a", { href: "/promotions" }, "All promotions")),
    );
    return;
  }
  const [rules, book, tables] = await Promise.all([
    get(url`/books/${first.book}/prizes`),
    get(url`/books/${first.book}`),
    get("/tables"),
  ]);
  const own = tables.filter((/** @type {any} */ table) => table.book === first.book);
  const known = {
    tables: new Map(own.map((/** @type {any} */ table) => [table.table, table.title])),
    wagers: new Map(book.wagers.map((/** @type {any} */ wager) => [wager.id, wager.name])),
  };
  const page = new Page(me, first, rules, book, known);
  await page.look();
  setInterval(tickAll, 1000);
  await page.follow();
}

start().catch((error) => {
  fill(
    byId("main"),
    h("h1", "Promotion"),
    alertLine(errorWords(error)),
    h("p", h("a", { href: "/promotions" }, "All promotions")),
  );
});
