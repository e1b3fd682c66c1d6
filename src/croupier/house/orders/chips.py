"""Chips between accounts and tables: sitting down, buying in, leaving. Both sides change in one write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.events import CameFromTable, ExclusionBegan, ExclusionEnded, WentToTable
from croupier.house.names import account_stream, table_stream
from croupier.house.orders.order import Api, AtTable, Chips, Decided, Outcome, Scene
from croupier.house.orders.people import check_play
from croupier.house.stored_events import StoredEvent
from croupier.money import format_cents
from croupier.table import commands
from croupier.table.commands import LeaveTable
from croupier.table.decide import decide_without_note
from croupier.table.events import ActDone, AnyEvent, ChipsBought, PlayerLeft, PlayerSeated, ResultTakenBack
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State

# Means of buying chips from the account. A voucher is not money: the float bears it.
FROM_ACCOUNT = (None, "cash", "cashless")
CASINO = "casino"  # the value of an exclusion fact that covers the whole casino
_MOVES = frozenset([PlayerSeated, ChipsBought, PlayerLeft])


def with_accounts(
    scene: Scene, table: str, decision: tuple[AnyEvent, ...], role: str | None = None, calls: Iterable[str] = ()
) -> Decided:
    """Return the events at a table together with the account events of all chips that they move."""
    decision = (*decision, *_handed_over(scene, scene.tables(table).game, decision))
    happened: dict[str, list[StoredEvent]] = {}
    for event in decision:
        moved = _move(table, event) if type(event) in _MOVES else None
        if moved is None:
            continue
        player, move = moved
        if isinstance(move, WentToTable) and move.cents > scene.accounts(player).chips:
            left = format_cents(scene.accounts(player).chips)
            own = scene.who == player  # only the player may see the balance
            say = f"{player} has {left} in the account." if own else f"{player} does not have that much in the account."
            return Refusal("not_enough_in_account", say)
        happened.setdefault(account_stream(player), []).append(move)
    for person, barred in _barred(scene, table, decision):
        happened.setdefault(account_stream(person), []).append(barred)
    happened[table_stream(table)] = list(decision)
    return Outcome(happened, role, calls=list(calls))


def _handed_over(scene: Scene, game: State, decision: tuple[AnyEvent, ...]) -> Iterator[AnyEvent]:
    """Pay out to the accounts of players who have left what their wagers brought, at once."""
    if not game.kept and not any(isinstance(event, ResultTakenBack) for event in decision):
        return
    after = evolve_all(game, decision)
    for player, kept in after.kept.items():
        if kept:
            collected = decide_without_note(scene.shelf, after, LeaveTable(player=player))
            assert not isinstance(collected, Refusal), "what is kept can be had"
            yield from collected


def _barred(
    scene: Scene, table: str, decision: tuple[AnyEvent, ...]
) -> Iterator[tuple[str, ExclusionBegan | ExclusionEnded]]:
    """Exclude from the whole house anyone excluded from the casino at a table, until withdrawn (X-49)."""
    before = scene.tables(table).game.facts
    changes = [change for event in decision if isinstance(event, ActDone) for change in event.facts.items()]
    for name, value in changes:
        word, _, person = name.partition(" ")
        if word != "excluded" or not scene.accounts(person).person:
            continue
        account = scene.accounts(person)
        if value == CASINO:
            yield person, ExclusionBegan(None, by_house=True)
        elif before.get(name) == CASINO and account.excluded_by_house and account.may_not_play(scene.at):
            yield person, ExclusionEnded()


def _move(table: str, event: AnyEvent) -> tuple[str, WentToTable | CameFromTable] | None:
    match event:
        case PlayerSeated(player=player, chips=chips):
            return player, WentToTable(table, chips, sat_down=True)
        case ChipsBought(player=player, chips=chips, means=means) if means in FROM_ACCOUNT:
            return player, WentToTable(table, chips, sat_down=False)
        case PlayerLeft(player=player, chips=chips):
            return player, CameFromTable(table, chips)
    return None


# Seats


class Sit(AtTable, frozen=True, kw_only=True, tag="sit"):
    """Take a seat with chips from the account, at a free place if one is named."""

    cents: Chips
    place: (
        Annotated[int, Meta(ge=1, description="A place at the table, clockwise from 1; by default the next one.")]
        | None
    ) = None

    permits = ("player",)
    api = Api("/tables/{table}/seat", "Sit down", {"chips": "100.00"})

    def decide(self, scene: Scene) -> Decided:
        account = scene.asker
        if account.person in scene.tables(self.table).staff:
            return Refusal("staff_cannot_play", "You run this table, so you cannot play at it.")
        if self.cents <= 0:
            return Refusal("amount_not_positive", "You need chips to sit down.")
        card = account.card is not None
        command = commands.SeatPlayer(player=account.person, chips=self.cents, card=card, place=self.place)
        return check_play(scene, account) or carried_out(scene, self.table, command)


class BuyIn(AtTable, frozen=True, kw_only=True, tag="buy_in"):
    """Bring more chips from the account to the seat."""

    cents: Chips

    permits = ("player",)
    api = Api("/tables/{table}/chips", "Buy in", {"chips": "50.00"})

    def decide(self, scene: Scene) -> Decided:
        command = commands.BuyChips(player=scene.asker.person, chips=self.cents)
        return check_play(scene, scene.asker) or carried_out(scene, self.table, command)


class GetUp(AtTable, frozen=True, kw_only=True, tag="get_up"):
    """Leave the table; the chips in hand go back to the account. Refused while a wager stands."""

    permits = ("player", "seated")
    api = Api("/tables/{table}/leave", "Get up", {})

    def decide(self, scene: Scene) -> Decided:
        return carried_out(scene, self.table, commands.LeaveTable(player=scene.asker.person))


def carried_out(scene: Scene, table: str, command: commands.AnyCommand) -> Decided:
    """Return what a command about a seat does to the table and the accounts."""
    state = scene.tables(table)
    given = msgspec.structs.replace(command, at=state.later(scene.at))
    decision = decide_without_note(scene.shelf, state.game, given)
    return decision if isinstance(decision, Refusal) else with_accounts(scene, table, decision)
