"""Both Snake Eyes over the pipe: permitted pay tables, picks, taking wagers down, void rolls, who throws."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.talk import SNAKE_NSW, SNAKE_NZ, Reply, Talk, settled

SNAKES = [SNAKE_NSW, SNAKE_NZ]
HARD = (4, 6, 8, 10)
WAGERS = [
    *[f"hardway:{pick}" for pick in HARD],
    "hardway_combo",
    "ce_combo",
    "craps_two",
    "craps_three",
    "craps_twelve",
    "eleven_in_one",
    "any_seven",
    "field",
    "five",
    "six",
    "eight",
]


NZ_REFUSED: list[object] = [
    {"hardway": {"4": 5}},
    {"hardway": {"4": 8}},
    {"hardway": {"4": 9}},
    {"hardway": {"6": 7}},
    {"hardway": {"8": 10}},
    {"hardway": {"10": 7.5}},
    {"hardway": {"4": True}},
    {"hardway": {"5": 7}},
    {"hardway": 7},
    {"hardway": []},
    {"hardway": {"4": None}},
    {"craps_two": 29},
    {"craps_two": 34},
    {"craps_two": -33},
    {"craps_twelve": 35},
    {"craps_twelve": 0},
    {"craps_twelve": [33]},
    {"field": 0},
    {"field": 4},
    {"field": True},
    {"field": {"2": 2, "12": 1}},
    {"field": 1.5},
    {"craps_two": 33, "field": 9},
    {"field": 10**30},
]


@pytest.mark.clause(SNAKE_NZ, "4.9", "4.10")
@pytest.mark.parametrize("pay_table", NZ_REFUSED, ids=json.dumps)
def test_odds_that_the_new_zealand_book_does_not_permit_are_refused(pay_table: object) -> None:
    talk = Talk()
    talk.no("open", book=SNAKE_NZ, pay_table=pay_table)
    talk.do("open", book=SNAKE_NZ)


@pytest.mark.parametrize("pay_table", [{"hardway": {"4": "7"}}, {"craps_two": "33"}, {"field": "1"}], ids=json.dumps)
def test_odds_displayed_are_numbers_and_not_strings(pay_table: object) -> None:
    Talk().no("open", book=SNAKE_NZ, pay_table=pay_table)


@pytest.mark.clause(SNAKE_NZ, "4.10")
def test_every_permitted_display_opens_a_table() -> None:
    sixes: list[dict[str, object]] = [
        {"hardway": {"4": four, "6": six, "8": eight, "10": ten}}
        for four, six, eight, ten in itertools.product((6, 7), (8, 9), (8, 9), (6, 7))
    ]
    crapses = [{"craps_two": two, "craps_twelve": 63 - two} for two in range(30, 34)]
    for display in [*sixes, *crapses, *[{"field": option} for option in (1, 2, 3)]]:
        Talk(SNAKE_NZ, pay_table=display)


@pytest.mark.parametrize("book", SNAKES)
@pytest.mark.parametrize("pick", [None, 2, 3, 5, 7, 12, "4", "hard 4", True, [4], 6.5])
def test_a_hardway_is_on_4_6_8_or_10(book: str, pick: object) -> None:
    Talk(book).no("bet", player="ann", wager="hardway", pick=pick, amount="4.00")


@pytest.mark.parametrize("book", SNAKES)
@pytest.mark.parametrize("name", [name for name in WAGERS if ":" not in name])
def test_a_pick_for_a_wager_that_has_none_is_refused(book: str, name: str) -> None:
    talk = Talk(book)
    talk.no("bet", player="ann", wager=name, pick=6, amount="4.00")
    talk.bet(name, "4.00")
    assert talk.last["wagers"] == [{"player": "ann", "wager": name, "pick": None, "amount": "4.00"}]


@pytest.mark.clause(SNAKE_NSW, "6.4")
@pytest.mark.clause(SNAKE_NZ, "4.7")
@pytest.mark.parametrize("book", SNAKES)
def test_any_wager_may_be_reduced_or_removed_before_any_roll(book: str) -> None:
    talk = Talk(book)
    for name in ("hardway:8", "six", "hardway_combo"):
        talk.bet(name, "10.00")
    talk.roll(1, 1)
    for name in ("hardway:8", "six", "hardway_combo"):
        talk.take(name, "4.00")
        talk.bet(name, "1.00")
        talk.take(name)
    assert talk.chips() == "100000.00"


NO_ROLL = [
    *[(SNAKE_NSW, f"5.2.{limb}") for limb in range(1, 5)],
    *[(SNAKE_NSW, f"5.3.{limb}") for limb in range(1, 9)],
    *[(SNAKE_NZ, f"6.3({letter})") for letter in "abcdefgh"],
    *[(SNAKE_NZ, f"6.4({letter})") for letter in "abcd"],
    (SNAKE_NZ, "6.2"),  # in a dispute over the uppermost face the supervisor may declare the Roll Void
]


@pytest.mark.clause(
    SNAKE_NSW, "5.1", *[f"5.2.{limb}" for limb in range(1, 5)], *[f"5.3.{limb}" for limb in range(1, 9)]
)
@pytest.mark.clause(SNAKE_NZ, *[f"6.3({letter})" for letter in "abcdefgh"], *[f"6.4({letter})" for letter in "abcd"])
@pytest.mark.parametrize(("book", "reason"), NO_ROLL)
def test_a_no_roll_never_happened_and_all_wagers_stand(book: str, reason: str) -> None:
    talk = Talk(book)
    for name in WAGERS:
        talk.bet(name, "4.00")
    before = talk.last["chips"]
    reply = talk.do("void", reason=reason)
    assert (settled(reply), reply["chips"]) == ({}, before)
    assert talk.standing() == dict.fromkeys(WAGERS, "4.00")
    talk.take("field", "2.00")
    assert settled(talk.roll(2, 1))["field"][:2] == ("win", "2.00")


@pytest.mark.parametrize(
    ("book", "reason"),
    [
        *[(SNAKE_NSW, reason) for reason in ("5.2.5", "5.3.9", "5.4", "6.3(a)", "8.1", "7.1.1", "9.3.1", "9.5", "3.4")],
        # The letters are those intended, not those that the document prints.
        *[(SNAKE_NZ, f"6.3({letters})") for letters in ("aw", "bc", "bd", "i", "A", "")],
        *[(SNAKE_NZ, reason) for reason in ("6.4(be)", "6.4(e)", "6.6(a)", "6.7", "5.2.1", "5.3.1", "4.8", "6.9")],
    ],
)
def test_a_clause_under_which_the_book_voids_nothing_is_refused(book: str, reason: str) -> None:
    Talk(book).no("void", reason=reason)


def thrower(reply: Reply) -> object:
    """The thrower: the contract does not name this field, the program prints it as `by`."""
    return next(event["by"] for event in reply["events"] if event["type"] == "thrown")


@pytest.mark.clause(SNAKE_NSW, "3.2", "3.7.1", "3.8.1", "3.8.2", "4.1")
@pytest.mark.clause(SNAKE_NZ, "5.4", "5.7(a)", "5.9(a)", "5.9(b)")
@pytest.mark.parametrize("book", SNAKES)
def test_the_dice_go_clockwise_to_the_next_seat_with_any_wager_after_a_seven(book: str) -> None:
    talk = Talk(book, seats=dict.fromkeys(("ann", "bob", "cat"), "100.00"))
    assert thrower(talk.roll(1, 2)) is None
    for player in ("ann", "bob", "cat"):
        talk.bet("five", "1.00", player=player)
    assert thrower(talk.roll(1, 2)) == "ann"
    assert thrower(talk.roll(3, 4)) == "ann"
    talk.bet("five", "1.00", player="cat")
    talk.bet("five", "1.00", player="ann")
    assert thrower(talk.roll(3, 4)) == "cat"  # bob, to the left of ann, has no wager
    talk.bet("five", "1.00", player="bob")
    talk.bet("five", "1.00", player="cat")
    assert thrower(talk.roll(1, 1)) == "bob"  # ann, to the left of cat, has none


@pytest.mark.parametrize("book", SNAKES)
def test_a_card_is_ignored_in_snake_eyes(book: str) -> None:
    talk = Talk(book)
    talk.do("seat", player="eve", chips="10.00", card=False)
    talk.bet("field", "10.00", player="eve")
