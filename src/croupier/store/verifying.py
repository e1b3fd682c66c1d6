"""Verify a store or an exported file: every event, every checkpoint, and everything kept beside them.

The verifier trusts nothing that it reads and changes nothing. It does not stop at the first fault: each stream is
followed to its first one. With the house's public key it also shows whose checkpoints they are; with a checkpoint kept
by a third party it shows that nothing before it was removed.

An exported file that verifies can be imported into an empty store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from croupier.store.checkpoints import FORMAT, STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import (
    BESIDE,
    BesideKind,
    CorruptStore,
    Fault,
    Kind,
    Reading,
    Store,
    StoreError,
    VerificationReport,
)
from croupier.store.exporting import EventLine, Exported, ExportLines, RefusalLine, every_record, read_document
from croupier.store.following import BesideFollower, CheckpointFollower, StreamFollower
from croupier.store.keys import PublicKey
from croupier.store.opening import MEMORY, POSTGRES, SQLITE, open_store
from croupier.store.records import Head, Record, StoredRefusal, anchor, checksum, digest
from croupier.store.seals import DIGEST_BYTES, PublicSeals
from croupier.store.view import unsealed

_SQLITE_FILE = b"SQLite format 3\0"

T = TypeVar("T")


def verify(
    source: Store | Path | str, public_key: PublicKey | None = None, kept: bytes | None = None
) -> VerificationReport:
    """Verify everything in a store, in the store at an address, or in a file: a store's or an exported one.

    `public_key` is the house's; `kept` is a checkpoint that was saved earlier. Raises StoreError if there is
    nothing to verify or `kept` is not a checkpoint.
    """
    if not isinstance(source, Path | str):
        return _verify_store(source, _Findings(source.name, public_key, kept))
    address = _address(source)
    if address is None:
        return _verify_file(Path(source), _Findings(f"The export {source}", public_key, kept))
    store = open_store(address, read_only=True)
    try:
        return _verify_store(store, _Findings(store.name, public_key, kept))
    finally:
        store.close()


def _address(source: Path | str) -> str | None:
    """Return the address of a store; None for a file that is not a database."""
    if isinstance(source, str) and source.startswith((MEMORY, SQLITE, *POSTGRES)):
        return source
    try:
        with Path(source).open("rb") as file:
            return f"{SQLITE}{source}" if file.read(len(_SQLITE_FILE)) == _SQLITE_FILE else None
    except OSError as error:
        raise StoreError(f"{source} cannot be read: {error.strerror or error}.") from error


class _Findings:
    """Collects findings for the report."""

    def __init__(self, name: str, key: PublicKey | None, kept: bytes | None) -> None:
        self.name = name
        self.checkpoints = CheckpointFollower(key)
        self._must_be_signed = key is not None
        self._kept = None if kept is None else _read_kept(kept)
        self.unproved: list[str] = []
        self._faults: list[Fault] = []
        self._followers: dict[str, StreamFollower] = {}

    def follower(self, stream: str) -> StreamFollower:
        """Return the follower of a stream. Its checkpoint entries must have been read by then."""
        found = self._followers.get(stream)
        if found is None:
            found = self._followers[stream] = StreamFollower(stream, self.checkpoints.marks.get(stream, []))
        return found

    def wrong(self, kind: Kind, sentence: str, stream: str | None = None) -> None:
        """Note a fault that does not concern a stream's events."""
        self._faults.append(Fault(kind, sentence, stream))

    def note(self, fault: Fault) -> None:
        """Note a fault."""
        self._faults.append(fault)

    def report(self, heads: dict[str, Head] | None) -> VerificationReport:
        """Return the report; `heads` are the stored or stated ends of the streams, None if unknown."""
        for stream in (*self.checkpoints.marks, *(heads or {})):
            self.follower(stream)
        if self._kept is not None:
            self.checkpoints.compare(self._kept)
        if self._must_be_signed and not self.checkpoints.count:
            self.wrong("checkpoint", "There is no checkpoint: nothing here is signed by the house.")
        by_name = [self._followers[stream] for stream in sorted(self._followers)]
        for one in by_name:
            one.finish(None if heads is None else heads.get(one.stream, Head(one.stream, 0, anchor(one.stream))))
        in_streams = [one.fault for one in by_name if one.fault is not None]
        events = [one for one in by_name if one.stream != STREAM and one.count]
        return VerificationReport(
            name=self.name,
            faults=(*self._faults, *self.checkpoints.faults, *in_streams),
            streams=len(events),
            records=sum(one.count for one in events),
            checkpoints=self.checkpoints.count,
            unsealed=sum(one.count - one.sealed for one in events),
            key=self.checkpoints.key,
            unproved=tuple(self.unproved),
        )


