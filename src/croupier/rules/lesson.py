"""The first game of a book: steps of one move each, explained by the page, with the dice that fall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from croupier.bounded_reading import read_text
from croupier.rules.errors import RuleBookError
from croupier.rules.loading import MOST_BYTES, MOST_IN_A_LINE, Source, convert
from croupier.rules.machine import Pick
from croupier.rules.schema import Part

FILE = "lesson.toml"
MOST_STEPS = 12
MOST_WORDS = 20  # of the sentences before a move
_STEP = re.compile(r"\s*\[\[\s*lesson\s*\.\s*steps\s*\]\]")
_OPENING = re.compile(r"\s*\[\s*lesson\s*\]")


class Step(Part, frozen=True):
    """One move: a `bet` on a wager, or `throws` with these faces, one after the other. `says` explains it before.

    `won` and `lost` are what the throws do to the player's wagers. `marker` is where the puck lies after them. They are
    not shown; they hold the scripted dice to what the sentences promise.
    """

    title: str
    says: str
    note: str = ""
    bet: str | None = None
    pick: Pick = None
    amount: str = "5.00"
    throws: tuple[tuple[int, ...] | str, ...] = ()
    won: str = "0.00"
    lost: str = "0.00"
    marker: int | str | None = None


class End(Part, frozen=True):
    """What is said after the last move."""

    title: str
    says: str


class _Written(Part, frozen=True):
    """The table `[lesson]` of a file."""

    title: str
    end: End
    steps: list[object]
    chips: str = "200.00"


class Lesson(msgspec.Struct, frozen=True):
    """A first game: what the player begins with, the steps, and the end. `places` are where they are written."""

    title: str
    end: End
    chips: str
    steps: tuple[Step, ...]
    places: tuple[str, ...]

    def wrong(self, number: int, reason: str) -> RuleBookError:
        """Return the error of a step, counted from 1; 0 is the lesson as a whole."""
        return RuleBookError(self.places[number], f"step {number}" if number else "lesson", reason)


def read_lesson(source: Source) -> Lesson | None:
    """Return the lesson of a book's own files, or None. Raises RuleBookError with the line of the mistake."""
    tree = source.tree(FILE).get("lesson")
    if tree is None:
        return None
    file = source.path if source.path.is_file() else source.path / FILE
    name = source.name if source.path.is_file() else f"{source.name}/{FILE}"
    places = tuple(f"{name}:{line}" for line in _lines(file))
    written = convert(tree, _Written, places[0])
    if len(places) != len(written.steps) + 1:
        raise RuleBookError(places[0], "lesson", "write each step as a table of its own: [[lesson.steps]]")
    steps = [convert(step, Step, place) for step, place in zip(written.steps, places[1:], strict=True)]
    return Lesson(written.title, written.end, written.chips, tuple(steps), places)


def _lines(file: Path) -> Iterator[int]:
    """Yield the line of `[lesson]`, and of each of its steps."""
    heads = [(number, line) for number, line in enumerate(_text(file).splitlines(), 1) if line.lstrip().startswith("[")]
    yield next((number for number, line in heads if _OPENING.match(line)), 1)
    yield from (number for number, line in heads if _STEP.match(line))


def _text(file: Path) -> str:
    return read_text(file, MOST_BYTES, MOST_IN_A_LINE)
