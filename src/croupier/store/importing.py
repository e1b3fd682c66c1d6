"""Import an exported file into an empty store, all or nothing and only if it verifies; and back up a live store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from croupier.store.contract import CorruptStore, Store, StoreError
from croupier.store.exporting import EventLine, Exported, ExportLines, export_to, read_document
from croupier.store.keys import PublicKey
from croupier.store.records import Record, Refusal
from croupier.store.verifying import verify


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


def _kept(lines: ExportLines, digest: str | None) -> Iterator[Record | Refusal]:
    """Yield a file's contents. Raises StoreError at the end if it is not the file that was verified."""
    for line in lines:
        document = read_document(line)
        if isinstance(line, EventLine):
            yield Record(line.stream, line.version, document, bytes.fromhex(line.hash))
        else:
            yield Refusal(line.refusal, document)
    if lines.wrong or lines.digest != digest:
        raise StoreError(f"{lines.path} is not imported: it was changed while it was read.")


# -- backup -----------------------------------------------------------------------------------------------------------


def back_up(store: Store, target: Path, at: datetime) -> str:
    """Write what a store holds now to a file, and return a description of it. Raises StoreError.

    An SQLite file is copied whole, including everything private. A PostgreSQL store is exported, events and refusals
    only: the server has its own tools for full copies.
    """
    from croupier.store.sqlite import SqliteStore  # imported late: it is slow to load

    if isinstance(store, SqliteStore):
        store.copy_to(target)
        return f"{target} is a whole copy of the store, with all that is private in it."
    done = export_to(store, target, at, refusals=True)
    return (
        f"{target} is an export of {done.records:,} events and {done.refusals:,} refusals; what is private is not in "
        "it: pg_dump copies that as well."
    )
