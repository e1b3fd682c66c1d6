"""Draw the layout and the dice in the terminal: each area is a box with label, odds and chips, scaled to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

import msgspec
from rich.console import Console
from rich.text import Text

from croupier.felt.areas import Spot
from croupier.play.input import closed_up
from croupier.rules.outcomes import Face

GREEN = {
    "ground": "white on dark_green",
    "border": "dark_sea_green4",
    "label": "bold",
    "closed": "not bold grey66",
    "odds": "pale_green1",
    "chips": "bold black on gold1",
    "asleep": "black on grey70",
    "mark": "bold black on white",
    "note": "not bold pale_green3",
    "won": "bold black on green3",
    "fallen": "black on white",
}
# For consoles with few or no colours: keep the console's own background.
PLAIN = {
    "ground": "",
    "border": "green",
    "label": "bold",
    "closed": "dim",
    "odds": "green",
    "chips": "bold yellow reverse",
    "asleep": "yellow",
    "mark": "bold reverse",
    "note": "dim",
    "won": "bold green reverse",
    "fallen": "",
}
WIDE = 24  # minimum width for a centred line; narrower ones put the label left and the odds right


Bit = tuple[str, str]  # a piece of text and its role
At = tuple[int, int, int, int]  # left, top, width, height


class Cell(msgspec.Struct, frozen=True):
    """The content of an area. Forms of the odds and chips go from the longest to the shortest."""

    spot: Spot
    odds: list[str]
    chips: list[str] = []
    fewer: list[str] = []  # shorter forms of the chips, without their exact amount
    asleep: bool = False
    mark: str = ""
    open: bool = True
    won: bool = False


class Plan(msgspec.Struct, frozen=True):
    """How the squares of the layout map to characters."""

    size: tuple[int, int]
    columns: int
    lines: int
    boxed: bool

    def x(self, square: int) -> int:
        """Return the column of a grid line."""
        return round(square * self.columns / self.size[0])

    def y(self, square: int) -> int:
        """Return the row of a grid line."""
        return round(square * self.lines / self.size[1])

    def inside(self, at: At) -> At:
        """Return the characters within the borders of an area."""
        left, top, width, height = at
        x, y = self.x(left) + 1, self.y(top) + (1 if self.boxed else 0)
        return x, y, self.x(left + width) - x, self.y(top + height) - y

    @property
    def height(self) -> int:
        """The height of the drawing in lines."""
        return self.lines + (1 if self.boxed else 0)


def make_plan(size: tuple[int, int], spots: list[Spot], width: int, room: int) -> Plan:
    """Return the best plan for a width and height: boxes if they fit, else areas without lines between rows."""
    columns = _even(width - 1, size[0])
    unit = gcd(size[1], *(number for spot in spots for number in (spot.at[1], spot.at[3])))
    rows, least = size[1] // unit, min(spot.at[3] for spot in spots)
    natural = round(size[1] * columns / size[0] / 2 / rows)  # a character is about twice as high as wide
    smallest = -(-2 * unit // least)
    for times in range(max(natural, smallest), smallest - 1, -1):
        if times * rows + 1 <= room:
            return Plan(size, columns, times * rows, True)
    times = max(1, min(natural, room // rows))
    return Plan(size, columns, times * rows, False)


def _even(columns: int, squares: int) -> int:
    """Prefer a slightly smaller width in which all squares are equally wide, in half characters."""
    even = columns * 2 // squares * squares // 2
    return even if even > 0.9 * columns else columns


def palette_for(console: Console) -> dict[str, str]:
    """Return the colours that a console can show well."""
    many = not console.no_color and console.color_system in ("256", "truecolor")
    return GREEN if many else PLAIN


def draw_felt(
    plan: Plan, cells: list[Cell], glyphs: Glyphs, palette: dict[str, str], fallen: list[list[str]]
) -> list[Text]:
    """Return the layout as lines of text, with the dice or coins in its free square if there is one."""
    canvas = Canvas(plan.columns + 1, plan.height, glyphs, palette)
    _border(canvas, plan, (0, 0, *plan.size))
    for cell in cells:
        _border(canvas, plan, cell.spot.at)
        _write_cell(canvas, plan, cell)
    free = free_square(plan.size, [cell.spot for cell in cells])
    if free is not None:
        _write_fallen(canvas, plan, free, fallen)
    return canvas.lines()


def free_square(size: tuple[int, int], spots: list[Spot]) -> At | None:
    """Return the rectangle that no area covers, if there is exactly one."""
    free = {(x, y) for x in range(size[0]) for y in range(size[1])}
    for left, top, width, height in (spot.at for spot in spots):
        free -= {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
    if not free:
        return None
    left, top = min(x for x, _ in free), min(y for _, y in free)
    width, height = max(x for x, _ in free) + 1 - left, max(y for _, y in free) + 1 - top
    return (left, top, width, height) if len(free) == width * height else None


def _write_fallen(canvas: Canvas, plan: Plan, free: At, fallen: list[list[str]]) -> None:
    x, y, width, height = plan.inside(free)
    if not fallen or len(fallen) > height or len(" ".join(fallen[0])) > width:
        return
    for offset, row in enumerate(fallen):
        place = x + (width - len(" ".join(row))) // 2
        for piece in row:
            canvas.write(place, y + (height - len(fallen)) // 2 + offset, piece, "fallen")
            place += len(piece) + 1


def _border(canvas: Canvas, plan: Plan, at: At) -> None:
    left, top, width, height = at
    x, y = plan.x(left), plan.y(top)
    right, bottom = plan.x(left + width), plan.y(top + height)
    if plan.boxed:
        canvas.across(x, y, right - x)
        canvas.across(x, bottom, right - x)
    canvas.down(x, y, bottom - y, whole=not plan.boxed)
    canvas.down(right, y, bottom - y, whole=not plan.boxed)


def _write_cell(canvas: Canvas, plan: Plan, cell: Cell) -> None:
    x, y, width, height = plan.inside(cell.spot.at)
    if cell.won:
        for line in range(height):
            canvas.write(x, y + line, " " * width, "won")
    lines = arrange(cell, width, height, canvas.glyphs)
    y += (height - len(lines)) // 2
    for offset, bits in enumerate(lines):
        for place, text, role in _placed(bits, width, height):
            canvas.write(x + place, y + offset, text, _style(cell, role))


def _style(cell: Cell, role: str) -> str:
    """Return the palette's name for a piece of text on this area."""
    if role == "chips":
        return "asleep" if cell.asleep else "chips"
    if cell.won and role != "mark":
        return "won"
    return "closed" if role == "label" and not cell.open else role


