// A first game: the page says what to press, the player presses it, and the dice fall as the lesson has them.

import { keyOf } from "../felt/area.js";
import { PracticeDealer } from "../practice/dealer.js";
import { PracticeTable } from "../practice/table.js";
import { get, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { announce, byId, fromAddress, h } from "../shared/dom.js";
import { button, showFailure } from "../shared/parts.js";
import { arrive } from "../shared/session.js";
import { Coach } from "./coach.js";
import { Spotlight } from "./spotlight.js";

/** @import { Area, Drawing } from "../felt/area.js" */
/** @import { LessonShown, ListedTable } from "../../types/contract.js" */

class FirstGame {
  /** @param {LessonShown} lesson @param {PracticeDealer} dealer @param {Drawing} drawing @param {string | null} live a table to play at */
  constructor(lesson, dealer, drawing, live) {
    this.lesson = lesson;
    this.live = live;
    this.dealer = dealer;
    this.step = 0;
    this.thrown = 0; // of the throws of this step
    this.isBusy = false;
    this.coach = new Coach(lesson.steps.length);
    this.table = new PracticeTable(
      dealer,
      drawing,
      lesson.chips,
      { moved: (area) => this.moved(area), thrown: () => this.throws(), answered: () => this.answered() },
      false,
    );
    this.table.rack.element.inert = true; // the lesson says with which chips
    this.light = new Spotlight(this.table.felt, byId("main"));
    const place = () => this.place();
    addEventListener("resize", place);
    addEventListener("scroll", place, { passive: true, capture: true });
    new ResizeObserver(place).observe(this.table.felt.svg);
  }

  layOut() {
    const { lesson, coach } = this;
    const skip = h("a.button.quiet", { href: url`/practice/${lesson.book}` }, t("Skip"));
    this.table.layOut(
      lesson.title,
      h("div.lesson", h("strong.lesson-title", { "aria-hidden": "true" }, lesson.title), coach.progress, skip),
      this.table.calls.element,
      this.table.history,
    );
    document.body.append(coach.card);
  }

  get now() {
    return this.lesson.steps[this.step];
  }

  /** Say what is to be done now, and light it. @param {boolean} enters whether the keyboard goes there */
  show(enters) {
    const step = this.now;
    if (!step) return this.close();
    this.coach.say(this.step, step);
    const { felt, drive } = this.table;
    const spot = step.bet === null ? undefined : felt.byKey.get(keyOf({ wager: step.bet, pick: step.pick }));
    if (spot) {
      felt.reveal(spot);
      this.light.onArea(spot);
      felt.input.rove(spot);
      if (enters) spot.group.focus({ preventScroll: true });
    } else {
      this.light.onThrow();
      if (enters) drive.button.focus({ preventScroll: true });
    }
    this.bringIntoView();
    this.place();
  }

  /** Where the window is low, the felt or the page is moved under the hand. */
  bringIntoView() {
    const { spot } = this.light;
    const box = this.table.felt.element.parentElement;
    if (!spot || !box) return;
    const at = this.light.place(this.table.drive.button);
    const seen = box.getBoundingClientRect();
    const rail = this.table.drive.element.parentElement?.getBoundingClientRect() ?? seen;
    const floor = rail.x < at.right && at.x < rail.right ? Math.min(rail.y, innerHeight) : innerHeight;
    if (box.scrollHeight > box.clientHeight + 1)
      box.scrollBy(0, at.y + at.height / 2 - (seen.y + seen.height / 2)); // the felt has a window of its own
    else if (at.y < 0 || at.bottom > floor) scrollBy(0, at.y + at.height / 2 - floor / 2);
  }

  /** @param {Area} area @returns {boolean} that the table does nothing by itself */
  moved(area) {
    const step = this.now;
    if (!step || this.isBusy) return true;
    if (step.bet === null || keyOf(area) !== keyOf({ wager: step.bet, pick: step.pick })) this.nudge();
    else void this.bet({ wager: step.bet, pick: step.pick }, step.amount ?? "0.00");
    return true;
  }

  /** @param {{wager: string, pick: import("../felt/area.js").Pick}} on @param {string} amount */
  async bet({ wager, pick }, amount) {
    this.isBusy = true;
    await this.table.tried(async () => {
      await this.dealer.give({ line: { do: "bet", wager, pick, amount } });
      this.step += 1;
    });
    this.isBusy = false;
    this.show(true);
  }

  /** @returns {boolean} that the table does nothing by itself */
  throws() {
    const faces = this.now?.throws[this.thrown];
    if (this.isBusy) return true;
    if (faces) void this.fall(faces);
    else if (this.now) this.nudge();
    return true;
  }

  /** @param {(string | number)[]} faces */
  async fall(faces) {
    this.isBusy = true;
    this.light.out();
    this.coach.rest(true);
    const before = this.dealer.lines.length;
    await this.table.fall(faces);
    if (this.dealer.lines.length > before) this.thrown += 1;
    if (this.thrown >= (this.now?.throws.length ?? 0)) {
      this.step += 1;
      this.thrown = 0;
    }
    this.isBusy = false;
    this.coach.rest(false);
    this.show(true);
  }

  answered() {
    this.place();
  }

  nudge() {
    const words =
      this.now?.bet === null
        ? t("Now press {button}.", { button: this.table.drive.button.textContent ?? "" })
        : t("That one comes later. First the marked spot.");
    this.coach.nudge(words);
    this.place();
  }

  place() {
    if (this.now) this.coach.lieBeside(this.light.place(this.table.drive.button));
  }

  close() {
    const { book } = this.lesson;
    this.light.out();
    this.coach.reach(this.lesson.steps.length);
    this.coach.close(
      this.lesson.end,
      h("a.button.primary", { href: this.live === null ? "/" : url`/tables/${this.live}` }, t("Play at a table")),
      h("a.button", { href: url`/practice/${book}` }, t("Practise")),
      h("a.button", { href: url`/rules/${book}` }, t("Read the rules")),
      button(t("Once more"), () => location.reload(), "quiet"),
    );
    announce(this.lesson.end.title);
  }
}

async function start() {
  const book = fromAddress(2);
  try {
    /** @type {FirstGame | null} */
    let game = null;
    const dealer = new PracticeDealer(
      book,
      {
        answered: (reply, rows, thrown) => game?.table.answered(reply, rows, thrown),
        busy: (busy) => game?.table.drive.rest(busy),
      },
      { ahead: false },
    );
    const [, lesson, tables] = await Promise.all([arrive(), get(url`/practice/${book}/lesson`), get("/tables")]);
    const live = tables.find((/** @type {ListedTable} */ one) => one.book === book && one.by_itself && one.open);
    const opened = await dealer.open(lesson.chips);
    game = new FirstGame(lesson, dealer, /** @type {Drawing} */ (opened.drawing), live?.table ?? null);
    game.layOut();
    game.table.answered(opened, [], false);
    game.show(false);
  } catch (error) {
    showFailure(t("First game"), error);
  }
}

void start();
