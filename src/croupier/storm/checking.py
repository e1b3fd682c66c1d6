"""What must hold once a storm is over. Every check tells what it found, in a sentence for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from croupier.house.documents import Entry
from croupier.house.electronic.fair import verify_dice
from croupier.house.electronic.public import public_record
from croupier.house.events import TableSet
from croupier.house.house import House
from croupier.house.orders import AtTable, Order
from croupier.house.streams import table_stream
from croupier.rules.shelf import Shelf
from croupier.store.chain import anchor, link
from croupier.store.records import Record
from croupier.storm.node import Node, Published
from croupier.storm.people import Asked
from croupier.table.events import TableOpened
from croupier.table.telling import Told

Records = Mapping[str, list[Record]]
Read = Mapping[str, list[Entry]]


def broken_chains(records: Records) -> Iterator[str]:
    """Versions without a gap, each hash from all before it."""
    for stream, stored in records.items():
        last = anchor(stream)
        for place, record in enumerate(stored, 1):
            last = link(last, record.document)
            if record.version != place or record.hash != last:
                yield f"{stream}: event {place} does not follow the one before it"


# Orders


def lost_or_doubled(read: Read, asked: Iterable[Asked]) -> Iterator[str]:
    """Every order that was acknowledged is there once, in full; one that was refused, not at all; all are answered."""
    written: defaultdict[str, defaultdict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for stream, entries in read.items():
        for entry in entries:
            written[entry.document.order or ""][stream].append(entry)
    for order, answers in asked:
        there = written[order.id]
        if not answers:
            yield f"{order.id} was never answered"
        else:
            yield from _against(order, answers, there)
        yield from _once(order, there)


def _against(order: Order, answers: Sequence[Told], there: Mapping[str, list[Entry]]) -> Iterator[str]:
    """What is there of an order against what was answered to it."""
    if any(answer != answers[0] for answer in answers):
        yield f"{order.id} was answered in two ways"
    if answers[0]["ok"]:
        if answers[0]["versions"] != {stream: entries[-1].version for stream, entries in there.items()}:
            yield f"{order.id} was acknowledged and is not there"
    elif there:
        yield f"{order.id} was refused and is there"


def _once(order: Order, there: Mapping[str, list[Entry]]) -> Iterator[str]:
    """All events of an order were decided in one moment and stand together, after what its giver had seen."""
    # A table whose record has come further than a clock that was put back keeps its own, later time.
    if any(len({entry.document.at for entry in entries}) > 1 for entries in there.values()):
        yield f"{order.id} is there more than once"
    for stream, entries in there.items():
        if entries[-1].version - entries[0].version + 1 != len(entries):
            yield f"{order.id} is there in pieces in {stream}"
    deed = order.deed
    if isinstance(deed, AtTable) and deed.version is not None:
        first = there.get(table_stream(deed.table))
        if first and first[0].version != deed.version + 1:
            yield f"{order.id} was for version {deed.version} and is there as {first[0].version}"


# Processes


def wrong_memories(shelf: Shelf, records: Records, nodes: Sequence[Node]) -> Iterator[str]:
    """What a process holds in memory is what the store has, all of it once it has caught up."""
    for stream, stored in records.items():
        fresh = House(shelf)
        fresh.take_in(stream, stored)
        for node in nodes:
            if not node.house.has(stream):
                continue
            if node.house.head(stream) != fresh.head(stream) or node.house.state(stream) != fresh.state(stream):
                yield f"{stream}: a process holds something else than the store"
            if node.house.newest_head(stream) != fresh.head(stream):
                yield f"{stream}: a process goes by something that was never stored"


def wrong_news(records: Records, nodes: Sequence[Node]) -> Iterator[str]:
    """What was published is stored, and every life of a process told it without a gap."""
    for node in nodes:
        yield from node.findings
        for stream, version, hashed in node.published:
            if version > len(records[stream]) or records[stream][version - 1].hash != hashed:
                yield f"{Published(stream, version, hashed).stream}: event {version} was published and never stored"


# Tables


def wrong_dice(shelf: Shelf, records: Records, read: Read) -> Iterator[str]:
    """The throws of every table that runs by itself, checked from its public record alone."""
    for stream, entries in read.items():
        first = entries[0].document.event
        if not isinstance(first, TableSet) or first.rhythm is None:
            continue
        opened = next(e.document.event for e in entries if isinstance(e.document.event, TableOpened))
        verdict = verify_dice(public_record(stream, shelf.game(opened.terms).book.rules.throw, records[stream]))
        yield from (f"{stream}: {finding}" for finding in verdict.findings)


def due_now(nodes: Sequence[Node]) -> set[tuple[str, int]]:
    """Tables whose next step is due, and how far they have come: one that is twice the same stands still."""
    return {
        (table, node.house.head(table_stream(table)).version)
        for node in nodes
        for when, table in node.house.due()
        if when <= node.clock
    }
