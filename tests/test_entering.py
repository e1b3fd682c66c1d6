"""Signing in over HTTP: cookies, sessions and their end, lock-out, rate limits; and what no honest client sends."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import argon2
import httpx
import pytest

from croupier.client import Client
from croupier.server import credentials
from croupier.server.demonstration import PEOPLE
from croupier.store.contract import InDoubt, StoreError
from croupier.store.records import Outcome, Write
from tests.clocks import Clock
from tests.serving import Person, Running, running

TABLE = "/tables/craps-nsw-2024"
PASSWORD = "long enough for anybody"
PASSWORDS = {one.person: one.password for one in PEOPLE}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house")), store="memory:", failures=3, locked_seconds=60) as opened:
        yield opened


def newcomer(house: Running, name: str) -> Person:
    """Someone new, signed in, so that what happens to them affects no one else."""
    signed_up = house.nobody().post("/sign-up", {"person": name, "name": name.title(), "password": PASSWORD})
    assert signed_up.status_code == 200, signed_up.text
    return again(house, name)


def again(house: Running, name: str, password: str = PASSWORD) -> Person:
    house.people.append(Person(house.url, name, password))
    return house.people[-1]


def problem(reply: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """An error reply, in the one form that there is."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    told: dict[str, Any] = reply.json()
    assert set(told) == {"ok", "code", "clause", "message"}
    assert told["ok"] is False
    assert told["code"] == code
    assert re.fullmatch(r"[^\n]+\.", told["message"])
    return told


# Cookies


def attributes(reply: httpx.Response) -> tuple[str, str, set[str]]:
    first, *rest = reply.headers["set-cookie"].split("; ")
    name, _, value = first.partition("=")
    return name, value.strip('"'), {part.lower() for part in rest}


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_can_use(house: Running) -> None:
    reply = house.nobody().post("/sign-in", {"person": "ann", "password": PASSWORDS["ann"]})
    name, value, how = attributes(reply)
    assert name == "croupier_session"
    assert re.fullmatch(r"[0-9a-f]{64}", value)
    assert how == {"httponly", "samesite=strict", "path=/", "max-age=43200"}
    assert value not in reply.text
    assert reply.json()["csrf"] not in reply.headers["set-cookie"]


def test_over_https_the_cookie_is_for_https_and_this_host_alone(tmp_path: Path) -> None:
    with running(tmp_path, store="memory:", secure_cookies=True) as house:
        nobody = house.nobody()
        name, value, how = attributes(nobody.post("/sign-in", {"person": "ann", "password": PASSWORDS["ann"]}))
        assert name == "__Host-croupier_session"
        assert how == {"httponly", "samesite=strict", "secure", "path=/", "max-age=43200"}
        nobody.http.cookies.clear()
        assert nobody.get("/me", {"cookie": f"{name}={value}"}).json()["person"] == "ann"
        problem(nobody.get("/me", {"cookie": f"croupier_session={value}"}), 401, "not_signed_in")
        schemes = nobody.http.get("/api/openapi.json").json()["components"]["securitySchemes"]
        assert schemes["session"]["name"] == name


def test_every_reply_keeps_browsers_safe(house: Running) -> None:
    nobody = house.nobody()
    for path in ("/api/v1/tables", "/api/v1/me", "/nowhere", "/health", "/"):
        headers = nobody.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        # A page's file has nothing of anyone in it: a browser may keep it, and asks whether it is the newest.
        assert headers["cache-control"] == ("no-cache" if path == "/" else "no-store")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


# The end of sessions


def test_the_server_ends_a_session_whatever_the_browser_does(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 11, 15, 1, tzinfo=UTC))
    with running(tmp_path, clock, store="memory:", session_hours=3 / 3600, remembered_seconds=60) as house:
        ann = house.person("ann")
        cookie = {"cookie": "; ".join(f"{key}={value}" for key, value in ann.http.cookies.items())}
        ann.http.cookies.clear()
        assert ann.get("/me", cookie).status_code == 200
        clock.at += timedelta(seconds=3)
        problem(ann.get("/me", cookie), 401, "not_signed_in")


