"""What players are told that they can do now: as dice and coins go round, and nothing that would be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.views.console import own_acts
from croupier.house.views.table import show_felt
from croupier.house.views.visibility import Viewer
from croupier.rulebooks import ids
from tests.houses import SHELF, TestHouse

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nsw-2019"
DICE_BOOKS = (CRAPS, SNAKE_EYES)


class Evening:
    """Two players and a dealer at a table with staff."""

    def __init__(self, book: str, **sign: object) -> None:
        self.house = TestHouse()
        self.dora = self.house.person("dora", "dealer", cents=0, card=False)
        self.table = self.house.dealt_table(book, "dealt", **sign)
        for person in ("ann", "ben"):
            self.house.person(person, "player")
            self.house.ok(orders.Sit(table=self.table, cents=500_00), person)
        self.house.ok(orders.TakePost(table=self.table, role="dealer"), self.dora)

    def says(self, who: str, act: str, **said: object) -> None:
        reply = self.house.say(self.table, who, act, **said)
        assert reply["ok"], reply

    def lines(self, person: str | None) -> list[dict[str, Any]]:
        told = own_acts(self.house.house.shelf, self.house.house.table(self.table), person, self.house.at)
        return [msgspec.json.decode(msgspec.json.encode(one.line)) for one in told]

    def felt(self, look: Viewer) -> dict[str, Any]:
        house = self.house.house
        head = house.head(table_stream(self.table))
        told: dict[str, Any] = msgspec.to_builtins(
            show_felt(house.shelf, house.table(self.table), head, look, self.house.at)
        )
        return told

    def betting(self) -> object:
        return self.felt(Viewer("ann"))["betting"]

    def waiting(self) -> list[dict[str, Any]]:
        """What the table waits for the house to do, as it is sent to the dealer; players are not sent it."""
        assert "waiting" not in self.felt(Viewer("ann"))
        told = self.felt(Viewer("dora", all=True))["waiting"]
        assert isinstance(told, list)
        return told

    def may(self, person: str | None) -> set[str]:
        return {str(line["do"]) for line in self.lines(person)}


@pytest.mark.parametrize("book", DICE_BOOKS)
def test_dice_go_round_and_each_is_told_what_is_theirs(book: str) -> None:
    evening = Evening(book, dice="manual")
    wager = "win_line" if book == CRAPS else "field"
    assert (evening.may("ann"), evening.may("ben")) == (set(), set())
    evening.says("dora", "offer", player="ann")
    assert (evening.may("ann"), evening.may("ben")) == ({"accept", "decline"}, set())
    evening.says("ann", "decline")
    assert (evening.may("ann"), evening.may("ben")) == (set(), set())
    evening.says("dora", "offer", player="ben")
    evening.says("ben", "accept")
    assert (evening.may("ann"), evening.may("ben")) == (set(), {"choose", "pass"})
    evening.says("ben", "choose")
    assert evening.may("ben") == {"pass"}, "what is chosen is chosen, and without a wager nobody throws"
    evening.says("ben", "bet", wager=wager, amount="10.00")
    assert (evening.may("ann"), evening.may("ben")) == (set(), {"pass", "throw"})
    evening.says("ben", "throw")
    assert evening.may("ben") == set()
    evening.says("dora", "rest")
    assert (evening.may("ann"), evening.may("ben")) == ({"dispute_face"}, {"dispute_face"})


def test_coins_are_laid_on_the_kip_with_a_head_and_a_tail() -> None:
    evening = Evening(TWO_UP, dice="manual")
    evening.says("dora", "offer", player="ann")
    evening.says("ann", "accept")
    evening.says("ann", "choose")
    assert {"do": "place_coins", "faces": ["H", "T"]} in evening.lines("ann")
    evening.says("ann", "place_coins", faces="HT")
    assert "place_coins" not in evening.may("ann")


def test_every_line_told_is_taken_as_it_is() -> None:
    evening = Evening(TWO_UP, dice="manual")
    evening.says("dora", "offer", player="ann")
    for wanted in ("accept", "choose", "place_coins"):
        line = next(line for line in evening.lines("ann") if line["do"] == wanted)
        evening.says("ann", str(line.pop("do")), **line)


@pytest.mark.parametrize("person", [None, "cleo", "dora"])
def test_who_has_no_seat_is_told_nothing(person: str | None) -> None:
    evening = Evening(CRAPS, late=True)
    evening.says("ann", "bet", wager="win_line", amount="10.00")
    assert "throw" in evening.may("ann")
    assert evening.may(person) == set()


def test_where_the_dealer_throws_nobody_else_does() -> None:
    evening = Evening(SIC_BO)
    evening.says("ann", "bet", wager="small", amount="10.00")
    assert evening.may("ann") == set()


def test_at_a_table_that_runs_by_itself_its_clock_throws() -> None:
    house = TestHouse()
    house.person("ann", "player")
    table = house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), "ann")
    assert own_acts(house.house.shelf, house.house.table(table), "ann", house.at) == []


@pytest.mark.parametrize(("late", "in_the_air"), [(False, "closed"), (True, "late")])
def test_whether_wagers_are_taken_is_told_at_every_moment_of_a_throw(late: bool, in_the_air: str) -> None:
    evening = Evening(CRAPS, late=late)
    evening.says("ann", "bet", wager="win_line", amount="10.00")
    seen = [evening.betting()]
    evening.says("ann", "throw")
    seen.append(evening.betting())
    for act, said in (("rest", {}), ("call_result", {"faces": [3, 4]}), ("confirm_result", {})):
        evening.says("dora", act, **said)
        seen.append(evening.betting())
    assert seen == ["open", in_the_air, "closed", "closed", "open"]


def test_bets_that_were_called_closed_are_told_so() -> None:
    evening = Evening(SIC_BO)
    evening.says("ann", "bet", wager="small", amount="10.00")
    assert evening.betting() == "open"
    evening.says("dora", "no_more_bets")
    assert evening.betting() == "closed"


def test_a_late_wager_waits_and_the_line_that_is_told_confirms_it() -> None:
    evening = Evening(CRAPS, late=True)
    evening.says("ann", "bet", wager="win_line", amount="10.00")
    evening.says("ann", "throw")
    assert evening.waiting() == []
    evening.says("ben", "bet", wager="hardway", pick=8, amount="5.00")
    (late,) = evening.waiting()
    line = {"do": "confirm_late", "player": "ben", "wager": "hardway", "pick": 8}
    assert late == {"kind": "late", "amount": "5.00", "line": line, "words": "Confirm"}
    evening.says("dora", line.pop("do"), **line)  # type: ignore[arg-type]  # its first word is the act
    assert evening.waiting() == []


def test_a_spoken_wager_waits_and_the_line_that_is_told_lays_it() -> None:
    evening = Evening(SIC_BO)
    evening.says("ann", "declare_wager", wager="combination", pick=[2, 5], amount="5.00")
    (spoken,) = evening.waiting()
    line = {"do": "place_declared", "player": "ann", "wager": "combination", "pick": (2, 5)}
    assert spoken == {"kind": "spoken", "amount": "5.00", "line": line, "words": "Lay it"}
    evening.says("dora", line.pop("do"), **line)  # type: ignore[arg-type]  # its first word is the act
    assert evening.waiting() == []


def test_a_wager_called_on_waits_for_its_marker() -> None:
    evening = Evening(CRAPS, dice="manual")
    evening.says("ann", "bet", wager="hardway", pick=4, amount="5.00")
    evening.says("ann", "call", wager="hardway", pick=4, on=True)
    (called,) = evening.waiting()
    line = {"do": "mark_on", "player": "ann", "wager": "hardway", "pick": 4}
    assert called == {"kind": "called on", "amount": None, "line": line, "words": "Mark On"}
    evening.says("dora", line.pop("do"), **line)  # type: ignore[arg-type]  # its first word is the act
    assert evening.waiting() == []


@pytest.mark.parametrize("book", ids())
def test_every_act_of_the_game_that_is_a_players_is_offered_to_them(book: str) -> None:
    acts = [act for act in SHELF.book(book).conduct.acts if "player" in act.by and not act.aside]
    whole = {act.id for act in acts if [] in act.forms or ["faces"] in act.forms}
    assert {act.id for act in acts if act.own is not None} == whole


def test_what_is_offered_has_its_words_and_says_whether_the_game_goes_on() -> None:
    evening = Evening(TWO_UP, dice="manual")
    evening.says("dora", "offer", player="ann")
    house = evening.house.house
    told = own_acts(house.shelf, house.table(evening.table), "ann", evening.house.at)
    assert [(one["words"], one["goes_on"]) for one in told] == [
        ("Accept the coins", True),
        ("Decline the coins", False),
    ]


def test_with_electronic_dice_nobody_waits_for_a_player_to_throw() -> None:
    evening = Evening(CRAPS)
    evening.says("ann", "bet", wager="win_line", amount="10.00")
    assert evening.may("ann") == {"pass"}
