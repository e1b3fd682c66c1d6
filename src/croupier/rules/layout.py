"""The felt of a book: its areas on a grid of squares, and how it is drawn.

The squares are enough for a felt. A book may draw it as well: sheets of areas with outlines, printed words, dice, and
the places where chips lie; one wide sheet, and narrow ones that a phone shows one at a time. Everything on a sheet is
in units of its `size`. What depends on the rules is not written there: words take the odds from the pay table, dice
the faces that the area names or the rules bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from croupier.rules.schema import Cited, Part, Pick

Place = tuple[int, int, int, int]  # left, top, width, height, in squares of the felt


class Area(Part, frozen=True):
    """A betting area of the layout: its place on the wide felt and on the narrow one for phones.

    Areas of one `group` share a heading. `dice` are faces that may be drawn on the area, as little dice or coins:
    each list is a throw, or part of one, that wins there.
    """

    wager: str
    at: Place
    narrow: Place
    label: str
    pick: Pick | None = None
    note: str = ""
    group: str = ""
    dice: list[list[int | str]] = []


class Ring(Part, frozen=True):
    """The space on the felt where the dice or coins fall."""

    at: Place
    narrow: Place


# -- sheets -----------------------------------------------------------------------------------------------------------

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height

# What something printed looks like. `docs/rule-books.md` says what each is for.
Tone = Literal[
    "print",
    "gold",
    "red",
    "tint",
    "plate",
    "pocket",
    "seven",
    "hair",
    "deco",
    "skin",
    "scale",
    "rattle",
    "wood",
    "earth",
    "copper",
    "shade",
]
Cloth = Literal["green", "plum", "night", "ring"]
Shows = Literal["always", "wanted", "held", "odds"]


class Words(Part, frozen=True):
    """Printed words about their middle; `{label}`, `{note}`, `{pick}`, `{word}` and the odds are the area's own.

    `{pays}` is as short as possible, `{odds}` in words, `{least}` the lowest of them.

    `width` stretches them, so that a missing font never breaks a line; with `most` they are only as large as fits.
    `turn` is in degrees, about `at`.
    """

    says: str
    at: Point
    size: float
    width: float | None = None
    most: float | None = None
    turn: float = 0
    tone: Tone = "print"
    to: Literal["middle", "start", "end"] = "middle"
    plain: bool = False


class Line(Part, frozen=True):
    """A line or a surface that belongs to no area: `width` draws the path as a stroke, `dash` in dashes."""

    path: str
    tone: Tone
    width: float | None = None
    dash: list[float] = []


class Dice(Part, frozen=True):
    """Where dice are printed: their middle and their size; without `faces`, those of the area."""

    at: Point
    size: float
    faces: list[int | str] = []
    turn: float = 0


class Totals(Part, frozen=True):
    """Totals that win on an area, each with its place: those that pay more are ringed.

    What those pay is printed at `pays`, seen from their place; `says` are the words, with `{odds}`.
    """

    at: list[tuple[int, float, float]]
    size: float
    ring: float
    pays: Point
    says: str = "pays {odds}"


class Ladder(Part, frozen=True):
    """A rung for each line of the pay table: the odds, and below them the words of the line, such as a length."""

    at: Point
    rung: Point
    across: int


class DrawnArea(Part, frozen=True):
    """An area as it is drawn, or one for each of several `picks`, each a `step` further.

    The outline is a `path`, a `rect` (with the radius of its corners as a fifth number), a `circle`, or a `band` along
    a path. `chip` is where chips lie, `room` the rectangle for those of many players, `pay` where a payment lands,
    seen from `chip`. `puck` is where the marker of its number lies. Areas with `box` belong to the box of their pick.
    """

    wager: str
    chip: Point
    pick: Pick | None = None
    picks: list[Pick] = []
    step: Point = (0, 0)
    words: list[str] = []
    path: str | None = None
    rect: tuple[float, ...] | None = None
    circle: tuple[float, float, float] | None = None
    band: tuple[str, float] | None = None
    text: list[Words] = []
    dice: list[Dice] = []
    bar: Dice | None = None
    totals: Totals | None = None
    ladder: Ladder | None = None
    lines: list[Line] = []
    room: Box | None = None
    pay: Point = (36, 0)
    puck: Point | None = None
    shows: Shows = "always"
    tone: Tone = "print"
    box: bool = False
    scale: float = 1

    @property
    def outlines(self) -> int:
        """How many outlines it has."""
        return sum(outline is not None for outline in (self.path, self.rect, self.circle, self.band))

    @property
    def places(self) -> list[tuple[Pick | None, Point, str]]:
        """Each pick, how far its area is moved, and its word."""
        if not self.picks:
            return [(self.pick, (0, 0), self.words[0] if self.words else "")]
        dx, dy = self.step
        words = self.words or [""] * len(self.picks)
        return [(pick, (n * dx, n * dy), words[n]) for n, pick in enumerate(self.picks)]


class Sheet(Part, frozen=True):
    """A felt, or a part of one on a phone, which its `name` says.

    `puck` is where the marker lies while it is off; `fall` the middle and the radius of the ring where coins fall. On
    a sheet with `choose`, a row of numbers there picks the box that is shown.
    """

    size: Point
    areas: list[DrawnArea]
    name: str = ""
    cloth: Cloth = "green"
    lines: list[Line] = []
    text: list[Words] = []
    dice: list[Dice] = []
    puck: Point | None = None
    fall: tuple[float, float, float] | None = None
    choose: Box | None = None


class Layout(Part, frozen=True):
    """The felt: its size in squares, wide and narrow, and its betting areas.

    The squares are how a terminal draws it, and any screen if there is no `wide` or `narrow` sheet.
    """

    clause: Cited
    size: tuple[int, int]
    narrow_size: tuple[int, int]
    areas: list[Area]
    ring: Ring | None = None
    wide: Sheet | None = None
    narrow: list[Sheet] = []


# -- paths ------------------------------------------------------------------------------------------------------------

_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
_TOKEN = re.compile(r"\s*(?:([A-Za-z])|(-?\d+(?:\.\d+)?))[\s,]*")

Step = tuple[str, list[float]]


class PathError(ValueError):
    """A path that cannot be drawn; its message says why."""


def parsed_path(path: str) -> list[Step]:
    """Return the steps of a path. Raises PathError."""
    steps: list[Step] = []
    place = 0
    while place < len(path):
        found = _TOKEN.match(path, place)
        if found is None:
            raise PathError(f'has "{path[place]}" in its path, which is neither a command nor a number')
        place = found.end()
        letter, number = found.groups()
        if letter is not None:
            if letter not in _NUMBERS:
                raise PathError(f'has the command "{letter}" in its path; there are {", ".join(_NUMBERS)}')
            steps.append((letter, []))
        elif not steps:
            raise PathError("has a path that does not begin with M")
        else:
            steps[-1][1].append(float(number))
    if not steps or steps[0][0] != "M":
        raise PathError("has a path that does not begin with M")
    for command, numbers in steps:
        takes = _NUMBERS[command]
        if len(numbers) != takes:
            raise PathError(f'gives the command "{command}" {len(numbers)} numbers in its path; it takes {takes}')
    return steps


def points_of(steps: list[Step]) -> Iterator[Point]:
    """Yield the points that a path goes to."""
    x = y = 0.0
    for command, numbers in steps:
        if command == "H":
            x = numbers[0]
        elif command == "V":
            y = numbers[0]
        elif command != "Z":
            x, y = numbers[-2:]
        yield x, y


def path_text(steps: list[Step], by: Point = (0, 0)) -> str:
    """Return a path as SVG has it, moved."""
    return "".join(command + " ".join(map(figure, _moved(command, numbers, by))) for command, numbers in steps)


def _moved(command: str, numbers: list[float], by: Point) -> list[float]:
    if command == "A":
        return [*numbers[:5], numbers[5] + by[0], numbers[6] + by[1]]
    start = 1 if command == "V" else 0
    return [number + by[(place + start) % 2] for place, number in enumerate(numbers)]


def figure(number: float) -> str:
    """Return a number as short as possible: a hundredth of a unit is never seen."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def outline(area: DrawnArea) -> list[Step]:
    """Return the outline of an area as a path. Raises PathError."""
    if area.rect is not None:
        return _rectangle(area.rect)
    if area.circle is not None:
        return circle_path(*area.circle)
    if area.band is not None:
        return parsed_path(area.band[0])
    if area.path is not None:
        return parsed_path(area.path)
    return circle_path(*area.chip, 22 * area.scale)  # what is only a place for chips is as large as a stack of them


