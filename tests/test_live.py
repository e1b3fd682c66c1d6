"""Live events: who is woken when, who is sent what, and what happens to listeners that fall behind or leave."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import httpx
import msgspec
import pytest

from croupier.house.events import CardIssued
from croupier.house.house import House, NotLoaded
from croupier.house.orders import GrantChips, Submission
from croupier.house.stored_events import FORMAT, Document, Entry, encode, read
from croupier.house.views.visibility import PUBLIC_VIEWER, Shown, Viewer
from croupier.server.api import streaming
from croupier.server.live import Broadcaster, Chunk, EncodedEntries, Listener
from croupier.server.order_processor import OrderProcessor
from croupier.server.serving import bound
from croupier.server.settings import Settings
from croupier.store.contract import Store
from croupier.store.records import Record
from croupier.table.state import TableView
from tests.houses import SHELF
from tests.serving import Running, running
from tests.virtual_loop import run_in_no_time
from tests.waiting import until

CRAPS = "/tables/craps-nsw-2024"
STREAM = "table/one"


def listening(broadcaster: Broadcaster, person: str | None = None) -> Listener:
    return broadcaster.listen(STREAM, lambda: PUBLIC_VIEWER, person)


def test_what_was_heard_meanwhile_comes_together() -> None:
    async def heard() -> list[Chunk]:
        listener = listening(Broadcaster(10))
        listener.hear(Chunk(1, b"a"))
        listener.hear(Chunk(2, b"b"))
        return await listener.next()

    assert asyncio.run(heard()) == [Chunk(1, b"a"), Chunk(2, b"b")]


def test_who_does_not_keep_up_is_late_and_keeps_no_more_than_the_bound() -> None:
    async def heard() -> tuple[int, bool]:
        listener = listening(Broadcaster(3))
        for version in range(1, 6):
            listener.hear(Chunk(version, b"x"))
        return len(await listener.next()), listener.is_late

    assert asyncio.run(heard()) == (3, True)


def test_who_does_not_keep_up_keeps_no_more_bytes_than_the_bound() -> None:
    """Nothing follows what was left out, however small: it would go missing without notice."""

    async def heard() -> tuple[list[Chunk], bool]:
        listener = listening(Broadcaster(1000, most_bytes=100))
        for version, size in ((1, 60), (2, 40), (3, 1)):
            listener.hear(Chunk(version, b"x" * size))
        assert listener.is_late
        kept = await listener.next()
        listener.hear(Chunk(4, b"x"))
        return [*kept, *await listener.next()], listener.is_late

    assert asyncio.run(heard()) == ([Chunk(1, b"x" * 60), Chunk(2, b"x" * 40)], True)


def test_what_is_larger_than_the_bound_goes_to_whoever_has_nothing_waiting() -> None:
    async def heard() -> tuple[list[int], bool]:
        listener, sizes = listening(Broadcaster(1000, most_bytes=100)), list[int]()
        for version in (1, 2):
            listener.hear(Chunk(version, b"x" * 1000))
            sizes += [len(chunk.data) for chunk in await listener.next()]
        return sizes, listener.is_late

    assert asyncio.run(heard()) == ([1000, 1000], False)


def test_who_hears_nothing_is_woken_after_a_while_and_not_before() -> None:
    async def waited() -> tuple[list[Chunk], float]:
        listener = listening(Broadcaster(3))
        listener.stay_awake(0.2)
        await asyncio.sleep(0.15)
        listener.hear(Chunk(1, b"a"))  # the timer is not set again, and rings after 0.2 s all the same
        assert await listener.next() == [Chunk(1, b"a")]
        start = asyncio.get_running_loop().time()
        chunks = await listener.next()
        seconds = asyncio.get_running_loop().time() - start
        listener.leave()
        return chunks, seconds

    chunks, seconds = run_in_no_time(waited())
    assert chunks == []
    assert seconds == pytest.approx(0.2, abs=0.001)


def test_who_leaves_is_not_woken_any_more() -> None:
    async def left() -> bool:
        broadcaster = Broadcaster(3)
        listener = listening(broadcaster)
        listener.stay_awake(0.01)
        listener.leave()
        waiting = asyncio.ensure_future(listener.next())
        done, _ = await asyncio.wait([waiting], timeout=0.1)
        waiting.cancel()
        return bool(done) or len(broadcaster) > 0

    assert run_in_no_time(left()) is False


@pytest.mark.parametrize("what", ["hang_up", "dismiss", "close"])
def test_who_goes_or_is_sent_home_waits_no_longer(what: str) -> None:
    async def ended() -> tuple[bool, bool]:
        broadcaster = Broadcaster(3)
        listener, other = listening(broadcaster, "ann"), listening(broadcaster, "ben")
        waiting = asyncio.ensure_future(listener.next())
        await asyncio.sleep(0)
        {"hang_up": listener.hang_up, "dismiss": lambda: broadcaster.dismiss("ann"), "close": broadcaster.close}[what]()
        assert await asyncio.wait_for(waiting, 5) == []
        return listener.is_gone or listener.is_closed, other.is_closed

    assert asyncio.run(ended()) == (True, what == "close")


def test_who_cannot_be_told_apart_comes_again_and_the_others_hear_of_it() -> None:
    def nobody_knows() -> Viewer:
        raise NotLoaded("account/ann")

    async def heard() -> tuple[bool, int]:
        broadcaster, own = Broadcaster(3), House()
        own.take_in("account/ben", [])
        unknown = broadcaster.listen("account/ben", nobody_knows, "ann")
        known = broadcaster.listen("account/ben", lambda: Viewer("ben"), "ben")
        document = Document(FORMAT, "2026-11-15T12:00:00.000Z", CardIssued("card-1"), None, None, "1", None)
        broadcaster.publish(own, "account/ben", [Entry(1, b"", encode(document), document)])
        return unknown.is_closed, len(await known.next())

    assert asyncio.run(heard()) == (True, 1)


def test_what_is_written_is_sent_at_once() -> None:
    """Otherwise every reply on a kept connection waits 40 ms until the other side confirms its first half."""

    async def served() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Noting(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                own: socket.socket = transport.get_extra_info("socket")
                accepted.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

        with bound(Settings(port=0)) as listens:
            server = await asyncio.get_running_loop().create_server(Noting, sock=listens)
            _, writer = await asyncio.open_connection(*listens.getsockname())
            found = await asyncio.wait_for(accepted, 5)
            writer.close()
            await writer.wait_closed()
            server.close()
            return found

    assert asyncio.run(served()) != 0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        yield opened


def test_a_listener_who_hangs_up_is_forgotten(house: Running) -> None:
    with house.nobody().http.stream("GET", f"/api/v1{CRAPS}/live") as reply:
        pieces = reply.iter_raw()
        assert next(pieces) == b"retry: 1000\n\n"
        assert reply.headers["content-type"] == "text/event-stream"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert len(house.running_house.broadcaster) == 1
    until(lambda: len(house.running_house.broadcaster) == 0)


def test_a_quiet_line_is_kept_alive(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    otto = house.person("otto")
    given = {"table": "quiet", "title": "Quiet", "line": {"book": "craps-nsw-2024"}}
    assert otto.do("/tables", given).status_code == 200
    monkeypatch.setattr(streaming, "KEEP_ALIVE_SECONDS", 0.05)
    with house.nobody().http.stream("GET", "/api/v1/tables/quiet/live") as reply:
        pieces = reply.iter_raw()
        assert [next(pieces) for _ in range(3)] == [b"retry: 1000\n\n", b": still here\n\n", b": still here\n\n"]


def test_a_stream_ends_after_a_while_in_good_order(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE_SECONDS", 0.05)
    monkeypatch.setattr(streaming, "LONGEST_SECONDS", 0.2)
    reply = httpx.get(f"{house.url}/api/v1{CRAPS}/live", timeout=20)
    assert reply.status_code == 200
    assert reply.content.startswith(b"retry: 1000\n\n")


def test_who_knows_more_than_there_is_is_told_so(house: Running) -> None:
    ann = house.person("ann")
    for path in (f"{CRAPS}/live", "/me/live"):
        for query, headers in (
            ("?after=1007", {}),
            ("", {"last-event-id": "1007"}),
            ("?after=1", {"last-event-id": "1007"}),
        ):
            reply = ann.get(f"{path}{query}", headers)
            assert (reply.status_code, reply.json()["code"]) == (409, "ahead")
            come_to = house.running_house.house.head(
                "account/ann" if path == "/me/live" else "table/craps-nsw-2024"
            ).version
            assert reply.json()["message"] == f"The stream's last event is {come_to}; there is no event 1007."


def test_who_heard_more_from_another_process_goes_on_from_there(tmp_path: Path) -> None:
    """This process catches up first: it may not have heard yet of what another one has stored."""

    async def elsewhere(store: Store) -> None:
        processor = OrderProcessor(House(SHELF), store)
        granted = GrantChips(person="ann", cents=5_00, reason="elsewhere")
        told = await processor.do(Submission(id="elsewhere", order=granted))
        assert told["ok"], told
        await processor.close()

    with running(tmp_path, store="memory:") as house:
        ann, own = house.person("ann"), house.running_house.house
        behind = ann.get("/me").json()["version"]
        asyncio.run(elsewhere(house.running_house.store))
        assert own.head("account/ann").version == behind
        with ann.http.stream("GET", "/api/v1/me/live", headers={"last-event-id": str(behind + 1)}) as reply:
            assert reply.status_code == 200
            pieces = reply.iter_raw()
            assert next(pieces) == b"retry: 1000\n\n"
            assert own.head("account/ann").version == behind + 1
            assert ann.do("/accounts/ann/limits", {"minutes": 60}).status_code == 200
            assert next(pieces).startswith(b"id: %d\n" % (behind + 2))


@pytest.mark.parametrize("path", ["/tables/quiet/at/2", "/tables/quiet/events", "/tables/quiet/record", "/me/events"])
def test_who_reads_the_past_keeps_nobody_from_coming_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """However many ask for something that takes long to read: sessions are looked up in other threads."""
    given = {"table": "quiet", "title": "Quiet", "line": {"book": "craps-nsw-2024"}}
    may_go = Event()
    with running(tmp_path, remembered_seconds=0.001) as house:
        ann, otto = house.person("ann"), house.person("otto")
        assert otto.do("/tables", given).status_code == 200
        assert ann.get(path).status_code == 200
        store = house.running_house.store
        whole = store.read

        def slow(stream: str, *asked: Any, **more: Any) -> list[Record]:  # noqa: ANN401
            may_go.wait(30)
            return whole(stream, *asked, **more)

        with ThreadPoolExecutor(40) as others:
            monkeypatch.setattr(store, "read", slow)
            waiting = [others.submit(ann.get, path) for _ in range(40)]
            try:
                sleep(0.5)
                assert otto.http.get("/api/v1/me", timeout=5).status_code == 200
            finally:
                may_go.set()
            assert {asked.result().status_code for asked in waiting} == {200}


def test_who_listens_from_the_past_on_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The past is read in other threads than the loop's, for listeners too."""
    given = {"table": "quiet", "title": "Quiet", "line": {"book": "craps-nsw-2024"}}
    may_go = Event()
    with running(tmp_path) as house:
        ann, otto = house.person("ann"), house.person("otto")
        assert otto.do("/tables", given).status_code == 200
        store = house.running_house.store
        whole = store.read

        def slow(stream: str, *asked: Any, **more: Any) -> list[Record]:  # noqa: ANN401
            may_go.wait(30)
            return whole(stream, *asked, **more)

        monkeypatch.setattr(store, "read", slow)
        with ann.http.stream("GET", "/api/v1/tables/quiet/live?after=0") as reply:
            pieces = reply.iter_raw()
            assert next(pieces) == b"retry: 1000\n\n"
            try:
                assert otto.http.get("/api/v1/house", timeout=5).status_code == 200
            finally:
                may_go.set()
            assert next(pieces).startswith(b"id: 1\n")


