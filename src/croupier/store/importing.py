"""Taking an exported file into an empty store: all of it, or nothing, and only if everything in it is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.store.contract import CorruptStore, Store, StoreError
from croupier.store.exporting import EventLine, Exported, read_document
from croupier.store.keys import PublicKey
from croupier.store.lines import ExportLines
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
