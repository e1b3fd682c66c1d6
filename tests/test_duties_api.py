"""Duties over HTTP: one list for those responsible, and answers that can be given only once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client
from tests.clocks import Clock
from tests.promotions import AWARD, CLOSE, START, prizes_of, terms_of
from tests.serving import Person, Running, did, got, person, running

CRAPS, SIC_BO = "craps-nsw-2024", "sic-bo-nsw-2016"
ANSWER = "/tables/craps-1/duties/answer"
NOTE = "It was seen too late."


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 11, 28, 3, tzinfo=UTC))


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[Running]:
    """Two tables with their staff; at craps 1,500.00 too much was paid to someone."""
    with running(tmp_path, clock=clock, session_hours=10_000) as opened:
        for table, book in (("craps-1", CRAPS), ("sic-bo-1", SIC_BO)):
            line = {"book": book, "min": "1.00", "max": "200.00"}
            did(person(opened, "otto"), "/tables", {"table": table, "title": table.title(), "line": line})
            for name, role in (("sam", "supervisor"), ("otto", "operator")):
                did(person(opened, name), f"/tables/{table}/post", {"role": role})
        did(person(opened, "dora"), "/tables/craps-1/post", {"role": "dealer"})
        paid = {"do": "report_mispayment", "case": "m1", "way": "overpaid", "amount": "1500.00", "wager": "field"}
        said(person(opened, "dora"), paid)
        yield opened


def said(who: Person, line: dict[str, Any], table: str = "craps-1") -> None:
    did(who, f"/tables/{table}/lines", {"line": line})


def listed(who: Person, part: str = "open") -> list[tuple[str, str, str]]:
    return [(one["name"], one["id"], one["standing"]) for one in got(who, "/duties")[part]]


def waiting(who: Person) -> list[str]:
    return [one["id"] for one in got(who, "/floor/alerts")["duties"]]


def test_one_list_says_what_is_due_when_and_who_is_responsible(house: Running, clock: Clock) -> None:
    shown = got(person(house, "ivy"), "/duties")
    assert shown["at"] == "2026-11-28T03:00:00.000000Z"
    assert shown["open"][0] == {
        "of": "table",
        "name": "craps-1",
        "title": "Craps-1",
        "book": CRAPS,
        "zone": "Australia/Sydney",
        "id": "month_end 2026-11",
        "what": "Make the return of wrong payments for 2026-11",
        "clause": "9.3.2",
        "responsible": ["casino operator"],
        "roles": ["operator"],
        "since": "2026-11-28T03:00:00.000000Z",
        "due": "2026-12-01T13:00:00.000000Z",  # midnight in Sydney
        "standing": "due",
        "done_at": None,
        "done_by": None,
        "alert": None,
        "answered": False,
    }
    assert [one["id"] for one in shown["open"]] == ["month_end 2026-11", "enquire m1", "put_right_elsewhere m1"]


def test_what_is_overdue_is_an_alert_until_somebody_answers_for_it(house: Running, clock: Clock) -> None:
    sam, otto = person(house, "sam"), person(house, "otto")
    refused = sam.do(ANSWER, {"duty": "month_end 2026-11", "note": NOTE})
    assert (refused.status_code, refused.json()["code"], waiting(sam)) == (422, "duty_in_time", [])
    clock.at = datetime(2026, 12, 1, 13, tzinfo=UTC) + timedelta(microseconds=1)
    assert (listed(sam)[0], waiting(sam)) == (("craps-1", "month_end 2026-11", "overdue"), ["month_end 2026-11"])
    clock.at += timedelta(days=40)
    said(otto, {"do": "month_end", "month": "2026-11"})
    assert (listed(sam, "done"), waiting(sam)) == (
        [("craps-1", "month_end 2026-11", "done late")],
        ["month_end 2026-11"],
    )
    (floor,) = [one for one in got(sam, "/floor")["tables"] if one["table"] == "craps-1"]
    assert floor["alerts"] == 2  # the wrong payment itself, and the return that was late
    did(sam, ANSWER, {"duty": "month_end 2026-11", "note": NOTE})
    assert waiting(sam) == []
    again = otto.do(ANSWER, {"duty": "month_end 2026-11", "note": NOTE})
    assert (again.status_code, again.json()["code"]) == (409, "duty_answered")
    entries = got(sam, "/tables/craps-1/events?limit=1000")["entries"]
    assert [one["who"] for one in entries if one["type"] == "duty_answered"] == ["sam"]


def test_a_duty_that_has_an_alert_is_answered_with_it(house: Running, clock: Clock) -> None:
    dora, sam = person(house, "dora"), person(house, "sam")
    did(dora, "/tables/craps-1/post/leave", {})
    did(dora, "/tables/sic-bo-1/post", {"role": "dealer"})
    said(dora, {"do": "report_malfunction", "what": "lights"}, "sic-bo-1")
    clock.at += timedelta(minutes=16)
    (duty,) = [one for one in got(sam, "/duties")["open"] if one["name"] == "sic-bo-1"]
    (alert,) = [one for one in got(sam, "/floor/alerts")["open"] if one["table"] == "sic-bo-1"]
    assert (duty["standing"], duty["alert"], waiting(sam)) == ("overdue", alert["event"], [])
    did(sam, "/tables/sic-bo-1/duties/answer", {"duty": duty["id"], "note": NOTE})
    assert [one for one in got(sam, "/floor/alerts")["open"] if one["table"] == "sic-bo-1"] == []
    assert got(sam, "/floor/alerts")["answered"][0]["answered"]["note"] == NOTE
    (duty,) = [one for one in got(sam, "/duties")["open"] if one["name"] == "sic-bo-1"]
    assert (duty["standing"], duty["alert"], duty["answered"]) == ("overdue", None, True)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"duty": "month_end 2026-10", "note": NOTE}, 404, "no_such_duty"),
        ({"duty": "month_end 2026-11", "note": " "}, 422, "bad_note"),
        ({"duty": "month_end 2026-11", "note": ""}, 400, "bad_request"),
        ({"duty": "", "note": NOTE}, 400, "bad_request"),
        ({"duty": "month_end 2026-11", "note": NOTE, "version": 1}, 409, "table_moved_on"),
    ],
)
def test_answers_that_are_none(house: Running, body: object, status: int, code: str) -> None:
    reply = person(house, "sam").do(ANSWER, body)
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text


def drafted(house: Running, clock: Clock) -> datetime:
    """A promotion whose terms are written down but not filed; and the latest time to file them."""
    starts = clock.at + timedelta(days=3)
    moved = starts - START
    times = {"starts": starts, "entries_close": CLOSE + moved, "awarded_at": AWARD + moved}
    terms = terms_of(prizes_of(CRAPS), **{term: at.isoformat() for term, at in times.items()})
    mia = person(house, "mia")
    did(mia, "/promotions", {"promotion": "spring", "book": CRAPS, "title": "Spring"})
    prizes = [{"id": one.id, "kind": one.kind, "said": _told(one.said)} for one in terms.prizes]
    line = {"do": "draft_terms", "terms": {"said": _told(terms.said), "prizes": prizes}}
    did(mia, "/promotions/spring/lines", {"line": line})
    return starts - timedelta(hours=24)


def _told(said: dict[str, Any]) -> dict[str, Any]:
    """Money is sent as text."""
    return {term: f"{value // 100}.{value % 100:02}" if term == "value" else value for term, value in said.items()}


def test_duties_of_promotions_are_for_those_who_run_them_or_read_the_books(house: Running, clock: Clock) -> None:
    clock.at = drafted(house, clock) + timedelta(seconds=1)
    late = ("spring", "file", "overdue")
    for name in ("mia", "otto", "ivy"):
        assert late in listed(person(house, name))
        assert waiting(person(house, name)) == ["file"]
    assert late not in listed(person(house, "sam"))
    assert waiting(person(house, "sam")) == []
    path, body = "/promotions/spring/duties/answer", {"duty": "file", "note": NOTE}
    assert person(house, "sam").do(path, body).json()["code"] == "not_allowed"
    did(person(house, "mia"), path, body)
    assert waiting(person(house, "otto")) == []
    assert late in listed(person(house, "otto"))


def test_players_and_dealers_see_no_duties(house: Running) -> None:
    for name in ("ann", "dora"):
        assert person(house, name).get("/duties").status_code == 403
        reply = person(house, name).do(ANSWER, {"duty": "month_end 2026-11", "note": NOTE})
        assert (reply.status_code, reply.json()["code"]) == (403, "not_allowed")


def test_a_program_reads_duties_and_answers_for_them(house: Running, clock: Clock) -> None:
    issued = person(house, "sam").post("/tokens", {"name": "bot", "scopes": ["supervise"]})
    with Client(house.url, issued.json()["token"]) as client:
        clock.at = datetime(2026, 12, 2, tzinfo=UTC)
        first = client.duties().open[0]
        assert (first.id, first.standing, first.due) == (
            "month_end 2026-11",
            "overdue",
            "2026-12-01T13:00:00.000000Z",
        )
        assert [one.id for one in client.alerts().duties] == ["month_end 2026-11"]
        client.answer_duty("craps-1", first.id, NOTE)
        assert client.alerts().duties == []
