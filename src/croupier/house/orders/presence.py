"""Who is present at a self-running table: orders of the house itself, which sees whose pages are open.

Only changes are stored, so that all processes of a house know them, even after a restart. No throw waits for a player
who is away. After a while such a player loses the seat; their wagers stay on the layout until they are decided.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from msgspec import Meta

from croupier.contract.requests import PersonName
from croupier.house.events import PlayerAway, PlayerBack
from croupier.house.names import table_stream
from croupier.house.orders.chips import carried_out
from croupier.house.orders.order import AtTable, Decided, Outcome, Scene
from croupier.house.orders.rounds import NOTHING_DUE, has_wagers
from croupier.house.table_state import TableState
from croupier.table.commands import LeaveTable


class NotePresence(AtTable, frozen=True, kw_only=True, tag="note_presence"):
    """Record that a seated player is away, or back; given by the server when it changes."""

    person: PersonName
    here: bool

    permits = ("house",)

    def decide(self, scene: Scene) -> Decided:
        table = scene.tables(self.table)
        is_news = self.person in table.game.chips and (self.person in table.away) is self.here
        if table.rhythm is None or not is_news:
            return NOTHING_DUE
        noted = PlayerBack(self.person) if self.here else PlayerAway(self.person)
        return Outcome({table_stream(table.name): [noted]})


class FreeSeat(AtTable, frozen=True, kw_only=True, tag="free_seat"):
    """Give the seat of an absent player back, with the chips to the account; given by the server.

    `minutes` is how long players may be away. Not while a wager of theirs stands.
    """

    person: PersonName
    minutes: Annotated[float, Meta(ge=0)]

    permits = ("house",)

    def decide(self, scene: Scene) -> Decided:
        table = scene.tables(self.table)
        if not may_be_freed(table, self.person) or scene.at < table.away[self.person] + timedelta(minutes=self.minutes):
            return NOTHING_DUE
        return carried_out(scene, self.table, LeaveTable(player=self.person))


def may_be_freed(table: TableState, person: str) -> bool:
    """Return whether the seat is that of an absent player without wagers."""
    return person in table.away and person in table.game.chips and not has_wagers(table, person)
