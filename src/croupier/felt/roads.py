"""How a history of results is laid out: runs on one side or the other, turns of those who throw, the puck's way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from croupier.felt.lamps import is_marker
from croupier.felt.results import UNKNOWN, Result
from croupier.rules.book import Book, holds, shown_value
from croupier.rules.schema import Phase

Value = int | str | None  # of a marker


class Road(NamedTuple):
    """A line of results that fall on one of several sides, as displays have it: a column for each run."""

    name: str
    sides: tuple[str, ...]


class Step(NamedTuple):
    """A result among others: which turn it belongs to, counted from 1, and what the marker lay on before and after.

    One that `passes` ends a turn, whoever had it.
    """

    turn: int
    before: Value
    after: Value
    passes: bool


def roads(book: Book) -> list[Road]:
    """The lines that the book itself counts: phases that stand on one of its named results."""
    named = list(book.rules.throw.named)
    found = []
    for phase in book.rules.phases:
        words = {word for state in book.phase_machines[phase.id].table for word in state.split()}
        sides = tuple(name for name in named if name in words)
        if len(sides) > 1:
            found.append(Road(phase.name, sides))
    return found


def marker_name(book: Book) -> str | None:
    """What the book calls the marker that lies on a number, if it has one."""
    marker = _marker(book)
    return None if marker is None else marker.name


def steps(book: Book, results: Iterable[Result]) -> Iterator[Step]:
    """Each result in its place: another thrower, or dice that passed on, begin another turn."""
    turn, known, passed, marker = 1, None, False, _marker(book)
    for result in results:
        begins = known is not None and (passed or _is_another(known, result))
        turn += begins
        if known is None or begins or result.title != UNKNOWN:
            known = result
        passed = _passes(book, result)
        before, after = (None, None) if marker is None else _lay_on(book, marker, result)
        yield Step(turn, before, after, passed)


def _is_another(before_it: Result, result: Result) -> bool:
    """Whether somebody else has thrown, as far as it is on record who did."""
    return UNKNOWN not in (before_it.title, result.title) and before_it.by != result.by


def _marker(book: Book) -> Phase | None:
    return next((phase for phase in book.rules.phases if is_marker(book, phase)), None)


def _counts(result: Result) -> bool:
    return bool(result.faces) and result.void is None


def _passes(book: Book, result: Result) -> bool:
    """Whether the dice pass on with it, whoever threw them."""
    passes = None if book.rules.thrower is None else book.rules.thrower.passes
    if passes is None or not _counts(result):
        return False
    if book.outcomes.index[result.faces] not in book.outcomes.matching(passes.on):
        return False
    return passes.phase is None or holds(passes.phase, result.phases[passes.phase.phase])


def _lay_on(book: Book, marker: Phase, result: Result) -> tuple[Value, Value]:
    """What the marker lay on before a result, and after it."""
    before = after = result.phases[marker.id]
    if _counts(result):
        entry = book.phase_machines[marker.id].table[before][book.outcomes.index[result.faces]]
        after = entry.next if entry.then == "go" else before
    return shown_value(marker.shows, before), shown_value(marker.shows, after)
