"""Several wagers of one player at one table: the product of their machines and the table's phases.

A plan is flat: each wager is made at its stake as soon as the book allows it. This module decides nothing itself: it
looks up the effect of a throw in the compiled machines, and the book says when a wager may be made, sleeps or lies
behind another. `read_lots` reads a plan from text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from croupier.money import (
    MoneyError,
    commission_cents,
    format_cents,
    parse_cents,
    round_down_to_chip,
    round_up_to_chip,
    winnings_cents,
)
from croupier.rules import offers, schema
from croupier.rules.book import find_pick, find_wager
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick, show_pick, typed_pick

Amount = int | Fraction

FREE = ""  # the wager is not made
Place = str | Amount | None  # the state of a wager on the layout, FREE, its result, or None if it was never made

# This many moments take about half a minute; typical plans have a few hundred.
MOST_MOMENTS = 20_000


def check_moments(count: int) -> None:
    """Refuse a plan with too many moments to analyse. Raises Impossible."""
    if count > MOST_MOMENTS:
        say = f"These wagers can be in more than {MOST_MOMENTS:,} combined states; analyse fewer at once."
        raise Impossible("too_many_moments", say)


def check_cents(plan: Plan) -> None:
    """Refuse a plan in cents that does not name the smallest chip. Raises Impossible."""
    if plan.chip_cents is None:
        raise Impossible("no_chip", "Money is counted in cents: the plan needs the smallest chip.")


class Lot(msgspec.Struct, frozen=True):
    """One wager of a plan. A Behind wager without a pick follows the number of its flat wager.

    `times` players may hold it, each with that stake: they win and lose together, and each is paid separately.
    """

    wager: str
    stake: Amount
    pick: Pick = None
    times: int = 1


class Moment(NamedTuple):
    """The state of the table's phases and of each wager in the plan."""

    phases: tuple[str, ...]
    places: tuple[Place, ...]


# Outcomes of a throw by the next moment and the result of each wager that it decides.
Ways = Counter[tuple[Moment, tuple[Amount | None, ...]]]


class Holding:
    """A wager of the plan with its machine, its cost, and the value of each entry to the player."""

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
        """Treat the wager as free of commission."""
        self.commission, self.outlay = 0, self.stakes

    def net(self, entry: Entry) -> Amount:
        """The net result of a decision: winnings or loss, less the commission paid."""
        if entry.then == "void":
            return 0
        if entry.then == "lose":
            return -self.outlay
        if self.chip_cents is None:
            return self.lot.times * (self.lot.stake * entry.odds - self.commission)
        won = winnings_cents(int(self.lot.stake), entry.odds, self.chip_cents)
        return self.lot.times * (won - self.commission)

    def start(self, phases: dict[str, str], flat_place: Place) -> str | None:
        """The state in which the wager would begin now; None if it may not be made."""
        for pick in self.picks:
            if not offers.may_be_made(self.wager, pick, phases):
                continue
            state = offers.start_state(self.wager, pick, phases)
            if state in self.table and (self.wager.stands_alone or flat_place == state):
                return state
        return None

    def is_asleep(self, phases: dict[str, str]) -> bool:
        """Whether the wager is off for the next throw."""
        return offers.sleeps_now(self.wager, phases)


