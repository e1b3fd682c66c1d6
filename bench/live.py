"""A throw at a table with 1,000 listeners: from its commit to its arrival, against a bare broadcast of as many bytes.

A hundred listeners sit at the table with wagers on it, and each receives the outcome of their own; the others watch.
All times come from one machine's clock, which its processes share.
"""

from __future__ import annotations

import asyncio
import os
from itertools import count
from pathlib import Path
from statistics import fmean, median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic

import msgspec

from bench.calling import HOST, Caller, Hearer, asked, callers, posted
from bench.serving import Address, Furnished, furnish, house, serving

LISTENERS = 1000
SEATED = 100
THROWS = 12
TABLE = "table-0"
BET = b'{"line":{"do":"bet","wager":"field","amount":"5.00"}}'
THROW = b'{"line":{"do":"roll","dice":[2,1]}}'
QUIET = 0.2  # seconds of silence after which everything has arrived
PATIENCE = 60.0


class Heard(msgspec.Struct):
    """The measurements of one side: the delay of each listener in each turn."""

    turns: list[list[float]] = []
    bytes_told: float = 0.0
    bytes_for_each: float = 0.0

    @property
    def p99(self) -> float:
        """The 99th percentile of the delays over all turns."""
        return _p99([seconds for turn in self.turns for seconds in turn])


def _p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[98]


def live_ratio() -> tuple[float, str]:
    """Return the delay as a multiple of a bare broadcast's, and the memory per listener."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        furnished = furnish(folder, 1, SEATED)
        with house(folder, "-m", "bench.live") as ours, serving("-m", "bench.bare") as bare:
            heard = asyncio.run(_both(furnished, ours, bare))
    by_turn = median(_p99(ours) / _p99(bare) for ours, bare in zip(heard[0].turns, heard[1].turns, strict=True))
    times = [f"{one.p99 * 1e3:.0f} ms" for one in heard]
    memory = [f"{one.bytes_for_each / 1024:.0f} KiB" for one in heard]
    told = f"{times[0]}, a bare broadcast of {heard[0].bytes_told:,.0f} bytes to each {times[1]}"
    told += f"; {by_turn:.2f} times by the middle one of all throws"
    return heard[0].p99 / heard[1].p99, f"{told}; an idle listener takes {memory[0]} of memory, a bare one {memory[1]}"


async def _both(furnished: Furnished, ours: Address, bare: Address) -> tuple[Heard, Heard]:
    """Alternate both sides."""
    tokens = [*furnished.players[TABLE], *[None] * (LISTENERS - SEATED)]
    table = _Table(furnished, ours, await callers(ours.port, SEATED + 1))
    broadcast = _Broadcast((await callers(bare.port, 1))[0])
    sides: list[tuple[_Table | _Broadcast, list[Hearer], Heard]] = []
    for side, address, path in ((table, ours, f"/api/v1/tables/{TABLE}/live"), (broadcast, bare, "/live")):
        before = address.bytes_in_memory()
        hearers = [await _listening(address, asked(path, token)) for token in tokens]
        await _heard_by_all(hearers)
        sides.append((side, hearers, Heard(bytes_for_each=(address.bytes_in_memory() - before) / LISTENERS)))
    for _ in range(THROWS + 1):
        for side, hearers, heard in sides:
            await side.prepare(hearers)
            for hearer in hearers:
                hearer.heard.clear()
            at = await side.tell()
            await _heard_by_all(hearers)
            heard.turns.append([hearer.heard_at - at for hearer in hearers])
            heard.bytes_told = fmean(len(hearer.heard) for hearer in hearers)
        at_table = sides[0][1]
        assert len(at_table[0].heard) > len(at_table[-1].heard), "who sits at the table hears of their own wager, too"
        broadcast.size = round(sides[0][2].bytes_told)
    for _, hearers, _ in sides:
        for hearer in hearers:
            hearer.close()
    for _, _, heard in sides:
        del heard.turns[0]  # the warm-up
    return sides[0][2], sides[1][2]


async def _listening(address: Address, request: bytes) -> Hearer:
    return (await asyncio.get_running_loop().create_connection(lambda: Hearer(request), HOST, address.port))[1]


async def _heard_by_all(hearers: list[Hearer]) -> None:
    """Wait until all have received something and nothing more arrives."""
    end = monotonic() + PATIENCE
    while not all(hearer.heard for hearer in hearers) or monotonic() - max(one.heard_at for one in hearers) < QUIET:
        assert monotonic() < end, f"{sum(not hearer.heard for hearer in hearers)} of {len(hearers)} heard nothing"
        await asyncio.sleep(QUIET / 2)


class _Table:
    """A table where every seated player bets, and the dealer throws."""

    def __init__(self, furnished: Furnished, address: Address, clients: list[Caller]) -> None:
        self._furnished = furnished
        self._address = address
        self._players, self._dealer = clients[:-1], clients[-1]
        self._keys = count()

    async def prepare(self, hearers: list[Hearer]) -> None:
        """Have the bets placed."""
        for hearer in hearers:
            hearer.heard.clear()
        bets = [self._said(BET, token) for token in self._furnished.players[TABLE]]
        await asyncio.gather(*(one.send([bet]) for one, bet in zip(self._players, bets, strict=True)))
        await _heard_by_all(hearers)

    async def tell(self) -> float:
        """Throw; return the time of the commit."""
        asked_at = monotonic()
        await self._dealer.send([self._said(THROW, self._furnished.dealer)])
        assert self._address.process.stdout is not None
        for line in self._address.process.stdout:
            if float(line) > asked_at:
                return float(line)
        raise AssertionError("the house has gone")

    def _said(self, line: bytes, token: str) -> bytes:
        return posted(f"/api/v1/tables/{TABLE}/lines", line, token, f"key-{next(self._keys)}")


class _Broadcast:
    """The bare side."""

    def __init__(self, client: Caller) -> None:
        self._client = client
        self.size = 100

    async def prepare(self, hearers: list[Hearer]) -> None:
        """Do nothing."""

    async def tell(self) -> float:
        """Broadcast; return the starting time."""
        told = await self._client.answer(posted("/tell", b'{"bytes":%d}' % self.size, "-", "-"))
        return float(msgspec.json.decode(told)["at"])


def _serve() -> None:
    """Run the house as `croupier serve` does, printing the time of each commit."""
    from croupier.server.serving import serve
    from croupier.server.settings import read_settings
    from croupier.store.contract import BEFORE_REPLIES

    def boundary(name: str) -> None:
        if name == BEFORE_REPLIES:
            print(monotonic(), flush=True)

    serve(read_settings(None, os.environ), boundary)


if __name__ == "__main__":
    _serve()
