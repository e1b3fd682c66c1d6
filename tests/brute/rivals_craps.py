"""Craps: the rejected readings of CR-1 to CR-9."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from tests.brute import craps
from tests.brute.lives import LOST, End, Life, figures, won
from tests.brute.rival import Rival
from tests.brute.rounding import at_a_stake, cut

Charging = Callable[[Fraction], Fraction | int]


def one_roll(pays: Callable[[int], Fraction | None]) -> Fraction:
    """The expectation of a wager on one throw of two dice, from what each total pays."""

    def decide(dice: craps.Dice, _: None) -> End:
        winnings = pays(sum(dice))
        return LOST if winnings is None else won(winnings)

    return figures(Life(craps.THROWS, decide)).ev


def share_paid(units: dict[int, int], odds: dict[int, Fraction]) -> Callable[[int], Fraction | None]:
    """Only the part on the total thrown is paid, and the whole stake is returned."""
    whole = sum(units.values())
    return lambda total: Fraction(units[total], whole) * odds[total] if total in units else None


def propositions() -> Iterator[Rival]:
    """CR-1, CR-2."""
    halves = {2: Fraction(15, 2), 3: Fraction(15, 2), 12: Fraction(15, 2), 11: Fraction(16)}
    half = one_roll(lambda total: halves[total] / 2 if total in halves else None)
    yield Rival("CR-1 whole stake back", craps.BOOK, "crap_eleven", None, half, "half is paid, nothing is lost")
    yield Rival("CR-1 odds on all", craps.BOOK, "crap_eleven", None, one_roll(halves.get), "all is paid")
    odds = {total: Fraction(pays) for total, pays in craps.ONE_TOTAL.items()}
    quarter = one_roll(share_paid(dict.fromkeys(odds, 1), odds))
    yield Rival("CR-2 whole stake back", craps.BOOK, "horn", None, quarter, "a quarter is paid, nothing is lost")
    for high in odds:
        fifths = one_roll(share_paid({**dict.fromkeys(odds, 1), high: 2}, odds))
        how = "one or two fifths are paid, nothing is lost"
        yield Rival("CR-2 whole stake back", craps.BOOK, "horn_high", high, fifths, how)


def after_the_point() -> Iterator[Rival]:
    """CR-3: money added to a flat wager that has its point; X-5: the value of the wager itself at that moment."""
    for wager in ("win_line", "dont_win", "come", "dont_come"):
        for point in craps.NUMBERS:
            value = figures(craps.life(wager)._replace(start=point)).ev
            made = partial(Rival, book=craps.BOOK, wager=wager, pick=None, case=f"point {point}")
            yield made("CR-3 letter", value=value, how="begins at the point")
            yield made("X-5", value=1 + value, how="one unit in running", measure="worth")


def stays(wager: str, number: int) -> Fraction:
    """CR-6: the commission is paid once while the wager stays up, winning any number of times until it loses; per
    decision.
    """
    stay = craps.life(wager, number)
    decision = figures(stay._replace(commission=Fraction(0)))
    decisions = 1 / decision.p_lose
    return (decisions * decision.ev - stay.commission) / decisions


def commissions() -> Iterator[Rival]:
    """CR-6: Buy and Lay, with the commission paid once while the wager stays up."""
    for wager in ("buy", "lay"):
        for number in craps.NUMBERS:
            value, how = stays(wager, number), "one commission, decisions until it is lost"
            yield Rival("CR-6 once per stay", craps.BOOK, wager, number, value, how)


def as_it_is(due: Fraction) -> Fraction:
    """Unrounded."""
    return due


def raised(due: Fraction) -> int:
    """Rounded up to the next whole chip."""
    return -cut(-due)


def commissions_in_chips() -> Iterator[Rival]:
    """CR-8: commission in whole chips, winnings rounded up to whole chips; per unit staked, and as a share of the
    outlay.
    """
    charging: dict[str, Charging] = {"CR-8 rounded down": cut, "CR-8": as_it_is, "CR-8 rounded up": raised}
    for reading, charged in charging.items():
        for wager in ("buy", "lay"):
            for number in craps.NUMBERS:
                for stake in (10, 25, 50):
                    life = craps.life(wager, number)
                    ev = at_a_stake(life, stake, 1, charged).ev
                    outlay = 1 + Fraction(charged(life.commission * stake)) / stake
                    made = partial(Rival, reading, craps.BOOK, wager, number, case=f"stake {stake}")
                    yield made(value=ev, how="the commission charged")
                    yield made(value=ev / outlay, how="by stake and commission", measure="share of outlay")


def behind_the_come() -> Iterator[Rival]:
    """CR-9: decided together with the Come on a come out roll too; and a Come with double Behind under both
    readings."""
    rival = "CR-9 decided with the Come"
    for number in craps.NUMBERS:
        plain = figures(craps.life("behind_come", number))
        made = partial(Rival, rival, craps.BOOK, "behind_come", number, how="number before 7, whatever the puck")
        yield made(value=plain.ev)
        yield made(value=plain.variance, measure="variance")
        yield made(value=plain.rolls, measure="rolls")
    for reading, returned in ((rival, False), ("CR-9", True)):
        both = figures(craps.come_with_double(returned), craps.come_starts())
        how, case = "a Come of 1 with 2 behind it, per unit of the Come", "double Behind"
        yield Rival(reading, craps.BOOK, "come", None, both.ev, how, case)
        yield Rival(reading, craps.BOOK, "come", None, both.variance, how, case, "variance")
