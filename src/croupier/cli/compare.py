"""`croupier compare`: a book beside another one, or beside a modified copy of itself."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from croupier.cli.analyse import amount, check_reading, money_clause, names_of_readings, staking
from croupier.cli.output import grid, paragraph, print_json
from croupier.maths.figures import Figures
from croupier.maths.plan import Staked
from croupier.maths.rows import Analysis, percent
from croupier.maths.what_if import ANY, ComparedBook, Comparison, Merged, compare_columns, merged, unit_stakes
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.errors import Impossible
from croupier.rules.game import choice_id, choose, read_pay_table
from croupier.rules.machine import show_pick
from croupier.rules.shelf import Shelf, with_copy

LONGEST = 200  # characters of an argument: longer than any odds, stake or set of numbers
LEGEND = "House edges per unit staked; a negative edge favours the player. Points are percentage points."
SHORT = 15  # characters of a fraction that still fits in its column


def add_compare(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier compare`."""
    command.add_argument("book", metavar="BOOK", help="the book in the column before")
    command.add_argument("other", metavar="OTHER", nargs="?", help="the book in the column after (the same)")
    for name, shape, text in (
        ("pay", "LINE=ODDS", 'other odds for a line of the pay table: "any_seven=5 to 1"'),
        ("set", "NAME=MEMBERS", 'other members of a set of the book: "barred=12"'),
        ("reading", "NAME", 'a rival reading: "SB-8 letter"'),
        (
            "unit",
            "WAGER=CHIPS",
            "stake a wager in units of this many chips, and round wins up; any: the fewest chips on every wager",
        ),
    ):
        command.add_argument(f"--{name}", metavar=shape, action="append", default=[], help=text)
    command.add_argument("--pay-table", metavar="T", help='approved pay table: two, or "hardway.4=6 field=3"')
    command.add_argument("--other-pay-table", metavar="T", help="approved pay table in the column after")
    command.add_argument("--chip", metavar="AMOUNT", help="smallest chip (1.00): wins are rounded up to it")
    command.add_argument("--stake", metavar="AMOUNT", help="the stake in both columns, with wins rounded up")
    command.add_argument("--all", action="store_true", help="also list wagers that do not change")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, exact fractions as text")
    form.add_argument("--csv", action="store_true", help="print CSV, exact fractions as text")


