"""`croupier strategies`: list the included strategies, explain one in plain sentences, or check a user's file."""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier import rulebooks
from croupier.cli.simulation.plots import counted, dollars, edge
from croupier.cli.simulation.strategy_text import Wording
from croupier.cli.wager_plans import throws_word
from croupier.money import format_cents
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.engine import Engine
from croupier.simulation.kernels.program import Program
from croupier.simulation.reading.reader import (
    Included,
    StrategyError,
    find_text,
    included_for,
    needs_bankroll,
    parse,
    problems,
    read_strategy,
)
from croupier.simulation.reading.shapes import Lines, nearest, quoted
from croupier.simulation.results import exact_session
from croupier.simulation.strategy import Bet, Spot, Strategy
from croupier.table.commands import Settings

WRONG = 1  # exit status for a file with mistakes

EXAMPLES = """examples:
  croupier strategies
  croupier strategies craps-nsw-2024
  croupier strategies iron-cross
  croupier strategies my-own.toml
"""


def add_strategies(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier strategies`."""
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    add = command.add_argument
    add(
        "what", metavar="BOOK|NAME|FILE", nargs="?",
        help="a book, to describe its strategies; a strategy, to explain its rules in plain sentences; or your own "
        "file (.toml), to check and explain it. Without it, all included strategies are listed",
    )  # fmt: skip
    add(
        "--book", metavar="BOOK",
        help="explain or check it for this book only; by default it is checked for every book it is written for, and "
        "explained for the first",
    )  # fmt: skip
    add("--json", action="store_true", help="print the same as JSON, for other programs")


def show_strategies(shelf: Shelf, given: argparse.Namespace) -> int:
    """List, explain or check; return the exit status. Raises Impossible."""
    books = [*rulebooks.ids(), *shelf.extra]
    if given.what is None or given.what in books:
        return _list(shelf, books if given.what is None else [given.what], given.json)
    text, file = find_text(given.what)
    named, wrong = _checked(shelf, books, text, file, given.book)
    if wrong:
        return _show_problems(wrong, file, given.json)

    game = shelf.game(shelf.terms(given.book or named[0]))
    explained = Explained(given.what, named, game, read_strategy(text, file, game))
    if given.json:
        _print(explained.plain())
    else:
        explained.show(Console(highlight=False))
    return 0


def _print(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


# -- list -------------------------------------------------------------------------------------------------------------


def _list(shelf: Shelf, books: list[str], as_json: bool) -> int:
    """List the included strategies: names for all books, or names and descriptions for one book."""
    found = {book: included_for(shelf.book(book).lineage) for book in books}
    if as_json:
        once = {one.id: one for strategies in found.values() for one in strategies}
        _print([{name: getattr(one, name) for name in ("id", "name", "about", "books")} for one in once.values()])
        return 0
    console = Console(highlight=False)
    for place, (book, strategies) in enumerate(found.items()):
        if place:
            console.print()
        console.print(Text.assemble((book, "bold"), "  ", (shelf.book(book).rules.book.title, "dim")))
        if len(books) > 1:
            _list_names(console, strategies)
        for one in strategies if len(books) == 1 else []:
            console.print(Text.assemble("\n", (one.id, "bold"), f"  {one.name}"))
            console.print(Padding(Text(one.about), (0, 0, 0, 4), expand=False))
        if not strategies:
            console.print("  no included strategies")
    return 0


def _list_names(console: Console, strategies: list[Included]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for one in strategies:
        table.add_row(Text(f"  {one.id}"), Text(one.name))
    console.print(table)


# -- check ------------------------------------------------------------------------------------------------------------


def _checked(
    shelf: Shelf, books: list[str], text: str, file: str, asked: str | None
) -> tuple[list[str], list[StrategyError]]:
    """Return the books that a strategy is read for, and every problem with it for any of them."""
    try:
        value = parse(text.removeprefix("\ufeff"), file).get("book")
    except StrategyError as error:
        return [], [error]
    named = [value] if isinstance(value, str) else value
    if not isinstance(named, list) or not named or not all(isinstance(book, str) for book in named):
        # Without a book nothing else can be checked: report only the problems with that.
        found = problems(text, file, shelf.game(shelf.terms(asked or books[0])))
        return [], [error for error in found if error.reason.startswith("book ")] or found
    wrong = []
    for book in named if asked is None else [asked]:
        if asked is None and book not in books:
            reason = f"there is no book {quoted(book)}; {nearest(book, books)}"
            wrong.append(StrategyError(file, Lines(text).at("book"), reason))
        else:
            wrong += problems(text, file, shelf.game(shelf.terms(book)))
    return named, sorted({str(error): error for error in wrong}.values(), key=lambda error: error.line or 0)


def _show_problems(wrong: list[StrategyError], file: str, as_json: bool) -> int:
    if as_json:
        told = [{"line": error.line, "reason": error.reason, "clause": error.clause} for error in wrong]
        _print({"file": file, "problems": told})
    else:
        for error in wrong:
            print("".join(mark if mark.isprintable() else "?" for mark in _with_clause(error)))
    return WRONG


def _with_clause(error: StrategyError) -> str:
    return f"{error} ({error.clause})" if error.clause else str(error)


# -- explain: a strategy's rules in sentences, and what can be computed without playing it ----------------------------

SOME_MONEY = 100_000  # bankroll for a strategy that needs one but names none: the rules do not depend on it
EVENING = 144  # throws in the session that is computed exactly


class WagerEdge(NamedTuple):
    """A wager of a strategy, and the player's net return per dollar on it, from the worst start to the best."""

    spot: Spot
    low: float
    high: float


class Explained:
    """A strategy explained for a book: in sentences, and with what can be computed without playing it."""

    def __init__(self, asked: str, books: list[str], game: Game, strategy: Strategy) -> None:
        self.asked = asked
        self.books = books
        self.game = game
        self.strategy = strategy
        self.words = Wording(game, strategy)
        self.program = Program(game, Settings(), strategy)
        bankroll = strategy.bankroll if strategy.bankroll is not None or not self.program.asks_for_chips else SOME_MONEY
        self.engine = Engine(self.program, EVENING, bankroll)
        self.exact = exact_session(self.engine)

    def edges(self) -> list[WagerEdge]:
        """The exact edge of every wager that it bets."""
        felt, spots = self.program.felt, [rule.spot for rule in self.strategy.rules if isinstance(rule, Bet)]
        found = []
        for spot in dict.fromkeys(Spot(spot.wager, felt.own_pick(spot)) for spot in spots):
            starts = felt.machine(spot).starts
            worth = [float(self.program.worth[felt.row[spot.wager, spot.pick, state]]) for state in starts]
            found.append(WagerEdge(spot, min(worth), max(worth)))
        return found

    @property
    def kernel(self) -> str:
        """The kernel that plays it, and why."""
        if self.engine.machine is not None:
            return f"a machine with {counted(len(self.engine.machine.states), 'state')}: one look-up for each throw"
        why = "what it does depends on money" if self.program.asks_for_money else "it has too many states for a machine"
        return f"the general kernel, because {why}"

    def plain(self) -> dict[str, object]:
        """Return it as JSON."""
        strategy, machine, exact = self.strategy, self.engine.machine, self.exact
        session = (
            None if exact is None else {"rolls": EVENING, "net": exact.mean / 100, "net_sd": exact.deviation / 100}
        )
        return {
            "strategy": self.asked,
            "name": strategy.name,
            "about": strategy.about,
            "books": self.books,
            "book": self.game.book.id,
            "unit": format_cents(strategy.unit),
            "bankroll": None if strategy.bankroll is None else format_cents(strategy.bankroll),
            "needs_bankroll": needs_bankroll(strategy),
            "rules": [{"rule": number, "says": says} for number, says in self.words.rules()],
            "progressions": [{"name": name, "says": says} for name, says in self.words.progressions()],
            "end": self.words.end(),
            "kernel": "general" if machine is None else "machine",
            "states": 0 if machine is None else len(machine.states),
            "wagers": [{**each.spot._asdict(), "exact_edge": [each.low, each.high]} for each in self.edges()],
            "session": session,
        }

    def show(self, console: Console) -> None:
        """Print it as text."""
        strategy = self.strategy
        console.print(Text.assemble((strategy.name, "bold"), f" ({self.asked})"))
        several = f", explained for {self.game.book.id}" if len(self.books) > 1 else ""
        head = [", ".join(self.books) + several, f"unit {format_cents(strategy.unit)}"]
        head += [] if strategy.bankroll is None else [f"bankroll {format_cents(strategy.bankroll)}"]
        console.print(Text("; ".join(head), "dim"))
        console.print()
        console.print(Text(strategy.about))
        console.print()
        self._table(console, [(str(number), says) for number, says in self.words.rules()])
        progressions = list(self.words.progressions())
        if progressions:
            console.print()
            self._table(console, progressions)
        if (end := self.words.end()) is not None:
            console.print()
            console.print(Text(end))
        console.print()
        self._table(console, self._figures())

    def _figures(self) -> list[tuple[str, str]]:
        rows = [("house edge", self._edges())]
        if self.exact is not None:
            throws, mean = f"{EVENING} {throws_word(self.game)}", dollars(self.exact.mean / 100)
            rows.append(
                ("exact mean", f"{mean} after {throws}; standard deviation {dollars(self.exact.deviation / 100)}")
            )
        reason = needs_bankroll(self.strategy)
        rows += [("bankroll", f"needed, because {reason}")] if reason is not None else []
        return [*rows, ("played by", self.kernel)]

    def _edges(self) -> str:
        """Return each wager with its edge, picks with the same edge together."""
        together: dict[tuple[str, str], list[Spot]] = {}
        for spot, low, high in self.edges():
            costs = edge(high) + (f" to {edge(low)}" if low != high else "")
            together.setdefault((spot.wager, costs), []).append(spot)
        return ", ".join(f"{self.words.spots(spots)} {costs}" for (_, costs), spots in together.items())

    def _table(self, console: Console, rows: list[tuple[str, str]]) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="dim")
        for name, value in rows:
            table.add_row(Text(name), Text(value))
        console.print(table)