def test_it_goes_over_the_line_in_small_pieces() -> None:
    sent: list[bytes] = []

    async def send(message: Any) -> None:  # noqa: ANN401  # as the server has it
        sent.append(message["body"])

    data = bytes(range(256)) * 400
    asyncio.run(streaming._send(send, data))
    assert max(map(len, sent)) == 16 * 1024
    assert b"".join(sent) == data


def test_the_system_keeps_no_more_than_256_kib_for_who_does_not_read() -> None:
    listening = bound(Settings(port=0))
    try:
        kept = listening.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)  # which connections have from it
    finally:
        listening.close()
    assert 128 * 1024 <= kept <= 256 * 1024


def test_each_is_told_of_every_entry_what_they_may_see_however_many_come_together(house: Running) -> None:
    otto, dora, ann, ben = (house.person(name) for name in ("otto", "dora", "ann", "ben"))
    table = {"table": "told", "title": "Told", "line": {"book": "craps-nsw-2024", "min": "1.00"}}
    bet, roll = {"do": "bet", "wager": "field", "amount": "5.00"}, {"do": "roll", "dice": [2, 1]}
    steps = [(otto, "/tables", table), (dora, "/tables/told/post", {"role": "dealer"})]
    steps += [(player, "/tables/told/seat", {"chips": "50.00"}) for player in (ann, ben)]
    steps += [(ann, "/tables/told/lines", {"line": bet}), (ben, "/tables/told/lines", {"line": bet})]
    for who, path, given in [*steps, (dora, "/tables/told/lines", {"line": roll})]:
        assert who.do(path, given).status_code == 200
    own, stream = house.running_house.house, "table/told"
    entries = list(map(read, house.running_house.store.read(stream)))
    view = TableView(own.shelf, own.table("told").game)
    together = EncodedEntries(view, entries)
    for look in (Viewer("ann"), Viewer("ben"), Viewer("cleo"), Viewer(), Viewer("dora", all=True)):
        chunk = together.to(look)
        told = [msgspec.json.decode(line[6:]) for line in chunk.data.split(b"\n") if line.startswith(b"data: ")]
        assert told == [msgspec.json.decode(msgspec.json.encode(Shown(view, one).to(look))) for one in entries]
        assert chunk.version == entries[-1].version
    assert together.to(Viewer("ann")).data != together.to(Viewer("ben")).data
    assert together.to(Viewer("cleo")) is together.to(Viewer("dan"))  # made once for all who see the same
