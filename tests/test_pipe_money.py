"""Money over the pipe: its form, chips, limits, rounding up, commission, minimum units."""

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
    Talk,
    pairs,
    settled,
)

NOT_MONEY: list[object] = [
    10,
    10.0,
    10.25,
    -10,
    True,
    None,
    [],
    ["10.00"],
    {"dollars": 10},
    "",
    "10",
    "10.",
    "10.0",
    "10.000",
    ".50",
    "-10.00",
    "+10.00",
    "-0.00",
    "1e1",
    "1e1.00",
    "1.00e1",
    "1E2.00",
    " 10.00",
    "10.00 ",
    "10 .00",
    "10.00\n",
    "\n10.00",
    "10.00\x00",
    "1,000.00",
    "1_0.00",
    "10,00",
    "10.00.00",
    "$10.00",
    "0x10.00",
    "ten",
    "NaN",
    "Infinity",
    "inf.00",
    "١٠.٠٠",
    "１０.００",
    "1０.00",
    "10.0٠",
    "10．00",
    "²0.00",
    "Ⅹ.00",
    "𝟏𝟎.𝟎𝟎",
]


@pytest.mark.parametrize("amount", NOT_MONEY, ids=ascii)
def test_money_is_digits_with_exactly_two_decimals_in_a_string(amount: object) -> None:
    talk = Talk(CRAPS)
    talk.bet("field", "20.00")
    talk.no("bet", player="ann", wager="field", amount=amount)
    talk.no("seat", player="bob", chips=amount)
    if amount is not None:  # a null may stand for a field that is not there
        talk.no("take", player="ann", wager="field", amount=amount)
        for field in ("chip", "min", "max"):
            Talk().no("open", book=CRAPS, **{field: amount})
        Talk().no("open", book=SIC_BO, super_streak=amount)


@pytest.mark.parametrize("digits", [100, 4299, 4300, 5000])
def test_a_win_may_have_more_digits_than_any_stake(digits: int) -> None:
    talk = Talk(CRAPS, seats={"ann": "3" * digits + ".00"})
    talk.bet("craps_two", "3" * digits + ".00")
    assert settled(talk.roll(1, 1))["craps_two"][2] == "10" + "9" * (digits - 2) + "89.00"
    assert talk.chips() == "11" + "3" * (digits - 2) + "22.00"  # 34 x 333…3
    talk.roll(1, 1)


def test_leading_zeros_are_refused_or_mean_the_same_amount() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"})
    reply = talk.ask("bet", player="ann", wager="field", amount="0010.00")
    assert reply["chips"] == {"ann": "90.00" if reply["ok"] else "100.00"}


@pytest.mark.parametrize(
    ("chip", "good", "bad"),
    [
        ("1.00", ["1.00", "17.00"], ["0.50", "1.01", "16.99"]),
        ("0.50", ["0.50", "7.50"], ["0.25", "0.75", "7.51"]),
        ("2.50", ["2.50", "7.50", "10.00"], ["1.00", "5.01", "6.00"]),
        ("0.01", ["0.01", "3.33"], []),
        ("0.05", ["0.05", "3.35"], ["0.01", "3.33"]),
        ("25.00", ["25.00", "75.00"], ["5.00", "30.00"]),
    ],
)
@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_and_a_take_are_multiples_of_the_chip(book: str, chip: str, good: list[str], bad: list[str]) -> None:
    talk = Talk(book, chip=chip)
    wager = PLAIN[book]
    for amount in good:
        talk.bet(wager, amount)
        talk.take(wager)
    assert talk.chips() == "100000.00"
    talk.bet(wager, "100.00")
    for amount in bad:
        talk.no_bet(wager, amount)
        talk.no_take(wager, amount)
    talk.take(wager, good[0])


@pytest.mark.parametrize("book", BOOKS)
def test_the_chip_is_one_dollar_unless_named(book: str) -> None:
    talk = Talk(book)
    talk.no_bet(PLAIN[book], "1.50")
    talk.bet(PLAIN[book], "1.00")


