"""Open cases: who, when, what and the next step, from the table to the API; and no one sees another person's case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.pipe import Pipe
from tests.serving import Person, Running, did, got, person, running
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, NEW_ZEALAND = "craps-nsw-2024", "sic-bo-nsw-2016", "snake-eyes-nz"
TABLE = "/tables/pit"


class Told:
    """A table over the pipe."""

    def __init__(self, book: str) -> None:
        self.pipe = Pipe(SHELF)
        self.say(do="open", book=book)
        self.say(do="seat", player="ann", chips="100.00")

    def say(self, role: str | None = None, who: str | None = None, **line: object) -> dict[str, Any]:
        given = {} if role is None else {"as": role, "who": who}
        reply: dict[str, Any] = json.loads(self.pipe.answer(json.dumps({**line, **given}).encode()))
        assert reply["ok"], reply
        return reply

    @property
    def cases(self) -> list[dict[str, Any]]:
        """The open cases."""
        told: list[dict[str, Any]] = self.say(do="cases")["cases"]
        return told

    @property
    def next(self) -> list[str]:
        """The next steps of the one open case."""
        (case,) = self.cases
        return list(case["next"])


def test_a_case_tells_who_when_what_and_the_next_step() -> None:
    table = Told(CRAPS)
    assert table.cases == []
    table.say("player", "ann", do="raise_dispute", case="toss", about="a 7", at="2024-08-30T20:00:00")
    assert table.cases == [
        {
            **{"kind": "dispute", "case": "toss", "who": "ann", "about": "a 7", "since": "2024-08-30T20:00:00"},
            **{"stands": "raised", "due": "0.00", "next": ["decide_dispute"]},
        }
    ]


@pytest.mark.clause(CRAPS, "10.13", "10.14")
def test_the_next_step_follows_the_ladder_until_the_case_is_over() -> None:
    table = Told(CRAPS)
    table.say(do="bet", player="ann", wager="field", amount="10.00")
    table.say(do="roll", dice=[3, 4])
    table.say("player", "ann", do="raise_dispute", case="toss", about="a 7", wager="field")
    assert table.next == ["decide_dispute"]
    table.say("boxperson", "Nora", do="decide_dispute", case="toss", decision="it stands")
    assert table.next == ["accept_decision", "ask_review", "final_decision", "close_dispute"]
    table.say("player", "ann", do="ask_review", case="toss")
    assert table.next == ["review_dispute"]
    table.say("casino supervisor", "Sam", do="review_dispute", case="toss", decision="it does not", amount="20.00")
    assert table.next == ["reimburse", "put_right_elsewhere", "accept_decision", "final_decision", "close_dispute"]
    assert [case["due"] for case in table.cases] == ["20.00"]
    table.say("player", "ann", do="accept_decision", case="toss")
    assert table.next == ["reimburse", "put_right_elsewhere"], "the money is still due"
    table.say("dealer", "Dan", do="reimburse", case="toss", at="2024-08-30T20:30:00")
    assert table.cases == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_step_of_a_case_is_an_act_of_the_book_about_a_case(book: str) -> None:
    conduct = SHELF.book(book).conduct
    assert [kind.id for kind in conduct.cases]
    for kind in conduct.cases:
        acts = [conduct.by_id[act] for step in kind.next for act in step.acts]
        assert acts, kind.id
        assert [act.id for act in acts if "case" not in act.forms[0] and act.id != "month_end"] == []


def test_in_new_zealand_the_operator_is_next() -> None:
    table = Told(NEW_ZEALAND)
    table.say("player", "ann", do="raise_dispute", case="toss", about="a 7")
    assert table.next == ["operator_decides_case"]
    table.say("casino operator", "Olga", do="operator_decides_case", case="toss", decision="it stands")
    assert table.cases == []


def test_a_wrong_payment_is_a_case_until_nothing_is_due() -> None:
    table, at = Told(CRAPS), "2024-08-30T20:00:00"
    paid = {"case": "a7", "way": "overpaid", "amount": "5.00", "wager": "field", "player": "ann"}
    table.say("dealer", "Dan", do="report_mispayment", at=at, **paid)
    assert table.next[:2] == ["enquire", "reimburse"]
    table.say("boxperson", "Bea", do="enquire", case="a7", finding="unintentional", at=at)
    table.say("player", "ann", do="give_back", case="a7", amount="5.00", at=at)
    assert table.cases == []


def test_the_question_is_refused_before_the_table_is_open() -> None:
    reply = json.loads(Pipe(SHELF).answer(b'{"do":"cases"}'))
    assert (reply["ok"], reply["code"]) == (False, "not_open")


# -- the house ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    """Ann and ben have a dispute at one table; sam and dora run it."""
    with running(tmp_path) as opened:
        line = {"book": CRAPS, "min": "1.00", "max": "200.00"}
        did(person(opened, "otto"), "/tables", {"table": "pit", "title": "Pit", "line": line})
        did(person(opened, "dora"), f"{TABLE}/post", {"role": "dealer"})
        did(person(opened, "sam"), f"{TABLE}/post", {"role": "supervisor"})
        for name in ("ann", "ben"):
            did(person(opened, name), f"{TABLE}/seat", {"chips": "50.00"})
            said(person(opened, name), do="raise_dispute", case=f"of-{name}", about=f"what {name} saw")
        yield opened


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


def seen(who: Person, path: str = f"{TABLE}/cases") -> list[str]:
    return [case["case"] for case in got(who, path)]


def test_staff_see_all_cases_and_players_their_own(house: Running) -> None:
    assert seen(person(house, "dora")) == seen(person(house, "sam")) == ["of-ann", "of-ben"]
    assert seen(person(house, "ann")) == ["of-ann"]
    assert seen(person(house, "ben")) == ["of-ben"]


def test_the_floor_lists_the_cases_of_all_tables_with_who_may_do_what_next(house: Running) -> None:
    first, _ = got(person(house, "sam"), "/floor/cases")
    (step,) = first["next"]
    assert (first["table"], first["title"], first["who"], first["about"]) == ("pit", "Pit", "ann", "what ann saw")
    assert first["since"] is not None
    assert (step["act"], step["clause"], step["roles"]) == ("decide_dispute", "10.13", ["supervisor", "manager"])
    assert step["words"] == "decides the dispute of-ann"
    for name in ("ann", "dora"):
        assert person(house, name).get("/floor/cases").status_code == 403


def test_a_case_goes_from_the_list_when_nothing_is_left_to_do(house: Running) -> None:
    sam, ann = person(house, "sam"), person(house, "ann")
    said(sam, do="decide_dispute", case="of-ann", decision="it stands")
    (case,) = got(ann, f"{TABLE}/cases")
    assert case["next"][0]["act"] == "accept_decision"
    said(ann, do="accept_decision", case="of-ann")
    assert seen(sam, "/floor/cases") == ["of-ben"]


def test_who_decided_is_refused_the_review_by_name(house: Running) -> None:
    sam, ann, mia = (person(house, name) for name in ("sam", "ann", "mia"))
    said(sam, do="decide_dispute", case="of-ann", decision="it stands")
    said(ann, do="ask_review", case="of-ann")
    again = sam.do(f"{TABLE}/lines", {"line": {"do": "review_dispute", "case": "of-ann", "decision": "it stands"}})
    assert (again.status_code, again.json()["code"], again.json()["clause"]) == (422, "same_person", "10.13")
    did(mia, f"{TABLE}/post", {"role": "manager"})
    said(mia, do="review_dispute", case="of-ann", decision="it does not")


def test_a_field_for_a_case_is_one_of_those_open_unless_the_act_opens_one(house: Running) -> None:
    acts = {act["id"]: act for act in got(person(house, "sam"), f"/books/{CRAPS}/acts")["acts"]}
    kinds = {act: field["kind"] for act, shown in acts.items() for field in shown["fields"] if field["name"] == "case"}
    assert {act for act, kind in kinds.items() if kind == "text"} == {"raise_dispute", "report_mispayment"}
    assert kinds["decide_dispute"] == kinds["reimburse"] == kinds["enquire"] == "case"


# -- posts -------------------------------------------------------------------------------------------------------------


def test_a_dealer_runs_one_table_at_a_time_and_a_supervisor_several(house: Running) -> None:
    otto, dora, sam = (person(house, name) for name in ("otto", "dora", "sam"))
    did(otto, "/tables", {"table": "sic", "title": "Sic Bo", "line": {"book": SIC_BO}})
    refused = dora.do("/tables/sic/post", {"role": "dealer"})
    assert (refused.status_code, refused.json()["code"]) == (422, "posted_elsewhere")
    assert refused.json()["message"] == "A dealer runs one table at a time: Dora must first leave the post at Pit."
    did(sam, "/tables/sic/post", {"role": "supervisor"})
    did(dora, f"{TABLE}/post/leave", {})
    did(dora, "/tables/sic/post", {"role": "dealer"})
