"""Books have versions: an amended one exists beside the old one, and wagers keep the terms under which they were
made."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.contract.lines import StandingWager
from croupier.contract.shown_events import EventView, WagerSettled
from croupier.rules.shelf import Shelf
from croupier.table.commands import AdoptRules, Settings
from croupier.table.decide import Refused, Table, open_table
from croupier.table.events import decode, encode
from croupier.table.evolve import evolve
from croupier.table.state import State

AMENDED = """
[book]
id = "craps-nsw-2030"
extends = "craps-nsw-2024"
title = "Craps, amended"
replaces = "craps-nsw-2024"
signed = 2030-01-01

[pay_table.lines]
any_seven = "3 to 1"
"hardway 8" = "9 to 1"
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    file = tmp_path / "craps-nsw-2030.toml"
    file.write_text(AMENDED, encoding="utf-8")
    return open_table("craps-nsw-2024", {"ann": "1000.00", "bob": "1000.00"}, shelf=Shelf((file,)))


def adopt(table: Table, book: str) -> None:
    table.do(AdoptRules(terms=table.shelf.terms(book)))


def settled(happened: list[EventView]) -> dict[str, str]:
    return {event.player: event.paid for event in happened if isinstance(event, WagerSettled)}


def test_the_new_book_stands_beside_the_old_one(table: Table) -> None:
    assert table.shelf.book("craps-nsw-2030").rules.book.replaces == "craps-nsw-2024"
    assert table.shelf.book("craps-nsw-2024").rules.book.replaces is None


def test_wagers_settle_under_the_book_they_were_made_under(table: Table) -> None:
    table.bet("ann", "win_line", "10.00")
    table.roll(5, 4)
    table.bet("ann", "hardway", "10.00", pick=8)
    adopt(table, "craps-nsw-2030")
    table.bet("bob", "hardway", "10.00", pick=8)
    assert settled(table.roll(4, 4)) == {"ann": "95.00", "bob": "90.00"}
    assert table.wagers == [StandingWager(player="ann", wager="win_line", pick=None, amount="10.00", on=True)]
    assert settled(table.roll(6, 3)) == {"ann": "10.00"}


def test_a_wager_under_the_old_book_takes_no_more_chips(table: Table) -> None:
    table.bet("ann", "win_line", "10.00")
    table.roll(5, 4)
    table.bet("ann", "hardway", "10.00", pick=8)
    adopt(table, "craps-nsw-2030")
    with pytest.raises(Refused) as refused:
        table.bet("ann", "hardway", "10.00", pick=8)
    assert refused.value.code == "wager_locked"
    table.take("ann", "hardway", pick=8)
    table.bet("ann", "hardway", "10.00", pick=8)
    assert settled(table.roll(4, 4)) == {"ann": "90.00"}


def test_a_wager_that_the_amended_book_dropped_can_still_be_reduced(tmp_path: Path) -> None:
    file = tmp_path / "small-craps.toml"
    file.write_text(AMENDED.replace("craps-nsw-2030", "craps-nsw-2031"), encoding="utf-8")
    shelf = Shelf((file,))
    del shelf.book("craps-nsw-2031").wagers["hardway"]
    table = open_table("craps-nsw-2024", {"ann": "1000.00"}, settings=Settings(exact_units=True), shelf=shelf)
    table.bet("ann", "hardway", "10.00", pick=8)
    adopt(table, "craps-nsw-2031")
    with pytest.raises(Refused) as refused:
        table.take("ann", "hardway", "3.00", pick=8)
    assert refused.value.code == "amount_not_in_units"
    table.take("ann", "hardway", "4.00", pick=8)
    assert [wager["amount"] for wager in table.wagers] == ["6.00"]


def test_only_an_amendment_of_the_book_in_play_is_adopted(table: Table) -> None:
    for book in ("snake-eyes-nz", "sic-bo-nsw-2016"):
        with pytest.raises(Refused) as refused:
            adopt(table, book)
        assert refused.value.code == "another_game"
    with pytest.raises(Refused) as refused:
        adopt(table, "craps-nsw-2024")
    assert refused.value.code == "same_rules"


def test_the_table_goes_on_under_both_books_after_a_replay(table: Table) -> None:
    table.bet("ann", "any_seven", "10.00")
    adopt(table, "craps-nsw-2030")
    table.bet("bob", "any_seven", "10.00")
    state = State()
    for event in table.history:
        state = evolve(state, decode(encode(event)))
    assert state == table.state
    assert [terms.book for terms in state.terms] == ["craps-nsw-2024", "craps-nsw-2030"]
    assert settled(table.roll(3, 4)) == {"ann": "40.00", "bob": "30.00"}
