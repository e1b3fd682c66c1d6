"""`croupier verify`: whether a store or an exported file holds exactly what was written, and the books balance."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from operator import attrgetter
from pathlib import Path

import msgspec

from croupier.bounded_reading import MOST_IN_A_RECORD
from croupier.cli.evidence import Kept, Wrong, add_kept, against_file, against_store, compare_receipts, read_kept
from croupier.cli.output import complain, counted, faults, print_json, printable, progress, wrapped
from croupier.cli.stores import StillStore, held, is_ours, shown, source, still_store
from croupier.house.live_streams import Restored, restored
from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import Entry, UnknownFormat
from croupier.house.views.history import replayed
from croupier.rules.shelf import Shelf
from croupier.store.checkpoints import STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import CorruptStore, StoreError, VerificationReport
from croupier.store.exporting import EventLine, ExportHeader, ExportLines, RefusalLine, every_record, read_document
from croupier.store.keys import PublicKey, read_at_most, read_public_key
from croupier.store.records import Record
from croupier.store.verifying import verify as verify_chains

MOST_LISTED = 20
MOST_BYTES = 2**28  # for a kept checkpoint: enough for millions of streams
DAMAGED = 1  # exit status


class Audited(msgspec.Struct, frozen=True):
    """The scope of the audit and the faults found. A store without tables and accounts is not a house's."""

    tables: int
    accounts: int
    wrong: list[Wrong]


class Found(msgspec.Struct, frozen=True):
    """Everything found about a store or a file."""

    name: str
    report: VerificationReport | None  # None if it is too damaged to be opened
    wrong: list[Wrong]
    sealed: Checkpoint | None = None  # the last one
    books: Audited | None = None  # None if they were not audited
    kept: Kept = Kept([], [])  # evidence held by others


