"""Past wagers of a person, newest first, and the state of a stream after any of its events. From events alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import NamedTuple

import msgspec

from croupier.contract.replies import PastWager, PastWagers
from croupier.felt.areas import wager_name
from croupier.house.house import House
from croupier.house.live_streams import Restored
from croupier.house.stored_events import Entry, read
from croupier.money import format_cents
from croupier.store.contract import Reading
from croupier.table.events import AreaSettled, ResultTakenBack, Thrown
from croupier.table.state import TableView

PIECE = 500  # events read together
MOST_READ = 10_000  # events searched at once, for a person with few wagers among them


class _Found(NamedTuple):
    """A settled wager whose throw has not been found yet; both were stored by the same order."""

    wager: PastWager
    order: str | None


def past_wagers(
    store: Reading, stream: str, view: TableView, person: str, before: int | None, limit: int
) -> PastWagers:
    """Return a person's wagers settled before an event.

    It reads backwards, so the cost grows with how far back they are, up to MOST_READ events; then it returns what it
    found, and the next call continues from there. Raises StoreError, UnknownFormat.
    """
    head = store.head(stream).version
    end = head if before is None else min(before - 1, head)
    least = max(0, end - MOST_READ)
    wagers: list[PastWager] = []
    for wager in _with_throws(_backwards(store, stream, least, end), view, person):
        wagers.append(wager)
        if len(wagers) == limit:
            return PastWagers(wagers, wager.version)
    return PastWagers(wagers, least + 1 if least else None)


def _backwards(store: Reading, stream: str, least: int, end: int) -> Iterator[Entry]:
    while end > least:
        start = max(least, end - PIECE)
        yield from map(read, reversed(store.read(stream, start, end - start)))
        end = start


def _with_throws(entries: Iterable[Entry], view: TableView, person: str) -> Iterator[PastWager]:
    """Yield settled wagers, each with the preceding throw of the same order."""
    waiting: list[_Found] = []
    taken_back = False  # whether the next throw found, further back, was a result that was taken back
    for entry in entries:
        document = entry.document
        if waiting and waiting[0].order != document.order:
            yield from (found.wager for found in waiting)
            waiting = []
        match document.event:
            case AreaSettled() as event:
                own = _settled(view, entry, event, person)
                waiting += [] if own is None else [_Found(own, document.order)]
            case Thrown(faces=faces, call=call):
                if not taken_back:
                    yield from (msgspec.structs.replace(found.wager, faces=list(faces), call=call) for found in waiting)
                waiting, taken_back = [], False
            case ResultTakenBack():
                yield from (found.wager for found in waiting)
                waiting, taken_back = [], True
    yield from (found.wager for found in waiting)


def _settled(view: TableView, entry: Entry, event: AreaSettled, person: str) -> PastWager | None:
    stakes = next((row for row in event.stakes if row[0] == person), None)
    if stakes is None:
        return None
    book, pick = view.game_of(event.area).book, view.shown_pick(event.area)
    _, stake, paid, returned = stakes
    return PastWager(
        version=entry.version,
        at=entry.document.at,
        wager=event.wager,
        name=wager_name(book.wagers[event.wager], pick),
        pick=pick,
        result=event.result,
        stake=format_cents(stake),
        paid=format_cents(paid),
        returned=format_cents(returned),
        book=book.id,
        clause=event.clause,
    )


# Replaying

AT_ONCE = 10_000  # events replayed together
APART = 1_000  # events between two cached states
MOST_KEPT = 64  # cached states, of all streams together


def replayed(store: Reading, stream: str, version: int, since: Restored | None = None) -> Restored:
    """Return a stream after one of its events, replayed from the first one or from the earlier state `since`.

    Raises StoreError, UnknownFormat.
    """
    house, after = House(), 0 if since is None else since.head.version
    while after < version:
        records = store.read(stream, after, min(AT_ONCE, version - after))
        house.take_in(stream, records, restored=since)
        after = records[-1].version
    return Restored(house.state(stream), house.head(stream))


class Replays:
    """Replays of one store. It caches states on the way, so that stepping back and forth is cheap."""

    def __init__(self, store: Reading) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, int], Restored] = OrderedDict()
        self._lock = Lock()

    def at(self, stream: str, version: int) -> Restored:
        """Return a stream after one of its events. Raises StoreError, UnknownFormat."""
        there = self._nearest(stream, version)
        while there is None or there.head.version < version:
            before = 0 if there is None else there.head.version
            there = replayed(self._store, stream, min(version, before - before % APART + APART), there)
            self._keep(stream, there)
        return there

    def _nearest(self, stream: str, version: int) -> Restored | None:
        with self._lock:
            places = [kept for kept in self._kept if kept[0] == stream and kept[1] <= version]
            if not places:
                return None
            nearest = max(places)
            self._kept.move_to_end(nearest)
            return self._kept[nearest]

    def _keep(self, stream: str, there: Restored) -> None:
        with self._lock:
            self._kept[stream, there.head.version] = there
            self._kept.move_to_end((stream, there.head.version))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
