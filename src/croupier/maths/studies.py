"""Rival readings that no machine plays, computed beside the reading taken: commission, rounding, void throws, parts."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.maths.chain import Chain, Ending, NeverDecided, machine_chain
from croupier.maths.combination import course
from croupier.maths.figures import Decided, Figures, Life, Lives, Staked, compute_figures, decided_by, valued, worth
from croupier.maths.plan import Lot, Plan
from croupier.rules import schema
from croupier.rules.book import matches
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick
from croupier.rules.offers import commission_rate, exact_unit

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
    assert study.chips is not None, "this study is not about chips"
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
    endings: dict[Ending, Fraction] = {}
    for results, chance in whole.chain.endings()[whole.first].items():
        ending = decided_by(sum((part for part in results if isinstance(part, Fraction)), Fraction(0)))
        endings[ending] = endings.get(ending, Fraction(0)) + chance
    # The parts are decided one by one; their total is the result, win or lose.
    results_in_all = {Decided(ending.then, ending.net): chance for ending, chance in endings.items()}
    life = Life(endings, mean, square - mean**2, whole.chain.lengths({whole.first: Fraction(1)}))
    return compute_figures(life, results_in_all)


def _at(entries: tuple[Entry, ...], odds: Fraction) -> tuple[Entry, ...]:
    """The same row with wins at other odds; shared entries stay shared."""
    changed = {id(entry): msgspec.structs.replace(entry, odds=odds) for entry in entries if entry.then == "win"}
    return tuple(changed.get(id(entry), entry) for entry in entries)
