"""The life of a wager, and the exact figures that follow from it.

A life is a function: given what the wager remembers, what does this throw do to it? The wager either ends or goes on
with a memory (often the same as before). No equations are solved. Whenever a life returns to an earlier memory, it
starts again from there: if that happens with probability r, the endings of one round are divided by 1 - r, which sums
the geometric series 1 + r + r^2 + ... A throw that changes nothing is the shortest such round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

Result = Literal["win", "lose", "void"]
Pick = int | str | tuple[int, ...] | None


class End(NamedTuple):
    """How a wager ends: its net result per unit staked, without commission."""

    result: Result
    net: Fraction


LOST = End("lose", Fraction(-1))
VOID = End("void", Fraction(0))


def won(winnings: int | Fraction, stake: int = 1) -> End:
    """A win of this many units on a stake of this many."""
    return End("win", Fraction(winnings) / stake)


def never(_memory: Hashable) -> bool:
    """Most wagers never sleep."""
    return False


class Life(NamedTuple):
    """All throws, equally likely; what one of them does to the memory; and the commission paid per unit staked."""

    throws: list[Any]
    decide: Callable[[Any, Any], End | Hashable]
    start: Hashable = None
    commission: Fraction = Fraction(0)
    sleeps: Callable[[Any], bool] = never


class Figures(NamedTuple):
    """The figures of a wager, per unit staked; `rolls` counts only throws on which it is awake."""

    p_win: Fraction
    p_lose: Fraction
    p_void: Fraction
    law: dict[Fraction, Fraction]
    ev: Fraction
    variance: Fraction
    third: Fraction
    rolls: Fraction


class Back(NamedTuple):
    """A life has returned to an earlier memory."""

    memory: Hashable


Fates = dict[End | Back, Fraction]


def endings(life: Life, memory: Hashable, path: tuple[Hashable, ...] = ()) -> tuple[Fates, Fraction]:
    """The probability of each end from this memory on, and the mean number of throws until then."""
    if memory in path:
        return {Back(memory): Fraction(1)}, Fraction(0)
    fates: Fates = {}
    throws = Fraction(0 if life.sleeps(memory) else 1)
    for led_to, ways in Counter(life.decide(throw, memory) for throw in life.throws).items():
        chance = Fraction(ways, len(life.throws))
        further: Fates = {led_to: Fraction(1)} if isinstance(led_to, End) else {}
        if not isinstance(led_to, End):
            further, more = endings(life, led_to, (*path, memory))
            throws += chance * more
        for fate, share in further.items():
            fates[fate] = fates.get(fate, Fraction(0)) + chance * share
    again = fates.pop(Back(memory), Fraction(0))
    return {fate: chance / (1 - again) for fate, chance in fates.items()}, throws / (1 - again)


def figures(life: Life, starts: Mapping[Any, Fraction] | None = None) -> Figures:
    """All figures of a wager. If it can begin with several memories, each is given with its probability."""
    ends: dict[End, Fraction] = {}
    rolls = Fraction(0)
    for memory, weight in (starts or {life.start: Fraction(1)}).items():
        fates, throws = endings(life, memory)
        rolls += weight * throws
        for end, chance in fates.items():
            assert isinstance(end, End)  # nothing is left to come back to
            ends[end] = ends.get(end, Fraction(0)) + weight * chance
    return figures_of(ends, rolls, life.commission)


def figures_of(ends: Mapping[End, Fraction], rolls: Fraction, commission: Fraction = Fraction(0)) -> Figures:
    """The figures of a wager with a known distribution of ends."""
    assert sum(ends.values()) == 1
    law: dict[Fraction, Fraction] = {}
    by_result = dict.fromkeys(("win", "lose", "void"), Fraction(0))
    for end, chance in ends.items():
        law[end.net - commission] = law.get(end.net - commission, Fraction(0)) + chance
        by_result[end.result] += chance
    ev = mean(law)
    variance = mean(law, lambda net: (net - ev) ** 2)
    third = mean(law, lambda net: (net - ev) ** 3)
    return Figures(by_result["win"], by_result["lose"], by_result["void"], law, ev, variance, third, rolls)


def mean(law: Mapping[Fraction, Fraction], of: Callable[[Fraction], Fraction] = lambda net: net) -> Fraction:
    """The mean of a value over a distribution."""
    return sum((chance * of(net) for net, chance in law.items()), Fraction(0))


def unrolled(
    life: Life, throws: int, starts: Mapping[Any, Fraction] | None = None
) -> tuple[dict[End, Fraction], list[Fraction]]:
    """Throw after throw, without a closed form: the ends so far, and the probability of ending at throw 1, 2, 3, ...

    What is missing from 1 is the probability that the wager is still undecided; the exact figures lie within that
    margin.
    """
    alive = dict(starts or {life.start: Fraction(1)})
    ends: dict[End, Fraction] = {}
    lengths: list[Fraction] = []
    one_of = Fraction(1, len(life.throws))
    steps: dict[Any, Counter[Any]] = {}
    for _ in range(throws):
        ended_before = sum(ends.values(), Fraction(0))
        reached: dict[Any, Fraction] = {}
        for memory, chance in alive.items():
            if memory not in steps:
                steps[memory] = Counter(life.decide(throw, memory) for throw in life.throws)
            for led_to, ways in steps[memory].items():
                into: dict[Any, Fraction] = ends if isinstance(led_to, End) else reached
                into[led_to] = into.get(led_to, Fraction(0)) + chance * ways * one_of
        alive = reached
        lengths.append(sum(ends.values(), Fraction(0)) - ended_before)
    return ends, lengths
