"""What a player is told that they could do now: as dice and coins go round, and nothing that would be refused."""

from __future__ import annotations

import pytest

from croupier.house import orders
from croupier.house.felts import show_felt
from croupier.house.own_acts import own_acts
from croupier.house.showing import Eyes
from croupier.house.streams import table_stream
from croupier.table.telling import Told
from tests.houses import TestHouse

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nsw-2019"
DICE_BOOKS = (CRAPS, SNAKE_EYES)


class Evening:
    """Two players and a dealer at a table that people run."""

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

    def lines(self, person: str | None) -> list[Told]:
        return own_acts(self.house.house.shelf, self.house.house.table(self.table), person, self.house.at)

    def betting(self) -> object:
        house = self.house.house
        head = house.head(table_stream(self.table))
        return show_felt(house.shelf, house.table(self.table), head, Eyes("ann"), self.house.at)["betting"]

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
    evening = Evening(CRAPS)
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
