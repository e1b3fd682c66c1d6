"""Figures on the screen: the table of a book, one wager in full, what rival readings cost, which names there are."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.analysing import approved, edge_text, names_of_readings
from croupier.maths.listing import percent
from croupier.maths.rows import Analysis, Row
from croupier.maths.worth import valued
from croupier.rules.picks import show_pick
from croupier.rules.shelf import Shelf

BAR = 40  # characters for the longest bar
MOST_LINES = 6  # of one rival reading


def show_rows(shelf: Shelf, rows: list[Row], given: argparse.Namespace, left_out: list[str]) -> None:
    """The rows as people read them."""
    console = Console(highlight=False)
    for book_id in dict.fromkeys(row.book for row in rows):
        own = [row for row in rows if row.book == book_id]
        console.print(f"[bold]{escape(shelf.book(book_id).rules.book.title)}[/bold]")
        if given.rivals:
            show_costs(console, own)
            for reading in Analysis(shelf, book_id).never_decided():
                console.print(f"[bold]{escape(reading)}[/bold]: no wager is ever decided")
            console.print("Edge as taken → by the rival, and the change: + in the player's favour.")
        elif given.wager:
            for row in unique(own):
                show_in_full(console, Analysis(shelf, book_id), row)
        else:
            show_table(console, own, at_stake=bool(given.stake or given.chip))
            rivals = names_of_readings(Analysis(shelf, book_id))
            console.print(f"{len(rivals)} rival readings can be computed: --rivals, or --list for their names.")
    for sentence in dict.fromkeys(left_out):
        console.print(f"Left out: {escape(sentence)}")
    if not rows:
        console.print("No row has all that was asked for.")


def unique(rows: Iterable[Row]) -> list[Row]:
    """A wager with several readings of its own has a row for each, with the same figures: one is enough here."""
    seen: dict[object, Row] = {}
    for row in rows:
        key = (row.wager, str(row.pick), row.pay_table, row.situation, row.start, None if row.taken else row.reading)
        seen.setdefault(key, row)
    return list(seen.values())


def grouped(rows: Iterable[Row]) -> list[tuple[Row, str]]:
    """Picks with equal figures in one line: `4, 10`."""
    groups: dict[object, list[Row]] = {}
    for row in unique(rows):
        value = (row.pay_table or "").rpartition("=")[2]
        reading = None if row.taken else row.reading
        key = (row.wager, value, reading, row.situation, row.figures.ev, row.figures.variance, row.figures.rolls)
        groups.setdefault(key, []).append(row)
    return [(members[0], picks_of(members)) for members in groups.values()]


def picks_of(rows: list[Row]) -> str:
    """The picks of several rows in as few words as possible."""
    picks = [show_pick(row.pick) for row in rows]
    if len(picks) > 3 and all(isinstance(row.pick, tuple) for row in rows):
        return f"(any of {len(picks)})"
    if len(picks) > 4:
        return f"{picks[0]} to {picks[-1]}"
    return ", ".join(pick for pick in picks if pick)


def pay_words(row: Row) -> str:
    """The approved value that a row is about, without the name of the wager."""
    return (row.pay_table or "").rpartition("=")[2]


def show_table(console: Console, rows: list[Row], at_stake: bool) -> None:
    """A line for each wager, the best for the player first."""
    lines = sorted(grouped(rows), key=lambda line: line[0].figures.edge)
    readings = any(not row.taken for row, _ in lines)
    pay_tables = any(row.pay_table for row, _ in lines)
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("Wager", overflow="fold")
    if pay_tables:
        table.add_column("Table")
    if readings:
        table.add_column("Reading")
    for name in ("Wins", "Edge", "", "SD", "Rolls"):
        table.add_column(name, justify="right", no_wrap=name != "")
    for row, picks in lines:
        made = row.figures
        cells = [escape(f"{row.name} {picks}".strip())]
        cells += [pay_words(row)] if pay_tables else []
        cells += [escape(row.reading or "")] if readings else []
        cells += [percent(made.chance("win"), 2), percent(made.edge), short(made.edge), f"{made.sd:.3f}"]
        table.add_row(*cells, f"{float(made.rolls):.3f}")
    console.print(table)
    if at_stake:
        console.print("At the stake and chip given, wins rounded up to the chip.")


def short(fraction: Fraction) -> str:
    """A fraction where it is short enough to be read."""
    text = str(fraction)
    return text if len(text) <= 14 else "…"


def show_costs(console: Console, rows: list[Row]) -> None:
    """What each rival reading would cost, the dearest for the house first."""
    by_reading: dict[str, list[tuple[Row, str]]] = {}
    for row, picks in grouped(row for row in rows if not row.taken):
        name = f"{row.reading}: {row.situation}" if row.situation else str(row.reading)
        by_reading.setdefault(name, []).append((row, picks))
    for name, lines in sorted(by_reading.items(), key=lambda item: -max(row.cost for row, _ in item[1])):
        reading, colon, situation = name.partition(":")
        console.print(f"[bold]{escape(reading)}[/bold]{colon}{escape(situation)}")
        show_cost(console, sorted(lines, key=lambda line: -line[0].cost))


def show_cost(console: Console, lines: list[tuple[Row, str]]) -> None:
    """One rival reading: its dearest wagers."""
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(overflow="fold", width=34)
    for width in (14, 16, 8):
        table.add_column(justify="right", no_wrap=True, min_width=width)
    for row, picks in lines[:MOST_LINES]:
        name = f"{row.name} {picks}".strip() + (f" at {pay_words(row)}" if row.pay_table else "")
        if len({other.start for other, _ in lines if (other.wager, other.pick) == (row.wager, row.pick)}) > 1:
            name += f", {row.start}"
        change = f"{'+' if row.cost > 0 else ''}{percent(row.cost, 2)}"
        table.add_row(f"  {escape(name)}", favours(-row.taken_ev), f"→ {favours(row.figures.edge)}", change)
    console.print(table)
    if len(lines) > MOST_LINES:
        console.print(f'  … and {len(lines) - MOST_LINES} more: --reading "{escape(str(lines[0][0].reading))}"')


def favours(edge: Fraction) -> str:
    """An edge with the side that has it."""
    if not edge:
        return "fair"
    return f"house {percent(edge, 2)}" if edge > 0 else f"player {percent(-edge, 2)}"


def show_in_full(console: Console, analysis: Analysis, row: Row) -> None:
    """Everything about one wager."""
    made = row.figures
    title = " · ".join(
        part for part in (f"{row.name} {show_pick(row.pick)}".strip(), row.pay_table, row.reading) if part
    )
    console.print(f"\n[bold]{escape(title)}[/bold] ({escape(row.clause)})")
    if row.situation:
        console.print(escape(row.situation))
    table = Table.grid(padding=(0, 2))
    table.add_row("house edge", edge_text(made.edge))
    if made.chance("void"):
        table.add_row("of wagers decided", edge_text(made.edge_decided))
    if made.commission:
        table.add_row("of the outlay", edge_text(made.edge_outlay))
    for then in ("win", "lose", "void"):
        if made.chance(then):
            table.add_row(f"chance to {then}" if then != "void" else "chance of void", edge_text(made.chance(then)))
    table.add_row("variance", f"{made.variance} = {float(made.variance):.4f}")
    table.add_row("standard deviation", f"{made.sd:.4f}")
    table.add_row("skewness", f"{made.skewness:.4f}")
    table.add_row("rolls", f"{made.rolls} = {float(made.rolls):.4f}")
    if made.table_rolls is not None and made.table_rolls != made.rolls:
        table.add_row("rolls of the table", f"{made.table_rolls} = {float(made.table_rolls):.4f}")
    console.print(table)
    bars(console, "Net result per unit", [(str(net), chance) for net, chance in made.net.items()])
    if len(made.lengths) > 1:
        bars(console, "Rolls to the decision", [(str(throws), chance) for throws, chance in made.lengths])
    show_running(console, analysis, row)


def bars(console: Console, title: str, chances: list[tuple[str, Fraction]]) -> None:
    """A distribution as bars of characters."""
    console.print(f"[bold]{title}[/bold]")
    most = max(chance for _, chance in chances)
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    for label, chance in chances:
        table.add_row(label, percent(chance, 2), "█" * round(BAR * chance / most) or "▏")
    console.print(table)


def show_running(console: Console, analysis: Analysis, row: Row) -> None:
    """What a unit staked is worth later on, state by state (readings X-5, CR-4, SB-6)."""
    case = next((case for case in analysis.cases(row.wager, ()) if case.shown_pick == row.pick), None)
    if case is None or not row.taken:
        return
    lives = analysis.lives(case.terms)
    states = [state for state in lives.game.machine(case.wager, case.pick).table if state != row.start]
    if not states or lives.game.wager(case.wager).behind is not None:
        return
    console.print("[bold]Worth of a unit staked, in running[/bold]")
    table = Table.grid(padding=(0, 2))
    for state in states:
        worth = 1 + valued(lives, case.wager, case.pick, state, None).ev
        table.add_row(state, str(worth), f"{float(worth):.4f}")
    console.print(table)


def show_names(analysis: Analysis) -> None:
    """The names that `--reading` and `--pay-table` take."""
    console = Console(highlight=False)
    console.print(f"[bold]{analysis.book.id}[/bold]")
    console.print("readings: taken, all, or one of")
    for name in names_of_readings(analysis):
        console.print(f"  {escape(name)}")
    tables = approved(analysis.book)
    console.print("pay tables: " + (escape(", ".join(tables)) if tables else "the book has one only"))
