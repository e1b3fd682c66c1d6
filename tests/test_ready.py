"""Roll when ready: who delays the throw, what withdraws readiness, and what the public record shows of it.

Bets are closed before any throw, by a call where the book has one (Sic Bo 5.2, Two-Up 6.3); no book says how long
betting is open. So the players may have it closed, and the house may not: each of them is asked, and the record shows
it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from croupier.house import orders
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import Verdict, verify_dice
from croupier.house.events import BetsShut, ClockSet, DiceDrawn, LastCalled, PlayerReady, Rhythm
from croupier.table.events import BetsClosed
from tests.electronic import own_commitment, own_number
from tests.houses import SHELF, TestHouse
from tests.tables import BOOKS

TABLE, STREAM = "clock", "table/clock"
RHYTHM = Rhythm(open=20, last_call=5, shut=0.5, show=3.5, waits=True)
FIRST = {
    "craps-nsw-2024": "field",
    "sic-bo-nsw-2016": "big",
    "two-up-nsw-2016": "heads",
    "snake-eyes-nsw-2019": "field",
    "snake-eyes-nz": "field",
}


class Night:
    """An automatic table with some players, who send numbers as pages do."""

    def __init__(
        self, book: str = "craps-nsw-2024", players: tuple[str, ...] = ("ann", "ben", "cai"), seed: str = "seed"
    ) -> None:
        self.house = TestHouse(seed=seed)
        self.book = book
        self.house.clock_table(book, TABLE, RHYTHM)
        for who in players:
            self.house.person(who)
            self.house.ok(orders.Sit(table=TABLE, cents=500_00), who)
        self.house.wait(1)

    @property
    def round(self) -> int:
        return self.house.house.table(TABLE).rounds

    def is_shut(self) -> bool:
        return self.house.house.table(TABLE).is_shut

    def bet(self, who: str, wager: str | None = None, *, number: bool = True) -> None:
        line = {"do": "bet", "wager": wager or FIRST[self.book], "amount": "10.00"}
        more: dict[str, Any] = {"number": own_commitment(TABLE, who, self.round)} if number else {}
        self.house.ok(orders.Say(table=TABLE, line=line, round=self.round, **more), who)

    def ready(self, who: str, **more: Any) -> None:  # noqa: ANN401
        self.house.ok(orders.SayReady(table=TABLE, round=self.round, **more), who)

    def refused(self, who: str, **more: Any) -> str:  # noqa: ANN401
        return self.house.refused(orders.SayReady(table=TABLE, round=more.pop("round", self.round), **more), who)

    def show(self, *players: str) -> None:
        for who in players:
            number = own_number(who, self.round).hex()
            self.house.ok(orders.ShowNumber(table=TABLE, round=self.round, number=number), who)

    def all_of(self, kind: type) -> list[Any]:
        return [event for event in self.house.events(STREAM) if isinstance(event, kind)]

    def verdict(self) -> Verdict:
        rules = SHELF.book(self.book).rules.throw
        return verify_dice(public_record(STREAM, rules, self.house.store.read(STREAM)))


@pytest.mark.clause("sic-bo-nsw-2016", "5.2")
@pytest.mark.clause("two-up-nsw-2016", "6.3")
@pytest.mark.parametrize("book", BOOKS)
def test_bets_are_shut_when_the_only_player_is_ready(book: str) -> None:
    night = Night(book)
    night.bet("ann")
    assert not night.is_shut()
    night.ready("ann")
    night.house.wait(0)
    assert night.is_shut()
    night.show("ann")
    night.house.wait(0.5)
    (shut,) = night.all_of(BetsShut)
    (drawn,) = night.all_of(DiceDrawn)
    assert shut.ready == (1,)
    assert drawn.numbers == (own_number("ann", 1).hex(),)
    assert night.all_of(LastCalled) == []
    has_a_call = SHELF.book(book).rules.betting is not None  # and the house makes it, however the bets are shut
    assert len(night.all_of(BetsClosed)) == has_a_call
    assert (night.verdict().findings, night.verdict().early) == ((), 1)


def test_each_player_with_chips_down_is_asked_and_nobody_else() -> None:
    night = Night()
    night.bet("ann")
    night.bet("ben")
    night.ready("ann")
    night.house.wait(10)
    assert not night.is_shut()
    night.ready("ben")  # cai sits at the table, and has bet nothing
    night.house.wait(0)
    assert night.is_shut()
    assert night.all_of(BetsShut)[0].ready == (1, 2)


def test_the_clock_shuts_the_bets_for_those_who_are_not_ready() -> None:
    night = Night()
    night.bet("ann")
    night.bet("ben")
    night.ready("ann")
    night.house.wait(20)
    assert night.is_shut()
    assert night.all_of(BetsShut)[0].ready == ()
    night.house.wait(3)
    assert (night.verdict().findings, night.verdict().early) == ((), 0)


@pytest.mark.parametrize("change", ["bet", "take", "call"])
def test_a_change_of_ones_own_wager_takes_readiness_back(change: str) -> None:
    night = Night()
    hard_six = {"do": "bet", "wager": "hardway", "pick": 6, "amount": "10.00"}
    night.house.ok(orders.Say(table=TABLE, line=hard_six), "ann")
    night.bet("ben")
    night.ready("ann")
    line: dict[str, Any] = {"do": change, "wager": "hardway", "pick": 6}
    line |= {"on": False} if change == "call" else {"amount": "5.00"}
    night.house.ok(orders.Say(table=TABLE, line=line), "ann")
    assert [event.ready for event in night.all_of(PlayerReady)] == [True, False]
    night.ready("ben")
    night.house.wait(5)
    assert not night.is_shut()
    night.ready("ann")
    night.house.wait(0)
    assert night.is_shut()
    assert night.verdict().findings == ()


def test_a_wager_of_another_player_changes_nothing() -> None:
    night = Night()
    night.bet("ann")
    night.bet("ben")
    night.ready("ann")
    night.bet("ben", "any_seven")
    assert [event.ready for event in night.all_of(PlayerReady)] == [True]


def test_readiness_can_be_taken_back_and_said_twice() -> None:
    night = Night()
    night.bet("ann")
    night.bet("ben")
    night.ready("ann")
    night.ready("ann")
    night.ready("ann", ready=False)
    night.ready("ann", ready=False)
    assert [event.ready for event in night.all_of(PlayerReady)] == [True, False]


def test_who_takes_the_last_wager_down_holds_nobody_up() -> None:
    """Their number is in the round, so the record has to show that they were not passed over."""
    night = Night()
    night.bet("ann")
    night.bet("ben")
    night.ready("ben")
    night.house.ok(orders.Say(table=TABLE, line={"do": "take", "wager": "field"}), "ann")
    night.house.wait(0)
    assert night.is_shut()
    assert [(event.player, event.ready) for event in night.all_of(PlayerReady)] == [("ben", True), ("ann", True)]
    assert night.verdict().findings == ()


def test_readiness_carries_the_number_for_wagers_that_stand() -> None:
    night = Night()
    night.bet("ann", "win_line", number=False)
    told = night.house.ok(
        orders.SayReady(table=TABLE, round=1, number=own_commitment(TABLE, "ann", 1)),
        "ann",
    )
    assert told["number"] == own_commitment(TABLE, "ann", 1)
    night.house.wait(0)
    assert night.all_of(BetsShut)[0].numbers == (own_commitment(TABLE, "ann", 1),)
    assert night.verdict().findings == ()


def test_a_player_with_a_number_in_the_round_before_has_time_for_the_next() -> None:
    """A house that could close the bets at once could choose which numbers arrive in time."""
    night = Night()
    for who in ("ann", "ben"):
        night.bet(who)
        night.ready(who)
    night.house.wait(0)
    night.show("ann", "ben")
    night.house.until(lambda: night.round == 2)
    opened = night.house.house.table(TABLE).round.opened  # type: ignore[union-attr]
    night.bet("ann")
    night.ready("ann")
    night.house.wait(0.5)
    assert not night.is_shut()
    night.house.at = opened + timedelta(seconds=2)
    night.house.wait(0)
    assert night.is_shut()
    assert night.verdict().findings == ()


def test_an_absent_player_holds_nobody_up_unless_their_number_is_in() -> None:
    night = Night(seed="a point")
    night.bet("ann", "win_line")
    night.bet("ben", "win_line")
    night.house.ok(orders.NotePresence(table=TABLE, person="ben", here=False))
    night.ready("ann")
    night.house.wait(1)
    assert not night.is_shut()  # what ben put in stands in the record: the clock decides
    night.house.until(lambda: night.round == 2, most=60)
    assert ["ben" in stakes for stakes in night.house.house.table(TABLE).game.layout.values()] == [True]  # a point
    night.ready("ann", number=own_commitment(TABLE, "ann", 2))
    night.house.wait(3)
    assert [shut.ready for shut in night.all_of(BetsShut)] == [(), (1,)]
    assert night.verdict().findings == ()


# Refusals


def test_who_may_say_it_and_when() -> None:
    night = Night()
    night.house.person("zoe")
    assert night.refused("zoe") == "not_at_table"
    assert night.refused("ann") == "no_wager"
    night.bet("ann")
    assert night.refused("ann", round=7) == "round_over"
    assert night.refused("ann", number="none") == "bad_number"
    night.ready("ann")
    night.house.wait(0)
    assert night.refused("ann") == "bets_shut"


def test_at_a_table_with_a_dealer_nobody_is_asked() -> None:
    house = TestHouse()
    house.dealt_table("craps-nsw-2024")
    house.person("ann")
    house.ok(orders.Sit(table="dealt", cents=100_00), "ann")
    assert house.refused(orders.SayReady(table="dealt", round=1), "ann") == "run_by_people"


def test_after_odds_there_is_nothing_to_be_ready_for_and_no_last_call() -> None:
    night = Night("two-up-nsw-2016", ("ann",))
    for _ in range(40):
        if night.house.house.table(TABLE).game.layout:
            break
        night.bet("ann", number=False)
        night.ready("ann")
        night.house.wait(4)
    while (current := night.house.house.table(TABLE).round) is None or not current.brief:
        night.house.wait(0.25)
        if not night.house.house.table(TABLE).game.layout:
            night.house.until(lambda: night.house.house.table(TABLE).round is not None)
            night.bet("ann", number=False)
            night.ready("ann")
    assert night.refused("ann") == "bets_shut"
    night.house.at += timedelta(minutes=5)  # the house was away
    night.house.wait(30)
    assert night.all_of(LastCalled) == []
    assert night.verdict().findings == ()


# The time for betting


@pytest.mark.parametrize("read_for", [0, 3, 14, 16, 19.9, 20.1, 23, 3600])
@pytest.mark.parametrize("book", BOOKS)
def test_the_whole_time_runs_from_the_first_bet(book: str, read_for: float) -> None:
    night = Night(book)
    night.house.wait(read_for)
    night.bet("ann")
    bet_at = night.house.at
    night.house.wait(19.9)
    assert not night.is_shut()
    night.house.wait(0.2)
    assert night.is_shut()
    (clock,) = night.all_of(ClockSet)
    assert clock.closes == (bet_at + timedelta(seconds=20)).isoformat(timespec="microseconds").replace("+00:00", "Z")
    night.house.wait(5)
    assert night.verdict().findings == ()


def test_wagers_that_stand_need_no_first_bet() -> None:
    night = Night()
    night.bet("ann", "win_line")
    while night.round == 1 or night.house.house.table(TABLE).round is None:
        night.house.wait(1)
    if night.house.house.table(TABLE).game.layout:
        assert not night.house.house.table(TABLE).round.waits  # type: ignore[union-attr]


def test_bets_that_are_all_taken_down_stop_the_clock() -> None:
    night = Night()
    night.bet("ann")
    night.house.wait(10)
    night.house.ok(orders.Say(table=TABLE, line={"do": "take", "wager": "field"}), "ann")
    night.house.wait(300)
    assert [event.closes is None for event in night.all_of(ClockSet)] == [False, True]
    night.bet("ann")
    night.house.wait(19.9)
    assert not night.is_shut()
    night.house.wait(0.2)
    assert night.is_shut()
    night.house.wait(5)
    assert night.verdict().findings == ()
