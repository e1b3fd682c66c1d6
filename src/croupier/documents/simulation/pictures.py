"""The pictures of a simulation with their captions, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from croupier.documents.charts import Range
from croupier.documents.document import Part, Picture, Pictures
from croupier.documents.simulation.distributions import Steps, columns_of, cumulative, histogram, span_of
from croupier.documents.simulation.result_charts import (
    LOW,
    MEDIAN,
    Bar,
    Checked,
    Course,
    Piece,
    Stack,
    Strip,
    course_of,
    diverging,
    fan,
    fans,
    range_of,
    stacks,
    strips,
    track,
    whiskers,
)
from croupier.documents.simulation.sentences import Names, Played, amount, apart, figure, gained, house_edge, share
from croupier.simulation.results import Result

LARGE = 1  # columns of pictures; a large picture comes in two sizes, of which the style shows one
SMALL = 3
MOST_ROWS = 24

ENDING_CLASSES = {"ruined": "e-ruined", "loss": "e-loss", "win": "e-win", "shooters": "e-shooters",
                  "strategy rolls": "e-own"}  # fmt: skip


def pictures(strategies: Sequence[Played], names: Names) -> tuple[Part, ...]:
    """Results over time and endings; then final results, drawdown and time to ruin."""
    courses = [_course(one) for one in strategies]
    fanned = [_fan(strategies, courses, names, wide) for wide in (True, False)]
    if strategies[0].result.sessions == 1:  # a single result has no distribution
        return (Pictures(tuple(fanned), LARGE),)
    span = span_of([one.result for one in strategies])
    ruined = [one for one in strategies if one.result.rolls_to_ruin is not None]
    late = [_time_to_ruin(ruined, names)] if ruined else []
    if len(strategies) == 1:
        final = [_columns(strategies[0], span, wide) for wide in (True, False)]
        beside = [_ended(strategies[0], names), _fallen(strategies)]
        return Pictures((*fanned, *beside), LARGE), Pictures((*final, _cumulated(strategies, span), *late), LARGE)
    final = [_cumulated(strategies, span, wide) for wide in (True, False)]
    beside = [_endings(strategies, names), _outcomes(strategies)]
    return Pictures((*fanned, *beside), LARGE), Pictures((*final, _fallen(strategies), *late), LARGE)


def one_by_one(strategies: Sequence[Played], names: Names) -> tuple[Part, ...]:
    """Separate pictures for each of several strategies, all on the same axes."""
    courses = [_course(one) for one in strategies]
    span = range_of(courses)
    fanned = []
    for one, course in zip(strategies, courses, strict=True):
        mean = f"{'Exact mean' if course.is_exact else 'Mean'} at the end {gained(course.mean)}."
        title, described = f"Results over time: {one.label}", f"{_ends_of(one.result)} {mean}"
        drawing = fan(title, described, course, span, names.throws, height=LOW)
        fanned.append(Picture(drawing, one.label, mean))
    ends = span_of([one.result for one in strategies])
    return Pictures(tuple(fanned), SMALL), Pictures(tuple(_columns(one, ends) for one in strategies), SMALL)


# Over time


def _course(one: Played) -> Course:
    return course_of(one.result, one.place, one.key, one.name)


def _fan(strategies: Sequence[Played], courses: Sequence[Course], names: Names, wide: bool) -> Picture:
    result = strategies[0].result
    one_each = result.sessions == 1
    title = f"Results over {result.rolls:,} {names.throws}"
    if len(courses) > 1:
        note = "One session each." if one_each else (
            "The lines are medians; 90 % of sessions lie within the shaded band of the same colour."
        )  # fmt: skip
        described = " ".join(f"{one.label}: {_ends_of(one.result)}" for one in strategies)
        drawing = fans(title, f"{described} {note}", courses, range_of(courses, 1), names.throws, wide)
        return Picture(drawing, f"Results over time, on the same {names.thrown}", note)
    if one_each:
        note = f"Its result at {len(result.fan)} points in time." if len(result.fan) > 1 else ""
        drawing = track(title, f"{_ends_of(result)} {note}", courses[0], names.throws, wide)
        return Picture(drawing, "The session", note)
    exact = f" The diamond is the exact mean at the end, {gained(courses[0].mean)}." if courses[0].is_exact else ""
    note = f"Each band lies between two percentiles; the labels are the percentiles of the final result.{exact}"
    drawing = fan(title, f"{_ends_of(result)} {note}", courses[0], range_of(courses), names.throws, wide)
    return Picture(drawing, "Results over time", note)


def _ends_of(result: Result) -> str:
    if result.sessions == 1:
        return f"It ended at {gained(result.net)}."
    low, median, high = (gained(result.quantiles[percent]) for percent in ("5", "50", "95"))
    return f"At the end the median is {median}, and 90 % of results lie between {low} and {high}."


# Endings


def _ended_in(result: Result, label: str, names: Names) -> Stack:
    pieces = [
        Piece(names.ending(reason), ENDING_CLASSES.get(reason, "e-rolls"), part, share(part))
        for reason, part in result.ended.items()
    ]
    return Stack(label, tuple(pieces))


def _came_out(result: Result, label: str) -> Stack:
    behind = max(0.0, round(1 - result.won - result.even, 12))
    out = [("behind", "e-behind", behind), ("level", "e-even", result.even), ("ahead", "e-ahead", result.won)]
    return Stack(label, tuple(Piece(words, class_, part, share(part)) for words, class_, part in out if part))


def _in_words(stacked: Sequence[Stack]) -> str:
    return " ".join(f"{row.label}: {', '.join(f'{p.words} {p.shown}' for p in row.pieces)}." for row in stacked)


def _ended(one: Played, names: Names) -> Picture:
    rows = [_ended_in(one.result, "Why they ended", names), _came_out(one.result, "How they came out")]
    drawing = stacks("How sessions ended", _in_words(rows), rows, together=False)
    return Picture(drawing, "How sessions ended", "Shares of all sessions.")


def _endings(strategies: Sequence[Played], names: Names) -> Picture:
    rows = [_ended_in(one.result, one.label, names) for one in strategies]
    drawing = stacks("How sessions ended", _in_words(rows), rows, together=True)
    return Picture(drawing, "How sessions ended", "Why they ended, in shares of all sessions.")


def _outcomes(strategies: Sequence[Played]) -> Picture:
    rows = [_came_out(one.result, one.label) for one in strategies]
    drawing = stacks("How sessions came out", _in_words(rows), rows, together=True)
    return Picture(drawing, "How sessions came out", "More or less than at the start, in shares of all sessions.")


def _fallen(strategies: Sequence[Played]) -> Picture:
    rows = [
        Strip(one.label, one.place, tuple(one.result.drawdown.values()), one.result.drawdown_mean) for one in strategies
    ]
    told = "" if strategies[0].key else f": {_mostly(rows[0])}"
    described = " ".join(f"{row.label}: {_mostly(row)}." for row in rows)
    drawing = strips("Maximum drawdown", described, rows, "maximum drawdown", money=True)
    return Picture(drawing, "Maximum drawdown", f"The largest fall of a session from its own peak{told}.")


def _mostly(row: Strip) -> str:
    low, median, high = (amount(row.quantiles[i]) for i in (1, MEDIAN, 5))
    return median if low == high else f"median {median}, 90 % between {low} and {high}"


def _time_to_ruin(ruined: Sequence[Played], names: Names) -> Picture:
    rows = [Strip(one.label, one.place, tuple((one.result.rolls_to_ruin or {}).values()), None) for one in ruined]
    half = [f"half of them by {names.throw} {figure(row.quantiles[MEDIAN], 0)}" for row in rows]
    described = " ".join(f"{row.label}: {by}." for row, by in zip(rows, half, strict=True))
    headline = f"{names.throws.capitalize()} until ruined"
    drawing = strips(headline, described, rows, names.throws, money=False)
    note = "Of the sessions that were ruined" + (f", {half[0]}." if len(rows) == 1 else ".")
    return Picture(drawing, headline, note)


# Final results


def _columns(one: Played, span: Range, wide: bool = False) -> Picture:
    result = one.result
    columns = columns_of(result, span, wide)
    out = [f"{share(count / result.sessions)} lie further {side}" for count, side in
           ((columns.below, "left"), (columns.above, "right")) if count]  # fmt: skip
    note = f"Columns {amount(columns.width / 100)} wide, and below them the percentiles and the mean."
    note += f" {share(result.ruined)} of all sessions were ruined." if result.ruined else ""
    note += f" {' and '.join(out)}." if out else ""
    drawing = histogram(f"Final results: {one.label}", f"{_ends_of(result)} {note}", result, span, one.place, wide)
    return Picture(drawing, one.label if one.key else "Final results", note)


def _cumulated(strategies: Sequence[Played], span: Range, wide: bool = False) -> Picture:
    several = [Steps(one.place, one.key, one.name, one.result) for one in strategies]
    behind = [f"{share(1 - one.result.won)} ended level or behind" for one in strategies]
    described = " ".join(f"{one.label}: {words}." for one, words in zip(strategies, behind, strict=True))
    drawing = cumulative("Final results, cumulative", described, several, span, wide)
    note = f"{behind[0]}." if len(strategies) == 1 else "The further right a line runs, the better."
    return Picture(drawing, "Final results, cumulative", note)


# Wagers


class Line(NamedTuple):
    """A wager in all three pictures, so that its rows line up."""

    label: str
    staked: float
    net: float
    distance: float | None
    edges: str


def wager_pictures(strategies: Sequence[Played], names: Names) -> Iterator[tuple[Played, Pictures]]:
    """Three pictures, wager by wager: the stakes, the net results, and realised against exact house edge.

    The pictures of all strategies with wagers have the same axes.
    """
    lines = [(one, _lines(one.result, names)) for one in strategies if one.result.wagers]
    staked = Range(0, max(line.staked for _, some in lines for line in some))
    nets = [line.net for _, some in lines for line in some]
    brought = Range(min(nets), max(nets))
    for one, some in lines:
        drawn = (_staked(one, some, staked), _contributed(one, some, brought), _checked(one, some))
        yield one, Pictures(drawn, SMALL)


def _lines(result: Result, names: Names) -> list[Line]:
    """The costliest wagers first; in a long list the smallest share one line."""
    lines = [
        Line(
            names.wager(wager.wager, wager.pick),
            wager.staked / result.sessions,
            wager.net_per_session,
            apart(wager),
            ""
            if wager.edge is None or wager.exact_edge is None
            else f"{house_edge(wager.edge)}, exact {house_edge(wager.exact_edge)}",
        )
        for wager in result.wagers
    ]
    if len(lines) > MOST_ROWS:
        lines.sort(key=lambda line: -abs(line.net))
        rest = lines[MOST_ROWS - 1 :]
        others = Line(f"{len(rest)} others", sum(r.staked for r in rest), sum(r.net for r in rest), None, "")
        lines = [*lines[: MOST_ROWS - 1], others]
    return sorted(lines, key=lambda line: line.net)


def _average(one: Played) -> str:
    return " in a session, on average" if one.result.sessions > 1 else ""


def _headed(one: Played, headline: str) -> str:
    return f"{headline}: {one.label}" if one.key else headline


def _staked(one: Played, lines: Sequence[Line], span: Range) -> Picture:
    rows = [Bar(line.label, line.staked, amount(line.staked)) for line in lines]
    described = f"Dollars a session: {', '.join(f'{row.label} {row.shown}' for row in rows)}."
    drawing = diverging(f"What was staked: {one.label}", described, rows, span, "staked a session")
    note = f"All stakes{_average(one)}.{' The wager that cost the most is first.' if len(rows) > 1 else ''}"
    return Picture(drawing, _headed(one, "What was staked"), note)


def _contributed(one: Played, lines: Sequence[Line], span: Range) -> Picture:
    rows = [Bar(line.label, line.net, gained(line.net)) for line in lines]
    described = f"Dollars a session: {', '.join(f'{row.label} {row.shown}' for row in rows)}."
    drawing = diverging(f"What each wager contributed: {one.label}", described, rows, span, "net result a session")
    return Picture(drawing, _headed(one, "What each wager contributed"), f"The net result{_average(one)}.")


def _checked(one: Played, lines: Sequence[Line]) -> Picture:
    rows = [Checked(line.label, line.distance, line.edges or "not known") for line in lines]
    told = [row for row in rows if row.distance is not None]
    listed = ", ".join(f"{row.label} {row.shown}, {abs(row.distance or 0):.1f} standard errors apart" for row in told)
    drawing = whiskers(f"Realised and exact house edge: {one.label}", f"{listed or 'No exact edge is known'}.", rows)
    note = "Whiskers are 95 % confidence intervals (two standard errors): about 19 in 20 should reach the centre line."
    return Picture(drawing, _headed(one, "Realised and exact house edge"), note)