def test_chips_in_hand_need_not_be_whole_chips() -> None:
    talk = Talk(CRAPS, seats={"ann": "10.37"})
    talk.no_bet("field", "11.00")
    talk.bet("field", "10.00")
    assert talk.chips() == "0.37"


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_may_use_all_chips_in_hand_but_no_more(book: str) -> None:
    talk = Talk(book, seats={"ann": "10.00"})
    talk.no_bet(PLAIN[book], "11.00")
    talk.bet(PLAIN[book], "10.00")
    assert talk.chips() == "0.00"
    talk.no_bet(PLAIN[book], "1.00")


@pytest.mark.clause(CRAPS, "7.1", "7.3")
@pytest.mark.clause(SIC_BO, "4.1", "4.3")
@pytest.mark.clause(TWO_UP, "5.1", "5.3")
@pytest.mark.clause(SNAKE_NSW, "7.1", "7.3")
@pytest.mark.parametrize("book", BOOKS)
def test_minimum_and_maximum_hold_for_the_whole_wager_and_a_bet_above_is_refused_whole(book: str) -> None:
    talk = Talk(book, min="10.00", max="20.00")
    wager = PLAIN[book]
    talk.no_bet(wager, "9.00")
    assert talk.no_bet(wager, "21.00")["code"] == "stake_above_maximum"
    talk.bet(wager, "10.00")
    talk.bet(wager, "5.00")
    assert talk.no_bet(wager, "6.00")["code"] == "stake_above_maximum"
    talk.bet(wager, "5.00")
    assert talk.standing() == {wager: "20.00"}
    talk.no_take(wager, "11.00")
    talk.take(wager, "10.00")
    talk.no_take(wager, "1.00")
    talk.take(wager)
    assert talk.chips() == "100000.00"


def test_minimum_and_maximum_hold_for_each_player_and_each_pick_by_itself() -> None:
    talk = Talk(SNAKE_NSW, seats={"ann": "100.00", "bob": "100.00"}, max="20.00")
    for name in ("hardway:4", "hardway:6", "six"):
        talk.bet(name, "20.00")
    talk.bet("hardway:4", "20.00", player="bob")
    assert talk.last["chips"] == {"ann": "40.00", "bob": "80.00"}


@pytest.mark.clause(CRAPS, "7.1")
def test_limits_for_a_pick_take_the_place_of_those_for_its_kind() -> None:
    limits = {"hardway": {"min": "10.00", "max": "50.00"}, "hardway 4": {"max": "5.00"}}
    talk = Talk(CRAPS, min="2.00", max="100.00", limits=limits)
    talk.bet("hardway:4", "1.00")  # a minimum that is left out is none
    assert talk.no_bet("hardway:4", "5.00")["code"] == "stake_above_maximum"
    talk.bet("hardway:4", "4.00")
    assert talk.no_bet("hardway:6", "9.00")["code"] == "stake_below_minimum"
    assert talk.no_bet("hardway:6", "51.00")["code"] == "stake_above_maximum"
    talk.bet("hardway:6", "50.00")
    talk.bet("field", "100.00")


def test_the_numbers_of_a_set_with_limits_come_in_any_order() -> None:
    talk = Talk(SIC_BO, limits={"combination 5,2": {"max": "5.00"}, "specific_double 3": {"max": "6.00"}})
    assert talk.no_bet("combination:2,5", "6.00")["code"] == "stake_above_maximum"
    assert talk.no_bet("combination:5,2", "6.00")["code"] == "stake_above_maximum"
    talk.bet("combination:2,6", "6.00")
    assert talk.no_bet("specific_double:3", "7.00")["code"] == "stake_above_maximum"
    talk.bet("specific_double:4", "7.00")


MISNAMED: list[tuple[dict[str, object], str, str]] = [
    ({"hardwood 4": {"max": "5.00"}}, "unknown_wager", "hardwood"),
    ({"hardway 5": {"max": "5.00"}}, "pick_unknown", "hardway 5"),
    ({"hardway four": {"max": "5.00"}}, "pick_unknown", "hardway four"),
    ({"hardway 4 6": {"max": "5.00"}}, "pick_unknown", "hardway 4 6"),
    ({"field 4": {"max": "5.00"}}, "pick_unknown", "field 4"),
    ({"come 6": {"max": "5.00"}}, "pick_unknown", "come 6"),
    ({"hardway": {"4": {"max": "5.00"}}}, "bad_field", "hardway"),
    ({"hardway": {"max": "5.00", "pick": 4}}, "bad_field", "hardway"),
    ({"hardway 4": "5.00"}, "bad_field", "hardway 4"),
    ({"hardway 4": None}, "bad_field", "hardway 4"),
    ({"hardway 4": {"max": "5.00"}, "hardway 04": {"max": "6.00"}}, "bad_field", "hardway 4"),
]


