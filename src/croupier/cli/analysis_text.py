"""Figures as text: the table of a book, one wager in full, the cost of rival readings, and the names options accept."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.analyse import approved, edge_text, names_of_readings
from croupier.cli.output import bars, columns, grid
from croupier.maths.figures import Figures, valued
from croupier.maths.rows import Analysis, FigureRow, percent
from croupier.money import format_cents
from croupier.rules.machine import Then, show_pick
from croupier.rules.shelf import Shelf

MOST_LINES = 6  # per rival reading


def show_rows(shelf: Shelf, rows: list[FigureRow], given: argparse.Namespace) -> None:
    """Print the rows as text."""
    console = Console(highlight=False)
    for book_id in dict.fromkeys(row.book for row in rows):
        own = [row for row in rows if row.book == book_id]
        console.print(f"[bold]{escape(shelf.book(book_id).rules.book.title)}[/bold]")
        if given.rivals:
            show_costs(console, own)
            for reading in Analysis(shelf, book_id).never_decided():
                console.print(f"[bold]{escape(reading)}[/bold]: no wager is ever decided")
            console.print("Edge as taken → under the rival reading, and the change; + favours the player.")
        elif given.wager:
            for row in unique(own):
                show_in_full(console, Analysis(shelf, book_id), row)
        else:
            show_table(console, own, f"{shelf.book(book_id).rules.throw.command}s".capitalize())
            if own[0].chip is not None:
                console.print(f"{stakes_of(own)}, wins rounded up to chips of {format_cents(own[0].chip)}.")
            rivals = names_of_readings(Analysis(shelf, book_id))
            if rivals:
                console.print(f"{len(rivals)} rival readings can be computed: --rivals, or --list for their names.")


def stakes_of(rows: list[FigureRow]) -> str:
    """Describe the stakes of these rows."""
    stakes = {row.stake for row in rows if row.stake is not None}
    return f"A stake of {format_cents(min(stakes))}" if len(stakes) == 1 else "The fewest chips allowed"


def unique(rows: Iterable[FigureRow]) -> list[FigureRow]:
    """Drop duplicates: a wager with several readings has a row for each, with the same figures."""
    seen: dict[object, FigureRow] = {}
    for row in rows:
        key = (row.wager, str(row.pick), row.pay_table, row.situation, row.start, None if row.taken else row.reading)
        seen.setdefault(key, row)
    return list(seen.values())


def grouped(rows: Iterable[FigureRow]) -> list[tuple[FigureRow, str]]:
    """Put picks with equal figures on one line: `4, 10`."""
    groups: dict[object, list[FigureRow]] = {}
    for row in unique(rows):
        value = (row.pay_table or "").rpartition("=")[2]
        reading = None if row.taken else row.reading
        figures = (row.figures.ev, row.figures.variance, row.figures.rolls, row.taken_ev)
        key = (row.wager, value, reading, row.situation, *figures)
        groups.setdefault(key, []).append(row)
    return [(members[0], picks_of(members)) for members in groups.values()]


def picks_of(rows: list[FigureRow]) -> str:
    """Format the picks of several rows compactly."""
    picks = list(dict.fromkeys(show_pick(row.pick) for row in rows))
    if len(picks) > 3 and all(isinstance(row.pick, tuple) for row in rows):
        return f"(any of {len(picks)})"
    if len(picks) > 4:
        return f"{picks[0]} to {picks[-1]}"
    return ", ".join(pick for pick in picks if pick)


def line_name(row: FigureRow, picks: str, lines: list[tuple[FigureRow, str]]) -> str:
    """Return wager and picks; also the state, if only that distinguishes two lines."""
    alike = [other for other, same in lines if (other.wager, same, other.reading) == (row.wager, picks, row.reading)]
    state = f", {row.start}" if len({other.start for other in alike}) > 1 else ""
    situation = f", {row.situation}" if len({other.situation for other in alike}) > 1 and row.situation else ""
    return f"{row.name} {picks}".strip() + state + situation


def pay_words(row: FigureRow) -> str:
    """Return the approved value that a row is about, without the wager's name."""
    return (row.pay_table or "").rpartition("=")[2]


def show_table(console: Console, rows: list[FigureRow], throws: str) -> None:
    """Show a line for each wager, the best for the player first."""
    lines = sorted(grouped(rows), key=lambda line: line[0].figures.edge)
    readings = any(not row.taken for row, _ in lines)
    pay_tables = any(row.pay_table for row, _ in lines)
    words = ["Wager", *(["Table"] if pay_tables else []), *(["Reading"] if readings else [])]
    table = columns(*words, "Wins", "Edge", "", "SD", throws, words=len(words))
    for row, picks in lines:
        made = row.figures
        cells = [escape(line_name(row, picks, lines))]
        cells += [pay_words(row)] if pay_tables else []
        cells += [escape(row.reading or "")] if readings else []
        cells += [percent(made.chance("win"), 2), percent(made.edge), short(made.edge), f"{made.sd:.3f}"]
        table.add_row(*cells, f"{float(made.rolls):.3f}")
    console.print(table)


def short(fraction: Fraction) -> str:
    """Return a fraction if it is short enough to read, else an ellipsis."""
    text = str(fraction)
    return text if len(text) <= 14 else "…"


