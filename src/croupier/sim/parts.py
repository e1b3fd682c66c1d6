"""A strategy taken apart: every value in it and where it stands, each of the type that it must be.

Types are looked at where a file is read. Whoever makes the values in Python can put anything anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from croupier.sim.reading.errors import Unreadable
from croupier.sim.reading.shapes import quoted

MOST_BITS = 100  # of a number that is written out: some thirty digits

_WORDS: dict[object, str] = {
    int: "a whole number",
    Fraction: "a Fraction",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
    tuple: "a tuple",
    frozenset: "a frozenset",
}


class Part(NamedTuple):
    """A value inside another, and where: `rules[0].stake.cents`."""

    where: str
    value: object


def parts(value: object, hint: Any, where: str = "") -> Iterator[Part]:  # noqa: ANN401
    """A value and all that it holds, from the outside in. Raises Unreadable for what is not as the hint has it."""
    kind = next((each for each in _alternatives(hint) if _is(value, each)), None)
    if kind is None:
        wanted = " or ".join(map(_word, _alternatives(hint)))
        raise Unreadable(f"{where or 'it'} is {wanted}, not {shown(value)}")
    yield Part(where, value)
    for inner, inner_hint, inner_where in _inside(value, kind, where):
        yield from parts(inner, inner_hint, inner_where)


def shown(value: object) -> str:
    """A value for use in a sentence: never long, and never more than one line."""
    match value:
        case bool() | float() | None:
            return str(value)
        case int():
            return f"{value:,}" if value.bit_length() <= MOST_BITS else "a number with more digits than anybody reads"
        case Fraction():
            short = max(value.numerator.bit_length(), value.denominator.bit_length()) <= MOST_BITS
            return str(value) if short else "a fraction with more digits than anybody reads"
        case str():
            return quoted(value)
    return f"a value of the type {type(value).__name__}"


def _alternatives(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _is(value: object, kind: Any) -> bool:  # noqa: ANN401
    """Whether a value is of a type itself: True is no whole number here. Whole numbers are fractions, too."""
    if get_origin(kind) is Literal:
        return type(value) is str and value in get_args(kind)
    return type(value) is (get_origin(kind) or kind) or (kind is Fraction and type(value) is int)


def _word(kind: Any) -> str:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return " or ".join(map(quoted, get_args(kind)))
    plain = get_origin(kind) or kind
    return _WORDS.get(plain) or f"a {plain.__name__}"


def _inside(value: Any, kind: Any, where: str) -> Iterator[tuple[object, Any, str]]:  # noqa: ANN401
    """What a value holds: each thing, what it should be, and where it stands."""
    if get_origin(kind) is tuple:
        yield from ((each, get_args(kind)[0], f"{where}[{place}]") for place, each in enumerate(value))
    elif get_origin(kind) is frozenset:
        yield from ((each, get_args(kind)[0], f"a member of {where}") for each in value)
    else:
        kind_of_value: type = type(value)
        for field, hint in _fields(kind_of_value).items():
            yield getattr(value, field), hint, below(where, field)


def below(where: str, field: str) -> str:
    """Where a field of a value stands that stands somewhere itself; a strategy as a whole stands nowhere."""
    return f"{where}.{field}" if where else field


@cache
def _fields(kind: type) -> dict[str, Any]:
    """The fields of a struct or a named tuple with their types; nothing else has any."""
    return get_type_hints(kind)
