"""Rival readings that no machine plays, computed beside the reading taken: commission, rounding, void throws, parts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.maths.chain import Chain, Ending, NeverDecided, machine_chain
from croupier.maths.figures import Decided, Figures, Life, Lives, decided_by, reckon
from croupier.maths.plan import Lot, Plan
from croupier.maths.together import course
from croupier.maths.worth import Staked, fewest_chips, valued, worth
from croupier.rules import schema
from croupier.rules.book import matches
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick
from croupier.rules.stakes import commission_rate, exact_unit

CHIP_CENTS = (
    100  # studies count in chips: any chip gives the same shares of a stake, as commission is exact to the cent
)


def studied(lives: Lives, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures | None:
    """The figures by the rival reading; None where it makes no difference to the wager. Raises NeverDecided."""
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
    if exact == 1 or (study.rounded != "cent" and wager.commission is None):
        return None  # nothing is ever rounded
    return valued(lives, wager_id, pick, start, _staked(study, wager), study.rival)


def taken_instead(lives: Lives, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures:
    """The same situation by the reading taken."""
    staked = None
    if study.chips is not None and study.rounded != "cent":  # both readings are compared at the same stake
        staked = msgspec.structs.replace(_staked(study, lives.game.wager(wager_id)), rounded="cent")
    return valued(lives, wager_id, pick, start, staked, study.taken)


def _staked(study: schema.Study, wager: schema.Wager) -> Staked:
    assert study.chips is not None, "this study is not about chips"
    chips = max(study.chips, fewest_chips(wager))
    return Staked(chips * CHIP_CENTS, CHIP_CENTS, study.rounded)


def commission_once(lives: Lives, wager_id: str, pick: Pick, start: str) -> Figures:
    """Commission once for as long as the stake lies there: until it loses, so that each loss bears one (CR-6)."""
    game = lives.game
    rate = commission_rate(game, game.wager(wager_id), pick, start)
    life = lives.life(wager_id, pick, start)
    endings = {
        Decided(then, net - (rate if then == "lose" else 0)): chance for (then, net), chance in life.endings.items()
    }
    return reckon(life._replace(endings=endings), rate)


def with_voids(game: Game, voids: schema.VoidShare, wager_id: str, pick: Pick, start: str) -> Figures:
    """A share of all throws is void. Where the player then leaves, the stake goes back; elsewhere nothing happens."""
    share = Fraction(voids.share)
    plain = machine_chain(game.machine(wager_id, pick))
    if share == 1 and not voids.leaves:
        raise NeverDecided(f"every throw of {wager_id} is void")
    left = {Ending("void", Fraction(0)): share}
    moves: dict[str, Mapping[str, Fraction]] = dict(plain.moves)
    ends: dict[str, Mapping[Ending, Fraction]] = dict(plain.ends)
    for state in plain.moves:
        if matches(tuple(voids.leaves), state):
            moves[state] = {to: chance * (1 - share) for to, chance in plain.moves[state].items()}
            ends[state] = {**{end: chance * (1 - share) for end, chance in plain.ends[state].items()}, **left}
    chain = Chain(moves, ends)
    mean, square = chain.rolls()[start]
    endings: dict[Decided, Fraction] = {}
    for (then, odds), chance in chain.endings()[start].items():
        result = Decided(then, odds if then == "win" else Fraction(-1 if then == "lose" else 0))
        endings[result] = endings.get(result, Fraction(0)) + chance
    return reckon(Life(endings, mean, square - mean**2, chain.lengths({start: Fraction(1)})))


def in_parts(game: Game, study: schema.Study, wager_id: str, pick: Pick, start: str) -> Figures:
    """The stake in parts, each decided by itself by the rows of another wager, at the odds of this one."""
    odds = max(entry.odds for entry in game.machine(wager_id, pick).table[start])
    lots = tuple(Lot(part.wager, Fraction(part.share), part.pick) for part in study.parts)
    plan = Plan(game, lots, again=False)
    for holding in plan.holdings:
        holding.table = {state: _at(entries, odds) for state, entries in holding.table.items()}
    whole = course(plan)
    mean, square = whole.chain.rolls()[whole.first]
    endings: dict[Decided, Fraction] = {}
    for results, chance in whole.chain.endings()[whole.first].items():
        result = decided_by(sum((part for part in results if isinstance(part, Fraction)), Fraction(0)))
        endings[result] = endings.get(result, Fraction(0)) + chance
    return worth(
        Life(endings, mean, square - mean**2, whole.chain.lengths({whole.first: Fraction(1)})),
        Fraction(0),
        schema.Results(),
    )


def _at(entries: tuple[Entry, ...], odds: Fraction) -> tuple[Entry, ...]:
    """The same row with wins at other odds; entries that were shared stay shared."""
    changed = {id(entry): msgspec.structs.replace(entry, odds=odds) for entry in entries if entry.then == "win"}
    return tuple(changed.get(id(entry), entry) for entry in entries)
