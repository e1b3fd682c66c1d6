// A practice table: no clock, dice from a seed or picked by hand, a step back, and the chances of every wager.

import { get, url } from "../shared/api.js";
import { t } from "../shared/catalogue.js";
import { fill, fromAddress, h } from "../shared/dom.js";
import { alertLine, button, card, field, showFailure, submitting } from "../shared/parts.js";
import { arrive } from "../shared/session.js";
import { Chances } from "./chances.js";
import { newSeed, PracticeDealer } from "./dealer.js";
import { PracticeTable } from "./table.js";

/** @import { Reply } from "./dealer.js" */
/** @import { Drawing } from "../felt/area.js" */

const CHIPS = "1000.00";

/** Where the dice come from. @param {PracticeDealer} dealer @param {() => Promise<void>} again opens another table */
function diceCard(dealer, again) {
  const input = h("input", {
    name: "seed",
    value: dealer.seed,
    maxlength: 80,
    autocomplete: "off",
    spellcheck: "false",
  });
  const problem = alertLine();
  const start = async (/** @type {string} */ seed) => {
    dealer.seed = seed;
    input.value = seed;
    await again();
  };
  const send = () => (input.value ? void start(input.value) : fill(problem, t("A seed has at least one letter.")));
  return card(
    "dice-title",
    t("The dice"),
    h("p", t("They follow from the seed: the same seed throws the same dice again, whatever you bet.")),
    h(
      "form.row",
      { onsubmit: submitting(send) },
      field(t("Seed"), input),
      h("button", { type: "submit" }, t("Start with this seed")),
    ),
    h(
      "p.row",
      button(t("New table, new seed"), () => void start(newSeed())),
    ),
    problem,
  );
}

/** @param {string} book @param {boolean} hasLesson */
function aboutCard(book, hasLesson) {
  return card(
    "about-title",
    t("A practice table"),
    h(
      "p",
      t(
        "No clock, no account, and nothing is recorded. Step back takes the last bet or throw away. Pick the dice to see what a throw would do.",
      ),
    ),
    h(
      "ul.plain.ways-on",
      hasLesson && h("li", h("a", { href: url`/learn/${book}` }, t("A first game of two minutes"))),
      h("li", h("a", { href: url`/rules/${book}` }, t("The rules"))),
      h("li", h("a", { href: "/" }, t("Play at a table, with play chips"))),
    ),
  );
}

async function start() {
  const book = fromAddress(2);
  try {
    /** @type {PracticeTable | null} */
    let table = null;
    /** @type {Chances | null} */
    let chances = null;
    const dealer = new PracticeDealer(book, {
      answered: (reply, rows, thrown) => table?.answered(reply, rows, thrown),
      busy: (busy) => table?.drive.rest(busy),
    });
    const [books] = await Promise.all([get("/books"), arrive()]); // only then are orders sent with the session's token
    const opened = await dealer.open(CHIPS);
    const drawing = /** @type {Drawing} */ (opened.drawing);
    chances = new Chances(drawing);
    const explained = chances;
    const know = (/** @type {Reply} */ reply) =>
      explained.know(reply.ahead ?? undefined, reply.felt.marker?.value ?? null);
    const made = new PracticeTable(dealer, drawing, CHIPS, {
      looked: (area) => explained.look(area),
      answered: know,
    });
    table = made;
    made.whatWins.asks.prepend(explained.brief);
    const again = async () => {
      made.calls.clear();
      made.answered(await dealer.open(CHIPS), [], true);
    };
    const has = books.find((/** @type {{id: string}} */ one) => one.id === book)?.lesson === true;
    const title = t("Practice: {game}", { game: drawing.title.split(",")[0] ?? book });
    made.layOut(
      title,
      null,
      explained.element,
      diceCard(dealer, again),
      made.calls.element,
      made.history,
      aboutCard(book, has),
    );
    made.answered(opened, [], false);
    explained.learn((await get(url`/practice/${book}/chances`)).rows);
  } catch (error) {
    showFailure(t("Practice table"), error);
  }
}

void start();
