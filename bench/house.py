"""One throw at a full table, from the dealer's line until it is stored and every listener has it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.commands import Clients
from bench.settlement import BOOK, PLAYERS, ROLLS, WAGERS, full_table, throw_all
from bench.timing import by_turns
from croupier.house import orders
from croupier.house.house import House
from croupier.house.live_streams import Restored
from croupier.house.names import table_stream
from croupier.house.table_state import TableState
from croupier.house.views.visibility import PUBLIC_VIEWER
from croupier.rules.shelf import Shelf
from croupier.server.live import Broadcaster, Listener
from croupier.server.order_processor import OrderProcessor
from croupier.store.sqlite import SqliteStore
from croupier.table.state import State

DEALER, TABLE = "dot", "full"
NO_SNAPSHOTS = 10**9  # events before the first snapshot, which belongs to the next start, not to this throw


class FullTable:
    """A table that is refilled before every throw, on an order processor with a listener."""

    def __init__(self, shelf: Shelf, path: Path) -> None:
        self._broadcaster = Broadcaster(most_waiting=len(ROLLS))
        self._house = House(shelf, lambda stream, entries: self._broadcaster.publish(self._house, stream, entries))
        self._store = SqliteStore(path)
        self._runner = asyncio.Runner()
        self._processor, self._clients, self._listener = self._runner.run(self._opened())

    async def _opened(self) -> tuple[OrderProcessor, Clients, Listener]:
        processor = OrderProcessor(self._house, self._store, snapshot_events=NO_SNAPSHOTS)
        clients = Clients(processor)
        await clients.do(orders.SetTable(table=TABLE, title="Full", line={"book": BOOK}))
        await clients.do(orders.OpenAccount(person=DEALER, name="A dealer", roles=("dealer",)))
        await clients.do(orders.TakePost(table=TABLE, role="dealer"), DEALER)
        return processor, clients, self._broadcaster.listen(table_stream(TABLE), lambda: PUBLIC_VIEWER)

    def throw_all(self, tables: list[State]) -> None:
        """Throw at every table: decide, store, and build what a listener receives."""
        for state in tables:
            for roll in ROLLS:
                self._fill(state)
                self._runner.run(self._throw(roll))

    def _fill(self, game: State) -> None:
        stream = table_stream(TABLE)
        head = self._house.head(stream)
        self._house.forget(stream)
        table = TableState(name=TABLE, title="Full", game=game, staff={DEALER: "dealer"})
        self._house.take_in(stream, [], restored=Restored(table, head))

    async def _throw(self, roll: tuple[int, ...]) -> None:
        await self._clients.do(orders.Say(table=TABLE, line={"do": "roll", "dice": list(roll)}), DEALER)
        heard = await self._listener.next()
        assert heard, "every listener has received the throw"

    def close(self) -> None:
        """Close the order processor and the store."""
        self._runner.run(self._processor.close())
        self._runner.close()
        self._store.close()


def throw_ratio() -> tuple[float, str]:
    """Compare a throw, from the dealer's line through storage to what listeners receive, with the engine alone."""
    shelf = Shelf()
    tables = [full_table(shelf, "point 8"), full_table(shelf, "come out")]
    with TemporaryDirectory() as name:
        full = FullTable(shelf, Path(name, "house.sqlite"))
        ours, bare = by_turns(lambda: full.throw_all(tables), lambda: throw_all(shelf, tables), 7)
        full.close()
    throws = len(tables) * len(ROLLS)
    detail = f"{ours / throws * 1e3:.1f} ms against {bare / throws * 1e3:.1f} ms with {PLAYERS:,} players"
    return ours / bare, f"{detail} and {WAGERS:,} wagers"


if __name__ == "__main__":
    print("{:.2f} times the bare engine; {}".format(*throw_ratio()))
