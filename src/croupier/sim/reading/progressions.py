"""Progressions, from a table of the file to values: a list of steps, or an amount that moves from a start."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from croupier.money import format_cents
from croupier.sim.reading.errors import Unreadable, under
from croupier.sim.reading.language import NUMBER, Language, multiple, number, plain, share_of, whole
from croupier.sim.reading.shapes import ProgressionTable, quoted
from croupier.sim.strategy import Move, Progression, Spots

MOST_STEPS = 1000

ON_STEPS = '"next", "back", "back 2", "first" or "stay"'
ON_AMOUNT = (
    '"stay", "start", "add AMOUNT", "less AMOUNT", "double", "times 3", and after a win "add winnings", '
    '"add half winnings" or "add 25% winnings"'
)

_BACK = re.compile(r"back(?: (?P<by>\S+))?")
_ADD = re.compile(r"(?P<way>add|less) (?P<amount>.+)")
_TIMES = re.compile(rf"times (?P<factor>{NUMBER})")
_WINNINGS = re.compile(rf"add (?:(?P<half>half )|(?P<percent>{NUMBER}) ?% )?winnings")


def read_progression(language: Language, name: str, table: ProgressionTable, of: Spots) -> Progression:
    """A progression on some spots. Raises Unreadable."""
    if (table.steps is None) == (table.start is None):
        raise Unreadable(f"progression {quoted(name)} needs steps or a start, and not both")
    if table.per == "shooter":
        with under("per"):
            language.check_shooters("shooter")
    if table.steps is not None:
        return _along_steps(language, name, table, of)
    return _from_start(language, name, table, of)


def most_reached(progression: Progression) -> int:
    """The largest stake to which a progression can come."""
    return max(progression.steps) if progression.steps else progression.most


def _along_steps(language: Language, name: str, table: ProgressionTable, of: Spots) -> Progression:
    for key in ("most", "least"):
        if getattr(table, key) is not None:
            raise Unreadable(f"{key} goes with start; steps say themselves how far they go", path=(key,))
    win, loss = _moves(table, lambda text, won: _move_on_steps(text))
    return Progression(
        name,
        of,
        win,
        loss,
        steps=_steps(language, table.steps or []),
        at_end=table.end or "stay",
        per_shooter=table.per == "shooter",
    )


def _steps(language: Language, written: list[int | float | str]) -> tuple[int, ...]:
    if not 1 <= len(written) <= MOST_STEPS:
        raise Unreadable(f"there are {len(written):,} steps; there must be 1 to {MOST_STEPS:,}", path=("steps",))
    steps: list[int] = []
    for place, step in enumerate(written):
        with under("steps", place):
            steps.append(_step(language, step))
    return tuple(steps)


def _step(language: Language, step: int | float | str) -> int:
    """A number is so many units, a text is an amount."""
    if isinstance(step, str):
        return language.amount(step)
    shown = str(step)
    if step <= 0 or (isinstance(step, float) and not isfinite(step)):
        raise Unreadable(f"a step of {shown} is no stake")
    return language.units(number(shown), f"{shown} units")


def _moves(table: ProgressionTable, read: Callable[[str, bool], Move]) -> tuple[Move, Move]:
    with under("win"):
        win = read(table.win, True)
    with under("loss"):
        loss = read(table.loss, False)
    return win, loss


def _move_on_steps(text: str) -> Move:
    words = plain(text)
    match words:
        case "next" | "first" | "stay":
            return Move(words)
    back = _BACK.fullmatch(words)
    if back is None:
        raise Unreadable(f"{quoted(text)} cannot be read; along steps it is {ON_STEPS}")
    by = whole(back["by"] or "1", text)
    if not by:
        raise Unreadable(f'{quoted(text)} moves nothing; write "stay"')
    return Move("back", Fraction(by))


def _from_start(language: Language, name: str, table: ProgressionTable, of: Spots) -> Progression:
    if table.end is not None:
        raise Unreadable("end goes with steps; an amount has no last step", path=("end",))
    with under("start"):
        start = language.amount(table.start or "")
    win, loss = _moves(table, lambda text, won: _move_on_amount(language, text, won, table.most is not None))
    most, least = start, 0
    if table.most is not None:
        with under("most"):
            most = language.amount(table.most)
            if most < start:
                raise Unreadable(f"{quoted(table.most)} is less than the start, {format_cents(start)}")
    if table.least is not None:
        with under("least"):
            least = language.amount(table.least, 0)
            if least > start:
                raise Unreadable(f"{quoted(table.least)} is more than the start, {format_cents(start)}")
    return Progression(name, of, win, loss, start=start, least=least, most=most, per_shooter=table.per == "shooter")


def _move_on_amount(language: Language, text: str, won: bool, is_limited: bool) -> Move:
    move = _moved_amount(language, text, won)
    grows = {"add": move.by > 0, "times": move.by > 1, "add_won": True}.get(move.kind, False)
    if grows and not is_limited:
        raise Unreadable(f"{quoted(text)} grows without end: most must say how far it goes")
    return move


def _moved_amount(language: Language, text: str, won: bool) -> Move:
    words = plain(text)
    match words:
        case "stay":
            return Move("stay")
        case "start":
            return Move("first")
        case "double":
            return Move("times", Fraction(2))
    if times := _TIMES.fullmatch(words):
        return Move("times", multiple(times["factor"], text))
    if winnings := _WINNINGS.fullmatch(words):
        if not won:
            raise Unreadable(f"{quoted(text)}: a loss has no winnings")
        percent = winnings["percent"] or ("50" if winnings["half"] else "100")
        return Move("add_won", share_of(percent, text))
    if add := _ADD.fullmatch(words):
        cents = language.amount(add["amount"])
        return Move("add", Fraction(cents if add["way"] == "add" else -cents))
    raise Unreadable(f"{quoted(text)} cannot be read; from a start it is {ON_AMOUNT}")
