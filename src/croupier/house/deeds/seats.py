"""Sitting down, buying in, getting up: chips go between an account and a table, in one write or not at all."""

from __future__ import annotations

import msgspec

from croupier.house import orders
from croupier.house.deeds.limits import check_play
from croupier.house.deeds.moves import with_accounts
from croupier.house.deeds.scene import Decided, Scene
from croupier.table import commands
from croupier.table.decide import decide_without_note
from croupier.table.refusals import Refusal


def sit(scene: Scene, deed: orders.Sit) -> Decided:
    """Take a seat with chips from the account."""
    account = scene.asker
    if account.person in scene.tables(deed.table).staff:
        return Refusal("staff_cannot_play", "Who runs a table does not play at it.")
    if deed.cents <= 0:
        return Refusal("amount_not_positive", "Nobody sits down without chips.")
    card = account.card is not None
    command = commands.SeatPlayer(player=account.person, chips=deed.cents, card=card, place=deed.place)
    return check_play(scene, account) or _carried_out(scene, deed.table, command)


def buy_in(scene: Scene, deed: orders.BuyIn) -> Decided:
    """More chips for who has a seat."""
    command = commands.BuyChips(player=scene.asker.person, chips=deed.cents)
    return check_play(scene, scene.asker) or _carried_out(scene, deed.table, command)


def get_up(scene: Scene, deed: orders.GetUp) -> Decided:
    """Leave with the chips in hand; who has a wager standing stays."""
    return _carried_out(scene, deed.table, commands.LeaveTable(player=scene.asker.person))


def _carried_out(scene: Scene, table: str, command: commands.AnyCommand) -> Decided:
    state = scene.tables(table)
    given = msgspec.structs.replace(command, at=state.later(scene.at))
    decision = decide_without_note(scene.shelf, state.game, given)
    return decision if isinstance(decision, Refusal) else with_accounts(scene, table, decision)
