"""Taking an exported file into an empty store: all of it, or nothing, and only if everything in it is right."""

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
    """Fill an empty store from a file, which is verified first. Raises StoreError; nothing is written then."""
    report = verify(path, public_key)
    for fault in report.faults:
        raise CorruptStore(f"{path} is not imported: {fault.sentence}", fault.stream, fault.version)
    lines = ExportLines(path)
    store.load(_kept(lines, report.digest))
    footer = lines.footer
    assert footer is not None, "a file without an end is not imported"
    return Exported(footer.streams, footer.records, footer.refusals)


def _kept(lines: ExportLines, digest: str | None) -> Iterator[Record | Refusal]:
    """What a file holds. Raises StoreError at the end where it is not the one that was verified."""
    for line in lines:
        document = read_document(line)
        if isinstance(line, EventLine):
            yield Record(line.stream, line.version, document, bytes.fromhex(line.hash))
        else:
            yield Refusal(line.refusal, document)
    if lines.wrong or lines.digest != digest:
        raise StoreError(f"{lines.path} is not imported: it was changed while it was read.")


# -- backup -----------------------------------------------------------------------------------------------------------
# Backups of a store that is in use.


def back_up(store: Store, target: Path, at: datetime) -> str:
    """Put what a store holds at this moment into a file, and say what it is. Raises StoreError.

    An SQLite file is copied whole, with all that is private. Of a PostgreSQL store the events and refusals are
    exported: the server has means of its own to copy everything.
    """
    from croupier.store.sqlite import SqliteStore  # only now: loading it takes a moment

    if isinstance(store, SqliteStore):
        store.copy_to(target)
        return f"{target} is a whole copy of the store, with all that is private in it."
    done = export_to(store, target, at, refusals=True)
    return (
        f"{target} is an export of {done.records:,} events and {done.refusals:,} refusals; what is private is not in "
        "it: pg_dump copies that as well."
    )
