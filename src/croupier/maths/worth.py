"""What the results of a wager are worth at a real stake: chips, rounding up, commission."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from croupier.maths.chain import Ending
from croupier.maths.figures import Decided, Figures, Life, Lives, reckon
from croupier.money import commission_cents, round_down_to_chip, round_up_to_chip, winnings_cents
from croupier.rules import schema
from croupier.rules.errors import Impossible
from croupier.rules.machine import Pick
from croupier.rules.offers import check_laid, commission_rate

Rounded = Literal["cent", "up", "down"]
PLAIN = schema.Results()


class Staked(msgspec.Struct, frozen=True):
    """A stake and the smallest chip, in cents, and how commission is rounded (reading CR-8: exact to the cent)."""

    stake: int
    chip: int
    rounded: Rounded = "cent"

    def winnings(self, odds: Fraction) -> Fraction:
        """What a win pays per unit staked, rounded up to the chip (reading X-2)."""
        return Fraction(winnings_cents(self.stake, odds, self.chip), self.stake)

    def commission(self, rate: Fraction) -> Fraction:
        """What is paid for the wager per unit staked."""
        cents = commission_cents(self.stake, rate)
        if self.rounded == "up":
            cents = round_up_to_chip(cents, self.chip)
        elif self.rounded == "down":
            cents = round_down_to_chip(cents, self.chip)
        return Fraction(cents, self.stake)


def check_stake(book_limits: schema.Limits, wager: schema.Wager, staked: Staked) -> None:
    """Refuse a stake that nobody could lay. Raises Impossible."""
    if staked.stake <= 0:
        raise Impossible("amount_not_positive", "A wager is more than nothing.", book_limits.chips)
    check_laid(book_limits, wager, staked.stake, staked.stake, staked.chip)


def valued(
    lives: Lives, wager_id: str, pick: Pick, start: str, staked: Staked | None, results: schema.Results = PLAIN
) -> Figures:
    """The figures of a wager at a stake; without one per unit, everything exact."""
    life = lives.life(wager_id, pick, start)
    rate = commission_rate(lives.game, lives.game.wager(wager_id), pick, start)
    commission = rate if staked is None else staked.commission(rate)
    return worth(life, commission, results, staked)


def worth(life: Life, commission: Fraction, results: schema.Results = PLAIN, staked: Staked | None = None) -> Figures:
    """The figures of a life whose endings are worth what `results` says."""
    paid = commission * Fraction(results.commission)
    if results.ends is not None:
        net = Fraction(results.lose if results.ends == "lose" else results.void) - paid
        now = Life({}, Fraction(0), Fraction(0), ())
        return reckon(now, {Decided(results.ends, net): Fraction(1)}, paid)
    found: dict[Decided, Fraction] = {}
    for ending, chance in life.endings.items():
        value = _value(ending, results, staked) - (0 if ending.then == "void" else paid)
        result = Decided(ending.then, value)
        found[result] = found.get(result, Fraction(0)) + chance
    return reckon(life, found, paid)


def _value(ending: Ending, results: schema.Results, staked: Staked | None) -> Fraction:
    """What one ending is worth: of a stake in parts, the share that wins brings its winnings and the rest is lost."""
    if ending.then == "lose":
        return Fraction(results.lose)
    if ending.then == "void":
        return Fraction(results.void)
    net = ending.net if staked is None else staked.winnings(ending.net)
    lost = 1 - ending.share
    part = Fraction(results.lose if results.part is None else results.part)
    return (net + lost) * Fraction(results.odds) + ending.share * Fraction(results.win) + lost * part
