"""A store laid open, to be changed in any way by somebody who knows the format and puts everything else in order.

Heads, counts and digests are made good, so that nothing gives the change away but the chain and the checkpoints.
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
        """The same, to be changed by itself."""
        other = object.__new__(Opened)
        other.streams = {stream: list(rows) for stream, rows in self.streams.items()}
        return other

    def renumber(self, stream: str) -> None:
        """Count the events anew, as if none were missing or too many."""
        rows = self.streams[stream]
        self.streams[stream] = [(number, document, mark) for number, (_, document, mark) in enumerate(rows, start=1)]

    def rechain(self, stream: str) -> None:
        """Make all hashes anew, as if the documents had always been these."""
        last, rows = anchor(stream), self.streams[stream]
        for place, (version, document, _) in enumerate(rows):
            last = link(last, document)
            rows[place] = (version, document, last)

    def fill(self, store: Store) -> None:
        """Into an empty store, the honest way."""
        store.load(Record(stream, *row) for stream, rows in self.streams.items() for row in rows)

    def heads(self) -> list[tuple[str, int, str]]:
        """What the end of every stream is now."""
        return [(name, len(rows), rows[-1][2].hex()) for name, rows in sorted(self.streams.items()) if rows]

    def export(self, file: Path) -> Path:
        """As an exported file with all that belongs to it."""
        lines: list[object] = [ExportHeader("export", 1, "2026-11-15T14:00:00.000Z", tuple(self.heads()), False)]
        for stream in sorted(self.streams, key=lambda name: (name != STREAM, name)):
            for version, document, mark in self.streams[stream]:
                lines.append(EventLine(stream, version, mark.hex(), document.decode()))
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        footer = ExportFooter(len(self.heads()), len(lines) - 1, 0, sha256(content).hexdigest())
        file.write_bytes(content + msgspec.json.encode(footer) + b"\n")
        return file

    def save(self, file: Path) -> Path:
        """As an SQLite store with all that belongs to it."""
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
    """Streams that are sealed several times, the last time with all there is."""
    sealer = Sealer(store, KEY, "harbour")
    for count in rounds:
        for table in TABLES:
            fill(store, table, count)
        sealer.seal(AT)
