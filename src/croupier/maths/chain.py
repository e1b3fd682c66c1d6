"""An absorbing Markov chain in exact fractions: absorption probabilities, time to absorption and expected gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm
from typing import Generic, NamedTuple, TypeVar

from croupier.rules.machine import Entry, Machine, Then

State = TypeVar("State", bound=Hashable)
End = TypeVar("End", bound=Hashable)
Moves = Mapping[State, Mapping[State, Fraction]]
Gains = Mapping[State, Mapping[End, Fraction]]
Lengths = tuple[tuple[int, Fraction], ...]

# The distribution of lengths is listed up to this share or this many lengths; the rest is a negligible tail.
LISTED = Fraction(99, 100)
MOST_LENGTHS = 150


class NeverDecided(ValueError):
    """Some state of the chain is never left, so anything that depends on absorption is undefined."""


class Ending(NamedTuple):
    """How a wager is decided: the player's `net` result per unit staked, and the `share` of the stake that wins."""

    then: Then
    net: Fraction
    share: Fraction = Fraction(1)


class Chain(Generic[State, End]):
    """Transient states with their transition probabilities and their probabilities of each ending."""

    def __init__(self, moves: Moves[State], ends: Gains[State, End]) -> None:
        self.moves = moves
        self.ends = ends

    def endings(self) -> dict[State, dict[End, Fraction]]:
        """From each state, the probability of each ending."""
        return solve(self.moves, self.ends)

    def rolls(self) -> dict[State, tuple[Fraction, Fraction]]:
        """From each state, the mean and mean square of the number of throws until the end."""
        mean = solve(self.moves, {state: {"": Fraction(1)} for state in self.moves})
        twice = {
            state: {"": 1 + 2 * sum((p * mean[to][""] for to, p in moves.items()), Fraction(0))}
            for state, moves in self.moves.items()
        }
        square = solve(self.moves, twice)
        return {state: (mean[state][""], square[state][""]) for state in self.moves}

    def lengths(self, starts: Mapping[State, Fraction]) -> Lengths:
        """The probability that the nth throw ends it, for n = 1, 2, …, up to LISTED or MOST_LENGTHS.

        Probabilities are kept as integer counts over a common denominator, which is much faster than adding fractions.
        """
        chances_met = [chance for row in self.moves.values() for chance in row.values()]
        chances_met += [chance for row in self.ends.values() for chance in row.values()]
        whole = lcm(*(chance.denominator for chance in (*chances_met, *starts.values())))
        moves = {state: [(to, _ways(p, whole)) for to, p in row.items()] for state, row in self.moves.items()}
        ends = {state: sum(_ways(p, whole) for p in row.values()) for state, row in self.ends.items()}
        here = {state: _ways(chance, whole) for state, chance in starts.items()}
        undecided, total = sum(here.values()), whole
        chances: list[tuple[int, Fraction]] = []
        while undecided > (1 - LISTED) * total and len(chances) < MOST_LENGTHS:
            after: Counter[State] = Counter()
            for state, ways in here.items():
                for to, count in moves[state]:
                    after[to] += ways * count
            total *= whole
            decided = sum(ways * ends[state] for state, ways in here.items())
            chances.append((len(chances) + 1, Fraction(decided, total)))
            undecided = undecided * whole - decided
            here = after
        return tuple(chances)


