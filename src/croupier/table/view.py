"""Questions that deciding and showing both ask: which wager is whose, which sleeps, how much may lie behind it."""

from __future__ import annotations

from croupier.rules import schema
from croupier.rules.book import holds, shown_value
from croupier.rules.compiling import pick_words
from croupier.rules.facts import NONE, Fact
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.rules.stakes import behind_limit
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
        wager = self.wager_of(area)
        return shown_value(wager.travels, area.state) if wager.travels else area.pick

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
        if wager.sleeps is None or stake.called is True:
            return None
        if stake.called is False:
            return wager.sleeps.call_clause
        return wager.sleeps.clause if self.phase_puts_to_sleep(wager.sleeps) else None

    def state_for(self, condition: schema.Condition, pick: Pick, own_state: str) -> str:
        """What a condition is about: the phase that it names, or the wager's own state."""
        if condition.phase is None:
            return own_state
        return self.state.phases[condition.phase.replace("{pick}", pick_words("", pick)["pick"])]

    def phase_puts_to_sleep(self, sleep: schema.Sleep) -> bool:
        """Whether the table is in a phase in which such wagers do not act."""
        return holds(sleep.when, self.state.phases[sleep.when.phase])

    def flat_areas(self, wager: schema.Wager, state: str) -> list[Area]:
        """The areas of the flat wager that a Behind wager in this state lies behind."""
        assert wager.behind is not None, f"{wager.id} lies behind nothing"
        return [area for area in self.state.layout if area.wager == wager.behind.flat and area.state == state]

    def flat_area(self, player: str, wager: schema.Wager, state: str) -> Area | None:
        """Where the player's flat wager stands that a Behind wager in this state depends on."""
        areas = self.flat_areas(wager, state)
        return next((area for area in areas if player in self.state.layout[area]), None)

    def behind_limit(self, game: Game, wager: schema.Wager, pick: Pick, state: str, flat_cents: int) -> int:
        """The largest stake behind a flat wager of this size, in the chips of this table (reading CR-10)."""
        return behind_limit(game, wager, pick, state, flat_cents, self.state.settings.chip)

    def call(self, moment: str) -> str | None:
        """The words that people hear at a moment, where the book has them."""
        return self.game.book.calls.get(moment)
