"""Late wagers when the dice come to rest: what nobody has confirmed goes back."""

from __future__ import annotations

from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.evolve import evolve_all
from croupier.table.state import State
from croupier.table.taking import reduction, returned_from_behind
from croupier.table.view import TableView
from croupier.table.waiting import CONFIRMING, late_cents, late_name


def unconfirmed_returned(shelf: Shelf, state: State) -> list[events.AnyEvent]:
    """Late wagers that nobody has confirmed go back, with what lies behind them (reading X-24)."""
    confirming = TableView(shelf, state).game.book.conduct.by_id.get(CONFIRMING)
    happened: list[events.AnyEvent] = []
    if confirming is None:
        return happened
    for player, area, _ in state.wagers():
        view = TableView(shelf, state)
        late = late_cents(view, player, area) if player in state.layout.get(area, {}) else 0
        if late:
            reduced = reduction(view, player, area, state.layout[area][player].amount - late, confirming.clause)
            forgotten = events.Noted({late_name(view, player, area): None}, confirming.clause)
            step: list[events.AnyEvent] = [reduced, *returned_from_behind(shelf, state, reduced), forgotten]
            state = evolve_all(state, step)
            happened += step
    return happened
