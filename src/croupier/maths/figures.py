"""The figures of one wager: probabilities, expected value, variance, and distributions of result and length.

Covers results per unit staked and at a real stake, with chips, rounding and commission.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import msgspec

from croupier.maths.chain import Chain, Ending, Lengths, NeverDecided, gathered, machine_chain, moments, solve
from croupier.maths.combination import course, watch
from croupier.maths.plan import Lot, Place, Plan, Staked
from croupier.rules import schema
from croupier.rules.book import matches
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick, Then
from croupier.rules.offers import commission_rate, exact_unit

ONE = Fraction(1)


class Decided(NamedTuple):
    """A result: how the wager is decided, and the player's net per unit staked."""

    then: Then
    net: Fraction


class Figures(msgspec.Struct, frozen=True):
    """The figures of one wager, per unit staked. Throws are those on which the wager is active."""

    results: tuple[tuple[Decided, Fraction], ...]
    ev: Fraction
    variance: Fraction
    third_moment: Fraction
    rolls: Fraction
    rolls_variance: Fraction
    lengths: Lengths
    commission: Fraction = Fraction(0)
    table_rolls: Fraction | None = None

    def chance(self, then: Then) -> Fraction:
        """The probability that the wager is decided this way."""
        return sum((chance for result, chance in self.results if result.then == then), Fraction(0))

    @property
    def net(self) -> dict[Fraction, Fraction]:
        """The distribution of the net result, from worst to best."""
        return dict(sorted(gathered((result.net, chance) for result, chance in self.results).items()))

    @property
    def edge(self) -> Fraction:
        """The house edge per unit staked, per wager made."""
        return -self.ev

    @property
    def edge_decided(self) -> Fraction | None:
        """The house edge per wager that wins or loses; None if none does."""
        decided = 1 - self.chance("void")
        kept = -sum((result.net * chance for result, chance in self.results if result.then != "void"), Fraction(0))
        return kept / decided if decided else None

    @property
    def edge_outlay(self) -> Fraction:
        """The house edge on stake and commission together, as public tables give it (reading CR-8)."""
        return self.edge / (1 + self.commission)

    @property
    def sd(self) -> float:
        """Standard deviation of the net result."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; zero if the result is constant."""
        return float(self.third_moment) / sqrt(self.variance) ** 3 if self.variance else 0.0


class Life(NamedTuple):
    """The endings of a wager from its start with their probabilities, and the number of throws it takes."""

    endings: Mapping[Ending, Fraction]
    rolls: Fraction
    rolls_variance: Fraction
    lengths: Lengths
    table_rolls: Fraction | None = None


def compute_figures(life: Life, results: Mapping[Decided, Fraction], commission: Fraction = Fraction(0)) -> Figures:
    """Compute the figures of a wager from the distribution of its results."""
    made = moments((result.net, chance) for result, chance in results.items())
    return Figures(
        results=tuple(sorted(results.items())),
        ev=made.mean,
        variance=made.variance,
        third_moment=made.third,
        rolls=life.rolls,
        rolls_variance=life.rolls_variance,
        lengths=life.lengths,
        commission=commission,
        table_rolls=life.table_rolls,
    )