@pytest.mark.parametrize(("limits", "code", "named"), MISNAMED, ids=str)
def test_limits_that_are_for_nothing_are_refused_by_name(limits: dict[str, object], code: str, named: str) -> None:
    reply = Talk().ask("open", book=CRAPS, limits=limits)
    assert (reply["ok"], reply["code"]) == (False, code)
    assert named in reply["message"]


@pytest.mark.clause(CRAPS, "7.5")
def test_the_limits_of_a_pick_are_changed_by_its_own_sign() -> None:
    talk = Talk(CRAPS, min="5.00")
    staff = {"as": "casino supervisor", "wager": "hardway", "minimum": "10.00"}
    sign = {"time": "2024-09-01T20:20:00", "at": "2024-09-01T20:00:00"}
    assert talk.no("post_minimum_sign", pick=5, **staff, **sign)["code"] == "pick_unknown"
    assert talk.no("post_minimum_sign", pick="4", **staff, **sign)["code"] == "pick_unknown"
    talk.do("post_minimum_sign", pick=4, **staff, **sign)
    assert talk.no("set_minimum", pick=6, at=sign["time"], **staff)["code"] == "minimum_sign_missing"
    assert talk.no("set_minimum", at=sign["time"], **staff)["code"] == "minimum_sign_missing"
    reply = talk.do("set_minimum", pick=4, at=sign["time"], **staff)
    changed = next(event for event in reply["events"] if event["type"] == "sign_changed")
    assert changed["limits"] == {"hardway 4": {"min": "10.00", "max": None}}
    assert talk.no_bet("hardway:4", "9.00")["code"] == "stake_below_minimum"
    talk.bet("hardway:6", "5.00")


def test_the_minimum_and_the_maximum_hold_for_behind_wagers_too() -> None:
    talk = Talk(CRAPS, min="5.00", max="15.00")
    talk.bet("win_line", "10.00")
    talk.roll(2, 2)
    talk.no_bet("behind_win_line", "4.00")
    assert talk.no_bet("behind_win_line", "16.00")["code"] == "stake_above_maximum"
    talk.bet("behind_win_line", "15.00")


# Chip, wager, stake, throw that wins it (with the puck on 5), winnings rounded up to the chip.
ROUNDED = [
    ("1.00", "place_to_win:6", "1.00", (3, 3), "2.00"),  # 7/6
    ("1.00", "place_to_win:6", "6.00", (3, 3), "7.00"),
    ("1.00", "place_to_win:8", "13.00", (4, 4), "16.00"),  # 91/6 = 15.17
    ("0.50", "place_to_win:8", "13.00", (4, 4), "15.50"),
    ("0.01", "place_to_win:8", "13.00", (4, 4), "15.17"),
    ("5.00", "place_to_win:6", "5.00", (3, 3), "10.00"),  # 5.83
    ("5.00", "place_to_win:6", "30.00", (3, 3), "35.00"),
    ("1.00", "place_to_win:4", "1.00", (2, 2), "2.00"),  # 9/5
    ("1.00", "place_to_win:9", "3.00", (4, 5), "5.00"),  # 21/5 = 4.2
    ("1.00", "place_to_lose:10", "1.00", (3, 4), "1.00"),  # 5/11
    ("0.05", "place_to_lose:10", "1.00", (3, 4), "0.50"),  # 0.4545
    ("1.00", "place_to_lose:9", "7.00", (3, 4), "5.00"),  # 35/8 = 4.375
    ("1.00", "place_to_lose:8", "4.00", (3, 4), "4.00"),  # 16/5 = 3.2
    ("1.00", "hardway:4", "1.00", (2, 2), "8.00"),
    ("1.00", "hardway:8", "3.00", (4, 4), "29.00"),  # 28.5
    ("1.00", "any_craps", "1.00", (1, 2), "8.00"),
    ("0.50", "any_craps", "1.00", (1, 2), "7.50"),
    ("1.00", "buy:6", "1.00", (3, 3), "2.00"),  # 6/5
    ("1.00", "buy:9", "3.00", (3, 6), "5.00"),  # 4.5
    ("1.00", "lay:4", "3.00", (3, 4), "2.00"),  # 1.5
    ("1.00", "lay:6", "5.00", (3, 4), "5.00"),  # 25/6 = 4.17
    ("0.25", "lay:6", "5.00", (3, 4), "4.25"),
]