def test_signing_out_ends_the_session_and_its_live_streams(house: Running) -> None:
    mary, twin = newcomer(house, "mary"), again(house, "mary")
    cookie = {"cookie": "; ".join(f"{key}={value}" for key, value in mary.http.cookies.items())}
    with twin.http.stream("GET", f"/api/v1{TABLE}/live", headers=cookie) as live:
        pieces = live.iter_text()
        assert next(pieces).startswith("retry:")
        gone = mary.post("/sign-out")
        assert gone.status_code == 200
        name, value, how = attributes(gone)
        assert (name, value) == ("croupier_session", "")
        assert "max-age=0" in how
        assert "event: closed" in next(pieces), "the stream says that it ends, …"
        assert "".join(pieces) == "", "… and does"
    mary.http.cookies.clear()
    problem(mary.get("/me", cookie), 401, "not_signed_in")
    assert twin.get("/me").status_code == 200, "another session of hers goes on"


def test_another_password_ends_all_sessions(house: Running) -> None:
    nora, twin = newcomer(house, "nora"), again(house, "nora")
    problem(nora.post("/password", {"old": "not the old one", "new": "another password"}), 401, "sign_in_failed")
    problem(nora.post("/password", {"old": PASSWORD, "new": "short"}), 422, "bad_password")
    assert twin.get("/me").status_code == 200
    assert nora.post("/password", {"old": PASSWORD, "new": "another password"}).status_code == 200
    for person in (nora, twin):
        problem(person.get("/me"), 401, "not_signed_in")
    problem(house.nobody().post("/sign-in", {"person": "nora", "password": PASSWORD}), 401, "sign_in_failed")
    assert again(house, "nora", "another password").get("/me").status_code == 200


def test_checking_the_old_password_costs_no_session(tmp_path: Path) -> None:
    with running(tmp_path, store="memory:", sessions_of_one_person=1) as house:
        ann = house.person("ann")
        problem(ann.post("/password", {"old": PASSWORDS["ann"], "new": "short"}), 422, "bad_password")
        assert ann.get("/me").status_code == 200
        assert len(house.running_house.store.secrets("session/")) == 1


def test_wrong_old_passwords_lock_like_any_others(house: Running) -> None:
    olive = newcomer(house, "olive")
    for _ in range(3):
        problem(olive.post("/password", {"old": "not the old one", "new": PASSWORD}), 401, "sign_in_failed")
    locked = olive.post("/password", {"old": PASSWORD, "new": "another password"})
    problem(locked, 429, "locked")
    assert int(locked.headers["retry-after"]) > 0
    assert olive.get("/me").status_code == 200


def test_an_operator_sets_a_password_but_not_their_own(house: Running) -> None:
    newcomer(house, "olga")
    otto = house.person("otto")
    assert otto.post("/accounts/olga/password", {"new": "set by an operator"}).status_code == 200
    assert again(house, "olga", "set by an operator").get("/me").status_code == 200
    problem(otto.post("/accounts/otto/password", {"new": "set by an operator"}), 403, "own_password")
    problem(otto.post("/accounts/nobody-here/password", {"new": "set by an operator"}), 404, "unknown_person")


def test_who_signs_up_under_a_name_that_is_taken_changes_nothing(house: Running) -> None:
    pat = newcomer(house, "pat")
    taken = house.nobody().post("/sign-up", {"person": "pat", "name": "Not Pat", "password": "a thief's password"})
    problem(taken, 409, "name_taken")
    problem(house.nobody().post("/sign-in", {"person": "pat", "password": "a thief's password"}), 401, "sign_in_failed")
    assert pat.get("/me").json()["name"] == "Pat"


def commits_of(writes: Sequence[Write], words: bytes) -> bool:
    return any(words in document for write in writes for append in write.appends for document in append.documents)


