"""The pipe as another program sees it: the shape of a reply, the commands, what is refused."""

from __future__ import annotations

import json

import pytest

from tests.talk import (
    BOOKS,
    CLOSED_BOOKS,
    CRAPS,
    PLAIN,
    SIC_BO,
    SNAKE_NSW,
    SNAKE_NZ,
    TWO_UP,
    WINS,
    Talk,
    settled,
    throw,
)


@pytest.fixture(params=BOOKS)
def book(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def talk(book: str) -> Talk:
    return Talk(book, seats={"ann": "100.00", "bob": "50.00"})


def test_the_contracts_own_example_pays_the_line_and_the_money_behind_it() -> None:
    talk = Talk()
    lines = [
        '{"do":"open","book":"craps-nsw-2024","chip":"1.00"}',
        '{"do":"seat","player":"ann","chips":"1000.00"}',
        '{"do":"bet","player":"ann","wager":"win_line","amount":"10.00"}',
        '{"do":"roll","dice":[3,3]}',
        '{"do":"bet","player":"ann","wager":"behind_win_line","amount":"20.00"}',
        '{"do":"roll","dice":[4,2]}',
    ]
    replies = [talk.send(line.encode()) for line in lines]
    assert all(reply["ok"] for reply in replies)
    assert [reply["chips"].get("ann") for reply in replies] == [
        None,
        "1000.00",
        "990.00",
        "990.00",
        "970.00",
        "1034.00",
    ]
    assert [reply["puck"] for reply in replies] == [None, None, None, 6, 6, None]
    assert settled(replies[-1]) == {
        "win_line": ("win", "10.00", "10.00", "20.00"),
        "behind_win_line": ("win", "20.00", "24.00", "44.00"),
    }
    assert replies[4]["wagers"][1] == {
        "player": "ann",
        "wager": "behind_win_line",
        "pick": None,
        "amount": "20.00",
        "on": True,
    }


def test_a_plain_wager_wins_one_to_one_and_comes_off_the_layout(book: str, talk: Talk) -> None:
    wager = PLAIN[book]
    assert talk.bet(wager, "10.00")["chips"] == {"ann": "90.00", "bob": "50.00"}
    assert talk.standing() == {wager: "10.00"}
    assert settled(throw(talk, WINS[book])) == {wager: ("win", "10.00", "10.00", "20.00")}
    assert talk.last["wagers"] == []
    assert talk.last["chips"] == {"ann": "110.00", "bob": "50.00"}


def test_a_second_bet_adds_to_the_first_and_a_take_reduces_or_removes(book: str, talk: Talk) -> None:
    wager = PLAIN[book]
    talk.bet(wager, "10.00")
    talk.bet(wager, "5.00")
    assert talk.standing() == {wager: "15.00"}
    talk.take(wager, "4.00")
    assert (talk.standing(), talk.chips()) == ({wager: "11.00"}, "89.00")
    talk.no_take(wager, "12.00")
    talk.no_take(wager, player="bob")
    talk.take(wager)
    assert (talk.standing(), talk.chips()) == ({}, "100.00")
    talk.no_take(wager)


def test_only_craps_replies_carry_a_puck_and_on(book: str, talk: Talk) -> None:
    reply = talk.bet(PLAIN[book], "10.00")
    assert ("puck" in reply) == (book == CRAPS)
    assert ("on" in reply["wagers"][0]) == (book == CRAPS)


@pytest.mark.parametrize("verb", ["seat", "bet", "take", "call", "no_more_bets", "roll", "spin", "void"])
def test_a_command_before_open_is_refused_and_the_table_may_still_open(verb: str) -> None:
    talk = Talk()
    fields: dict[str, object] = {"player": "ann", "chips": "1.00", "wager": "field", "amount": "1.00", "on": True}
    reply = talk.no(verb, **fields, dice=[1, 2], coins="HH", reason="5.2.1")
    assert (reply["chips"], reply["wagers"]) == ({}, [])
    talk.do("open", book=CRAPS)
    talk.do("seat", player="ann", chips="1.00")


def test_a_second_open_and_a_second_seat_for_a_player_are_refused(book: str, talk: Talk) -> None:
    talk.no("open", book=book)
    talk.no("open", book=SIC_BO if book == CRAPS else CRAPS)
    talk.no("seat", player="ann", chips="1.00")
    talk.no("seat", player="ann", chips="100.00")
    talk.do("seat", player="cat", chips="7.00")
    assert talk.last["chips"] == {"ann": "100.00", "bob": "50.00", "cat": "7.00"}


OPEN_REFUSED: list[dict[str, object]] = [
    {},
    {"book": "craps"},
    {"book": None},
    {"book": 3},
    {"book": ["craps-nsw-2024"]},
    {"book": "../craps-nsw-2024"},
    {"book": CRAPS, "chip": "0.00"},
    {"book": CRAPS, "chip": 1},
    {"book": CRAPS, "chip": "1"},
    {"book": CRAPS, "min": 5},
    {"book": CRAPS, "min": "-5.00"},
    {"book": CRAPS, "max": "lots"},
    {"book": CRAPS, "max": 100.0},
    {"book": CRAPS, "units": "some"},
    {"book": CRAPS, "units": True},
    {"book": CRAPS, "dice": "loaded"},
    {"book": CRAPS, "dice": 2},
    {"book": SIC_BO, "super_streak": 10},
    {"book": SIC_BO, "super_streak": "ten"},
    {"book": SNAKE_NSW, "pay_table": "three"},
    {"book": SNAKE_NSW, "pay_table": 1},
    {"book": SNAKE_NSW, "pay_table": {"field": 1}},
    {"book": SNAKE_NZ, "pay_table": "one"},
    {"book": SNAKE_NZ, "pay_table": ["field"]},
    {"book": CRAPS, "at": "yesterday"},
    {"book": CRAPS, "at": 5},
]


@pytest.mark.parametrize("fields", OPEN_REFUSED, ids=lambda fields: json.dumps(fields)[:60])
def test_an_unknown_value_of_a_field_of_open_is_refused_and_leaves_no_table(fields: dict[str, object]) -> None:
    talk = Talk()
    talk.no("open", **fields)
    talk.no("seat", player="ann", chips="1.00")
    talk.do("open", book=CRAPS)


@pytest.mark.parametrize(
    "fields",
    [
        {"chip": "0.01"},
        {"chip": "2.50", "min": "5.00", "max": "500.00"},
        {"units": "any"},
        {"units": "exact"},
        {"dice": "auto"},
        {"colour": "green", "doo": [1, {}], "": None},
        {"at": "2026-11-15T03:01:00Z"},
        {"at": "2026-11-15T03:01:00+10:00"},
        {"at": "2026-11-15"},
    ],
    ids=json.dumps,
)
def test_open_takes_its_optional_fields_and_ignores_unknown_ones(book: str, fields: dict[str, object]) -> None:
    assert Talk(book, **fields).chips() == "100000.00"


def test_with_manual_dice_nobody_throws_who_does_not_have_them(book: str) -> None:
    talk = Talk(book, dice="manual")
    if book == SIC_BO:  # there are none to hand round; the tumbler must have tumbled instead
        talk.do("no_more_bets")
        assert talk.do("roll", dice=[1, 2, 4])["events"][0]["type"] == "throw_voided"
        return
    refused = talk.no("spin", coins="HH") if book == TWO_UP else talk.no("roll", dice=[1, 2])
    assert refused["code"] == "nobody_has_the_dice"


def test_unknown_fields_are_ignored_and_any_command_may_carry_at(book: str) -> None:
    more = {"at": "2026-11-15T20:00:00+10:00", "note": "x", "deep": {"do": "open", "ok": [None, 1.5e300]}}
    talk = Talk()
    talk.do("open", book=book, **more)
    talk.do("seat", player="ann", chips="100.00", **more)
    talk.do("bet", player="ann", wager=PLAIN[book], amount="10.00", **more)
    talk.do("take", player="ann", wager=PLAIN[book], amount="5.00", **more)
    if book in CLOSED_BOOKS:
        talk.do("no_more_bets", **more)
    outcome = WINS[book]
    talk.do("spin", coins=outcome, **more) if book == TWO_UP else talk.do("roll", dice=list(outcome), **more)
    assert talk.chips() == "105.00"