@pytest.mark.clause(CRAPS, "6.8")
@pytest.mark.parametrize(("chip", "name", "stake", "dice", "paid"), ROUNDED)
def test_a_win_is_rounded_up_to_the_chip(chip: str, name: str, stake: str, dice: tuple[int, int], paid: str) -> None:
    talk = Talk(CRAPS, chip=chip)
    talk.roll(2, 3)
    talk.bet(name, stake)
    assert settled(talk.roll(*dice))[name][2] == paid


@pytest.mark.clause(CRAPS, "6.8", "8.1")
@pytest.mark.parametrize(("stake", "returned"), [("2.00", "9.00"), ("4.00", "17.00"), ("6.00", "26.00")])
def test_crap_eleven_is_rounded_up_once_and_returns_the_half_that_won(stake: str, returned: str) -> None:
    talk = Talk(CRAPS)
    talk.bet("crap_eleven", stake)  # halves of 1, 2, 3 at 7.5 to 1: 7.5, 15, 22.5
    assert settled(talk.roll(6, 6))["crap_eleven"][3] == returned


@pytest.mark.clause(SNAKE_NSW, "6.5")
@pytest.mark.clause(TWO_UP, "4.10")
def test_the_other_books_with_broken_odds_round_up_too() -> None:
    snake = Talk(SNAKE_NSW, chip="2.50")
    snake.bet("hardway:6", "2.50")
    assert settled(snake.roll(3, 3))["hardway:6"] == ("win", "2.50", "25.00", "27.50")  # 23.75
    coins = Talk(TWO_UP)
    coins.bet("spinner:heads", "3.00")
    for _ in range(3):
        reply = coins.close_and("HH")
    assert settled(reply)["spinner:heads"] == ("win", "3.00", "23.00", "26.00")  # 22.5


# Chip, wager, stake, commission.
COMMISSION = [
    ("1.00", "buy:4", "20.00", 100),
    ("1.00", "buy:5", "1.00", 5),
    ("1.00", "buy:10", "33.00", 165),
    ("0.50", "buy:6", "10.50", 52),  # 52.5
    ("0.01", "buy:6", "0.19", 0),  # 0.95
    ("0.01", "buy:6", "0.20", 1),
    ("0.01", "buy:8", "3.99", 19),  # 19.95
    ("5.00", "buy:9", "5.00", 25),
    ("1.00", "lay:4", "40.00", 100),
    ("1.00", "lay:10", "1.00", 2),  # 2.5
    ("1.00", "lay:5", "30.00", 100),
    ("1.00", "lay:9", "10.00", 33),  # 33.3
    ("1.00", "lay:6", "24.00", 100),
    ("1.00", "lay:8", "10.00", 41),  # 41.67: on the win at true odds, before rounding up
    ("1.00", "lay:8", "1.00", 4),  # 4.17
    ("5.00", "lay:6", "5.00", 20),  # 20.83
]


@pytest.mark.clause(CRAPS, "6.2.24", "6.2.25")
@pytest.mark.parametrize(("chip", "name", "stake", "commission"), COMMISSION)
def test_commission_is_exact_to_the_cent_and_part_of_a_cent_is_cut(
    chip: str, name: str, stake: str, commission: int
) -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"}, chip=chip)
    talk.bet(name, stake)
    cost = int(stake.replace(".", "")) + commission
    assert talk.chips() == f"{(10000 - cost) // 100}.{(10000 - cost) % 100:02}"
    assert talk.standing() == {name: stake}
    talk.take(name)
    assert talk.chips() == "100.00"
    short = Talk(CRAPS, seats={"ann": f"{(cost - 1) // 100}.{(cost - 1) % 100:02}"}, chip=chip)
    short.no_bet(name, stake)
    enough = Talk(CRAPS, seats={"ann": f"{cost // 100}.{cost % 100:02}"}, chip=chip)
    enough.bet(name, stake)
    assert enough.chips() == "0.00"


