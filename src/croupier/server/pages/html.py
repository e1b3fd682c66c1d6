"""A small way to write HTML on the server: whatever is not HTML already is escaped where it is put in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_ADDRESSES = frozenset({"action", "href", "src"})
_OWN = ("/", "#", "?")  # addresses of this house; what is elsewhere is not linked to


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Inside: TypeAlias = str | int | Iterable["Inside"] | None
Value: TypeAlias = str | int | bool | None


def element(name: str, /, *inside: Inside, **attributes: Value) -> Html:
    """One element with what is inside it. An attribute that is None or False is left out; `class_` is `class`."""
    opened = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    if name in _VOID:
        assert not inside, "nothing can stand inside it"
        return Html(opened)
    return Html(f"{opened}{joined(*inside)}</{name}>")


def joined(*inside: Inside) -> Html:
    """Things one after the other."""
    return Html("".join(_written(one) for one in inside))


def listed(parts: Iterable[Inside], between: str = ", ") -> Html:
    """Things with a comma between them, or something else."""
    return Html(escape(between).join(joined(part) for part in parts))


def link(address: str, /, *inside: Inside, **attributes: Value) -> Html:
    """A link within the house."""
    return element("a", *inside, href=address, **attributes)


def table(heads: Iterable[Inside], rows: Iterable[Iterable[Inside]], label: str) -> Html:
    """A table; one that is too wide scrolls inside its own box, which the keyboard reaches too."""
    head = element("thead", element("tr", (element("th", cell, scope="col") for cell in heads)))
    body = element("tbody", (element("tr", (element("td", cell) for cell in row)) for row in rows))
    return element("div", element("table", head, body), class_="scroll", tabindex=0, role="region", aria_label=label)


def facts(rows: Iterable[tuple[Inside, Inside]]) -> Html:
    """Names, each with what is to be said of it; nothing where there are none."""
    pairs = [element("div", element("dt", name), element("dd", said)) for name, said in rows]
    return element("dl", pairs) if pairs else Html()


def items(rows: Iterable[Inside], **attributes: Value) -> Html:
    """A list; nothing where there is nothing in it."""
    members = [element("li", row) for row in rows]
    return element("ul", members, **attributes) if members else Html()


def _written(one: Inside) -> str:
    if one is None:
        return ""
    if isinstance(one, Html):
        return one
    if isinstance(one, str | int):
        return escape(str(one))
    return joined(*one)


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    named = name.rstrip("_").replace("_", "-")
    assert not named.startswith(("on", "style")), "pages have neither scripts nor styles within"
    if value is True:
        return f" {named}"
    text = str(value)
    assert named not in _ADDRESSES or (text.startswith(_OWN) and not text.startswith("//")), text
    return f' {named}="{escape(text)}"'
