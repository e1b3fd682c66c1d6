"""Reports, books, registers and exports of a running house, made one at a time in a separate thread.

A report is incremental: reading a table continues after the last event it has seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TypeVar

import msgspec

from croupier.contract.management import Finding, Glance
from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES, table_stream
from croupier.house.queries import (
    Claimants,
    Counting,
    Followed,
    Open,
    Paces,
    Played,
    Plays,
    Registers,
    Report,
    Reports,
    SoFar,
    Span,
    Stretch,
    audited,
    claimants_of,
    entries,
    figures_of,
    stretch_of,
)
from croupier.house.stored_events import Entry, UnknownFormat
from croupier.rules.shelf import Shelf
from croupier.store.contract import CorruptStore, Reading, Store, StoreError
from croupier.store.exporting import every_record, export_to
from croupier.store.keys import HouseKey
from croupier.store.records import Record
from croupier.store.view import PAGE
from croupier.table.clock import local_day

MOST_COUNTS = 32  # running counts of play; the one unused for longest is dropped and recounted when needed

T = TypeVar("T")


class TableReport(msgspec.Struct, frozen=True):
    """One table up to a version: its periods, and the wagers on its layout."""

    version: int
    periods: list[Report]
    open: list[Open]


class BooksReport(msgspec.Struct, frozen=True):
    """All balances of the house at one moment, in cents, and the findings of an audit."""

    events: int
    streams: int
    balances: dict[str, int]
    total: int
    findings: list[Finding]


class ReportWorker:
    """Computes reports in its own thread, so that they never take the threads that orders need."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self._store = store
        self._paths = tuple(shelf.extra.values())
        self._clerk = ThreadPoolExecutor(1, "croupier-reports")
        self._begin()

    def _begin(self) -> None:
        shelf = Shelf(self._paths)  # its own: the house's shelf is used in another thread
        self._reports = Reports(shelf)
        self._followed = Followed(shelf)
        self._paces = Paces()
        self._read: dict[str, int] = {}
        self._glances: dict[str, Glance] = {}
        self._stretches: dict[str, list[Stretch]] = {}
        self._counts: dict[Counting, dict[str, SoFar]] = {}

    async def _in_turn(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, work)

    # Reports

    async def table(self, table: str, span: Span) -> TableReport:
        """Report on a table as far as it is stored. Raises StoreError."""
        return await self._in_turn(lambda: self._table(table, span))

    def _table(self, table: str, span: Span) -> TableReport:
        stream = table_stream(table)
        with self._store.still() as view:
            self._go_on(view, stream)
        return TableReport(self._read[stream], self._reports.table(table, span), self._reports.standing(table))

    async def house(self, span: Span) -> list[Report]:
        """Report on all tables together. Raises StoreError."""
        return await self._in_turn(lambda: self._house(span))

    def _house(self, span: Span) -> list[Report]:
        with self._store.still() as view:
            for head in view.heads(TABLES):
                self._go_on(view, head.stream)
        return self._reports.house(span)

    async def glance(self, table: str, version: int, zone: str, now: datetime) -> Glance:
        """Return a table's day so far and its pace, at least up to a version. Raises StoreError."""
        return await self._in_turn(lambda: self._glance(table, version, zone, now))

    def _glance(self, table: str, version: int, zone: str, now: datetime) -> Glance:
        stream, day = table_stream(table), local_day(now, zone).isoformat()
        if self._read.get(stream, 0) < version:
            with self._store.still() as view:
                self._go_on(view, stream)
        known = self._glances.get(table)
        if known is None or known.version != self._read[stream] or known.figures.day != day:
            figures = figures_of(day, self._reports.day(table, day))
            known = Glance(self._read[stream], figures, self._paces.pace(stream, now))
        else:  # nothing has happened, but the pace changes with time
            known = msgspec.structs.replace(known, pace=self._paces.pace(stream, now))
        self._glances[table] = known
        return known

    def _go_on(self, view: Reading, stream: str) -> None:
        """Read the events of a stream since the last time."""
        after = self._read.setdefault(stream, 0)
        while records := view.read(stream, after, PAGE):
            self._take_in(view, stream, records)
            after = self._read[stream] = records[-1].version

    def _take_in(self, view: Reading, stream: str, records: list[Record]) -> None:
        try:
            read = list(entries(records))
            self._reports.take_in(stream, read)
            self._paces.take_in(stream, read)
        except Exception as error:  # the hashes are right, but the events do not make sense
            self._begin()  # the count of that stream is unreliable now: start over
            first, last = records[0].version, records[-1].version
            say = f"{view.name} is damaged: events {first} to {last} of {stream} cannot be understood: {error}"
            raise CorruptStore(f"{say.rstrip('.')}.", stream, first) from error

    # Books

    async def books(self) -> BooksReport:
        """Return all balances and the findings of an audit. Raises StoreError."""
        return await self._in_turn(self._books)

    def _books(self) -> BooksReport:
        with self._store.still() as view:
            heads = [head for head in view.heads() if head.stream.startswith((TABLES, ACCOUNTS, PROMOTIONS))]
            books, findings = audited({head.stream: _every_entry(view, head.stream) for head in heads})
        events = sum(head.version for head in heads)
        return BooksReport(events, len(heads), books.balances(), books.total, findings)

    # Registers

    async def registers(self, asked: Callable[[Registers, Claimants | None], T], *, names: bool = False) -> T:
        """Evaluate a query on the registers, as far as all streams are stored. Raises StoreError.

        Names and addresses of claimants are read only if `names` is set.
        """
        return await self._in_turn(lambda: self._registers(asked, names))

    def _registers(self, asked: Callable[[Registers, Claimants | None], T], names: bool) -> T:
        with self._store.still() as view:
            registers = self._followed.up_to(view)
            claimants = claimants_of(view) if names else None
        return asked(registers, claimants)

    # Play

    async def plays(self, counting: Counting, tables: Mapping[str, int | None]) -> Played:
        """Return what play at these tables has earned, up to a version of each; None means as far as it is stored.

        The same versions give the same entries, whenever they are counted. Raises StoreError.
        """
        return await self._in_turn(lambda: self._plays(counting, tables))

    def _plays(self, counting: Counting, tables: Mapping[str, int | None]) -> Played:
        plays, versions = Plays(counting), dict[str, int]()
        with self._store.still() as view:
            for table, upto in sorted(tables.items()):
                stream = table_stream(table)
                head = view.head(stream).version
                versions[table] = head if upto is None else min(head, upto)
                for records in self._touched(view, stream, versions[table], counting):
                    plays.take_in(_entries(view, stream, records))
        return Played(plays.staked, plays.entries(), versions)

    def _touched(self, view: Reading, stream: str, end: int, counting: Counting) -> Iterator[list[Record]]:
        """Yield the pages of a stream in which something may count; of the others, read only the times, and once."""
        known = self._stretches.setdefault(stream, [])
        for number, after in enumerate(range(0, end, PAGE)):
            if number < len(known):
                stretch = known[number]
            else:
                page = view.read(stream, after, PAGE, verified=False)
                stretch = stretch_of(page)
                if len(page) == PAGE:
                    known.append(stretch)
            if stretch.touches(counting):
                yield view.read(stream, after, min(PAGE, end - after))

    async def staked_by(self, person: str, counting: Counting, tables: Mapping[str, int]) -> int:
        """Return what a person has staked at these tables that counts, in cents, at least up to these versions.

        One running count covers all players: however often people ask, every event is read once. Raises StoreError.
        """
        return await self._in_turn(lambda: self._staked_by(person, counting, tables))

    def _staked_by(self, person: str, counting: Counting, tables: Mapping[str, int]) -> int:
        counts = self._counts[counting] = self._counts.pop(counting, {})
        while len(self._counts) > MOST_COUNTS:
            del self._counts[next(iter(self._counts))]
        behind = [table for table, upto in tables.items() if table not in counts or counts[table].upto < upto]
        if behind:
            with self._store.still() as view:
                for table in behind:
                    known = counts.pop(table, SoFar(Plays(counting), 0))  # a count that fails midway is started over
                    counts[table] = self._gone_on(view, table_stream(table), known, counting)
        return sum(counts[table].plays.staked.get(person, 0) for table in tables)

    def _gone_on(self, view: Reading, stream: str, known: SoFar, counting: Counting) -> SoFar:
        plays, after = known
        end = view.head(stream).version
        pages = _pages(view, stream, after) if after else self._touched(view, stream, end, counting)
        for records in pages:
            plays.take_in(_entries(view, stream, records))
        return SoFar(plays, end)

    # Exports

    async def export(self, at: datetime, key: HouseKey, refusals: bool) -> Exported:
        """Write all events of the store to a signed file, complete before any of it is sent. Raises StoreError.

        So a slow reader does not hold a view of the store open, and a partial download is recognisable.
        """
        return await self._in_turn(lambda: self._export(at, key, refusals))

    def _export(self, at: datetime, key: HouseKey, refusals: bool) -> Exported:
        try:
            folder = Path(mkdtemp(prefix="croupier-"))
        except OSError as error:
            raise StoreError(f"There is no room for an export: {error.strerror or error}.") from error
        made = Exported(folder / "export.jsonl")
        try:
            export_to(self._store, made.file, at, refusals=refusals, key=key)
        except BaseException as error:
            made.remove()
            if isinstance(error, StoreError) and not isinstance(error, CorruptStore):
                # Do not reveal paths on this machine.
                raise StoreError(str(error).replace(str(made.file), "An export")) from error
            raise
        return made


def _pages(view: Reading, stream: str, after: int) -> Iterator[list[Record]]:
    while records := view.read(stream, after, PAGE):
        yield records
        after = records[-1].version


def _every_entry(view: Reading, stream: str) -> Iterator[Entry]:
    """Yield all entries of a stream. Raises CorruptStore, also if a document cannot be read."""
    return _entries(view, stream, every_record(view, stream))


def _entries(view: Reading, stream: str, records: Iterable[Record]) -> Iterator[Entry]:
    for record in records:
        try:
            yield from entries([record])
        except UnknownFormat as error:
            say = f"{view.name} is damaged: event {record.version} of {stream} cannot be read: {error}"
            raise CorruptStore(f"{say.rstrip('.')}.", stream, record.version) from error


class Exported:
    """A temporary file to be sent and then removed."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.file.stat().st_size

    def remove(self) -> None:
        """Remove the file and its folder."""
        rmtree(self.file.parent, ignore_errors=True)
