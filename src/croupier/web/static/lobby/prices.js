// Games that exist twice, told apart: every price in which their books differ.

import { named, t } from "../shared/catalogue.js";
import { h } from "../shared/dom.js";
import { section } from "../shared/parts.js";
import { oddsWords } from "../shared/words.js";

/** @typedef {import("../../types/contract.js").Front} Front */
/** @typedef {import("../../types/contract.js").Prices} Prices */
/** @typedef {import("../../types/contract.js").PriceRow} PriceRow */

/** The id of the part of the page about a game. @param {Prices} prices */
function idOf(prices) {
  return `prices-${prices.game.toLowerCase().replace(/\W+/g, "-")}`;
}

/** Where a book pays more than others of its game. @param {Front} front @param {string} book */
export function paysMore(front, book) {
  const prices = front.prices.find((one) => one.books.includes(book));
  const place = prices?.books.indexOf(book) ?? -1;
  const rows = prices?.rows.filter((row) => row.most.length === 1 && row.most[0] === place) ?? [];
  if (!prices || rows.length === 0) return null;
  const wagers = [...new Set(rows.map((row) => named(row.wager)))].join(", ");
  return h("p.pays-more", h("a", { href: `#${idOf(prices)}` }, t("Pays more on {wagers}", { wagers })));
}

/** The prices side by side. @param {Prices} prices @param {Front} front */
export function pricesCard(prices, front) {
  const places = prices.books.map((book) => front.games.find((one) => one.book === book)?.place ?? book);
  const columns = places.map((place) => h("th.number", { scope: "col" }, place));
  return section(
    "card prices",
    idOf(prices),
    t("Which {game}?", { game: prices.game }),
    h("p.soft", t("The same bets on the same felt. Only these prices differ.")),
    h(
      "table",
      h("thead", h("tr", h("th", { scope: "col" }, t("Bet")), columns)),
      h("tbody", prices.rows.map(priceRow)),
    ),
  );
}

/** @param {PriceRow} row */
function priceRow({ wager, on, pays, most }) {
  const cells = pays.map((odds, place) => {
    if (!most.includes(place)) return h("td.number", oddsWords(odds));
    return h(
      "td.number.more",
      oddsWords(odds),
      " ",
      h("span", { "aria-hidden": "true" }, "▲"),
      h("span.heard", t("more")),
    );
  });
  return h("tr", h("th", { scope: "row" }, on ? `${named(wager)} ${on}` : named(wager)), cells);
}
