"""`croupier analyse --rounding`: which stakes turn the edge over to the player, because wins are rounded up (X-2)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.analysing import chip_of
from croupier.maths.listing import percent
from croupier.maths.rows import Analysis, Case
from croupier.maths.worth import Staked
from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import choose, read_pay_table
from croupier.rules.offers import exact_unit
from croupier.rules.picks import find_wager, show_pick

MOST_CHIPS = 60


def show_rounding(analysis: Analysis, given: argparse.Namespace) -> None:
    """A line for each wager that is ever rounded: its exact unit, the stakes for the player, the best of them."""
    book = analysis.book
    if given.stake is not None or given.reading is not None:
        raise Impossible("not_with_rounding", "Rounding is shown for all stakes by the readings taken.", None)
    chip_cents = chip_of(book, given)
    wager_id = None if given.wager is None else find_wager(book, given.wager).id
    chosen = None if given.pay_table is None else choose(book.rules.pay_table, read_pay_table(given.pay_table))
    console = Console(highlight=False)
    console.print(f"[bold]{escape(analysis.book.rules.book.title)}[/bold]")
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("Wager", overflow="fold")
    table.add_column("Unit", justify="right")
    table.add_column(f"Stakes to {MOST_CHIPS} for the player", overflow="fold")
    table.add_column("Best", justify="right", no_wrap=True)
    for name, unit, evs in lines(analysis, chip_cents, wager_id, chosen):
        favoured = {chips: ev for chips, ev in evs.items() if ev > 0}
        best = max(evs, key=lambda chips: evs[chips])
        table.add_row(escape(name), str(unit), in_words(favoured, unit), f"{best}: {percent(evs[best], 2)}")
    if table.row_count:
        console.print(table)
        console.print(f"Chips of {format_cents(chip_cents)}. Stakes in the unit are paid exactly.")
        if any(wager.takes_commission for wager in analysis.book.rules.wagers):
            console.print("Commission is exact to the cent, part of a cent cut (CR-8).")
    else:
        console.print("Nothing is ever rounded: all odds are whole.")


Line = tuple[str, int, dict[int, Fraction]]


def lines(analysis: Analysis, chip_cents: int, wager_id: str | None, chosen: dict[str, str] | None) -> list[Line]:
    """Wager with picks, exact unit in chips, and the player's expectation at each stake; equal picks in one line."""
    groups: dict[tuple[str, str, int, tuple[tuple[int, Fraction], ...]], list[Case]] = {}
    for wager in analysis.book.rules.wagers:
        for case in analysis.cases(wager.id, ()) if wager_id in (None, wager.id) else []:
            if chosen is not None and dict(case.terms.choices).items() - chosen.items():
                continue
            unit = exact_unit(analysis.lives(case.terms).game, wager, case.pick, case.start)
            if unit > 1:
                evs = expectations(analysis, case, chip_cents, wager.fewest_chips)
                pay = (case.pay_table or "").rpartition("=")[2]
                groups.setdefault((wager.id, pay, unit, tuple(evs.items())), []).append(case)
    found: list[Line] = []
    for (wager_name, pay, unit, evs_), cases in groups.items():
        picks = ", ".join(show_pick(case.shown_pick) for case in cases)
        name = f"{analysis.book.wagers[wager_name].name} {picks}".strip() + (f" at {pay}" if pay else "")
        found.append((name, unit, dict(evs_)))
    return found


def expectations(analysis: Analysis, case: Case, chip_cents: int, fewest: int) -> dict[int, Fraction]:
    """What each stake that can be laid is worth to the player per unit."""
    return {
        chips: analysis.figures(case, Staked(chips * chip_cents, chip_cents)).ev
        for chips in range(fewest, MOST_CHIPS + 1, fewest)
    }


def in_words(favoured: Iterable[int], unit: int) -> str:
    """The stakes that favour the player, as shortly as they can be said."""
    stakes = set(favoured)
    if stakes == {chips for chips in range(1, MOST_CHIPS + 1) if chips % unit}:
        return f"all but multiples of {unit}"
    return ranges(sorted(stakes)) or "none"


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in as few words as possible: `1-4, 7-9, 13`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
