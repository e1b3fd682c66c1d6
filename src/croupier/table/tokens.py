"""Promotional tokens as part of a stake: a win pays on the whole stake in chips, the token goes as its voucher says.

The books leave it to the voucher whether a winning token goes back (reading X-10). A losing or collected token goes to
the house's account for tokens and never to the float: it was no money.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.table import events
from croupier.table.colour_checks import with_checks
from croupier.table.state import State

COLLECTED = "collected"  # win or lose
RETURNED = "returned"  # when it wins

_WHOLE = Fraction(1)


def in_kind(state: State, event: events.AreaSettled, share: Fraction = _WHOLE) -> events.AreaSettled:
    """The same settlement, with what goes as tokens or checks told apart; `share` is how much of a stake has won."""
    return with_checks(state, _with_tokens(state, event, share))


def _with_tokens(state: State, event: events.AreaSettled, share: Fraction) -> events.AreaSettled:
    """The same settlement, where stakes lie in part in tokens; `share` is how much of a stake has won."""
    stakes = state.layout[event.area]
    rows: list[events.SettledStake] = []
    tokens: list[events.SettledTokens] = []
    for row in event.stakes:
        player, laid = row[0], stakes[row[0]].tokens
        if not laid:
            rows.append(row)
        elif event.result == "win":
            rows.append(_won(row, laid, share))
            back = laid - lost_tokens(laid, share) if state.facts.get(f"tokens {player}") == RETURNED else 0
            tokens.append((player, laid, back))
        else:
            void = event.result == "void"
            rows.append((*row[:3], row[3] - laid) if void else row)
            tokens.append((player, laid, laid if void else 0))
    if not tokens:
        return event
    return events.AreaSettled(*event.area, event.result, event.clause, tuple(rows), tuple(tokens))


def _won(row: events.SettledStake, laid: int, share: Fraction) -> events.SettledStake:
    """Winnings are told net of the parts of a wager that are lost (X-19); tokens lost are no money to be taken off."""
    player, stake, paid, _ = row
    paid += lost_tokens(laid, share)
    return player, stake, paid, stake - laid + paid


def lost_tokens(laid: int, share: Fraction) -> int:
    """What of the tokens lies on the parts that are lost while a share of the wager wins."""
    return laid - laid * share.numerator // share.denominator
