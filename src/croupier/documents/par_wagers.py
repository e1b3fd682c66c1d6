"""The wagers of a PAR sheet: picks with equal figures on one line, the table of all figures, and its charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from croupier.documents.charts import Mark, bars, dots, lengths
from croupier.documents.document import Cell, Column, Picture, Pictures, Table, Tables
from croupier.documents.graph_layout import printed_odds
from croupier.documents.wording import decimal, fraction, is_long, listed, odds_in_words, percent, picks_in_words
from croupier.maths.figures import Figures
from croupier.maths.rows import Analysis, WagerCase
from croupier.rules import schema
from croupier.rules.game import Game

NOTHING = Cell("–")
ROUNDED = 4
WIDE = 21  # in letters; longer texts wrap
WIDEST = {"Clause": 13}


class Line(msgspec.Struct, frozen=True):
    """A wager with those of its picks and pay-table values that have the same figures and odds.

    `label` distinguishes it from every other line, for charts.
    """

    wager: schema.Wager
    cases: tuple[WagerCase, ...]
    figures: Figures
    pays: str
    picks: str
    label: str
    readings: tuple[str, ...]
    default: bool

    @property
    def pay_table(self) -> str:
        """The approved values, as `--pay-table` takes them."""
        return listed(case.pay_table for case in self.cases if case.pay_table)


def lines_of(analysis: Analysis, values: set[str] | None) -> list[Line]:
    """Every wager under the reading taken, in the book's order; `values` are the pay-table values wanted, or None."""
    lines: list[Line] = []
    default = analysis.shelf.terms(analysis.book.id)
    for wager in analysis.book.rules.wagers:
        cases = [case for case in analysis.cases(wager.id, ()) if is_asked_for(case.pay_table, values)]
        together: dict[tuple[str, Figures], list[WagerCase]] = {}
        for case in cases:
            game = analysis.shelf.game(case.terms)
            together.setdefault((pays_in_words(game, case), analysis.figures(case)), []).append(case)
        readings = tuple(analysis.own_readings(wager.id))
        for (pays, figures), alike in together.items():
            is_default = all(case.terms == default for case in alike)
            lines.append(Line(wager, tuple(alike), figures, pays, *_words(wager, alike, cases), readings, is_default))
    return lines


def is_asked_for(pay_table: str | None, values: set[str] | None) -> bool:
    """Whether a row belongs to the requested pay table; rows that depend on none always do."""
    return values is None or pay_table is None or values.issuperset(pay_table.split(" "))


def _words(wager: schema.Wager, cases: list[WagerCase], every: list[WagerCase]) -> tuple[str, str]:
    """The picks and label of a line: only what distinguishes it from the wager's other lines."""
    own, offered = (list(dict.fromkeys(case.shown_pick for case in some)) for some in (cases, every))
    picks = picks_in_words(own, len(offered))
    label = f"{wager.name} {picks}" if len(own) < len(offered) else wager.name
    values = _values(cases)
    if values != _values(case for case in every if case.shown_pick in own):
        label += f" ({listed(value.rpartition('=')[2] for value in values)})"
    return picks, label


def _values(cases: Iterable[WagerCase]) -> list[str]:
    return list(dict.fromkeys(case.pay_table for case in cases if case.pay_table))


def pays_in_words(game: Game, case: WagerCase) -> str:
    """The odds of a wager as the document prints them, and the part of the stake that they are paid on."""
    machine = game.machine(case.wager, case.pick)
    printed, rows = printed_odds(game), game.wager(case.wager).rows
    entries = [entry for state in machine.reachable([case.start]) for entry in machine.table[state]]
    wins = sorted((entry for entry in entries if entry.then == "win"), key=lambda entry: entry.odds)
    shares = [(" + ".join(printed[line] for line in entry.lines), rows[entry.row].share) for entry in wins]
    return odds_in_words([odds if share == "1" else f"{odds} on {share}" for odds, share in shares])


# Charts


def edge_and_volatility(lines: Sequence[Line]) -> Pictures:
    """The two charts at a glance: house edge, and standard deviation."""
    by_edge = sorted(lines, key=lambda line: line.figures.edge)
    edges = [Mark(line.label, float(100 * line.figures.edge), percent(line.figures.edge)) for line in by_edge]
    by_sd = sorted(lines, key=lambda line: line.figures.variance)
    sds = [Mark(line.label, line.figures.sd, decimal(line.figures.sd, 3)) for line in by_sd]
    edge = bars("House edge by wager", f"House edge per unit staked, {_ends(edges)}.", edges, " %")
    volatility = dots("Volatility by wager", f"Standard deviation per unit staked, {_ends(sds)}.", sds)
    edge_note = "Per cent of the stake, per wager made."
    sd_note = "Standard deviation of the net result per unit staked; equal distances are equal factors."
    return Pictures((Picture(edge, "House edge", edge_note), Picture(volatility, "Volatility", sd_note)), 2)


def _ends(marks: Sequence[Mark]) -> str:
    first, last = marks[0], marks[-1]
    return f"from {first.shown} ({first.label}) to {last.shown} ({last.label})"


