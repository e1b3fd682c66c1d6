"""Commands over the pipe that are refused because of a value in a field."""

from __future__ import annotations

import json

import pytest

from tests.talk import (
    BOOKS,
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


COMMAND_REFUSED: list[tuple[str, dict[str, object]]] = [
    ("seat", {"player": "cat"}),
    ("seat", {"chips": "10.00"}),
    ("seat", {"player": 7, "chips": "10.00"}),
    ("seat", {"player": None, "chips": "10.00"}),
    ("seat", {"player": ["cat"], "chips": "10.00"}),
    ("seat", {"player": "cat", "chips": 10}),
    ("bet", {"wager": "PLAIN", "amount": "10.00"}),
    ("bet", {"player": "ann", "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN"}),
    ("bet", {"player": "eve", "wager": "PLAIN", "amount": "10.00"}),
    ("bet", {"player": "Ann", "wager": "PLAIN", "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "roulette", "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": None, "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": {"a": 1}, "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "pick": 4, "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "pick": "", "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "pick": [], "amount": "10.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "amount": "0.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "amount": "100.01"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "amount": "101.00"}),
    ("bet", {"player": "ann", "wager": "PLAIN", "amount": "10.00", "at": "noon"}),
    ("take", {"player": "ann", "wager": "PLAIN", "amount": 1}),
    ("take", {"player": "ann"}),
    ("take", {"wager": "PLAIN"}),
    ("take", {"player": "eve", "wager": "PLAIN"}),
    ("void", {}),
    ("void", {"reason": None}),
    ("void", {"reason": 5.2}),
    ("void", {"reason": ""}),
    ("void", {"reason": "1.1"}),
    ("void", {"reason": "no roll"}),
    ("call", {"player": "ann", "wager": "PLAIN", "on": True}),
    ("deal", {}),
    ("", {}),
    ("ROLL", {"dice": [1, 2]}),
    ("wager_settled", {}),
]


@pytest.mark.parametrize(("verb", "fields"), COMMAND_REFUSED, ids=lambda value: json.dumps(value)[:60])
def test_a_missing_field_or_an_unknown_value_is_refused(
    book: str, talk: Talk, verb: str, fields: dict[str, object]
) -> None:
    talk.bet(PLAIN[book], "10.00")
    named = {name: PLAIN[book] if value == "PLAIN" else value for name, value in fields.items()}
    talk.no(verb, **named)
    assert settled(throw(talk, WINS[book])) == {PLAIN[book]: ("win", "10.00", "10.00", "20.00")}


BAD_THROWS: list[object] = [
    [],
    [1],
    [1, 2, 3, 4],
    [0, 1],
    [1, 7],
    [1, 7, 1],
    [-1, 2],
    [1, 2.5],
    ["1", "2"],
    ["1", "2", "3"],
    [True, True],
    [True, True, True],
    [None, None],
    [[1], [2]],
    [10**30, 1],
    "12",
    12,
    None,
    {"a": 1},
]


@pytest.mark.parametrize("dice", BAD_THROWS, ids=lambda dice: json.dumps(dice)[:40])
@pytest.mark.parametrize("book", [CRAPS, SIC_BO, SNAKE_NSW, SNAKE_NZ])
def test_dice_that_are_not_the_books_number_of_faces_are_refused(book: str, dice: object) -> None:
    talk = Talk(book, seats={"ann": "100.00"})
    talk.bet(PLAIN[book], "10.00")
    if book == SIC_BO:
        talk.do("no_more_bets")
    talk.no("roll", dice=dice)
    talk.no("roll")
    talk.no("roll", dice=[1, 2, 3] if book != SIC_BO else [1, 2])
    outcome = WINS[book]
    assert not isinstance(outcome, str)
    talk.roll(*outcome)
    assert talk.chips() == "110.00"


@pytest.mark.parametrize("coins", ["", "H", "hh", "HHH", "H T", "XY", "heads", ["H", "H"], 2, None, True], ids=repr)
def test_coins_other_than_the_four_pairs_are_refused(coins: object) -> None:
    talk = Talk(TWO_UP)
    talk.do("no_more_bets")
    talk.no("spin", coins=coins)
    talk.no("spin")
    talk.do("spin", coins="HT")


@pytest.mark.parametrize(
    ("book", "verb", "fields"),
    [
        (CRAPS, "no_more_bets", {}),
        (SNAKE_NSW, "no_more_bets", {}),
        (SNAKE_NZ, "no_more_bets", {}),
        (CRAPS, "spin", {"coins": "HH"}),
        (SIC_BO, "spin", {"coins": "HH"}),
        (SNAKE_NSW, "spin", {"coins": "HH"}),
        (TWO_UP, "roll", {"dice": [1, 2]}),
        (SIC_BO, "call", {"player": "ann", "wager": "big", "on": False}),
        (SNAKE_NZ, "call", {"player": "ann", "wager": "field", "on": False}),
    ],
)
def test_a_command_that_the_game_does_not_have_is_refused(book: str, verb: str, fields: dict[str, object]) -> None:
    Talk(book).no(verb, **fields)


def test_a_throw_with_no_player_and_no_wager_is_thrown_by_the_house(book: str) -> None:
    talk = Talk()
    talk.do("open", book=book)
    reply = throw(talk, WINS[book])
    assert (reply["chips"], reply["wagers"]) == ({}, [])
