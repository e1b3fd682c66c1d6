"""The floor over HTTP: tables at a glance with their figures, and alerts that can be answered only once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.contract.management import Pace
from croupier.house.events import BetsShut
from croupier.house.reporting.reports import Paces
from croupier.house.stored_events import Document, Entry, StoredEvent, stamp
from croupier.server.api import floor
from croupier.server.reports import ReportWorker
from croupier.store.contract import CorruptStore, Reading
from croupier.table.events import ThrowVoided
from tests.serving import Person, Running, did, got, person, running, told

TABLE = "/tables/craps-1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A table at which ann lost 10.00 on the win line, after a point of 4, and has 5.00 on the field."""
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        line = {"book": "craps-nsw-2024", "min": "1.00", "max": "200.00"}
        did(person(opened, "otto"), "/tables", {"table": "craps-1", "title": "Craps 1", "line": line})
        dora, ann = person(opened, "dora"), person(opened, "ann")
        did(dora, f"{TABLE}/post", {"role": "dealer"})
        did(person(opened, "sam"), f"{TABLE}/post", {"role": "supervisor"})
        did(ann, f"{TABLE}/seat", {"chips": "100.00"})
        said(ann, do="bet", wager="win_line", amount="10.00")
        said(dora, do="roll", dice=[2, 2])
        said(dora, do="roll", dice=[5, 2])
        said(ann, do="bet", wager="field", amount="5.00")
        yield opened


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


def on_the_floor(house: Running, table: str = "craps-1") -> dict[str, Any]:
    shown: list[dict[str, Any]] = got(person(house, "sam"), "/floor")["tables"]
    return next(one for one in shown if one["table"] == table)


# The floor


def test_every_table_is_there_with_who_runs_it_and_who_plays(house: Running) -> None:
    shown = got(person(house, "ivy"), "/floor")
    names = [one["table"] for one in got(person(house, "ivy"), "/tables")]
    assert [one["table"] for one in shown["tables"]] == names
    table = on_the_floor(house)
    assert table["staff"] == {"dora": "dealer", "sam": "supervisor"}
    assert (table["players"], table["state"], table["by_itself"]) == (["ann"], "open", False)
    assert table["limits"] == {"min": "1.00", "max": "200.00"}
    assert on_the_floor(house, "sic-bo-nsw-2016")["by_itself"] is True


def test_the_figures_are_those_of_the_report(house: Running) -> None:
    glance = on_the_floor(house)["glance"]
    report = got(person(house, "otto"), "/reports/tables/craps-1")
    day = report["periods"][-1]["figures"]
    assert glance["version"] == report["version"]
    names = ("turnover", "drop", "win", "throws", "expected", "standing", "low", "high", "rough")
    assert {name: glance["figures"][name] for name in names} == {name: day[name] for name in names}
    assert (day["win"], day["turnover"], day["throws"]) == ("10.00", "10.00", 2)
    assert glance["figures"]["day"] == day["period"]
    assert glance["pace"]["last_hour"] == 2


def test_a_table_where_nothing_happened_today_has_noughts(house: Running) -> None:
    glance = on_the_floor(house, "two-up-nsw-2016")["glance"]
    assert (glance["figures"]["win"], glance["figures"]["throws"], glance["pace"]["an_hour"]) == ("0.00", 0, None)


