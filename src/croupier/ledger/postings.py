"""Postings derived from events. A balance is what an account holds; the world outside the table is one too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from croupier.table import events

PURSE = "purse"  # where players' chips come from: the drop, the cage, another table
LAYOUT = "layout"  # chips that lie as wagers
CAGE = "cage"  # where the float is filled from and credited to
FLOAT = "float"  # the house's own chips at the table
COMMISSION = "commission"  # commission taken and not given back


def hand(player: str) -> str:
    """The account of a player's chips in hand."""
    return f"hand {player}"


class Posting(NamedTuple):
    """One side of an entry: so much into (or, negative, out of) an account."""

    account: str
    cents: int


def postings(event: events.AnyEvent) -> list[Posting]:
    """The balanced entry of an event; empty where no money moves."""
    post = _POST.get(type(event))
    entry = post(event) if post is not None else []
    assert sum(posting.cents for posting in entry) == 0, f"{event} makes or loses money"
    return entry


class Ledger:
    """Balances of all accounts, from events."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()

    def post(self, happened: Iterable[events.AnyEvent]) -> None:
        """Enter what happened."""
        for event in happened:
            for account, cents in postings(event):
                self.balances[account] += cents

    @property
    def total(self) -> int:
        """The sum over all accounts: always nothing."""
        return sum(self.balances.values())


def _seated(event: events.PlayerSeated | events.ChipsBought) -> list[Posting]:
    return [Posting(PURSE, -event.chips), Posting(hand(event.player), event.chips)]


def _left(event: events.PlayerLeft) -> list[Posting]:
    return [Posting(hand(event.player), -event.chips), Posting(PURSE, event.chips)]


def _corrected(event: events.PaymentCorrected) -> list[Posting]:
    return [Posting(FLOAT, -event.cents), Posting(hand(event.player), event.cents)]


def _float_moved(event: events.FloatMoved) -> list[Posting]:
    return [Posting(CAGE, -event.cents), Posting(FLOAT, event.cents)]


def _placed(event: events.WagerPlaced) -> list[Posting]:
    out = Posting(hand(event.player), -event.amount - event.commission)
    return [out, Posting(LAYOUT, event.amount), Posting(COMMISSION, event.commission)]


def _reduced(event: events.WagerReduced) -> list[Posting]:
    back = Posting(hand(event.player), event.amount + event.commission)
    return [back, Posting(LAYOUT, -event.amount), Posting(COMMISSION, -event.commission)]


def _settled(event: events.AreaSettled) -> list[Posting]:
    entry: list[Posting] = []
    for player, stake, paid, returned in event.stakes:
        entry.append(Posting(LAYOUT, -stake))
        if event.result == "void":
            entry += [Posting(hand(player), returned), Posting(COMMISSION, stake - returned)]
        elif event.result == "win":
            entry += [Posting(hand(player), returned), Posting(FLOAT, -paid)]
        else:
            entry.append(Posting(FLOAT, stake))
    return entry


_POST: dict[type, Callable[[Any], list[Posting]]] = {
    events.PlayerSeated: _seated,
    events.ChipsBought: _seated,
    events.PlayerLeft: _left,
    events.PaymentCorrected: _corrected,
    events.FloatMoved: _float_moved,
    events.WagerPlaced: _placed,
    events.WagerReduced: _reduced,
    events.AreaSettled: _settled,
}
