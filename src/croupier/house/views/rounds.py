"""The events of one throw at a table: found by the number of its round, or by any event that belongs to it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.contract.replies import PastRound
from croupier.house import events as house
from croupier.house.stored_events import Entry, read
from croupier.store.contract import Reading
from croupier.table import events

PIECE = 200  # events read together
MOST_READ = 10_000  # events searched in one direction

_ENDS = (events.Thrown, events.ThrowVoided, events.OutcomeInvalidated, house.RoundCancelled)
_BEGINS = (house.RoundOpened, events.TableOpened)
_SHUTS = (house.BetsShut, events.BetsClosed)
_NUMBERED = (
    house.RoundOpened,
    house.ClockSet,
    house.LastCalled,
    house.NumberCommitted,
    house.PlayerReady,
    house.BetsShut,
    house.NumberShown,
    house.DiceDrawn,
    house.RoundCancelled,
)


def round_by_number(store: Reading, stream: str, number: int) -> PastRound | None:
    """Return a round of a self-running table. Its number never goes back, so it is found by halving.

    Raises StoreError.
    """
    least, most = 0, store.head(stream).version  # the opening is after `least`, at or before `most`
    while least < most:
        middle = (least + most) // 2
        found = next((entry for entry in _forwards(store, stream, middle) if _number(entry) is not None), None)
        if found is None or found.version > most or (_number(found) or 0) > number:
            most = middle
        elif _number(found) == number and isinstance(found.document.event, house.RoundOpened):
            return round_at(store, stream, found.version)
        elif (_number(found) or 0) < number:
            least = found.version
        else:
            most = middle
    return None


def _number(entry: Entry) -> int | None:
    event = entry.document.event
    return event.number if isinstance(event, _NUMBERED) else None


def round_at(store: Reading, stream: str, version: int) -> PastRound | None:
    """Return the round that an event belongs to: that of the next throw, unless it was settled with one.

    Raises StoreError.
    """
    here = next(iter(_forwards(store, stream, version - 1)), None)
    if here is None:
        return None
    end = _end_of(store, stream, here)
    last = _last_of(store, stream, here if end is None else end)
    parts = list(_parts(store, stream, last, end))
    if not parts:
        return None
    shut = next((entry for entry in parts if isinstance(entry.document.event, _SHUTS)), None)
    number = next((_number(entry) for entry in parts if _number(entry) is not None), None)
    thrown = end is not None and isinstance(end.document.event, events.Thrown)
    return PastRound(
        table=stream.partition("/")[2],
        round=number,
        first=parts[-1].version,
        last=last,
        shut=None if shut is None else shut.version,
        thrown=end.version if end is not None and thrown else None,
        is_over=end is not None,
    )


def _end_of(store: Reading, stream: str, here: Entry) -> Entry | None:
    """Return the throw that an event was settled with, or the next one; None if it is still to come."""
    for entry in _backwards(store, stream, here.version):
        if entry.document.order != here.document.order or isinstance(entry.document.event, _BEGINS):
            break
        if isinstance(entry.document.event, _ENDS):
            return entry
    ahead = _forwards(store, stream, here.version)
    return next((entry for entry in ahead if isinstance(entry.document.event, _ENDS)), None)


def _last_of(store: Reading, stream: str, end: Entry) -> int:
    """Return the last event of a throw: it has the order of the throw. Without a throw, that is the newest one."""
    last = end.version
    if not isinstance(end.document.event, _ENDS):
        return store.head(stream).version
    for entry in _forwards(store, stream, end.version):
        if entry.document.order != end.document.order or isinstance(entry.document.event, _BEGINS):
            break
        last = entry.version
    return last


def _parts(store: Reading, stream: str, last: int, end: Entry | None) -> Iterator[Entry]:
    """Yield the events of a round, the last first."""
    own = None if end is None else end.document.order
    waiting: list[Entry] = []  # they may have been settled with the throw before
    for entry in _backwards(store, stream, last):
        document = entry.document
        if end is None or document.order != own:
            if isinstance(document.event, _ENDS):
                yield from (one for one in waiting if one.document.order != document.order)
                return
            waiting.append(entry)
        else:
            yield entry
        if isinstance(document.event, _BEGINS):
            break
    yield from waiting


def _forwards(store: Reading, stream: str, after: int) -> Iterator[Entry]:
    end = after + MOST_READ
    while after < end and (records := store.read(stream, after, PIECE)):
        yield from map(read, records)
        after = records[-1].version


def _backwards(store: Reading, stream: str, end: int) -> Iterator[Entry]:
    least = max(0, end - MOST_READ)
    while end > least:
        start = max(least, end - PIECE)
        yield from map(read, reversed(store.read(stream, start, end - start)))
        end = start