def _read_kept(document: bytes) -> Checkpoint:
    try:
        return read_checkpoint(document.rstrip(b"\n"))
    except ValueError as error:
        raise StoreError(f"The checkpoint that was kept {error}.") from None


# -- a store ----------------------------------------------------------------------------------------------------------


def _verify_store(store: Store, found: _Findings) -> VerificationReport:
    with store.still() as view:
        heads = {head.stream: head for head in _try(view.heads, found)}
        for sentence in _try(view.damage, found):
            found.wrong("damaged", sentence)
        streams = {STREAM, *heads, *_try(view.streams, found)}
        for stream in sorted(streams, key=lambda name: (name != STREAM, name)):
            _follow(view, stream, found)
        try:
            _follow_beside(view, found)
            _look_at_seals(view, found)
        except StoreError as error:
            found.wrong("damaged", str(error))
        return found.report(heads)


def _follow_beside(view: Reading, found: _Findings) -> None:
    """Follow answers and refusals as far as checkpoints cover them."""
    checkpoints = found.checkpoints
    if checkpoints.format == 1:
        found.unproved.append("Answers and refusals are not proved: checkpoints of format 1 do not cover them.")
    for kind in BESIDE if checkpoints.format == FORMAT else ():
        _follow_kind(kind, view.beside(kind), found)


def _follow_kind(kind: BesideKind, rows: Iterable[tuple[int, bytes]], found: _Findings) -> None:
    checkpoints, many = found.checkpoints, found.unproved
    follower = BesideFollower(kind, checkpoints.beside[kind])
    for number, mark in rows:
        follower.follow(number, mark)
    if follower.is_empty and checkpoints.beside[kind][-1].version:
        many.append(f"There are no {kind}, although a checkpoint covers some: this is normal in an imported store.")
        return
    if checkpoints.since[kind] > 1:
        since = checkpoints.since[kind]
        many.append(f"The {kind} are chained from checkpoint {since:,} on: nothing is proved about earlier ones.")
    if (fault := follower.finish()) is not None:
        found.note(fault)
    elif follower.unsealed:
        many.append(f"The last {follower.unsealed:,} {kind} are not covered by a checkpoint yet.")


def _look_at_seals(view: Reading, found: _Findings) -> None:
    """Check vault entries and snapshots. In a store older than seals they may be unsealed."""
    key = found.checkpoints.signer
    if key is None:
        found.unproved.append("Seals were not checked: nothing is signed yet, and no key was given.")
        return
    proof, bare = PublicSeals(key), 0
    for entry in view.entries():
        if proof.is_sealed(entry.mark):
            continue
        if found.checkpoints.format == FORMAT or len(entry.mark) > DIGEST_BYTES:
            found.wrong("forged", f"{view.name} contains data that the house did not write: {unsealed(entry.what)}")
        else:
            bare += 1
    if bare:
        found.unproved.append(f"Not proved, because they predate seals: {bare:,} vault entries and snapshots.")


def _follow(view: Reading, stream: str, found: _Findings) -> None:
    follower = found.follower(stream)
    try:
        for record in every_record(view, stream, verified=False):
            document = _read(record.document)
            follower.follow(record.version, None if document is None else digest(document), record.hash)
            if stream == STREAM:
                found.checkpoints.follow(document or b"")
    except StoreError as error:
        found.wrong("damaged", str(error), stream)


