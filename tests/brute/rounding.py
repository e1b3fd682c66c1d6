"""What whole chips do to a real stake: winnings are rounded up, commission is cut to the cent (readings X-2 and
CR-8)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.brute import craps
from tests.brute.lives import End, Figures, Life, Pick, endings, figures_of


def rounded_up(amount: Fraction, chip: int) -> int:
    """The next amount that can be paid in chips."""
    chips = amount / chip
    return chip * (chips.numerator // chips.denominator + (1 if chips.denominator > 1 else 0))


def cut(amount: Fraction) -> int:
    """Commission cut to the cent: a fraction of a cent is not charged."""
    return amount.numerator // amount.denominator


def net_cents(end: End, stake: int, chip: int) -> int:
    """The net result in cents of an end for a given stake, without commission: one payment per wager, rounded up
    once."""
    return rounded_up(end.net * stake, chip) if end.result == "win" else -stake if end.result == "lose" else 0


def at_a_stake(life: Life, stake: int, chip: int, charged: Callable[[Fraction], Fraction | int] = cut) -> Figures:
    """The figures per unit staked for a real stake in cents; the commission is cut to the cent unless another rounding
    is given.
    """
    fates, rolls = endings(life, life.start)
    ends: dict[End, Fraction] = {}
    for end, chance in fates.items():
        assert isinstance(end, End)
        real = End(end.result, Fraction(net_cents(end, stake, chip), stake))
        ends[real] = ends.get(real, Fraction(0)) + chance
    return figures_of(ends, rolls, Fraction(charged(life.commission * stake)) / stake)


def favoured(life: Life, unit: int = 1) -> dict[int, Fraction]:
    """The stakes of 1 to 60 chips at which rounding up favours the player, with the expectation per unit staked."""
    exact = {
        chips: at_a_stake(life, chips, 1, charged=lambda commission: commission).ev for chips in range(unit, 61, unit)
    }
    return {chips: ev for chips, ev in exact.items() if ev > 0}


# Wagers that are made only in multiples of so many chips (CR-1, CR-2).
UNITS = {"horn": 4, "horn_high": 5, "crap_eleven": 2}


def favoured_in_craps() -> dict[tuple[str, Pick], dict[int, Fraction]]:
    """The same for every Craps wager that has such a stake."""
    found = {
        (wager, pick): favoured(craps.life(wager, pick), UNITS.get(wager, 1))
        for wager, picks in craps.PICKS.items()
        for pick in picks
    }
    return {named: stakes for named, stakes in found.items() if stakes}
