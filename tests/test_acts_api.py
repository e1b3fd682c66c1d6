"""What people do at a table, over HTTP: the acts of each book, who may perform them, grounds and calls; who can be
offered the dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client
from croupier.contract.replies import Acts
from croupier.rulebooks import ids
from croupier.server.api.acts import shown
from croupier.table.conduct.scene import PICK_OF
from tests import matrix
from tests.houses import SHELF
from tests.serving import Person, Running, running

CRAPS, SIC_BO, TWO_UP, NEW_ZEALAND = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nz"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        yield opened


@pytest.fixture(scope="module", params=ids())
def book(request: pytest.FixtureRequest) -> Acts:
    return shown(SHELF, request.param)


def told(house: Running, book: str) -> dict[str, Any]:
    reply = house.nobody().get(f"/books/{book}/acts")
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def test_anybody_may_read_what_people_do(house: Running) -> None:
    acts = {act["id"]: act for act in told(house, CRAPS)["acts"]}
    offer = acts["offer"]
    assert offer["says"] == ["offers the dice to {player}"]
    assert (offer["by"], offer["roles"], offer["clause"]) == (["stickperson"], ["dealer"], "3.2")
    assert offer["fields"] == [{"name": "player", "kind": "player", "choices": [], "reasons": []}]
    assert {"code": "dice_taken", "say": "A player has the dice or is being offered them.", "clause": "3.2"} in offer[
        "against"
    ]


def test_a_program_reads_them_too(house: Running) -> None:
    with Client(house.url) as client:
        acts = client.acts(TWO_UP)
    send_out = next(act for act in acts.acts if act.id == "send_out")
    assert [field.kind for field in send_out.fields] == ["player", "reason"]
    assert acts.results["H T"] == "Odds"
    assert {ground.kind for ground in acts.voids} == {"void", "invalidates", "forfeits"}


def test_a_book_that_is_not_there_is_said_to_be_missing(house: Running) -> None:
    reply = house.nobody().get("/books/no-such-book/acts")
    assert (reply.status_code, reply.json()["code"]) == (404, "no_such_book")


def test_acts_and_grounds_are_for_those_whom_the_matrix_names(book: Acts) -> None:
    """The matrix was written separately from the books, and the house is compared with it entry by entry."""
    known = matrix.words(book.id)
    for act in book.acts:
        assert set(act.roles) == matrix.roles(known[act.id]), act.id
    for ground in book.voids:
        assert set(ground.roles) == matrix.roles(known[f"void {ground.clause}"]), ground.clause
    for command in book.commands:
        assert set(command.roles) == matrix.roles(known[command.do]), command.do
    assert {ground.clause for ground in book.voids} == {
        reason for reasons in matrix.VOIDS[book.id].values() for reason in reasons.split()
    }


def test_every_field_of_an_act_is_told_with_its_kind(book: Acts) -> None:
    clauses = SHELF.book(book.id).clauses
    for act in book.acts:
        named = {name for says in act.says for name in re.findall(r"\{(\w+)\}", says)}
        assert {field.name for field in act.fields} == named, act.id
        for field in act.fields:
            assert bool(field.reasons) == (field.kind == "reason"), (act.id, field.name)
            assert (field.kind == "wager") == (field.name in PICK_OF), (act.id, field.name)
            for reason in field.reasons:
                known = clauses.get(reason.reason)
                assert reason.summary == (None if known is None else known.summary), (act.id, reason.reason)
                assert known is not None or not re.match(r"\d", reason.reason), "what looks like a clause is one"
        assert all(against.say and against.code for against in act.against)


def test_what_staff_do_for_a_player_is_told_like_an_act(book: Acts) -> None:
    kinds = {"amount": "money", "player": "player", "wager": "wager"}
    for command in book.commands:
        told = (command.says, {field.name: field.kind for field in command.fields})
        verb = {"bet": "lays", "find": "finds"}.get(command.do)
        assert told == (([], {}) if verb is None else ([f"{verb} {{amount}} of {{player}} on {{wager}}"], kinds))


def test_every_ground_is_told_in_our_own_words_and_with_its_call(book: Acts) -> None:
    for ground in book.voids:
        assert ground.summary, ground.clause
        assert bool(ground.calls) == (ground.kind == "void"), ground.clause
    assert sum(ground.kind == "forfeits" for ground in book.voids) == (book.id != NEW_ZEALAND)


def test_grounds_say_whether_they_must_be_called_and_with_which_words() -> None:
    craps = {ground.clause: ground for ground in shown(SHELF, CRAPS).voids}
    assert craps["5.2.1"].calls == craps["5.3.1"].calls == ["no roll"]
    assert (craps["5.2.1"].mandatory, craps["5.3.1"].mandatory) == (False, True)
    assert (craps["10.5.1"].kind, craps["10.5.2"].kind) == ("invalidates", "forfeits")
    spins = {ground.clause: ground for ground in shown(SHELF, TWO_UP).voids}
    assert spins["7.1.1"].calls == ["no spin"]
    assert spins["7.3.1"].calls == ["no spin", "barred"]


def test_what_is_called_for_a_result_is_what_the_table_calls() -> None:
    assert shown(SHELF, CRAPS).results["4 3"] == "7"
    assert shown(SHELF, TWO_UP).results == {"H H": "Heads", "H T": "Odds", "T H": "Odds", "T T": "Tails"}
    sic_bo = shown(SHELF, SIC_BO)
    assert (len(sic_bo.results), sic_bo.results["6 5 1"], sic_bo.tumbles) == (216, "1 5 6, 12", 3)


def test_what_a_table_remembers_from_the_start_is_told(house: Running) -> None:
    """At Sic Bo the book itself provides the terminal, so the table need not record that it has one."""
    assert told(house, SIC_BO)["facts"]["fitted electronic equipment"] == "yes"
    assert told(house, NEW_ZEALAND)["facts"].get("set") is None, "there the dice are brought first"
    assert told(house, CRAPS)["facts"]["set"] == 5


def test_an_act_tells_what_stands_against_the_command_that_it_begins() -> None:
    throw = next(act for act in shown(SHELF, CRAPS).acts if act.id == "throw")
    assert {"not_the_shooter", "nobody_has_the_dice", "no_wager"} <= {against.code for against in throw.against}


def test_titles_say_which_roles_of_the_house_act_under_them() -> None:
    titles = {title.title: title for title in shown(SHELF, CRAPS).titles}
    assert titles["stickperson"].roles == ["dealer"]
    assert titles["boxperson"].roles == ["supervisor", "manager"], "a manager is a supervisor as well"
    assert titles["spectator"].roles == [], "nobody of the house is one"
    assert titles["casino supervisor"].rank > titles["stickperson"].rank


def test_the_felt_tells_who_runs_the_table_whom_to_offer_the_dice(house: Running) -> None:
    otto, dora, ann, ben = (house.person(name) for name in ("otto", "dora", "ann", "ben"))
    line = {"book": CRAPS, "dice": "manual"}
    assert otto.do("/tables", {"table": "by-hand", "title": "By hand", "line": line}).is_success
    for who in (ann, ben):
        assert who.do("/tables/by-hand/seat", {"chips": "50.00"}).is_success
    assert dora.do("/tables/by-hand/post", {"role": "dealer"}).is_success

    def following(who: Person) -> object:
        return who.get("/tables/by-hand/felt").json()["thrower"]["next"]

    assert (following(dora), following(ann), following(ben)) == ("ann", "ann", "another player")
    for who, said in ((dora, {"do": "offer", "player": "ann"}), (ann, {"do": "decline"})):
        assert who.do("/tables/by-hand/lines", {"line": said}).is_success
    assert following(dora) == "ben"


def test_where_the_dice_go_round_by_themselves_nobody_is_offered_them(house: Running) -> None:
    assert house.nobody().get(f"/tables/{CRAPS}/felt").json()["thrower"]["next"] is None
