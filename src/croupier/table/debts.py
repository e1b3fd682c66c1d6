"""Debts of players after a correction: advanced by the float, and taken from later payments or on leaving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from croupier.rules.book import Book
from croupier.table import events
from croupier.table.checks_and_tokens import redeemed
from croupier.table.state import State

CORRECTING = "correct_result"  # the act by which debts arise


def clause(book: Book) -> str:
    """Return the clause under which a book takes back results, and so collects debts."""
    act, invalidated = book.conduct.by_id.get(CORRECTING), book.rules.void.invalidated
    if act is not None:
        return act.clause
    return invalidated.clause if invalidated is not None else book.rules.throw.clause


def incurred(state: State, due: dict[str, int], clause: str) -> Iterator[events.DebtIncurred]:
    """Yield a debt for each player who has too few chips to give back what is due."""
    for player, cents in due.items():
        lacking = cents - state.chips_of(player)
        if lacking > 0:
            yield events.DebtIncurred(player, lacking, clause)


def paid(
    after: State, happened: Iterable[events.AnyEvent], clause: str
) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Yield what is taken from payments just made to players in debt."""
    if not after.owing:
        return
    received = _received(happened)
    for player, owing in after.owing.items():
        yield from _taken(after, player, min(owing, received[player]), clause)


def _taken(state: State, player: str, due: int, clause: str) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Take an amount from a player's chips, or all there are; checks are redeemed if value chips are too few."""
    cents = min(due, state.chips_of(player))
    if cents <= 0:
        return
    if player in state.checks:
        yield from redeemed(state, player, clause, max(0, cents - state.in_value_chips(player)))
    yield events.DebtPaid(player, cents, clause)


def _received(happened: Iterable[events.AnyEvent]) -> Counter[str]:
    """Sum payments to players, less what was taken from them; a stake returned undecided is not a payment."""
    received: Counter[str] = Counter()
    for event in happened:
        match event:
            case events.AreaSettled(result="win"):
                for player, _, _, returned in event.stakes:
                    received[player] += returned
            case events.PaymentCorrected():
                received[event.player] += event.cents
            case events.DebtPaid():
                received[event.player] -= event.cents
    return received


def cashed(state: State, player: str, clause: str) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Yield what is taken from the chips with which a player leaves."""
    yield from _taken(state, player, state.owing.get(player, 0), clause)


def total(happened: Iterable[events.AnyEvent]) -> int:
    """Sum the debts paid by these events."""
    return sum(event.cents for event in happened if isinstance(event, events.DebtPaid))