def test_an_account_of_ones_own_and_its_card_are_one_write(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """No one ends up with an account that never gets a Player Card."""
    store, body = house.running_house.store, {"person": "nell", "name": "Nell", "password": PASSWORD}
    commit = store.commit

    def full(writes: Sequence[Write]) -> list[Outcome]:
        if commits_of(writes, b'"card_issued"'):
            raise StoreError("The disk is full.")
        return commit(writes)

    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", full)
        problem(house.nobody().post("/sign-up", body), 503, "not_stored")
    assert house.nobody().post("/sign-up", body).status_code == 200
    nell = again(house, "nell").get("/me").json()
    assert (nell["card"] is None, nell["version"]) == (False, 3)


def test_an_account_whose_answer_was_lost_can_be_asked_for_again(house: Running) -> None:
    body, nobody = {"person": "otis", "name": "Otis", "password": PASSWORD}, house.nobody()
    first = nobody.do("/sign-up", body, key="once")
    assert first.json() == {"ok": True, "versions": {"account/otis": 3}}
    assert nobody.do("/sign-up", body, key="once").json() == first.json()
    problem(nobody.do("/sign-up", body, key="twice"), 409, "name_taken")
    problem(nobody.do("/sign-up", body | {"password": "another password"}, key="once"), 409, "key_used")
    problem(nobody.do("/sign-up", body | {"name": "Another"}, key="once"), 409, "key_used")
    assert again(house, "otis").get("/me").json()["name"] == "Otis"
    other = nobody.do("/sign-up", body | {"person": "otis-2"}, key="once")
    assert other.status_code == 200, "under another name it is another key"


def test_a_sign_up_that_the_store_is_in_doubt_of_is_answered(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    store, doubts = house.running_house.store, ["one"]
    commit = store.commit

    def doubtful(writes: Sequence[Write]) -> list[Outcome]:
        done = commit(writes)
        if doubts and commits_of(writes, b'"opal"'):
            raise InDoubt(doubts.pop())
        return done

    monkeypatch.setattr(store, "commit", doubtful)
    assert house.nobody().post("/sign-up", {"person": "opal", "name": "Opal", "password": PASSWORD}).status_code == 200
    assert doubts == []


class LosesAnswers(httpx.HTTPTransport):
    """A connection on which the first answers to signing up never arrive."""

    lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        reply = super().handle_request(request)
        if request.url.path.endswith("/sign-up") and self.lost < 2:
            self.lost += 1
            reply.read()
            raise httpx.ReadError("The line broke.")
        return reply


def test_the_client_signs_up_over_a_bad_line(house: Running) -> None:
    line = LosesAnswers()
    with Client.sign_up(house.url, "orla", "Orla", PASSWORD, transport=line, first_pause=0.01) as orla:
        assert (line.lost, orla.me().name) == (2, "Orla")
        assert orla.me().card is not None


def test_a_key_is_for_one_first_password(house: Running) -> None:
    otto, account = house.person("otto"), {"person": "paul", "name": "Paul", "password": PASSWORD}
    first = otto.do("/accounts", account, key="paul")
    assert first.status_code == 200
    assert otto.do("/accounts", account, key="paul").json() == first.json()
    problem(otto.do("/accounts", account | {"password": "another password"}, key="paul"), 409, "key_used")
    assert again(house, "paul").get("/me").status_code == 200


def test_what_tells_passwords_apart_tells_nothing_else(house: Running) -> None:
    """Refused orders are stored without it: nothing of a password is in them."""
    otto, sam = house.person("otto"), house.person("mia")
    for person in ("ann", "ben", "ann"):
        account = {"person": person, "name": "Twin", "password": PASSWORD}
        problem(otto.do("/accounts", account), 409, "name_taken")
        problem(sam.do("/accounts", account), 403, "not_allowed")
    kept = [
        one["deed"] for one in otto.get("/refusals?limit=1000").json()["entries"] if one["deed"].get("name") == "Twin"
    ]
    assert len(kept) == 6
    assert [deed["credential"] for deed in kept] == [""] * 6


def test_who_set_a_password_is_on_record(house: Running) -> None:
    rita, otto = newcomer(house, "rita"), house.person("otto")
    assert rita.post("/password", {"old": PASSWORD, "new": "of her own making"}).json()["ok"] is True
    reset = otto.do("/accounts/rita/password", {"new": "set by an operator"}, key="reset")
    assert reset.json() == {"ok": True, "versions": {"account/rita": 5}}
    rita = again(house, "rita", "set by an operator")
    assert otto.do("/accounts/rita/password", {"new": "set by an operator"}, key="reset").json() == reset.json()
    assert rita.get("/me").status_code == 200, "sent again, it ends nothing"
    problem(otto.do("/accounts/rita/password", {"new": "another password"}, key="reset"), 409, "key_used")
    events = rita.get("/me/events").json()["entries"]
    assert [(one["type"], one["who"]) for one in events[3:]] == [("password_set", "rita"), ("password_set", "otto")]
    assert "operator" not in str(events)


@pytest.mark.parametrize("name", ["\x00", "a\x89b", "\U000e0001", "../x", "A", "-a", "a b", "ann\n"])
def test_a_name_that_nobody_can_have(house: Running, name: str) -> None:
    nobody, otto, ann = house.nobody(), house.person("otto"), house.person("ann")
    account = {"person": name, "name": "Somebody", "password": PASSWORD}
    problem(nobody.post("/sign-up", account), 422, "bad_name")
    problem(otto.do("/accounts", account), 422, "bad_name")
    problem(nobody.post("/sign-in", {"person": name, "password": PASSWORD}), 401, "sign_in_failed")
    at = quote(name, safe="")
    if "/" not in name:
        problem(otto.do(f"/accounts/{at}/card"), 404, "unknown_person")
        problem(ann.do(f"/tables/{at}/seat", {"chips": "1.00"}), 404, "no_such_table")
        problem(nobody.get(f"/tables/{at}"), 404, "no_such_table")


# Lock-out


def wrong(house: Running, name: str) -> httpx.Response:
    return house.nobody().post("/sign-in", {"person": name, "password": "not the password"})


def test_wrong_passwords_lock_an_account_for_longer_each_time_whether_it_is_there_or_not(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No one learns who has an account: the sequence is the same."""
    newcomer(house, "quin")
    now = house.running_house.clock()
    monkeypatch.setattr(house.running_house, "clock", lambda: now)
    replies: dict[str, list[tuple[int, str, str | None]]] = {"quin": [], "nobody-at-all": []}
    for seconds in (60, 120):
        for name, told in replies.items():
            for _ in range(4):
                reply = wrong(house, name)
                told.append((reply.status_code, reply.text, reply.headers.get("retry-after")))
        now += timedelta(seconds=seconds)
    assert replies["quin"] == replies["nobody-at-all"]
    statuses = [status for status, _, _ in replies["quin"]]
    assert statuses == [401, 401, 401, 429] * 2
    assert [wait for status, _, wait in replies["quin"] if status == 429] == ["60", "120"]
    assert again(house, "quin").get("/me").status_code == 200


def test_while_it_is_locked_the_right_password_does_not_help(house: Running) -> None:
    newcomer(house, "rosa")
    for _ in range(3):
        wrong(house, "rosa")
    right = house.nobody().post("/sign-in", {"person": "rosa", "password": PASSWORD})
    problem(right, 429, "locked")


def test_a_name_that_nobody_has_is_hashed_like_any_other(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    hasher = house.running_house.credentials._hasher

    class Spy:
        def verify(self, hashed: str, password: str) -> bool:
            looked_at.append(hashed)
            return hasher.verify(hashed, password)

    monkeypatch.setattr(house.running_house.credentials, "_hasher", Spy())
    problem(wrong(house, "nobody-knows"), 401, "sign_in_failed")
    problem(wrong(house, "sam"), 401, "sign_in_failed")
    nobodys, sams = looked_at
    assert nobodys == credentials._NOBODY
    assert argon2.extract_parameters(sams) == argon2.extract_parameters(nobodys)


# Rates


def test_only_so_many_sign_ins_a_minute_from_one_address(tmp_path: Path) -> None:
    with running(tmp_path, store="memory:", sign_ins_a_minute=4) as house:
        ann, nobody = house.person("ann"), house.nobody()
        body = {"person": "ann", "password": "not the password"}
        replies = [nobody.post("/sign-in", body) for _ in range(4)]
        assert [reply.status_code for reply in replies] == [401, 401, 401, 429]
        problem(replies[-1], 429, "too_many")
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 20
        problem(nobody.post("/sign-up", {"person": "new", "name": "New", "password": PASSWORD}), 429, "too_many")
        problem(nobody.post("/guest"), 429, "too_many")
        problem(ann.post("/password", {"old": "ann-at-croupier", "new": PASSWORD}), 429, "too_many")
        assert nobody.get("/tables").status_code == 200


def test_only_so_many_orders_a_second_by_one_person(tmp_path: Path) -> None:
    with running(tmp_path, store="memory:", orders_a_second=6) as house:
        ann, ben = house.person("ann"), house.person("ben")
        token = ann.post("/tokens", {"name": "bot", "scopes": ["play"]}).json()["token"]
        statuses = [ann.do(f"{TABLE}/leave").status_code for _ in range(30)]
        assert statuses[:5] == [422] * 5
        assert 429 in statuses
        refused = next(ann.do(f"{TABLE}/leave") for _ in range(30))
        while refused.status_code != 429:
            refused = ann.do(f"{TABLE}/leave")
        problem(refused, 429, "too_many")
        assert refused.headers["retry-after"] == "1"
        program = [
            ann.http.post(
                f"/api/v1{TABLE}/leave",
                json={},
                headers={"authorization": f"Bearer {token}", "idempotency-key": f"p-{number}"},
            ).status_code
            for number in range(10)
        ]
        assert 429 in program, "a program of hers is her, too"
        assert ben.do(f"{TABLE}/leave").status_code == 422, "and others are not"
        made = [ann.post("/tokens", {"name": f"bot {n}", "scopes": ["play"]}).status_code for n in range(20)]
        assert 429 in made, "nor are tokens made or ended any faster"


# Tokens


def test_a_token_makes_no_tokens_and_changes_no_password(house: Running) -> None:
    ann = house.person("ann")
    token = ann.post("/tokens", {"name": "maker", "scopes": ["play"]}).json()["token"]
    program = house.nobody()
    program.headers = {"authorization": f"Bearer {token}"}
    problem(program.post("/tokens", {"name": "another", "scopes": ["play"]}), 403, "not_by_token")
    problem(program.post("/password", {"old": PASSWORDS["ann"], "new": "another password"}), 403, "not_by_token")
    problem(program.post("/sign-out"), 403, "not_by_token")
    ended = ann.http.delete("/api/v1/tokens/maker", headers=ann.headers)
    assert ended.status_code == 200
    problem(program.http.get("/api/v1/me", headers=program.headers), 401, "bad_token")


def test_a_token_of_somebody_who_lost_the_role_is_worth_nothing(house: Running) -> None:
    mia, otto = house.person("mia"), house.person("otto")
    body = {"person": "sven", "name": "Sven", "password": PASSWORD, "roles": ["dealer", "supervisor"]}
    assert otto.do("/accounts", body).status_code == 200
    sven = again(house, "sven")
    scopes = {"name": "all", "scopes": ["play", "deal", "supervise", "manage", "inspect"]}
    program = house.nobody()
    program.headers = {"authorization": f"Bearer {sven.post('/tokens', scopes).json()['token']}"}
    assert program.http.get("/api/v1/accounts/ben", headers=program.headers).status_code == 200
    problem(program.http.get("/api/v1/refusals", headers=program.headers), 403, "not_allowed")
    assert program.do(f"{TABLE}/post", {"role": "dealer"}).status_code == 200
    assert otto.do("/accounts/sven/roles", {"roles": ["player"]}).status_code == 200
    for asked in (sven, program):
        problem(asked.http.get("/api/v1/accounts/ben", headers=asked.headers), 403, "not_allowed")
        problem(asked.do(f"{TABLE}/lines", {"line": {"do": "fill_float", "amount": "1.00"}}), 403, "not_at_table")
        problem(asked.do(f"{TABLE}/post", {"role": "dealer"}), 403, "not_allowed")
    assert "sven" not in sven.get(f"{TABLE}").text, "and he sees no more than a player does"
    assert "sven" in mia.get(f"{TABLE}").text


def test_operators_list_and_end_tokens_and_a_password_that_they_set_ends_all(house: Running) -> None:
    tina, otto, mia = newcomer(house, "tina"), house.person("otto"), house.person("mia")
    tokens = [tina.post("/tokens", {"name": name, "scopes": ["play"]}).json()["token"] for name in ("one", "two")]
    programs = [{"authorization": f"Bearer {token}"} for token in tokens]
    shown = otto.get("/accounts/tina/tokens")
    assert sorted(token["name"] for token in shown.json()) == ["one", "two"]
    assert not any(token in shown.text for token in tokens)
    problem(mia.get("/accounts/tina/tokens"), 403, "not_allowed")
    problem(otto.get("/accounts/nobody-here/tokens"), 404, "unknown_person")
    nobody = house.nobody()
    assert nobody.get("/me", programs[0]).status_code == 200
    ended = otto.http.delete("/api/v1/accounts/tina/tokens/one", headers=otto.headers)
    assert ended.status_code == 200
    problem(otto.http.delete("/api/v1/accounts/tina/tokens/one", headers=otto.headers), 404, "no_such_token")
    problem(nobody.get("/me", programs[0]), 401, "bad_token")
    assert nobody.get("/me", programs[1]).status_code == 200, "the other one goes on"
    assert tina.post("/password", {"old": PASSWORD, "new": "of her own making"}).status_code == 200
    assert nobody.get("/me", programs[1]).status_code == 200, "a password of one's own making ends no token"
    assert otto.post("/accounts/tina/password", {"new": "set by an operator"}).status_code == 200
    problem(nobody.get("/me", programs[1]), 401, "bad_token")


def test_a_token_ends_when_its_days_are_over(house: Running) -> None:
    tess = newcomer(house, "tess")
    issued = tess.post("/tokens", {"name": "short", "scopes": ["play"], "days": 1}).json()
    assert issued["until"] is not None
    problem(tess.post("/tokens", {"name": "short", "scopes": ["play"]}), 409, "name_taken")
    problem(tess.post("/tokens", {"name": "none", "scopes": ["everything"]}), 400, "bad_request")
    for number in range(19):
        assert tess.post("/tokens", {"name": str(number), "scopes": ["play"]}).status_code == 200
    problem(tess.post("/tokens", {"name": "one too many", "scopes": ["play"]}), 422, "too_many_tokens")


# What no one in good faith sends

LINES = "/api/v1/tables/craps-nsw-2024/lines"
DEEP = b'{"a":' * 900 + b"1" + b"}" * 900
BODIES: list[tuple[bytes, int]] = [
    (b"", 400),
    (b"{", 400),
    (b"null", 400),
    (b"[]", 400),
    (b"true", 400),
    (b'"text"', 400),
    (b"not json", 400),
    (b"\xff\xfe{}", 400),
    (b'{"line": {"do": "\xff"}}', 400),
    (b'{"line": {"do": "\\ud800"}}', 400),
    (b"[" * 60_000, 400),
    (b'{"line":' * 8000, 400),
    (b'{"line": ' + DEEP + b"}", 400),
    (b'{"line": {"do": [[[[[[["bet"]]]]]]]}}', 400),
    (b'{"line": {"amount": NaN}}', 400),
    (b'{"line": {"amount": Infinity}}', 400),
    (b'{"line": {"amount": 1e400}}', 400),
    (b'{"line": {"amount": ' + b"9" * 5000 + b"}}", 400),
    (b'{"line": {"do": "bet"}, "version": ' + b"9" * 400 + b"}", 409),
    (b'{"line": {"do": "bet"}, "version": -1}', 400),
    (b'{"line": {"do": "bet"}, "version": 1.5}', 400),
    (b'{"line": {"do": "bet"}, "unknown": 1}', 400),
    (b'{"line": {"do": "bet"}, "line": 7}', 400),
    (b'{"line": {"do": null}}', 403),
    (b'{"line": {"do": ["bet"]}}', 403),
    (b'{"line": {"do": {"do": "bet"}}}', 403),
    (b'{"line": {"do": "\\u0000\\u001b[2J\\u202e"}}', 403),
    (b'{"line": {"": ""}}', 403),
    (b'{"line": {"do": "' + b"x" * 60_000 + b'"}}', 403),
    (b'{"line": {"do": "bet", "x": "' + b"x" * 70_000 + b'"}}', 413),
]


@pytest.mark.parametrize("way", ["page", "program"])
def test_whatever_the_body_is_the_answer_is_a_problem_in_good_form(house: Running, way: str) -> None:
    uma = newcomer(house, f"uma-{way}")
    headers = dict(uma.headers)
    if way == "program":
        token = uma.post("/tokens", {"name": "bot", "scopes": ["play"]}).json()["token"]
        uma.http.cookies.clear()
        headers = {"authorization": f"Bearer {token}"}
    for number, (body, status) in enumerate(BODIES):
        sent = {**headers, "content-type": "application/json", "idempotency-key": f"body-{number}"}
        reply = uma.http.post(LINES, content=body, headers=sent)
        assert reply.status_code == status, (body[:60], reply.text)
        problem(reply, status, reply.json()["code"])
    assert uma.http.get("/api/v1/me", headers=headers).status_code == 200


def test_a_body_that_comes_in_pieces_is_too_large_all_the_same(house: Running) -> None:
    nobody = house.nobody()
    pieces = (b" " * 8192 for _ in range(10))
    reply = nobody.http.post("/api/v1/sign-in", content=pieces, headers={"content-type": "application/json"})
    problem(reply, 413, "too_large")


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", "application/xml"],
)
def test_a_body_that_is_not_json_is_refused_by_its_name(house: Running, kind: str) -> None:
    """A form on another site can send these without a preflight request."""
    body = b'{"person": "ann", "password": "ann-at-croupier"}'
    reply = house.nobody().http.post("/api/v1/sign-in", content=body, headers={"content-type": kind})
    problem(reply, 415, "not_json")
    assert "set-cookie" not in reply.headers


def test_names_and_numbers_in_addresses_that_cannot_be(house: Running) -> None:
    nobody = house.nobody()
    for path, status in {
        "/tables/%00": 404,
        "/tables/%ff%fe": 404,
        "/tables/..%2f..%2fetc%2fpasswd": 404,
        "/tables/" + "a" * 41: 400,
        "/tables/" + "a" * 5_000: 400,
        "/tables/" + "a" * 50_000: 414,
        "/tables/CRAPS": 404,
        f"{TABLE}/at/0": 400,
        f"{TABLE}/at/-1": 400,
        f"{TABLE}/at/1e3": 404,
        f"{TABLE}/at/{'9' * 400}": 400,
        f"{TABLE}/at/99999": 404,
        f"{TABLE}/events?after=-1": 400,
        f"{TABLE}/events?after=nan": 400,
        f"{TABLE}/events?limit=1001": 400,
        f"{TABLE}/events?limit=": 400,
        "/nothing/here": 404,
    }.items():
        reply = nobody.http.get(f"/api/v1{path}")
        problem(reply, status, reply.json()["code"])


def test_other_methods_are_told_what_there_is(house: Running) -> None:
    nobody = house.nobody()
    for method in ("PUT", "PATCH", "DELETE", "HEAD", "TRACE"):
        reply = nobody.http.request(method, "/api/v1/tables")
        assert (reply.status_code, reply.headers["allow"]) == (405, "GET, POST")


def test_methods_that_nobody_has_are_counted_together(house: Running) -> None:
    """A client could otherwise make as many counters as there are words."""
    nobody = house.nobody()
    for method in ("PROPFIND", "MKCOL"):
        assert nobody.http.request(method, "/api/v1/tables").status_code == 405
    told = nobody.http.get("/metrics").text
    assert 'method="OTHER"' in told
    assert "PROPFIND" not in told


@pytest.mark.parametrize(
    "header",
    [
        {"authorization": "Bearer"},
        {"authorization": "Basic YW5uOmFubg=="},
        {"authorization": b"Bearer \xff\xfe\x80"},
        {"authorization": "Bearer " + "x" * 30_000},
    ],
)
def test_a_token_that_is_none(house: Running, header: dict[str, Any]) -> None:
    reply = house.nobody().http.get("/api/v1/tables", headers=header)
    problem(reply, 401, reply.json()["code"])


@pytest.mark.parametrize(
    "cookie", [b"croupier_session=\xff", b"croupier_session=" + b"x" * 30_000, b"=;;=;", b"a" * 9000]
)
def test_a_cookie_that_is_none(house: Running, cookie: bytes) -> None:
    nobody = house.nobody()
    assert nobody.http.get("/api/v1/tables", headers={b"cookie": cookie}).status_code == 200
    problem(nobody.http.get("/api/v1/me", headers={b"cookie": cookie}), 401, "not_signed_in")


@pytest.mark.parametrize("key", [b"", b"\x80", b"a b", b"x" * 101, None])
def test_a_key_that_is_none(house: Running, key: bytes | None) -> None:
    ben = house.person("ben")
    headers = {name.encode(): value.encode() for name, value in ben.headers.items()}
    headers |= {} if key is None else {b"idempotency-key": key}
    problem(ben.http.post(f"/api/v1{TABLE}/leave", json={}, headers=headers), 400, "bad_request")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /api/v1/tables HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 300_000 + b"\r\n\r\n",
        b"GET /api/v1/tables HTTP/1.1\r\nhost: localhost\r\n"
        + b"".join(b"x-%d: y\r\n" % n for n in range(5000))
        + b"\r\n",
        b"MADE-UP /api/v1/tables HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /api/v1/tables HTTP/1.1\r\nhost: localhost\r\ncookie: a\x01b\r\n\r\n",
        b"POST /api/v1/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/v1/sign-in HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n",
    ],
    ids=["address", "header", "headers", "method", "cookie", "length", "two lengths", "tls", "nothing"],
)
def test_what_is_hardly_a_request_is_no_server_error(house: Running, request_bytes: bytes) -> None:
    host, _, port = house.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        try:
            line.sendall(request_bytes)
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(65536)
        except OSError:  # the house has hung up on what has no end
            answer = b""
    status = re.match(rb"HTTP/1.1 (\d)", answer)
    assert answer == b"" or (status is not None and status[1] in b"24"), answer[:200]
    assert house.nobody().get("/tables").status_code == 200


# Faults


@pytest.mark.parametrize("way", ["page", "program"])
def test_a_fault_has_a_number_and_no_traceback(
    house: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    person = newcomer(house, f"vera-{way}")
    headers = dict(person.headers)
    if way == "program":
        token = person.post("/tokens", {"name": "bot", "scopes": ["play"]}).json()["token"]
        headers = {"authorization": f"Bearer {token}"}

    async def broken(*_: object) -> None:
        raise RuntimeError("something inside that is nobody's business")

    monkeypatch.setattr(house.running_house, "account", broken)
    monkeypatch.setattr(house.running_house.processor, "do", broken)
    keyed = {**headers, "idempotency-key": f"fault-{way}"}
    for reply in (
        person.http.get("/api/v1/me", headers=headers),
        person.http.post(f"/api/v1{TABLE}/leave", json={}, headers=keyed),
    ):
        message = problem(reply, 500, "fault")["message"]
        assert "nobody's business" not in reply.text
        assert "Traceback" not in reply.text
        number = re.search(r"[0-9a-f]{12}", message)
        assert number is not None
        logged = [record for record in caplog.records if getattr(record, "fault", None) == number[0]]
        assert len(logged) == 1
        assert logged[0].exc_info is not None, "the log has all of it"