def compare(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute both columns and show the differences. Writes nothing. Raises Impossible and RuleBookError."""
    question = read_question(shelf, given)
    found = compare_columns(question.before, question.after, question.studied)
    lines = [line for line in found if line.wager not in question.left_out]
    shown = [line for line in lines if given.all or line.is_changed]
    if given.json:
        print_json([as_object(line, question) for line in shown])
    elif given.csv:
        write_csv(shown, question)
    else:
        show_comparison(question, shown, unchanged=sum(not line.is_changed for line in lines), listed=given.all)
    return 0


# -- parsing the question ---------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """The two columns. In words: how the first is computed, what changes, and why wagers are left out."""

    before: ComparedBook
    after: ComparedBook
    studied: str | None
    copied: bool
    under: str
    changes: list[str]
    left_out: dict[str, str]


class Change(NamedTuple):
    """The changes in the copy. `studied` is a rival reading that can be computed but not played."""

    readings: tuple[str, ...]
    studied: str | None
    odds: dict[str, str]
    sets: dict[str, list[int | str]]
    units: dict[str, int]


def read_question(shelf: Shelf, given: argparse.Namespace) -> Question:
    """Build both columns from the arguments. Raises Impossible and RuleBookError."""
    book, other = shelf.book(given.book), shelf.book(given.other or given.book)
    change = read_change(shelf, other, given)
    copied = bool(change.readings or change.odds or change.sets)
    after_shelf = with_copy(shelf, other.id, change.readings, change.odds, change.sets) if copied else shelf
    pay_table = given.other_pay_table or (given.pay_table if other is book else None)
    before_terms = shelf.terms(book.id, read_pay_table(given.pay_table))
    after_terms = after_shelf.terms(other.id, read_pay_table(pay_table))
    left_out: dict[str, str] = {}
    if change.units:
        before, after = {}, unit_stakes(other, change.units, chip_of(other, given.chip))
    else:
        before, after = (real_stakes(each, given, left_out) for each in (book, other))
    columns = ComparedBook(shelf, before_terms, before), ComparedBook(after_shelf, after_terms, after)
    changes = [*changes_in_words(other, change, pay_table, given)]
    return Question(*columns, change.studied, copied, under(change, given), changes, left_out)


def read_change(shelf: Shelf, book: Book, given: argparse.Namespace) -> Change:
    """Parse the changes to a copy of the book. Raises Impossible."""
    clause = book.rules.pay_table.clause
    single = (given.chip, given.stake, given.pay_table, given.other_pay_table)
    for text in (*given.pay, *given.set, *given.reading, *given.unit, *filter(None, single)):
        if len(text) > LONGEST:
            raise Impossible("too_long", f'"{text[:20]}…" is too long.', clause)
    readings, studied = find_readings(shelf, book, given.reading)
    pays = [pair_of("pay", text, "any_seven=5 to 1", clause) for text in given.pay]
    sets = [pair_of("set", text, "barred=12", book.rules.limits.wagers) for text in given.set]
    units = [unit_of(book, text) for text in given.unit]
    if not (given.other or given.other_pay_table or pays or sets or given.reading or units):
        say = "There is nothing to compare with: name another book, or a change with --pay, --set, --reading, --unit"
        raise Impossible("nothing_changed", f"{say} or --other-pay-table.")
    if units and given.stake:
        say = "--unit sets the stake in the column after, --stake in both columns: give only one of them."
        raise Impossible("two_stakes", say, book.rules.limits.unit)
    if studied and (given.other or units or given.stake or given.chip):
        say = f'"{studied}" can be compared only with the reading taken, in the same book'
        say += ": leave out OTHER, --unit, --stake and --chip."
        raise Impossible("reading_by_itself", say, clause_of(book, studied))
    return Change(readings, studied, dict(pays), {name: members_of(text) for name, text in sets}, dict(units))


def find_readings(shelf: Shelf, book: Book, asked: list[str]) -> tuple[tuple[str, ...], str | None]:
    """Return the playable rival readings, to be combined, and the one that is only studied, if any."""
    analysis = Analysis(shelf, book.id)
    names = names_of_readings(analysis)
    for name in asked:
        check_reading(analysis, name)
        if name not in names:
            rivals = ", ".join(rival for rival in names if name in ("taken", "all", rival.split(" ")[0]))
            say = f'There is no single rival reading called "{name}"; name one of: {rivals}.'
            raise Impossible("reading_not_one", say, clause_of(book, name))
    studied = [name for name in dict.fromkeys(asked) if book.is_studied(name)]
    if len(studied) > 1:
        say = f'"{studied[0]}" and "{studied[1]}" can be computed but not played, and cannot be combined.'
        raise Impossible("readings_apart", say, clause_of(book, studied[1]))
    return tuple(name for name in asked if name not in studied), studied[0] if studied else None


def clause_of(book: Book, reading: str) -> str | None:
    """Return the clause of the book that a reading is about. Common readings name the book with each clause."""
    for item in book.readings:
        if item.id == reading.split(" ")[0]:
            named = [clause.partition(" ") for clause in item.clauses]
            return next((clause for name, _, clause in named if name in book.lineage), item.clauses[0])
    return None


def pair_of(option: str, text: str, example: str, clause: str | None) -> tuple[str, str]:
    """Parse a name and its new value. Raises Impossible."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals):
        raise Impossible("not_a_change", f'--{option} "{text}" is not a change: write it as "{example}".', clause)
    return name, value


def members_of(text: str) -> list[int | str]:
    """Parse the members of a set as people type them: `2 3`, `2,3`."""
    words = [word for word in re.split(r"[\s,]+", text) if word]
    return [int(word) if word.isdecimal() else word for word in dict.fromkeys(words)]


def unit_of(book: Book, text: str) -> tuple[str, int]:
    """Parse a minimum unit in chips: `place_to_win=1`, or `any`. Raises Impossible."""
    if text.strip() == ANY:
        return ANY, 1
    clause = book.rules.limits.unit or money_clause(book)
    wager, chips = pair_of("unit", text, "place_to_win=1", clause)
    if not chips.removeprefix("-").isdecimal():
        raise Impossible("not_chips", f'"{chips}" is not a number of chips: write a whole number.', clause)
    return wager, int(chips)


def chip_of(book: Book, text: str | None) -> int:
    """Parse the smallest chip. Raises Impossible."""
    chip = amount(book, text or "1.00")
    if chip <= 0:
        raise Impossible("chip_not_positive", "The smallest chip must be worth more than zero.", money_clause(book))
    return chip


def real_stakes(book: Book, given: argparse.Namespace, left_out: dict[str, str]) -> dict[str, Staked]:
    """Return the requested stake for every wager that allows it; nothing without --stake and --chip."""
    stakes: dict[str, Staked] = {}
    for wager in book.wagers:
        try:
            staked = staking(book, wager, given)
        except Impossible as error:
            if error.code != "amount_not_in_units":
                raise
            left_out[wager] = f"{error.sentence} ({error.clause})" if error.clause else error.sentence
        else:
            stakes |= {} if staked is None else {wager: staked}
    return stakes


def changes_in_words(book: Book, change: Change, pay_table: str | None, given: argparse.Namespace) -> Iterator[str]:
    """Yield the changes in words."""
    table = book.rules.pay_table
    chosen = choose(table, read_pay_table(pay_table))
    lines = dict(table.lines)
    for choice in table.choices:
        lines.update(choice.options[chosen[choice_id(choice)]])
    yield from (f'read as "{name}"' for name in given.reading)
    if given.other_pay_table:
        yield f"pay table {given.other_pay_table}"
    yield from (f"{line} pays {odds}" + _was(lines.get(line)) for line, odds in change.odds.items())
    for name, members in change.sets.items():
        yield f"{name} is {_words(members)}" + _was(_words(book.rules.sets[name]))
    for wager, chips in change.units.items():
        least = "the fewest chips" if wager == ANY else "1 chip" if chips == 1 else f"{chips} chips"
        yield f"{'every wager' if wager == ANY else wager} staked with {least} of {given.chip or '1.00'}"


def under(change: Change, given: argparse.Namespace) -> str:
    """Describe in words how the first column is computed."""
    words = [f"pay table {given.pay_table}"] if given.pay_table else []
    if change.units:
        words.append("staked so that nothing is rounded (X-2)")
    elif given.stake or given.chip:
        words.append(
            f"staked with {given.stake or 'the fewest chips'} in chips of {given.chip or '1.00'}, as is the other"
        )
    return "".join(f", {word}" for word in words)


def _was(old: str | None) -> str:
    return f", not {old}" if old else ""


def _words(members: list[int | str]) -> str:
    return " ".join(map(str, members))


# -- JSON and CSV output ----------------------------------------------------------------------------------------------


def as_object(line: Comparison, question: Question) -> dict[str, object]:
    """Return a line as JSON: exact fractions as text; null for a column without the wager."""
    change = line.change
    plain: dict[str, object] = {
        "book": question.before.book.id,
        "other": question.after.book.id,
        "wager": line.wager,
        "pick": line.pick,
        "name": line.name,
        "clause": line.clause,
        "situation": line.situation,
        "start": line.start,
        "edge_before": _edge(line.before),
        "edge_after": _edge(line.after),
        "change": None if change is None else str(change),
        "change_points": None if change is None else float(100 * change),
    }
    for side, figures, column in (("before", line.before, question.before), ("after", line.after, question.after)):
        staked = column.stakes.get(line.wager)
        plain[f"stake_{side}"] = None if staked is None else format_cents(staked.stake)
        plain |= {f"{name}_{side}": value for name, value in _figures(figures).items()}
    return plain


def _edge(figures: Figures | None) -> str | None:
    return None if figures is None else str(figures.edge)


def _figures(figures: Figures | None) -> dict[str, str | None]:
    names = ("p_win", "p_lose", "p_void", "ev", "variance", "rolls")
    if figures is None:
        return dict.fromkeys(names)
    chances = (figures.chance("win"), figures.chance("lose"), figures.chance("void"))
    return dict(zip(names, map(str, (*chances, figures.ev, figures.variance, figures.rolls)), strict=True))


def write_csv(lines: list[Comparison], question: Question) -> None:
    """Write the same as CSV, a column for each key."""
    empty = Comparison(wager="", name="", clause="", pick=None, start="", situation=None, before=None, after=None)
    writer = csv.DictWriter(sys.stdout, list(as_object(empty, question)), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**as_object(line, question), "pick": show_pick(line.pick)} for line in lines)