def _placed(bits: list[Bit], width: int, height: int) -> list[tuple[int, str, str]]:
    """Return where each piece of a line goes: to both ends of a narrow line, else centred."""
    texts = [text for text, _ in bits]
    if height == 1 and len(bits) > 1 and width <= WIDE:
        middle = " ".join(texts[:-1])
        places = [len(" ".join(texts[:i])) + (1 if i else 0) for i in range(len(bits) - 1)]
        assert len(middle) + len(texts[-1]) <= width
        return [(p, t, r) for p, (t, r) in zip([*places, width - len(texts[-1])], bits, strict=True)]
    gap = "  " if len("  ".join(texts)) <= width else " "
    place = (width - len(gap.join(texts))) // 2
    placed = []
    for text, role in bits:
        placed.append((place, text, role))
        place += len(text) + len(gap)
    return placed


def arrange(cell: Cell, width: int, height: int, glyphs: Glyphs) -> list[list[Bit]]:
    """Return what fits on an area, in order of importance: chips, label, odds, note."""
    if width < 1 or height < 1:
        return []
    mark: list[Bit] = [(cell.mark, "mark")] if cell.mark else []
    star = glyphs.won if cell.won else ""
    labels = [form + star for form in label_forms(cell.spot.label, width - len(star))]
    if height == 1:
        return [_one_line(cell, labels, mark, width)]
    return _several_lines(cell, labels, mark, width, height)


def _one_line(cell: Cell, labels: list[str], mark: list[Bit], width: int) -> list[Bit]:
    if not cell.chips:
        tries = [*_tries_without_chips(cell, labels, mark)]
        return next((bits for bits in tries if _length(bits) <= width), tries[-1])
    fitting = [bits for bits in _tries(cell, labels, mark, cell.chips) if _length(bits) <= width]
    for label in labels:
        fitting += [bits for bits in _tries(cell, [label], mark, cell.fewer) if _length(bits) <= width]
        touching: list[list[Bit]] = [[(label, "label"), (coin, "chips")] for coin in cell.fewer]
        fitting += [bits for bits in touching if _length(bits) - 1 <= width]
    alone: list[list[Bit]] = [[(coin, "chips")] for coin in [*cell.chips, *cell.fewer]]
    fitting += [bits for bits in alone if _length(bits) <= width]
    return fitting[0] if fitting else alone[-1]


