"""Money is whole cents, text is parsed strictly, and rounding goes up to the chip, once."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.money import (
    MoneyError,
    commission_cents,
    dollars,
    format_cents,
    parse_cents,
    round_down_to_chip,
    winnings_cents,
    winnings_of_many,
)

NOT_MONEY = [
    "10", "10.0", "10.000", "+10.00", "-10.00", " 10.00", "10.00 ", "1e3", "1,000.00", ".50", "NaN", "inf", "",
    "１０.００", "10.00\n", 10, 10.0, 10.5, None, True, ["10.00"], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("value", NOT_MONEY, ids=repr)
def test_anything_but_dollars_and_two_decimals_is_no_money(value: object) -> None:
    with pytest.raises(MoneyError) as error:
        parse_cents(value)
    assert str(error.value).endswith(".")


@given(st.integers(0, 10**40))
def test_money_reads_back_as_written(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents


def test_amounts_below_nothing_are_written_with_a_sign() -> None:
    assert format_cents(-5) == "-0.05"
    assert format_cents(-1234) == "-12.34"


@pytest.mark.parametrize(
    ("cents", "says"), [(0, "$0"), (5, "$0.05"), (1250, "$12.50"), (1_000_000, "$10,000"), (-250, "$-2.50")]
)
def test_amounts_in_a_sentence(cents: int, says: str) -> None:
    assert dollars(cents) == says


def test_no_amount_is_too_large_for_a_sentence() -> None:
    assert dollars(10**5000) == f"$1{'0' * 4998}.00"


stakes = st.integers(1, 10**12)
odds = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(500), max_denominator=20)
chips = st.sampled_from([1, 5, 25, 50, 100, 250, 500, 10_000])


@pytest.mark.clause("craps-nsw-2024", "6.8")
@pytest.mark.clause("snake-eyes-nsw-2019", "6.5")
@pytest.mark.clause("two-up-nsw-2016", "4.10")
@given(stakes, odds, chips)
def test_a_win_is_paid_to_the_next_highest_chip(stake: int, rate: Fraction, chip: int) -> None:
    paid, exact = winnings_cents(stake, rate, chip), stake * rate
    assert paid % chip == 0
    assert exact <= paid < exact + chip


@given(st.lists(stakes, max_size=20), odds, chips)
def test_many_stakes_are_paid_like_each_alone(many: list[int], rate: Fraction, chip: int) -> None:
    assert winnings_of_many(many, rate, chip) == [winnings_cents(stake, rate, chip) for stake in many]


@given(stakes, st.fractions(min_value=0, max_value=1, max_denominator=100))
def test_part_of_a_cent_of_commission_is_cut(stake: int, rate: Fraction) -> None:
    due = commission_cents(stake, rate)
    assert due <= stake * rate < due + 1


@given(stakes, chips)
def test_rounding_down_stays_below_and_in_chips(cents: int, chip: int) -> None:
    whole = round_down_to_chip(cents, chip)
    assert whole % chip == 0
    assert whole <= cents < whole + chip
