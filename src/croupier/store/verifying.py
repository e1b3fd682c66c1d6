"""Checking a store or an exported file from outside: every event, every checkpoint, everything kept beside them.

It trusts nothing that it reads, changes nothing, and never stops at the first fault: each stream is followed to its
first one. With the house's public key it also shows whose checkpoints they are; with a checkpoint that somebody kept it
shows that nothing up to there was taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from croupier.store.chain import anchor, digest
from croupier.store.checkpoints import STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import Reading, Store, StoreError
from croupier.store.exporting import EventLine, every_record, read_document
from croupier.store.faults import Fault, Kind, Report
from croupier.store.following import CheckpointFollower, StreamFollower
from croupier.store.keys import PublicKey
from croupier.store.lines import ExportLines
from croupier.store.opening import MEMORY, POSTGRES, SQLITE, open_store
from croupier.store.records import Head

_SQLITE_FILE = b"SQLite format 3\0"


def verify(source: Store | Path | str, public_key: PublicKey | None = None, kept: bytes | None = None) -> Report:
    """Look at everything in a store, at an address of one, or in a file: a store's or an exported one.

    `public_key` is the house's, and `kept` a checkpoint that somebody took away earlier. Raises StoreError where
    there is nothing to look at, or `kept` is no checkpoint.
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
    """The address of a store; None for a file that is no database."""
    if isinstance(source, str) and source.startswith((MEMORY, SQLITE, *POSTGRES)):
        return source
    try:
        with Path(source).open("rb") as file:
            return f"{SQLITE}{source}" if file.read(len(_SQLITE_FILE)) == _SQLITE_FILE else None
    except OSError as error:
        raise StoreError(f"{source} cannot be read: {error.strerror or error}.") from error


class _Findings:
    """What is found on the way, put together at the end."""

    def __init__(self, name: str, key: PublicKey | None, kept: bytes | None) -> None:
        self.name = name
        self.checkpoints = CheckpointFollower(key)
        self._must_be_signed = key is not None
        self._kept = None if kept is None else _read_kept(kept)
        self._faults: list[Fault] = []
        self._followers: dict[str, StreamFollower] = {}

    def follower(self, stream: str) -> StreamFollower:
        """Whoever follows a stream; what checkpoints say of it must be known by then."""
        found = self._followers.get(stream)
        if found is None:
            found = self._followers[stream] = StreamFollower(stream, self.checkpoints.marks.get(stream, []))
        return found

    def wrong(self, kind: Kind, sentence: str, stream: str | None = None) -> None:
        """Note a fault that is not one of a stream's events."""
        self._faults.append(Fault(kind, sentence, stream))

    def report(self, heads: dict[str, Head] | None) -> Report:
        """Everything; `heads` is what is said of the streams' ends, None where nothing is known of it."""
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
        return Report(
            name=self.name,
            faults=(*self._faults, *self.checkpoints.faults, *in_streams),
            streams=len(events),
            records=sum(one.count for one in events),
            checkpoints=self.checkpoints.count,
            unsealed=sum(one.count - one.sealed for one in events),
            key=self.checkpoints.key,
        )


def _read_kept(document: bytes) -> Checkpoint:
    try:
        return read_checkpoint(document.rstrip(b"\n"))
    except ValueError as error:
        raise StoreError(f"The checkpoint that was kept {error}.") from None


# -- a store ----------------------------------------------------------------------------------------------------------


def _verify_store(store: Store, found: _Findings) -> Report:
    with store.still() as view:
        heads = _try_heads(view, found)
        for sentence in _try(view.damage(), found):
            found.wrong("damaged", sentence)
        for stream in sorted({STREAM, *heads, *_try_streams(view, found)}, key=lambda name: (name != STREAM, name)):
            _follow(view, stream, found)
        return found.report(heads)


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
    """A document as it lies in the store, where a damaged one may be anything."""
    return document if isinstance(document, bytes) else None


def _try_heads(view: Reading, found: _Findings) -> dict[str, Head]:
    try:
        return {head.stream: head for head in view.heads()}
    except StoreError as error:
        found.wrong("damaged", str(error))
        return {}


def _try_streams(view: Reading, found: _Findings) -> list[str]:
    try:
        return view.streams()
    except StoreError as error:
        found.wrong("damaged", str(error))
        return []


def _try(sentences: Iterable[str], found: _Findings) -> list[str]:
    made: list[str] = []
    try:
        made.extend(sentences)
    except StoreError as error:
        found.wrong("damaged", str(error))
    return made


# -- an exported file -------------------------------------------------------------------------------------------------


def _verify_file(path: Path, found: _Findings) -> Report:
    lines = ExportLines(path)
    began = False
    for line in lines:
        if not isinstance(line, EventLine):
            continue
        if line.stream == STREAM and began:
            found.wrong("damaged", f"Line {lines.number} is out of place: checkpoints come before all other events.")
        began = began or line.stream != STREAM
        _follow_line(line, found)
    for sentence in lines.wrong:
        found.wrong("damaged", sentence)
    signer = None if lines.footer is None else lines.footer.key
    if signer is not None and found.checkpoints.key not in (None, signer):
        found.wrong("damaged", f"The file is signed with another key than the house's: {signer}.")
    return msgspec.structs.replace(found.report(_heads(lines, found)), digest=lines.digest)


def _heads(lines: ExportLines, found: _Findings) -> dict[str, Head] | None:
    if lines.header is None:
        return None
    try:
        return {name: Head(name, version, bytes.fromhex(mark)) for name, version, mark in lines.header.heads}
    except ValueError:
        found.wrong("damaged", "The first line has a head without a hash.")
        return None


def _follow_line(line: EventLine, found: _Findings) -> None:
    try:
        document: bytes | None = read_document(line)
        mark = bytes.fromhex(line.hash)
    except ValueError:
        document, mark = None, b""
    found.follower(line.stream).follow(line.version, None if document is None else digest(document), mark)
    if line.stream == STREAM:
        found.checkpoints.follow(document or b"")