class Lives:
    """The lives of the wagers of one game; solves each machine once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._solved: dict[tuple[str, Pick], _Solved] = {}
        self._lives: dict[tuple[str, Pick, str], Life] = {}

    def life(self, wager_id: str, pick: Pick, start: str) -> Life:
        """A wager from a state until it is decided. Results are odds to the unit, -1 and 0."""
        key = (wager_id, pick, start)
        if key not in self._lives:
            self._lives[key] = self._live(*key)
        return self._lives[key]

    def _live(self, wager_id: str, pick: Pick, start: str) -> Life:
        wager = self.game.wager(wager_id)
        if not wager.stands_alone and wager.can_be_called:
            return sleeping_behind(self.game, wager_id, pick)
        if (wager_id, pick) not in self._solved:
            self._solved[wager_id, pick] = _Solved(self.game, wager_id, pick)
        return self._solved[wager_id, pick].life(start)


class _Solved:
    def __init__(self, game: Game, wager_id: str, pick: Pick) -> None:
        self.chain = machine_chain(game.machine(wager_id, pick))
        self.endings = self.chain.endings()
        self.rolls = self.chain.rolls()
        self.table_rolls = table_rolls(game, wager_id, pick) if game.wager(wager_id).can_be_called else None

    def life(self, start: str) -> Life:
        mean, square = self.rolls[start]
        return Life(self.endings[start], mean, square - mean**2, self.chain.lengths({start: ONE}), self.table_rolls)


def table_rolls(game: Game, wager_id: str, pick: Pick) -> Fraction:
    """Throws of the table from its opening, including those the wager sleeps through (reading CR-13)."""
    whole = course(Plan(game, (Lot(wager_id, ONE, pick),), again=False))
    throws = solve(whole.chain.moves, {moment: {"": ONE} for moment in whole.chain.moves})
    return throws[whole.first][""]


def sleeping_behind(game: Game, wager_id: str, pick: Pick) -> Life:
    """A wager behind a flat one that may be decided while this one sleeps, which returns it (reading CR-9).

    The result depends on the table's state when the wager is made: here the flat wager is made as soon as the table
    allows it, and this one as soon as the flat wager is on the number picked.
    """
    wager = game.wager(wager_id)
    flat = wager.flat
    assert flat is not None, f"{wager_id} lies behind nothing"
    plan = Plan(game, (Lot(flat, ONE), Lot(wager_id, ONE, pick)), again=False)
    plan.holdings[1].leave_commission_aside()  # commission is applied later, as for every wager
    whole = course(plan)
    seen = watch(whole, 1, lambda moment: plan.is_active(1, moment))
    made = 1 - seen.at_once.get(None, Fraction(0))
    if not made:
        raise Impossible("never_made", f"{wager.name} {pick} can never be made.", wager.flat_clause)
    stands = {moment: {"": ONE} for moment in whole.chain.moves if 1 in plan.standing(moment)}
    table = solve(whole.chain.moves, stands)[whole.first].get("", Fraction(0))
    endings = gathered((decided_by(end), chance / made) for end, chance in seen.endings().items() if end is not None)
    rolls = seen.chain.rolls()
    mean = sum((chance * rolls[start][0] for start, chance in seen.starts.items()), Fraction(0)) / made
    square = sum((chance * rolls[start][1] for start, chance in seen.starts.items()), Fraction(0)) / made
    starts = {start: chance / made for start, chance in seen.starts.items()}
    never = 1 - sum(starts.values(), Fraction(0))  # returned before any throw on which it is active
    none = ((0, never),) if never else ()
    return Life(endings, mean, square - mean**2, none + seen.chain.lengths(starts), table / made)


def decided_by(result: Place) -> Ending:
    """Classify a result in money: above zero wins, below zero loses, zero is void."""
    assert isinstance(result, int | Fraction), "a course ends in results"
    return Ending("win" if result > 0 else "lose" if result < 0 else "void", Fraction(result))


# Results at a real stake: chips, rounding up, commission

PLAIN = schema.Results()


def valued(
    lives: Lives, wager_id: str, pick: Pick, start: str, staked: Staked | None, results: schema.Results = PLAIN
) -> Figures:
    """Return the figures of a wager at a stake; without a stake, exact and per unit."""
    life = lives.life(wager_id, pick, start)
    rate = commission_rate(lives.game, lives.game.wager(wager_id), pick, start)
    commission = rate if staked is None else staked.commission(rate)
    return worth(life, commission, results, staked)


def worth(life: Life, commission: Fraction, results: schema.Results = PLAIN, staked: Staked | None = None) -> Figures:
    """Return the figures of a life whose endings are valued by `results`."""
    paid = commission * Fraction(results.commission)
    if results.ends is not None:
        net = Fraction(results.lose if results.ends == "lose" else results.void) - paid
        now = Life({}, Fraction(0), Fraction(0), ())
        return compute_figures(now, {Decided(results.ends, net): Fraction(1)}, paid)
    decided = [
        (Decided(end.then, _value(end, results, staked) - (0 if end.then == "void" else paid)), chance)
        for end, chance in life.endings.items()
    ]
    return compute_figures(life, gathered(decided), paid)


def _value(ending: Ending, results: schema.Results, staked: Staked | None) -> Fraction:
    """The value of one ending. If the stake is split, the winning share earns its winnings and the rest is lost."""
    if ending.then == "lose":
        return Fraction(results.lose)
    if ending.then == "void":
        return Fraction(results.void)
    net = ending.net if staked is None else staked.winnings(ending.net)
    lost = 1 - ending.share
    part = Fraction(results.lose if results.part is None else results.part)
    return (net + lost) * Fraction(results.odds) + ending.share * Fraction(results.win) + lost * part


# Rival readings that no machine plays, computed beside the reading taken: commission, rounding, void throws, parts

# Studies count in chips, as the register does; at this chip a 5% commission never leaves a fraction of a cent.
CHIP_CENTS = 2400
VOID = Ending("void", Fraction(0))


def studied(lives: Lives, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures | None:
    """Return the figures under the rival reading; None if it does not affect the wager. Raises NeverDecided."""
    game, wager = lives.game, lives.game.wager(wager_id)
    if study.parts:
        return in_parts(game, study, wager_id, pick, start)
    if study.voids is not None:
        return with_voids(game, study.voids, wager_id, pick, start)
    if study.once:
        return commission_once(lives, wager_id, pick, start)
    if study.chips is None:
        return valued(lives, wager_id, pick, start, None, study.rival)
    exact = exact_unit(game, wager, pick, start)
    if exact == 1 or (study.rounded != "cent" and not wager.takes_commission):
        return None  # nothing is ever rounded
    return valued(lives, wager_id, pick, start, _staked(study, wager), study.rival)


def taken_instead(lives: Lives, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures:
    """Return the figures of the same situation under the reading taken."""
    staked = None
    if study.chips is not None and study.rounded != "cent":  # compare both readings at the same stake
        staked = msgspec.structs.replace(_staked(study, lives.game.wager(wager_id)), rounded="cent")
    return valued(lives, wager_id, pick, start, staked, study.taken)


def _staked(study: schema.Study, wager: schema.Wager) -> Staked:
    assert study.chips is not None, "this study has no stake in chips"
    chips = max(study.chips, wager.fewest_chips)
    return Staked(chips * CHIP_CENTS, CHIP_CENTS, study.rounded)


def commission_once(lives: Lives, wager_id: str, pick: Pick, start: str) -> Figures:
    """Charge commission once while the stake lies there, until it loses, so that each loss bears one (CR-6)."""
    game = lives.game
    rate = commission_rate(game, game.wager(wager_id), pick, start)
    life = lives.life(wager_id, pick, start)
    results = {
        Decided(ending.then, ending.net - (rate if ending.then == "lose" else 0)): chance
        for ending, chance in life.endings.items()
    }
    lost = sum((chance for ending, chance in life.endings.items() if ending.then == "lose"), Fraction(0))
    return compute_figures(life, results, rate * lost)  # the mean commission per decision


def with_voids(game: Game, voids: schema.VoidShare, wager_id: str, pick: Pick, start: str) -> Figures:
    """A share of all throws is void. States in `leaves` then return the stake; elsewhere nothing happens.

    Only valid throws are counted, so a player who leaves does so on entering a state, before its first valid throw.
    """
    share = Fraction(voids.share)
    plain = machine_chain(game.machine(wager_id, pick))
    if share == 1 and not voids.leaves:
        raise NeverDecided(f"every throw of {wager_id} is void")
    moves: dict[str, dict[str, Fraction]] = {}
    ends: dict[str, dict[Ending, Fraction]] = {}
    for state in plain.moves:
        moves[state], ends[state] = {}, dict(plain.ends[state])
        for to, chance in plain.moves[state].items():
            left = share if matches(tuple(voids.leaves), to) else Fraction(0)
            moves[state][to] = chance * (1 - left)
            if left:
                ends[state][VOID] = ends[state].get(VOID, Fraction(0)) + chance * left
    chain = Chain(moves, ends)
    mean, square = chain.rolls()[start]
    life = Life(chain.endings()[start], mean, square - mean**2, chain.lengths({start: Fraction(1)}))
    return worth(life, Fraction(0))


def in_parts(game: Game, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures:
    """Split the stake into parts, each decided by the rows of another wager, at the odds of this one."""
    odds = max(entry.odds for entry in game.machine(wager_id, pick).table[start])
    lots = tuple(Lot(part.wager, Fraction(part.share), part.pick) for part in study.parts)
    plan = Plan(game, lots, again=False)
    for holding in plan.holdings:
        holding.table = {state: _at(entries, odds) for state, entries in holding.table.items()}
    whole = course(plan)
    mean, square = whole.chain.rolls()[whole.first]
    endings = gathered(
        (decided_by(sum((part for part in results if isinstance(part, Fraction)), Fraction(0))), chance)
        for results, chance in whole.chain.endings()[whole.first].items()
    )
    # The parts are decided one by one; their total is the result, win or lose.
    results_in_all = {Decided(ending.then, ending.net): chance for ending, chance in endings.items()}
    life = Life(endings, mean, square - mean**2, whole.chain.lengths({whole.first: Fraction(1)}))
    return compute_figures(life, results_in_all)


def _at(entries: tuple[Entry, ...], odds: Fraction) -> tuple[Entry, ...]:
    """The same row with wins at other odds; shared entries stay shared."""
    changed = {id(entry): msgspec.structs.replace(entry, odds=odds) for entry in entries if entry.then == "win"}
    return tuple(changed.get(id(entry), entry) for entry in entries)
