"""Random strategies for any of the books, at tables of all kinds: rules that work, rules that wait, rules that fail.

They are made to be refused now and then: stakes that no chips make up, limits that are too tight, wagers at the wrong
moment, Behind bets with nothing in front. `features` says what a strategy met, so that a test can check that nothing is
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from random import Random
from typing import Literal

from hypothesis import strategies as st

from croupier.rules import schema
from croupier.rules.book import shown_value
from croupier.rules.game import Game, Terms, choice_id
from croupier.rules.machine import Pick
from croupier.rules.offers import exact_unit
from croupier.simulation.reference.player import Turn
from croupier.simulation.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Comparison,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Hits,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Spots,
    Stake,
    Stop,
    Strategy,
    Streak,
    Subject,
    Take,
    TimesSpot,
)
from croupier.table import events
from croupier.table.commands import Limit, Settings
from croupier.table.placing import limit_for, selection_name
from tests.same_dice import Case, Played, Witness
from tests.tables import BOOKS, SHELF

COMPARISONS: list[Comparison] = ["is", "is not", "at least", "at most", "above", "below"]
FACTORS = [Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2), Fraction(10), Fraction(1, 3)]
CHIPS = [1, 1, 2, 3, 5, 6, 10, 12, 20, 60]

# What makes a wager more than a stake on a result; what a strategy may be about.
KINDS = ("behind", "travels", "sleeps", "commission", "multiple", "fixed_stake", "sole", "start_by")
# Strategies about any wagers; about stakes that move with decisions; about when and how the player leaves. In the last
# two little else goes on, so that what they are about is not lost among refusals.
ANY, MOVING, LEAVING = "any", "moving", "leaving"


def themes(book: str) -> list[str]:
    """What strategies at a book may be about; anything that concerns the same wagers is one theme."""
    wagers = SHELF.book(book).rules.wagers
    about = {tuple(wager.id for wager in wagers if getattr(wager, kind)): kind for kind in reversed(KINDS)}
    return [*(kind for ids, kind in about.items() if ids), ANY, ANY, MOVING, LEAVING]


def cases() -> st.SearchStrategy[Case]:
    """Strategies at all books, as a Hypothesis search strategy."""
    about = st.sampled_from([(book, theme) for book in BOOKS for theme in themes(book)])
    return st.builds(lambda rnd, where: made(rnd, *where), st.randoms(use_true_random=False), about)


def made(rnd: Random, book: str, theme: str) -> Case:
    """A strategy with its table and its bankroll; in about half of all cases chips never run out."""
    terms = _terms(rnd, book)
    game = SHELF.game(terms)
    wagers = _wagers(rnd, game, theme)
    table = _settings(rnd, game, wagers)
    maker = Maker(rnd, game, table, wagers, theme, purse=rnd.random() < 0.5)
    strategy = maker.strategy()
    return Case(terms, table, strategy, _bankroll(rnd, table, strategy, theme) if maker.purse else None)


def _bankroll(rnd: Random, table: Settings, strategy: Strategy, theme: str) -> int:
    """Any bankroll; now and then one that is gone after the first throws."""
    if rnd.random() < (0.6 if theme == LEAVING else 0.2):
        stakes = [
            rule.stake.cents for rule in strategy.rules if isinstance(rule, Bet) and isinstance(rule.stake, Fixed)
        ]
        return rnd.randint(1, 3) * (rnd.choice(stakes) if stakes else table.chip)
    return rnd.randint(1, rnd.choice([20, 200, 1000, 10**6])) * table.chip + rnd.choice([0, 0, 0, 7])


def _terms(rnd: Random, book: str) -> Terms:
    """A book under any of its approved pay tables."""
    table = SHELF.book(book).rules.pay_table
    return Terms(book, tuple((choice_id(choice), rnd.choice(list(choice.options))) for choice in table.choices))


def _wagers(rnd: Random, game: Game, theme: str) -> list[schema.Wager]:
    """One to four kinds of wagers: first those that the strategy is about, each after the wager that it goes behind."""
    every = {wager.id: wager for wager in game.book.rules.wagers}
    about = [wager.id for wager in every.values() if _is_about(game, wager, theme)]
    few = rnd.randint(1, 2) if theme == LEAVING else rnd.randint(0, 2)
    named = rnd.sample(about, rnd.randint(1, min(2, len(about)))) + rnd.sample(list(every), few)
    flats = [behind.flat for wager in named if (behind := every[wager].behind) is not None]
    return [every[wager] for wager in dict.fromkeys([*flats, *named])]


def _is_about(game: Game, wager: schema.Wager, theme: str) -> bool:
    """Whether a wager suits the theme: a player who leaves has to wait for locked wagers, or for those that outlast
    a throw."""
    if theme == LEAVING and any(other.take for other in game.book.rules.wagers):
        return bool(wager.take)
    if theme == LEAVING:
        machine = game.machine(wager.id, game.book.picks(wager)[0])
        return not all(entry.decides for row in machine.table.values() for entry in row)
    return theme in (ANY, MOVING) or bool(getattr(wager, theme))


def _settings(rnd: Random, game: Game, wagers: list[schema.Wager]) -> Settings:
    """A table: its chip, its limits for all wagers, for one kind or for one selection, its units, its fixed stakes."""
    chip = rnd.choice([100, 100, 100, 25, 50, 500, 1])

    def limit() -> Limit:
        low = chip * rnd.choice([2, 5, 10]) if rnd.random() < 0.2 else None
        high = chip * rnd.choice([10, 12, 30]) if rnd.random() < 0.3 else None
        return Limit(low, high)

    own = rnd.choice(wagers)
    selection = selection_name(own.id, rnd.choice([None, *game.book.picks(own)]))
    fixed = [wager.fixed_stake.option for wager in wagers if wager.fixed_stake is not None]
    return Settings(
        chip=chip,
        limit=limit(),
        wager_limits={selection: limit()} if rnd.random() < 0.2 else {},
        exact_units=rnd.random() < 0.2,
        fixed_stakes={option: chip * rnd.randint(1, 20) for option in fixed if rnd.random() < 0.5},
    )


class Maker:
    """Makes the parts of a strategy for one table.

    `spots` are where its wagers can be made, `all_spots` also those to which they travel.
    """

    def __init__(
        self, rnd: Random, game: Game, settings: Settings, wagers: list[schema.Wager], theme: str, purse: bool
    ) -> None:
        self.rnd = rnd
        self.game = game
        self.theme = theme
        self.settings = settings
        self.purse = purse
        self.progressions: list[Progression] = []
        self.has_shooters = game.book.rules.thrower is not None and game.book.rules.thrower.passes is not None
        self.spots = [Spot(wager.id, pick) for wager in wagers for pick in self._picks(wager)]
        self.all_spots = [*self.spots, *(spot for wager in wagers for spot in self._travelled(wager))]

    def strategy(self) -> Strategy:
        """Bets that are made whenever possible, so that something happens; then what one of them is about; then any
        rules."""
        rnd = self.rnd
        staked = self.moving_spots()
        self.progressions = [self.progression(number, staked[number]) for number in range(len(staked))]
        moving = {spot: number for number, spots in enumerate(staked) for spot in spots}
        plain: list[Rule] = [
            Bet(1, spot, self.moving_stake(moving[spot]) if spot in moving else self.plain_stake(spot), self.rarely())
            for spot in self.spots
            if spot in moving or spot == self.spots[0] or self.often(0.7)
        ]
        if self.theme in (MOVING, LEAVING):
            rules = [*plain, *(self.rule(4) for _ in range(rnd.choice([0, 0, 1])))]
        else:
            about = self.about_one(rnd.choice(self.spots[:2]))
            rules = [*plain, *about] if self.often(0.5) else [*about, *plain]
            rules += [self.rule(number) for number in range(4, 4 + rnd.randint(1, 4))]
        if self.often(0.3):
            rnd.shuffle(rules)
        return Strategy("made", "", self.settings.chip, tuple(rules), tuple(self.progressions), self.stop())

    def moving_spots(self) -> list[list[Spot]]:
        """For each progression the spots that stake from it."""
        free = [spot for spot in self.spots if self.game.wager(spot.wager).fixed_stake is None]
        if self.theme == MOVING and free:
            cut = self.rnd.randint(0, len(free))
            return [spots for spots in (free[:cut], free[cut:]) if spots]
        return [[spot] for spot in self.rnd.sample(free, min(self.rnd.choice([0, 0, 0, 1, 1, 2]), len(free)))]

    def often(self, chance: float) -> bool:
        return self.rnd.random() < chance

    def _picks(self, wager: schema.Wager) -> list[Pick]:
        picks = self.game.book.picks(wager)
        return self.rnd.sample(picks, self.rnd.randint(1, min(3, len(picks))))

    def _travelled(self, wager: schema.Wager) -> Iterator[Spot]:
        if wager.travels is not None:
            numbers = (shown_value(wager.travels, state) for state in self.game.machine(wager.id, None).table)
            yield from (Spot(wager.id, number) for number in numbers if number is not None)

    def _flat_of(self, spot: Spot) -> str | None:
        behind = self.game.wager(spot.wager).behind
        return None if behind is None else behind.flat

    # Amounts and stakes

    def amount(self) -> int:
        """So many chips; now and then an amount that no chips make up."""
        cents = self.settings.chip * self.rnd.choice(CHIPS)
        return cents + (self.rnd.choice([1, self.settings.chip // 2]) if self.often(0.1) else 0)

    def unit_of(self, spot: Spot) -> int:
        """The smallest amount that every unit of the wager divides."""
        wager = self.game.wager(spot.wager)
        machine = self.game.machine(spot.wager, spot.pick)
        unit = exact_unit(self.game, wager, spot.pick, (*machine.starts, *machine.table)[0])
        return self.settings.chip * lcm(unit, wager.multiple.chips if wager.multiple else 1)

    def plain_stake(self, spot: Spot) -> Stake:
        """A stake that is mostly accepted."""
        wager = self.game.wager(spot.wager)
        if wager.fixed_stake is not None or (wager.behind is not None and self.often(0.5)):
            return Most()
        return Fixed(self.unit_of(spot) * self.rnd.randint(1, 3))

    def moving_stake(self, number: int) -> Stake:
        return FromProgression(self.rnd.choice([Fraction(1), Fraction(1), Fraction(2)]), number)

    def stake(self, spot: Spot) -> Stake:
        rnd, wager = self.rnd, self.game.wager(spot.wager)
        kind = rnd.choice(["plain", "fixed", "times", "times", "most", "progression", "share", "share"])
        if kind == "times":
            flat = wager.behind and Spot(wager.behind.flat, spot.pick)
            return TimesSpot(rnd.choice(FACTORS), flat if flat and self.often(0.7) else rnd.choice(self.all_spots))
        if kind == "most" and (self.purse or wager.behind or wager.fixed_stake or self._has_maximum(spot)):
            return Most()
        if kind == "progression" and self.progressions:
            return FromProgression(rnd.choice(FACTORS), rnd.randrange(len(self.progressions)))
        if kind == "share" and self.purse:
            return ShareOfChips(Fraction(rnd.choice([1, 2, 10, 50, 100]), 100))
        return self.plain_stake(spot) if kind == "plain" else Fixed(self.amount())

    def _has_maximum(self, spot: Spot) -> bool:
        return limit_for(self.settings, spot.wager, None, spot.pick).maximum is not None

    # Conditions

    def some_spots(self) -> Spots:
        return tuple(self.rnd.sample(self.all_spots, self.rnd.randint(1, min(4, len(self.all_spots)))))

    def subject(self) -> Subject:
        kinds: list[Callable[[], Subject]] = [
            *(lambda: Count(self.some_spots()), lambda: Hits(self.some_spots())),
            *(lambda: Streak(self.some_spots(), True), lambda: Streak(self.some_spots(), False)),
            *(Rolls, Net),
        ]
        kinds += [ShooterRolls, Shooters] if self.has_shooters else []
        kinds += [Chips] if self.purse else []
        return self.rnd.choice(kinds)()

    def condition(self) -> Condition:
        rnd, book = self.rnd, self.game.book
        kind = rnd.choice(["phase", "result", "compare", "compare", "compare"])
        if kind == "phase" and book.phases:
            phase = rnd.choice(list(book.phases))
            states = list(book.phase_machines[phase].table)
            return PhaseIs(phase, frozenset(rnd.sample(states, rnd.randint(1, len(states)))))
        if kind == "result":
            first, step = rnd.randrange(len(book.outcomes)), rnd.choice([1, 2, 3, 5])
            return ResultIs(frozenset(range(rnd.choice([0, first]), len(book.outcomes), step)))
        subject = self.subject()
        value = rnd.randint(-1, 4)
        if isinstance(subject, Net | Chips):
            value = rnd.randint(-20, 60) * self.settings.chip
        return Compare(subject, rnd.choice(COMPARISONS), value)

    def rarely(self) -> Guard:
        """A condition for a bet that should be made often: usually none."""
        return self.guard() if self.often(0.3) and self.theme not in (MOVING, LEAVING) else Guard()

    def guard(self) -> Guard:
        some = [self.condition() for _ in range(self.rnd.choice([0, 0, 1, 1, 2]))]
        cut = self.rnd.randint(0, len(some))
        return Guard(tuple(some[:cut]), tuple(some[cut:]))

    # Rules, progressions, when to leave

    def rule(self, number: int) -> Rule:
        rnd = self.rnd
        kind = rnd.choice(["bet", "bet", "bet", "take", "call"])
        if kind == "bet":
            return self.bet(number)
        spot = rnd.choice(self.all_spots)
        if kind == "take":
            return Take(number, spot, self.guard(), self.amount() if self.often(0.4) else 0)
        sleepers = [spot for spot in self.all_spots if self.game.wager(spot.wager).sleeps]
        if sleepers and self.often(0.8):
            spot = rnd.choice(sleepers)
        return Call(number, spot, self.often(0.5), self.guard())

    def about_one(self, spot: Spot) -> list[Rule]:
        """Rules that exercise what is special about one wager: all at once would interfere with each other."""
        rnd, wager = self.rnd, self.game.wager(spot.wager)
        guard = Guard((self.condition(),)) if self.often(0.5) else Guard()
        behind = [other for other in self.spots if self._flat_of(other) == spot.wager]
        times, insist, at_most = TimesSpot(rnd.choice(FACTORS), spot), self.often(0.5), None if self.purse else 3
        pieces: list[list[Rule]] = [
            [],
            [Bet(2, spot, times, guard, adds=True, insist=insist, at_most=at_most)],
            [Bet(2, spot, Fixed(12 * self.settings.chip)), Take(3, spot, guard, 6 * self.settings.chip)],
        ]
        if not wager.adds_up:
            pieces.append([Bet(2, spot, Fixed(60 * self.settings.chip), guard, adds=True, insist=True)])
        if wager.sleeps:
            pieces += [[Call(2, spot, on, guard), Call(3, spot, not on, self.guard())] for on in (True, False)]
        if behind:
            other = rnd.choice(behind)
            flat = Spot(spot.wager, other.pick)  # on its number, where it has travelled there
            something = Compare(Count((other,)), "at least", 1)
            chip, multiple = self.settings.chip, TimesSpot(rnd.choice(FACTORS), flat)
            ten: Rule = Bet(2, spot, Fixed(10 * chip))
            lays: list[Rule] = [Bet(2, other, stake, guard, or_less=self.often(0.5)) for stake in (multiple, Most())]
            takes: list[Rule] = [Take(3, flat, Guard((something,)), leave) for leave in (0, 5 * chip, self.amount())]
            pieces += [[ten, lay, take] for lay in lays for take in takes] * 2
        if wager.place or wager.behind or wager.sole:
            pieces += [[Bet(2, other, self.plain_stake(other), guard, insist=True) for other in self.spots]] * 2
        return rnd.choice(pieces)

    def bet(self, number: int) -> Bet:
        spot = self.rnd.choice(self.spots)
        stake = self.stake(spot)
        per: Literal["shooter", "session"] = "shooter" if self.has_shooters and self.often(0.5) else "session"
        at_most = self.rnd.randint(1, 3) if self.often(0.2) else None
        if isinstance(stake, TimesSpot) and not self.purse:  # or it might grow beyond what can be counted
            at_most, per = self.rnd.randint(1, 3), "session"
        return Bet(
            rule=number,
            spot=spot,
            stake=stake,
            guard=self.guard(),
            adds=(isinstance(stake, TimesSpot) and stake.spot == spot) or self.often(0.35),
            or_less=self.often(0.35),
            insist=self.often(0.35),
            at_most=at_most,
            per=per,
        )

    def progression(self, number: int, staked: list[Spot]) -> Progression:
        """A progression that moves with the spots that stake from it, and is mostly at a stage that can be laid
        there."""
        rnd, unit = self.rnd, lcm(*(self.unit_of(spot) for spot in staked))
        anew = self.has_shooters and self.often(0.3)
        wagers = {spot.wager for spot in staked}
        also = [spot for spot in self.all_spots if spot.wager in wagers and self.often(0.7)]
        of = tuple(dict.fromkeys((*staked, *also, *(self.some_spots() if self.often(0.2) else ()))))

        def amount() -> int:
            return unit * rnd.randint(1, 4) if self.often(0.8) else self.amount()

        if self.often(0.5):
            moves = [Move("next"), Move("next"), Move("back"), Move("back", Fraction(2)), Move("first"), Move("stay")]
            steps = tuple(amount() for _ in range(rnd.randint(1, 4)))
            win, loss = rnd.choice(moves), rnd.choice(moves)
            return Progression(str(number), of, win, loss, steps, rnd.choice(["first", "stay"]), per_shooter=anew)
        moves = [Move("first"), Move("stay"), *(Move("add", Fraction(unit * by)) for by in (1, 2, -1))]
        moves += [Move("times", by) for by in (Fraction(2), Fraction(3, 2), Fraction(1, 2))]
        shares = [Move("add_won", share) for share in (Fraction(1), Fraction(1, 2), Fraction(1, 4))]
        least = rnd.choice([0, 0, self.settings.chip, unit])
        start = max(amount(), least)
        most = start + unit * rnd.randint(0, 8)
        win, loss = rnd.choice(moves + shares), rnd.choice(moves)
        return Progression(str(number), of, win, loss, start=start, least=least, most=most, per_shooter=anew)

    def stop(self) -> Stop:
        rnd, chip = self.rnd, self.settings.chip
        if self.theme == LEAVING:
            return self.one_reason()
        if self.often(0.9 if self.theme == MOVING else 0.4):
            return Stop()
        return Stop(
            win=chip * rnd.randint(1, 60) if self.often(0.4) else None,
            loss=chip * rnd.randint(1, 60) if self.often(0.4) else None,
            shooters=rnd.randint(1, 4) if self.has_shooters and self.often(0.4) else None,
            rolls=rnd.randint(1, 45) if self.often(0.4) else None,
            when_decided=self.often(0.5),
        )

    def one_reason(self) -> Stop:
        """A reason to leave that comes soon, but not so soon that nothing else could have been bet."""
        rnd, decided = self.rnd, self.often(0.5)
        much = self.settings.chip * rnd.choice([1, 2, 6, 20])
        stops = [Stop(win=much, when_decided=decided), Stop(loss=much, when_decided=decided)]
        stops += [Stop(rolls=rnd.randint(1, 12), when_decided=decided)]
        stops += [Stop(shooters=rnd.randint(1, 3), when_decided=decided)] if self.has_shooters else []
        return rnd.choice(stops)


# What a strategy met


def features(case: Case, played: Iterable[Played], witness: Witness) -> set[str]:
    """What happened to a strategy at real tables: what it bet, took down and called, and how the table responded."""
    game = SHELF.game(case.terms)
    sessions = list(played)
    found = set(witness.noted)
    found |= {f"refused {code}" for each in sessions for _, code, _ in each.refused}
    found |= {f"ended {each.ended}" for each in sessions}
    for place in witness.done:
        found |= set(_of_rule(case.strategy.rules[place]))
    stood = {spot for each in sessions for seen in each.seen for spot in seen.standing}
    for spot in stood:
        found |= set(_of_spot(game.wager(spot.wager), spot))
    for turn in witness.turns:
        found |= set(_of_turn(game, turn))
    return found


def _of_rule(rule: Rule) -> Iterator[str]:
    """The effects of a rule that was carried out at least once."""
    for condition in rule.guard.conditions:
        subject = condition.subject if isinstance(condition, Compare) else condition
        yield f"asked for {type(subject).__name__}"
    match rule:
        case Bet():
            yield f"staked {type(rule.stake).__name__}"
            yield from (name for name in ("adds", "or_less", "insist", "at_most") if getattr(rule, name))
        case Take():
            yield "taken down to something" if rule.leave else "taken down"
        case Call():
            yield "called On" if rule.on else "called Off"


def _of_spot(wager: schema.Wager, spot: Spot) -> Iterator[str]:
    for kind in ("sleeps", "behind", "commission", "multiple", "fixed_stake", "sole", "take", "place", "start_by"):
        if getattr(wager, kind):
            yield f"stood {kind}"
    if wager.travels is not None:
        yield "stood in its box" if spot.pick is None else "stood on a number it travelled to"


def _of_turn(game: Game, turn: Turn) -> Iterator[str]:
    reduced = [event for event in turn.events if isinstance(event, events.WagerReduced)]
    for one, other in pairwise(reduced):
        behind = game.wager(other.wager).behind
        if behind is not None and behind.flat == one.wager:
            yield "shrank behind what was taken" if other.stake else "went with what was taken"
    for event in turn.events:
        if isinstance(event, events.AreaSettled) and event.result == "void":
            yield "went back asleep" if game.wager(event.wager).sleeps else "went back"