def add_verify(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument(
        "source",
        metavar="STORE|FILE",
        nargs="?",
        help="an address or path of a store, or an exported file; without it, receipts are compared with each other",
    )
    command.add_argument("--key", help="the house's public key: 64 hexadecimal digits, or a file")
    command.add_argument("--checkpoint", metavar="FILE", help="a checkpoint that you kept earlier, which must be in it")
    add_kept(command)
    command.add_argument("--json", action="store_true", help="print JSON")


def verify(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Print what was checked and what is wrong: 0 if nothing is, 1 if something is, 2 if it cannot be read."""
    try:
        key = None if given.key is None else read_public_key(given.key)
        checkpoint = (
            None if given.checkpoint is None else read_at_most(Path(given.checkpoint), MOST_BYTES, "The checkpoint ")
        )
        kept = read_kept(given)
        if given.source is None:
            if not kept.receipts or kept.witnessed or checkpoint is not None:
                raise StoreError("Name what to verify: a store, an exported file, or receipts alone.")
            return 0 if compare_receipts(kept.receipts, key, as_json=given.json) else DAMAGED
        place = source(given.source)
        if isinstance(place, Path):
            found = _in_file(place, key, checkpoint, kept)
        else:
            found = _in_store(place, key, checkpoint, kept)
    except StoreError as error:
        return complain(error)
    if given.json:
        print_json(_plain(found, key))
    else:
        print("\n".join(map(printable, _shown(found, key))))
    return DAMAGED if found.wrong else 0


# -- checking ---------------------------------------------------------------------------------------------------------


def _in_store(address: str, key: PublicKey | None, checkpoint: bytes | None, kept: Kept) -> Found:
    try:
        with still_store(address, "verifying", times=3) as store:
            report = verify_chains(store, key, checkpoint)
            against = against_store(kept, store, report.key)
            if not report.is_good:
                return Found(report.name, report, [*_wrong(report), *against], kept=kept)
            books = audited({head.stream: every_record(store, head.stream) for head in store.heads()})
            wrong = [*against, *books.wrong, *_forged(store)]
            return Found(report.name, report, wrong, _last_in_store(store), books, kept)
    except CorruptStore as error:
        if not is_ours(address):
            raise
        return Found(shown(address), None, [Wrong("damaged", str(error))])


def _in_file(path: Path, key: PublicKey | None, checkpoint: bytes | None, kept: Kept) -> Found:
    with progress("verifying"):
        report = verify_chains(path, key, checkpoint)
        against = against_file(kept, path, report.key)
        if not report.is_good:
            return Found(report.name, report, [*_wrong(report), *against], kept=kept)
        books = audited_export(path, report.digest)
        return Found(report.name, report, [*against, *books.wrong], _last_in_file(path), books, kept)


def _wrong(report: VerificationReport) -> list[Wrong]:
    return [Wrong(fault.kind, fault.sentence, fault.stream, fault.version) for fault in report.faults]


def _forged(store: StillStore) -> Iterator[Wrong]:
    """Yield snapshots that a house would start from but that do not follow from the events."""
    for stream in (head.stream for head in store.heads() if head.stream.startswith((TABLES, ACCOUNTS, PROMOTIONS))):
        snapshot = store.snapshot(stream)
        start = None if snapshot is None else restored(snapshot)
        if start is not None and not _is_lead_to(store, stream, start):
            version = start.head.version
            say = f"The snapshot of {stream} at event {version} does not follow from its events."
            yield Wrong("snapshot", say, stream, version)


def _is_lead_to(store: StillStore, stream: str, start: Restored) -> bool:
    try:
        return start == replayed(store, stream, start.head.version)
    except StoreError:
        raise
    except Exception:  # stored data may break in any way; the audit names the event
        return False


def _last_in_store(store: StillStore) -> Checkpoint | None:
    count = store.checkpoints
    return read_checkpoint(store.read(STREAM, count - 1)[0].document) if count else None


def _last_in_file(path: Path) -> Checkpoint | None:
    last: EventLine | None = None
    for line in takewhile(lambda line: isinstance(line, EventLine) and line.stream == STREAM, ExportLines(path)):
        last = line if isinstance(line, EventLine) else None
    return None if last is None else read_checkpoint(read_document(last))


# -- the audit: every document is readable, and everything adds up ----------------------------------------------------

Streams = Mapping[str, Iterable[Record]]


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
    """Return all streams of a file in the order of the file, so that reading them takes a single pass."""
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


# -- text output ------------------------------------------------------------------------------------------------------


def _shown(found: Found, key: PublicKey | None) -> Iterator[str]:
    yield found.name
    if found.report is not None:
        yield from _contents(found.report, found.sealed, key)
    if found.books is not None and not found.wrong and _is_house(found.books):
        whose = f"{counted(found.books.tables, 'table')} and {counted(found.books.accounts, 'account')}"
        yield f"books        {whose}: every cent is accounted for"
    yield from found.kept.lines()
    yield ""
    yield from _judged(found)


def _contents(report: VerificationReport, sealed: Checkpoint | None, key: PublicKey | None) -> Iterator[str]:
    yield f"holds        {held(report.records, report.streams, report.checkpoints)}"
    if sealed is None:
        if not report.faults:
            yield "sealed       no: nothing is signed yet"
        yield from _unproved(report)
        return
    statement = sealed.statement
    yield f"house        {statement.house}"
    yield f"key          {statement.key}"
    yield f"             {_about_key(key)}"
    yield f"sealed       up to {statement.at}, by checkpoint {statement.number:,}"
    if report.unsealed:
        yield f"             not sealed yet: {counted(report.unsealed, 'event')} since then"
    yield from _unproved(report)


def _unproved(report: VerificationReport) -> Iterator[str]:
    """Yield what is present but not vouched for."""
    front = "not proved   "
    for sentence in report.unproved:
        yield from wrapped(printable(sentence), front, " " * len(front))
        front = " " * len(front)


def _about_key(key: PublicKey | None) -> str:
    if key is not None:
        return "(the key you gave)"
    return "(not checked: give the house's own key with --key)"


def _is_house(books: Audited) -> bool:
    return bool(books.tables or books.accounts)


def _judged(found: Found) -> Iterator[str]:
    if not found.wrong:
        balance = ", and the books balance" if found.books is not None and _is_house(found.books) else ""
        yield f"All is well: everything is as it was written{balance}."
        return
    yield from faults([printable(wrong.sentence) for wrong in found.wrong], MOST_LISTED, " (--json lists them all)")
    if found.books is None:
        yield "The books were not audited, because they follow from events that failed verification."


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(found: Found, key: PublicKey | None) -> dict[str, object]:
    report = found.report
    counts = {"streams": report.streams, "events": report.records, "checkpoints": report.checkpoints} if report else {}
    books = found.books if found.books is not None and _is_house(found.books) else None
    return {
        "ok": not found.wrong,
        "name": printable(found.name),
        **counts,
        "sealed": None if found.sealed is None or report is None else _sealed(found.sealed, report.unsealed, key),
        "unproved": [] if report is None else [printable(sentence) for sentence in report.unproved],
        "books": None if books is None else {"tables": books.tables, "accounts": books.accounts},
        **found.kept.counts(),
        "faults": [wrong.as_object() for wrong in found.wrong],
    }


def _sealed(last: Checkpoint, unsealed: int, key: PublicKey | None) -> dict[str, object]:
    """Return the last checkpoint. `statement` and `signature`, each on a line, are a file for `--checkpoint`."""
    return {
        "number": last.statement.number,
        "at": last.statement.at,
        "house": printable(last.statement.house),
        "key": last.statement.key,
        "key_given": key is not None,
        "events_since": unsealed,
        "statement": last.line.decode(),
        "signature": last.signature.hex(),
    }