def _tries(cell: Cell, labels: list[str], mark: list[Bit], chips: list[str]) -> Iterator[list[Bit]]:
    """Yield combinations of label, chips, note and odds, the longest first."""
    odds: list[Bit] = [(form, "odds") for form in cell.odds]
    coins: list[Bit] = [(form, "chips") for form in chips]
    for coin in coins:
        if cell.spot.note:
            noted: list[Bit] = [(labels[0], "label"), *mark, (cell.spot.note, "note"), coin]
            yield from ([*noted, pays] for pays in odds)
            yield noted
        for label in labels:
            yield from ([(label, "label"), *mark, coin, pays] for pays in odds)
            yield from ([(label, "label"), *mark, coin], [(label, "label"), coin])


def _tries_without_chips(cell: Cell, labels: list[str], mark: list[Bit]) -> Iterator[list[Bit]]:
    odds: list[Bit] = [(form, "odds") for form in cell.odds]
    if cell.spot.note:
        yield from ([(labels[0], "label"), *mark, (cell.spot.note, "note"), pays] for pays in odds)
    for label in labels:
        yield from ([(label, "label"), *mark, pays] for pays in odds)
    yield from ([(label, "label"), *mark] for label in labels)
    yield from ([(label, "label")] for label in labels)


def _several_lines(cell: Cell, labels: list[str], extra: list[Bit], width: int, height: int) -> list[list[Bit]]:
    pays: list[list[Bit]] = [[(form, "odds")] for form in cell.odds if len(form) <= width][:1]
    chips: list[list[Bit]] = [[(form, "chips")] for form in [*cell.chips, *cell.fewer] if len(form) <= width][:1]
    notes: list[list[Bit]] = [[(cell.spot.note, "note")]] if 0 < len(cell.spot.note) <= width else []
    first: list[Bit] = [(labels[0], "label"), *extra]
    few = height < 2 + len(chips) + len(pays)
    if notes and few and width > WIDE and _length(first + notes[0]) <= width:
        first += notes.pop()
    wrapped = cell.spot.label.split()
    if (
        len(labels[0]) < len(cell.spot.label)
        and not cell.won
        and height >= len(wrapped) + 1
        and max(map(len, wrapped)) <= width
    ):
        lines: list[list[Bit]] = [[(word, "label")] for word in wrapped]
        lines += [[bit] for bit in extra]
    else:
        lines = [first] if _length(first) <= width else [[(labels[0], "label")], *([bit] for bit in extra)]
    if height > len(lines) + len(chips) + len(pays):
        lines += notes
    lines += (chips + pays) if height > len(lines) + len(chips) else (chips or pays)
    if chips and len(lines) > height:  # chips are never left out
        lines = [*lines[: height - 1], chips[0]]
    return lines[:height]


def _length(bits: list[Bit]) -> int:
    return len(" ".join(text for text, _ in bits))


def label_forms(label: str, width: int) -> list[str]:
    """Return a label in full and shortened, as far as it fits: `HARD 10`, `H 10`; or three digits closed up: `111`."""
    words = label.split()
    initials = " ".join([*(word[:1] for word in words[:-1]), *words[-1:]])
    forms = [form for form in dict.fromkeys((label, closed_up(label) or initials, initials)) if len(form) <= width]
    return forms or [label[:width]]


# -- canvas -----------------------------------------------------------------------------------------------------------


