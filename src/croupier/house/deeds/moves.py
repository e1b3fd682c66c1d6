"""Chips between accounts and tables: whatever an event brings to a table or takes from it moves the account as well."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.house.deeds.scene import Decided, Outcome, Scene
from croupier.house.documents import StoredEvent
from croupier.house.events import CameFromTable, WentToTable
from croupier.house.streams import account_stream, table_stream
from croupier.money import format_cents
from croupier.table.commands import LeaveTable
from croupier.table.decide import decide
from croupier.table.events import AnyEvent, ChipsBought, PlayerLeft, PlayerSeated
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.telling import Told

# How chips may be bought that a player has in the account. A voucher is no money: the float bears it.
FROM_ACCOUNT = (None, "cash", "cashless")
_MOVES = frozenset([PlayerSeated, ChipsBought, PlayerLeft])


def with_accounts(
    scene: Scene, table: str, decision: tuple[AnyEvent, ...], role: str | None = None, told: Told | None = None
) -> Decided:
    """The events at a table with those in the books of everybody whose chips come or go by them."""
    decision = (*decision, *_handed_over(scene, scene.tables(table).game, decision))
    happened: dict[str, list[StoredEvent]] = {}
    for event in decision:
        moved = _move(table, event) if type(event) in _MOVES else None
        if moved is None:
            continue
        player, move = moved
        if isinstance(move, WentToTable) and move.cents > scene.accounts(player).chips:
            left = format_cents(scene.accounts(player).chips)
            own = scene.order.who == player  # what somebody has is for nobody else to hear
            say = f"{player} has {left} in the account." if own else f"{player} has less than that in the account."
            return Refusal("not_enough_in_account", say)
        happened.setdefault(account_stream(player), []).append(move)
    happened[table_stream(table)] = list(decision)
    return Outcome(happened, role, told=told or {})


def _handed_over(scene: Scene, game: State, decision: tuple[AnyEvent, ...]) -> Iterator[AnyEvent]:
    """What comes of wagers of somebody who has left goes to their account at once."""
    if not game.kept:
        return
    after = evolve_all(game, decision)
    for player, kept in after.kept.items():
        if kept:
            collected = decide(scene.shelf, after, LeaveTable(player=player))
            assert not isinstance(collected, Refusal), "what is kept can be had"
            yield from collected


def _move(table: str, event: AnyEvent) -> tuple[str, WentToTable | CameFromTable] | None:
    match event:
        case PlayerSeated(player=player, chips=chips):
            return player, WentToTable(table, chips, sat_down=True)
        case ChipsBought(player=player, chips=chips, means=means) if means in FROM_ACCOUNT:
            return player, WentToTable(table, chips, sat_down=False)
        case PlayerLeft(player=player, chips=chips):
            return player, CameFromTable(table, chips)
    return None
