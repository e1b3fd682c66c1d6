// One promotion: its terms and draw for everyone, their own part for players, everything for managers.

import { dutyItem } from "../duties/list.js";
import { get, pause, Refused, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { byId, each, fill, fromAddress, h } from "../shared/dom.js";
import { button, card, section, showFailure } from "../shared/parts.js";
import { arrive, hasRole, MANAGING } from "../shared/session.js";
import { setClock, setZone } from "../shared/times.js";
import { awardsCard } from "./awards.js";
import { courseFacts, courseForms, stepsBar } from "./course.js";
import { drawCard } from "./draw.js";
import { Editor } from "./editor.js";
import { givenIn, historyCard, historyOf, scrutineerOf } from "./history.js";
import { disputesCard, integrityCard } from "./integrity.js";
import { LineSender } from "./line-form.js";
import { ownCard } from "./own.js";
import { playCount } from "./play.js";
import { glance, termsCard } from "./terms.js";
import { mayDo, nextTime, stagePill, tickAll } from "./words.js";

/** @import { ListedTable, Offered } from "../../types/contract.js" */
/** @import { ManagedPromotion, OwnPromotion, Promotion, PrizeRules, Summary } from "./words.js" */
/** @import { Me } from "../shared/session.js" */
/** @import { Known } from "./earning.js" */

const EVERY = 5000; // milliseconds between looks
const DRAFTING = ["new", "draft"];

class Page {
  /** @param {Me | null} me @param {Summary} first @param {PrizeRules} rules @param {{title: string}} book @param {Known} known */
  constructor(me, first, rules, book, known) {
    this.me = me;
    this.rules = rules;
    this.book = book;
    this.known = known;
    this.name = first.promotion;
    this.mayManage = hasRole(me, MANAGING);
    this.sender = new LineSender(this.name, first.book, () => this.look());
    /** @type {Editor | null} */
    this.editor = null;
    this.offers = "";
    this.seen = 0;
    this.moved = h("p.card.moved", { hidden: true, role: "status" });
  }

  /** Fetch and show it. */
  async look() {
    const reply = await get(url`/promotions/${this.name}`);
    const seesAll = reply.may !== undefined;
    const [history, duties] = seesAll ? await Promise.all([historyOf(this.name), get("/duties")]) : [[], null];
    reply.duties = (duties ? [...duties.open, ...duties.done] : []).filter(
      (one) => one.of === "promotion" && one.name === this.name,
    );
    this.seen = reply.version;
    setZone(reply.zone);
    if (this.mayManage) this.sender.version = reply.version;
    this.moved.hidden = true;
    const top = [
      h("p", h("a", { href: "/promotions" }, t("All promotions"))),
      h("div.row.spread", h("h1", reply.title), stagePill(reply)),
      h("p.soft", this.book.title),
      nextTime(reply),
      this.moved,
    ];
    fill(byId("main"), top, seesAll ? this.all(reply, history) : this.forEverybody(reply));
    document.title = reply.title;
  }

  /** @param {Promotion} reply */
  forEverybody(reply) {
    const { me } = this;
    const plays = me?.roles.includes("player") && reply.own !== null;
    return h(
      "div.columns",
      h(
        "div",
        plays && me && ownCard(/** @type {OwnPromotion} */ (reply), this.rules, me.person, this.sender),
        glance(reply, this.rules, this.known),
        drawCard(reply),
      ),
      h("div", termsCard(reply, this.rules)),
    );
  }

  /** @param {ManagedPromotion} reply @param {import("./history.js").Entry[]} history */
  all(reply, history) {
    const sender = this.mayManage ? this.sender : null;
    const drafting = DRAFTING.includes(reply.stage);
    return [
      stepsBar(reply),
      h(
        "div.columns",
        h(
          "div",
          !drafting && this.courseCard(reply, history),
          awardsCard(reply, this.rules, sender, givenIn(history, this.rules)),
          this.editing(reply),
          !drafting && [glance(reply, this.rules, this.known), drawCard(reply)],
        ),
        h(
          "div",
          this.dutiesCard(reply),
          integrityCard(reply, this.rules, sender),
          disputesCard(reply, this.rules, sender),
          drafting && this.courseCard(reply, history),
          historyCard(history, reply.book),
          !(drafting && this.mayManage) && termsCard(reply, this.rules),
        ),
      ),
    ];
  }

  /** @param {ManagedPromotion} reply @param {import("./history.js").Entry[]} history */
  courseCard(reply, history) {
    return section(
      "card console",
      "course-title",
      t("Progress"),
      courseFacts(reply, scrutineerOf(history), this.known.tables),
      playCount(reply),
      this.mayManage && courseForms(reply, this.rules, this.sender),
    );
  }

  /** @param {ManagedPromotion} reply */
  dutiesCard(reply) {
    if (reply.duties.length === 0) return null;
    const answering = { roles: this.me?.roles ?? [], answered: () => void this.look() };
    return card(
      "duties-title",
      t("Duties"),
      each("ul.duties", {}, reply.duties, (duty) => dutyItem(duty, answering, false)),
    );
  }

  /** The terms as a form: open for a draft, folded once filed. Unsaved changes stay. @param {ManagedPromotion} reply */
  editing(reply) {
    const may = mayDo(reply);
    const word = may.has("draft_terms") ? "draft_terms" : "amend_terms";
    if (!this.mayManage || !may.has(word)) {
      this.editor = null;
      return null;
    }
    const form = reply.proposed ?? reply.form;
    const choices = this.choices(reply, word);
    const offers = choices.map((choice) => choice.words).join();
    if (this.editor === null || this.offers !== offers || !(this.editor.isChanged || this.editor.says(form))) {
      this.editor = new Editor(this.sender, this.rules, form, this.known, choices);
    }
    this.offers = offers;
    const isDraft = word === "draft_terms";
    const title = isDraft ? t("The draft") : t("Change the terms");
    const body = [!isDraft && h("p.soft", this.amending(reply)), this.editor.element];
    return isDraft
      ? card("editor-title", title, body)
      : h("details.card", { open: this.editor.isChanged }, h("summary", title), body);
  }

  /** @param {ManagedPromotion} reply */
  amending(reply) {
    const { filing, amending } = this.rules;
    const authority = named(filing.with);
    if (reply.stage === "filed")
      return t("Before the start, changed terms become a draft again and must be filed with {authority} again.", {
        authority,
      });
    return amending.after_start === "approval"
      ? t("After the start, an amendment takes effect once {authority} approves it.", { authority })
      : t("After the start, an amendment takes effect at once and must be sent to {authority} as soon as possible.", {
          authority,
        });
  }

  /** @param {ManagedPromotion} reply @param {string} word @returns {import("./editor.js").EditorButton[]} */
  choices(reply, word) {
    const { filing, amending } = this.rules;
    const authority = named(filing.with);
    if (word === "draft_terms")
      return [
        { words: t("Save the draft"), done: t("The draft is saved."), lines: (terms) => [{ do: word, terms }] },
        {
          words: t("Save and file with {authority}", { authority }),
          primary: true,
          done: t("The terms are filed with {authority}.", { authority }),
          lines: (terms) => [{ do: word, terms }, { do: "file_terms" }],
        },
      ];
    const words =
      reply.stage === "filed"
        ? t("Make it a draft again")
        : amending.after_start === "approval"
          ? t("Propose the amendment")
          : t("Amend the terms");
    return [{ words, primary: true, done: t("The change is on record."), lines: (terms) => [{ do: word, terms }] }];
  }

  /** Whether the person is typing: then nothing is redrawn. */
  get isBusy() {
    const fields = document.querySelectorAll("main form.say :is(input, textarea), main form.duty-answer input");
    const written = [...fields].some((one) => isWritten(/** @type {HTMLInputElement} */ (one)));
    return (
      written || document.querySelector("main details[open] form.say") !== null || (this.editor?.isChanged ?? false)
    );
  }

  /** Check for changes from time to time. */
  async follow() {
    for (;;) {
      await pause(EVERY);
      if (document.hidden) continue;
      try {
        const reply = await get(url`/promotions/${this.name}`);
        if (reply.version === this.seen) continue;
        if (!this.isBusy) await this.look();
        else if (this.moved.hidden) {
          fill(
            this.moved,
            t("This promotion has changed."),
            " ",
            button(t("Show the latest"), () => void this.look()),
          );
          this.moved.hidden = false;
        }
      } catch (error) {
        if (error instanceof Refused && error.status > 0 && error.status < 500) return;
      }
    }
  }
}

/** Whether a field was changed. @param {HTMLInputElement} field */
function isWritten(field) {
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

async function start() {
  const { house, me } = await arrive();
  setClock(house.at);
  const name = fromAddress(2);
  const all = await get("/promotions");
  const first = all.find((/** @type {Summary} */ one) => one.promotion === name);
  if (!first) {
    fill(
      byId("main"),
      h("h1", t("No such promotion")),
      h("p", t("There is no promotion with that name."), " ", h("a", { href: "/promotions" }, t("All promotions"))),
    );
    return;
  }
  const [rules, book, tables] = await Promise.all([
    get(url`/books/${first.book}/prizes`),
    get(url`/books/${first.book}`),
    get("/tables"),
  ]);
  const own = tables.filter((/** @type {ListedTable} */ table) => table.book === first.book);
  const known = {
    tables: new Map(own.map((/** @type {ListedTable} */ table) => [table.table, table.title])),
    wagers: new Map(book.wagers.map((/** @type {Offered} */ wager) => [wager.id, wager.name])),
  };
  const page = new Page(me, first, rules, book, known);
  await page.look();
  setInterval(tickAll, 1000);
  await page.follow();
}

start().catch((error) => showFailure(t("Promotion"), error, "/promotions", t("All promotions")));