def _read(document: object) -> bytes | None:
    """Return a document as stored; a damaged one may be a value of any type."""
    return document if isinstance(document, bytes) else None


def _try(read: Callable[[], Iterable[T]], found: _Findings) -> list[T]:
    """Return what can be read, and note if something cannot."""
    made: list[T] = []
    try:
        made.extend(read())
    except StoreError as error:
        found.wrong("damaged", str(error))
    return made


# -- an exported file -------------------------------------------------------------------------------------------------


def _verify_file(path: Path, found: _Findings) -> VerificationReport:
    lines = ExportLines(path)
    began = False
    refusals: list[tuple[int, bytes]] = []
    for line in lines:
        if not isinstance(line, EventLine):
            refusals.append((line.refusal, _refusal_digest(line, found)))
            continue
        if line.stream == STREAM and began:
            found.wrong("damaged", f"Line {lines.number} is out of place: checkpoints come before all other events.")
        began = began or line.stream != STREAM
        _follow_line(line, found)
    for sentence in lines.wrong:
        found.wrong("damaged", sentence)
    if lines.header is not None and lines.header.refusals:
        if found.checkpoints.format == FORMAT:
            _follow_kind("refusals", refusals, found)
        elif refusals:
            found.unproved.append("Refusals are not proved: checkpoints of format 1 do not cover them.")
    signer = None if lines.footer is None else lines.footer.key
    if signer is not None and found.checkpoints.key not in (None, signer):
        found.wrong("damaged", f"The file is signed with a key other than the house's: {signer}.")
    return msgspec.structs.replace(found.report(_heads(lines, found)), digest=lines.digest)


def _heads(lines: ExportLines, found: _Findings) -> dict[str, Head] | None:
    if lines.header is None:
        return None
    try:
        return {name: Head(name, version, bytes.fromhex(mark)) for name, version, mark in lines.header.heads}
    except ValueError:
        found.wrong("damaged", "The first line has a head without a hash.")
        return None


def _refusal_digest(line: RefusalLine, found: _Findings) -> bytes:
    try:
        return checksum(read_document(line))
    except ValueError:
        found.wrong("damaged", f"Refusal {line.refusal} cannot be read.")
        return b""


def _follow_line(line: EventLine, found: _Findings) -> None:
    try:
        document: bytes | None = read_document(line)
        mark = bytes.fromhex(line.hash)
    except ValueError:
        document, mark = None, b""
    found.follower(line.stream).follow(line.version, None if document is None else digest(document), mark)
    if line.stream == STREAM:
        found.checkpoints.follow(document or b"")


# -- import: all or nothing, and only what verifies -------------------------------------------------------------------


def import_from(path: Path, store: Store, public_key: PublicKey | None = None) -> Exported:
    """Fill an empty store from a file, after verifying it. Raises StoreError; then nothing is written."""
    report = verify(path, public_key)
    for fault in report.faults:
        raise CorruptStore(f"{path} is not imported: {fault.sentence}", fault.stream, fault.version)
    lines = ExportLines(path)
    store.load(_kept(lines, report.digest))
    footer = lines.footer
    assert footer is not None, "a file without an end is not imported"
    return Exported(footer.streams, footer.records, footer.refusals)


def _kept(lines: ExportLines, digest: str | None) -> Iterator[Record | StoredRefusal]:
    """Yield a file's contents. Raises StoreError at the end if it is not the file that was verified."""
    for line in lines:
        document = read_document(line)
        if isinstance(line, EventLine):
            yield Record(line.stream, line.version, document, bytes.fromhex(line.hash))
        else:
            yield StoredRefusal(line.refusal, document)
    if lines.wrong or lines.digest != digest:
        raise StoreError(f"{lines.path} is not imported: it was changed while it was read.")
