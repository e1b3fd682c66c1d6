"""Questions that deciding and showing both ask: which wager is whose, which sleeps, how much may lie behind it."""

from __future__ import annotations

from croupier.rules import offers, schema
from croupier.rules.facts import NONE, Fact
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.table.state import Area, Stake, State


class TableView:
    """A state together with the games that its wagers are played by."""

    __slots__ = ("game", "games", "state")

    def __init__(self, shelf: Shelf, state: State) -> None:
        self.state = state
        self.games = shelf.games(state.terms)
        self.game = self.games[-1]

    def at(self, state: State) -> TableView:
        """The same table in another state, under the same terms."""
        view = TableView.__new__(TableView)
        view.state, view.games, view.game = state, self.games, self.game
        return view

    def fact(self, name: str) -> Fact:
        """What the table remembers under a name, or what the book has it start with; `none` where that is nothing."""
        facts = self.state.facts
        return facts[name] if name in facts else self.game.book.conduct.facts.get(name, NONE)

    def game_of(self, area: Area) -> Game:
        """The game under whose terms the wagers of an area were made."""
        return self.games[area.terms]

    def wager_of(self, area: Area) -> schema.Wager:
        """The definition behind an area."""
        return self.games[area.terms].book.wagers[area.wager]

    def shown_pick(self, area: Area) -> Pick:
        """The pick that people see: a wager that has travelled shows its number."""
        return offers.shown_pick(self.wager_of(area), area.pick, area.state)

    def find(self, player: str, wager_id: str, pick: Pick) -> Area | None:
        """The area where a player's wager of that name and pick stands."""
        for area, stakes in self.state.layout.items():
            if area.wager == wager_id and player in stakes and self.shown_pick(area) == pick:
                return area
        return None

    def holds(self, player: str, wager_ids: list[str]) -> bool:
        """Whether a player has one of these wagers standing; with none named, any wager."""
        return any(
            player in stakes and (not wager_ids or area.wager in wager_ids)
            for area, stakes in self.state.layout.items()
        )

    def asleep(self, wager: schema.Wager, stake: Stake) -> str | None:
        """The clause under which the wager does not act on the next throw; None where it acts."""
        return offers.sleep_clause(wager, self.state.phases, stake.called)

    def state_for(self, condition: schema.Condition, pick: Pick, own_state: str) -> str:
        """What a condition is about: the phase that it names, or the wager's own state."""
        phase = offers.phase_of(condition, pick)
        return own_state if phase is None else self.state.phases[phase]

    def flat_areas(self, wager: schema.Wager, state: str) -> list[Area]:
        """The areas of the flat wager that a wager in this state lies behind; none where it stands alone."""
        flat = wager.flat
        return [area for area in self.state.layout if area.wager == flat and area.state == state]

    def flat_area(self, player: str, wager: schema.Wager, state: str) -> Area | None:
        """Where the player's flat wager stands that a Behind wager in this state depends on."""
        areas = self.flat_areas(wager, state)
        return next((area for area in areas if player in self.state.layout[area]), None)

    def call(self, moment: str) -> str | None:
        """The words that people hear at a moment, where the book has them."""
        return self.game.book.calls.get(moment)
