"""Receipts as a program keeps them: each is checked when it comes, against the house's key and all those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from threading import Lock

from croupier.client.connection import BadReceipt
from croupier.store.receipts import Receipt, is_signed, line_of, read_receipts, two_pasts

MOST_KEPT = 10_000  # in memory; a file has all of them

# Asks the house for a receipt of an event of a stream; None where it says that there is no such event.
Ask = Callable[[str, int], Receipt | None]


def table_stream(table: str) -> str:
    """What receipts call the record of a table."""
    return f"table/{table}"


class Receipts:
    """All receipts of one house, the oldest first. Several threads may use it."""

    def __init__(self, key: str | None, file: str | PathLike[str] | None) -> None:
        """`key` is the house's public key; without it, that of the first receipt is the house's from then on.

        Those in the file are taken in first, and new ones are appended to it. Raises BadReceipt and ValueError.
        """
        self.key = key
        self._file = None if file is None else Path(file)
        self._lock = Lock()
        self._kept: dict[tuple[str, int], Receipt] = {}
        self._newest: dict[str, Receipt] = {}
        if self._file is not None and self._file.exists() and (content := self._file.read_bytes()).strip():
            for receipt in read_receipts(content):
                self._take(receipt)
        self._unasked = set(self._newest)  # streams of which the house has not shown yet that it has that past still

    def __iter__(self) -> Iterator[Receipt]:
        with self._lock:
            return iter(list(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, stream: str, version: int) -> Receipt | None:
        """What the house has signed of an event."""
        return self._kept.get((stream, version))

    def newest(self, stream: str) -> Receipt | None:
        """The one that goes furthest."""
        return self._newest.get(stream)

    def keep(self, receipt: Receipt, ask: Ask) -> None:
        """Keep another one. Raises BadReceipt where the house contradicts itself; the file has what shows it.

        One that does not go further than those before it may be an older answer, or of a house that was taken back:
        the house has to show that it still has the past it signed. So it has with the first one after a start.
        """
        with self._lock:
            before = self._newest.get(receipt.stream)
            self._append(receipt)
            self._take(receipt)
            is_doubtful = before is not None and (receipt.version < before.version or receipt.stream in self._unasked)
            self._unasked.discard(receipt.stream)
        if before is not None and is_doubtful:
            self._challenge(before, ask)

    def confirm(self, ask: Ask) -> None:
        """Ask for the newest of each stream again. Raises BadReceipt where the house has another past now."""
        for newest in list(self._newest.values()):
            self._challenge(newest, ask)

    def _challenge(self, before: Receipt, ask: Ask) -> None:
        now = ask(before.stream, before.version)
        if now is None:
            signed = f"The house signed at {before.at} that {before.stream} had come to event {before.version}"
            say = f"{signed}, and says now that there is no such event: it was taken back."
            raise BadReceipt(say, (before, *self._behind(before)))
        with self._lock:
            if now.hash != before.hash:
                self._append(now)
            self._take(now)

    def _behind(self, before: Receipt) -> list[Receipt]:
        """What the house signed after that, of the same stream."""
        return [one for one in self if one.stream == before.stream and one.at > before.at]

    def _append(self, receipt: Receipt) -> None:
        if self._file is not None and is_signed(receipt):
            with self._file.open("ab") as out:
                out.write(line_of(receipt))

    def _take(self, receipt: Receipt) -> None:
        """Check one, and keep it."""
        if not is_signed(receipt):
            raise BadReceipt(f"The receipt for {receipt.event} is not signed by the key that it names.", (receipt,))
        if self.key is None:
            self.key = receipt.key
        if receipt.key != self.key:
            say = f"The house signs with another key than before: {receipt.key}, not {self.key}."
            raise BadReceipt(say, (*list(self._kept.values())[-1:], receipt))
        known = self._kept.setdefault((receipt.stream, receipt.version), receipt)
        if known.hash != receipt.hash:
            raise BadReceipt(two_pasts(known, receipt), (known, receipt))
        newest = self._newest.get(receipt.stream)
        if newest is None or receipt.version > newest.version:
            self._newest[receipt.stream] = receipt
        if len(self._kept) > MOST_KEPT:
            self._forget_one()

    def _forget_one(self) -> None:
        """The oldest, but for the newest of each stream."""
        for mark, receipt in self._kept.items():
            if self._newest[receipt.stream] is not receipt:
                del self._kept[mark]
                return

    def write(self, file: str | PathLike[str]) -> int:
        """All that are kept, in a file for `croupier verify --receipt`; how many they are."""
        kept = list(self)
        Path(file).write_bytes(b"".join(map(line_of, kept)))
        return len(kept)
