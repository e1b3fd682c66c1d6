"""A strategy file as it is written: the shape of its tables, and in plain words what does not fit it.

Nothing here knows a book. `docs/strategies.md` explains every key to those who write a strategy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import ClassVar, Literal, NamedTuple, TypeVar, get_args

import msgspec

Texts = str | list[str]
Raw = dict[str, object]
Per = Literal["shooter", "session"]


class Table(msgspec.Struct, frozen=True):
    """The base of every table in a strategy file. What it `needs` has a default, too, so that the rest can be read."""

    needs: ClassVar[tuple[str, ...]] = ()


class StrategyTable(Table, frozen=True):
    """The whole file. What is in its parts is read part by part, so that one mistake does not hide the others."""

    needs: ClassVar[tuple[str, ...]] = ("name", "book", "about", "rules")

    name: str = ""
    book: Texts = ""
    about: str = ""
    rules: list[Raw] = []
    unit: str = "1.00"
    bankroll: str | None = None
    progressions: dict[str, Raw] = {}
    stop: Raw = {}


class RuleTable(Table, frozen=True):
    """One of [[rules]]: something that is done, how much, and when."""

    bet: Texts | None = None
    take: Texts | None = None
    call_on: Texts | None = None
    call_off: Texts | None = None
    stake: str | None = None
    when: Texts = []
    unless: Texts = []
    adds: bool = False
    or_less: bool = False
    insist: bool = False
    at_most: int | None = None
    per: Per | None = None
    leave: str | None = None


class ProgressionTable(Table, frozen=True):
    """One of [progressions.NAME]: along steps, or an amount from a start."""

    needs: ClassVar[tuple[str, ...]] = ("of", "win", "loss")

    of: Texts | None = None
    win: str | None = None
    loss: str | None = None
    steps: list[int | float | str] | None = None
    end: Literal["first", "stay"] | None = None
    start: str | None = None
    most: str | None = None
    least: str | None = None
    per: Per | None = None


class StopTable(Table, frozen=True):
    """[stop]: when the player leaves."""

    win: str | None = None
    loss: str | None = None
    shooters: int | None = None
    rolls: int | None = None
    leave: Literal["at once", "when decided"] | None = None


_HOMES: dict[type[Table], str] = {
    StrategyTable: "at the top of the file, before the first [[rules]]",
    RuleTable: "below [[rules]]",
    ProgressionTable: "below [progressions.NAME]",
    StopTable: "below [stop]",
}
MOST_LISTED = 13


class Misfit(NamedTuple):
    """Something that does not fit the shape of its table: where in the table, and why."""

    path: tuple[str | int, ...]
    reason: str


T = TypeVar("T", bound=Table)

# What msgspec calls a type, for those who do not program.
_WORDS = {
    "str": "a text in quotes",
    "array": "a list",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "a table",
}
_WRITTEN = {
    "rules": "; each begins with [[rules]], in double brackets",
    "progressions": "; each begins with [progressions.NAME]",
    "stop": "; it begins with [stop]",
}
_EXPECTED = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`(?: - at `\$\[(?P<place>\d*)[^`]*`)?")


def fit(table: Mapping[str, object], shape: type[T]) -> tuple[T, list[Misfit]]:
    """A table in its shape, as far as it fits, and everything about it that does not."""
    fields = {field.name: field for field in msgspec.structs.fields(shape)}
    wrong = [Misfit((key,), _unknown(key, shape)) for key in table if key not in fields]
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name not in table:
            wrong += [Misfit((), f"{name} is missing{_WRITTEN.get(name, '')}")] if name in shape.needs else []
            continue
        try:
            values[name] = msgspec.convert(table[name], field.type)
        except msgspec.ValidationError as error:
            wrong.append(_misfit(name, field.type, str(error)))
    return shape(**values), wrong


def nearest(word: str, known: Iterable[str]) -> str:
    """What was perhaps meant, as the end of a sentence; otherwise what there is."""
    words = list(known)
    near = get_close_matches(word, words, n=2, cutoff=0.6)
    if near:
        return f"nearest to it: {' or '.join(near)}"
    if len(words) < 2:
        return f"there is only {words[0]}" if words else "there is none"
    shown = ", ".join(words[:MOST_LISTED])
    return f"there are {shown}" if len(words) <= MOST_LISTED else f"there are {len(words)}, such as {shown}"


def _unknown(key: str, shape: type[Table]) -> str:
    """A key that stands in the wrong table is told its home: TOML gives every key to the last heading above it."""
    homes = [home for other, home in _HOMES.items() if key in other.__struct_fields__]
    where = f"it stands {' or '.join(homes)}" if homes else nearest(key, shape.__struct_fields__)
    return f"there is no key {quoted(key)} here; {where}"


def _misfit(name: str, type_: object, error: str) -> Misfit:
    found = _EXPECTED.match(error)
    if found is None:  # the one other thing that can be wrong: a text which is none of those permitted
        choices = [choice for part in (type_, *get_args(type_)) for choice in get_args(part) if isinstance(choice, str)]
        return Misfit((name,), f"{name} is {' or '.join(map(quoted, choices))}")
    wanted = [_WORDS[word] for word in found["wanted"].split(" | ") if word in _WORDS]
    got = _WORDS.get(found["got"], "a date or a time") + _WRITTEN.get(name, "")
    if found["place"] is None:
        return Misfit((name,), f"{name} is {' or '.join(wanted)}, not {got}")
    path = (name, int(found["place"])) if found["place"] else (name,)
    return Misfit(path, f"a member of {name} is {' or '.join(wanted)}, not {got}")


def quoted(text: str, limit: int = 60) -> str:
    """What somebody wrote, for use in a sentence: in quotes, not without end, and without control characters."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return '"' + "".join(mark if mark.isprintable() else "?" for mark in shown) + '"'
