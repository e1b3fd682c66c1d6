"""A small SVG writer: elements, text and whole pictures. Anything but markup is escaped on insertion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

# Characters that XML cannot represent, even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NARROW = frozenset("iljtfrI.,:;'’|!()[]·/- ")
_WIDE = frozenset("mwMW@%…—")


class Markup(str):
    """Text that is already SVG. Any other text is escaped."""

    __slots__ = ()


Value = str | int | float | None


def element(name: str, attributes: Mapping[str, Value], *inside: str) -> Markup:
    """One element with its content. Attributes that are None are omitted."""
    opened = "".join([name, *(_attribute(key, value) for key, value in attributes.items() if value is not None)])
    if not inside:
        return Markup(f"<{opened}/>")
    return Markup(f"<{opened}>{''.join(map(_escaped, inside))}</{name}>")


def text(x: float, y: float, words: str, class_: str | None = None, anchor: str | None = None) -> Markup:
    """A line of text; `anchor` is "middle" or "end" if x is not its start."""
    return element("text", {"x": x, "y": y, "class": class_, "text-anchor": anchor}, words)


def group(attributes: Mapping[str, Value], hint: str, *inside: str) -> Markup:
    """A group of elements; the hint shows on hover."""
    return element("g", attributes, element("title", {}, hint), *inside)


def document(width: float, height: float, title: str, description: str, style: str, *inside: str) -> str:
    """A whole picture on a white background, with a title and a description for screen readers."""
    attributes: dict[str, Value] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "role": "img",
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "width": width,
        "height": height,
        "font-family": FONTS,
    }
    ground = element("rect", {"width": width, "height": height, "fill": "#ffffff"})
    named = (element("title", {}, title), element("desc", {}, description), element("style", {}, style))
    lines = [Markup(f"\n{part}") for part in (*named, ground, *map(_escaped, inside))]
    whole = f"{element('svg', attributes, *lines, Markup(chr(10)))}\n"
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")  # safe in any output encoding


def number(value: float) -> str:
    """Format a length: at most two decimals, without trailing zeros."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def text_width(words: str, size: float, bold: bool = False) -> int:
    """The approximate width of a text, on the generous side, since the viewer's font is unknown."""
    ems = sum(0.39 if letter in _NARROW else 0.95 if letter in _WIDE else _common_width(letter) for letter in words)
    return round(ems * size * (1.1 if bold else 1)) + 1


def _common_width(letter: str) -> float:
    return 0.72 if letter.isupper() else 0.64


def _attribute(name: str, value: Value) -> str:
    shown = value if isinstance(value, str) else number(value or 0)
    return f' {name}="{_escaped(str(shown))}"'


def _escaped(words: str) -> Markup:
    if isinstance(words, Markup):
        return words
    return Markup(escape(_FORBIDDEN.sub("\ufffd", words), {'"': "&quot;", "\r": "&#13;"}))
