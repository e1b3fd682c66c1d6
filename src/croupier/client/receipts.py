"""Receipts kept by the client. Each one is checked on arrival against the house's key and all earlier receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from threading import Lock

from croupier.client.connection import BadReceipt
from croupier.store.receipts import Receipt, is_signed, line_of, read_receipts, two_pasts

MOST_KEPT = 10_000  # in memory; the file keeps all of them

# Fetches the receipt of a stream's event from the house; None if the house says there is no such event.
Ask = Callable[[str, int], Receipt | None]


def table_stream(table: str) -> str:
    """Return a table's stream name, as used in receipts."""
    return f"table/{table}"


class Receipts:
    """All receipts of one house, oldest first. Thread-safe."""

    def __init__(self, key: str | None, file: str | PathLike[str] | None) -> None:
        """`key` is the house's public key; without it, the key of the first receipt is taken as the house's.

        Receipts in the file are loaded first, and new ones appended to it. Raises BadReceipt and ValueError.
        """
        self.key = key
        self._file = None if file is None else Path(file)
        self._lock = Lock()
        self._kept: dict[tuple[str, int], Receipt] = {}
        self._newest: dict[str, Receipt] = {}
        if self._file is not None and self._file.exists() and (content := self._file.read_bytes()).strip():
            for receipt in read_receipts(content):
                self._take(receipt)
        self._unasked = set(self._newest)  # streams whose past the house has not yet confirmed since the start

    def __iter__(self) -> Iterator[Receipt]:
        with self._lock:
            return iter(list(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, stream: str, version: int) -> Receipt | None:
        """Return the receipt of an event, if one is kept."""
        return self._kept.get((stream, version))

    def newest(self, stream: str) -> Receipt | None:
        """Return the receipt with the highest version of a stream."""
        return self._newest.get(stream)

    def keep(self, receipt: Receipt, ask: Ask) -> None:
        """Keep a receipt. Raises BadReceipt if the house contradicts itself; the file then holds the evidence.

        A receipt older than the newest one may be a late reply, or a sign that the house was rolled back. The house
        must then prove that it still has the past it signed, as it must with the first receipt after a start.
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
        """Request the newest receipt of each stream again. Raises BadReceipt if the house's past has changed."""
        for newest in list(self._newest.values()):
            self._challenge(newest, ask)

    def _challenge(self, before: Receipt, ask: Ask) -> None:
        now = ask(before.stream, before.version)
        if now is None:
            signed = f"The house signed at {before.at} that {before.stream} had reached event {before.version}"
            say = f"{signed}, but now says that there is no such event: it was removed."
            raise BadReceipt(say, (before, *self._behind(before)))
        with self._lock:
            if now.hash != before.hash:
                self._append(now)
            self._take(now)

    def _behind(self, before: Receipt) -> list[Receipt]:
        """List the receipts that the house signed later for the same stream."""
        return [one for one in self if one.stream == before.stream and one.at > before.at]

    def _append(self, receipt: Receipt) -> None:
        if self._file is not None and is_signed(receipt):
            with self._file.open("ab") as out:
                out.write(line_of(receipt))

    def _take(self, receipt: Receipt) -> None:
        """Check a receipt and keep it."""
        if not is_signed(receipt):
            raise BadReceipt(f"The receipt for {receipt.event} is not signed by the key that it names.", (receipt,))
        if self.key is None:
            self.key = receipt.key
        if receipt.key != self.key:
            say = f"The house signs with a different key from before: {receipt.key}, not {self.key}."
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
        """Drop the oldest receipt that is not the newest of its stream."""
        for mark, receipt in self._kept.items():
            if self._newest[receipt.stream] is not receipt:
                del self._kept[mark]
                return

    def write(self, file: str | PathLike[str]) -> int:
        """Write all kept receipts to a file for `croupier verify --receipt`; return their number."""
        kept = list(self)
        Path(file).write_bytes(b"".join(map(line_of, kept)))
        return len(kept)
