"""What is wrong with a request, in words: from what the framework found, and from what the endpoint takes there."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

from litestar.exceptions import HTTPException, SerializationException, ValidationException
from litestar.handlers import HTTPRouteHandler
from msgspec import inspect

from croupier.server.api.bodies import Money, Number

LONGEST_ECHO = 40  # letters of what was sent that are said again
_MONEY, _NUMBER = get_args(Money)[1].pattern, get_args(Number)[1].pattern
_NOT_ASKED = re.compile(r"Missing required (?:query parameter|header) '(.+?)' for path .*", re.DOTALL)
_VALUE = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
# What the framework says of a whole body or a part of it, and how people say it.
_PLAIN = (
    (re.compile(r"(?:data: )?Object missing required field `(.+)`", re.DOTALL), r"\1 is missing"),
    (re.compile(r"(?:data: )?Object contains unknown field `(.+)`", re.DOTALL), r"There is no field \1"),
    (re.compile(r"data: Expected `object`.*", re.DOTALL), "The body is no JSON object"),
    (re.compile(r"data: (.*)", re.DOTALL), r"\1"),
    (re.compile(r"(.+): Expected `str` matching regex .*", re.DOTALL), r"\1: visible letters only"),
)


def sentence(handler: HTTPRouteHandler | None, error: HTTPException) -> str:
    """The first thing that is wrong, and where."""
    if isinstance(error.__cause__, SerializationException):
        return "The body is no JSON"
    found = error.extra[0] if isinstance(error.extra, list) and error.extra else None
    if not isinstance(error, ValidationException) or not isinstance(found, dict):
        missing = _NOT_ASKED.fullmatch(error.detail)
        return error.detail if missing is None else f"{missing[1]} is missing"
    key, message = found.get("key"), str(found.get("message", error.detail))
    if message == repr(key):  # it is all that the framework says of what is not there
        return "The body is missing" if key == "data" else f"{key} is missing"
    wanted = None if key is None or handler is None else _wanted(_type_at(handler, key, found.get("source")), message)
    text = f"{key}: {wanted or message}" if key else message
    for pattern, plain in _PLAIN:
        if match := pattern.fullmatch(text):
            return match.expand(plain)
    return text


def _wanted(kind: inspect.Type | None, message: str) -> str | None:
    """What can stand there, where it is one of a few words, an amount or a number for the dice."""
    for one in _each(kind):
        if isinstance(one, inspect.LiteralType):
            value = _VALUE.fullmatch(message)
            said = value[1] if value is not None and len(value[1]) <= LONGEST_ECHO else "that"
            return f"{said} is none of {', '.join(map(str, one.values))}"
        if isinstance(one, inspect.StrType) and one.pattern == _MONEY:
            return (
                'money is text, as in "10.00"'
                if "got" in message
                else "an amount is up to 15 digits, a point and two decimals, as in 10.00"
            )
        if isinstance(one, inspect.StrType) and one.pattern == _NUMBER:
            return "a number and the commitment to it are 64 hexadecimal digits, in small letters"
    return None


def _type_at(handler: HTTPRouteHandler, key: str, source: str | None) -> inspect.Type | None:
    """What the endpoint takes at a place such as `roles[0]` or `rhythm.open`; None where nothing is known of it."""
    hints = get_type_hints(handler.fn)
    kind: Any = inspect.type_info(hints["data"]) if source == "body" and "data" in hints else None
    steps = re.findall(r"\w+|\[", key)
    if kind is None and steps and steps[0] in hints:
        kind, steps = inspect.type_info(hints[steps[0]]), steps[1:]
    for step in steps:
        if step.isdecimal():  # which one of them is no matter
            continue
        kind = _inside(kind, step)
    return kind if isinstance(kind, inspect.Type) else None


def _each(kind: inspect.Type | None) -> list[inspect.Type | None]:
    """What a type is one of, without what is said about it."""
    if isinstance(kind, inspect.Metadata):
        return _each(kind.type)
    return [one for each in kind.types for one in _each(each)] if isinstance(kind, inspect.UnionType) else [kind]


def _inside(kind: inspect.Type | None, step: str) -> inspect.Type | None:
    for one in _each(kind):
        if step == "[" and isinstance(one, inspect.ListType | inspect.VarTupleType):
            return one.item_type
        if isinstance(one, inspect.StructType):
            return next((field.type for field in one.fields if field.encode_name == step), None)
    return None
