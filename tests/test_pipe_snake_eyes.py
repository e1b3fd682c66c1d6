"""Both Snake Eyes over the pipe: every wager on every total under every pay table, removal, void rolls."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.talk import SNAKE_NSW, SNAKE_NZ, Reply, Talk, clauses, settled

ALL = [(first, second) for first in range(1, 7) for second in range(1, 7)]
SNAKES = [SNAKE_NSW, SNAKE_NZ]
HARD = (4, 6, 8, 10)
NZ_DEFAULT: dict[str, object] = {
    "hardway": {"4": 7, "6": 9, "8": 9, "10": 7},
    "craps_two": 33,
    "craps_twelve": 33,
    "field": 1,
}

# Odds in halves, so that 7.5 to 1 is 15.
Odds = dict[str, int]
COMMON: Odds = {"hardway_combo": 8, "ce_combo": 8, "craps_two": 66, "any_seven": 8, "five": 2, "six": 2, "eight": 2}
ONE: Odds = {**COMMON, "hardway:4": 15, "hardway:6": 19, "hardway:8": 19, "hardway:10": 15} | {
    "craps_three": 32,
    "craps_twelve": 62,
    "eleven_in_one": 32,
    "field": 2,
    "field 2": 6,
    "field 12": 2,
}
TWO: Odds = (
    ONE
    | {"hardway:4": 14, "hardway:6": 18, "hardway:8": 18, "hardway:10": 14}
    | {
        "craps_three": 30,
        "eleven_in_one": 30,
        "field 12": 4,
    }
)
NZ: Odds = TWO | {"craps_twelve": 66}

TABLES: list[tuple[str, str, object, Odds]] = [
    (SNAKE_NSW, "default", None, ONE),
    (SNAKE_NSW, "one", "one", ONE),
    (SNAKE_NSW, "two", "two", TWO),
    (SNAKE_NZ, "default", None, NZ),
    (SNAKE_NZ, "empty", {}, NZ),
    (SNAKE_NZ, "as written", NZ_DEFAULT, NZ),
    (SNAKE_NZ, "one hardway", {"hardway": {"4": 6}}, NZ | {"hardway:4": 12}),
    (
        SNAKE_NZ,
        "lowest",
        {"hardway": {"4": 6, "6": 8, "8": 8, "10": 6}, "craps_two": 30, "craps_twelve": 30, "field": 2},
        NZ
        | {"hardway:4": 12, "hardway:6": 16, "hardway:8": 16, "hardway:10": 12, "craps_two": 60, "craps_twelve": 60}
        | {"field 2": 4},
    ),
    (
        SNAKE_NZ,
        "mixed",
        {"hardway": {"10": 6, "6": 8}, "craps_two": 31, "craps_twelve": 32, "field": 3},
        NZ | {"hardway:10": 12, "hardway:6": 16, "craps_two": 62, "craps_twelve": 64, "field 12": 2},
    ),
]
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
ONE_ROLL = {
    "ce_combo": (2, 3, 11, 12),
    "craps_two": (2,),
    "craps_three": (3,),
    "craps_twelve": (12,),
    "eleven_in_one": (11,),
    "any_seven": (7,),
    "field": (2, 3, 4, 9, 10, 11, 12),
}
CLAUSES = {
    SNAKE_NSW: {"hardway": "6.1.1", "hardway_combo": "6.1.2", "craps_two": "6.1.3", "craps_three": "6.1.4"}
    | {"craps_twelve": "6.1.5", "eleven_in_one": "6.1.6", "field": "6.1.7", "any_seven": "6.1.8", "five": "6.1.9"}
    | {"six": "6.1.10", "eight": "6.1.11", "ce_combo": "6.1.12"},
    SNAKE_NZ: {"hardway": "4.1(a)", "hardway_combo": "4.1(b)", "five": "4.1(c)", "six": "4.1(d)", "eight": "4.1(e)"}
    | {"field": "4.1(f)", "any_seven": "4.1(g)", "ce_combo": "4.1(h)", "craps_two": "4.1(i)", "craps_three": "4.1(j)"}
    | {"craps_twelve": "4.1(k)", "eleven_in_one": "4.1(l)"},
}


def decided(name: str, dice: tuple[int, int]) -> str | None:
    total, hard = sum(dice), dice[0] == dice[1]
    wager, _, pick = name.partition(":")
    if wager in ONE_ROLL:
        return "win" if total in ONE_ROLL[wager] else "lose"
    if total == 7:
        return "lose"
    if wager in ("five", "six", "eight"):
        return "win" if total == {"five": 5, "six": 6, "eight": 8}[wager] else None
    numbers = HARD if wager == "hardway_combo" else (int(pick),)
    return None if total not in numbers else "win" if hard else "lose"


@pytest.mark.clause(SNAKE_NSW, *[f"6.1.{limb}" for limb in range(1, 13)], "8.1")
@pytest.mark.clause(SNAKE_NZ, *[f"4.1({letter})(i)" for letter in "abcdefghijkl"], "4.2", "4.9", "4.10")
@pytest.mark.clause(SNAKE_NZ, *[f"4.1({letter})(ii)" for letter in "abcdefghijkl"])
@pytest.mark.parametrize(("book", "label", "pay_table", "odds"), TABLES, ids=[f"{row[0]}-{row[1]}" for row in TABLES])
def test_every_roll_decides_every_wager_as_the_pay_table_says(
    book: str, label: str, pay_table: object, odds: Odds
) -> None:
    fields: dict[str, object] = {} if pay_table is None else {"pay_table": pay_table}
    for dice in ALL:
        talk = Talk(book, **fields)
        for name in WAGERS:
            talk.bet(name, "4.00")
        reply = talk.roll(*dice)
        found = settled(reply)
        for name in WAGERS:
            result = decided(name, dice)
            if result is None:
                assert name not in found
                assert talk.standing()[name] == "4.00"
                continue
            rate = odds.get(f"{name} {sum(dice)}", odds[name]) if result == "win" else 0
            money = (f"{2 * rate}.00", f"{2 * rate + 4}.00") if rate else ("0.00", "0.00")
            assert found[name] == (result, "4.00", *money), (label, name, dice)
            assert clauses(reply)[name].startswith((CLAUSES[book][name.partition(":")[0]], "4.9", "8.1"))


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
    """Who threw: the contract does not name this field, the program shows it as `by`."""
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
