"""Double-entry postings derived from events. Everything outside the table is an account too."""

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
TOKENS = "tokens"  # the house's account of promotional tokens: negative by what is in circulation
DROP = "drop"  # cash in the drop box
TERMINAL = "terminal"  # what was paid through the cashless terminal


def hand(player: str) -> str:
    """Return the account of a player's chips in hand."""
    return f"hand {player}"


def tokens(player: str) -> str:
    """Return the account of a player's promotional tokens in hand."""
    return f"tokens {player}"


class Posting(NamedTuple):
    """One side of an entry: cents into an account or, if negative, out of it."""

    account: str
    cents: int


def postings(event: events.AnyEvent) -> list[Posting]:
    """Return the balanced entry of an event; empty if no money moves."""
    post = _POST.get(type(event))
    entry = post(event) if post is not None else []
    assert sum(posting.cents for posting in entry) == 0, f"{event} makes or loses money"
    return entry


class Ledger:
    """Balances of all accounts, from events."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()

    def post(self, happened: Iterable[events.AnyEvent]) -> None:
        """Post the entries of these events."""
        for event in happened:
            for account, cents in postings(event):
                self.balances[account] += cents

    @property
    def total(self) -> int:
        """The sum over all accounts: always zero."""
        return sum(self.balances.values())


def _seated(event: events.PlayerSeated) -> list[Posting]:
    return [Posting(PURSE, -event.chips), Posting(hand(event.player), event.chips)]


# Where the money for chips from the float goes. A voucher is not money: the float bears it.
_TAKEN_IN = {"cash": DROP, "cashless": TERMINAL}


def _bought(event: events.ChipsBought) -> list[Posting]:
    if event.means is None:
        return [Posting(PURSE, -event.chips), Posting(hand(event.player), event.chips)]
    sold = [Posting(FLOAT, -event.chips), Posting(hand(event.player), event.chips)]
    taken_in = _TAKEN_IN.get(event.means)
    return sold if taken_in is None else [*sold, Posting(PURSE, -event.chips), Posting(taken_in, event.chips)]


def _tokens_issued(event: events.TokensIssued) -> list[Posting]:
    return [Posting(TOKENS, -event.tokens), Posting(tokens(event.player), event.tokens)]


def _left(event: events.PlayerLeft) -> list[Posting]:
    entry = [Posting(hand(event.player), -event.chips), Posting(PURSE, event.chips)]
    if event.tokens:
        entry += [Posting(tokens(event.player), -event.tokens), Posting(TOKENS, event.tokens)]
    return entry


def _corrected(event: events.PaymentCorrected) -> list[Posting]:
    return [Posting(FLOAT, -event.cents), Posting(hand(event.player), event.cents)]


def _float_moved(event: events.FloatMoved) -> list[Posting]:
    return [Posting(CAGE, -event.cents), Posting(FLOAT, event.cents)]


def _placed(event: events.WagerPlaced) -> list[Posting]:
    out = [Posting(hand(event.player), event.tokens - event.amount - event.commission)]
    if event.tokens:
        out.append(Posting(tokens(event.player), -event.tokens))
    return [*out, Posting(LAYOUT, event.amount), Posting(COMMISSION, event.commission)]


def _reduced(event: events.WagerReduced) -> list[Posting]:
    back = [Posting(hand(event.player), event.amount + event.commission - event.tokens)]
    if event.tokens:
        back.append(Posting(tokens(event.player), event.tokens))
    return [*back, Posting(LAYOUT, -event.amount), Posting(COMMISSION, -event.commission)]


def _settled(event: events.AreaSettled) -> list[Posting]:
    entry: list[Posting] = []
    in_tokens = {player: laid for player, laid, _ in event.tokens}
    for player, stake, paid, returned in event.stakes:
        entry.append(Posting(LAYOUT, -stake))
        chips = stake - in_tokens.get(player, 0)
        if event.result == "void":
            entry += [Posting(hand(player), returned), Posting(COMMISSION, chips - returned)]
        elif event.result == "win":
            entry += [Posting(hand(player), returned), Posting(FLOAT, -paid)]
        else:
            entry.append(Posting(FLOAT, chips))
    for player, laid, back in event.tokens:
        entry += [Posting(tokens(player), back), Posting(TOKENS, laid - back)]
    return entry


def _taken_back(event: events.ResultTakenBack) -> list[Posting]:
    undone = [posting for settled in event.settled for posting in _settled(settled)]
    undone += [posting for reduced in event.reduced for posting in _reduced(reduced)]
    return [Posting(account, -cents) for account, cents in undone]


def _debt_incurred(event: events.DebtIncurred) -> list[Posting]:
    return [Posting(FLOAT, -event.cents), Posting(hand(event.player), event.cents)]


def _debt_paid(event: events.DebtPaid) -> list[Posting]:
    return [Posting(FLOAT, event.cents), Posting(hand(event.player), -event.cents)]


_POST: dict[type, Callable[[Any], list[Posting]]] = {
    events.PlayerSeated: _seated,
    events.ChipsBought: _bought,
    events.TokensIssued: _tokens_issued,
    events.PlayerLeft: _left,
    events.PaymentCorrected: _corrected,
    events.FloatMoved: _float_moved,
    events.WagerPlaced: _placed,
    events.WagerReduced: _reduced,
    events.AreaSettled: _settled,
    events.ResultTakenBack: _taken_back,
    events.DebtIncurred: _debt_incurred,
    events.DebtPaid: _debt_paid,
}
