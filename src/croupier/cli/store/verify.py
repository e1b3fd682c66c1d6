"""`croupier verify`: whether a store or an exported file holds exactly what was written, and the books balance."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import msgspec

from croupier.cli.store.arguments import complain, held, is_ours, many, plain, print_json, shown, source
from croupier.cli.store.audit import Audited, Wrong, audited, audited_export, of_store
from croupier.cli.store.evidence import Kept, add_kept, against_file, against_store, compare_receipts, read_kept
from croupier.cli.store.transfer import StillStore, bar, still_store
from croupier.house.live_streams import Restored, restored
from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES
from croupier.house.views.history import replayed
from croupier.rules.shelf import Shelf
from croupier.store.checkpoints import STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import CorruptStore, StoreError, VerificationReport
from croupier.store.exporting import EventLine, ExportLines, read_document
from croupier.store.keys import PublicKey, read_at_most, read_public_key
from croupier.store.verifying import verify as verify_chains

MOST_LISTED = 20
MOST_BYTES = 2**28  # for a kept checkpoint: enough for millions of streams
WIDTH = 80
DAMAGED = 1  # exit status


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
    command.add_argument("--checkpoint", metavar="FILE", help="a checkpoint that was kept earlier and must be in it")
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
                raise StoreError("Say what is to be looked at: a store, an exported file, or receipts alone.")
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
        print("\n".join(map(plain, _shown(found, key))))
    return DAMAGED if found.wrong else 0


# -- checking ---------------------------------------------------------------------------------------------------------


def _in_store(address: str, key: PublicKey | None, checkpoint: bytes | None, kept: Kept) -> Found:
    try:
        with still_store(address, "verifying", times=3) as store:
            report = verify_chains(store, key, checkpoint)
            against = against_store(kept, store, report.key)
            if not report.is_good:
                return Found(report.name, report, [*_wrong(report), *against], kept=kept)
            books = audited(of_store(store))
            wrong = [*against, *books.wrong, *_forged(store)]
            return Found(report.name, report, wrong, _last_in_store(store), books, kept)
    except CorruptStore as error:
        if not is_ours(address):
            raise
        return Found(shown(address), None, [Wrong("damaged", str(error))])


def _in_file(path: Path, key: PublicKey | None, checkpoint: bytes | None, kept: Kept) -> Found:
    with bar("verifying"):
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
            say = f"The snapshot of {stream} at event {version} is not what its events lead to."
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


# -- text output ------------------------------------------------------------------------------------------------------


def _shown(found: Found, key: PublicKey | None) -> Iterator[str]:
    yield found.name
    if found.report is not None:
        yield from _counted(found.report, found.sealed, key)
    if found.books is not None and not found.wrong and _is_house(found.books):
        yield f"books        {_whose(found.books)}: every cent is accounted for"
    yield from found.kept.lines()
    yield ""
    yield from _judged(found)


def _counted(report: VerificationReport, sealed: Checkpoint | None, key: PublicKey | None) -> Iterator[str]:
    yield f"holds        {held(report.records, report.streams, report.checkpoints)}"
    if sealed is None:
        if not report.faults:
            yield "sealed       not at all: nothing here is signed yet"
        yield from _unproved(report)
        return
    statement = sealed.statement
    yield f"house        {statement.house}"
    yield f"key          {statement.key}"
    yield f"             {_about_key(key)}"
    yield f"sealed       up to {statement.at}, by checkpoint {statement.number:,}"
    if report.unsealed:
        yield f"             not sealed yet: {many(report.unsealed, 'event')} since then"
    yield from _unproved(report)


def _unproved(report: VerificationReport) -> Iterator[str]:
    """Yield what is present but not vouched for."""
    front = "not proved   "
    for sentence in report.unproved:
        yield from textwrap.wrap(plain(sentence), WIDTH, initial_indent=front, subsequent_indent=" " * len(front))
        front = " " * len(front)


def _about_key(key: PublicKey | None) -> str:
    if key is not None:
        return "(the one that you gave)"
    return "(whose it is was not looked at: give the house's own key with --key)"


def _is_house(books: Audited) -> bool:
    return bool(books.tables or books.accounts)


def _whose(books: Audited) -> str:
    return f"{many(books.tables, 'table')} and {many(books.accounts, 'account')}"


def _judged(found: Found) -> Iterator[str]:
    if not found.wrong:
        balance = ", and the books balance" if found.books is not None and _is_house(found.books) else ""
        yield f"All is well: everything is as it was written{balance}."
        return
    yield "This is not as it must be:"
    for wrong in found.wrong[:MOST_LISTED]:
        yield from textwrap.wrap(plain(wrong.sentence), WIDTH, initial_indent="- ", subsequent_indent="  ")
    if len(found.wrong) > MOST_LISTED:
        yield f"- and {len(found.wrong) - MOST_LISTED:,} more (--json lists them all)"
    if found.books is None:
        yield "The books were not looked at: they rest on what is not as it must be."


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(found: Found, key: PublicKey | None) -> dict[str, object]:
    report = found.report
    counts = {"streams": report.streams, "events": report.records, "checkpoints": report.checkpoints} if report else {}
    books = found.books if found.books is not None and _is_house(found.books) else None
    return {
        "ok": not found.wrong,
        "name": plain(found.name),
        **counts,
        "sealed": None if found.sealed is None or report is None else _sealed(found.sealed, report.unsealed, key),
        "unproved": [] if report is None else [plain(sentence) for sentence in report.unproved],
        "books": None if books is None else {"tables": books.tables, "accounts": books.accounts},
        **found.kept.counts(),
        "faults": [
            {
                "kind": wrong.kind,
                "stream": None if wrong.stream is None else plain(wrong.stream),
                "version": wrong.version,
                "sentence": plain(wrong.sentence),
            }
            for wrong in found.wrong
        ],
    }


def _sealed(last: Checkpoint, unsealed: int, key: PublicKey | None) -> dict[str, object]:
    """Return the last checkpoint. `statement` and `signature`, each on a line, are a file for `--checkpoint`."""
    return {
        "number": last.statement.number,
        "at": last.statement.at,
        "house": plain(last.statement.house),
        "key": last.statement.key,
        "key_given": key is not None,
        "events_since": unsealed,
        "statement": last.line.decode(),
        "signature": last.signature.hex(),
    }
