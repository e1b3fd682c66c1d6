"""Queries shared by deciding and showing: whose wager is where, which sleeps, which flat wager it lies behind."""

from __future__ import annotations

from croupier.rules import offers, schema
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.rules.shelf import Shelf
from croupier.table.state import Area, Stake, State


class TableView:
    """A state together with the games by which its wagers are played."""

    __slots__ = ("game", "games", "state")

    def __init__(self, shelf: Shelf, state: State) -> None:
        self.state = state
        self.games = shelf.games(state.terms)
        self.game = self.games[-1]

    def at(self, state: State) -> TableView:
        """Return the same table in another state, under the same terms."""
        view = TableView.__new__(TableView)
        view.state, view.games, view.game = state, self.games, self.game
        return view

    def fact(self, name: str) -> Fact:
        """Return the value of a fact, or the book's initial value; `none` if there is neither."""
        facts = self.state.facts
        return facts[name] if name in facts else self.game.book.conduct.facts.get(name, NONE)

    def game_of(self, area: Area) -> Game:
        """Return the game under whose terms the wagers of an area were made."""
        return self.games[area.terms]

    def wager_of(self, area: Area) -> schema.Wager:
        """Return the definition of an area's wager."""
        return self.games[area.terms].book.wagers[area.wager]

    def shown_pick(self, area: Area) -> Pick:
        """Return the pick that people see: a wager that has travelled shows its number."""
        return offers.shown_pick(self.wager_of(area), area.pick, area.state)

    def find(self, player: str, wager_id: str, pick: Pick) -> Area | None:
        """Return the area of a player's standing wager with that name and pick."""
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

    @acts_on("wager.sleeps")
    def asleep(self, wager: schema.Wager, stake: Stake) -> str | None:
        """Return the clause under which the wager does not act on the next throw; None if it acts."""
        return offers.sleep_clause(wager, self.state.phases, stake.called)

    def state_for(self, condition: schema.Condition, pick: Pick, own_state: str) -> str:
        """Return the state that a condition tests: of the phase that it names, or the wager's own."""
        phase = offers.phase_of(condition, pick)
        return own_state if phase is None else self.state.phases[phase]

    def flat_areas(self, wager: schema.Wager, state: str) -> list[Area]:
        """Return the areas of the flat wager that a wager in this state lies behind; none if it stands alone."""
        flat = wager.flat
        return [area for area in self.state.layout if area.wager == flat and area.state == state]

    def flat_area(self, player: str, wager: schema.Wager, state: str) -> Area | None:
        """Return the area of the player's flat wager that a Behind wager in this state depends on."""
        areas = self.flat_areas(wager, state)
        return next((area for area in areas if player in self.state.layout[area]), None)

    @acts_on("rules.calls")
    def call(self, moment: str) -> str | None:
        """Return the words called at a moment, if the book has them."""
        return self.game.book.calls.get(moment)