class Plan:
    """The wagers of one player at one table. With `chip_cents`, stakes are in cents and wins rounded; else exact."""

    def __init__(self, game: Game, lots: tuple[Lot, ...], chip_cents: int | None = None, again: bool = True) -> None:
        """With `again`, a decided wager is made again; otherwise each wager is made once and its result kept."""
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
        """Group outcomes that no wager or phase of the plan distinguishes: a representative and the group's size."""
        rows = [row for holding in self.holdings for row in holding.table.values()]
        rows += [row for machine in self.machines for row in machine.table.values()]
        first: dict[tuple[int, ...], int] = {}
        count: Counter[int] = Counter()
        for outcome in range(self.outcomes):
            count[first.setdefault(tuple(id(row[outcome]) for row in rows), outcome)] += 1
        return list(count.items())

    def opening(self) -> Moment:
        """The moment when the table opens, before any wager."""
        starts = tuple(self.game.book.phases[phase].start for phase in self.phase_ids)
        return Moment(starts, (FREE,) * len(self.lots))

    def phases(self, moment: Moment) -> dict[str, str]:
        """The state of each phase, by name."""
        return dict(zip(self.phase_ids, moment.phases, strict=True))

    def start_of(self, place: int, moment: Moment) -> str | None:
        """The state in which a wager would begin now; None if it is on the layout, decided or may not be made."""
        if moment.places[place] != FREE or not isinstance(moment.places[place], str):
            return None
        holding = self.holdings[place]
        flat_place = None if holding.flat is None else moment.places[holding.flat]
        return holding.start(self.phases(moment), flat_place)

    def make(self, place: int, moment: Moment, start: str) -> Moment:
        """The moment after one wager is made."""
        return Moment(moment.phases, _replaced(moment.places, place, start))

    def make_all(self, moment: Moment) -> Moment:
        """The moment after making every wager that may be made."""
        for place in range(len(self.lots)):
            start = self.start_of(place, moment)
            if start is not None:
                moment = self.make(place, moment, start)
        return moment

    def standing(self, moment: Moment) -> list[int]:
        """Indices of the wagers that lie on the layout."""
        return [i for i, place in enumerate(moment.places) if isinstance(place, str) and place != FREE]

    def is_active(self, place: int, moment: Moment) -> bool:
        """Whether a wager is on the layout and acts on the next throw."""
        state = moment.places[place]
        stands = isinstance(state, str) and state != FREE
        return stands and not self.holdings[place].is_asleep(self.phases(moment))

    def throw(self, moment: Moment, outcome: int) -> tuple[Moment, tuple[Amount | None, ...]]:
        """Apply one outcome: return the next moment and the result of each wager it decides."""
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
        """The result of a wager if this throw decides it, else None.

        A sleeping Behind wager is returned when its flat wager is decided (reading CR-9); others keep sleeping.
        """
        if entry is None:
            return None
        if holding.is_asleep(phases):
            flat = None if holding.flat is None else entries[holding.flat]
            return 0 if flat is not None and flat.decides else None
        return holding.net(entry) if entry.decides else None

    def _without_hope(self, places: list[Place]) -> tuple[Place, ...]:
        """In make-once plans, drop a Behind wager whose flat wager is decided: it can never be made."""
        for i, holding in enumerate(self.holdings):
            if holding.flat is not None and places[i] == FREE and isinstance(places[i], str):
                flat = places[holding.flat]
                if not isinstance(flat, str):
                    places[i] = None
        return tuple(places)

    def is_over(self, moment: Moment) -> bool:
        """Whether every wager of a make-once plan is decided or can never be made."""
        return not any(isinstance(place, str) for place in moment.places)

    def steps(self, moment: Moment) -> Ways:
        """One throw and every wager then made: the number of outcomes for each next moment and results."""
        ways: Ways = Counter()
        for outcome, count in self.classes:
            after, results = self.throw(moment, outcome)
            ways[self.make_all(after), results] += count
        return ways

    def all_steps(self) -> dict[Moment, Ways]:
        """One throw from every moment that can be reached, until every wager is decided. Raises Impossible."""
        found = [self.make_all(self.opening())]
        steps: dict[Moment, Ways] = {}
        for moment in found:
            if moment not in steps and not self.is_over(moment):
                steps[moment] = self.steps(moment)
                found += [after for after, _ in steps[moment]]
                check_moments(len(steps))
        return steps


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
    """The phases that the plan's wagers depend on, in the book's order."""
    asked: set[str] = set()
    for holding in holdings:
        for pick in holding.picks:
            asked.update(offers.phases_of(holding.wager, pick))
    return tuple(phase for phase in game.book.phases if phase in asked)


# -- stakes ------------------------------------------------------------------------------------------------------------

Rounded = Literal["cent", "up", "down"]


class Staked(msgspec.Struct, frozen=True):
    """A stake and the smallest chip, in cents, and how commission is rounded (reading CR-8: exact to the cent)."""

    stake: int
    chip: int
    rounded: Rounded = "cent"

    def winnings(self, odds: Fraction) -> Fraction:
        """The winnings per unit staked, rounded up to the chip (reading X-2)."""
        return Fraction(winnings_cents(self.stake, odds, self.chip), self.stake)

    def commission(self, rate: Fraction) -> Fraction:
        """The commission per unit staked."""
        cents = commission_cents(self.stake, rate)
        if self.rounded == "up":
            cents = round_up_to_chip(cents, self.chip)
        elif self.rounded == "down":
            cents = round_down_to_chip(cents, self.chip)
        return Fraction(cents, self.stake)