def _rectangle(given: tuple[float, ...]) -> list[Step]:
    if len(given) not in (4, 5):
        raise PathError("has a rect that is not left, top, width, height and perhaps the radius of its corners")
    x, y, width, height, *rest = given
    r = rest[0] if rest else 0.0
    right, bottom = x + width, y + height
    if not r:
        return [("M", [x, y]), ("H", [right]), ("V", [bottom]), ("H", [x]), ("Z", [])]
    turn = [r, r, 0.0, 0.0, 1.0]
    return [
        *(("M", [x + r, y]), ("H", [right - r]), ("A", [*turn, right, y + r])),
        *(("V", [bottom - r]), ("A", [*turn, right - r, bottom]), ("H", [x + r])),
        *(("A", [*turn, x, bottom - r]), ("V", [y + r]), ("A", [*turn, x + r, y]), ("Z", [])),
    ]


def circle_path(x: float, y: float, r: float) -> list[Step]:
    """Return a circle as a path through its outermost points."""
    turn = [r, r, 0.0, 0.0, 1.0]
    corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    return [("M", [x - r, y]), *(("A", [*turn, *corner]) for corner in corners), ("Z", [])]


def total_of(faces: tuple[int | str, ...]) -> int:
    """Return the total of a throw of dice; 0 for coins."""
    return sum(face for face in faces if isinstance(face, int))
