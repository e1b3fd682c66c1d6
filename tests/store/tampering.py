"""A store opened up for changes by someone who knows the format and makes everything else consistent.

Heads, counts and digests are recomputed, so that only the chain and the checkpoints can reveal the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import apsw
import msgspec

from croupier.store import Record, Store
from croupier.store.checkpoints import STREAM, Sealer
from croupier.store.exporting import EventLine, ExportFooter, ExportHeader
from croupier.store.keys import HouseKey
from croupier.store.records import anchor, link
from croupier.store.sqlite import SqliteStore
from tests.store.writes import fill

AT = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
KEY = HouseKey.new()
TABLES = ("account/ann", "table/a", "table/b")

Row = tuple[int, bytes, bytes]  # version, document, hash


class Opened:
    """All events of a store, stream by stream, free to be changed."""

    def __init__(self, store: Store) -> None:
        self.streams: dict[str, list[Row]] = {
            head.stream: [(record.version, record.document, record.hash) for record in store.read(head.stream)]
            for head in store.heads()
        }

    def copy(self) -> Opened:
        """A copy that can be changed separately."""
        other = object.__new__(Opened)
        other.streams = {stream: list(rows) for stream, rows in self.streams.items()}
        return other

    def renumber(self, stream: str) -> None:
        """Number the events again, as if none were missing or added."""
        rows = self.streams[stream]
        self.streams[stream] = [(number, document, mark) for number, (_, document, mark) in enumerate(rows, start=1)]

    def rechain(self, stream: str) -> None:
        """Recompute all hashes, as if the documents had always been these."""
        last, rows = anchor(stream), self.streams[stream]
        for place, (version, document, _) in enumerate(rows):
            last = link(last, document)
            rows[place] = (version, document, last)

    def fill(self, store: Store) -> None:
        """Write it all to an empty store in the regular way."""
        store.load(Record(stream, *row) for stream, rows in self.streams.items() for row in rows)

    def heads(self) -> list[tuple[str, int, str]]:
        """The current head of every stream."""
        return [(name, len(rows), rows[-1][2].hex()) for name, rows in sorted(self.streams.items()) if rows]

    def export(self, file: Path) -> Path:
        """Save as an exported file with everything that belongs to it."""
        lines: list[object] = [ExportHeader("export", 1, "2026-11-15T14:00:00.000Z", tuple(self.heads()), False)]
        for stream in sorted(self.streams, key=lambda name: (name != STREAM, name)):
            for version, document, mark in self.streams[stream]:
                lines.append(EventLine(stream, version, mark.hex(), document.decode()))
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        footer = ExportFooter(len(self.heads()), len(lines) - 1, 0, sha256(content).hexdigest())
        file.write_bytes(content + msgspec.json.encode(footer) + b"\n")
        return file

    def save(self, file: Path) -> Path:
        """Save as an SQLite store with everything that belongs to it."""
        SqliteStore(file).close()
        with closing(apsw.Connection(str(file))) as connection, connection:
            for stream, rows in self.streams.items():
                connection.executemany(
                    "INSERT INTO records (stream, version, document, hash) VALUES (?, ?, ?, ?)",
                    [(stream, *row) for row in rows],
                )
            heads = [(name, version, bytes.fromhex(mark)) for name, version, mark in self.heads()]
            connection.executemany("INSERT INTO heads VALUES (?, ?, ?)", heads)
        return file


def furnish(store: Store, rounds: Sequence[int] = (3, 2, 4)) -> None:
    """Streams that are sealed several times, the last time with everything in them."""
    sealer = Sealer(store, KEY, "harbour")
    for count in rounds:
        for table in TABLES:
            fill(store, table, count)
        sealer.seal(AT)
