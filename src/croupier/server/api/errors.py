"""Errors over HTTP: always the same body, never a traceback. An unexpected one is logged under a number."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, get_args, get_type_hints
from uuid import uuid4

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Method
from litestar.utils import normalize_path
from msgspec import inspect

from croupier.server.api.bodies import Money, Number
from croupier.server.problems import Problem, ProblemBody
from croupier.store.contract import CorruptStore, StoreError

AnyRequest = Request[Any, Any, Any]

log = logging.getLogger("croupier.server")

TRY_AGAIN_SECONDS = 2
METHODS: tuple[Method, ...] = ("GET", "POST", "PUT", "PATCH", "DELETE")
_CODES = {
    400: "bad_request",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "not_json",
}
_SAY = {
    404: "There is nothing at this address",
    405: "That cannot be done at this address",
    413: "The body is too large",
}

# The errors that any endpoint may return.
PROBLEMS = {
    400: ResponseSpec(ProblemBody, description="The request makes no sense.", generate_examples=False),
    401: ResponseSpec(ProblemBody, description="Nobody is signed in.", generate_examples=False),
    403: ResponseSpec(ProblemBody, description="Not by this person, or not by a page.", generate_examples=False),
    404: ResponseSpec(ProblemBody, description="There is no such thing.", generate_examples=False),
    409: ResponseSpec(ProblemBody, description="It is not as it was when this was asked.", generate_examples=False),
    413: ResponseSpec(ProblemBody, description="The body is too large.", generate_examples=False),
    415: ResponseSpec(ProblemBody, description="The body is not JSON.", generate_examples=False),
    422: ResponseSpec(ProblemBody, description="Refused, with the clause.", generate_examples=False),
    429: ResponseSpec(ProblemBody, description="Too much at once.", generate_examples=False),
    503: ResponseSpec(ProblemBody, description="It cannot be stored now.", generate_examples=False),
}


def _told(
    status: int,
    code: str,
    message: str,
    clause: str | None = None,
    wait: int | None = None,
    headers: dict[str, str] | None = None,
) -> Response[ProblemBody]:
    headers = (headers or {}) | ({} if wait is None else {"retry-after": str(wait)})
    return Response(ProblemBody(code, message, clause), status_code=status, headers=headers, media_type=MediaType.JSON)


def problem(_: AnyRequest, error: Problem) -> Response[ProblemBody]:
    """Reply to an expected error."""
    return _told(error.status, error.code, error.message, error.clause, error.wait)


def store_failed(request: AnyRequest, error: StoreError) -> Response[ProblemBody]:
    """Reply to a store failure: nothing was stored, and nothing has happened."""
    log.error("store failed", extra={"reason": str(error)})
    running_house = request.app.state.running_house
    running_house.note_damage(error)
    say = running_house.sentence(error)
    if isinstance(error, CorruptStore):
        return _told(503, "store_damaged", say)
    return _told(503, "not_stored", say, wait=TRY_AGAIN_SECONDS)


def bad_request(request: AnyRequest, error: HTTPException) -> Response[ProblemBody]:
    """Reply to a request that the framework rejects, in one sentence."""
    status = error.status_code
    if status >= 500:  # the framework's own errors are for the log
        return fault(request, error)
    say = _SAY.get(status) or sentence(request.scope.get("route_handler"), error)  # type: ignore[arg-type]
    message = f"{say.rstrip('.')}." if say else f"{HTTPStatus(status).phrase}."
    headers = {"allow": ", ".join(_allowed(request))} if status == 405 else {}
    return _told(status, _CODES.get(status, "bad_request"), message, headers=headers)


def _allowed(request: AnyRequest) -> list[str]:
    """List the methods allowed at an address."""
    found: list[str] = []
    for method in METHODS:
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=normalize_path(request.scope["path"]), method=method)
            found.append(method)
    return found


def too_deep(_: AnyRequest, error: RecursionError) -> Response[ProblemBody]:
    """Reply to a body nested too deep."""
    return _told(400, "bad_request", "The body is nested too deep.")


def not_text(_: AnyRequest, error: UnicodeDecodeError) -> Response[ProblemBody]:
    """Reply to a body that is not UTF-8."""
    return _told(400, "bad_request", "The body is not UTF-8.")


def fault(request: AnyRequest, error: Exception) -> Response[ProblemBody]:
    """Log an unexpected error under a number, and give that number to the caller."""
    number = uuid4().hex[:12]
    log.error("fault", exc_info=error, extra={"fault": number, "method": request.method, "path": request.url.path})
    return _told(500, "fault", f"Something went wrong in the house; it is in the log as {number}.")


# Wording of bad requests, from the framework's message and the endpoint's types

LONGEST_ECHO = 40  # characters of the input that are echoed
_MONEY, _NUMBER = get_args(Money)[1].pattern, get_args(Number)[1].pattern
_NOT_ASKED = re.compile(r"Missing required (?:query parameter|header) '(.+?)' for path .*", re.DOTALL)
_VALUE = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
# Messages of the framework, and plain wordings for them.
_PLAIN = (
    (re.compile(r"(?:data: )?Object missing required field `(.+)`", re.DOTALL), r"\1 is missing"),
    (re.compile(r"(?:data: )?Object contains unknown field `(.+)`", re.DOTALL), r"There is no field \1"),
    (re.compile(r"data: Expected `object`.*", re.DOTALL), "The body is no JSON object"),
    (re.compile(r"data: (.*)", re.DOTALL), r"\1"),
    (re.compile(r"(.+): Expected `str` matching regex .*", re.DOTALL), r"\1: visible letters only"),
)


def sentence(handler: HTTPRouteHandler | None, error: HTTPException) -> str:
    """Describe the first error, and where it is."""
    if isinstance(error.__cause__, SerializationException):
        return "The body is no JSON"
    found = error.extra[0] if isinstance(error.extra, list) and error.extra else None
    if not isinstance(error, ValidationException) or not isinstance(found, dict):
        missing = _NOT_ASKED.fullmatch(error.detail)
        return error.detail if missing is None else f"{missing[1]} is missing"
    key, message = found.get("key"), str(found.get("message", error.detail))
    if message == repr(key):  # all that the framework says of a missing parameter
        return "The body is missing" if key == "data" else f"{key} is missing"
    wanted = None if key is None or handler is None else _wanted(_type_at(handler, key, found.get("source")), message)
    text = f"{key}: {wanted or message}" if key else message
    for pattern, plain in _PLAIN:
        if match := pattern.fullmatch(text):
            return match.expand(plain)
    return text


def _wanted(kind: inspect.Type | None, message: str) -> str | None:
    """Say what is expected, if it is one of a few words, an amount or a number for the dice."""
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
    """Return the type that the endpoint expects at a path such as `roles[0]` or `rhythm.open`; None if unknown."""
    hints = get_type_hints(handler.fn)
    kind: Any = inspect.type_info(hints["data"]) if source == "body" and "data" in hints else None
    steps = re.findall(r"\w+|\[", key)
    if kind is None and steps and steps[0] in hints:
        kind, steps = inspect.type_info(hints[steps[0]]), steps[1:]
    for step in steps:
        if step.isdecimal():  # an index does not matter
            continue
        kind = _inside(kind, step)
    return kind if isinstance(kind, inspect.Type) else None


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
