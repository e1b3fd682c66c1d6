"""The sessions of a PAR sheet: how a player's result spreads, throw after throw, at a flat stake.

Two wagers stand for the book, whatever it is: the one with the lowest house edge and the one with the widest scatter,
of those that can be made by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.maths.plan import Lot, Plan
from croupier.maths.rows import Case
from croupier.maths.session import Outlook, Session
from croupier.money import round_up_to_chip
from croupier.rules import schema
from croupier.rules.compiling import pick_words
from croupier.rules.game import Game
from croupier.rules.offers import one_amount, unit_chips
from croupier.sheets.charts import Spread, fan
from croupier.sheets.document import Cell, Column, Picture, Pictures, Table
from croupier.sheets.par_wagers import Line, is_asked_for
from croupier.sheets.wording import dollars, percent
from croupier.table.commands import Settings

THROWS = 100
STEP = 2  # results of even-money wagers hop between odd and even numbers of throws
TOLD = (20, 50, 100)
STAKE_CENTS = 1000
CHIP_CENTS = 100
SHARES = tuple(Fraction(share, 100) for share in (5, 25, 50, 75, 95))

_FIGURES = ("after", "5 %", "25 %", "Median", "75 %", "95 %", "Mean", "Std dev.", "Ahead")
_COLUMNS = (Column("Wager", "left", 2), *(Column(name, share=1) for name in _FIGURES))


class Chosen(NamedTuple):
    """A wager that stands for the book: why, how it is made and with how much."""

    why: str
    title: str
    lot: Lot


def sessions(game: Game, lines: Sequence[Line], values: set[str], throws: str) -> tuple[Pictures, Table]:
    """A fan chart for each wager chosen, and the same in figures."""
    pictures: list[Picture] = []
    rows: list[tuple[Cell, ...]] = []
    for chosen in choose_wagers(game, lines, values):
        plan = Plan(game, (chosen.lot,), chip_cents=CHIP_CENTS)
        outlooks = list(Session(plan, THROWS).outlooks(range(0, THROWS + 1, STEP)))
        pictures.append(_picture(chosen, outlooks, throws))
        rows += [_row(chosen, outlooks[told // STEP], throws) for told in TOLD]
    return Pictures(tuple(pictures), 2), Table(_COLUMNS, tuple(rows))


def choose_wagers(game: Game, lines: Sequence[Line], values: set[str]) -> list[Chosen]:
    """The lowest edge and the widest scatter, the earlier in the book where there are several; one if they agree."""
    by_itself: list[tuple[Line, Case]] = []
    for line in lines:
        cases = [case for case in line.cases if is_asked_for(case.pay_table, values)]
        if cases and line.wager.stands_alone:
            by_itself.append((line, cases[0]))
    lowest = min(by_itself, key=lambda item: item[0].figures.edge)
    widest = max(by_itself, key=lambda item: item[0].figures.variance)
    if lowest == widest:
        return [_chosen(game, "Lowest house edge and widest scatter", *lowest)]
    return [_chosen(game, "Lowest house edge", *lowest), _chosen(game, "Widest scatter", *widest)]


def _chosen(game: Game, why: str, line: Line, case: Case) -> Chosen:
    stake = flat_stake(game, line.wager, case)
    pick = pick_words("", case.pick)["pick"]
    title = " ".join(part for part in (line.wager.name, pick) if part)
    return Chosen(why, f"{title}, {dollars(stake)}", Lot(case.wager, stake, case.pick))


def flat_stake(game: Game, wager: schema.Wager, case: Case) -> int:
    """10.00, or the next stake above it with which nothing is rounded; a fixed amount where the book has one."""
    unit = unit_chips(game, wager, case.pick, case.start, exact=True) * CHIP_CENTS
    return one_amount(wager, Settings(chip=CHIP_CENTS)) or round_up_to_chip(STAKE_CENTS, unit)


def _picture(chosen: Chosen, outlooks: Sequence[Outlook], throws: str) -> Picture:
    spreads = [
        Spread(o.throws, tuple(o.quantile(share) / 100 for share in SHARES), float(o.moments.mean / 100))
        for o in outlooks
    ]
    last = outlooks[-1]
    drawing = fan(
        f"Session of {THROWS} {throws}: {chosen.title}",
        f"After {last.throws} {throws} at least nine results in ten lie from {dollars(last.quantile(SHARES[0]))} to "
        f"{dollars(last.quantile(SHARES[-1]))}; the mean is {dollars(last.moments.mean)}.",
        spreads,
        throws,
        "result in dollars",
    )
    return Picture(drawing, f"{chosen.why}: {chosen.title}", drawing.description)


def _row(chosen: Chosen, outlook: Outlook, throws: str) -> tuple[Cell, ...]:
    mean, variance, _ = outlook.moments
    quantiles = [Cell(dollars(outlook.quantile(share))) for share in SHARES]
    figures = (
        Cell(dollars(mean)),
        Cell(dollars(Fraction(float(variance) ** 0.5))),
        Cell(percent(outlook.chance(1), 2)),
    )
    return Cell(chosen.title), Cell(f"{outlook.throws} {throws}"), *quantiles, *figures
