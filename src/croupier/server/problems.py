"""Errors as the API sends them: a status, a stable code, the clause and a sentence; never a traceback."""

from __future__ import annotations

import logging
import re
from typing import Any, NamedTuple, get_args
from uuid import uuid4

import msgspec
from msgspec import inspect

from croupier.contract.replies import OrderReply, ProblemBody
from croupier.contract.requests import Money, Number

LONGEST_ECHO = 40  # characters of the input that are echoed
log = logging.getLogger("croupier.server")

# Refusals of the house itself, by status; all others are refusals by the rules.
_STATUS = {
    401: ("sign_in_failed",),
    403: (
        "not_allowed",
        "not_permitted",
        "not_your_title",
        "not_your_own",
        "not_at_table",
        "staff_cannot_play",
        "own_roles",
        "excluded",
        "time_limit_reached",
        "loss_limit_reached",
        "own_exclusion",
    ),
    404: ("no_such_table", "unknown_person", "no_such_alert", "no_such_duty", "no_such_promotion", "no_such_claim"),
    409: ("table_moved_on", "promotion_moved_on", "key_used", "name_taken", "alert_answered", "duty_answered"),
}
STATUS = {code: status for status, codes in _STATUS.items() for code in codes}
REFUSED = 422


class Problem(Exception):
    """An error for the caller of this request, and for no one else."""

    def __init__(
        self, status: int, code: str, message: str, clause: str | None = None, *, wait: int | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.clause = clause
        self.message = message
        self.wait = wait  # seconds to wait before trying again
        super().__init__(message)


class TurnedAway(NamedTuple):
    """An error for a request that is rejected before it reaches the framework."""

    status: int
    code: str
    message: str

    @property
    def body(self) -> bytes:
        """Return the encoded body."""
        return msgspec.json.encode(ProblemBody(code=self.code, message=self.message))


def status_of(reply: OrderReply) -> int:
    """Return the HTTP status of a reply of the house."""
    return STATUS.get(reply.code, REFUSED) if isinstance(reply, ProblemBody) else 200


# What is wrong with a request, in one sentence


def faulty(method: str, path: str, error: Exception) -> Problem:
    """Log an unexpected error under a number, and give that number to the caller."""
    number = uuid4().hex[:12]
    log.error("fault", exc_info=error, extra={"fault": number, "method": method, "path": path})
    return Problem(500, "fault", f"Something went wrong in the house; the log has it as {number}.")


def bad_value(name: str, kind: Any, error: msgspec.ValidationError) -> Problem:  # noqa: ANN401  # a type, of any form
    """Return the problem of a parameter with a wrong value."""
    message, _, _ = str(error).rpartition(" - at `$") if " - at `$" in str(error) else (str(error), "", "")
    return _bad_request(f"{name}: {_wanted(inspect.type_info(kind), message) or message}")


def bad_body(kind: type[msgspec.Struct], body: bytes, error: Exception) -> Problem:
    """Return the problem of a body that cannot be read."""
    if isinstance(error, RecursionError):
        return _bad_request("The body is nested too deep")
    if isinstance(error, UnicodeDecodeError):
        return _bad_request("The body is not UTF-8")
    if not body:
        return _bad_request("The body is missing")
    if not isinstance(error, msgspec.ValidationError) or str(error).startswith("Number out of range"):
        return _bad_request("The body is not JSON")
    message, _, where = str(error).rpartition(" - at `$") if " - at `$" in str(error) else (str(error), "", "")
    place = where.rstrip("`").lstrip(".")
    wanted = _wanted(_type_at(inspect.type_info(kind), place), message) if place else None
    return _bad_request(f"{place}: {wanted or message}" if place else message)


# Messages of msgspec, and plain wordings for them
_PLAIN = (
    (re.compile(r"Object missing required field `(.+)`", re.DOTALL), r"\1 is missing"),
    (re.compile(r"Object contains unknown field `(.+)`", re.DOTALL), r"There is no field \1"),
    (re.compile(r"Expected `object`.*", re.DOTALL), "The body is not a JSON object"),
    (re.compile(r"(.+): Expected `str` matching regex .*", re.DOTALL), r"\1: visible letters only"),
)


def _bad_request(text: str) -> Problem:
    for pattern, plain in _PLAIN:
        if match := pattern.fullmatch(text):
            text = match.expand(plain)
            break
    return Problem(400, "bad_request", f"{text.rstrip('.')}.")


_MONEY, _NUMBER = get_args(Money)[1].pattern, get_args(Number)[1].pattern
_VALUE = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)


def _wanted(kind: inspect.Type | None, message: str) -> str | None:
    """Say what is expected, if it is one of a few words, an amount or a number for the dice."""
    for one in _each(kind):
        if isinstance(one, inspect.LiteralType):
            value = _VALUE.fullmatch(message)
            said = value[1] if value is not None and len(value[1]) <= LONGEST_ECHO else "that"
            return f"{said} is none of {', '.join(map(str, one.values))}"
        if isinstance(one, inspect.StrType) and one.pattern == _MONEY:
            if "got" in message:
                return 'money is text, as in "10.00"'
            return "an amount is up to 15 digits, a point and two decimals, as in 10.00"
        if isinstance(one, inspect.StrType) and one.pattern == _NUMBER:
            return "a number and the commitment to it are 64 hexadecimal digits, in lower case"
    return None


def _type_at(kind: inspect.Type | None, place: str) -> inspect.Type | None:
    """Return the type that is expected at a place such as `roles[0]` or `rhythm.open`; None if unknown."""
    for step in re.findall(r"\w+|\[", place):
        if not step.isdecimal():  # an index does not matter
            kind = _inside(kind, step)
    return kind


def _each(kind: inspect.Type | None) -> list[inspect.Type | None]:
    """List the members of a type, without metadata."""
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
