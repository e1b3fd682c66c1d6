"""The memory of idle tables: `python -m bench.idle_tables N` holds N of them in a house.

Each has been set and opened, runs automatically, and has a seated player and a few rounds of history. They are loaded
event by event, as after a restart, so that they share nothing that a loaded house would not share.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.house import House, NotLoaded
from croupier.house.names import account_stream, table_stream
from croupier.house.orders import Order, Submission, rounds
from croupier.rules.shelf import Shelf
from croupier.server.system import SystemEntropy
from croupier.store.memory import MemoryStore
from croupier.store.records import Record

TABLES = 10_000
ROOM = 2 * 2**30  # bytes
ROUNDS = 3
# A wager that is open at the start of every round.
WAGERS = {"craps-nsw-2024": "field", "sic-bo-nsw-2016": "small", "snake-eyes-nsw-2019": "any_seven"}
TABLE, PLAYER = "table-0", "player-0"


def idle_tables_ratio() -> tuple[float, str]:
    """Return the peak size of a process with this many idle tables, as a share of the memory allowed."""
    empty, full = (_peak(tables) for tables in (0, TABLES))
    each = (full - empty) / TABLES
    return full / ROOM, f"{full / 2**20:,.0f} MiB with {TABLES:,} tables, {each:,.0f} bytes for each with its player"


def _peak(tables: int) -> int:
    command = [sys.executable, "-m", "bench.idle_tables", str(tables)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout)


class Played:
    """One table of a book after a few rounds, as stored."""

    def __init__(self, shelf: Shelf, book: str, wager: str) -> None:
        self._store = MemoryStore()
        self._house = House(shelf)
        self._chance = SystemEntropy()
        self._now = datetime.now(UTC)
        line = {"book": book, "min": "5.00", "max": "500.00"}
        self._do(orders.SetTable(table=TABLE, title="A table", line=line, rhythm=Rhythm()))
        self._do(orders.OpenAccount(person=PLAYER, name="A player", cents=1000_00))
        self._do(orders.IssueCard(person=PLAYER))
        self._do(orders.Sit(table=TABLE, cents=500_00), PLAYER)
        for _ in range(ROUNDS):
            self._play(wager)

    def _play(self, wager: str) -> None:
        self._run_on()
        self._do(orders.Say(table=TABLE, line={"do": "bet", "wager": wager, "amount": "5.00"}), PLAYER)
        while self._house.table(TABLE).round is not None:
            self._run_on()

    def _run_on(self) -> None:
        due = rounds.due(self._house.table(TABLE))
        assert due is not None, "a player sits at the table"
        self._now = max(self._now, due)
        self._do(orders.RunOn(table=TABLE))

    def _do(self, deed: Order, who: str | None = None) -> None:
        order = Submission(id="an order", order=deed, who=who)
        while True:
            try:
                pending = self._house.decide(order, self._now, self._chance)
                break
            except NotLoaded as missing:
                self._house.take_in(missing.stream, self._store.read(missing.stream))
        reply = self._house.settle(pending, self._store.commit([pending.write])[0])
        assert reply == pending.answer, reply
        assert reply["ok"], reply

    def copy_to(self, house: House, number: int) -> None:
        """Copy the table and its player under new names."""
        for stream in (table_stream(TABLE), account_stream(PLAYER)):
            records = [_renamed(record, number) for record in self._store.read(stream)]
            house.take_in(records[0].stream, records)


def _renamed(record: Record, number: int) -> Record:
    document = re.sub(rb"\b(table|player)-0\b", rb"\1-%d" % number, record.document)
    return Record(f"{record.stream.removesuffix('-0')}-{number}", record.version, document, record.hash)


def main() -> None:
    """Fill a house, and print the peak size in bytes."""
    shelf = Shelf()
    house = House(shelf)
    played = [Played(shelf, book, wager) for book, wager in WAGERS.items()]
    for number in range(1, int(sys.argv[1]) + 1):
        played[number % len(played)].copy_to(house, number)
    print(_largest())


def _largest() -> int:
    """Return the peak size of this process in bytes. The system's counter may include the parent process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    assert peak is not None, "Linux counts it for every process"
    return int(peak[1]) * 1024


if __name__ == "__main__":
    main()
