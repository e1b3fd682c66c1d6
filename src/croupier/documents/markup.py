"""The one writer of HTML and SVG: elements, attributes and text. Everything that is not yet markup is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})  # of HTML: these have no end tag
_SHAPES = frozenset({"circle", "line", "path", "polygon", "polyline", "rect"})  # of SVG: closed at once if empty
_ADDRESSES = frozenset({"action", "href", "src"})
_OWN = ("/", "#", "?")  # addresses of this house; there are no links to elsewhere
# Characters that XML cannot represent, even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup(str):
    """Text that is already markup, and is not escaped."""

    __slots__ = ()


Inside: TypeAlias = str | int | Iterable["Inside"] | None
Value: TypeAlias = str | float | bool | None


def element(name: str, /, *inside: Inside, **attributes: Value) -> Markup:
    """Return an element with its content.

    An attribute that is None or False is omitted. `class_` is `class`, and `text_anchor` is `text-anchor`.
    """
    opened = "".join([name, *(_attribute(key, value) for key, value in attributes.items())])
    if name in _VOID:
        assert not inside, "a void element has no content"
        return Markup(f"<{opened}>")
    if name in _SHAPES and not inside:
        return Markup(f"<{opened}/>")
    return Markup(f"<{opened}>{joined(*inside)}</{name}>")


def joined(*inside: Inside) -> Markup:
    """Concatenate parts."""
    return Markup("".join(map(_written, inside)))


def listed(parts: Iterable[Inside], between: str = ", ") -> Markup:
    """Join parts with a separator."""
    return Markup(_escaped(between).join(map(joined, parts)))


def number(value: float) -> str:
    """Format a length: at most two decimals, without trailing zeros."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _written(one: Inside) -> str:
    if isinstance(one, str):
        return one if isinstance(one, Markup) else _escaped(one)
    if one is None:
        return ""
    return str(one) if isinstance(one, int) else joined(*one)


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    named = name.rstrip("_").replace("_", "-")
    assert not named.startswith(("on", "style")), "there are no scripts or styles in attributes"
    if value is True:
        return f" {named}"
    text = value if isinstance(value, str) else number(value)
    assert named not in _ADDRESSES or (text.startswith(_OWN) and not text.startswith("//")), text
    return f' {named}="{_escaped(text)}"'


def _escaped(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text)).replace("\r", "&#13;")


# HTML


def link(address: str, /, *inside: Inside, **attributes: Value) -> Markup:
    """Return a link within the house."""
    return element("a", *inside, href=address, **attributes)


def table(heads: Iterable[Inside], rows: Iterable[Iterable[Inside]], label: str) -> Markup:
    """Return a table; a wide one scrolls in its own box, which the keyboard can reach."""
    head = element("thead", element("tr", (element("th", cell, scope="col") for cell in heads)))
    body = element("tbody", (element("tr", (element("td", cell) for cell in row)) for row in rows))
    return element("div", element("table", head, body), class_="scroll", tabindex=0, role="region", aria_label=label)


def facts(rows: Iterable[tuple[Inside, Inside]]) -> Markup:
    """Return a definition list; nothing if there are no rows."""
    pairs = [element("div", element("dt", name), element("dd", said)) for name, said in rows]
    return element("dl", pairs) if pairs else Markup()


def items(rows: Iterable[Inside], **attributes: Value) -> Markup:
    """Return a list; nothing if there are no rows."""
    members = [element("li", row) for row in rows]
    return element("ul", members, **attributes) if members else Markup()


# SVG

FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
_NARROW = frozenset("iljtfrI.,:;'’|!()[]·/- ")
_WIDE = frozenset("mwMW@%…—")


def text(x: float, y: float, words: str, class_: str | None = None, anchor: str | None = None) -> Markup:
    """Return a line of text; `anchor` is "middle" or "end" if x is not its start."""
    return element("text", words, x=x, y=y, class_=class_, text_anchor=anchor)


def group(hint: str, *inside: Inside, **attributes: Value) -> Markup:
    """Return a group of elements; the hint shows on hover."""
    return element("g", element("title", hint), *inside, **attributes)


def svg_file(width: float, height: float, title: str, description: str, style: str, *inside: Inside) -> str:
    """Return a whole picture on a white background, with a title and a description for screen readers."""
    ground = element("rect", width=width, height=height, fill="#ffffff")
    named = (element("title", title), element("desc", description), element("style", style))
    svg = element(
        "svg",
        [("\n", part) for part in (*named, ground, *inside)],
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        font_family=FONTS,
    )
    return f"{svg}\n".encode("ascii", "xmlcharrefreplace").decode("ascii")  # safe in any output encoding


def text_width(words: str, size: float, bold: bool = False) -> int:
    """Return the approximate width of a text, on the generous side, since the viewer's font is unknown."""
    ems = sum(0.39 if letter in _NARROW else 0.95 if letter in _WIDE else _common_width(letter) for letter in words)
    return round(ems * size * (1.1 if bold else 1)) + 1


def _common_width(letter: str) -> float:
    return 0.72 if letter.isupper() else 0.64
