"""Promotions over HTTP: what each person may see and do, the draw's record, and that claimants' identities go
nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client
from croupier.prizes.draw_verification import verify_draw
from croupier.prizes.terms import Earning
from tests.clocks import Clock
from tests.promoting import CLOSE, FILING, START, Promoting
from tests.promotion_evenings import NAME, PATH, WHO, Evening, throw
from tests.promotions import CRAPS, SECOND
from tests.serving import Person, running
from tests.waiting import until


def names(person: Person) -> list[str]:
    """The promotions that someone can see."""
    return [one["promotion"] for one in person.get("/promotions").json()]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    clock = Clock(FILING)
    with running(tmp_path, clock=clock, session_hours=1000, checkpoint_seconds=86_400) as house:
        yield Evening(house, clock)


def test_a_draft_is_for_those_who_manage_and_the_terms_are_for_everybody_from_the_filing_on(evening: Evening) -> None:
    mia = evening.people["mia"]
    assert mia.do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"}).is_success
    evening.says("draft_terms", terms=Promoting().terms())
    for person in (evening.nobody, evening.people["ann"], evening.people["dora"], evening.people["sam"]):
        assert NAME not in names(person)
        assert (person.get(PATH).status_code, person.get(PATH).json()["code"]) == (404, "no_such_promotion")
    for name in ("mia", "otto", "ivy"):
        assert NAME in names(evening.people[name])
    evening.says("file_terms")
    told = evening.told(None)
    assert told["stage"] == "filed"
    assert {term["clause"] for term in told["terms"]} >= {"11.7.1", "11.7.2", "11.7.6"}
    assert told.keys() & {"form", "may", "awards", "claims", "filed"} == set()
    assert evening.told("ivy")["may"]


def test_a_refusal_has_its_clause(evening: Evening) -> None:
    evening.people["mia"].do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"})
    terms = Promoting().terms()
    del terms["said"]["claim_method"]
    evening.says("draft_terms", terms=terms)
    refused = evening.line("file_terms")
    assert (refused.status_code, refused.json()["code"], refused.json()["clause"]) == (422, "term_missing", "11.7.8")
    assert refused.json()["about"] == ["claim_method"]
    terms["said"]["claim_method"] = "At the desk."
    del terms["prizes"][0]["said"]["details"]
    evening.says("draft_terms", terms=terms)
    assert evening.line("file_terms").json()["about"] == ["first", "details"]
    assert "about" not in evening.line("start_promotion").json()


def test_players_see_their_own_part_and_nobody_elses_name(evening: Evening) -> None:
    evening.drawn()
    own = evening.told("ann")["own"]
    assert [entry["weight"] for entry in own["entries"]] == [1, 5]
    assert [award["entrant"] for award in own["awards"]] == ["ann"]
    for other in ("ben", None):
        person = evening.nobody if other is None else evening.people[other]
        assert "ann" not in person.get(PATH).text.replace("manner", "").replace("announce", "")
        assert evening.told(other)["draw"]["results"][0]["entrant"] == own["name"]
    assert evening.told("ben")["own"]["awards"] == []
    assert {who: evening.told(who)["won"] for who in ("ann", "ben", None)} == {"ann": True, "ben": False, None: False}
    assert [award["entrant"] for award in evening.told("ivy")["awards"]] == ["ann"]


def test_the_record_of_the_draw_is_for_everybody_and_holds(evening: Evening) -> None:
    assert evening.nobody.get(f"{PATH}/record").json()["code"] == "no_such_promotion"
    evening.drawn()
    reply = evening.nobody.get(f"{PATH}/record")
    assert reply.headers["content-type"].startswith("application/jsonl")
    verdict = verify_draw(reply.content.splitlines(keepends=True))
    assert (verdict.finding, verdict.entries, len(verdict.results)) == (None, 2, 1)
    with Client(evening.house.url) as client:
        assert b"".join(line.rstrip(b"\n") + b"\n" for line in client.draw_record(NAME)) == reply.content


def test_who_a_claimant_is_goes_to_those_alone_who_need_it(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        evening.drawn()
        evening.says("make_claim", "ann", WHO, award=1, claimant="ann")
        again = evening.line("make_claim", "ann", WHO, award=1, claimant="ann")
        assert again.json()["code"] == "claim_open"
        evening.line("make_claim", "ann", {"name": WHO["name"], "address": ""}, award=1, claimant="ann")
        replies = list(everything(evening))
    claim = f"{PATH}/claims/claim-1"
    for name in ("mia", "otto", "ivy"):
        told = evening.people[name].get(claim).json()
        assert told == {"promotion": NAME, "claim": "claim-1", "sealed": True, **WHO}
    for person in (evening.people["ann"], evening.people["ben"], evening.people["dora"], evening.people["sam"]):
        assert person.get(claim).status_code == 403
    assert evening.nobody.get(claim).status_code == 401
    said = "".join([*replies, *(record.getMessage() + str(record.__dict__) for record in caplog.records)])
    assert len(replies) > 40
    assert not any(word in said for word in ("Qqanna", "Winnerzz", "Qqharbour"))
    assert evening.people["ivy"].get(f"{PATH}/claims/claim-2").json()["code"] == "no_such_claim"


def everything(evening: Evening) -> Iterator[str]:
    """Everything that anyone can get from the house, except at the one address that is meant for it."""
    paths = [
        "/promotions",
        PATH,
        f"{PATH}/record",
        f"{PATH}/events?limit=1000",
        "/refusals?limit=1000",
        "/me",
        "/accounts",
    ]
    paths += ["/export?refusals=true", "/accounts/ann/events", "/me/events", "/reports/books", "/floor/alerts", "/me"]
    for person in (evening.nobody, *evening.people.values()):
        for path in paths:
            yield person.get(path).text
    yield evening.nobody.http.get("/metrics").text


def test_history_is_for_those_who_keep_the_books(evening: Evening) -> None:
    evening.started()
    entries = evening.people["ivy"].get(f"{PATH}/events").json()["entries"]
    kinds = [entry["type"] for entry in entries]
    assert kinds[:3] == ["promotion_opened", "terms_drafted", "terms_filed"]
    assert {entry["who"] for entry in entries} == {"mia"}
    (taken,) = [entry["events"][0] for entry in entries if entry["type"] == "entries_taken"]
    assert [entry["entrant"] for entry in taken["entries"]] == ["ann", "ann"]
    brief = evening.people["ivy"].get(f"{PATH}/events?brief=true").json()["entries"]
    assert [entry["events"][0]["entries"] for entry in brief if entry["type"] == "entries_taken"] == [2]
    assert all("salt" not in entry for entry in entries)
    assert evening.people["ann"].get(f"{PATH}/events").status_code == 403


def test_sent_again_a_line_is_carried_out_once(evening: Evening) -> None:
    evening.started()
    body = {"line": {"do": "take_entries", "entries": [{"id": "e9", "entrant": "ben"}], "reason": "A coupon."}}
    first = evening.people["mia"].do(f"{PATH}/lines", body, key="once")
    assert evening.people["mia"].do(f"{PATH}/lines", body, key="once").json() == first.json()
    assert evening.told("mia")["draw"]["entries"] == 3


def test_a_book_tells_what_it_asks_of_promotions(evening: Evening) -> None:
    told = evening.nobody.get(f"/books/{CRAPS}/prizes").json()
    assert told["filing"] == {"with": "the NICC", "hours_before": 24, "clause": "11.12"}
    assert {term["id"] for term in told["terms"]} >= {"manner", "starts", "value"}
    for book in ("two-up-nsw-2016", "baccarat"):
        assert evening.nobody.get(f"/books/{book}/prizes").status_code == 404


def test_the_client_runs_a_promotion(evening: Evening) -> None:
    with Client.sign_in(evening.house.url, "mia", "mia-at-croupier") as mia:
        mia.open_promotion(NAME, CRAPS, "Spring draw")
        mia.promote(NAME, {"do": "draft_terms", "terms": Promoting().terms()})
        mia.promote(NAME, {"do": "file_terms"})
        assert mia.promotion(NAME)["stage"] == "filed"
        assert NAME in [one["promotion"] for one in mia.promotions()]
        assert len(list(mia.promotion_events(NAME))) == 3
        assert mia.prizes(CRAPS)["clause"] == "11.1"


def drafted(evening: Evening, earning: Earning | None = None) -> None:
    """Terms under which play may earn entries, and a table with a dealer."""
    evening.people["mia"].do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"})
    terms = Promoting().terms(earning=earning, wager_required=True, minimum_wager=20_00)
    evening.says("draft_terms", terms=terms)
    table = {"table": "dealt", "title": "Dealt", "line": {"book": CRAPS}}
    assert evening.people["mia"].do("/tables", table).is_success
    assert evening.people["dora"].do("/tables/dealt/post", {"role": "dealer"}).is_success


def filed(evening: Evening) -> None:
    evening.says("file_terms")
    evening.says("publish_terms", means="this page", in_marketing=True)


def test_play_earns_entries_and_the_clock_of_the_house_closes_them(evening: Evening) -> None:
    drafted(evening, Earning(10_00))
    filed(evening)
    throw(evening, "too early", ann="50.00")
    evening.clock.at = START
    evening.says("start_promotion")
    evening.says("take_entries", entries=[{"id": "ann", "entrant": "ben"}], reason="A coupon.")
    throw(evening, "counts", ann="30.00", ben="10.00")
    so_far = evening.people["mia"].get(f"{PATH}/play").json()
    assert (so_far["people"], so_far["same"]) == ([{"person": "ann", "staked": "30.00", "tickets": 3}], None)
    evening.clock.at = CLOSE
    throw(evening, "too late", ann="40.00")
    evening.clock.at = CLOSE + 2 * SECOND
    until(lambda: evening.told("mia")["stage"] == "entries closed")
    told = evening.told("ivy")
    assert (told["draw"]["entries"], told["draw"]["weight"]) == (2, 4)
    assert [entry["weight"] for entry in evening.told("ann")["own"]["entries"]] == [3]
    again = evening.people["ivy"].get(f"{PATH}/play").json()
    assert (again["same"], again["tables"], told["counted"]["tables"]) == (True, again["tables"], again["tables"])
    assert again["tables"]["dealt"] > 0


def own_play(evening: Evening, who: str) -> dict[str, Any]:
    """What the house reports to a player of their own play, except the name of the promotion."""
    reply = evening.people[who].get(f"{PATH}/play/own")
    assert reply.status_code == 200, reply.text
    told: dict[str, Any] = reply.json()
    assert told.pop("promotion") == NAME
    return told


def so_far(staked: str, tickets: int, missing: str | None, *, in_draw: bool = True) -> dict[str, Any]:
    return {"earns": True, "in_draw": in_draw, "staked": staked, "tickets": tickets, "missing": missing}


def test_players_see_what_their_own_play_has_earned_so_far_and_nobody_elses(evening: Evening) -> None:
    drafted(evening, Earning(15_00))
    assert evening.people["ann"].get(f"{PATH}/play/own").json()["code"] == "no_such_promotion"
    filed(evening)
    throw(evening, "too early", ann="50.00")
    assert own_play(evening, "ann") == so_far("0.00", 0, "15.00")
    evening.clock.at = START
    evening.says("start_promotion")
    throw(evening, "counts", ann="35.00", ben="20.00")
    assert own_play(evening, "ann") == so_far("35.00", 2, "10.00")
    assert own_play(evening, "ben") == so_far("20.00", 1, "10.00")
    throw(evening, "counts, but for what is below the minimum", ann="10.00", ben="25.00")
    assert own_play(evening, "ann") == so_far("35.00", 2, "10.00")
    assert own_play(evening, "ben") == so_far("45.00", 3, "15.00")
    rows = evening.people["mia"].get(f"{PATH}/play").json()["people"]
    assert {row["person"]: (row["staked"], row["tickets"]) for row in rows} == {
        "ann": ("35.00", 2),
        "ben": ("45.00", 3),
    }
    assert evening.nobody.get(f"{PATH}/play/own").status_code == 401
    assert evening.people["ann"].get(f"{PATH}/play").status_code == 403
    with Client.sign_in(evening.house.url, "ben", "ben-at-croupier") as ben:
        assert (ben.own_play(NAME).tickets, ben.own_play(NAME).missing) == (3, "15.00")


def test_after_the_close_nothing_is_so_far_any_more(evening: Evening) -> None:
    drafted(evening, Earning(10_00))
    filed(evening)
    evening.clock.at = START
    evening.says("start_promotion")
    throw(evening, "counts", ann="30.00")
    evening.clock.at = CLOSE
    throw(evening, "too late", ann="40.00")
    assert own_play(evening, "ann") == so_far("30.00", 3, "10.00")
    evening.clock.at = CLOSE + 2 * SECOND
    until(lambda: evening.told("mia")["stage"] == "entries closed")
    reply = evening.people["ann"].get(f"{PATH}/play/own")
    assert (reply.status_code, reply.json()["code"]) == (409, "not_counting")
    assert [entry["weight"] for entry in evening.told("ann")["own"]["entries"]] == [3]


def test_who_is_in_no_draw_is_told_so_and_has_no_tickets(evening: Evening) -> None:
    """Anyone with a staff role, and anyone excluded, as it would be when entries close (reading X-41)."""
    drafted(evening, Earning(10_00))
    filed(evening)
    evening.clock.at = START
    evening.says("start_promotion")
    throw(evening, "counts", ann="35.00", ben="25.00")
    otto, sam = evening.people["otto"], evening.people["sam"]
    assert otto.do("/accounts/ben/roles", {"roles": ["player", "dealer"]}).is_success
    assert sam.do("/accounts/ann/exclusion", {}).is_success
    assert own_play(evening, "ann") == so_far("35.00", 0, None, in_draw=False)
    assert own_play(evening, "ben") == so_far("25.00", 0, None, in_draw=False)
    assert own_play(evening, "mia") == so_far("0.00", 0, None, in_draw=False)
    assert evening.people["mia"].do("/accounts/ann/exclusion/end", {}).is_success
    assert own_play(evening, "ann") == so_far("35.00", 3, "5.00")
    evening.clock.at = CLOSE + 2 * SECOND
    until(lambda: evening.told("mia")["stage"] == "entries closed")
    weights = {who: [entry["weight"] for entry in evening.told(who)["own"]["entries"]] for who in ("ann", "ben")}
    assert weights == {"ann": [3], "ben": []}


def test_where_play_earns_nothing_that_is_told(evening: Evening) -> None:
    drafted(evening)
    filed(evening)
    nothing = {"earns": False, "in_draw": True, "staked": "0.00", "tickets": 0, "missing": None}
    assert own_play(evening, "ann") == nothing
