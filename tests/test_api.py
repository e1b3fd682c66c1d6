"""The API as people and programs use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
