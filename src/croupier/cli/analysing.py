"""`croupier analyse`: every edge, every pay table, every reading."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import TextIO

import msgspec

from croupier import rulebooks
from croupier.maths.listing import PLAIN_COLUMNS, as_object, as_record, percent
from croupier.maths.rows import Analysis, Row
from croupier.maths.worth import Staked, check_stake, fewest_chips
from croupier.money import MoneyError, parse_cents
from croupier.rules.book import Book
from croupier.rules.errors import Impossible
from croupier.rules.game import WHOLE_TABLE, choice_id, choose, read_pay_table
from croupier.rules.picks import find_pick, find_wager, typed_pick
from croupier.rules.shelf import Shelf


def add_analyse(command: argparse.ArgumentParser) -> None:
    """What may be typed after `croupier analyse`."""
    command.add_argument("books", metavar="BOOK", nargs="*", help="a book; all five where none is named")
    command.add_argument("--wager", metavar="WAGER", help="one wager, with its distributions and its worth in running")
    command.add_argument("--pick", metavar="PICK", help="one pick of it: 6, size, 1,2")
    command.add_argument("--pay-table", metavar="T", help='one approved pay table: two, or "hardway.4=6 field=3"')
    command.add_argument("--reading", metavar="NAME", help='"SB-8 letter", an id with all its rivals, taken, or all')
    command.add_argument("--chip", metavar="AMOUNT", help="smallest chip (1.00): wins are rounded up to it")
    command.add_argument("--stake", metavar="AMOUNT", help="stake (the fewest chips that can be laid)")
    command.add_argument("--rivals", action="store_true", help="what each rival reading would cost")
    command.add_argument("--rounding", action="store_true", help="the stakes of 1 to 60 chips that favour the player")
    command.add_argument("--list", action="store_true", help="the names of all readings and pay tables")
    command.add_argument("--json", action="store_true", help="print JSON, exact fractions as text")
    command.add_argument("--csv", metavar="FILE", nargs="?", const="-", help="write CSV (standard output without FILE)")
    command.add_argument("--parquet", metavar="FILE", help="write Parquet (needs the extra croupier[tables])")


def analyse(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the rows asked for and show them."""
    ids = given.books or [*rulebooks.ids(), *shelf.extra]
    if given.list:
        from croupier.cli.figures import show_names

        for book_id in ids:
            show_names(Analysis(shelf, book_id))
        return 0
    if given.rounding:
        from croupier.cli.rounding import show_rounding

        for book_id in ids:
            book = shelf.book(book_id)
            chip = amount(book, given.chip or "1.00")
            check_chip(book, chip)
            show_rounding(Analysis(shelf, book_id), chip, find_wager(book, given.wager).id if given.wager else None)
        return 0
    machine_form = given.json or given.csv or given.parquet
    default = "all" if machine_form or given.rivals else "taken"
    rows: list[Row] = []
    left_out: list[str] = []
    for book_id in ids:
        rows += find_rows(shelf, book_id, given, given.reading or default, left_out)
    if given.json:
        sys.stdout.buffer.write(msgspec.json.encode([as_object(row) for row in rows]) + b"\n")
    elif given.csv:
        write_csv(rows, given.csv)
    elif given.parquet:
        return write_parquet(rows, given.parquet)
    else:
        from croupier.cli.figures import show_rows

        show_rows(shelf, rows, given, left_out)
    return 0


def find_rows(shelf: Shelf, book_id: str, given: argparse.Namespace, reading: str, left_out: list[str]) -> list[Row]:
    """The rows of one book that were asked for. Raises Impossible for what the book does not have."""
    book = shelf.book(book_id)
    wager = find_wager(book, given.wager) if given.wager else None
    pick = typed_pick(given.pick)
    if wager is None and pick is not None:
        raise Impossible("pick_not_allowed", "A pick needs its wager: name it with --wager.", book.rules.limits.wagers)
    if wager is not None and pick is not None and wager.behind is None:
        pick = find_pick(book, wager, pick)
    chosen = choose(book.rules.pay_table, read_pay_table(given.pay_table)) if given.pay_table else None
    analysis = Analysis(shelf, book_id)
    check_reading(analysis, reading)
    rows: list[Row] = []
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
    return [row for row in rows if pick is None or row.pick == pick]


