"""Who may do what, over all books, acts, commands and roles: the running tables against tests/powers.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.table import commands
from croupier.table.conduct.powers import WORDS
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.table import open_table
from tests.powers import EXPECTED, UNSAID
from tests.tables import BOOKS, SHELF, ordinary_commands


def asked(book_id: str) -> Iterator[tuple[str, commands.AnyCommand]]:
    """Every act and every command, void throws once for each ground, under its name in the expectations."""
    book = SHELF.book(book_id)
    for act in book.conduct.acts:
        yield act.id, commands.PerformAct(act=act.id, said={"person": "bob"} if act.id == "side_bet" else {})
    for command in ordinary_commands(book_id):
        if isinstance(command, commands.VoidThrow):
            yield f"void {command.reason}", command
        else:
            yield "throw, told" if isinstance(command, commands.Throw) else WORDS[type(command)], command


def permitted(state: State, command: commands.AnyCommand, role: str) -> bool:
    """Whether a table lets the role do it: whatever else may stand against it, it is not the role."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    given = type(command)(**{**fields, "by": role, "who": "ann"})
    start = State() if isinstance(command, commands.OpenTable) else state
    decision = decide(SHELF, start, given)
    return not (
        isinstance(decision, Refusal) and decision.code in ("not_permitted", "side_bet")
    )  # a side bet is nobody's


def test_every_act_and_every_command_of_every_book_is_expected() -> None:
    assert set(EXPECTED) == set(BOOKS)
    for book_id in BOOKS:
        assert set(EXPECTED[book_id]) == {name for name, _ in asked(book_id)}, book_id
    assert {(book, name) for book, name in UNSAID if name not in EXPECTED[book]} == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_everybody_may_do_what_the_document_gives_them_and_nothing_else(book_id: str) -> None:
    state = open_table(book_id, {"ann": "100.00", "bob": "100.00"}, shelf=SHELF).state
    roles = SHELF.book(book_id).conduct.role_ids
    wrong: list[str] = []
    for name, command in asked(book_id):
        expected, clause = EXPECTED[book_id][name]
        if expected is None:
            continue
        assert expected <= set(roles), (name, expected)
        for role in set(roles) - UNSAID.get((book_id, name), frozenset()):
            may = permitted(state, command, role)
            if may != (role in expected):
                wrong.append(f"{name} ({clause}): the {role} {'may' if may else 'may not'}")
    assert sorted(wrong) == []
