"""Events as structs: they are what the pipe prints, with the types that they declare, and read like dicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import croupier
from croupier.contract import shown_events
from croupier.contract.shown_events import EventView, JsonRecord, read_event
from croupier.scenarios import read_scenarios, scenario_runner
from croupier.table import event_views
from croupier.table.events import AnyEvent
from croupier.table.state import TableView
from tests.tables import BOOKS, SHELF

RULEBOOKS = Path(croupier.__file__).parent / "rulebooks"


def bet_and_roll() -> list[EventView]:
    table = croupier.open_table("craps-nsw-2024", {"ann": "100.00"}, shelf=SHELF)
    return table.bet("ann", "win_line", "10.00") + table.roll(3, 4)


def test_events_have_attributes_and_read_like_dicts() -> None:
    placed, thrown, settled, *_ = bet_and_roll()
    assert isinstance(placed, shown_events.WagerPlaced)
    assert (placed.amount, placed.clause, placed.tokens) == ("10.00", "6.2.1", None)
    assert placed["amount"] == "10.00"
    assert placed.get("tokens", "none") == "none"
    assert "tokens" not in placed
    assert "pick" in placed  # null in JSON, but there
    with pytest.raises(KeyError):
        placed["tokens"]
    assert isinstance(thrown, shown_events.Thrown)
    assert (thrown.dice, thrown.coins, thrown["dice"]) == ([3, 4], None, [3, 4])
    assert isinstance(settled, shown_events.WagerSettled)
    assert settled.returned == "20.00"
    assert list(settled) == settled.keys() == list(dict(settled.items()))
    assert dict(settled)["type"] == settled.type == "wager_settled"


def test_fields_that_a_book_names_are_printed_in_their_place() -> None:
    table = croupier.open_table("craps-nsw-2024", {"ann": "100.00"}, shelf=SHELF)
    table.bet("ann", "win_line", "10.00")
    (done, *_) = table.act("exchange_voucher", "dealer", player="ann", amount="20.00")
    assert isinstance(done, shown_events.ActDone)
    assert done.said == {"player": "ann", "amount": "20.00"}
    assert (done["player"], done["as"]) == ("ann", "dealer")
    assert list(done)[4:8] == ["at", "player", "amount", "call"]


def test_every_event_of_the_table_has_a_struct() -> None:
    assert set(event_views._ROWS) == set(get_args(AnyEvent))


def rows_of(book: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventView]:
    """Every event that occurs in the scenarios of a book."""
    seen: list[EventView] = []
    rows = event_views.event_rows

    def watched(view: TableView, event: AnyEvent) -> list[EventView]:
        shown = rows(view, event)
        seen.extend(shown)
        return shown

    monkeypatch.setattr(scenario_runner, "event_rows", watched)
    for file in sorted((RULEBOOKS / book).rglob("*.scenario")):
        for scenario in read_scenarios(file.read_text(encoding="utf-8"), str(file)):
            if not scenario.promotion:
                scenario_runner.run_scenario(scenario, SHELF)
        yield from seen
        seen.clear()


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_printed_has_the_types_of_the_struct(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is equal when it is read back, so every field has its declared type."""
    kinds = set()
    for row in rows_of(book, monkeypatch):
        printed = msgspec.json.decode(msgspec.json.encode(row.printable))
        assert read_event(printed) == row
        assert msgspec.json.encode(row.as_dict()) == msgspec.json.encode(row.printable)
        kinds.add(row.type)
    assert len(kinds) > 20


def test_an_event_of_another_house_is_not_read() -> None:
    assert read_event({"type": "unheard_of"}) is None
    with pytest.raises(msgspec.ValidationError):
        read_event({"type": "thrown"})


def test_a_record_without_flat_fields_is_printed_as_it_is() -> None:
    sign = shown_events.PrintedSign(seats=3, fixed_stakes={"super_streak": "5.00"})
    assert sign.as_dict() == {"seats": 3, "super_streak": "5.00"}
    limits: JsonRecord = shown_events.StakeLimits(min=None, max="5.00")
    assert limits.printable is limits
    assert limits.as_dict() == {"min": None, "max": "5.00"}
