"""What the next throw would do: to a wager on each area of the felt, and to one player's chips.

It says what happens and what is paid, never how likely that is: players at a live table may see it (Craps 10.2, 10.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from croupier.felt.areas import Spot, is_offered, machine_pick, state_now, whole_odds
from croupier.rules import offers, schema
from croupier.rules.describing import pay_lines
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Machine, Pick
from croupier.table.events import AreaSettled
from croupier.table.placing import objection
from croupier.table.refusals import Refusal
from croupier.table.settling import settle
from croupier.table.state import TableView

Then = Literal["win", "lose", "void", "go", "stay", "sleep"]


class Effect(msgspec.Struct, frozen=True):
    """What happens to a wager: a win pays `pays`, as the pay table prints it; a wager that travels goes `to` a number.

    A sleeping wager has the clause under which it sleeps.
    """

    then: Then
    clause: str
    pays: str | None = None
    to: Pick = None


class AreaEffects(msgspec.Struct, frozen=True):
    """The distinct effects on an area, and for each outcome of the throw the index of its effect.

    `refused` is why nothing more can be bet there now.
    """

    effects: tuple[Effect, ...] = ()
    which: tuple[int, ...] = ()
    refused: Refusal | None = None


class OwnChange(msgspec.Struct, frozen=True):
    """What an outcome would do to a player's wagers, in cents: won, lost, and everything that goes back to them."""

    won: int
    lost: int
    returned: int


def effects_of(view: TableView, spot: Spot, player: str | None) -> AreaEffects:
    """Return the effects on the player's wager on an area, or else on a wager made there now.

    There are none where the player has no wager and none can be made now.
    """
    refused = None if spot.travelled else objection(view, player or "", spot.wager, spot.pick)
    return msgspec.structs.replace(_effects_of(view, spot, player), refused=refused)


def _effects_of(view: TableView, spot: Spot, player: str | None) -> AreaEffects:
    area = None if player is None else view.find(player, *spot.key)
    if area is not None and player is not None:
        clause = view.asleep(spot.wager, view.state.layout[area][player])
        game = view.game_of(area)
        return _on_machine(game, spot, game.machine(area.wager, area.pick), area.state, clause)
    if not is_offered(view, spot):
        return AreaEffects()
    clause = offers.sleep_clause(spot.wager, view.state.phases, None)
    machine = view.game.machine(spot.wager.id, machine_pick(spot))
    return _on_machine(view.game, spot, machine, state_now(view, spot), clause)


def own_changes(view: TableView, player: str) -> list[OwnChange]:
    """Return what each outcome would do to a player's wagers, settled as the table settles them."""
    own = {area: {player: stakes[player]} for area, stakes in view.state.layout.items() if player in stakes}
    alone = view.at(msgspec.structs.replace(view.state, layout=own))
    return [_change(alone, outcome) for outcome in range(len(view.game.book.outcomes))]


def _on_machine(game: Game, spot: Spot, machine: Machine, state: str, sleeps_by: str | None) -> AreaEffects:
    row = machine.table.get(state, ())
    if sleeps_by is not None:
        return AreaEffects((Effect("sleep", sleeps_by),), (0,) * len(row))
    printed = {line.odds: line.printed for line in pay_lines(game, spot.wager, [machine.pick])}
    by_entry = {id(entry): _effect(spot.wager, entry, printed) for entry in row}
    effects = tuple(dict.fromkeys(by_entry.values()))
    return AreaEffects(effects, tuple(effects.index(by_entry[id(entry)]) for entry in row))


def _effect(wager: schema.Wager, entry: Entry, printed: Mapping[Fraction, str]) -> Effect:
    if entry.then == "win":
        return Effect("win", entry.clause, pays=printed[whole_odds(wager, entry)])
    if entry.then == "go" and wager.can_move:
        return Effect("go", entry.clause, to=offers.shown_pick(wager, None, entry.next))
    return Effect(entry.then, entry.clause)


def _change(alone: TableView, outcome: int) -> OwnChange:
    """Add up a settlement of one player's wagers."""
    settled = [event for event in settle(alone, outcome) if isinstance(event, AreaSettled)]
    rows = [(event.result, row) for event in settled for row in event.stakes]
    return OwnChange(
        won=sum(paid for _, (_, _, paid, _) in rows),
        lost=sum(stake for result, (_, stake, _, _) in rows if result == "lose"),
        returned=sum(back for _, (_, _, _, back) in rows),
    )
