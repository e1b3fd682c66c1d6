"""Run a simulation on a Dask cluster: blocks go out, counts come back, and the numbers equal those of one core.

The result of a block depends only on the plan and the block, and each block is added up once, here. So it does not
matter which worker plays it, or how often: if a worker is lost, Dask replays its blocks elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from importlib import import_module
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from croupier.execution.local import Each, interruptible
from croupier.execution.simulation_plan import Counted, OnProgress, SimulationPlan
from croupier.execution.worker import MATTER, NotPlayed, Played, Versions, own_versions, packed, play
from croupier.rules.errors import Impossible

EXTRA = "croupier[cluster]"
CONNECTING = 5.0  # timeout for the scheduler to answer, in seconds
NO_WORKERS = 30.0  # seconds before giving up on a cluster without workers: some start theirs on demand
TASK = 2.0  # target seconds per task: long compared with scheduling, short enough to repeat
MOST_BLOCKS = 4096  # per task
MOST_BLOCKS_KNOWN = 8  # per task if every session is returned: some megabytes
GROWTH = 4  # factor by which a task may exceed those before it
AHEAD = 3  # tasks in flight per thread of the cluster
LOOK_ROUND = 1.0  # seconds between two checks of the workers

T = TypeVar("T")


def run(
    plan: SimulationPlan, address: str, told: OnProgress | None = None, each: Each | None = None
) -> tuple[Counted, bool]:
    """Play all sessions on the cluster at an address; return the counts, and whether they are complete.

    If interrupted, it returns what has come back, which covers a prefix of the sessions. Raises KeyboardInterrupt if no
    session was played, and Impossible.
    """
    dask = need_dask()
    if not address.strip():
        raise Impossible("cluster_not_reached", 'Give the address of the cluster, such as "tcp://10.0.0.7:8786".')
    errand = _Errand(plan, _Cluster(dask, address), told, each)
    counted, interrupted = interruptible(lambda: asyncio.run(errand.run()), errand.stop)
    if counted is None:
        raise KeyboardInterrupt
    return counted, not interrupted or counted.sessions == plan.sessions


def need_dask() -> Any:  # noqa: ANN401
    """Import Dask, an optional dependency. Raises Impossible if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        say = f"A cluster needs Dask, which is not installed: run pip install '{EXTRA}'."
        raise Impossible("no_cluster", say) from None


def check_versions(versions: Versions, worker: str = "") -> None:
    """Refuse a worker whose versions differ from those here. Raises Impossible."""
    for package, other in versions.items():
        own = own_versions()[package]
        if other != own:
            who = f"The worker at {worker}" if worker else "A worker"
            has = f"{package} {other}" if other else f"no {package}"
            say = f"{who} has {has} and this machine {own}: the numbers might not be the same."
            raise Impossible("cluster_versions_differ", say)


