"""`croupier play`: a game in the terminal against electronic dice, for play chips."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.rules.shelf import Shelf


def play(
    book_id: str,
    shelf: Shelf,
    *,
    chips: str = "1000.00",
    chip: str = "1.00",
    seed: int | None = None,
    pay_table: str | None = None,
    console: Console | None = None,
    lines: Iterator[str] | None = None,
) -> int:
    """Sit down at a table and play until the player leaves; return the exit status.

    `pay_table` is a text: `two`, or choices such as `hardway.4=6 field=3`. Raises MoneyError, PayTableError or
    RuleBookError if there can be no such table.
    """
    from rich.console import Console
    from rich.text import Text

    from croupier.money import format_cents
    from croupier.play.loop import Playing
    from croupier.play.solo_game import YOU, SoloGame, electronic, seeded
    from croupier.rules.game import read_pay_table
    from croupier.table import commands
    from croupier.table.decide import Refused, Table

    if lines is None:
        _read_anything()
    console = console or Console()
    smallest, begin = _cents(chip), _cents(chips)
    settings = commands.Settings(chip=smallest)
    opening = commands.OpenTable(terms=shelf.terms(book_id, read_pay_table(pay_table)), settings=settings)
    try:
        table = Table(shelf, opening)
        if begin < smallest:
            console.print(Text(f"Begin with at least one chip: {format_cents(smallest)} or more."))
            return 2
        table.do(commands.SeatPlayer(player=YOU, chips=begin))
    except Refused as refused:
        console.print(Text(str(refused)))
        return 2
    session = SoloGame(table, electronic() if seed is None else seeded(seed), table.state.chips[YOU])
    Playing(session, console, lines).run()
    return 0


def _cents(text: str) -> int:
    """Parse an amount as a player may type it: `100`, `100.00`. Raises MoneyError."""
    from croupier.money import parse_cents
    from croupier.play.input import read_amount

    cents = read_amount(text)
    return parse_cents(text) if cents is None else cents


def _read_anything() -> None:
    """Tolerate typed or piped bytes that are not text, and characters that the output cannot encode."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
