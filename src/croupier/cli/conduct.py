"""`croupier conduct`: who may do what at a table besides wagering, when, and under which clause."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.showing import indented
from croupier.rules.conduct import Act, Conduct, Need

if TYPE_CHECKING:
    import argparse

    from croupier.rules.book import Book
    from croupier.rules.shelf import Shelf


def add_conduct(command: argparse.ArgumentParser) -> None:
    """What may be typed."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("act", metavar="ACT", nargs="?", help="one act, with all that it needs and does")
    command.add_argument("--as", dest="role", metavar="ROLE", help="only what this role may do")
    command.add_argument("--json", action="store_true", help="print JSON")


def show_conduct(shelf: Shelf, given: argparse.Namespace) -> int:
    """The roles of a book, who may give the table's commands, and every act."""
    book = shelf.book(given.book)
    conduct = book.conduct
    if given.role is not None and given.role not in conduct.role_ids:
        known = ", ".join(conduct.role_ids) or "nobody"
        print(f"croupier: {given.book} knows no {given.role}; it knows {known}", file=sys.stderr)
        return 2
    if given.act is not None and given.act not in conduct.by_id:
        say = f"croupier conduct {given.book} lists what there is"
        print(f"croupier: {given.book} knows no act called {given.act}; {say}", file=sys.stderr)
        return 2
    shown = _only(conduct, given.role, given.act)
    if given.json:
        print(json.dumps(msgspec.to_builtins(shown), indent=2, ensure_ascii=False))
        return 0
    console = Console(highlight=False)
    if given.act is not None:
        _show_act(console, book, conduct.by_id[given.act])
    else:
        _show_all(console, book, shown, given.role is None)
    return 0


def _only(conduct: Conduct, role: str | None, act: str | None) -> Conduct:
    """The part of a conduct that one role may do, or one act."""
    powers, acts = conduct.powers, conduct.acts
    if role is not None:
        powers = [power for power in powers if conduct.may(role, power.by)]
        acts = [entry for entry in acts if conduct.may(role, entry.by)]
    if act is not None:
        powers, acts = [], [entry for entry in acts if entry.id == act]
    return msgspec.structs.replace(conduct, powers=powers, acts=acts)


def _show_all(console: Console, book: Book, conduct: Conduct, whole: bool) -> None:
    """Everything, or what is for one role: then nobody else is named."""
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
        indented(console, line, 2)


def _said(book: Book, act: Act) -> Iterator[str]:
    """How an act is put, and what may be said with it."""
    for form in act.says:
        yield f"in words: {escape(form)}"
    for reason in act.grounds:
        known = book.clauses.get(reason)
        yield escape(f"reason: {reason}" if known is None else f"reason: {reason} ({known.summary})")
    for name, words in act.choices.items():
        yield escape(f"{name}: {', '.join(words)}")


def _asked(book: Book, act: Act) -> Iterator[str]:
    """What may stand against an act, its own needs and those of the command that it begins."""
    power = book.conduct.power(act.command, None) if act.command is not None else None
    needs = [(need, act.clause) for need in act.needs]
    needs += [(need, power.clause or act.clause) for need in power.needs] if power is not None else []
    for need, clause in needs:
        refused = escape(f"refused {need.code} ({need.clause or clause}) unless {_need(need)}: ")
        yield f"{refused}[dim]{escape(need.say)}[/dim]"


def _done(act: Act) -> Iterator[str]:
    """What the table remembers afterwards, and what else happens."""
    for name, value in {**act.sets, **{fact: f"{fact} + {more}" for fact, more in act.adds.items()}}.items():
        yield escape(f"then: {name} = {value}")
    if act.clears:
        yield escape(f"then forgotten: {', '.join(act.clears)}")
    if act.effect is not None:
        yield f"what else it does: {act.effect.replace('_', ' ')}"


def _need(need: Need) -> str:
    if need.check is not None:
        return need.check.replace("_", " ")
    parts = [f"is {' or '.join(map(str, need.is_))}"] if need.is_ else []
    parts += [f"is not {' or '.join(map(str, need.not_))}"] if need.not_ else []
    parts += [f"is at least {need.least}"] if need.least is not None else []
    parts += [f"is at most {need.most}"] if need.most is not None else []
    parts += [f"lies {need.minutes} minutes back"] if need.minutes is not None else []
    parts += ["has been reached"] if need.reached else []
    return f"{need.fact} {' and '.join(parts)}"
