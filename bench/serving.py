"""Servers in separate processes for the benchmarks: a furnished house, and bare applications beside it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec

from croupier.house import orders
from croupier.house.orders import Order, Submission
from croupier.server.credentials import Issued
from croupier.server.running_house import RunningHouse
from croupier.server.settings import PREFIX, Settings

BOOK = "craps-nsw-2024"
CHIPS_CENTS = 1_000_000_00
DEALER = "dora"
SERVE = ("-c", "from croupier.cli.main import run; run()", "serve")
SETTINGS = {
    "port": "0",
    "log": "warning",
    "orders_a_second": "1000000",
    "waiting_events": "100000",
    "waiting_bytes": "1000000000",
    "connections_from_one_address": "10000",
    "listeners_from_one_address": "10000",
}


class Furnished(NamedTuple):
    """A house in a folder: players with tokens at each table, and the dealer's token."""

    players: dict[str, list[str]]
    dealer: str


class Address(NamedTuple):
    """The address of a server, and its process."""

    port: int
    process: subprocess.Popen[str]

    def bytes_in_memory(self) -> int:
        """Return the memory that it uses."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def settings_in(folder: Path) -> dict[str, str]:
    """Return the settings for a house with its store and key in this folder."""
    return {"store": f"sqlite:{folder / 'house.db'}", "key": str(folder / "house.key")}


def furnish(folder: Path, tables: int, players: int) -> Furnished:
    """Set up a house with this many players at each of its tables."""
    return asyncio.run(_furnish(msgspec.convert(settings_in(folder), Settings), tables, players))


async def _furnish(settings: Settings, tables: int, players: int) -> Furnished:
    running = RunningHouse(settings)
    await running.open()
    try:
        await _do(running, orders.OpenAccount(person=DEALER, name="Dora", roles=("dealer",)))
        seated: dict[str, list[str]] = {}
        for number in range(tables):
            table = f"table-{number}"
            await _do(running, orders.SetTable(table=table, title=table, line={"book": BOOK, "min": "1.00"}))
            dealer = DEALER if number == 0 else f"{DEALER}-{number}"  # each runs one table
            if number:
                await _do(running, orders.OpenAccount(person=dealer, name="Dora", roles=("dealer",)))
            await _do(running, orders.TakePost(table=table, role="dealer"), dealer)
            people = [f"player-{number}-{one}" for one in range(players)]
            seated[table] = await asyncio.gather(*(_seated(running, table, person) for person in people))
        return Furnished(seated, _token(running, DEALER, "deal"))
    finally:
        await running.close()


async def _seated(running: RunningHouse, table: str, person: str) -> str:
    await _do(running, orders.OpenAccount(person=person, name=person, cents=CHIPS_CENTS))
    await _do(running, orders.IssueCard(person=person))
    await _do(running, orders.Sit(table=table, cents=CHIPS_CENTS), person)
    return _token(running, person, "play")


async def _do(running: RunningHouse, deed: Order, who: str | None = None) -> None:
    number = str(uuid4())
    told = await running.processor.do(Submission(id=number, order=deed, who=who, key=None if who is None else number))
    assert told["ok"], told


def _token(running: RunningHouse, person: str, scope: str) -> str:
    issued = running.credentials.issue_token(person, "bench", (scope,), running.clock())
    assert isinstance(issued, Issued)
    return issued.secret


@contextmanager
def house(folder: Path, *command: str) -> Iterator[Address]:
    """Run the house in a folder, with `croupier serve` or another command."""
    given = {PREFIX + name.upper(): value for name, value in {**SETTINGS, **settings_in(folder)}.items()}
    with serving(*(command or SERVE), environment=given) as address:
        yield address


@contextmanager
def serving(*command: str, environment: dict[str, str] | None = None) -> Iterator[Address]:
    """Run a Python program that serves and prints its address, until the block ends."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert ":" in said, f"{' '.join(command)} does not open: {said}"
        yield Address(int(said.rpartition(":")[2]), process)
    finally:
        process.terminate()
        process.wait(30)
