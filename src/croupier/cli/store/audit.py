"""Audit a house's books in a store or an exported file: every document is readable, and everything adds up."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import msgspec

from croupier.bounded_reading import MOST_IN_A_RECORD
from croupier.cli.store.transfer import StillStore
from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES
from croupier.house.reporting.books import audit, entries
from croupier.house.stored_events import Entry, UnknownFormat
from croupier.store.contract import StoreError
from croupier.store.exporting import EventLine, ExportHeader, ExportLines, RefusalLine, every_record, read_document
from croupier.store.records import Record

Streams = Mapping[str, Iterable[Record]]


class Wrong(msgspec.Struct, frozen=True):
    """Something wrong, and where."""

    kind: str
    sentence: str
    stream: str | None = None
    version: int | None = None


class Audited(msgspec.Struct, frozen=True):
    """The scope of the audit and the faults found. A store without tables and accounts is not a house's."""

    tables: int
    accounts: int
    wrong: list[Wrong]


def audited(streams: Streams) -> Audited:
    """Read every document of a house and audit its books. Only for streams that verified without faults."""
    unread: list[Wrong] = []

    def read(stream: str, records: Iterable[Record]) -> Iterator[Entry]:
        for record in records:
            try:
                yield from entries([record])
            except UnknownFormat as error:
                where = f"Event {record.version} of {stream}"
                unread.append(Wrong("unread", f"{where} cannot be read: {error}", stream, record.version))
                return

    kept = (stream for stream in streams if stream.startswith((TABLES, ACCOUNTS, PROMOTIONS)))
    house = {stream: read(stream, streams[stream]) for stream in kept}
    found = [Wrong("books", str(finding), finding.stream, finding.version) for finding in audit(house)]
    tables = sum(stream.startswith(TABLES) for stream in house)
    # An unreadable document would also be missing from the books: report one fault, not many.
    return Audited(tables, len(house) - tables, unread or found)


def of_store(store: StillStore) -> Streams:
    """Return all streams of a store, read on demand."""
    return {head.stream: every_record(store, head.stream) for head in store.heads()}


def audited_export(path: Path, digest: str | None) -> Audited:
    """Audit the books in a verified file, which had this digest then. Raises StoreError."""
    lines = ExportLines(path)
    rows = iter(lines)
    changed = StoreError(f"{path} was changed while it was read.")
    try:
        done = audited(_in_order(path, rows))
        deque(rows, maxlen=0)  # to the end, where the digest is known
    except (ValueError, msgspec.MsgspecError):
        raise changed from None
    if lines.digest != digest:
        raise changed
    return done


def _in_order(path: Path, rows: Iterator[EventLine | RefusalLine]) -> Streams:
    """Return all streams of a file. They lie one after another: read in this order, they take a single pass."""
    with path.open("rb") as file:
        header = msgspec.json.decode(file.readline(MOST_IN_A_RECORD), type=ExportHeader)
    groups = groupby((row for row in rows if isinstance(row, EventLine)), attrgetter("stream"))

    def of(stream: str) -> Iterator[Record]:
        for name, found in groups:
            if name == stream:
                for row in found:
                    yield Record(stream, row.version, read_document(row), bytes.fromhex(row.hash))
                return

    return {stream: of(stream) for stream in sorted(name for name, _, _ in header.heads)}