class _Cluster:
    """A connection to a cluster. Every failure is reported in one sentence."""

    def __init__(self, dask: Any, address: str) -> None:  # noqa: ANN401
        self.address = address
        self.done = 0  # sessions so far, for that sentence
        self._dask = dask
        self._client: Any = None
        self._reasons = {
            dask.KilledWorker: "the same task repeatedly killed its workers",
            dask.CancelledError: "its scheduler no longer answers",
            dask.comm.CommClosedError: "its scheduler no longer answers",
        }

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Connect for the duration of the context. Raises Impossible if no scheduler answers."""
        log = logging.getLogger("distributed.client")
        level, client = log.level, None
        log.setLevel(logging.CRITICAL)  # its errors are reported as sentences, not as tracebacks
        try:
            try:
                client = self._dask.Client(
                    self.address, asynchronous=True, set_as_default=False, name="croupier", timeout=CONNECTING
                )
                self._client = await client
            except Exception as error:
                why = "" if isinstance(error, OSError) else f": {_first_sentence(error)}"
                raise Impossible("cluster_not_reached", f"No Dask scheduler answers at {self.address}{why}.") from error
            yield
        finally:
            if client is not None:
                await client.close(timeout=CONNECTING)
            log.setLevel(level)

    async def check_versions(self) -> None:
        """Check the versions of all current workers. Workers that join later report theirs with each result."""
        told = await self._answer(self._client.get_versions(packages=list(MATTER)))
        for name, worker in told["workers"].items():
            check_versions({package: worker["packages"].get(package) for package in MATTER}, name)

    async def threads(self) -> int:
        """The number of tasks it can run at once."""
        by_worker: dict[str, int] = await self._answer(self._client.nthreads())
        return sum(by_worker.values())

    async def play(self, name: str, parcel: bytes, first: int, count: int, with_known: bool) -> Played:
        """Play some blocks on any worker."""
        future = self._client.submit(play, parcel, first, count, with_known, own_versions(), key=name, pure=False)
        played: Played | NotPlayed = await self._answer(future)
        if isinstance(played, NotPlayed):
            check_versions(played.versions)
            raise self.failed(f"a worker could not begin, {played.problem.rstrip('.')}")
        return played

    async def _answer(self, asked: Awaitable[T]) -> T:
        try:
            return await asked
        except Exception as error:
            known = (why for kind, why in self._reasons.items() if isinstance(error, kind))
            raise self.failed(next(known, _first_sentence(error))) from error

    def failed(self, reason: str) -> Impossible:
        """The error for a cluster that cannot continue."""
        sessions = f"{self.done:,} session{'' if self.done == 1 else 's'}"
        say = f"The cluster at {self.address} failed after {sessions}: {reason}."
        return Impossible("cluster_failed", say)


def _first_sentence(error: Exception) -> str:
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return first.split(". ")[0].rstrip(".")


class _Errand:
    """One run on a cluster. A window of tasks slides over the blocks; results are added up in order."""

    def __init__(self, plan: SimulationPlan, cluster: _Cluster, told: OnProgress | None, each: Each | None) -> None:
        self.plan = plan
        self.cluster = cluster
        self.told = told
        self.each = each
        self.counted: Counted | None = None
        self._is_wanted = True
        self._stopped = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._parcel = packed(plan)
        self._name = f"croupier-{uuid4().hex}"
        self._under_way: deque[asyncio.Task[Played]] = deque()
        self._next = 0  # first block of the next task
        self._size = 1  # blocks in the next task
        self._block: int | None = None  # sessions per block: known once the first task is back
        self._threads = 1
        self._looked_round: float | None = None

    def stop(self) -> None:
        """End with what has come back. Called from another thread."""
        self._is_wanted = False
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopped.set)

    async def run(self) -> Counted | None:
        """Return the counts; None if there are none."""
        self._loop = asyncio.get_running_loop()
        async with self.cluster.connected():
            await self.cluster.check_versions()
            try:
                while self._is_wanted and await self._send():
                    await self._wait()
                    await self._take_in()
            finally:
                for task in self._under_way:
                    task.cancel()
                await asyncio.gather(*self._under_way, return_exceptions=True)
        return self.counted

    async def _send(self) -> bool:
        """Send tasks until the window is full; return whether any are in flight."""
        if self._looked_round is None or monotonic() - self._looked_round > LOOK_ROUND:
            self._threads = max(1, await self.cluster.threads())
            self._looked_round = monotonic()
        while len(self._under_way) < AHEAD * self._threads and self._next < self._blocks:
            count = self._share()
            name = f"{self._name}-{self._next}"
            played = self.cluster.play(name, self._parcel, self._next, count, self.each is not None)
            self._under_way.append(asyncio.create_task(played))
            self._next += count
        return bool(self._under_way)

    @property
    def _blocks(self) -> int:
        """The number of blocks; an upper bound until the block size is known."""
        return -(-self.plan.sessions // (self._block or 1))

    def _share(self) -> int:
        """The number of blocks in the next task: fewer towards the end, so that all workers finish together."""
        left = self._blocks - self._next
        return max(1, min(self._size, left // (2 * self._threads)))

    async def _wait(self) -> None:
        """Wait until the first task of the window is done, or the run is stopped."""
        first, began = self._under_way[0], monotonic()
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            while not first.done() and not stopped.done():
                await asyncio.wait({first, stopped}, timeout=LOOK_ROUND, return_when=asyncio.FIRST_COMPLETED)
                waited = monotonic() - began
                if waited > NO_WORKERS and not await self.cluster.threads():
                    lost = "has no workers" if self.counted is None else "has lost all its workers"
                    raise Impossible("no_workers", f"The cluster at {self.cluster.address} {lost}.")
        finally:
            stopped.cancel()

    async def _take_in(self) -> None:
        """Add up the completed tasks at the front of the window."""
        while self._under_way and self._under_way[0].done():
            if not self._is_wanted and self._under_way[0].exception() is not None:
                return  # after an interruption, return what there is and ignore failures
            await self._add(await self._under_way.popleft())

    async def _add(self, played: Played) -> None:
        counted, self._block = played.counted, played.block
        blocks = -(-counted.sessions // played.block)
        if not blocks:
            return  # sent before the number of blocks was known
        most = MOST_BLOCKS if self.each is None else MOST_BLOCKS_KNOWN
        self._size = max(1, min(int(TASK * blocks / max(played.seconds, 1e-6)), GROWTH * blocks, most))
        if self.counted is None:
            self.counted = counted
        else:
            self.counted.merge(counted)
        self.cluster.done = self.counted.sessions
        if self.each is not None:
            for known in played.known:
                await asyncio.to_thread(self.each, known)
        if self.told is not None:
            self.told(counted.sessions)