def _ways(chance: Fraction, whole: int) -> int:
    return chance.numerator * (whole // chance.denominator)


def machine_chain(machine: Machine) -> Chain[str, Ending]:
    """The chain of one wager left alone, from every state of its machine."""
    moves: dict[str, dict[str, Fraction]] = {}
    ends: dict[str, dict[Ending, Fraction]] = {}
    for state, entries in machine.table.items():
        moves[state], ends[state] = {}, {}
        by_id = {id(entry): entry for entry in entries}  # cells of a row share entries
        for key, count in Counter(map(id, entries)).items():
            entry, chance = by_id[key], Fraction(count, len(entries))
            if entry.decides:
                _add(ends[state], chance, {ending_of(entry): Fraction(1)})
            else:
                _add(moves[state], chance, {entry.next or state: Fraction(1)})
    return Chain(moves, ends)


def ending_of(entry: Entry) -> Ending:
    """Return a deciding entry's ending for the player."""
    if entry.then == "win":
        return Ending("win", entry.odds, entry.share)
    return Ending(entry.then, Fraction(-1 if entry.then == "lose" else 0))


def solve(moves: Moves[State], gains: Gains[State, End]) -> dict[State, dict[End, Fraction]]:
    """Return the expected total gain from each state: `sum[s] = gains[s] + Σ moves[s][t] · sum[t]`, key by key.

    States are eliminated from last to first. If they are listed in the order they are reached, as in machines, there is
    almost no fill-in. Raises NeverDecided if a state is never left.
    """
    order = list(moves)
    place = {state: i for i, state in enumerate(order)}
    rows = {state: dict(moves[state]) for state in order}
    sums: dict[State, dict[End, Fraction]] = {state: dict(gains.get(state, {})) for state in order}
    comes_from: dict[State, set[State]] = {state: set() for state in order}
    for state, row in rows.items():
        for to in row:
            comes_from[to].add(state)
    for state in reversed(order):
        row, own = rows[state], rows[state].pop(state, Fraction(0))
        if own == 1:
            raise NeverDecided(f"{state} is never left")
        if own:
            _scale(row, 1 / (1 - own))
            _scale(sums[state], 1 / (1 - own))
        for earlier in comes_from[state]:
            if place[earlier] < place[state]:
                share = rows[earlier].pop(state)
                _add(rows[earlier], share, row)
                _add(sums[earlier], share, sums[state])
                for to in row:
                    comes_from[to].add(earlier)
    for state in order:
        for to, share in rows[state].items():
            _add(sums[state], share, sums[to])
    return sums


def visits(moves: Moves[State], starts: Mapping[State, Fraction]) -> dict[State, Fraction]:
    """Expected visits to each state before absorption, the start included: the same system with all arrows reversed."""
    turned: dict[State, dict[State, Fraction]] = {state: {} for state in moves}
    for state, row in moves.items():
        for to, chance in row.items():
            turned[to][state] = chance
    met = solve(turned, {state: {"": chance} for state, chance in starts.items()})
    return {state: sums.get("", Fraction(0)) for state, sums in met.items()}


def fewest_first(moves: Moves[State]) -> tuple[dict[State, Mapping[State, Fraction]], int]:
    """Return a chain in an order that keeps fill-in small, and how many additions solving it will take.

    Always eliminates the state with the fewest paths through it; symbolically, without arithmetic.
    """
    ahead = {state: set(row) - {state} for state, row in moves.items()}
    back: dict[State, set[State]] = {state: set() for state in moves}
    for state, row in ahead.items():
        for to in row:
            back[to].add(state)
    number = {state: i for i, state in enumerate(moves)}
    queue = [(len(ahead[state]) * len(back[state]), i, state) for state, i in number.items()]
    heapify(queue)
    order: dict[State, None] = {}
    work = 0
    while queue:
        ways, _, state = heappop(queue)
        if state in order or ways != len(ahead[state]) * len(back[state]):
            continue  # already eliminated, or its count changed since it was queued
        order[state] = None
        work += ways
        for earlier in back[state]:
            ahead[earlier] |= ahead[state]
            ahead[earlier] -= {state, earlier}
        for later in ahead[state]:
            back[later] |= back[state]
            back[later] -= {state, later}
        for near in back[state] | ahead[state]:
            heappush(queue, (len(ahead[near]) * len(back[near]), number[near], near))
    return {state: moves[state] for state in reversed(order)}, work


def gathered(pairs: Iterable[tuple[End, Fraction]]) -> dict[End, Fraction]:
    """Add up the probabilities of equal keys."""
    found: dict[End, Fraction] = {}
    for key, chance in pairs:
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def _scale(row: dict[End, Fraction], factor: Fraction) -> None:
    for key in row:
        row[key] *= factor


def _add(row: dict[End, Fraction], factor: Fraction, other: Mapping[End, Fraction]) -> None:
    for key, value in other.items():
        row[key] = row[key] + factor * value if key in row else factor * value


class CentralMoments(NamedTuple):
    """Mean, variance and third central moment of a distribution."""

    mean: Fraction
    variance: Fraction
    third: Fraction


def moments(distribution: Iterable[tuple[Fraction, Fraction]]) -> CentralMoments:
    """The moments of a distribution given as (value, probability) pairs."""
    pairs = list(distribution)
    mean = sum((value * chance for value, chance in pairs), Fraction(0))
    apart = [(value - mean, chance) for value, chance in pairs]
    variance = sum((gap**2 * chance for gap, chance in apart), Fraction(0))
    return CentralMoments(mean, variance, sum((gap**3 * chance for gap, chance in apart), Fraction(0)))
