"""The part of a simulation that a worker of a cluster does: blocks in, counts out. It needs no Dask."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from time import perf_counter

import msgspec

import croupier
from croupier.rules.errors import Impossible, RuleBookError
from croupier.runs.order import Counted, Crew, Order, block_size, copied
from croupier.runs.parcel import unpacked
from croupier.sim.kernels.engine import Engine, Known

MATTER = ("croupier", "numba")  # whose versions must be the same everywhere, or numbers might not be
SOURCE = "source of croupier"  # two copies of one version may differ, while somebody is working on them
PARTS = ("money.py", "rulebooks", "rules", "maths", "table", "sim", "runs")  # what numbers depend on
MOST_KEPT = 4  # orders whose engines a worker keeps, since compiling takes time

Versions = dict[str, str | None]


@cache
def own_versions() -> Versions:
    """What runs here. Asked once, early on: what is installed later under a running process, it does not run."""
    return {**{package: _version(package) for package in MATTER}, SOURCE: _digest()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _digest() -> str:
    """A short number for the text of all files that numbers depend on."""
    package = Path(croupier.__file__).parent
    files = [file for part in PARTS for file in (package / part).rglob("*") if file.suffix in (".py", ".toml")]
    made = sha256()
    for file in sorted([package / PARTS[0], *files]):
        made.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()[:12]


class Played(msgspec.Struct, frozen=True):
    """Some blocks that a worker has played: what it counted, and how long that took.

    `block` is how many sessions make a block, `known` what is known of each session, where that is wanted.
    """

    block: int
    counted: Counted
    known: tuple[list[Known], ...]
    seconds: float


class NotPlayed(msgspec.Struct, frozen=True):
    """Why a worker has not begun: other versions, or a problem in one sentence."""

    versions: Versions
    problem: str = ""


def play(parcel: bytes, first: int, count: int, with_known: bool, versions: Versions) -> Played | NotPlayed:
    """Play so many blocks from the given one on, as far as there are any; always the same for the same blocks."""
    if versions != own_versions():
        return NotPlayed(own_versions())
    try:
        order, engines = _KEPT.engines(parcel)
    except (Impossible, RuleBookError, OSError) as error:
        return NotPlayed(own_versions(), str(error))
    size, start = block_size(engines), perf_counter()
    crew, known = Crew(engines), []
    for session in range(first * size, min((first + count) * size, order.sessions), size):
        block = crew.block(order.seed, session, min(size, order.sessions - session))
        if with_known:
            known.append(copied(block))
    return Played(size, crew.counted, tuple(known), perf_counter() - start)


class _Kept:
    """The engines of the last few orders. Several threads may ask at once; only one of them builds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._engines: OrderedDict[bytes, tuple[Order, list[Engine]]] = OrderedDict()

    def engines(self, parcel: bytes) -> tuple[Order, list[Engine]]:
        with self._lock:
            if parcel not in self._engines:
                self._engines[parcel] = unpacked(parcel)
            self._engines.move_to_end(parcel)
            if len(self._engines) > MOST_KEPT:
                self._engines.popitem(last=False)
            return self._engines[parcel]


_KEPT = _Kept()
