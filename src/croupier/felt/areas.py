"""The current areas of the felt: the state in which a wager made there would begin, what it pays, if it is open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.money import format_cents
from croupier.rules import offers, schema
from croupier.rules.book import Book
from croupier.rules.describing import pay_lines
from croupier.rules.layout import Area as LayoutArea
from croupier.rules.machine import Entry, Pick, pick_words
from croupier.table import commands
from croupier.table.decide import Table
from croupier.table.refusals import Refusal
from croupier.table.state import Area, Stake, TableView


class Spot(msgspec.Struct, frozen=True):
    """A betting area: a wager and pick, or the number that a wager has travelled to."""

    wager: schema.Wager
    pick: Pick
    label: str
    note: str = ""
    at: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def key(self) -> tuple[str, Pick]:
        """The names that people use for it."""
        return self.wager.id, self.pick

    @property
    def travelled(self) -> bool:
        """Whether wagers only reach this area by travelling."""
        return self.pick is not None and self.wager.can_move

    @property
    def name(self) -> str:
        """The wager's name with its pick."""
        return wager_name(self.wager, self.pick)


class Standing(msgspec.Struct, frozen=True):
    """A player's chips on an area."""

    wager: schema.Wager
    pick: Pick
    state: str
    stake: Stake
    asleep: bool

    @property
    def key(self) -> tuple[str, Pick]:
        """The names that people use for it."""
        return self.wager.id, self.pick

    @property
    def name(self) -> str:
        """The wager's name with its pick."""
        return wager_name(self.wager, self.pick)


def wager_name(wager: schema.Wager, pick: Pick) -> str:
    """Return a wager's name on the screen: `Hardways 8`."""
    return f"{wager.name} {pick_words(wager.id, pick)['pick']}".rstrip()


def typed_name(wager_id: str, pick: Pick) -> str:
    """Return a wager's name as typed: `hardway 8`."""
    return f"{wager_id} {pick_words(wager_id, pick)['pick']}".replace("_", " ").rstrip()


@schema.acts_on("layout")
def spots_of(book: Book) -> list[Spot]:
    """Return the areas of the felt; a book without a layout has one for each wager and pick."""
    if book.layout is None:
        return [Spot(wager, pick, wager_name(wager, pick)) for wager in book.rules.wagers for pick in book.picks(wager)]
    return [_spot(book.wagers[area.wager], area) for area in book.layout.areas]


def _spot(wager: schema.Wager, area: LayoutArea) -> Spot:
    left, top, width, height = area.at
    return Spot(wager, area.pick, area.label, area.note, (left, top, width, height))


def standing(view: TableView, player: str) -> list[Standing]:
    """Return what a player has on the layout."""
    return [_standing(view, area, stakes[player]) for area, stakes in view.state.layout.items() if player in stakes]


def everything_standing(view: TableView) -> list[Standing]:
    """Return what all players have on the layout."""
    return [_standing(view, area, stake) for area, stakes in view.state.layout.items() for stake in stakes.values()]


def _standing(view: TableView, area: Area, stake: Stake) -> Standing:
    wager = view.wager_of(area)
    return Standing(wager, view.shown_pick(area), area.state, stake, view.asleep(wager, stake) is not None)


def machine_pick(spot: Spot) -> Pick:
    """Return the pick of the machine behind a spot: a travelled wager was made without one."""
    return offers.made_on(spot.wager, spot.pick)


def state_now(view: TableView, spot: Spot) -> str:
    """Return the state of a wager laid on a spot now."""
    return state_at(view.state.phases, spot)


def state_at(phases: Mapping[str, str], spot: Spot) -> str:
    """Return the state of a wager on a spot in these phases."""
    if spot.travelled:
        return offers.state_on(spot.wager, spot.pick)
    return offers.start_state(spot.wager, spot.pick, phases)


def odds_now(view: TableView, spot: Spot) -> list[Fraction]:
    """Return the pay table odds that a wager on a spot can win from now on, lowest first."""
    machine, now = view.game.machine(spot.wager.id, machine_pick(spot)), state_now(view, spot)
    states = machine.reachable([now] if now in machine.table else machine.starts)
    return sorted({whole_odds(spot.wager, e) for state in states for e in machine.table[state] if e.then == "win"})


def whole_odds(wager: schema.Wager, entry: Entry) -> Fraction:
    """Return the odds of a winning entry on the part of the stake that wins, as the pay table prints them."""
    row = wager.rows[entry.row]
    share = Fraction(row.share)
    return (entry.odds + (1 - share if row.rest == "lost" else 0)) / share


def odds_texts(view: TableView, spot: Spot, to: str) -> list[str]:
    """Return the odds as the felt may print them, the longest form first; `to` joins the lowest and the highest."""
    lines = pay_lines(view.game, spot.wager, [machine_pick(spot)])
    printed = {line.odds: line.short for line in lines}
    odds = [printed[value] for value in odds_now(view, spot)]
    if len(odds) == 1:
        return odds
    span = [f"{odds[0]}{to}{odds[-1]}", f"{odds[0]}+"]
    if len(odds) > 3:
        return span
    told = [[f"{line.words}{pays}{line.short}".removeprefix(pays) for line in lines] for pays in (" pays ", " ")]
    return [*map(", ".join, told), " ".join(odds), *span]


def refusal_now(table: Table, player: str, wager: schema.Wager, pick: Pick) -> Refusal | None:
    """Return why a wager cannot be made now, tried with the smallest stake; too few chips do not count."""
    amount = offers.smallest_stake(wager, table.state.settings)
    asked = commands.PlaceWager(player=player, wager=wager.id, pick=pick, amount=amount)
    decision = table.decide(asked)
    return decision if isinstance(decision, Refusal) and decision.code != "not_enough_chips" else None


def is_offered(view: TableView, spot: Spot) -> bool:
    """Whether wagers are made on a spot in the present phases; the table decides whether to take a given one."""
    if spot.travelled or spot.wager.id in view.state.settings.without:
        return False
    return offers.may_be_made(spot.wager, spot.pick, view.state.phases)


def winning_keys(table: Table, player: str, spots: list[Spot], outcome: int) -> set[tuple[str, Pick]]:
    """Return the areas that an outcome lights up: where the player's wagers win, and where one made now would."""
    view = table.view
    mine = {held.key: held for held in standing(view, player)}
    won = set()
    for spot in spots:
        held = mine.get(spot.key)
        asleep = held.asleep if held else offers.sleeps_now(spot.wager, view.state.phases)
        if asleep or (held is None and refusal_now(table, player, spot.wager, spot.pick) is not None):
            continue
        state = held.state if held else state_now(view, spot)
        if view.game.machine(spot.wager.id, machine_pick(spot)).table[state][outcome].then == "win":
            won.add(spot.key)
    return won


def short_money(cents: int) -> str:
    """Format an amount as short as possible: whole dollars without cents."""
    return format_cents(cents).removesuffix(".00")
