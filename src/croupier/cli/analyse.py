"""`croupier analyse`: house edges for every wager, pay table and reading, and the effect of rounding."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import TextIO

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier import rulebooks
from croupier.maths.plan import Staked, check_stake, read_amount
from croupier.maths.rows import PLAIN_COLUMNS, Analysis, FigureRow, WagerCase, as_object, as_record, fits, percent
from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.book import Book, find_pick, find_wager
from croupier.rules.errors import Impossible
from croupier.rules.game import WHOLE_TABLE, choice_id, choose, read_pay_table
from croupier.rules.machine import show_pick, typed_pick
from croupier.rules.offers import exact_unit
from croupier.rules.shelf import Shelf


def add_analyse(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier analyse`."""
    command.add_argument("books", metavar="BOOK", nargs="*", help="a book (all books)")
    command.add_argument("--wager", metavar="WAGER", help="one wager, with its distributions and its value by state")
    command.add_argument("--pick", metavar="PICK", help="one of its picks: 6, size, 1,2")
    command.add_argument("--pay-table", metavar="T", help='one approved pay table: two, or "hardway.4=6 field=3"')
    command.add_argument("--reading", metavar="NAME", help='"SB-8 letter", an id with all its rivals, taken, or all')
    command.add_argument("--chip", metavar="AMOUNT", help="smallest chip (1.00): wins are rounded up to it")
    command.add_argument("--stake", metavar="AMOUNT", help="stake (the fewest chips allowed)")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--rivals", action="store_true", help="what each rival reading would cost")
    form.add_argument("--rounding", action="store_true", help="the stakes of 1 to 60 chips that favour the player")
    form.add_argument("--list", action="store_true", help="the names of all readings and pay tables")
    form.add_argument("--json", action="store_true", help="print JSON, exact fractions as text")
    form.add_argument("--csv", metavar="FILE", nargs="?", const="-", help="write CSV (standard output without FILE)")
    form.add_argument("--parquet", metavar="FILE", help="write Parquet (needs the extra croupier[tables])")