def rolls_to_decision(lines: Sequence[Line], throws: str) -> Pictures | None:
    """One small chart per distribution of lengths; wagers with the same distribution share it."""
    together: dict[object, list[Line]] = {}
    for line in lines:
        if len(line.figures.lengths) > 1:
            together.setdefault((line.figures.lengths, line.figures.rolls), []).append(line)
    pictures = [_length(alike, throws) for alike in together.values()]
    return Pictures(tuple(pictures), 4) if pictures else None


def _length(lines: Sequence[Line], throws: str) -> Picture:
    figures = lines[0].figures
    names = _names(lines)
    listed_share = sum((chance for _, chance in figures.lengths), Fraction(0))
    last = figures.lengths[-1][0]
    drawing = lengths(
        f"{throws.capitalize()} to decision: {names}",
        f"The chance of each number of {throws}; on average {decimal(figures.rolls, 3)}.",
        [(count, float(chance)) for count, chance in figures.lengths],
        float(figures.rolls),
    )
    sd = decimal(float(figures.rolls_variance) ** 0.5, 3)
    rest = "" if listed_share == 1 else f"; more than {last}: {percent(1 - listed_share, 2)}"
    return Picture(drawing, names, f"Mean {fraction(figures.rolls)}, standard deviation {sd}{rest}.")


def _names(lines: Iterable[Line]) -> str:
    """Wagers by name, grouped by picks: `Buy, Lay (6, 8); Big 6; Big 8`."""
    together: dict[str, list[str]] = {}
    for line in lines:
        together.setdefault(f"({line.picks})" if line.picks else line.wager.name, []).append(line.wager.name)
    return "; ".join(f"{listed(names)} {key}" if key[0] == "(" else key for key, names in together.items())


# Tables


def wager_table(lines: Sequence[Line], throws: str) -> Table:
    """Every line with all its figures. Columns that no wager of the book needs are omitted."""
    figures = [line.figures for line in lines]
    words = {
        "Clause": [Cell(line.wager.clause, ", ".join(line.readings)) for line in lines],
        "Wager": [Cell(line.wager.name, line.picks) for line in lines],
        "Pay table": [Cell(line.pay_table, "default" if line.pay_table and line.default else "") for line in lines],
        "Pays": [Cell(line.pays, _commission(line.figures)) for line in lines],
    }
    numbers = {
        "Win": [_share(item.chance("win")) for item in figures],
        "Lose": [_share(item.chance("lose")) for item in figures],
        "Void": [_share(item.chance("void")) if item.chance("void") else NOTHING for item in figures],
        "House edge": [_share(item.edge) for item in figures],
        "per decision": [
            _share(item.edge_decided or item.edge) if item.chance("void") else NOTHING for item in figures
        ],
        "per outlay": [_share(item.edge_outlay) if item.commission else NOTHING for item in figures],
        "Std dev.": [Cell(decimal(item.sd, ROUNDED)) for item in figures],
        "Skewness": [Cell(decimal(item.skewness, ROUNDED)) for item in figures],
        throws.capitalize(): [_length_cell(item.rolls) for item in figures],
        "at the table": [_length_cell(item.table_rolls) if item.table_rolls else NOTHING for item in figures],
    }
    columns = [_column(name, "left", cells) for name, cells in words.items() if any(cell.text for cell in cells)]
    columns += [_column(name, "right", cells) for name, cells in numbers.items() if set(cells) != {NOTHING}]
    return Table(tuple(column for column, _ in columns), tuple(zip(*(cells for _, cells in columns), strict=True)))


def _column(name: str, align: Literal["left", "right"], cells: list[Cell]) -> tuple[Column, list[Cell]]:
    """Size a column by its content; words may wrap, figures may not."""
    letters = max(len(text) for cell in cells for text in (cell.text, cell.small, name))
    return Column(name, align, min(letters, WIDEST.get(name, WIDE)) + (4 if align == "left" else 2)), cells


def _share(value: Fraction) -> Cell:
    shown = percent(value)
    return Cell(shown, fraction(value)) if is_long(value) else Cell(fraction(value), shown)


def _length_cell(value: Fraction) -> Cell:
    shown = decimal(value, ROUNDED) if value.denominator > 1 else ""
    return Cell(shown, fraction(value)) if is_long(value) else Cell(fraction(value), shown)


def _commission(figures: Figures) -> str:
    return f"commission {fraction(figures.commission)}" if figures.commission else ""


def net_results(lines: Sequence[Line]) -> Tables | None:
    """For each wager that can win in more than one way, every result with its probability and contribution."""
    found = []
    for line in lines:
        ways = line.figures.net
        if sum(net > 0 for net in ways) > 1:
            rows = [
                (Cell(fraction(net)), Cell(fraction(chance)), Cell(percent(chance)), Cell(fraction(net * chance)))
                for net, chance in ways.items()
            ]
            total = (Cell("sum"), Cell("1"), Cell(percent(Fraction(1))), Cell(fraction(line.figures.ev)))
            heads = tuple(Column(name, share=1) for name in ("Net result", "Chance", "Per cent", "Contribution"))
            found.append(Table(heads, (*rows, total), line.label))
    return Tables(tuple(found), 3) if found else None
