"""Tables that wait: betting stays open until someone bets, and its time runs from then."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.house import orders
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import BetsShut, ClockSet, DiceDrawn, Rhythm
from croupier.store.records import Record
from tests.houses import SHELF, TestHouse
from tests.tables import BOOKS

RHYTHM = Rhythm(open=20, last_call=5, shut=1, show=5, waits=True)
FIRST = {
    "craps-nsw-2024": ("field", None),
    "sic-bo-nsw-2016": ("big", None),
    "two-up-nsw-2016": ("heads", None),
    "snake-eyes-nsw-2019": ("field", None),
    "snake-eyes-nz": ("field", None),
}


def seated(book: str) -> TestHouse:
    house = TestHouse()
    house.clock_table(book, rhythm=RHYTHM)
    house.person("ann")
    house.ok(orders.Sit(table="clock", cents=100_00), "ann")
    return house


def bet(house: TestHouse, book: str) -> None:
    wager, _ = FIRST[book]
    told = house.say("clock", "ann", "bet", wager=wager, amount="5.00")
    assert told["ok"], told


def findings(house: TestHouse) -> list[str]:
    records: list[Record] = house.store.read("table/clock")
    rules = SHELF.game(house.house.table("clock").game.terms[-1]).book.rules.throw
    verdict = verify_dice(b"".join(public_record("table/clock", rules, records)).splitlines(keepends=True))
    return [finding.sentence for finding in verdict.findings]


@pytest.mark.parametrize("book", BOOKS)
def test_without_a_bet_nothing_is_thrown_however_long(book: str) -> None:
    house = seated(book)
    house.wait(1)
    version = house.house.head("table/clock").version
    house.wait(24 * 3600)
    assert house.house.head("table/clock").version == version
    assert house.house.due() == []


@pytest.mark.parametrize("book", BOOKS)
def test_the_first_bet_after_a_wait_starts_the_clock(book: str) -> None:
    house = seated(book)
    house.wait(3600)
    bet(house, book)
    placed = house.at
    house.wait(19)
    assert not house.house.table("clock").is_shut
    house.wait(3)
    assert any(isinstance(event, DiceDrawn) for event in house.events("table/clock"))
    (clock,) = [event for event in house.events("table/clock") if isinstance(event, ClockSet)]
    assert clock.closes is not None
    assert clock.closes > placed.isoformat()
    assert findings(house) == []


def test_who_takes_the_only_bet_down_at_the_last_call_and_comes_back_later_has_time_again() -> None:
    house = seated("craps-nsw-2024")
    house.wait(2)
    bet(house, "craps-nsw-2024")
    house.wait(16)
    assert house.house.table("clock").round is not None
    assert house.say("clock", "ann", "take", wager="field")["ok"]
    house.wait(600)
    assert not house.house.table("clock").is_shut
    bet(house, "craps-nsw-2024")
    house.wait(19)
    assert not house.house.table("clock").is_shut
    house.wait(10)
    assert any(isinstance(event, BetsShut) for event in house.events("table/clock"))
    assert findings(house) == []


def test_a_table_that_waits_is_closed_all_the_same() -> None:
    house = seated("two-up-nsw-2016")
    house.person("mia", "manager")
    house.ok(orders.TakePost(table="clock", role="manager"), "mia")
    house.wait(100)
    closing = (house.at + timedelta(minutes=25)).isoformat()
    told = house.say("clock", "mia", "post_closing_sign", time=closing)
    assert told["ok"], told
    house.wait(30 * 60)
    told = house.say("clock", "mia", "close_table")
    assert told["ok"], told
    house.wait(5)
    assert house.house.table("clock").round is None
    assert findings(house) == []
