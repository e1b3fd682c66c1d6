"""An order made ready to travel: as bytes, with the files of one's own books in them, since nobody else has those."""

from __future__ import annotations

import pickle
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from croupier.runs.order import Order
from croupier.sim.kernels.engine import Engine

Files = dict[str, bytes]  # by their place under the book's folder; a book in one file has that one


class _Parcel(msgspec.Struct, frozen=True):
    """An order, and the files of its own books in the order of `books`."""

    order: Order
    books: tuple[tuple[str, Files], ...]


def packed(order: Order) -> bytes:
    """The order as bytes, fractions, sets and all."""
    parcel = _Parcel(order, tuple(_packed_book(Path(path)) for path in order.books))
    return pickle.dumps(parcel, protocol=pickle.HIGHEST_PROTOCOL)


def _packed_book(path: Path) -> tuple[str, Files]:
    if path.is_file():
        return path.name, {"": path.read_bytes()}
    files = sorted(path.rglob("*.toml"))
    return path.name, {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def unpacked(parcel: bytes) -> tuple[Order, list[Engine]]:
    """The order and its engines. Only for bytes from somebody trusted, as everything is that a cluster is sent."""
    sent: _Parcel = pickle.loads(parcel)
    with TemporaryDirectory(prefix="croupier-") as folder:  # engines need no files once they are made
        books = [
            _unpacked_book(Path(folder, str(number), name), files) for number, (name, files) in enumerate(sent.books)
        ]
        order = msgspec.structs.replace(sent.order, books=tuple(books))
        return sent.order, order.engines()


def _unpacked_book(path: Path, files: Files) -> str:
    for place, content in files.items():
        file = path / place if place else path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return str(path)