def test_an_increase_pays_what_the_whole_stake_owes_more_and_a_reduction_gives_back_the_difference() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"})
    talk.bet("buy:4", "20.00")
    talk.bet("buy:4", "10.00")
    assert talk.chips() == "68.50"
    talk.take("buy:4", "25.00")
    assert (talk.chips(), talk.standing()) == ("94.75", {"buy:4": "5.00"})
    talk.take("buy:4")
    assert talk.chips() == "100.00"
    talk.bet("lay:6", "24.00")
    talk.take("lay:6", "12.00")
    assert talk.chips() == "87.50"
    talk.take("lay:6", "12.00")
    assert talk.chips() == "100.00"


def test_commission_is_cut_once_for_the_whole_stake_and_all_that_was_paid_comes_back() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"}, chip="0.50")
    talk.bet("buy:4", "10.50")
    assert talk.chips() == "88.98"  # 0.525 cut
    talk.bet("buy:4", "10.50")
    assert talk.chips() == "77.95"  # 1.05 in all
    talk.take("buy:4")
    assert talk.chips() == "100.00"


@pytest.mark.parametrize("name", ["buy:4", "buy:9", "lay:5", "lay:8"])
@pytest.mark.parametrize("slice_cents", [1, 7, 19])
def test_laying_in_slices_never_saves_a_cent(name: str, slice_cents: int) -> None:
    sliced, whole = (Talk(CRAPS, seats={"ann": "100.00"}, chip="0.01") for _ in range(2))
    for count in range(1, 61):
        sliced.bet(name, f"0.{slice_cents:02}")
        total = count * slice_cents
        if count % 20 == 0:
            whole.bet(name, f"{total // 100}.{total % 100:02}")
            assert sliced.chips() == whole.chips()
            whole.take(name)
    sliced.take(name)
    assert sliced.chips() == "100.00"


def test_a_reduction_gives_back_what_the_rest_does_not_owe() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"}, chip="0.50")
    talk.bet("buy:4", "21.00")  # 1.05
    talk.take("buy:4", "10.50")  # the rest owes 0.52
    assert talk.chips() == "88.98"
    talk.take("buy:4")
    assert talk.chips() == "100.00"


def test_commission_is_kept_on_a_decision_and_due_again_on_the_next_wager() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"})
    talk.roll(2, 3)
    talk.bet("buy:4", "20.00")
    assert settled(talk.roll(2, 2)) == {"buy:4": ("win", "20.00", "40.00", "60.00")}
    assert talk.chips() == "139.00"
    talk.bet("buy:4", "20.00")
    assert talk.chips() == "118.00"
    assert settled(talk.roll(3, 4)) == {"buy:4": ("lose", "20.00", "0.00", "0.00")}
    assert talk.chips() == "118.00"


def test_calling_a_buy_off_returns_no_commission_and_the_commission_is_no_part_of_the_stake() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"}, max="20.00")
    talk.bet("buy:4", "20.00")
    talk.call("buy:4", on=False)
    assert talk.chips() == "79.00"


@pytest.mark.clause(CRAPS, "6.2.22.1")
@pytest.mark.parametrize("units", ["any", "exact"])
@pytest.mark.parametrize("chip", [100, 50, 500])
@pytest.mark.parametrize(("name", "unit"), [("horn", 4), ("horn_high:2", 5), ("horn_high:11", 5), ("crap_eleven", 2)])
def test_split_wagers_are_in_multiples_of_their_parts_whatever_the_units(
    name: str, unit: int, chip: int, units: str
) -> None:
    unit = 4 if name == "crap_eleven" and units == "exact" else unit
    check_unit(CRAPS, name, unit, chip, units)


def check_unit(book: str, name: str, unit: int, chip: int, units: str, before: tuple[str, int] | None = None) -> None:
    """A wager is always in whole units, whether it is made, increased or reduced."""
    talk = Talk(book, chip=f"{chip // 100}.{chip % 100:02}", units=units)

    def chips(number: int) -> str:
        return f"{number * chip // 100}.{number * chip % 100:02}"

    if before is not None:
        flat, point = before
        if flat in ("come", "dont_come"):
            talk.roll(2, 3) if point != 5 else talk.roll(4, 4)
        talk.bet(flat, chips(1200))
        talk.roll(*pairs(point)[0])
    for number in range(1, 2 * unit + 1):
        if number % unit:
            talk.no_bet(name, chips(number))
        else:
            talk.bet(name, chips(number))
            talk.take(name)
    talk.bet(name, chips(unit))
    talk.bet(name, chips(2 * unit))
    for number in range(1, unit):
        talk.no_bet(name, chips(number))
        talk.no_take(name, chips(number))
    talk.take(name, chips(unit))
    assert talk.standing()[name] == chips(2 * unit)


