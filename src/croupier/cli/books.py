"""Commands about rule books: list books, show rules, readings, traces and conduct, run scenarios, check a book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier import rulebooks
from croupier.bounded_reading import TooLong, read_text
from croupier.cli.output import complain, counted, paragraph, print_json
from croupier.rules import schema
from croupier.rules.book import Book, definition_number
from croupier.rules.checking_layout import without_area
from croupier.rules.citations import citations
from croupier.rules.conduct import Act, Conduct, Need
from croupier.rules.shelf import Shelf
from croupier.scenarios import Difference, Scenario, ScenarioError, read_scenarios, run_scenario
from croupier.trace import TraceRow, gaps, is_unproved, trace_book

if TYPE_CHECKING:
    import argparse

CLASS_STYLES = {"enforced": "green", "shown": "cyan", "recorded": "yellow", "physical": "dim"}

MOST_BYTES = 5_000_000  # for a scenario file
MOST_IN_A_LINE = 2_000


def add_books(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier books`."""
    command.add_argument("--json", action="store_true", help="print JSON")


def add_rules(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier rules`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("clause", metavar="CLAUSE", nargs="?")


def add_readings(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier readings`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("--json", action="store_true", help="print JSON")


def add_trace(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier trace`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("--json", action="store_true", help="print JSON, one row for each clause")
    command.add_argument("--gaps", action="store_true", help="only clauses that are not proved")


def add_scenario(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier scenario`."""
    command.add_argument("files", metavar="FILE", nargs="+")


def add_check(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier check`."""
    command.add_argument("path", metavar="PATH")


def show_books(shelf: Shelf, given: argparse.Namespace) -> int:
    """List the available books and their identity."""
    books = [shelf.book(book_id) for book_id in [*rulebooks.ids(), *shelf.extra]]
    if given.json:
        print_json([
            {**msgspec.to_builtins(b.rules.book), "wagers": list(b.wagers), "clauses": count_clauses(b)} for b in books
        ])  # fmt: skip
        return 0
    console = Console()
    for book in books:
        identity = book.rules.book
        console.print(f"[bold]{identity.id}[/bold]  {escape(identity.title)}")
        signed = f"signed {identity.signed:%-d %B %Y}" if identity.signed else "undated"
        paragraph(console, f"{identity.instrument}; {signed}", 4)
        numbers = f"{len(book.wagers)} wagers, {count_clauses(book)} clauses, {len(book.definitions)} definitions"
        paragraph(console, f"{numbers}, {len(book.readings)} readings", 4)
        for damage in identity.damage:
            paragraph(console, f"damaged: {damage}", 4, "dim")
    return 0


def count_clauses(book: Book) -> int:
    """Count numbers, letters and limbs; unnumbered tails are part of their clause."""
    return sum(not number.endswith(" tail") for number in book.clauses)


def show_rules(shelf: Shelf, given: argparse.Namespace) -> int:
    """Show the clause tree, or one clause with everything known about it."""
    book = shelf.book(given.book)
    console = Console()
    if given.clause is None:
        _show_tree(console, book)
        return 0
    readings = [reading for reading in book.readings if reading.id.lower() == given.clause.lower()]
    for reading in readings:
        _show_reading(console, reading)
    found = _find_clause(book, given.clause)
    if not found and not readings:
        return complain(f"{given.book} has no clause {given.clause}")
    for number, item in found:
        _show_clause(console, shelf, book, number, item)
    return 0


def _find_clause(book: Book, wanted: str) -> list[tuple[str, schema.Clause]]:
    """Return the clause and its limbs; a defined word finds its definition."""
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
            paragraph(console, text, 4, "dim")
    places = [c.place for c in citations(book, shelf.game(shelf.terms(book.id))) if c.clause == number]
    if places:
        paragraph(console, f"cited by {'; '.join(dict.fromkeys(places))}", 4, "dim")
    cites = (number, f"{book.id} {number}")
    for reading in book.readings:
        if reading.id in item.readings or any(cited in cites for cited in reading.clauses):
            _show_reading(console, reading)


def _show_reading(console: Console, reading: schema.Reading) -> None:
    edge = f" ({reading.edge})" if reading.edge else ""
    paragraph(console, f"[bold]{reading.id}[/bold] {escape(reading.question)}", 4, markup=True)
    paragraph(console, f"taken: {reading.taken}{edge}", 8)
    for rival in reading.rivals:
        cost = f" ({rival.edge})" if rival.edge else ""
        paragraph(console, f"rival, {rival.name}: {rival.reading}{cost}", 8, "dim")


def show_readings(shelf: Shelf, given: argparse.Namespace) -> int:
    """Show the register of readings for one book, including the common ones."""
    book = shelf.book(given.book)
    if given.json:
        playable = {one.id: [name for name in book.rivals if name.startswith(f"{one.id} ")] for one in book.readings}
        print_json([{**msgspec.to_builtins(one), "playable": playable[one.id]} for one in book.readings])
        return 0
    console = Console()
    for reading in book.readings:
        _show_reading(console, reading)
    return 0


def show_trace(shelf: Shelf, given: argparse.Namespace) -> int:
    """Show every clause with what acts on it and what proves it."""
    rows = trace_book(shelf, given.book)
    shown = gaps(rows) if given.gaps else rows
    if given.json:
        print_json(shown)
        return 0
    console = Console()
    for row in shown:
        _show_traced(console, row)
    _show_counts(console, rows)
    return 0


def _show_traced(console: Console, row: TraceRow) -> None:
    """Show a clause with what acts on it and what proves it; long lists are cut (`--json` has everything)."""
    depth = row.clause.count(".") + row.clause.count("(") if row.kind == "clause" else 1
    style = "red" if is_unproved(row) else CLASS_STYLES[row.class_]
    text = f"{escape(row.clause)}  {escape(row.summary)} [{style}]{row.class_}[/{style}]"
    paragraph(console, text, 2 * depth - 2, markup=True)
    for name, found in (("code", row.code), ("tests", row.tests)):
        if found:
            more = f" and {len(found) - 3} more" if len(found) > 3 else ""
            paragraph(console, f"{name}: {'; '.join(found[:3])}{more}", 2 * depth + 2, "dim")


def _show_counts(console: Console, rows: list[TraceRow]) -> None:
    classes = Counter(row.class_ for row in rows)
    unproved = sum(is_unproved(row) for row in rows)
    kinds = ", ".join(f"{classes[name]} {name}" for name in CLASS_STYLES)
    console.print(f"\n{len(rows)} rows: {kinds}", highlight=False)
    console.print(f"gaps: {unproved} without the required proof", highlight=False)


def run_scenarios(shelf: Shelf, given: argparse.Namespace) -> int:
    """Run scenario files; return whether all passed, as the exit status."""
    count = failed = 0
    for name in given.files:
        try:
            scenarios = read_scenarios(read_text(Path(name), MOST_BYTES, MOST_IN_A_LINE), name)
            differences = [run_scenario(scenario, shelf) or _unknown_proof(shelf, scenario) for scenario in scenarios]
        except ScenarioError as error:
            return complain(error)
        except UnicodeDecodeError:
            return complain(f"{name} is not UTF-8 text")
        except TooLong as error:
            return complain(f"{name} is too long: {error}")
        except OSError as error:
            return complain(f"{name} cannot be read ({error.strerror})")
        count += len(scenarios)
        for difference in differences:
            if difference is not None:
                failed += 1
                print(difference)
    print(f"{counted(count, 'scenario')}, {f'{failed} with a difference' if failed else 'all as written'}")
    return 1 if failed else 0


def _unknown_proof(shelf: Shelf, scenario: Scenario) -> Difference | None:
    """Return a difference if a scenario claims to prove a clause that its book does not have."""
    known = shelf.book(scenario.book).citable()
    for clause in scenario.proves:
        if clause not in known:
            expected, got = f"proves {clause}", "the book has no such clause"
            return Difference(scenario.file, scenario.line, scenario.name, expected, got)
    return None


def check_own(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compile a user's book, and play its first game."""
    from croupier.practice.lessons import play_lesson  # imported late: only this command plays one

    book = shelf.book(shelf.add(Path(given.path)))  # a user's book is checked when it is read
    play_lesson(shelf, book)
    missing = without_area(book)
    if missing:
        return complain(f"{book.id}: the felt has no area for {', '.join(missing)}, so no one can bet on it there")
    print(f"{book.id}: {len(book.wagers)} wagers, {count_clauses(book)} clauses; no mistakes found")
    return 0


# -- conduct: who may do what at a table besides wagering, when, and under which clause -------------------------------


def add_conduct(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("act", metavar="ACT", nargs="?", help="one act in full")
    command.add_argument("--as", dest="role", metavar="ROLE", help="only what this role may do")
    command.add_argument("--json", action="store_true", help="print JSON")


def show_conduct(shelf: Shelf, given: argparse.Namespace) -> int:
    """Show the roles of a book, who may give the table's commands, and every act."""
    book = shelf.book(given.book)
    conduct = book.conduct
    if given.role is not None and given.role not in conduct.role_ids:
        known = ", ".join(conduct.role_ids) or "none"
        return complain(f"{given.book} has no role called {given.role}; it has {known}")
    if given.act is not None and given.act not in conduct.by_id:
        say = f"croupier conduct {given.book} lists what there is"
        return complain(f"{given.book} has no act called {given.act}; {say}")
    shown = _only(conduct, given.role, given.act)
    if given.json:
        print_json(shown)
        return 0
    console = Console(highlight=False)
    if given.act is not None:
        _show_act(console, book, conduct.by_id[given.act])
    else:
        _show_all(console, book, shown, given.role is None)
    return 0


def _only(conduct: Conduct, role: str | None, act: str | None) -> Conduct:
    """Return the part of a conduct that one role may do, or one act."""
    powers, acts = conduct.powers, conduct.acts
    if role is not None:
        powers = [power for power in powers if conduct.may(role, power.by)]
        acts = [entry for entry in acts if conduct.may(role, entry.by)]
    if act is not None:
        powers, acts = [], [entry for entry in acts if entry.id == act]
    return msgspec.structs.replace(conduct, powers=powers, acts=acts)


def _show_all(console: Console, book: Book, conduct: Conduct, whole: bool) -> None:
    """Show everything, or the part for one role, without naming others."""
    if whole:
        _show_roles(console, conduct)
    by = ("by",) if whole else ()
    powers = _table("command", *by, "clause")
    for power in conduct.powers:
        word = book.rules.throw.command if power.command == "throw" else power.command  # as people type it
        word += f" {power.reasons[0]}…" if power.reasons else ""
        powers.add_row(escape(word), *([", ".join(power.by)] if whole else []), escape(power.clause or ""))
    console.print(powers)
    console.print()
    acts = _table("act", "in words", *by, "clause")
    for act in conduct.acts:
        names = [", ".join(act.by)] if whole else []
        acts.add_row(act.id, escape(act.says[0]), *names, escape(act.clause))
    console.print(acts)


def _show_roles(console: Console, conduct: Conduct) -> None:
    roles = _table("role", "counts as", "clause")
    for role in conduct.roles:
        roles.add_row(role.id, ", ".join(role.also), escape(role.clause))
    console.print(roles)
    console.print()


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=place == 0)
    return table


def _show_act(console: Console, book: Book, act: Act) -> None:
    console.print(f"[bold]{act.id}[/bold] ({escape(act.clause)}), by {', '.join(act.by)}")
    for line in (*_said(book, act), *_asked(book, act), *_done(act)):
        paragraph(console, line, 2, markup=True)


def _said(book: Book, act: Act) -> Iterator[str]:
    """Yield the forms of an act, and its reasons and choices."""
    for form in act.says:
        yield f"in words: {escape(form)}"
    for reason in act.grounds:
        known = book.clauses.get(reason)
        yield escape(f"reason: {reason}" if known is None else f"reason: {reason} ({known.summary})")
    for name, words in act.choices.items():
        yield escape(f"{name}: {', '.join(words)}")


def _asked(book: Book, act: Act) -> Iterator[str]:
    """Yield what can block an act: its own needs and those of the command that it starts."""
    power = book.conduct.power(act.command, None) if act.command is not None else None
    needs = [(need, act.clause) for need in act.needs]
    needs += [(need, power.clause or act.clause) for need in power.needs] if power is not None else []
    for need, clause in needs:
        refused = escape(f"refused {need.code} ({need.clause or clause}) unless {_need(need)}: ")
        yield f"{refused}[dim]{escape(need.say)}[/dim]"


def _done(act: Act) -> Iterator[str]:
    """Yield what the table remembers afterwards, and other effects."""
    for name, value in {**act.sets, **{fact: f"{fact} + {more}" for fact, more in act.adds.items()}}.items():
        yield escape(f"then: {name} = {value}")
    if act.clears:
        yield escape(f"then cleared: {', '.join(act.clears)}")
    if act.effect is not None:
        yield f"other effect: {act.effect.replace('_', ' ')}"


def _need(need: Need) -> str:
    if need.check is not None:
        return need.check.replace("_", " ")
    parts = [f"is {' or '.join(map(str, need.is_))}"] if need.is_ else []
    parts += [f"is not {' or '.join(map(str, need.not_))}"] if need.not_ else []
    parts += [f"is at least {need.least}"] if need.least is not None else []
    parts += [f"is at most {need.most}"] if need.most is not None else []
    parts += [f"was {need.minutes} minutes ago"] if need.minutes is not None else []
    parts += ["has been reached"] if need.reached else []
    return f"{need.fact} {' and '.join(parts)}"
