// One table for its supervisor: taking a post there, and every act that the rules give to it, by topic.

import { caseRows, openActs, plain } from "../acts/act-form.js";
import { topicsOf, topicWords } from "../acts/act-list.js";
import { openCases } from "../acts/cases.js";
import { Position } from "../acts/position.js";
import { callVoid, grounds } from "../acts/void.js";
import { get, post, url } from "../shared/api.js";
import { named, t } from "../shared/catalogue.js";
import { announce, fill, fillEach, h, inEnglish } from "../shared/dom.js";
import { listen } from "../shared/live.js";
import { button, Drawn, factRows, openDialog, refusalLine } from "../shared/parts.js";
import { SUPERVISING } from "../shared/session.js";
import { momentOf, timeOf } from "../shared/times.js";

/** @import { Me } from "../shared/session.js" */
/** @import { FloorTable } from "./cards.js" */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:\d\d)?$/; // without an offset it is the table's own

/** Open a table for its supervisor. @param {FloorTable} table @param {Me} me */
export async function supervise(table, me) {
  const content = h("div", h("p.soft", t("Loading …")));
  const dialog = openDialog(
    "sheet supervise",
    "supervise-title",
    h("h2", { id: "supervise-title" }, table.title),
    content,
  );
  let stop = () => {};
  dialog.addEventListener("close", () => stop());
  const path = url`/tables/${table.table}`;
  try {
    const [felt, drawing, book] = await Promise.all([
      get(`${path}/felt`),
      get(`${path}/drawing`),
      get(url`/books/${table.book}/acts`),
    ]);
    const panel = new Panel(new Position(table.table, me, drawing, book, felt));
    fill(content, panel.element);
    panel.show();
    if (!dialog.open) return;
    stop = listen(
      `${path}/live`,
      { felt: (now) => panel.hear(now), line: (line) => panel.heard(line) },
      { after: felt.version, felt: true },
    );
  } catch (error) {
    fill(content, refusalLine(table.book, error));
  }
}

/** A fact that the table keeps; a time by the table's clock. @param {string | number} value @param {string} zone */
function factWords(value, zone) {
  const [time, offset] = TIME.exec(String(value)) ?? [];
  return time ? timeOf(offset ? time : momentOf(time, zone), zone) : String(value);
}

class Panel {
  /** @param {Position} position */
  constructor(position) {
    this.position = position;
    this.path = url`/tables/${position.table}`;
    this.line = h("p.problem", { role: "status" });
    this.posts = h("div.card");
    this.beside = h("div.beside");
    position.did = (words) => fill(this.beside, h("p.soft", words));
    this.now = h("div.row.now");
    this.drawn = new Drawn();
    this.cases = h("div");
    this.topics = h("div");
    this.seen = -1;
    this.known = h("dl.known-facts");
    this.memory = h("details", h("summary", t("Table facts")), this.known);
    this.role = /** @type {string | null | undefined} */ (undefined);
    this.element = h("div", this.line, this.posts, this.now, this.beside, this.cases, this.topics, this.memory);
  }

  /** @param {import("../shared/live.js").Line} line */
  heard(line) {
    fill(this.line, line === "lost" ? t("Connection lost. Reconnecting …") : "");
  }

  /** @param {import("../../types/contract.js").Felt} felt */
  hear(felt) {
    if (felt.terms !== this.position.felt.terms) void this.redraw();
    this.position.felt = felt;
    this.show();
  }

  async redraw() {
    this.position.drawing = await get(`${this.path}/drawing`).catch(() => this.position.drawing);
  }

  /** The open cases of this table, with a button for each next step that the person may take. */
  async showCases() {
    const { position } = this;
    if (this.seen === position.felt.version) return;
    this.seen = position.felt.version;
    const open = await openCases(position.table);
    fill(this.cases, open.length > 0 && [h("h3", t("Open cases")), h("ul.plain.cases", caseRows(position, open))]);
  }

  /** What can be done now beside the game, such as correcting the result. */
  showNow() {
    const { position } = this;
    const steps = position.steps.filter((step) => step.kind === "beside" && !step.refused);
    if (this.drawn.isSame(steps)) return;
    const press = (/** @type {import("../acts/position.js").Step} */ { line, asks }) =>
      asks.length > 0 ? openActs(position, line.do) : void position.say(line, this.beside);
    fillEach(this.now, steps, (step) =>
      button(inEnglish(step.asks.length > 0 ? `${step.words} …` : step.words), () => press(step)),
    );
    this.now.hidden = steps.length === 0;
  }

  show() {
    void this.showCases();
    this.showNow();
    const { role, facts } = this.position;
    if (role !== this.role) {
      this.role = role;
      fill(this.posts, role === null ? this.without() : this.withPost(role));
      fill(this.topics, role === null ? null : this.acts());
      this.seen = -1; // another role has other steps
      void this.showCases();
    }
    const rows = Object.entries(facts).filter(([, value]) => value !== null);
    this.memory.hidden = rows.length === 0;
    fill(this.known, factRows(rows.map(([name, value]) => [named(name), factWords(value, this.position.felt.zone)])));
  }

  /** A person without a post cannot act at a table. */
  without() {
    const own = SUPERVISING.filter((role) => this.position.me.roles.includes(role));
    if (own.length === 0) return [h("p", t("You can watch this table. To act here you need a post."))];
    const buttons = own.map((role) =>
      button(
        t("Take charge as {role}", { role: named(role) }),
        () => void this.order("/post", { role }, t("You run this table as {role}.", { role: named(role) })),
        "primary",
      ),
    );
    return [
      h(
        "p",
        t(
          "You have no post at this table. Take charge first. This is recorded, and you cannot play at a table you run.",
        ),
      ),
      h("div.row", buttons),
    ];
  }

  /** @param {string} role */
  withPost(role) {
    const leave = () => void this.order("/post/leave", {}, t("You left the post."));
    const titles = this.position.ownTitles(this.position.book.titles.map((one) => one.title));
    const words = { role: named(role), titles: titles.map(named).join(", ") };
    const known =
      titles.length > 0
        ? t("You run this table as {role}. Under these rules you are {titles}.", words)
        : t("You run this table as {role}.", words);
    return [h("div.row.spread", h("p", known), button(t("Leave the post"), leave))];
  }

  /** @param {string} where @param {object} body @param {string} words */
  async order(where, body, words) {
    fill(this.beside);
    try {
      await post(this.path + where, body);
      this.hear(await get(`${this.path}/felt`));
      announce(words);
    } catch (error) {
      fill(this.beside, refusalLine(this.position.book.id, error));
    }
  }

  /** The acts that the rules give to the post, by topic. */
  acts() {
    const { position } = this;
    const mine = position.book.acts.filter(
      (act) => position.isMine(act.roles) && (act.aside || !position.felt.by_itself),
    );
    const undo = !position.felt.by_itself && grounds(position).length > 0;
    return topicsOf(mine).map((topic) => {
      const own = mine.filter((act) => act.topic === topic);
      const voids =
        topic === "throw" &&
        undo &&
        button(t("Call the throw void, or the outcome invalid …"), () => callVoid(position));
      if (own.length === 0 && !voids) return null;
      const buttons = own.map((act) => button(inEnglish(plain(act)), () => openActs(position, act.id)));
      return h(
        "details.topic",
        { open: topic === "signs" },
        h("summary", topicWords(topic), " ", h("span.soft", String(own.length + (voids ? 1 : 0)))),
        h("div.act-buttons", voids, buttons),
      );
    });
  }
}