EXACT: list[tuple[str, str, int]] = [
    *[(CRAPS, f"place_to_win:{pick}", 6 if pick in (6, 8) else 5) for pick in (4, 5, 6, 8, 9, 10)],
    *[(CRAPS, f"place_to_lose:{pick}", {4: 11, 5: 8, 6: 5}[min(pick, 14 - pick)]) for pick in (4, 5, 6, 8, 9, 10)],
    *[(CRAPS, f"hardway:{pick}", 2) for pick in (4, 6, 8, 10)],
    (CRAPS, "any_craps", 2),
    *[(CRAPS, f"buy:{pick}", 20) for pick in (4, 5, 6, 8, 9, 10)],
    *[(CRAPS, f"lay:{pick}", {4: 40, 5: 30, 6: 24}[min(pick, 14 - pick)]) for pick in (4, 5, 6, 8, 9, 10)],
    *[(CRAPS, name, 1) for name in ("win_line", "dont_win", "field", "eleven", "any_seven", "big_6", "craps_two")],
    (TWO_UP, "spinner:heads", 2),
    (TWO_UP, "spinner:tails", 2),
    (TWO_UP, "heads", 1),
    *[(SNAKE_NSW, f"hardway:{pick}", 2) for pick in (4, 6, 8, 10)],
    *[(SNAKE_NSW, name, 1) for name in ("hardway_combo", "ce_combo", "five", "craps_three")],
    *[(SNAKE_NZ, name, 1) for name in ("hardway:4", "field", "eight")],
    *[(SIC_BO, name, 1) for name in ("small", "total:4", "combination:1,2")],
]


@pytest.mark.parametrize(("book", "name", "unit"), EXACT)
@pytest.mark.parametrize("chip", [100, 50])
def test_exact_units_are_those_that_pay_without_rounding(book: str, name: str, unit: int, chip: int) -> None:
    check_unit(book, name, unit, chip, "exact")


BEHIND_UNITS = [
    ("behind_win_line", "win_line", {4: 1, 5: 2, 6: 5}),
    ("behind_dont_win", "dont_win", {4: 2, 5: 3, 6: 6}),
    ("behind_come", "come", {4: 1, 5: 2, 6: 5}),
    ("behind_dont_come", "dont_come", {4: 2, 5: 3, 6: 6}),
]


@pytest.mark.parametrize("point", [4, 5, 6, 8, 9, 10])
@pytest.mark.parametrize(("behind", "flat", "units"), BEHIND_UNITS, ids=[row[0] for row in BEHIND_UNITS])
def test_exact_units_behind_are_those_of_the_point(behind: str, flat: str, units: dict[int, int], point: int) -> None:
    name = f"{behind}:{point}" if flat.endswith("come") else behind
    check_unit(CRAPS, name, units[min(point, 14 - point)], 100, "exact", before=(flat, point))


@pytest.mark.parametrize("name", ["place_to_win:6", "place_to_lose:4", "hardway:4", "any_craps", "buy:4", "lay:4"])
def test_any_units_by_default_let_every_multiple_of_the_chip_stand(name: str) -> None:
    talk = Talk(CRAPS)
    talk.bet(name, "1.00")
    talk.bet(name, "2.00")
    talk.take(name, "2.00")
    assert json.dumps(talk.standing()) == json.dumps({name: "1.00"})


@pytest.mark.parametrize(
    ("book", "name", "clause"),
    [(CRAPS, "place_to_win:6", "7.1 tail"), (TWO_UP, "spinner:heads", "5.1"), (SNAKE_NSW, "hardway:4", "7.1")],
)
def test_the_clause_behind_a_unit_is_the_paragraph_about_units(book: str, name: str, clause: str) -> None:
    assert Talk(book, units="exact").no_bet(name, "1.00")["clause"] == clause
