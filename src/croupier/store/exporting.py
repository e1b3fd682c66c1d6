"""Exports: all events of a store in one self-contained, verifiable file of JSON lines; writing and reading it.

Private data (the vault) and transient data (answers, snapshots) are not exported.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from croupier.bounded_reading import TooLong, bounded
from croupier.store.checkpoints import STREAM, said_at
from croupier.store.contract import Reading, Store, StoreError
from croupier.store.drafts import draft
from croupier.store.keys import HouseKey, PublicKey
from croupier.store.records import Head, Record, StoredRefusal
from croupier.store.view import PAGE

FORMAT: Literal[1] = 1
_SIGNED = b"croupier export\n"  # domain prefix: the signature is valid for nothing else


class ExportHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what the file contains."""

    croupier: Literal["export"]
    format: Literal[1]
    at: str
    heads: tuple[tuple[str, int, str], ...]
    refusals: bool


class EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event. Its document is text, or base64 if it is not UTF-8."""

    stream: str
    version: int
    hash: str
    document: str | None = None
    base64: str | None = None


class RefusalLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command that was refused."""

    refusal: int
    document: str | None = None
    base64: str | None = None


class ExportFooter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last line: the counts, and the digest of all bytes before it, signed if there is a key."""

    streams: int
    records: int
    refusals: int
    sha256: str
    key: str | None = None
    signature: str | None = None


class Exported(msgspec.Struct, frozen=True):
    """What was written to a file."""

    streams: int
    records: int
    refusals: int


def export_to(
    store: Store, target: Path, at: datetime, *, refusals: bool = False, key: HouseKey | None = None
) -> Exported:
    """Export all events of a store as of now, while others write. Raises StoreError.

    The file is complete or absent. With the house's key the whole file is signed.
    """
    with store.still() as view, draft(target) as file:
        digest = sha256()
        heads = view.heads()
        counts = [0, 0]
        for line in _lines(view, heads, at, refusals):
            content = msgspec.json.encode(line) + b"\n"
            digest.update(content)
            file.write(content)
            counts[0] += isinstance(line, EventLine)
            counts[1] += isinstance(line, RefusalLine)
        footer = ExportFooter(len(heads), counts[0], counts[1], digest.hexdigest())
        if key is not None:
            signature = key.sign(signed(footer.sha256)).hex()
            footer = msgspec.structs.replace(footer, key=key.public.hex, signature=signature)
        file.write(msgspec.json.encode(footer) + b"\n")
    return Exported(len(heads), *counts)


def back_up(store: Store, target: Path, at: datetime) -> str:
    """Write what a store holds now to a file, and return a description of it. Raises StoreError.

    An SQLite file is copied whole, including everything private. A PostgreSQL store is exported, events and refusals
    only: the server has its own tools for full copies.
    """
    from croupier.store.sqlite import SqliteStore  # imported late: it is slow to load

    if isinstance(store, SqliteStore):
        store.copy_to(target)
        return f"{target} is a complete copy of the store, including its private data."
    done = export_to(store, target, at, refusals=True)
    return (
        f"{target} is an export of {done.records:,} events and {done.refusals:,} refusals, without "
        "private data: pg_dump copies that as well."
    )


def signed(digest: str) -> bytes:
    """Return the bytes that the signature of the whole file covers."""
    return _SIGNED + digest.encode()


def _lines(
    view: Reading, heads: list[Head], at: datetime, refusals: bool
) -> Iterator[ExportHeader | EventLine | RefusalLine]:
    listed = tuple((head.stream, head.version, head.hash.hex()) for head in heads)
    yield ExportHeader("export", FORMAT, said_at(at), listed, refusals)
    # Checkpoints first, so that one pass over the file can check everything after them.
    for head in sorted(heads, key=lambda head: (head.stream != STREAM, head.stream)):
        for record in every_record(view, head.stream):
            yield EventLine(record.stream, record.version, record.hash.hex(), *_written(record.document))
    for refusal in every_refusal(view) if refusals else ():
        yield RefusalLine(refusal.number, *_written(refusal.document))


def every_record(view: Reading, stream: str, *, verified: bool = True) -> Iterator[Record]:
    """Yield all events of a stream. Raises CorruptStore."""
    after = 0
    while records := view.read(stream, after, PAGE, verified=verified):
        yield from records
        after = records[-1].version


def every_refusal(view: Reading) -> Iterator[StoredRefusal]:
    """Yield all refused commands. Raises CorruptStore."""
    after = 0
    while refusals := view.refusals(after, PAGE):
        yield from refusals
        after = refusals[-1].number


def _written(document: bytes) -> tuple[str | None, str | None]:
    """Return a document as text or base64; it can be restored byte for byte."""
    try:
        return document.decode("utf-8"), None
    except UnicodeDecodeError:
        return None, base64.b64encode(document).decode("ascii")


def read_document(line: EventLine | RefusalLine) -> bytes:
    """Return the document of a line. Raises ValueError."""
    if line.document is not None and line.base64 is None:
        return line.document.encode("utf-8")
    if line.base64 is not None and line.document is None:
        return base64.b64decode(line.base64, validate=True)
    raise ValueError("it must have exactly one document")


# -- reading an exported file, line by line ---------------------------------------------------------------------------

ExportLine = ExportHeader | EventLine | RefusalLine | ExportFooter

# Each kind of line has its own first field.
_KINDS: tuple[tuple[bytes, type[ExportLine]], ...] = (
    (b'{"stream":', EventLine),
    (b'{"refusal":', RefusalLine),
    (b'{"croupier":', ExportHeader),
    (b'{"streams":', ExportFooter),
)


class ExportLines:
    """The lines of an exported file. Once all are read, `wrong` lists the file's faults."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: ExportHeader | None = None
        self.footer: ExportFooter | None = None
        self.number = 0  # of the last line read
        self.wrong: list[str] = []
        self.digest = ""  # of all bytes before the last line

    def __iter__(self) -> Iterator[EventLine | RefusalLine]:
        """Yield the lines between the first and the last. Raises StoreError if the file cannot be read."""
        digest = sha256()
        counts = {EventLine: 0, RefusalLine: 0}
        try:
            with self.path.open("rb") as file:
                for content in bounded(file):
                    self.number += 1
                    had_end = self.footer is not None
                    line = self._read(content)
                    if isinstance(line, ExportFooter) and not had_end:
                        self.digest = digest.hexdigest()
                    digest.update(content)
                    if isinstance(line, EventLine | RefusalLine):
                        counts[type(line)] += 1
                        yield line
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        except TooLong as error:
            raise StoreError(f"{self.path} is not an export: {error}.") from None
        self._finish(counts[EventLine], counts[RefusalLine])

    def _read(self, content: bytes) -> ExportLine | None:
        """Parse a line, noting its faults."""
        kind = next((kind for begin, kind in _KINDS if content.startswith(begin)), None)
        try:
            line = None if kind is None else msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            line = None
        if line is None:
            self.wrong.append(f"Line {self.number} is not a line of an export.")
        elif self.footer is not None:
            self.wrong.append(f"Line {self.number} comes after the last one.")
        elif isinstance(line, ExportHeader) != (self.number == 1):
            self.wrong.append(f"Line {self.number} is out of place: an export has one first line.")
        if isinstance(line, ExportHeader) and self.header is None:
            self.header = line
        if isinstance(line, ExportFooter) and self.footer is None:
            self.footer = line
            if not content.endswith(b"\n"):
                self.wrong.append("The last line is incomplete.")
        return line

    def _finish(self, events: int, refusals: int) -> None:
        footer = self.footer
        if footer is None:
            self.wrong.append("The end of the file is missing.")
            return
        if footer.sha256 != self.digest:
            self.wrong.append("The file was changed after it was written: its digest does not match.")
        streams = 0 if self.header is None else len(self.header.heads)
        if (footer.streams, footer.records, footer.refusals) != (streams, events, refusals):
            self.wrong.append(
                f"The file was written with {footer.records:,} events in {footer.streams:,} streams and "
                f"{footer.refusals:,} refusals, but has {events:,} in {streams:,} and {refusals:,}."
            )
        if (footer.key is not None or footer.signature is not None) and not _is_signed(footer):
            self.wrong.append("The file is not what was signed: its signature is invalid.")


def _is_signed(footer: ExportFooter) -> bool:
    try:
        key = PublicKey(bytes.fromhex(footer.key or ""))
        return key.has_signed(bytes.fromhex(footer.signature or ""), signed(footer.sha256))
    except ValueError:
        return False
