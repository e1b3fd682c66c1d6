"""Ruin or target, however long it takes: the exact chance of each, over every moment and every amount of money."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from croupier.maths.chain import NeverDecided, fewest_first, visits
from croupier.maths.plan import Moment, Plan, check_cents
from croupier.rules.errors import Impossible

# More than this takes minutes: states to find, and sums to solve them, whose fractions have hundreds of digits.
MOST_STATES = 5000
MOST_SUMS = 500_000

Purse = tuple[Moment, int]


class Fate(NamedTuple):
    """How the play ends, and how many throws it takes on average."""

    ruined: Fraction
    reached: Fraction
    throws: Fraction


def ruin_or_target(plan: Plan, bankroll: int, target: int) -> Fate:
    """Play on until nothing can be staked any more or the money reaches the target. Raises Impossible.

    Wagers are made in the order of the plan as far as the money in hand covers them, as in a session.
    """
    check_cents(plan)
    moves: dict[Purse, dict[Purse, Fraction]] = {}
    ends: dict[Purse, dict[str, Fraction]] = {}
    first = _ready(plan, plan.opening(), bankroll, target)
    found = [first]
    for here in found:
        if isinstance(here, str) or here in moves:
            continue
        if len(moves) == MOST_STATES:
            raise _too_many()
        moves[here], ends[here] = {}, {}
        moment, money = here
        for outcome, count in plan.classes:
            after, results = plan.throw(moment, outcome)
            won = sum(int(result) for result in results if result is not None)
            there = _ready(plan, after, money + won, target)
            chance = Fraction(count, plan.outcomes)
            if isinstance(there, str):
                ends[here][there] = ends[here].get(there, Fraction(0)) + chance
            else:
                moves[here][there] = moves[here].get(there, Fraction(0)) + chance
                found.append(there)
    if isinstance(first, str):
        return Fate(Fraction(first == "ruined"), Fraction(first == "reached"), Fraction(0))
    order, sums = fewest_first(moves)
    if sums > MOST_SUMS:
        raise _too_many()
    try:
        met = visits(order, {first: Fraction(1)})
    except NeverDecided:
        raise Impossible("never_decided", "This plan neither ruins nor reaches anything.") from None
    ruined, reached = (
        sum((times * ends[here].get(end, Fraction(0)) for here, times in met.items()), Fraction(0))
        for end in ("ruined", "reached")
    )
    return Fate(ruined, reached, sum(met.values(), Fraction(0)))


def _too_many() -> Impossible:
    say = "So much money over so small a stake cannot be played to the end here; name a number of rolls."
    return Impossible("too_many_states", say)


def _ready(plan: Plan, moment: Moment, money: int, target: int) -> Purse | str:
    """The moment before the next throw, or how it ended; money is what was brought and all that was won."""
    if money >= target:
        return "reached"
    in_hand = money - sum(int(plan.holdings[place].outlay) for place in plan.standing(moment))
    for place, holding in enumerate(plan.holdings):
        start = plan.start_of(place, moment)
        if start is not None and in_hand >= holding.outlay:
            moment = plan.make(place, moment, start)
            in_hand -= int(holding.outlay)
    cheapest = min(int(holding.outlay) for holding in plan.holdings if holding.wager.stands_alone)
    return "ruined" if not plan.standing(moment) and in_hand < cheapest else (moment, money)
