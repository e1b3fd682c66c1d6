"""Commands that show something: books, rules, the trace, scenarios."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier import rulebooks
from croupier.lines import TooLong, read_text
from croupier.rules import schema
from croupier.rules.book import Book, definition_number
from croupier.rules.citations import citations
from croupier.rules.shelf import Shelf
from croupier.scenarios import Difference, Scenario, ScenarioError, read_scenarios, run_scenario
from croupier.trace import TraceRow, gaps, trace_book
from croupier.trace.tracing import is_unproved

CLASS_STYLES = {"enforced": "green", "shown": "cyan", "recorded": "yellow", "physical": "dim"}

MOST_BYTES = 5_000_000  # of a file of scenarios
MOST_IN_A_LINE = 2_000


def show_books(shelf: Shelf, as_json: bool) -> int:
    """The books at hand with their identity."""
    books = [shelf.book(book_id) for book_id in [*rulebooks.ids(), *shelf.extra]]
    if as_json:
        rows = [
            {**msgspec.to_builtins(b.rules.book), "wagers": list(b.wagers), "clauses": count_clauses(b)} for b in books
        ]
        print(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
        return 0
    console = Console()
    for book in books:
        identity = book.rules.book
        console.print(f"[bold]{identity.id}[/bold]  {escape(identity.title)}")
        signed = f"signed {identity.signed:%-d %B %Y}" if identity.signed else "undated"
        indented(console, f"{escape(identity.instrument)}; {signed}")
        numbers = f"{len(book.wagers)} wagers, {count_clauses(book)} clauses, {len(book.definitions)} definitions"
        indented(console, f"{numbers}, {len(book.readings)} readings")
        for damage in identity.damage:
            indented(console, f"[dim]damaged: {escape(damage)}[/dim]")
    return 0


def count_clauses(book: Book) -> int:
    """Numbers, letters and limbs; the unnumbered tails are part of their clause."""
    return sum(not number.endswith(" tail") for number in book.clauses)


def show_rules(shelf: Shelf, book_id: str, clause: str | None) -> int:
    """The clause tree, or one clause with everything known about it."""
    book = shelf.book(book_id)
    console = Console()
    if clause is None:
        _show_tree(console, book)
        return 0
    readings = [reading for reading in book.readings if reading.id.lower() == clause.lower()]
    for reading in readings:
        _show_reading(console, reading)
    found = _find_clause(book, clause)
    if not found and not readings:
        print(f"croupier: {book_id} has no clause {clause}", file=sys.stderr)
        return 2
    for number, item in found:
        _show_clause(console, shelf, book, number, item)
    return 0


def _find_clause(book: Book, wanted: str) -> list[tuple[str, schema.Clause]]:
    """The clause and its limbs; a defined word finds its definition."""
    for word, definition in book.definitions.items():
        if wanted.lower() in (word.lower(), definition_number(word).lower()):
            return [(definition_number(word), definition)]
    limbs = (f"{wanted}.", f"{wanted}(", f"{wanted} ")
    return [(number, item) for number, item in book.clauses.items() if number == wanted or number.startswith(limbs)]


def _show_tree(console: Console, book: Book) -> None:
    console.print(f"[bold]{escape(book.rules.book.title)}[/bold]")
    section = ""
    for number, item in book.clauses.items():
        if number.split(".")[0] != section:
            section = number.split(".")[0]
            console.print(f"\n[bold]{section}. {escape(book.sections.get(section, ''))}[/bold]", highlight=False)
            if section == "1":
                for word, definition in book.definitions.items():
                    _show_line(console, f'"{word}"', definition, 1)
        _show_line(console, number, item, number.count(".") + number.count("("))


def _show_line(console: Console, number: str, item: schema.Clause, depth: int) -> None:
    style = CLASS_STYLES[item.class_]
    line = Table.grid(padding=(0, 1))
    line.add_column(no_wrap=True, width=2 * depth - 1)
    line.add_column(no_wrap=True)
    line.add_column()
    line.add_row("", escape(number), f"{escape(item.summary)} [{style}]{item.class_}[/{style}]")
    console.print(line)


def _show_clause(console: Console, shelf: Shelf, book: Book, number: str, item: schema.Clause) -> None:
    _show_line(console, number, item, 1)
    for text in (item.reason, item.moment):
        if text:
            indented(console, f"[dim]{escape(text)}[/dim]")
    places = [c.place for c in citations(book, shelf.game(shelf.terms(book.id))) if c.clause == number]
    if places:
        indented(console, f"[dim]cited by {escape('; '.join(dict.fromkeys(places)))}[/dim]")
    cites = (number, f"{book.id} {number}")
    for reading in book.readings:
        if reading.id in item.readings or any(cited in cites for cited in reading.clauses):
            _show_reading(console, reading)


def _show_reading(console: Console, reading: schema.Reading) -> None:
    edge = f" ({reading.edge})" if reading.edge else ""
    indented(console, f"[bold]{reading.id}[/bold] {escape(reading.question)}")
    indented(console, f"taken: {escape(reading.taken)}{escape(edge)}", 8)
    for rival in reading.rivals:
        cost = f" ({rival.edge})" if rival.edge else ""
        indented(console, f"[dim]rival, {escape(rival.name)}: {escape(rival.reading)}{escape(cost)}[/dim]", 8)


def show_readings(shelf: Shelf, book_id: str, as_json: bool) -> int:
    """The register of readings for one book, the common ones included."""
    book = shelf.book(book_id)
    if as_json:
        rows = [
            {
                **msgspec.to_builtins(reading),
                "playable": [name for name in book.rivals if name.startswith(f"{reading.id} ")],
            }
            for reading in book.readings
        ]
        print(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
        return 0
    console = Console()
    for reading in book.readings:
        _show_reading(console, reading)
    return 0


def indented(console: Console, markup: str, columns: int = 4) -> None:
    """A paragraph that keeps its indent where it wraps."""
    console.print(Padding(Text.from_markup(markup), (0, 0, 0, columns), expand=False))


def show_trace(shelf: Shelf, book_id: str, as_json: bool, only_gaps: bool) -> int:
    """Every clause with what acts on it and what proves it."""
    rows = trace_book(shelf, book_id)
    shown = gaps(rows) if only_gaps else rows
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())
        return 0
    console = Console()
    for row in shown:
        _show_traced(console, row)
    _show_counts(console, rows)
    return 0


def _show_traced(console: Console, row: TraceRow) -> None:
    """A clause with what acts on it and what proves it; long lists are cut (`--json` has all of them)."""
    depth = row.clause.count(".") + row.clause.count("(") if row.kind == "clause" else 1
    style = "red" if is_unproved(row) else CLASS_STYLES[row.class_]
    text = f"{escape(row.clause)}  {escape(row.summary)} [{style}]{row.class_}[/{style}]"
    indented(console, text, 2 * depth - 2)
    for name, found in (("code", row.code), ("tests", row.tests)):
        if found:
            more = f" and {len(found) - 3} more" if len(found) > 3 else ""
            indented(console, f"[dim]{name}: {escape('; '.join(found[:3]))}{more}[/dim]", 2 * depth + 2)


def _show_counts(console: Console, rows: list[TraceRow]) -> None:
    classes = Counter(row.class_ for row in rows)
    unproved = sum(is_unproved(row) for row in rows)
    kinds = ", ".join(f"{classes[name]} {name}" for name in CLASS_STYLES)
    console.print(f"\n{len(rows)} rows: {kinds}", highlight=False)
    console.print(f"gaps: {unproved} without the proof that is due", highlight=False)


def run_scenarios(shelf: Shelf, files: list[str]) -> int:
    """Run scenario files; the status says whether all of them held."""
    count = failed = 0
    for name in files:
        try:
            scenarios = read_scenarios(read_text(Path(name), MOST_BYTES, MOST_IN_A_LINE), name)
            differences = [run_scenario(scenario, shelf) or _unknown_proof(shelf, scenario) for scenario in scenarios]
        except ScenarioError as error:
            print(f"croupier: {error}", file=sys.stderr)
            return 2
        except UnicodeDecodeError:
            print(f"croupier: {name} is not a text in UTF-8", file=sys.stderr)
            return 2
        except TooLong as error:
            print(f"croupier: {name} is too long: {error}", file=sys.stderr)
            return 2
        except OSError as error:
            print(f"croupier: {name} cannot be read ({error.strerror})", file=sys.stderr)
            return 2
        count += len(scenarios)
        for difference in differences:
            if difference is not None:
                failed += 1
                print(difference)
    name = "scenario" if count == 1 else "scenarios"
    print(f"{count} {name}, {failed} with a difference" if failed else f"{count} {name}, all as written")
    return 1 if failed else 0


def _unknown_proof(shelf: Shelf, scenario: Scenario) -> Difference | None:
    """A scenario that says it proves a clause must name one that there is."""
    known = shelf.book(scenario.book).citable()
    for clause in scenario.proves:
        if clause not in known:
            expected, got = f"proves {clause}", "the book has no such clause"
            return Difference(scenario.file, scenario.line, scenario.name, expected, got)
    return None


def check_own(shelf: Shelf, path: str) -> int:
    """Compile somebody's own book."""
    book = shelf.book(shelf.add(Path(path)))  # a book of one's own is checked as it is read
    print(f"{book.id}: {len(book.wagers)} wagers, {count_clauses(book)} clauses; nothing is wrong with it")
    return 0
