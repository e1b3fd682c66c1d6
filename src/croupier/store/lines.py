"""Reading an exported file line by line, with all that is wrong with the file itself."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from croupier.lines import TooLong, bounded
from croupier.store.contract import StoreError
from croupier.store.exporting import EventLine, Footer, Header, RefusalLine, signed
from croupier.store.keys import PublicKey

Line = Header | EventLine | RefusalLine | Footer

# Every kind of line begins with a field that no other begins with.
_KINDS: tuple[tuple[bytes, type[Line]], ...] = (
    (b'{"stream":', EventLine),
    (b'{"refusal":', RefusalLine),
    (b'{"croupier":', Header),
    (b'{"streams":', Footer),
)


class ExportLines:
    """The lines of an exported file. When all of them were read it is known what is `wrong` with the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Header | None = None
        self.footer: Footer | None = None
        self.number = 0  # of the line read last
        self.wrong: list[str] = []
        self.digest = ""  # of all bytes before the last line

    def __iter__(self) -> Iterator[EventLine | RefusalLine]:
        """The lines between the first and the last. Raises StoreError where the file cannot be read."""
        digest = sha256()
        counts = {EventLine: 0, RefusalLine: 0}
        try:
            with self.path.open("rb") as file:
                for content in bounded(file):
                    self.number += 1
                    had_end = self.footer is not None
                    line = self._read(content)
                    if isinstance(line, Footer) and not had_end:
                        self.digest = digest.hexdigest()
                    digest.update(content)
                    if isinstance(line, EventLine | RefusalLine):
                        counts[type(line)] += 1
                        yield line
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        except TooLong as error:
            raise StoreError(f"{self.path} is no export: {error}.") from None
        self._finish(counts[EventLine], counts[RefusalLine])

    def _read(self, content: bytes) -> Line | None:
        """A line; what is wrong with it is noted."""
        kind = next((kind for begin, kind in _KINDS if content.startswith(begin)), None)
        try:
            line = None if kind is None else msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            line = None
        if line is None:
            self.wrong.append(f"Line {self.number} is no line of an export.")
        elif self.footer is not None:
            self.wrong.append(f"Line {self.number} stands behind the last one.")
        elif isinstance(line, Header) != (self.number == 1):
            self.wrong.append(f"Line {self.number} is out of place: an export has one first line.")
        if isinstance(line, Header) and self.header is None:
            self.header = line
        if isinstance(line, Footer) and self.footer is None:
            self.footer = line
            if not content.endswith(b"\n"):
                self.wrong.append("The last line was cut off.")
        return line

    def _finish(self, events: int, refusals: int) -> None:
        footer = self.footer
        if footer is None:
            self.wrong.append("The end of the file is missing.")
            return
        if footer.sha256 != self.digest:
            self.wrong.append("The file was changed since it was written: its digest is another.")
        streams = 0 if self.header is None else len(self.header.heads)
        if (footer.streams, footer.records, footer.refusals) != (streams, events, refusals):
            self.wrong.append(
                f"The file was written with {footer.records:,} events in {footer.streams:,} streams and "
                f"{footer.refusals:,} refusals, and has {events:,} in {streams:,} and {refusals:,}."
            )
        if (footer.key is not None or footer.signature is not None) and not _is_signed(footer):
            self.wrong.append("The file is not what was signed: its signature does not fit.")


def _is_signed(footer: Footer) -> bool:
    try:
        key = PublicKey(bytes.fromhex(footer.key or ""))
        return key.has_signed(bytes.fromhex(footer.signature or ""), signed(footer.sha256))
    except ValueError:
        return False