class Canvas:
    """A grid of styled characters on which boxes share borders; text outside it is clipped."""

    def __init__(self, width: int, height: int, glyphs: Glyphs, palette: dict[str, str]) -> None:
        self.width = width
        self.height = height
        self.glyphs = glyphs
        self.palette = palette
        self._signs = [[" "] * width for _ in range(height)]
        self._styles = [[palette["ground"]] * width for _ in range(height)]
        self._arms: dict[tuple[int, int], int] = {}

    def write(self, x: int, y: int, text: str, role: str) -> None:
        """Write a text in the palette's style for its role."""
        style = f"{self.palette['ground']} {self.palette[role]}".strip()
        for place, sign in enumerate(text, x):
            if 0 <= y < self.height and 0 <= place < self.width:
                self._signs[y][place] = sign
                self._styles[y][place] = style

    def across(self, x: int, y: int, length: int) -> None:
        """Draw a horizontal line to the right."""
        for place in range(x, x + length):
            self._join(place, y, RIGHT)
            self._join(place + 1, y, LEFT)

    def down(self, x: int, y: int, length: int, whole: bool = False) -> None:
        """Draw a line downwards; `whole`: through whole characters, for plans without horizontal lines."""
        for place in range(y, y + length):
            self._join(x, place, UP | DOWN if whole else DOWN)
            if not whole:
                self._join(x, place + 1, UP)

    def _join(self, x: int, y: int, arms: int) -> None:
        self._arms[x, y] = self._arms.get((x, y), 0) | arms

    def lines(self) -> list[Text]:
        """Return the canvas as lines of text."""
        for (x, y), arms in self._arms.items():
            self.write(x, y, self.glyphs.line(arms), "border")
        return [self._line(signs, styles) for signs, styles in zip(self._signs, self._styles, strict=True)]

    def _line(self, signs: list[str], styles: list[str]) -> Text:
        line = Text(no_wrap=True)
        start = 0
        for place in range(1, len(signs) + 1):
            if place == len(signs) or styles[place] != styles[start]:
                line.append("".join(signs[start:place]), styles[start])
                start = place
        return line


# -- glyphs: the characters of the screen, and their ASCII replacements -----------------------------------------------

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8

_LINES = {
    UP: "╵",
    DOWN: "╷",
    LEFT: "╴",
    RIGHT: "╶",
    UP | DOWN: "│",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "┌",
    DOWN | LEFT: "┐",
    UP | RIGHT: "└",
    UP | LEFT: "┘",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}


class Glyphs(msgspec.Struct, frozen=True):
    """A set of characters."""

    chip: str  # before the amount of a wager that is live on the next throw
    off: str  # before the amount of a sleeping wager
    won: str  # beside an area that has just won
    lit: str
    unlit: str
    pip: str
    dot: str
    to: str
    more: str
    quote: tuple[str, str]
    corners: str
    plain: bool

    def line(self, arms: int) -> str:
        """Return the character for lines that leave a point in these directions."""
        if not self.plain:
            return _LINES[arms]
        return "|" if not arms & (LEFT | RIGHT) else "-" if not arms & (UP | DOWN) else "+"

    def say(self, text: str) -> str:
        """Return a text in the characters available."""
        return text.translate(_ASCII) if self.plain else text


_ASCII = str.maketrans(
    {"–": "-", "—": "-", "·": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "●": "*", "○": "o"}
)

UNICODE = Glyphs("●", "○", "★", "●", "○", "●", "·", "–", "…", ("“", "”"), "╭╮╰╯", False)
ASCII = Glyphs("*", "o", "!", "*", ".", "o", "-", "-", "...", ('"', '"'), "++++", True)


def glyphs_for(console: Console) -> Glyphs:
    """Return the characters that a console can show."""
    return UNICODE if console.encoding.lower().startswith("utf") else ASCII


# -- pictures of dice and coins ---------------------------------------------------------------------------------------

# Positions of the pips in three rows of three.
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
STYLE = "black on white"


def picture(fallen: Sequence[Face], faces: Sequence[Face], glyphs: Glyphs) -> list[list[str]]:
    """Draw a throw, line by line, each line in pieces side by side; an empty face has not been thrown yet."""
    return [list(row) for row in zip(*(_die(face, faces, glyphs) for face in fallen), strict=True)]


def picture_lines(rows: list[list[str]]) -> list[Text]:
    """Return a picture as lines of text."""
    lines = []
    for row in rows:
        line = Text()
        for piece in row:
            line.append(" ").append(piece, STYLE)
        lines.append(line)
    return lines


def _die(face: Face, faces: Sequence[Face], glyphs: Glyphs) -> list[str]:
    a, b, c, d = tuple(glyphs.corners)
    across = "-" if glyphs.plain else "─"
    side = "|" if glyphs.plain else "│"
    inside = _pips(face, glyphs) if set(faces) <= set(_PIPS) else [str(face).center(7)]
    return [f"{a}{across * 7}{b}", *(f"{side}{row}{side}" for row in inside), f"{c}{across * 7}{d}"]


def _pips(face: Face, glyphs: Glyphs) -> list[str]:
    places = _PIPS.get(face, ()) if isinstance(face, int) else ()
    signs = [glyphs.pip if place in places else " " for place in range(9)]
    return [f" {signs[row]} {signs[row + 1]} {signs[row + 2]} " for row in (0, 3, 6)]
