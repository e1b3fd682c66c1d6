"""Progressions, from a table of the file to values: a list of steps, or an amount that moves from a start."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from croupier.money import format_cents
from croupier.sim.reading.deeds import read_targets
from croupier.sim.reading.errors import Mistakes, Unreadable
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


def read_progression(language: Language, name: str, table: ProgressionTable, mistakes: Mistakes) -> Progression | None:
    """A progression on some spots; nothing where there are mistakes."""
    of = () if table.of is None else tuple(spot for _, spot in read_targets(language, table.of, "of", mistakes))
    if table.per == "shooter":
        with mistakes.at("per"):
            language.check_shooters("shooter")
    has_steps, has_start = ((getattr(table, key) is not None or mistakes.about(key)) for key in ("steps", "start"))
    if has_steps == has_start:
        mistakes.add((), f"progression {quoted(name)} needs steps or a start, and not both")
        return None
    made = (_along_steps if has_steps else _from_start)(language, name, table, of, mistakes)
    return None if mistakes else made


def most_reached(progression: Progression) -> int:
    """The largest stake to which a progression can come."""
    return max(progression.steps) if progression.steps else progression.most


def _along_steps(language: Language, name: str, table: ProgressionTable, of: Spots, mistakes: Mistakes) -> Progression:
    for key in ("most", "least"):
        if getattr(table, key) is not None:
            mistakes.add((key,), f"{key} goes with start; steps say themselves how far they go")
    win, loss = _moves(table, mistakes, lambda text, won: _move_on_steps(text))
    return Progression(
        name,
        of,
        win,
        loss,
        steps=_steps(language, table.steps or [], mistakes),
        at_end=table.end or "stay",
        per_shooter=table.per == "shooter",
    )


def _steps(language: Language, written: list[int | float | str], mistakes: Mistakes) -> tuple[int, ...]:
    if not 1 <= len(written) <= MOST_STEPS and not mistakes.about("steps"):
        mistakes.add(("steps",), f"there are {len(written):,} steps; there must be 1 to {MOST_STEPS:,}")
        return ()
    steps: list[int] = []
    for place, step in enumerate(written):
        with mistakes.at("steps", place):
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


def _moves(table: ProgressionTable, mistakes: Mistakes, read: Callable[[str, bool], Move]) -> tuple[Move, Move]:
    """What a win does, and a loss; nothing where that cannot be read."""
    moves = {"win": Move("stay"), "loss": Move("stay")}
    for key in moves:
        if (text := getattr(table, key)) is not None:
            with mistakes.at(key):
                moves[key] = read(text, key == "win")
    return moves["win"], moves["loss"]


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


def _from_start(language: Language, name: str, table: ProgressionTable, of: Spots, mistakes: Mistakes) -> Progression:
    if table.end is not None:
        mistakes.add(("end",), "end goes with steps; an amount has no last step")
    is_limited = table.most is not None or mistakes.about("most")
    win, loss = _moves(table, mistakes, lambda text, won: _move_on_amount(language, text, won, is_limited))
    start, most, least = 0, None, 0
    if table.start is not None:
        with mistakes.at("start"):
            start = language.amount(table.start)
    if table.most is not None:
        with mistakes.at("most"):
            most = language.amount(table.most)
            if most < start:
                raise Unreadable(f"{quoted(table.most)} is less than the start, {format_cents(start)}")
    if table.least is not None:
        with mistakes.at("least"):
            least = language.amount(table.least, 0)
            if least > start > 0:
                raise Unreadable(f"{quoted(table.least)} is more than the start, {format_cents(start)}")
    most = start if most is None else most
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