# -- text output ------------------------------------------------------------------------------------------------------


def show_comparison(question: Question, lines: list[Comparison], unchanged: int, listed: bool) -> None:
    """Show both columns, a line for each wager; picks with the same figures share one."""
    console = Console(highlight=False)
    _show_columns(console, question)
    if lines:
        console.print()
        console.print(Text(_row("Wager", "Before", "After", "Points", "Exactly"), style="bold"))
    for line in merged(lines):
        _show_line(console, line)
    console.print()
    for sentence in dict.fromkeys(question.left_out.values()):
        paragraph(console, f"Left out: {sentence}")
    if unchanged and not listed:
        paragraph(console, _others(len(lines), unchanged))
    if lines:
        missing = " —: the book has no such wager." if any(line.change is None for line in lines) else ""
        paragraph(console, LEGEND + missing, style="dim")
    paragraph(console, "The book itself is not changed.", style="dim")


def _show_columns(console: Console, question: Question) -> None:
    """Show which column is which."""
    same = "" if question.after.book.id != question.before.book.id else "a copy" if question.copied else "the same"
    after = "; ".join(question.changes)
    before = f"{question.before.book.id}{question.under}"
    after = f"{same or question.after.book.id}{': ' if after else ''}{after}"
    console.print(grid((("before", escape(before)), ("after", escape(after)))))


