"""Commands over HTTP to a real house, durably stored, against a bare endpoint that validates the same body."""

from __future__ import annotations

import asyncio
import gc
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.calling import Caller, callers, posted
from bench.serving import Address, Furnished, furnish, house, serving

TABLES = 8  # with as many clients as in bench.commands
CLIENTS = 64
EACH = 10  # commands per client and turn: bets that are placed and taken back
EACH_BARE = 20  # so that turns of both sides take about as long, and a busy machine disturbs them alike
ROUNDS = 15
BET = b'{"line":{"do":"bet","wager":"field","amount":"5.00"}}'
TAKE = b'{"line":{"do":"take","wager":"field"}}'


def http_ratio() -> tuple[float, str]:
    """Return commands per second as a share of the bare endpoint's.

    The sides alternate and the median of all turns counts, as with the store, since one side involves a disk.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        furnished = furnish(folder, TABLES, CLIENTS // TABLES)
        with house(folder) as ours, serving("-m", "bench.bare") as bare:
            turns = asyncio.run(_turns(furnished, ours, bare))
    speeds = [median(turn[side] for turn in turns) for side in (0, 1)]
    best = max(turn[0] for turn in turns) / max(turn[1] for turn in turns)
    detail = f"{speeds[0]:,.0f} a second, the bare endpoint {speeds[1]:,.0f}, with {CLIENTS} clients"
    return median(ours / bare for ours, bare in turns), f"{detail}; {best:.2f} by the best turn of each"


async def _turns(furnished: Furnished, ours: Address, bare: Address) -> list[tuple[float, float]]:
    """Return commands per second of both sides, turn by turn."""
    sides = [("/api/v1", ours, EACH), ("", bare, EACH_BARE)]
    connected = [(prefix, await callers(address.port, CLIENTS), each) for prefix, address, each in sides]
    keys = count()
    turns = []
    for _ in range(ROUNDS + 1):
        speeds = [
            await _speed(clients, _commands(furnished, prefix, each, keys)) for prefix, clients, each in connected
        ]
        turns.append((speeds[0], speeds[1]))
    for _, clients, _ in connected:
        for client in clients:
            client.close()
    return turns[1:]  # the first is a warm-up


def _commands(furnished: Furnished, prefix: str, each: int, keys: count[int]) -> list[list[bytes]]:
    """Return what each client sends in a turn."""
    return [
        [
            posted(f"{prefix}/tables/{table}/lines", body, token, f"key-{next(keys)}")
            for body in (BET, TAKE) * (each // 2)
        ]
        for table, tokens in furnished.players.items()
        for token in tokens
    ]


async def _speed(clients: list[Caller], commands: list[list[bytes]]) -> float:
    gc.collect()
    start = perf_counter()
    await asyncio.gather(*(client.send(own) for client, own in zip(clients, commands, strict=True)))
    return sum(map(len, commands)) / (perf_counter() - start)
