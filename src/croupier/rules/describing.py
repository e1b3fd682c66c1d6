"""What people are told about the modifiers of a wager: sentences, each with the clause behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.offers import Sign, smallest_stake

Cited = tuple[str, str]  # a sentence, and the clause behind it


def making(wager: schema.Wager) -> Iterator[Cited]:
    """Who makes it, and how it comes down."""
    if wager.optional is not None:
        yield "A table may leave it out.", wager.optional
    if wager.taking is not None:
        yield "It may be taken down at any time.", wager.taking
    if wager.sole is not None:
        yield "One player at a time makes it.", wager.sole.clause
        yield "The pick is declared beforehand.", wager.sole.declared_clause
        yield "Who loses it lets others go first.", wager.sole.turn_clause
    if wager.stands_on_void is not None:
        yield "It stands through void throws.", wager.stands_on_void


def staking(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """How much is staked at any table, and what it costs."""
    limits, fixed, behind, cost = book.rules.limits, wager.fixed_stake, wager.behind, wager.commission
    if fixed is not None:
        yield f"Its stake is one amount that the table sets; {fixed.default} where it sets none.", fixed.clause
    else:
        for clause in dict.fromkeys((limits.minimum, limits.maximum)):
            if clause is not None:
                named = [name for name in ("minimum", "maximum") if getattr(limits, name) == clause]
                yield f"The sign at the table states its {' and its '.join(named)}.", clause
    if wager.multiple is not None:
        yield f"It is made in multiples of {wager.multiple.chips} of the smallest chip.", wager.multiple.clause
    if behind is not None:
        yield f"It lies behind a {book.wagers[behind.flat].name} wager of the same player.", behind.clause
        of = "the stake of" if behind.of == "stake" else "and is reckoned by what it can win, against"
        most = {2: "double", 3: "three times"}.get(behind.times, f"{behind.times} times")
        yield f"It goes up to {most} {of} that wager.".replace("double and", "double, and"), behind.limit_clause
    if cost is not None:
        share = f"{float(100 * Fraction(cost.rate)):g}%"
        yield f"A commission of {share} of {_paid_on(cost)} is paid with it.", cost.clause


def sleeping(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """When it sleeps, and who may wake it."""
    if wager.sleeps is not None:
        when = wager.sleeps.when
        states = f"is at {any_of(when.is_)}" if when.is_ else f"is not at {any_of(when.not_)}"
        say = f"It sleeps while the {book.phases[when.phase].name} {states}: a throw then neither wins nor loses it."
        yield say, wager.sleeps.clause
        yield "Its player may call it On or Off.", wager.sleeps.call_clause


def at_a_table(book: Book, wager: schema.Wager, sign: Sign) -> Iterator[Cited]:
    """What a player is told who asks about it at a table."""
    amount = format_cents(smallest_stake(wager, sign))
    if wager.fixed_stake is not None:
        yield f"Made with exactly {amount}.", wager.fixed_stake.clause
    if wager.multiple is not None:
        yield f"Made in multiples of {amount}.", wager.multiple.clause
    if wager.behind is not None:
        flat = book.wagers[wager.behind.flat].name
        yield f"Limited by the {flat} wager that it lies behind.", wager.behind.limit_clause
    if wager.sleeps is not None:
        yield "It can be called On and Off.", wager.sleeps.call_clause


def beside_its_machine(wager: schema.Wager) -> Iterator[Cited]:
    """What a drawing of its machine does not show and what changes its worth."""
    if wager.commission is not None:
        cost = wager.commission
        yield f"Commission when it is made: {cost.rate} of {_paid_on(cost)}", cost.clause
    if wager.sleeps is not None:
        yield "Drawn as On; at times it sleeps unless it is called", wager.sleeps.clause


def with_its_cost(pays: str, wager: schema.Wager) -> str:
    """What it pays, and what it costs beside the stake."""
    cost = wager.commission
    return pays if cost is None else f"{pays}; with it goes a commission of {cost.rate} of the {cost.of}"


def any_of(words: Iterable[str]) -> str:
    """`2, 3 or 12`."""
    *most, last = list(words)
    return f"{', '.join(most)} or {last}" if most else last


def _paid_on(cost: schema.Commission) -> str:
    return "the stake" if cost.of == "stake" else "what it can win"
