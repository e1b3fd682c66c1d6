"""The API as people and programs use it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.serving import Running, running

CRAPS = "/tables/craps-nsw-2024"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        yield opened


def test_a_newcomer_signs_up_sits_down_and_bets(house: Running) -> None:
    newcomer = house.nobody()
    given = {"person": "nell", "name": "Nell", "password": "long enough for anybody"}
    assert newcomer.post("/sign-up", given).json()["ok"] is True
    reply = newcomer.post("/sign-in", {"person": "nell", "password": "long enough for anybody"})
    newcomer.headers = {"x-csrf-token": reply.json()["csrf"]}
    assert newcomer.do(f"{CRAPS}/seat", {"chips": "100.00"}).status_code == 200
    assert newcomer.get("/me").json()["chips"] == "900.00"


def test_several_who_ask_at_once_for_what_is_not_there_are_all_told_so(house: Running) -> None:
    async def ask() -> set[int]:
        async with httpx.AsyncClient(base_url=f"{house.url}/api/v1", timeout=30) as client:
            paths = [f"/tables/none-{number}" for number in range(25) for _ in range(4)]
            return {reply.status_code for reply in await asyncio.gather(*map(client.get, paths))}

    assert asyncio.run(ask()) == {404}


def test_looking_for_a_table_while_it_is_set_up_keeps_nobody_without_an_answer(house: Running) -> None:
    otto = house.person("otto")
    ended = threading.Event()

    def look() -> None:
        with httpx.Client(base_url=f"{house.url}/api/v1") as client:
            while not ended.is_set():
                for number in range(10):
                    client.get(f"/tables/new-{number}")

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    try:
        for number in range(10):
            body = {"table": f"new-{number}", "title": "New", "line": {"book": "two-up-nsw-2016"}}
            assert otto.do("/tables", body).status_code == 200
    finally:
        ended.set()
        for looker in lookers:
            looker.join()
