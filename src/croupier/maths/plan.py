"""Several wagers of one player at one table, throw after throw: the product of their machines and the table's phases.

A plan is flat: each wager is made with its stake as soon as the book lets it be made. What it does not do is decide
anything: what a throw does is looked up in the compiled machines, and when a wager may be made, sleeps or lies behind
another is read from the book.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier.money import commission_cents, winnings_cents
from croupier.rules import offers
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick
from croupier.rules.picks import find_pick

Amount = int | Fraction

FREE = ""  # the wager is not made
Place = str | Amount | None  # the state of a standing wager, FREE, what it came to, or None: it was never made

# So many moments take about half a minute; plans that people hold have a few hundred.
MOST_MOMENTS = 20_000


def check_moments(count: int) -> None:
    """Refuse a plan that is too large to be followed. Raises Impossible."""
    if count > MOST_MOMENTS:
        say = f"These wagers can stand together in more than {MOST_MOMENTS:,} ways; take fewer of them at once."
        raise Impossible("too_many_moments", say)


def check_cents(plan: Plan) -> None:
    """Refuse to count money without chips. Raises Impossible."""
    if plan.chip_cents is None:
        raise Impossible("no_chip", "Money is counted in cents: the plan needs the smallest chip.")


class Lot(msgspec.Struct, frozen=True):
    """One wager of a plan. A Behind wager without a pick lies behind whichever number its flat wager is on.

    `times` players may hold it, each with that stake: they win and lose together, and each is paid apart.
    """

    wager: str
    stake: Amount
    pick: Pick = None
    times: int = 1


class Moment(NamedTuple):
    """What the table remembers, and where each wager of the plan is."""

    phases: tuple[str, ...]
    places: tuple[Place, ...]


class Holding:
    """A wager of the plan with its machine, what it costs and what each entry is worth to the player."""

    def __init__(self, game: Game, lot: Lot, chip_cents: int | None, flat: int | None) -> None:
        self.game = game
        self.lot = lot
        self.chip_cents = chip_cents
        self.flat = flat
        self.wager = game.wager(lot.wager)
        follows = lot.pick is None and not self.wager.stands_alone
        self.picks = game.book.picks(self.wager) if follows else [find_pick(game.book, self.wager, lot.pick)]
        self.table: dict[str, tuple[Entry, ...]] = {}
        for pick in self.picks:
            self.table.update(game.machine(lot.wager, pick).table)
        state = next(iter(self.table))
        self.commission = self._commission(offers.commission_rate(game, self.wager, self.picks[0], state))
        self.stakes = lot.times * lot.stake
        self.outlay = lot.times * (lot.stake + self.commission)

    def _commission(self, rate: Fraction) -> Amount:
        if self.chip_cents is None:
            return self.lot.stake * rate
        return commission_cents(int(self.lot.stake), rate)

    def leave_commission_aside(self) -> None:
        """Reckon the wager as if none were paid."""
        self.commission, self.outlay = 0, self.stakes

    def net(self, entry: Entry) -> Amount:
        """What a decision is worth: winnings or loss, and the commission that was paid for it."""
        if entry.then == "void":
            return 0
        if entry.then == "lose":
            return -self.outlay
        if self.chip_cents is None:
            return self.lot.times * (self.lot.stake * entry.odds - self.commission)
        won = winnings_cents(int(self.lot.stake), entry.odds, self.chip_cents)
        return self.lot.times * (won - self.commission)

    def start(self, phases: dict[str, str], flat_place: Place) -> str | None:
        """The state in which the wager would begin now; None where it may not be made."""
        for pick in self.picks:
            if not offers.may_be_made(self.wager, pick, phases):
                continue
            state = offers.start_state(self.wager, pick, phases)
            if state in self.table and (self.wager.stands_alone or flat_place == state):
                return state
        return None

    def is_asleep(self, phases: dict[str, str]) -> bool:
        """Whether the wager does not act on the next throw."""
        return offers.sleeps_now(self.wager, phases)


class Plan:
    """The wagers of one player at one table. With `chip_cents` stakes are cents and wins are rounded; else exact."""

    def __init__(self, game: Game, lots: tuple[Lot, ...], chip_cents: int | None = None, again: bool = True) -> None:
        """`again`: a decided wager is made anew; otherwise each wager is made once and its result kept."""
        self.game = game
        self.lots = lots
        self.chip_cents = chip_cents
        self.again = again
        self.holdings = [Holding(game, lot, chip_cents, _flat_of(game, lots, lot)) for lot in lots]
        self.phase_ids = _phases_of(game, self.holdings)
        self.machines = [game.book.phase_machines[phase] for phase in self.phase_ids]
        self.outcomes = len(game.book.outcomes)
        self.classes = self._classes()

    def _classes(self) -> list[tuple[int, int]]:
        """Outcomes that no wager and no phase of the plan tells apart: one of them, and how many they are."""
        rows = [row for holding in self.holdings for row in holding.table.values()]
        rows += [row for machine in self.machines for row in machine.table.values()]
        first: dict[tuple[int, ...], int] = {}
        count: Counter[int] = Counter()
        for outcome in range(self.outcomes):
            count[first.setdefault(tuple(id(row[outcome]) for row in rows), outcome)] += 1
        return list(count.items())

    def opening(self) -> Moment:
        """The table as it opens, before any wager."""
        starts = tuple(self.game.book.phases[phase].start for phase in self.phase_ids)
        return Moment(starts, (FREE,) * len(self.lots))

    def phases(self, moment: Moment) -> dict[str, str]:
        """What the table remembers, by name."""
        return dict(zip(self.phase_ids, moment.phases, strict=True))

    def start_of(self, place: int, moment: Moment) -> str | None:
        """The state in which a wager would begin now; None where it stands, is decided or may not be made."""
        if moment.places[place] != FREE or not isinstance(moment.places[place], str):
            return None
        holding = self.holdings[place]
        flat_place = None if holding.flat is None else moment.places[holding.flat]
        return holding.start(self.phases(moment), flat_place)

    def make(self, place: int, moment: Moment, start: str) -> Moment:
        """The moment after one wager is made."""
        return Moment(moment.phases, _replaced(moment.places, place, start))

    def make_all(self, moment: Moment) -> Moment:
        """The moment after every wager is made that may be."""
        for place in range(len(self.lots)):
            start = self.start_of(place, moment)
            if start is not None:
                moment = self.make(place, moment, start)
        return moment

    def standing(self, moment: Moment) -> list[int]:
        """Which wagers of the plan lie on the layout."""
        return [i for i, place in enumerate(moment.places) if isinstance(place, str) and place != FREE]

    def is_active(self, place: int, moment: Moment) -> bool:
        """Whether a wager stands and acts on the next throw."""
        state = moment.places[place]
        stands = isinstance(state, str) and state != FREE
        return stands and not self.holdings[place].is_asleep(self.phases(moment))

    def throw(self, moment: Moment, outcome: int) -> tuple[Moment, tuple[Amount | None, ...]]:
        """What one outcome does: the next moment, and what each wager decided by it came to."""
        phases = self.phases(moment)
        entries = [
            holding.table[place][outcome] if isinstance(place, str) and place != FREE else None
            for holding, place in zip(self.holdings, moment.places, strict=True)
        ]
        places: list[Place] = []
        results: list[Amount | None] = []
        for holding, place, entry in zip(self.holdings, moment.places, entries, strict=True):
            result = self._result(holding, phases, entry, entries)
            results.append(result)
            if entry is None:
                places.append(place)
            elif result is not None:
                places.append(FREE if self.again else result)
            else:
                places.append(place if holding.is_asleep(phases) else entry.next or place)
        moved = tuple(
            machine.table[state][outcome].next or state
            for machine, state in zip(self.machines, moment.phases, strict=True)
        )
        return Moment(moved, self._without_hope(places)), tuple(results)

    def _result(
        self, holding: Holding, phases: dict[str, str], entry: Entry | None, entries: list[Entry | None]
    ) -> Amount | None:
        """A sleeping Behind wager goes back when its flat wager is decided (reading CR-9); others sleep on."""
        if entry is None:
            return None
        if holding.is_asleep(phases):
            flat = None if holding.flat is None else entries[holding.flat]
            return 0 if flat is not None and flat.decides else None
        return holding.net(entry) if entry.decides else None

    def _without_hope(self, places: list[Place]) -> tuple[Place, ...]:
        """Where wagers are made once, a Behind wager whose flat wager is decided is never made any more."""
        for i, holding in enumerate(self.holdings):
            if holding.flat is not None and places[i] == FREE and isinstance(places[i], str):
                flat = places[holding.flat]
                if not isinstance(flat, str):
                    places[i] = None
        return tuple(places)

    def is_over(self, moment: Moment) -> bool:
        """Whether every wager of a plan that makes them once is decided, or will never be made."""
        return not any(isinstance(place, str) for place in moment.places)

    def steps(self, moment: Moment) -> Counter[tuple[Moment, tuple[Amount | None, ...]]]:
        """One throw and all that may then be made: how many outcomes lead where, with which results."""
        ways: Counter[tuple[Moment, tuple[Amount | None, ...]]] = Counter()
        for outcome, count in self.classes:
            after, results = self.throw(moment, outcome)
            ways[self.make_all(after), results] += count
        return ways


def _replaced(places: tuple[Place, ...], place: int, value: Place) -> tuple[Place, ...]:
    return (*places[:place], value, *places[place + 1 :])


def _flat_of(game: Game, lots: tuple[Lot, ...], lot: Lot) -> int | None:
    flat = game.wager(lot.wager).flat
    if flat is None:
        return None
    for i, other in enumerate(lots):
        if other.wager == flat:
            return i
    raise offers.flat_missing(game, game.wager(lot.wager))


def _phases_of(game: Game, holdings: list[Holding]) -> tuple[str, ...]:
    """The phases that the wagers of the plan ask about, in the order of the book."""
    asked: set[str] = set()
    for holding in holdings:
        for pick in holding.picks:
            asked.update(offers.phases_of(holding.wager, pick))
    return tuple(phase for phase in game.book.phases if phase in asked)