def check_stake(book_limits: schema.Limits, wager: schema.Wager, staked: Staked) -> None:
    """Refuse a stake that cannot be laid. Raises Impossible."""
    if staked.stake <= 0:
        raise Impossible("amount_not_positive", "A stake must be more than zero.", book_limits.chips)
    offers.check_laid(book_limits, wager, staked.stake, staked.stake, staked.chip)


# -- a plan in writing: `win_line 10.00`, `place_to_win 6 12.00` -------------------------------------------------------

BETWEEN = "+"
MOST = "max"
LONGEST_PICK = 40
MOST_CENTS = 10**14  # above this, figures do not fit on a line

Named = tuple[str, Pick]

_PLAYERS = re.compile(r"(?P<plan>.*\S)\s+[x×](?P<players>[0-9]+)\s*")


def read_lots(game: Game, words: Sequence[str], chip_cents: int) -> tuple[Lot, ...]:
    """Read the wagers of one player, in the order named; `+` may join several. Raises Impossible.

    A wager and pick named twice adds up, as chips do on the layout. `max` means the most that may lie behind a wager.
    """
    if chip_cents <= 0:
        say = "The smallest chip must be worth more than zero."
        raise Impossible("chip_not_positive", say, game.book.rules.limits.chips)
    asked = [_asked(game, part) for text in words for part in text.split(BETWEEN)]
    stakes: Counter[Named] = Counter()
    for named, amount in asked:
        _check_once(game, stakes, named)
        stakes[named] += 0 if amount == MOST else read_amount(amount, game.book.rules.limits.chips)
    for named, amount in asked:
        if amount == MOST:
            stakes[named] += _most_behind(game, stakes, named, chip_cents)
    lots = tuple(Lot(wager_id, stake, pick) for (wager_id, pick), stake in stakes.items())
    for lot in lots:
        check_stake(game.book.rules.limits, game.wager(lot.wager), Staked(int(lot.stake), chip_cents))
        _check_behind(game, stakes, lot, chip_cents)
    return lots


class Mix(NamedTuple):
    """The wagers on a table, and how many players hold them."""

    lots: tuple[Lot, ...]
    players: int


def read_mix(game: Game, words: Sequence[str], chip_cents: int) -> Mix:
    """Read the wagers of a table: each text is one kind of player, and `x8` after it is their number.

    Raises Impossible.
    """
    mix: Counter[Lot] = Counter()
    everybody = 0
    for text in words:
        found = _PLAYERS.fullmatch(text)
        plan, count = (found["plan"], found["players"]) if found else (text, "1")
        if len(count) > 4 or not int(count):
            raise Impossible("players_unreadable", "A wager of the mix is held by 1 to 9,999 players, such as x8.")
        players = int(count)
        everybody += players
        for lot in read_lots(game, [plan], chip_cents):
            mix[lot] += players
    for wager in game.book.rules.wagers:
        holders = sum(players for lot, players in mix.items() if lot.wager == wager.id)
        if wager.sole is not None and holders > 1:
            raise Impossible("held_by_another", f"{wager.name} is held by one player at a time.", wager.sole.clause)
    return Mix(tuple(msgspec.structs.replace(lot, times=players) for lot, players in mix.items()), everybody)


def read_amount(text: str, clause: str | None = None) -> int:
    """Read an amount as people type it, `10.00` or `10`, in cents. Raises Impossible."""
    try:
        cents = parse_cents(f"{text}.00" if text.isascii() and text.isdecimal() else text)
    except MoneyError as error:
        raise Impossible("amount_unreadable", str(error), clause) from None
    if cents > MOST_CENTS:
        raise Impossible("amount_too_large", f"Amounts go up to {format_cents(MOST_CENTS)} here.", clause)
    return cents


def lot_name(game: Game, lot: Lot) -> str:
    """A wager as people read it: its name, and its pick if it has one."""
    return f"{game.wager(lot.wager).name} {show_pick(lot.pick)}".rstrip()


