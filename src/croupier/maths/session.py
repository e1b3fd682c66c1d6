"""The exact distribution of a player's result after a number of throws of a flat plan; and ruin or target.

For each moment of the table, the number of ways to each result is packed into one long integer with a fixed-width slot
per result. A throw then shifts and adds whole integers, so Python's big integers do the counting: the distribution
after 200 throws of two dice, with 36^200 equally likely sequences, takes a second without any rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, log2
from typing import NamedTuple, TypeVar

from croupier.maths.chain import CentralMoments, NeverDecided, fewest_first, visits
from croupier.maths.plan import Moment, Plan, check_cents, check_moments
from croupier.rules.errors import Impossible

# Bytes of long integers processed; this many take about a minute.
MOST_WORK = 10**11
# Python prints integers of at most 4300 digits.
MOST_BITS = 14_000

RUINED = Moment((), ("ruined",))
REACHED = Moment((), ("reached the target",))

Steps = dict[Moment, Counter[tuple[Moment, int]]]
Brought = TypeVar("Brought", bound=Hashable)  # the result of a throw: cents, or several figures at once
OnProgress = Callable[[int], None]


class Outlook:
    """A session after a number of throws: the ways to each result in cents, and how it ended if it did."""

    def __init__(self, throws: int, ways: dict[int, int], ended: dict[Moment, int]) -> None:
        self.throws = throws
        self.ways = dict(sorted(ways.items()))
        self.all_ways = sum(ways.values())
        self.ruined = Fraction(ended.get(RUINED, 0), self.all_ways)
        self.reached = Fraction(ended.get(REACHED, 0), self.all_ways)

    @cached_property
    def results(self) -> dict[int, Fraction]:
        """The probability of each result, from worst to best."""
        return {cents: Fraction(count, self.all_ways) for cents, count in self.ways.items()}

    @cached_property
    def moments(self) -> CentralMoments:
        """Mean, variance and third central moment of the result in cents."""
        first, second, third = (
            Fraction(sum(cents**power * count for cents, count in self.ways.items()), self.all_ways)
            for power in (1, 2, 3)
        )
        return CentralMoments(first, second - first**2, third - 3 * first * second + 2 * first**3)

    def quantile(self, share: Fraction) -> int:
        """The smallest result that at least this share of all sessions does not exceed."""
        wanted = share * self.all_ways
        for cents, below in zip(self.ways, accumulate(self.ways.values()), strict=True):
            if below >= wanted:
                return cents
        raise AssertionError("a share is at most one")

    def chance(self, at_least: int) -> Fraction:
        """The probability of that result or a better one."""
        return Fraction(sum(count for cents, count in self.ways.items() if cents >= at_least), self.all_ways)


class PlanSession:
    """A flat plan, throw by throw. With a bankroll, a wager is made only if the money in hand covers it.

    Wagers on the layout count at face value, commission included: results are booked when they are decided. The player
    is ruined when no wager is on the layout and the cheapest one that could begin is unaffordable, and stops when the
    bankroll plus all results reaches the target.
    """

    def __init__(
        self,
        plan: Plan,
        throws: int,
        bankroll: int | None = None,
        target: int | None = None,
        work: int = MOST_WORK,
    ) -> None:
        """Raises Impossible if it would take more than `work`."""
        assert plan.again, "a session makes its wagers again"
        check_cents(plan)
        self.plan = plan
        self.throws = throws
        self.bankroll = bankroll
        self.target = target
        self.cheapest = min(int(h.outlay) for h in plan.holdings if h.wager.stands_alone)
        self.steps: Steps = {RUINED: Counter(), REACHED: Counter()}
        for ended in (RUINED, REACHED):
            self.steps[ended][ended, 0] = plan.outcomes
        nets = self._find_steps()
        self.first = plan.make_all(plan.opening())
        if bankroll is None:
            self.steps, self.first = lumped(self.steps, self.first)
        self.unit = gcd(*nets) or 1
        self.deepest = max(0, -min(nets) // self.unit)
        if throws > (most := self.most_throws(work)):
            say = f"The result of this plan can be computed for at most {most:,} throws."
            raise Impossible("too_many_throws", say)
        self.width = 8 * ((plan.outcomes**throws).bit_length() // 8 + 1)

    def most_throws(self, work: int) -> int:
        """The number of throws, up to this session's, whose result can be counted within `work`.

        For each transition between moments, every throw processes one slot per result possible so far.
        """
        arrows = sum(len(ways) for ways in self.steps.values())
        slot = log2(self.plan.outcomes) / 8
        slots = 0
        for throw, best in zip(range(1, self.throws + 1), self._best(), strict=False):
            slots += self.deepest * throw + best // self.unit
            if arrows * slots * slot * throw > work or 8 * slot * throw > MOST_BITS:
                return throw - 1
        return self.throws

    def _best(self) -> Iterator[int]:
        """The best result after each throw if every possible wager is made."""
        ready: dict[Moment, Moment] = {}
        best = {self.first: 0}
        while True:
            after: dict[Moment, int] = {}
            for moment, result in best.items():
                for to, net in self.steps[moment]:
                    if to not in ready:
                        ready[to] = self.plan.make_all(to) if self.bankroll is not None else to
                    made = ready[to]
                    after[made] = max(after.get(made, result + net), result + net)
            best = after
            yield max(best.values())

    def _find_steps(self) -> set[int]:
        """Find one throw from every reachable moment, and return every net result a throw can have."""
        nets = {0}
        found = self._makings(self.plan.opening())
        seen: set[Moment] = set()
        for moment in found:
            if moment in self.steps:
                continue
            ways = self.steps[moment] = Counter()
            check_moments(len(self.steps))
            for outcome, count in self.plan.classes:
                after, results = self.plan.throw(moment, outcome)
                net = sum(int(result) for result in results if result is not None)
                ways[after if self.bankroll is not None else self.plan.make_all(after), net] += count
                nets.add(net)
            for after, _ in ways:
                if after not in seen:
                    seen.add(after)
                    found += self._makings(after)
        return nets

    def _makings(self, moment: Moment) -> list[Moment]:
        """The moments before the next throw: all wagers made, or with a bankroll any affordable subset."""
        if self.bankroll is None:
            return [self.plan.make_all(moment)]
        made = [moment]
        for place in range(len(self.plan.lots)):
            for before in tuple(made):
                start = self.plan.start_of(place, before)
                if start is not None:
                    made.append(self.plan.make(place, before, start))
            check_moments(len(made))
        return made

    def outlooks(self, at: Iterable[int], on_throw: OnProgress | None = None) -> Iterator[Outlook]:
        """The session after each of these numbers of throws, ascending; calls `on_throw` after each throw."""
        wanted = set(at)
        packed = self._before_throw({self.plan.opening(): 1}, 0)
        for throw in range(self.throws + 1):
            if throw in wanted:
                yield self._outlook(packed, throw)
            if throw < self.throws:
                packed = self._before_throw(self._throw(packed), throw + 1)
                if on_throw is not None:
                    on_throw(throw + 1)

    def _throw(self, packed: dict[Moment, int]) -> dict[Moment, int]:
        after: dict[Moment, int] = {}
        for moment, ways in packed.items():
            for (to, net), count in self.steps[moment].items():
                shift = (net // self.unit + self.deepest) * self.width
                after[to] = after.get(to, 0) + (ways * count << shift)
        return after

    def _before_throw(self, packed: dict[Moment, int], throw: int) -> dict[Moment, int]:
        """Stop at the target, make the affordable wagers, and split off the ruined."""
        if self.bankroll is None:
            return packed if throw else {self.first: 1}
        ready: dict[Moment, int] = {}
        for moment, ways in packed.items():
            for made, part in self._made(moment, ways, throw):
                if part:
                    ready[made] = ready.get(made, 0) + part
        return ready

    def _made(self, moment: Moment, ways: int, throw: int) -> Iterator[tuple[Moment, int]]:
        if moment in (RUINED, REACHED):
            yield moment, ways
            return
        if self.target is not None:
            ways, reached = self._split(ways, self.target, throw)
            yield REACHED, reached
        parts = [(moment, ways)]
        for place, holding in enumerate(self.plan.holdings):
            split: list[tuple[Moment, int]] = []
            for before, part in parts:
                start = self.plan.start_of(place, before)
                if start is None:
                    split.append((before, part))
                    continue
                poor, rich = self._split(part, int(holding.outlay) + self._laid(before), throw)
                split += [(before, poor), (self.plan.make(place, before, start), rich)]
            parts = [(before, part) for before, part in split if part]
        for made, part in parts:
            if self.plan.standing(made):
                yield made, part
            else:
                poor, rich = self._split(part, self.cheapest, throw)
                yield RUINED, poor
                yield made, rich

    def _laid(self, moment: Moment) -> int:
        return sum(int(self.plan.holdings[place].outlay) for place in self.plan.standing(moment))

    def _split(self, ways: int, money: int, throw: int) -> tuple[int, int]:
        """Split the ways into those with less than this money (bankroll plus results) and the rest."""
        assert self.bankroll is not None, "only a session with a bankroll counts money"
        slot = -((self.bankroll - money) // self.unit) + self.deepest * throw
        low = ways & ((1 << max(slot, 0) * self.width) - 1)
        return low, ways - low

    def _outlook(self, packed: dict[Moment, int], throw: int) -> Outlook:
        ended = {moment: sum(self._slots(packed.get(moment, 0)).values()) for moment in (RUINED, REACHED)}
        ways = self._slots(sum(packed.values()))
        return Outlook(throw, {(i - self.deepest * throw) * self.unit: n for i, n in ways.items()}, ended)

    def _slots(self, packed: int) -> dict[int, int]:
        size = self.width // 8
        data = packed.to_bytes((packed.bit_length() // self.width + 1) * size, "little")
        slots = ((i // size, int.from_bytes(data[i : i + size], "little")) for i in range(0, len(data), size))
        return {i: count for i, count in slots if count}


def lumped(
    steps: dict[Moment, Counter[tuple[Moment, Brought]]], first: Moment
) -> tuple[dict[Moment, Counter[tuple[Moment, Brought]]], Moment]:
    """Merge moments with the same future: points of 4 and 10, for example, need not be distinguished."""
    kind = dict.fromkeys(steps, 0)
    while True:
        seen: dict[object, int] = {}
        finer: dict[Moment, int] = {}
        for moment, ways in steps.items():
            futures: Counter[tuple[int, Brought]] = Counter()
            for (to, net), count in ways.items():
                futures[kind[to], net] += count
            finer[moment] = seen.setdefault((kind[moment], frozenset(futures.items())), len(seen))
        if len(seen) == len(set(kind.values())):
            break
        kind = finer
    one_of: dict[int, Moment] = {}
    for moment in steps:
        one_of.setdefault(kind[moment], moment)
    fewer: dict[Moment, Counter[tuple[Moment, Brought]]] = {}
    for moment in one_of.values():
        fewer[moment] = Counter()
        for (to, net), count in steps[moment].items():
            fewer[moment][one_of[kind[to]], net] += count
    return fewer, one_of[kind[first]]


def session(
    plan: Plan, throws: int, bankroll: int | None = None, target: int | None = None, on_throw: OnProgress | None = None
) -> Outlook:
    """Return the exact distribution of the result, and with a bankroll the probability of ruin by then.

    Raises Impossible if it would take too long.
    """
    return next(PlanSession(plan, throws, bankroll, target).outlooks([throws], on_throw))


# Ruin or target, with no limit on throws: exact probabilities over every moment and bankroll

# Above this it takes minutes: states to find, and additions to solve them on fractions with hundreds of digits.
MOST_STATES = 5000
MOST_SUMS = 500_000

Purse = tuple[Moment, int]


class Fate(NamedTuple):
    """The probabilities of ruin and of reaching the target, and the expected number of throws."""

    ruined: Fraction
    reached: Fraction
    throws: Fraction


def ruin_or_target(plan: Plan, bankroll: int, target: int) -> Fate:
    """Play until nothing can be staked or the money reaches the target. Raises Impossible.

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
        raise Impossible("never_decided", "This plan leads to neither ruin nor the target.") from None
    ruined, reached = (
        sum((times * ends[here].get(end, Fraction(0)) for here, times in met.items()), Fraction(0))
        for end in ("ruined", "reached")
    )
    return Fate(ruined, reached, sum(met.values(), Fraction(0)))


def _too_many() -> Impossible:
    say = "The bankroll is too large for so small a stake to be played to the end; give a number of rolls."
    return Impossible("too_many_states", say)


def _ready(plan: Plan, moment: Moment, money: int, target: int) -> Purse | str:
    """The moment before the next throw, or the ending; `money` is the bankroll plus all results."""
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
