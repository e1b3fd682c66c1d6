"""The API as people and programs use it."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.rulebooks import ids
from croupier.rules.book import find_pick
from tests.houses import SHELF
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


# -- what is wrong with a request -------------------------------------------------------------------------------------

MONEY = "an amount is up to 15 digits, a point and two decimals, as in 10.00."
SENTENCES: list[tuple[str, str, object, str]] = [
    ("ann", f"{CRAPS}/seat", {"chips": "10"}, f"chips: {MONEY}"),
    ("ann", f"{CRAPS}/seat", {"chips": "10.000"}, f"chips: {MONEY}"),
    ("ann", f"{CRAPS}/seat", {"chips": 10}, 'chips: money is text, as in "10.00".'),
    ("ann", "/accounts/ann/limits", {"loss": "-5.00"}, f"loss: {MONEY}"),
    ("ann", f"{CRAPS}/seat", {}, "chips is missing."),
    ("ann", f"{CRAPS}/seat", {"chips": "10.00", "more": 1}, "There is no field more."),
    ("ann", f"{CRAPS}/seat", ["10.00"], "The body is not a JSON object."),
    (
        "otto",
        "/accounts/ben/roles",
        {"roles": ["god"]},
        "roles[0]: god is none of dealer, inspector, manager, operator, player, supervisor.",
    ),
    (
        "otto",
        "/accounts/ben/roles",
        {"roles": ["player", "g" * 41]},
        "roles[1]: that is none of dealer, inspector, manager, operator, player, supervisor.",
    ),
    ("dora", f"{CRAPS}/post", {"role": 1}, "role: that is none of dealer, inspector, manager, operator, supervisor."),
    (
        "ann",
        "/tokens",
        {"name": "n", "scopes": ["all"]},
        "scopes[0]: all is none of deal, inspect, manage, play, supervise, witness.",
    ),
    (
        "otto",
        "/tables",
        {"table": "t", "title": "T", "line": {}, "rhythm": {"fast": 1}},
        "rhythm: Object contains unknown field `fast`.",
    ),
    (
        "ann",
        f"{CRAPS}/numbers",
        {"round": 1, "number": "F" * 64},
        "number: a number and the commitment to it are 64 hexadecimal digits, in lower case.",
    ),
]


@pytest.mark.parametrize(("who", "path", "body", "say"), SENTENCES, ids=[row[3] for row in SENTENCES])
def test_what_is_wrong_with_a_body_is_told_in_a_sentence(
    house: Running, who: str, path: str, body: object, say: str
) -> None:
    reply = house.person(who).do(path, body)
    assert (reply.status_code, reply.json()["code"], reply.json()["message"]) == (400, "bad_request", say)


@pytest.mark.parametrize("body", ["{", "nope", '{"chips":"10.00"', '{"chips":"10.00"} x', '{"chips":1e999}'])
def test_what_is_no_json_is_told_so(house: Running, body: str) -> None:
    ann = house.person("ann")
    headers = {**ann.headers, "idempotency-key": "no-json", "content-type": "application/json"}
    reply = ann.http.post(f"/api/v1{CRAPS}/seat", content=body, headers=headers)
    assert (reply.status_code, reply.json()["message"]) == (400, "The body is not JSON.")


def test_what_can_be_asked_for_is_listed(house: Running) -> None:
    reply = house.person("otto").get("/reports/house?span=week")
    assert (reply.status_code, reply.json()["message"]) == (400, "span: week is none of day, month, year.")


@pytest.mark.parametrize("path", ["/registers", "/registers/disputes?table=craps"])
def test_what_was_not_asked_for_is_told_in_a_sentence(house: Running, path: str) -> None:
    reply = house.person("otto").get(path)
    assert (reply.status_code, reply.json()["message"]) == (400, "period is missing.")


# -- roles and books --------------------------------------------------------------------------------------------------


def test_one_can_see_which_roles_a_request_may_use(house: Running) -> None:
    otto = house.person("otto")
    given = {"person": "olga", "name": "Olga", "password": "long enough for anybody", "roles": ["player", "dealer"]}
    assert otto.do("/accounts", given).status_code == 200
    olga = house.nobody()
    csrf = olga.post("/sign-in", {"person": "olga", "password": "long enough for anybody"}).json()["csrf"]
    olga.headers = {"x-csrf-token": csrf}
    assert olga.get("/me").json()["within"] == ["dealer", "player"]
    token = olga.post("/tokens", {"name": "bot", "scopes": ["play", "manage"]}).json()["token"]
    bearer = {"authorization": f"Bearer {token}"}
    told = httpx.get(f"{house.url}/api/v1/me", headers=bearer).json()
    assert (told["roles"], told["within"]) == (["dealer", "player"], ["player"])
    assert "within" not in otto.get("/accounts/olga").json()


def test_every_book_lists_what_can_be_bet_on(house: Running) -> None:
    nobody = house.nobody()
    titles = nobody.get("/books").json()
    assert [one["id"] for one in titles] == ids()
    for one in titles:
        told, book = nobody.get(f"/books/{one['id']}").json(), SHELF.book(one["id"])
        assert (told["id"], told["title"]) == (one["id"], one["title"])
        assert [wager["id"] for wager in told["wagers"]] == list(book.wagers)
        for wager in told["wagers"]:
            written = book.wagers[wager["id"]]
            assert (wager["name"], wager["clause"]) == (written.name, written.clause)
            assert [find_pick(book, written, pick) for pick in wager["picks"]] == written.picks
            assert re.search(r"\d to \d", wager["pays"])
            assert set(wager) == {"id", "name", "clause", "picks", "pays"}  # and nothing of chances


def test_what_a_wager_pays_is_told_with_its_share_and_its_commission(house: Running) -> None:
    pays = {one["id"]: one["pays"] for one in house.nobody().get("/books/craps-nsw-2024").json()["wagers"]}
    assert pays["field"] == "3, 4, 9, 10, 11 at 1 to 1; 2 or 12 at 2 to 1"
    share = "on half of the stake; the other half is lost"
    assert pays["crap_eleven"] == f"craps at 7.5 to 1; eleven at 16 to 1, {share}"
    assert pays["buy"].endswith("6, 8 at 6 to 5; making it costs a commission of 1/20 of the stake")


def test_a_book_that_there_is_not(house: Running) -> None:
    reply = house.nobody().get("/books/none")
    assert (reply.status_code, reply.json()["code"]) == (404, "no_such_book")


def test_a_felt_is_drawn_and_told(house: Running) -> None:
    ann = house.person("ann")
    table = "sic-bo-nsw-2016"
    drawn, felt = ann.get(f"/tables/{table}/drawing").json(), ann.get(f"/tables/{table}/felt").json()
    assert drawn["terms"] == felt["terms"]
    assert {area["wager"] for area in drawn["areas"]} >= {"big", "small", "any_triple", "super_streak"}
    assert felt["results"] == []
    assert [drawn["areas"][place]["wager"] for place in felt["closed_areas"]] == ["super_streak", "super_streak"]
    assert ann.get("/tables/nowhere/drawing").status_code == 404


def test_the_felt_is_told_live_at_once_and_after_each_event(house: Running) -> None:
    ann = house.person("ann")
    table = "craps-nsw-2024"
    address = f"/api/v1/tables/{table}/live?felt=true"
    with ann.http.stream("GET", address) as heard:
        lines = heard.iter_lines()
        first = _next_felt(lines)
        assert ann.do(f"/tables/{table}/seat", {"chips": "50.00"}).status_code == 200
        seated = first
        while not seated["seated"]:
            seated = _next_felt(lines)
    assert not first["seated"]
    assert seated["chips"] == {"ann": "50.00"}
    assert seated["version"] > first["version"]


def _next_felt(lines: Iterator[str]) -> dict[str, Any]:
    for line in lines:
        if line == "event: felt":
            told: dict[str, Any] = json.loads(next(lines).removeprefix("data: "))
            return told
    raise AssertionError("the stream ended")


def test_the_list_of_tables_says_what_each_takes_and_what_fell_last(house: Running) -> None:
    mia, dora, name = house.person("mia"), house.person("dora"), "listed"
    mia.do("/tables", {"table": name, "title": "Listed", "line": {"book": "craps-nsw-2024", "min": "5.00"}})
    listed = {one["table"]: one for one in house.nobody().get("/tables").json()}[name]
    assert (listed["limits"]["min"], listed["fell"]) == ("5.00", [])
    assert listed["throws"] == {"faces": [1, 2, 3, 4, 5, 6], "count": 2}
    dora.do(f"/tables/{name}/post", {"role": "dealer"})
    assert dora.do(f"/tables/{name}/lines", {"line": {"do": "roll", "dice": [6, 2]}}).is_success
    assert {one["table"]: one for one in house.nobody().get("/tables").json()}[name]["fell"] == [6, 2]