def staking(book: Book, wager_id: str, given: argparse.Namespace) -> Staked | None:
    """The real stake and chip that were asked for, if any. Raises Impossible."""
    if given.chip is None and given.stake is None:
        return None
    wager = book.wagers[wager_id]
    chip = amount(book, given.chip or "1.00")
    check_chip(book, chip)
    stake = amount(book, given.stake) if given.stake else chip * fewest_chips(wager)
    staked = Staked(stake, chip)
    try:
        check_stake(book.rules.limits, wager, staked)
    except Impossible as error:
        raise Impossible(error.code, error.sentence, error.clause or money_clause(book)) from None
    return staked


def check_chip(book: Book, chip: int) -> None:
    """Refuse a chip that is worth nothing. Raises Impossible."""
    if chip <= 0:
        raise Impossible("chip_not_positive", "The smallest chip must be worth something.", money_clause(book))


def amount(book: Book, text: str) -> int:
    """Money as people type it: 10 or 10.00, also below nothing, which no stake can be. Raises Impossible."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    try:
        return sign * parse_cents(f"{digits}.00" if digits.isdecimal() else digits)
    except MoneyError as error:
        raise Impossible("not_money", str(error), money_clause(book)) from None


def money_clause(book: Book) -> str:
    """The clause about chips, or failing that the one about rounding or about odds."""
    limits = book.rules.limits
    return limits.chips or limits.rounding or book.rules.pay_table.clause


def names_of_readings(analysis: Analysis) -> list[str]:
    """Every rival reading that can be computed."""
    studies = [study.reading for study in analysis.book.studies]
    return list(dict.fromkeys([*analysis.book.rivals, *studies]))


def check_reading(analysis: Analysis, reading: str) -> None:
    """Refuse a reading that nobody has registered. Raises Impossible."""
    names = names_of_readings(analysis)
    if reading in ("taken", "all", *names, *(name.split(" ")[0] for name in names)):
        return
    known = next((item for item in analysis.book.readings if item.id == reading), None)
    if known is not None:
        raise Impossible("reading_without_figures", f"No rival of {reading} changes money.", known.clauses[0])
    say = f'There is no reading "{reading}" of {analysis.book.id}; there are: {", ".join(names)}.'
    raise Impossible("unknown_reading", say, analysis.book.rules.limits.wagers)


def has_reading(row: Row, reading: str) -> bool:
    """Whether a row is of the reading asked for: a name, an id, the readings taken, or all."""
    if reading == "taken":
        return row.taken
    return reading == "all" or row.reading == reading or (row.reading or "").split(" ")[0] == reading


def fits(row: Row, chosen: dict[str, str]) -> bool:
    """Whether a row is of the pay table chosen; what does not depend on a choice always is."""
    for part in (row.pay_table or "").split():
        name, equals, option = part.partition("=")
        if chosen[name if equals else WHOLE_TABLE] != (option if equals else part):
            return False
    return True


def approved(book: Book) -> list[str]:
    """The names of approved pay tables, as `--pay-table` takes them."""
    found = []
    for choice in book.rules.pay_table.choices:
        name = choice_id(choice)
        found += [option if name == WHOLE_TABLE else f"{name}={option}" for option in choice.options]
    return found


def write_csv(rows: Iterable[Row], file: str) -> None:
    """A column for each figure, without the distributions."""
    if file == "-":
        _csv(rows, sys.stdout)
        return
    with open(file, "w", encoding="utf-8", newline="") as stream:
        _csv(rows, stream)
    print(f"{file}: written")


def _csv(rows: Iterable[Row], stream: TextIO) -> None:
    writer = csv.DictWriter(stream, PLAIN_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_record(row) for row in rows)


def write_parquet(rows: list[Row], file: str) -> int:
    """The same columns as Parquet."""
    try:
        import polars
    except ImportError:
        print('croupier: Parquet needs Polars: install it with pip install "croupier[tables]"', file=sys.stderr)
        return 2
    polars.DataFrame([as_record(row) for row in rows], infer_schema_length=None).write_parquet(file)
    print(f"{file}: {len(rows)} rows")
    return 0


def edge_text(edge: Fraction) -> str:
    """An edge as people say it: exact and as a per cent."""
    return f"{edge} = {percent(edge)}"
