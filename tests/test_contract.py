"""The contract: one struct for each reply, for those who build it and those who read it."""

from __future__ import annotations

import msgspec
import pytest

from croupier import rulebooks
from croupier.contract.replies import Entry, FullEntry, Table, TableSign
from tests.houses import SHELF
from tools.page_types import TARGET, page_types


def test_the_types_of_the_pages_are_those_of_the_contract() -> None:
    assert TARGET.read_text(encoding="utf-8") == page_types(), "run python -m tools.page_types"


@pytest.mark.parametrize("book", rulebooks.ids())
def test_every_phase_and_every_fixed_amount_of_a_book_has_a_field(book: str) -> None:
    rules = SHELF.book(book)
    assert {phase.id for phase in rules.rules.phases if phase.shows} <= {*Table.__struct_fields__}
    assert rules.fixed_stakes.keys() <= {*TableSign.__struct_fields__}


def test_only_people_who_may_know_are_sent_who_did_it() -> None:
    fields = {"version": 1, "hash": "ab", "at": "2026-11-15T01:00:00.000000Z", "type": "thrown", "events": []}
    assert msgspec.to_builtins(Entry(**fields)) == fields  # type: ignore[arg-type]
    full = FullEntry(**fields)  # type: ignore[arg-type]
    assert msgspec.to_builtins(full) == fields | {"who": None, "as": None, "order": None}
    assert msgspec.convert(msgspec.to_builtins(full), Entry) == Entry(**fields)  # type: ignore[arg-type]


def test_a_reply_is_read_by_the_names_that_are_sent() -> None:
    entry = Entry(version=1, hash="ab", at="now", type="thrown", events=[], role="dealer")
    assert (entry["version"], entry["as"]) == (1, "dealer")
    with pytest.raises(KeyError):
        entry["role"]
