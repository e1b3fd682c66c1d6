"""The worker's side of a simulation on a cluster: blocks in, counts out. Needs no Dask."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import perf_counter

import msgspec

import croupier
from croupier.execution.simulation_plan import Counted, Crew, SimulationPlan, block_size, copied
from croupier.rules.errors import Impossible, RuleBookError
from croupier.simulation.kernels.engine import Engine, Known

MATTER = ("croupier", "numba")  # packages whose versions must match, or numbers might differ
SOURCE = "source of croupier"  # two copies of one version may differ during development
PARTS = ("money.py", "rulebooks", "rules", "maths", "table", "simulation", "execution")  # sources that matter
MOST_KEPT = 4  # plans whose engines a worker caches, since compiling takes time

Versions = dict[str, str | None]


@cache
def own_versions() -> Versions:
    """The versions running here. Cached early: packages installed later do not affect a running process."""
    return {**{package: _version(package) for package in MATTER}, SOURCE: _digest()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _digest() -> str:
    """A short hash of all files that numbers depend on."""
    package = Path(croupier.__file__).parent
    files = [file for part in PARTS for file in (package / part).rglob("*") if file.suffix in (".py", ".toml")]
    made = sha256()
    for file in sorted([package / PARTS[0], *files]):
        made.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()[:12]


class Played(msgspec.Struct, frozen=True):
    """Some blocks that a worker has played: the counts, and the time taken.

    `block` is the number of sessions per block; `known` holds the results of each session, if requested.
    """

    block: int
    counted: Counted
    known: tuple[list[Known], ...]
    seconds: float


class NotPlayed(msgspec.Struct, frozen=True):
    """Why a worker has not started: different versions, or a problem in one sentence."""

    versions: Versions
    problem: str = ""


def play(parcel: bytes, first: int, count: int, with_known: bool, versions: Versions) -> Played | NotPlayed:
    """Play `count` blocks from `first`, as far as there are any; the result depends on the blocks alone."""
    if versions != own_versions():
        return NotPlayed(own_versions())
    try:
        plan, engines = _KEPT.engines(parcel)
    except (Impossible, RuleBookError, OSError) as error:
        return NotPlayed(own_versions(), str(error))
    size, start = block_size(engines), perf_counter()
    crew, known = Crew(engines), []
    for session in range(first * size, min((first + count) * size, plan.sessions), size):
        block = crew.block(plan.seed, session, min(size, plan.sessions - session))
        if with_known:
            known.append(copied(block))
    return Played(size, crew.counted, tuple(known), perf_counter() - start)


class _Kept:
    """A cache of the engines of the last few plans. Several threads may ask at once; only one builds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._engines: OrderedDict[bytes, tuple[SimulationPlan, list[Engine]]] = OrderedDict()

    def engines(self, parcel: bytes) -> tuple[SimulationPlan, list[Engine]]:
        with self._lock:
            if parcel not in self._engines:
                self._engines[parcel] = unpacked(parcel)
            self._engines.move_to_end(parcel)
            if len(self._engines) > MOST_KEPT:
                self._engines.popitem(last=False)
            return self._engines[parcel]


_KEPT = _Kept()


# Serialised plans, with the files of the caller's own books, which workers do not have

Files = dict[str, bytes]  # by path under the book's folder; a single-file book has an empty path


class _Parcel(msgspec.Struct, frozen=True):
    """A plan, and the files of its own books, in the order of `books`."""

    plan: SimulationPlan
    books: tuple[tuple[str, Files], ...]


def packed(plan: SimulationPlan) -> bytes:
    """Serialise a plan, including fractions and sets."""
    parcel = _Parcel(plan, tuple(_packed_book(Path(path)) for path in plan.books))
    return pickle.dumps(parcel, protocol=pickle.HIGHEST_PROTOCOL)


def _packed_book(path: Path) -> tuple[str, Files]:
    if path.is_file():
        return path.name, {"": path.read_bytes()}
    files = sorted(path.rglob("*.toml"))
    return path.name, {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def unpacked(parcel: bytes) -> tuple[SimulationPlan, list[Engine]]:
    """Deserialise a plan and build its engines. Only for trusted bytes, as pickle requires."""
    sent: _Parcel = pickle.loads(parcel)
    with TemporaryDirectory(prefix="croupier-") as folder:  # engines need no files once built
        books = [
            _unpacked_book(Path(folder, str(number), name), files) for number, (name, files) in enumerate(sent.books)
        ]
        plan = msgspec.structs.replace(sent.plan, books=tuple(books))
        return sent.plan, plan.engines()


def _unpacked_book(path: Path, files: Files) -> str:
    for place, content in files.items():
        file = path / place if place else path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return str(path)