def show_costs(console: Console, rows: list[FigureRow]) -> None:
    """Show what each rival reading would cost, the most expensive for the house first."""
    by_reading: dict[str, list[tuple[FigureRow, str]]] = {}
    for row, picks in grouped(row for row in rows if not row.taken):
        name = f"{row.reading}: {row.situation}" if row.situation else str(row.reading)
        by_reading.setdefault(name, []).append((row, picks))
    for name, lines in sorted(by_reading.items(), key=lambda item: -max(row.cost for row, _ in item[1])):
        reading, colon, situation = name.partition(":")
        console.print(f"[bold]{escape(reading)}[/bold]{colon}{escape(situation)}")
        show_cost(console, sorted(lines, key=lambda line: -line[0].cost))


def show_cost(console: Console, lines: list[tuple[FigureRow, str]]) -> None:
    """Show one rival reading: the wagers it costs the most."""
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(overflow="fold")
    for width in (14, 16, 8):
        table.add_column(justify="right", no_wrap=True, min_width=width)
    for row, picks in lines[:MOST_LINES]:
        name = line_name(row, picks, lines) + (f" at {pay_words(row)}" if row.pay_table else "")
        change = f"{'+' if row.cost > 0 else ''}{percent(row.cost, 2)}"
        label = escape(f"  {name}".ljust(34))
        taken = "refused" if row.refused else favours(-row.taken_ev)
        table.add_row(label, taken, f"→ {favours(row.figures.edge)}", change)
    console.print(table)
    if len(lines) > MOST_LINES:
        console.print(f'  … and {len(lines) - MOST_LINES} more: --reading "{escape(str(lines[0][0].reading))}"')


def favours(edge: Fraction) -> str:
    """Return an edge and the side that has it."""
    if not edge:
        return "fair"
    return f"house {percent(edge, 2)}" if edge > 0 else f"player {percent(-edge, 2)}"


def show_in_full(console: Console, analysis: Analysis, row: FigureRow) -> None:
    """Show everything about one wager."""
    made = row.figures
    title = " · ".join(
        part for part in (f"{row.name} {show_pick(row.pick)}".strip(), row.pay_table, row.reading) if part
    )
    console.print(f"\n[bold]{escape(title)}[/bold] ({escape(row.clause)})")
    if row.situation:
        console.print(escape(row.situation) + (f" ({row.start})" if row.start != "standing" else ""))
    if row.stake is not None and row.chip is not None:
        console.print(f"A stake of {format_cents(row.stake)} in chips of {format_cents(row.chip)}, wins rounded up.")
    console.print(grid(_all_figures(made)))
    show_bars(console, "Net result per unit", [(str(net), chance) for net, chance in made.net.items()])
    if len(made.lengths) > 1:
        show_bars(console, "Rolls to the decision", [(str(throws), chance) for throws, chance in made.lengths])
    show_running(console, analysis, row)


def _all_figures(made: Figures) -> Iterator[tuple[str, str]]:
    yield "house edge", edge_text(made.edge)
    if made.chance("void") and made.edge_decided is not None:
        yield "of wagers decided", edge_text(made.edge_decided)
    if made.commission:
        yield "of the outlay", edge_text(made.edge_outlay)
    chances: dict[str, Then] = {"chance to win": "win", "chance to lose": "lose", "chance of void": "void"}
    for words, then in chances.items():
        if made.chance(then):
            yield words, edge_text(made.chance(then))
    yield "variance", _decimal(made.variance)
    yield "standard deviation", f"{made.sd:.4f}"
    yield "skewness", f"{made.skewness:.4f}"
    yield "rolls", _decimal(made.rolls)
    if made.table_rolls is not None and made.table_rolls != made.rolls:
        yield "rolls of the table", _decimal(made.table_rolls)


def _decimal(value: Fraction) -> str:
    return f"{value} = {float(value):.4f}"


def show_bars(console: Console, title: str, chances: list[tuple[str, Fraction]]) -> None:
    """Print a distribution under its title."""
    console.print(f"[bold]{title}[/bold]")
    console.print(bars(chances, lambda chance: percent(chance, 2)))


def show_running(console: Console, analysis: Analysis, row: FigureRow) -> None:
    """Show the later value of a unit staked, state by state (readings X-5, CR-4, SB-6)."""
    same = (row.pick, row.pay_table)
    case = next((case for case in analysis.cases(row.wager, ()) if (case.shown_pick, case.pay_table) == same), None)
    if case is None or not row.taken:
        return
    lives = analysis.lives(case.terms)
    states = [state for state in lives.game.machine(case.wager, case.pick).table if state != row.start]
    if not states or not lives.game.wager(case.wager).stands_alone:
        return
    console.print("[bold]Value of one unit staked, by state[/bold]")
    worths = [(state, 1 + valued(lives, case.wager, case.pick, state, None).ev) for state in states]
    console.print(grid((state, str(worth), f"{float(worth):.4f}") for state, worth in worths))


def in_order(name: str) -> tuple[str, int, str]:
    """Sort readings in the order of the register: CR-2 before CR-12."""
    prefix, _, number = name.split(" ")[0].partition("-")
    return prefix, int(number) if number.isdecimal() else 0, name


def show_names(analysis: Analysis) -> None:
    """Show the names that `--reading` and `--pay-table` accept."""
    console = Console(highlight=False)
    console.print(f"[bold]{analysis.book.id}[/bold]")
    console.print("readings: taken, all, or one of")
    for name in sorted(names_of_readings(analysis), key=in_order):
        console.print(f"  {escape(name)}")
    tables = approved(analysis.book)
    console.print("pay tables: " + (escape(", ".join(tables)) if tables else "this book has only one"))
