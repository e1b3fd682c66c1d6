"""Replays: states kept on the way make them faster, and never different."""

from __future__ import annotations

import pytest

from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.views import history
from croupier.house.views.history import Replays, replayed
from croupier.store.records import Record
from tests.houses import TestHouse


class Counting:
    """A store that counts the events that are read from it."""

    def __init__(self, house: TestHouse) -> None:
        self._store = house.store
        self.read_events = 0

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[Record]:
        records = self._store.read(stream, after, limit)
        self.read_events += len(records)
        return records


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> tuple[Replays, Counting, str, int]:
    """A table with some rounds; its replays keep every tenth state, at most six of them."""
    monkeypatch.setattr(history, "APART", 10)
    monkeypatch.setattr(history, "MOST_KEPT", 6)
    house = TestHouse()
    house.person("ann", "player")
    table = house.clock_table("craps-nsw-2024")
    house.ok(orders.Sit(table=table, cents=100_00), "ann")
    house.until(lambda: len(house.house.table(table).results) == 16)
    store, stream = Counting(house), table_stream(table)
    return Replays(store), store, stream, house.house.head(stream).version  # type: ignore[arg-type]


def test_every_event_is_replayed_as_from_the_first(played: tuple[Replays, Counting, str, int]) -> None:
    replays, store, stream, last = played
    assert last > 70  # more places than are kept
    for version in [*range(1, last + 1), *range(last, 0, -7), 1, last]:
        assert replays.at(stream, version) == replayed(store, stream, version)  # type: ignore[arg-type]


def test_who_goes_on_reads_only_what_is_new(played: tuple[Replays, Counting, str, int]) -> None:
    replays, store, stream, last = played
    replays.at(stream, last - 1)
    before = store.read_events
    assert before == last - 1
    replays.at(stream, last)
    replays.at(stream, last)
    assert store.read_events == before + 1
    replays.at(stream, last - 3)
    assert store.read_events <= before + 1 + 10
