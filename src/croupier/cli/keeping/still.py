"""One moment of a store, while others write; and a bar that shows how much of it was read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager

from croupier.store.checkpoints import STREAM
from croupier.store.contract import BesideKind, Reading, Room, StoreError
from croupier.store.opening import open_store
from croupier.store.records import Entry, Outcome, Record, Refusal, Write
from croupier.store.seals import Seals
from croupier.store.view import ReadThrough, T

Tell = Callable[[int], None]


class StillStore(ReadThrough):
    """A store as it was at one moment, to be read only. It tells of the events that are read."""

    def __init__(self, view: Reading, tell: Tell) -> None:
        self.name = view.name
        self._view = view
        self._tell = tell

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        return question(self._view)

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """The moment itself."""
        yield self

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        """Events after a version, in order, each checked against the chain. Raises CorruptStore."""
        records = super().read(stream, after, limit, verified=verified)
        self._tell(len(records))
        return records

    def damage(self) -> Iterator[str]:
        """Sentences on what is damaged outside the chains."""
        return self._view.damage()

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Numbers and digests of answers or refusals."""
        return self._view.beside(kind, after, until)

    def entries(self) -> Iterator[Entry]:
        """Everything that is sealed by itself."""
        return self._view.entries()

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Nothing is written here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def use(self, seals: Seals) -> None:
        """Nothing is sealed here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def adopt(self) -> None:
        """Nothing is sealed here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def erase(self, name: str) -> None:
        """Nothing is taken away here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def settled(self) -> dict[BesideKind, int]:
        """Nothing is sealed here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def room(self) -> Room:
        """Nothing grows here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def load(self, kept: Iterable[Record | Refusal]) -> None:
        """Nothing is written here. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def close(self) -> None:
        """Whoever opened the store closes it."""

    @property
    def checkpoints(self) -> int:
        """How many there are."""
        return self.head(STREAM).version


@contextmanager
def still_store(address: str, words: str, times: int = 1) -> Iterator[StillStore]:
    """A store at this moment, with a bar for whoever reads all of it so many times. Raises StoreError."""
    with (
        closing(open_store(address, read_only=True)) as store,
        store.still() as view,
        bar(words, times * _size(view)) as tell,
    ):
        yield StillStore(view, tell)


def _size(view: Reading) -> int:
    """How many events there are; a damaged store may not be able to say, and the bar does without."""
    try:
        return sum(head.version for head in view.heads())
    except StoreError:
        return 0


@contextmanager
def bar(words: str, total: int = 0) -> Iterator[Tell]:
    """A bar while something is done; without a total it shows that it goes on. Nothing where nobody would see it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(words, total=total or None)
        yield lambda more: shown.advance(task, more)
