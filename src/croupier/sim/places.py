"""Where chips can lie under a book: on the picks of its wagers, and on the numbers to which some of them travel."""

from __future__ import annotations

from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.offers import numbers
from croupier.rules.picks import find_pick, find_wager, show_pick
from croupier.sim.reading.shapes import nearest, quoted
from croupier.sim.strategy import Spot


def check_spot(game: Game, spot: Spot) -> None:
    """Refuse a spot on which nothing ever stands. Raises Impossible."""
    try:
        wager = find_wager(game.book, spot.wager)
    except Impossible as error:
        say = f"The book has no wager called {quoted(spot.wager)}; {nearest(spot.wager, game.book.wagers)}."
        raise Impossible(error.code, say, error.clause) from None
    if not wager.can_move:
        found = find_pick(game.book, wager, spot.pick)
        if found != spot.pick:
            raise Impossible("pick_unknown", f"{wager.name} is made on {found}, numbers in ascending order.")
        return
    reached = numbers(game, wager)
    if spot.pick is not None and spot.pick not in reached:
        listed = ", ".join(map(show_pick, reached))
        say = f"{wager.name} does not go to {quoted(show_pick(spot.pick))}; it goes to {listed}."
        raise Impossible("pick_unknown", say, wager.clause)
