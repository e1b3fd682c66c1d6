"""One throw at a craps table with 100,000 standing wagers of every kind."""

from __future__ import annotations

from itertools import cycle

from bench.timing import by_turns
from croupier.rules.machine import Entry
from croupier.rules.shelf import Shelf
from croupier.table.commands import OpenTable, Throw
from croupier.table.decide import decide
from croupier.table.events import AnyEvent, PhaseMoved, PlayerSeated, WagerPlaced
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State

BOOK = "craps-nsw-2024"
PLAYERS = 10_000
WAGERS = 100_000
ROLLS = ((3, 4), (6, 6), (4, 4), (2, 3), (1, 1))
CHIP = 100


def full_table(shelf: Shelf) -> State:
    """A point of 8, and wagers of every kind, pick and state that can then stand."""
    terms = shelf.terms(BOOK)
    game = shelf.game(terms)
    opened = decide(shelf, State(), OpenTable(terms=terms))
    assert not isinstance(opened, Refusal)
    names = [f"player {n}" for n in range(PLAYERS)]
    happened: list[AnyEvent] = [*opened, *(PlayerSeated(name, 1_000_000, True) for name in names)]
    kinds = [(w.id, p) for w in game.book.rules.wagers for p in game.book.picks(w) if w.behind is None]
    seats = cycle(names)
    for (wager, pick), n in zip(cycle(kinds), range(WAGERS), strict=False):
        machine = game.machine(wager, pick)
        state = machine.starts[0] if "come out" not in machine.table else "point 8"
        stake = CHIP * 20 * (1 + n % 7)
        happened.append(WagerPlaced(wager, pick, state, 0, next(seats), stake, stake, 0, ""))
    happened.append(PhaseMoved("puck", "come out", "point 8", ""))
    return evolve_all(State(), happened)


def settlement_ratio() -> tuple[float, str]:
    """The engine (decision and new state) against a loop that looks the wagers up and adds up the money."""
    shelf = Shelf()
    state = full_table(shelf)
    game = shelf.game(state.terms[0])
    standing = [
        (player, game.machine(area.wager, area.pick).table[area.state], stake.amount)
        for player, area, stake in state.wagers()
    ]
    outcomes = [game.book.outcomes.index[roll] for roll in ROLLS]

    def engine() -> None:
        for roll in ROLLS:
            decision = decide(shelf, state, Throw(faces=roll))
            assert not isinstance(decision, Refusal)
            evolve_all(state, decision)

    def bare() -> None:
        for outcome in outcomes:
            _bare_throw(standing, outcome, dict(state.chips))

    ours, theirs = by_turns(engine, bare, 7)
    count = len(standing)
    return ours / theirs, f"{count} wagers, {ours / 5 * 1e3:.1f} ms against {theirs / 5 * 1e3:.1f} ms a throw"


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
