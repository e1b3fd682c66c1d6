"""Wagers made once each and held together until all are decided: the chain of the moments that they pass through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from croupier.maths.chain import Chain, solve
from croupier.maths.plan import Moment, Place, Plan, check_moments

Results = tuple[Place, ...]


class Course(NamedTuple):
    """A plan from its first moment on: where it may go, and what each wager came to at the end."""

    first: Moment
    chain: Chain[Moment, Results]


def course(plan: Plan) -> Course:
    """Every moment that a plan of wagers made once can pass through."""
    assert not plan.again, "wagers that are made anew are never all decided"
    first = plan.make_all(plan.opening())
    moves: dict[Moment, dict[Moment, Fraction]] = {}
    ends: dict[Moment, dict[Results, Fraction]] = {}
    found = [first]
    for moment in found:
        if moment in moves:
            continue
        moves[moment], ends[moment] = {}, {}
        check_moments(len(moves))
        for (after, _), count in plan.steps(moment).items():
            chance = Fraction(count, plan.outcomes)
            if plan.is_over(after):
                ends[moment][after.places] = ends[moment].get(after.places, Fraction(0)) + chance
            else:
                moves[moment][after] = moves[moment].get(after, Fraction(0)) + chance
                found.append(after)
    return Course(first, Chain(moves, ends))


class Watched(NamedTuple):
    """Only the throws that matter to one wager: where its life begins, what it is at once, and how it goes on."""

    starts: dict[Moment, Fraction]
    at_once: dict[Place, Fraction]
    chain: Chain[Moment, Place]

    def endings(self) -> dict[Place, Fraction]:
        """The chance of each result."""
        found = dict(self.at_once)
        ways = self.chain.endings()
        for start, chance in self.starts.items():
            for end, share in ways[start].items():
                found[end] = found.get(end, Fraction(0)) + chance * share
        return found


def watch(whole: Course, place: int, matters: Callable[[Moment], bool]) -> Watched:
    """Follow one wager of a course and count only those throws before which `matters` holds.

    The moments between are solved away. An ending of None means that the wager was never made.
    """
    silent = {moment: moves for moment, moves in whole.chain.moves.items() if not matters(moment)}
    leads = solve(
        {moment: {to: p for to, p in moves.items() if to in silent} for moment, moves in silent.items()},
        {moment: _exits(whole, moment, place, silent) for moment in silent},
    )
    moves: dict[Moment, dict[Moment, Fraction]] = {}
    ends: dict[Moment, dict[Place, Fraction]] = {}
    for moment in whole.chain.moves:
        if moment in silent:
            continue
        exits = dict(_exits(whole, moment, place, silent))
        for to, chance in whole.chain.moves[moment].items():
            for key, share in leads.get(to, {}).items():
                exits[key] = exits.get(key, Fraction(0)) + chance * share
        moves[moment], ends[moment] = _sorted_out(exits)
    starts, at_once = _sorted_out(leads.get(whole.first, {whole.first: Fraction(1)}))
    return Watched(starts, at_once, Chain(moves, ends))


Exit = Moment | tuple[Place]


def _exits(whole: Course, moment: Moment, place: int, silent: Mapping[Moment, object]) -> dict[Exit, Fraction]:
    """Where one throw leads outside the silent moments; an ending is put in a tuple of its own."""
    exits: dict[Exit, Fraction] = {to: p for to, p in whole.chain.moves[moment].items() if to not in silent}
    for results, chance in whole.chain.ends[moment].items():
        end = (results[place],)
        exits[end] = exits.get(end, Fraction(0)) + chance
    return exits


def _sorted_out(exits: Mapping[Exit, Fraction]) -> tuple[dict[Moment, Fraction], dict[Place, Fraction]]:
    moves = {key: chance for key, chance in exits.items() if isinstance(key, Moment)}
    ends = {key[0]: chance for key, chance in exits.items() if not isinstance(key, Moment)}
    return moves, ends
