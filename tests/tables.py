"""What several tests need of a table: the five oracles, and tables brought to a certain moment."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from croupier.contract.shown_events import EventView
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.commands import Settings
from croupier.table.decide import Table, open_table
from tests.oracle import craps, sic_bo, snake_eyes_nsw, snake_eyes_nz, two_up

ORACLES: list[ModuleType] = [craps, sic_bo, two_up, snake_eyes_nsw, snake_eyes_nz]
BOOKS: list[str] = [oracle.BOOK for oracle in ORACLES]
SHELF = Shelf()

# A first result that puts a Sic Bo line on the side wanted.
FIRST_RESULTS = {"small": (1, 1, 2), "big": (6, 6, 5), "odd": (1, 2, 2), "even": (1, 1, 2)}


def new_table(book: str, chip: int = 100, pay_table: object = None, **settings: object) -> Table:
    """A table with one rich player, ann."""
    made = Settings(chip=chip, **settings)  # type: ignore[arg-type]
    table = open_table(book, pay_table=pay_table, settings=made, shelf=SHELF)
    table.seat("ann", "1000000.00")
    return table


def throw(table: Table, faces: tuple[object, ...]) -> list[EventView]:
    """Throw; close the bets first where the book requires that."""
    if table.view.game.book.rules.betting is not None and table.state.bets_open:
        table.no_more_bets()
    return table.spin("".join(map(str, faces))) if isinstance(faces[0], str) else table.roll(*faces)  # type: ignore[arg-type]


def bring_to(table: Table, wager: str, pick: Pick, start: object, stake: str) -> None:
    """Bring a table to the moment right after the wager was made in a given starting state."""
    definition = table.view.game.book.wagers[wager]
    if isinstance(start, str):
        throw(table, FIRST_RESULTS[start])
    flat = definition.behind.flat if definition.behind is not None else None
    if flat is not None and isinstance(pick, int):  # behind a wager that travels: a point, the flat wager, its number
        throw(table, (2, 2))
        table.bet("ann", flat, stake)
        throw(table, _pair_for(pick))
        if table.state.phases["puck"] == "come out":
            throw(table, _pair_for(9 if pick != 9 else 5))
    elif flat is not None:
        assert isinstance(start, int)
        table.bet("ann", flat, stake)
        throw(table, _pair_for(start))
    elif _needs_point(definition.place) or definition.sleeps is not None:
        throw(table, (2, 2))
    table.bet("ann", wager, stake, pick=pick)


def _needs_point(place: Sequence[object]) -> bool:
    return any(getattr(condition, "not_", None) == ["come out"] for condition in place)


def _pair_for(total: int) -> tuple[int, int]:
    return (total - 3, 3) if total >= 4 and total - 3 <= 6 and total != 6 else (total - 4, 4) if total != 4 else (1, 3)


def ordinary_commands(book_id: str) -> list[commands.AnyCommand]:
    """One of every command that a table has, for every reason in the book."""
    rules = SHELF.book(book_id).rules
    wager = next(iter(SHELF.book(book_id).wagers))
    reasons = [*rules.void.grounds, *(rules.void.invalidated.grounds if rules.void.invalidated else [])]
    faces = tuple(rules.throw.faces[:1] * rules.throw.throw)
    return [
        commands.OpenTable(terms=SHELF.terms(book_id)),
        commands.SeatPlayer(player="cy", chips=1000),
        commands.BuyChips(player="ann", chips=1000),
        commands.LeaveTable(player="ann"),
        commands.PlaceWager(player="ann", wager=wager, amount=1000),
        commands.TakeWager(player="ann", wager=wager),
        commands.CallWager(player="ann", wager=wager, on=True),
        commands.FindWager(player="ann", wager=wager, amount=1000),
        commands.CloseBets(),
        commands.Throw(faces=faces),
        *(commands.VoidThrow(reason=reason) for reason in reasons),
        commands.AdoptRules(terms=SHELF.terms(book_id)),
    ]
