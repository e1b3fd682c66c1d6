"""Shared by the commands about wager plans: parsing arguments, and formatting money, probabilities and wagers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.output import bars, grid
from croupier.maths.plan import Amount, Lot, Plan, lot_name, read_amount
from croupier.maths.rows import percent
from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import WHOLE_TABLE, Game, read_pay_table
from croupier.rules.shelf import Shelf

LONGEST = 24  # characters of a fraction that is still readable
MOST_WHOLE = 10**7
MOST_BITS_SHOWN = 14_000  # Python prints no integer of more than 4,300 digits

PLAN_HELP = 'a wager with its stake: "win_line 10.00", "place_to_win 6 12.00", "combination 1,2 5.00"'


def add_terms(command: argparse.ArgumentParser) -> None:
    """Add the options of every command about plans."""
    command.add_argument("--chip", metavar="AMOUNT", default="1.00", help="smallest chip (1.00): wins are rounded up")
    command.add_argument("--pay-table", metavar="T", help='one approved pay table: two, or "hardway.4=6 field=3"')
    command.add_argument("--reading", metavar="NAME", help='a rival reading, such as "SB-8 letter"')
    command.add_argument("--json", action="store_true", help="print JSON, exact fractions as text")


def the_game(shelf: Shelf, given: argparse.Namespace) -> Game:
    """Return the book under the requested pay table and reading. Raises Impossible."""
    readings = () if given.reading is None else (given.reading,)
    return shelf.game(shelf.terms(given.book, read_pay_table(given.pay_table), readings))


def the_chip(game: Game, given: argparse.Namespace) -> int:
    """Return the smallest chip in cents. Raises Impossible."""
    chip = read_amount(given.chip, game.book.rules.limits.chips)
    if not chip:
        say = "The smallest chip must be worth more than zero."
        raise Impossible("chip_not_positive", say, game.book.rules.limits.chips)
    return chip


def whole(option: str, text: str) -> int:
    """Parse a positive whole number. Raises Impossible."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST_WHOLE):
        raise Impossible(
            "number_unreadable", f'{option} must be a whole number from 1 to {MOST_WHOLE:,}, not "{text}".'
        )
    return int(text)


def throws_word(game: Game, throws: int = 2) -> str:
    """Return "rolls" or "spins"."""
    return f"{game.book.rules.throw.command}{'' if throws == 1 else 's'}"


# -- text output ------------------------------------------------------------------------------------------------------


def dollars(cents: Amount, places: int = 2) -> str:
    """Format an amount, rounded exactly: `-1,234.56`."""
    scaled = round(Fraction(cents) * 10**places / 100)
    digits = f"{abs(scaled):0{places + 1}d}"
    return f"{'-' if scaled < 0 else ''}{int(digits[:-places]):,}.{digits[-places:]}"


def with_fraction(shown: str, value: Fraction) -> str:
    """Format a figure, followed by its exact value if that is short enough to read."""
    exact = str(value)
    return f"{shown} = {exact}" if len(exact) <= LONGEST else shown


def exact_dollars(cents: Fraction) -> str:
    """Format an expectation, which may be a small part of a cent."""
    return with_fraction(dollars(cents, 4), cents / 100)


def exact_percent(share: Fraction) -> str:
    """Format a share as a percentage and exactly."""
    return with_fraction(percent(share), share)


def heading(console: Console, game: Game, given: argparse.Namespace) -> None:
    """Print the book and how it is played."""
    console.print(f"[bold]{escape(game.book.rules.book.title)}[/bold]")
    played = [f"chips of {dollars(the_chip(game, given))}"]
    played += [f"pay table {pay_table_words(game)}"] if game.choices else []
    played += [f"read as {given.reading}"] if given.reading else []
    console.print(escape(", ".join(played)))


def lots_table(game: Game, plan: Plan, with_players: bool = False) -> Table:
    """List the wagers of a plan with their stakes and clauses, and how many players hold each."""
    rows = []
    for lot in plan.lots:
        players = [f"x{lot.times}"] if with_players else []
        clause = f"({game.wager(lot.wager).clause})"
        rows.append((escape(lot_name(game, lot)), format_cents(int(lot.stake)), *players, clause))
    return grid(rows, ("left", "right", *(("right",) if with_players else ())))


def pay_table_words(game: Game) -> str:
    """Return the pay table in use, including the book's default, as `--pay-table` accepts it."""
    return " ".join(word if name == WHOLE_TABLE else f"{name}={word}" for name, word in game.choices.items())


def show_figures(console: Console, rows: Iterable[tuple[str, str]]) -> None:
    """Print names and values."""
    console.print(grid(rows))


def show_bars(console: Console, chances: Sequence[tuple[str, Fraction]]) -> None:
    """Print a distribution."""
    console.print(bars(chances, lambda chance: percent(chance, 2)))


# -- JSON output ------------------------------------------------------------------------------------------------------


def exact(value: Fraction) -> dict[str, object]:
    """Return a figure as an exact fraction and as a number; a fraction of thousands of digits is left out."""
    readable = max(value.numerator.bit_length(), value.denominator.bit_length()) < MOST_BITS_SHOWN
    return {"exact": str(value) if readable else None, "float": float(value)}


def plain_terms(game: Game, given: argparse.Namespace) -> dict[str, object]:
    """Return the book and how it is played."""
    terms = {"pay_table": pay_table_words(game) or None, "reading": given.reading}
    return {"book": game.book.id, **terms, "chip": dollars_plain(the_chip(game, given))}


def dollars_plain(cents: int) -> str:
    """Format an amount as the pipe does: `-1234.56`."""
    return dollars(cents).replace(",", "")


def plain_lot(game: Game, plan: Plan, place: int) -> dict[str, object]:
    """Return a wager of a plan."""
    lot: Lot = plan.lots[place]
    commission = int(plan.holdings[place].commission)
    return {
        "wager": lot.wager,
        "pick": lot.pick,
        "name": lot_name(game, lot),
        "clause": game.wager(lot.wager).clause,
        "stake": dollars_plain(int(lot.stake)),
        "commission": dollars_plain(commission),
        "players": lot.times,
    }