def test_nothing_is_read_again_while_nothing_happens(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    first = on_the_floor(house)["glance"]
    read: list[str] = []
    go_on = ReportWorker._go_on

    def noted(self: ReportWorker, view: Reading, stream: str) -> None:
        read.append(stream)
        go_on(self, view, stream)

    monkeypatch.setattr(ReportWorker, "_go_on", noted)
    again = on_the_floor(house)["glance"]
    assert (again["version"], again["figures"], read) == (first["version"], first["figures"], [])
    said(person(house, "ann"), do="bet", wager="field", amount="5.00")
    after = on_the_floor(house)["glance"]
    assert (after["version"], read) == (first["version"] + 1, ["table/craps-1"])


def test_whoever_asks_does_not_wait_long_for_figures(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor, "PATIENCE", 0.0)
    known = on_the_floor(house)["glance"]
    assert known is None or known["figures"]["throws"] == 2


def test_a_damaged_table_does_not_blind_the_floor(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    person(house, "otto").do("/tables", {"table": "bad", "title": "Bad", "line": {"book": "craps-nsw-2024"}})
    glance = ReportWorker._glance

    def fails(self: ReportWorker, table: str, *rest: Any) -> Any:  # noqa: ANN401
        if table == "bad":
            raise CorruptStore("It is damaged.", "table/bad", 1)
        return glance(self, table, *rest)

    monkeypatch.setattr(ReportWorker, "_glance", fails)
    assert on_the_floor(house, "bad")["glance"] is None
    assert on_the_floor(house)["glance"]["figures"]["throws"] == 2
    assert "table/bad" in house.running_house.damaged


def test_signs_have_their_clocks(house: Running) -> None:
    sam, now = person(house, "sam"), datetime.now(UTC)
    said(sam, do="post_minimum_sign", minimum="5.00", time=(now + timedelta(minutes=1)).isoformat())
    (sign,) = on_the_floor(house)["signs"]
    assert (sign["announces"], sign["minimum"], sign["wager"]) == ("minimum", "5.00", None)
    shown, holds = datetime.fromisoformat(sign["shown"]), datetime.fromisoformat(sign["holds"])
    assert holds - shown == timedelta(minutes=20)
    alerts = got(sam, "/floor/alerts")
    coming = [one for one in alerts["coming"] if one["table"] == "craps-1"]
    assert [(one["words"], one["since"]) for one in coming] == [("Notice over", sign["holds"])]
    assert on_the_floor(house)["alerts"] == 0


# Alerts


def open_alerts(house: Running) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = got(person(house, "sam"), "/floor/alerts")["open"]
    return shown


def test_an_alert_waits_for_an_answer_and_says_who_gave_it(house: Running) -> None:
    ann, sam, mia = person(house, "ann"), person(house, "sam"), person(house, "mia")
    said(ann, do="raise_dispute", case="d1", about="the roll of four")
    (alert,) = open_alerts(house)
    assert (alert["words"], alert["who"], alert["clause"]) == ("Dispute", "ann", "10.13")
    assert alert["tells"] == "raises the dispute d1 about the roll of four"
    assert (alert["book"], alert["title"], on_the_floor(house)["alerts"]) == ("craps-nsw-2024", "Craps 1", 1)
    path = f"{TABLE}/alerts/{alert['event']}/answer"
    assert sam.do(path, {"note": "ok", "version": 10**9}).json()["code"] == "table_moved_on"
    did(mia, path, {"note": "The camera shows four."})
    assert open_alerts(house) == []
    answered = got(sam, "/floor/alerts")["answered"][0]
    told = answered.pop("answered")
    assert answered == {name: value for name, value in alert.items() if name != "answered"}
    assert (told["who"], told["note"]) == ("mia", "The camera shows four.")
    assert told["at"] >= alert["at"]
    again = sam.do(path, {"note": "Me too."})
    assert (again.status_code, again.json()["code"]) == (409, "alert_answered")


def test_the_same_answer_sent_twice_is_carried_out_once(house: Running) -> None:
    said(person(house, "ann"), do="raise_dispute", case="d2", about="the roll of seven")
    path = f"{TABLE}/alerts/{open_alerts(house)[0]['event']}/answer"
    replies = [person(house, "sam").do(path, {"note": "Heard."}, key="the-same") for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert told(replies[0]) == told(replies[1])


@pytest.mark.parametrize(
    ("event", "body", "status", "code"),
    [
        ("1", {"note": "What for?"}, 404, "no_such_alert"),
        ("1", {"note": ""}, 400, "bad_request"),
        ("1", {}, 400, "bad_request"),
        ("1", {"note": "\t"}, 422, "bad_note"),
        ("0", {"note": "None."}, 400, "bad_request"),
        ("one", {"note": "None."}, 404, "not_found"),
    ],
)
def test_what_is_no_answer_is_refused(house: Running, event: str, body: object, status: int, code: str) -> None:
    reply = person(house, "sam").do(f"{TABLE}/alerts/{event}/answer", body)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


def test_players_see_nothing_of_alerts(house: Running) -> None:
    """They can only infer that there was one: numbers and hashes have no gaps."""
    ann, ben = person(house, "ann"), person(house, "ben")
    said(ann, do="raise_dispute", case="d3", about="something private")
    for who in (ann, ben):
        assert who.get("/floor").status_code == who.get("/floor/alerts").status_code == 403
        entries = got(who, f"{TABLE}/events?limit=1000")["entries"]
        raised = [one for one in entries if one["type"] == "alert_raised"]
        assert [one["events"] for one in raised] == [[]] * len(raised)
        assert raised
    assert "private" not in ben.get(f"{TABLE}/events?limit=1000").text
    did(person(house, "sam"), f"{TABLE}/alerts/{open_alerts(house)[0]['event']}/answer", {"note": "Heard."})


def test_a_program_answers_as_well_as_a_person(house: Running) -> None:
    sam = person(house, "sam")
    said(person(house, "ann"), do="raise_dispute", case="d4", about="by a program")
    token = sam.post("/tokens", {"name": "floor", "scopes": ["supervise"]}).json()["token"]
    reply = sam.http.post(
        f"/api/v1{TABLE}/alerts/{open_alerts(house)[0]['event']}/answer",
        json={"note": "By a program."},
        headers={"authorization": f"Bearer {token}", "idempotency-key": "by-token"},
    )
    assert (reply.status_code, open_alerts(house)) == (200, [])


# People


def test_people_are_found_by_a_part_of_their_name(house: Running) -> None:
    sam = person(house, "sam")
    assert got(sam, "/accounts?containing=a") == ["ann", "dora", "mia", "sam"]
    assert got(sam, "/accounts?containing=a&after=dora&limit=1") == ["mia"]
    assert got(sam, "/accounts?containing=nobody") == []


# Pace


def entry(event: StoredEvent, at: datetime) -> Entry:
    return Entry(1, b"", b"", Document(1, stamp(at), event))


def test_the_pace_is_that_of_the_last_hour() -> None:
    noon, paces = datetime(2026, 11, 15, 12, tzinfo=UTC), Paces()
    throw = ThrowVoided("5.1", "no roll", None, "stickperson", None, 0)
    assert paces.pace("t", noon) == Pace(0, None)
    paces.take_in("t", [entry(throw, noon), entry(BetsShut(1), noon)])
    assert paces.pace("t", noon) == Pace(1, None)
    paces.take_in("t", [entry(throw, noon + timedelta(minutes=minutes)) for minutes in (1, 2, 3)])
    assert paces.pace("t", noon + timedelta(minutes=3)) == Pace(4, 60.0)
    assert paces.pace("t", noon + timedelta(minutes=61)) == Pace(2, 60.0)
    paces.take_in("t", [entry(throw, noon + timedelta(hours=5))])
    assert paces.pace("t", noon + timedelta(hours=5)) == Pace(1, None)
    assert paces.pace("t", noon + timedelta(hours=7)) == paces.pace("other", noon) == Pace(0, None)
