"""One throw at a craps table with 100,000 standing wagers of every kind."""

from __future__ import annotations

from itertools import cycle

from bench.timing import by_turns
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Pick
from croupier.rules.schema import Wager
from croupier.rules.shelf import Shelf
from croupier.table.commands import OpenTable, Throw
from croupier.table.decide import decide
from croupier.table.events import AnyEvent, PhaseMoved, PlayerSeated, WagerPlaced
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView

BOOK = "craps-nsw-2024"
PLAYERS = 10_000
WAGERS = 100_000
ROLLS = ((3, 4), (6, 6), (4, 4), (2, 3), (1, 1))
CHIP = 100


def full_table(shelf: Shelf, point: str) -> State:
    """Return a table with every wager, pick and state possible with this puck, including wagers behind others."""
    terms = shelf.terms(BOOK)
    game = shelf.game(terms)
    opened = decide(shelf, State(), OpenTable(terms=terms))
    assert not isinstance(opened, Refusal)
    names = [f"player {n}" for n in range(PLAYERS)]
    happened: list[AnyEvent] = [*opened, *(PlayerSeated(name, 1_000_000, True) for name in names)]
    happened.append(PhaseMoved("puck", "come out", point, ""))
    areas = [
        (w.id, p, state)
        for w in game.book.rules.wagers
        for p in game.book.picks(w)
        for state in _states(game, w, p, point)
    ]
    for (wager, pick, state), n in zip(cycle(areas), range(WAGERS), strict=False):
        player = names[n // len(areas) % PLAYERS]  # each player in turn holds a wager of every kind
        stake = CHIP * 20 * (1 + n % 7)
        happened.append(WagerPlaced(wager, pick, state, 0, player, stake, stake, 0, ""))
    return evolve_all(State(), happened)


def _states(game: Game, wager: Wager, pick: Pick, point: str) -> list[str]:
    states = game.machine(wager.id, pick).table
    if wager.start_by is not None:
        return [point] if point in states else []
    return [state for state in states if state != "box" or point != "come out"]


def settlement_ratio() -> tuple[float, str]:
    """Compare the engine (decision and new state) with a loop that looks up the wagers and adds up the money."""
    shelf = Shelf()
    tables = [full_table(shelf, "point 8"), full_table(shelf, "come out")]
    game = shelf.game(tables[0].terms[0])
    outcomes = [game.book.outcomes.index[roll] for roll in ROLLS]
    bare_tables = [(_standing(shelf, state), state) for state in tables]

    def bare() -> None:
        for standing, state in bare_tables:
            for outcome in outcomes:
                _bare_throw(standing, outcome, dict(state.chips))

    ours, theirs = by_turns(lambda: throw_all(shelf, tables), bare, 7)
    count, throws = len(bare_tables[0][0]), len(tables) * len(ROLLS)
    return ours / theirs, f"{count} wagers, {ours / throws * 1e3:.1f} ms against {theirs / throws * 1e3:.1f} ms a throw"


def throw_all(shelf: Shelf, tables: list[State]) -> None:
    """Throw at every table, each from the same state: compute the decision and the new state."""
    for state in tables:
        for roll in ROLLS:
            decision = decide(shelf, state, Throw(faces=roll))
            assert not isinstance(decision, Refusal)
            evolve_all(state, decision)


def _standing(shelf: Shelf, state: State) -> list[tuple[str, tuple[Entry, ...], int]]:
    """Return every standing wager with its row of the compiled table."""
    view = TableView(shelf, state)
    return [
        (player, view.game.machine(area.wager, area.pick).table[area.state], stake.amount)
        for player, area, stake in state.wagers()
    ]


def _bare_throw(standing: list[tuple[str, tuple[Entry, ...], int]], outcome: int, chips: dict[str, int]) -> int:
    house = 0
    for player, entries, stake in standing:
        entry = entries[outcome]
        if entry.then == "win":
            odds = entry.odds
            paid = -(-stake * odds.numerator // (odds.denominator * CHIP)) * CHIP
            chips[player] += stake + paid
            house -= paid
        elif entry.then == "lose":
            house += stake
        elif entry.then == "void":
            chips[player] += stake
    return house