def check_sign(game: Game, lot: Lot, minimum: int | None, maximum: int | None) -> None:
    """Refuse a stake outside the table's limits; a fixed stake is its own limit. Raises Impossible."""
    if not game.wager(lot.wager).has_one_amount:
        offers.check_limits(game.book.rules.limits, int(lot.stake), minimum, maximum)


def _asked(game: Game, text: str) -> tuple[Named, str]:
    """Split a text into the wager with its pick, and the amount as text."""
    if not text.split():
        say = 'A plan names wagers with their amounts, such as "wager 10.00" or "wager pick 10.00".'
        raise Impossible("wager_missing", say, game.book.rules.limits.wagers)
    wager_id, *rest = text.split()
    wager = find_wager(game.book, wager_id)
    if not rest:
        say = f'{wager.name} needs an amount, such as "{wager.id} 10.00".'
        raise Impossible("amount_missing", say, game.book.rules.limits.chips)
    picked = " ".join(rest[:-1])
    if not picked and not wager.stands_alone:
        return (wager_id, None), rest[-1]
    pick = typed_pick(picked) if len(picked) < LONGEST_PICK else picked  # a long number is not a pick either
    return (wager_id, find_pick(game.book, wager, pick)), rest[-1]


def _check_once(game: Game, stakes: Counter[Named], named: Named) -> None:
    """Refuse to make a wager twice, or on two picks, if the book does not allow it."""
    wager = game.wager(named[0])
    others = [pick for wager_id, pick in stakes if wager_id == wager.id]
    if named in stakes and not wager.adds_up:
        say = f"A player has one {wager.name} wager on {show_pick(named[1])} at a time."
        raise Impossible("one_wager_only", say, wager.one_amount_clause)
    if wager.has_one_holder and others not in ([], [named[1]]):
        raise Impossible("declared_already", f"{wager.name} is held on one pick only.", wager.pick_clause)
    if not wager.stands_alone and (named[1] is None) != (None in others) and others:
        say = f"{wager.name} lies behind any number that comes, or behind the numbers named, but not both."
        raise Impossible("pick_doubtful", say, wager.flat_clause)


def _limits_behind(game: Game, stakes: Counter[Named], named: Named, chip_cents: int) -> Iterator[tuple[str, int]]:
    """The most that may lie behind the plan's flat wager, for each state in which that can happen."""
    wager = game.wager(named[0])
    flat = wager.flat
    if flat is None:
        return
    flat_cents = next((stake for (wager_id, _), stake in stakes.items() if wager_id == flat), 0)
    if not flat_cents:
        raise offers.flat_missing(game, wager, " in the same plan")
    for pick in game.book.picks(wager) if named[1] is None else [named[1]]:
        for state in game.machine(wager.id, pick).starts:
            yield state, offers.behind_limit(game, wager, pick, state, flat_cents, chip_cents)


def _most_behind(game: Game, stakes: Counter[Named], named: Named, chip_cents: int) -> int:
    """The amount that `max` means. On the Don't side it depends on the point, but a flat plan has one stake."""
    wager = game.wager(named[0])
    if wager.stands_alone:
        raise Impossible("amount_unreadable", f"{wager.name} has no such limit; give an amount.", wager.clause)
    limits = sorted({limit for _, limit in _limits_behind(game, stakes, named, chip_cents)})
    if len(limits) > 1:
        say = f"The limit depends on the point, {_listed(limits)}; give an amount."
        raise Impossible("amount_doubtful", say, wager.limit_clause)
    return limits[0]


def _listed(amounts: list[int]) -> str:
    return ", ".join(map(format_cents, amounts))


def _check_behind(game: Game, stakes: Counter[Named], lot: Lot, chip_cents: int) -> None:
    """Refuse a Behind wager without its flat wager, or above the limit that it sets on any point."""
    wager = game.wager(lot.wager)
    limits = dict(_limits_behind(game, stakes, (lot.wager, lot.pick), chip_cents))
    for state, limit in limits.items():
        if lot.stake > limit:
            where = f" on {state}" if len(set(limits.values())) > 1 else ""
            say = f"{wager.name} may be at most {format_cents(limit)}{where}, not {format_cents(int(lot.stake))}."
            raise Impossible("stake_above_behind_limit", say, wager.limit_clause)