def analyse(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the requested rows and show them."""
    ids = given.books or [*rulebooks.ids(), *shelf.extra]
    if given.list:
        from croupier.cli.analysis_text import show_names

        for book_id in ids:
            show_names(Analysis(shelf, book_id))
        return 0
    if given.rounding:
        for book_id in ids:
            show_rounding(Analysis(shelf, book_id), given)
        return 0
    left_out: list[str] = []
    rows = all_rows(shelf, ids, given, left_out)
    if given.json:
        sys.stdout.buffer.write(msgspec.json.encode([as_object(row) for row in rows]) + b"\n")
    elif given.csv is not None:
        write_csv(rows, given.csv)
    elif given.parquet is not None:
        write_parquet(rows, given.parquet)
    else:
        from croupier.cli.analysis_text import show_rows

        show_rows(shelf, rows, given)
    for sentence in dict.fromkeys(left_out):
        print(f"Left out: {sentence}", file=sys.stderr if given.json or given.csv == "-" else sys.stdout)
    return 0


def all_rows(shelf: Shelf, ids: list[str], given: argparse.Namespace, left_out: list[str]) -> list[FigureRow]:
    """Return the rows of all books. If no book was named, skip those that lack what was requested."""
    machine_form = given.json or given.csv is not None or given.parquet is not None
    reading = given.reading if given.reading is not None else "all" if machine_form or given.rivals else "taken"
    rows: list[FigureRow] = []
    wrong: Impossible | None = None
    for book_id in ids:
        try:
            rows += find_rows(shelf, book_id, given, reading, left_out)
        except Impossible as error:
            if given.books:
                raise
            wrong = wrong or error
    if not rows:
        raise wrong or Impossible("no_rows", "No wager matches everything that was requested.")
    return rows


def find_rows(
    shelf: Shelf, book_id: str, given: argparse.Namespace, reading: str, left_out: list[str]
) -> list[FigureRow]:
    """Return the requested rows of one book. Raises Impossible for what the book does not have."""
    book, analysis = shelf.book(book_id), Analysis(shelf, book_id)
    wager = None if given.wager is None else find_wager(book, given.wager)
    if wager is None and given.pick is not None:
        raise Impossible("pick_not_allowed", "A pick needs its wager: name it with --wager.", book.rules.limits.wagers)
    chosen = None
    if given.pay_table is not None:
        chosen = choose(book.rules.pay_table, read_pay_table(given.pay_table))
    check_reading(analysis, reading)
    rows: list[FigureRow] = []
    for each in [wager] if wager is not None else book.rules.wagers:
        try:
            staked = staking(book, each.id, given)
        except Impossible as error:
            if wager is not None or error.code != "amount_not_in_units":
                raise
            left_out.append(f"{error.sentence} ({error.clause})" if error.clause else error.sentence)
            continue
        rows += analysis.rows(each.id, staked)
    rows = [row for row in rows if has_reading(row, reading) and (chosen is None or fits(row, chosen))]
    if not rows and given.books:
        raise nothing_found(analysis, reading, given)
    return rows if given.pick is None or wager is None else with_pick(book, wager, given.pick, rows)


def nothing_found(analysis: Analysis, reading: str, given: argparse.Namespace) -> Impossible:
    """Return why an existing reading has no rows."""
    clause = next((r.clauses[0] for r in analysis.book.readings if r.id == reading.split(" ")[0]), None)
    if any(reading in (name, name.split(" ")[0]) for name in analysis.never_decided()):
        return Impossible("never_decided", f"Under {reading} no wager is ever decided.", clause)
    if given.stake is not None or given.chip is not None:
        return Impossible("stake_of_its_own", f"{reading} applies only to its own situation or stake.", clause)
    return Impossible("no_rows", f"{reading} does not affect what was requested.", clause)


def with_pick(book: Book, wager: schema.Wager, text: str, rows: list[FigureRow]) -> list[FigureRow]:
    """Return the rows of one pick. A rival reading may allow picks that the reading taken does not."""
    pick = typed_pick(text)
    found = [row for row in rows if row.pick == pick]
    if not found:
        find_pick(book, wager, pick if pick is not None else text)
        raise Impossible("pick_unknown", f"{wager.name} has no row for {text}.", wager.clause)
    return found


def staking(book: Book, wager_id: str, given: argparse.Namespace) -> Staked | None:
    """Return the requested stake and chip, if any. Raises Impossible."""
    if given.chip is None and given.stake is None:
        return None
    wager = book.wagers[wager_id]
    chip = chip_of(book, given)
    stake = chip * wager.fewest_chips if given.stake is None else amount(book, given.stake)
    staked = Staked(stake, chip)
    try:
        check_stake(book.rules.limits, wager, staked)
    except Impossible as error:
        raise Impossible(error.code, error.sentence, error.clause or money_clause(book)) from None
    return staked


def chip_of(book: Book, given: argparse.Namespace) -> int:
    """Return the requested smallest chip. Raises Impossible if it is worth nothing."""
    chip = amount(book, "1.00" if given.chip is None else given.chip)
    if chip <= 0:
        raise Impossible("chip_not_positive", "The smallest chip must be worth more than zero.", money_clause(book))
    return chip


def amount(book: Book, text: str) -> int:
    """Parse money as people type it, `10` or `10.00`; the callers refuse negative amounts. Raises Impossible."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * read_amount(digits, money_clause(book))


def money_clause(book: Book) -> str:
    """Return the clause about chips; failing that, the one about rounding or odds."""
    limits = book.rules.limits
    return limits.chips or limits.rounding or book.rules.pay_table.clause


def names_of_readings(analysis: Analysis) -> list[str]:
    """Return every rival reading that can be computed."""
    studies = [study.reading for study in analysis.book.studies]
    return list(dict.fromkeys([*analysis.rivals, *studies]))


def check_reading(analysis: Analysis, reading: str) -> None:
    """Refuse a reading that is not registered. Raises Impossible."""
    names = names_of_readings(analysis)
    if reading in ("taken", "all", *names, *(name.split(" ")[0] for name in names)):
        return
    known = next((item for item in analysis.book.readings if item.id == reading.split(" ")[0]), None)
    if known is not None and (reading == known.id or reading in [f"{known.id} {rival.name}" for rival in known.rivals]):
        cited = [cite.removeprefix(f"{analysis.book.id} ") for cite in known.clauses]
        own = next((clause for clause in cited if clause in analysis.book.citable()), None)
        raise Impossible("reading_without_figures", f"{reading} does not change the figures of any wager.", own)
    say = f'{analysis.book.id} has no reading "{reading}"; it has: {", ".join(names)}.'
    raise Impossible("unknown_reading", say, analysis.book.rules.limits.wagers)


def has_reading(row: FigureRow, reading: str) -> bool:
    """Return whether a row belongs to the requested reading: a name, an id, the readings taken, or all."""
    if reading == "taken":
        return row.taken
    return reading == "all" or row.reading == reading or (row.reading or "").split(" ")[0] == reading


def approved(book: Book) -> list[str]:
    """Return the names of approved pay tables, as `--pay-table` accepts them."""
    found = []
    for choice in book.rules.pay_table.choices:
        name = choice_id(choice)
        found += [option if name == WHOLE_TABLE else f"{name}={option}" for option in choice.options]
    return found


def write_csv(rows: Iterable[FigureRow], file: str) -> None:
    """Write the figures as CSV, one column each, without the distributions."""
    if file == "-":
        _csv(rows, sys.stdout)
        return
    try:
        with open(file, "w", encoding="utf-8", newline="") as stream:
            _csv(rows, stream)
    except OSError as error:
        raise cannot_write(file, error.strerror) from None
    print(f"{file}: written")


def _csv(rows: Iterable[FigureRow], stream: TextIO) -> None:
    writer = csv.DictWriter(stream, PLAIN_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_record(row) for row in rows)


def write_parquet(rows: list[FigureRow], file: str) -> None:
    """Write the same columns as Parquet."""
    try:
        import polars
    except ImportError:
        say = 'Parquet needs Polars: install it with pip install "croupier[tables]".'
        raise Impossible("no_polars", say) from None
    frame = polars.DataFrame([as_record(row) for row in rows], infer_schema_length=None)
    try:
        frame.write_parquet(file)
    except OSError as error:
        raise cannot_write(file, error.strerror) from None
    except polars.exceptions.PolarsError:
        raise cannot_write(file, None) from None
    print(f"{file}: {len(rows)} rows")


def cannot_write(file: str, reason: str | None) -> Impossible:
    """Return the error for a file that cannot be written."""
    return Impossible("not_written", f'"{file}" cannot be written{f" ({reason})" if reason else ""}.')


def edge_text(edge: Fraction) -> str:
    """Return an edge in words: exact and as a percentage."""
    return f"{edge} = {percent(edge)}"


# -- --rounding: stakes at which the player has the edge, because wins are rounded up (X-2) ---------------------------

MOST_CHIPS = 60


def show_rounding(analysis: Analysis, given: argparse.Namespace) -> None:
    """Show a line for each wager that is ever rounded: its exact unit, the stakes for the player, the best of them."""
    book = analysis.book
    if given.stake is not None or given.reading is not None:
        raise Impossible(
            "not_with_rounding",
            "--rounding covers all stakes: leave out --stake and --reading.",
            None,
        )
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
            console.print("Commission is truncated to the cent (CR-8).")
    else:
        console.print("Nothing is ever rounded: all odds are whole.")


Line = tuple[str, int, dict[int, Fraction]]


def lines(analysis: Analysis, chip_cents: int, wager_id: str | None, chosen: dict[str, str] | None) -> list[Line]:
    """Return wager and picks, exact unit in chips, and the player's expectation by stake; equal picks share a line."""
    groups: dict[tuple[str, str, int, tuple[tuple[int, Fraction], ...]], list[WagerCase]] = {}
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


def expectations(analysis: Analysis, case: WagerCase, chip_cents: int, fewest: int) -> dict[int, Fraction]:
    """Return the player's expectation per unit at each possible stake."""
    return {
        chips: analysis.figures(case, Staked(chips * chip_cents, chip_cents)).ev
        for chips in range(fewest, MOST_CHIPS + 1, fewest)
    }


def in_words(favoured: Iterable[int], unit: int) -> str:
    """Return the stakes that favour the player, in as few words as possible."""
    stakes = set(favoured)
    if stakes == {chips for chips in range(1, MOST_CHIPS + 1) if chips % unit}:
        return f"all but multiples of {unit}"
    return ranges(sorted(stakes)) or "none"


def ranges(numbers: Iterable[int]) -> str:
    """Format numbers compactly: `1-4, 7-9, 13`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
