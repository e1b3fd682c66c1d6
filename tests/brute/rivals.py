"""The rejected readings: what each would be worth, computed by the same counting of throws.

Each reading in the register that changes money is a small change to the life of a wager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from tests.brute import craps, rivals_craps, rivals_sic_bo, rivals_snake_eyes, rivals_two_up
from tests.brute.lives import VOID, End, Figures, Pick, figures
from tests.brute.rival import Rival
from tests.brute.wagers import Row, begun, rows

Throw = Any


def with_ends(row: Row, change: Callable[[End, Throw], End]) -> Figures:
    """The figures of a wager that begins as the adopted readings say, with changed ends."""
    life, starts = begun(row)

    def decide(throw: Throw, memory: object) -> object:
        led_to = life.decide(throw, memory)
        return change(led_to, throw) if isinstance(led_to, End) else led_to

    return figures(life._replace(decide=decide), starts)


def excess_kept(row: Row) -> Fraction:
    """X-1 (b): the player puts down twice the maximum; a win pays on the maximum, a loss takes everything. Per unit put
    down.
    """
    return with_ends(row, lambda end, _: end if end.result == "lose" else End(end.result, end.net / 2)).ev


def token(row: Row, *, returned: bool) -> Fraction:
    """X-10: the value of a token, per unit of its face value, if a winning token is collected or returned; commission
    is paid in cash.
    """
    found = with_ends(row, lambda end, _: end._replace(net=winnings_and_token(end, returned=returned)))
    return found.ev


def winnings_and_token(end: End, *, returned: bool) -> Fraction:
    """What a player receives who has laid a token of 1 and no money."""
    if end.result == "win":
        return end.net + (1 if returned else 0)
    return Fraction(1 if end.result == "void" else 0)


def for_one(row: Row) -> Fraction:
    """X-12: a win pays a multiple of the stake that includes the stake."""

    def less(end: End, throw: Throw) -> End:
        return End("win", end.net - winning_part(row.wager, row.pick, throw)) if end.result == "win" else end

    return with_ends(row, less).ev


def winning_part(wager: str, pick: Pick, throw: Throw) -> Fraction:
    """The part of the stake that wins: a Horn, a Horn High and a Crap-Eleven are several wagers in one."""
    if wager == "horn":
        return Fraction(1, 4)
    if wager == "horn_high":
        return Fraction(2 if sum(throw) == pick else 1, 5)
    return Fraction(1, 2) if wager == "crap_eleven" else Fraction(1)


def letter_of_9_4_2(row: Row) -> Fraction:
    """CR-12: a winning Invalid Wager only gets its stake back; a losing one loses it."""
    return with_ends(row, lambda end, _: VOID if end.result == "win" else end).ev


def everywhere() -> Iterator[Rival]:
    """X-1, X-10 and X-12 for every wager of every book, CR-12 for every wager of Craps."""
    for row in rows():
        case = "" if row.pay_table is None else f"pay table {row.pay_table}"
        yield Rival("X-12 for 1", *row[:3], for_one(row), "the stake of what wins is part of its odds", case)
        if row.wager not in ("buy", "lay"):  # what would become of the commission is not said
            yield Rival("X-1 excess kept", *row[:3], excess_kept(row), "twice the maximum put down", case)
            if row.book == craps.BOOK:
                yield Rival("CR-12 letter", *row[:3], letter_of_9_4_2(row), "a win only returns the stake", case)
        for reading, returned in (("X-10", False), ("X-10 returned", True)):
            worth, how = token(row, returned=returned), "returned if it wins" if returned else "collected win or lose"
            yield Rival(reading, *row[:3], worth, how, case, "worth")


@cache
def rivals() -> tuple[Rival, ...]:
    """All figures of the rejected readings."""
    return (
        *rivals_sic_bo.super_streaks(),
        *rivals_sic_bo.single_results(),
        *rivals_craps.propositions(),
        *rivals_craps.after_the_point(),
        *rivals_craps.commissions(),
        *rivals_craps.commissions_in_chips(),
        *rivals_craps.behind_the_come(),
        *rivals_two_up.coins(),
        *rivals_snake_eyes.combinations(),
        *rivals_snake_eyes.hardways(),
        *rivals_snake_eyes.otherwise_lose(),
        *everywhere(),
    )