def _others(changed: int, unchanged: int) -> str:
    if not changed:
        return f"No wager changes: all {unchanged}, counted pick by pick, are the same in both."
    if unchanged == 1:
        return "1 other does not change; --all shows it."
    return f"{unchanged} others, counted pick by pick, do not change; --all shows them."


def _show_line(console: Console, merged_line: Merged) -> None:
    line = merged_line.line
    name = f"{line.name} {_picks(merged_line)}".strip()
    change = line.change
    points = "" if change is None else f"{'+' if change > 0 else ''}{percent(change).rstrip('%')}"
    exactly = "" if change is None else f"{'+' if change > 0 else ''}{change}"
    beside = exactly if len(exactly) <= SHORT else ""
    if len(name) > 30:
        console.print(Text(name))
        name = ""
    row = _row(name, _percent(line.before), _percent(line.after), points, beside)
    console.print(Text(row), style=None if line.is_changed else "dim")
    if line.situation or merged_line.starts:
        paragraph(console, ": ".join(filter(None, (line.situation, ", ".join(merged_line.starts)))), 4, "dim")
    for detail in _details(line, "" if beside else exactly):
        paragraph(console, detail, 4, "dim")


def _row(*cells: str) -> str:
    name, before, after, points, exactly = cells
    return f"{name:<30} {before:>10} {after:>10} {points:>10}  {exactly}".rstrip()


def _percent(figures: Figures | None) -> str:
    return "—" if figures is None else percent(figures.edge)


def _details(line: Comparison, exactly: str) -> Iterator[str]:
    """Yield further changes, and figures that did not fit."""
    if exactly:
        yield f"exactly {exactly}"
    if line.before is None or line.after is None:
        return
    for name, before, after in (
        ("wins", line.before.chance("win"), line.after.chance("win")),
        ("rolls", line.before.rolls, line.after.rolls),
    ):
        if before != after:
            yield f"{name} {_both(before)} → {_both(after)}"


def _both(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.4f}"


def _picks(line: Merged) -> str:
    """Format picks compactly."""
    picks = [show_pick(pick) for pick in line.picks]
    if len(picks) > 3 and all(isinstance(pick, tuple) for pick in line.picks):
        return f"(any of {len(picks)})"
    return f"{picks[0]} to {picks[-1]}" if len(picks) > 4 else ", ".join(pick for pick in picks if pick)
