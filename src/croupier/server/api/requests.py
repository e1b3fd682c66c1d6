"""What all endpoints share: permissions, the request with its caller, common parameters, the fast path of commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import ASGIApp, HTTPScope, Receive, ReceiveMessage, Scope, Send

from croupier.house import names
from croupier.server.callers import Asker
from croupier.server.limits import network_of
from croupier.server.problems import Problem
from croupier.server.running_house import RunningHouse

# Who may use an endpoint. Commands need a sign-in only: the house itself decides what each role may do.
ANYONE: tuple[str, ...] = ("anyone",)
SIGNED_IN: tuple[str, ...] = ("signed in",)
IN_PERSON = "in_person"  # not by a program: a token must not extend its own access
KEEPING_BOOKS = names.KEEPING_BOOKS
SUPERVISING = ("supervisor", *KEEPING_BOOKS)
JSON = "application/json"

Ask = Request[Asker | None, Any, State]

_KEY = HeaderParameter(
    name="Idempotency-Key",
    min_length=1,
    max_length=100,
    pattern=r"^[!-~]+$",
    description="Of your making, new for each command: sent again, the same command is not carried out twice.",
)
Key = Annotated[str, _KEY]
OptionalKey = Annotated[str | None, _KEY]
TableName = Annotated[str, PathParameter(max_length=40, description="A table by its name.")]
PersonName = Annotated[str, PathParameter(max_length=40, description="An account by its name.")]
EventNumber = Annotated[int, PathParameter(ge=1, le=2**53, description="The number of an event.")]
AfterName = Annotated[str, QueryParameter(name="after", max_length=40, description="Only names after this one.")]
Containing = Annotated[
    str, QueryParameter(name="containing", max_length=40, description="Only names that have this in them.")
]
After = Annotated[int, QueryParameter(name="after", ge=0, le=2**53, description="Only what came after this number.")]
Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=1000, description="At most so many.")]


def running_house_of(request: ASGIConnection[Any, Any, Any, Any]) -> RunningHouse:
    """Return the house that serves the request."""
    running_house: RunningHouse = request.app.state.running_house
    return running_house


async def check_asker(request: Ask) -> None:
    """Identify the caller, and check that they may use this endpoint. Raises Problem.

    Runs before every request. It is not a guard only because the framework copies an endpoint for each of its guards.
    """
    headers = request.headers
    cookies = {} if "authorization" in headers else request.cookies
    request.scope["user"] = await admitted(request.scope, headers, cookies)


async def admitted(scope: HTTPScope, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Asker | None:
    """Return the caller if they may use the endpoint. Raises Problem."""
    running_house: RunningHouse = scope["litestar_app"].state.running_house
    opt, method = scope["route_handler"].opt, scope["method"]
    needs = opt.get("needs")
    if needs is None:  # pages of the framework, such as the OpenAPI document
        return None
    _check_kind(method, headers.get("content-type"))
    asker = await running_house.asking.asker(method, headers, cookies)
    if needs == ANYONE:
        return asker
    if asker is None:
        raise await running_house.asking.why_not(cookies)
    if asker.within is not None and IN_PERSON in opt:
        raise Problem(403, "not_by_token", "This is for people who are signed in, not for programs with a token.")
    if needs != SIGNED_IN:
        account, _ = await running_house.account(asker.person)
        is_opened = asker.within is not None and opt.get("scope") in asker.within  # by the endpoint's own scope
        roles = account.roles if is_opened else running_house.acting(asker).roles
        if not roles.intersection(needs):
            raise Problem(403, "not_allowed", "Your roles in this house do not allow that.")
    return asker


def _check_kind(method: str, kind: str | None) -> None:
    """Require the JSON content type even without a body: a form on another site cannot send it. Raises Problem."""
    if method == "POST" and (kind or "").partition(";")[0].strip().lower() != JSON:
        raise Problem(415, "not_json", f"A body is JSON, and its content type {JSON}.")


def network(request: Ask) -> str:
    """Return the caller's network, as given by the connection or a trusted proxy."""
    return network_of(request.client.host) if request.client is not None else "?"


def signed_in(request: Ask) -> Asker:
    """Return the caller, at an endpoint that requires a sign-in."""
    assert request.user is not None, "the guard let somebody in who is not signed in"
    return request.user


# The fast path for commands of programs: a token, a key and a body, all valid. The framework parses requests in the
# most general way, and a busy house answers thousands a second. Anything unusual is left to the framework, so that it
# alone words the errors; the same function checks the caller.

MOST_BODY_BYTES = 16 * 1024  # of a command on the fast path; more is unusual

_KEY_HEADER = get_args(Key)[1]
_is_key = re.compile(
    f"(?=.{{{_KEY_HEADER.min_length},{_KEY_HEADER.max_length}}}$){_KEY_HEADER.pattern}", re.DOTALL
).match
_LONGEST_NAME = get_args(TableName)[1].max_length


class _Given(NamedTuple):
    """A well-formed command."""

    headers: dict[str, str]
    key: str
    data: msgspec.Struct


class Straight:
    """Handles well-formed commands before the framework does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._decode: Callable[[bytes], msgspec.Struct] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one command."""
        message = await receive()
        handler: HTTPRouteHandler = scope["route_handler"]  # type: ignore[assignment]
        given = self._read(scope, handler, message)
        if given is None:
            await self._app(scope, _once_more(message, receive), send)
            return
        scope["user"] = await admitted(scope, given.headers, {})  # type: ignore[arg-type]
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        reply = await handler.fn(request=request, data=given.data, key=given.key, **scope["path_params"])
        await reply(scope, receive, send)

    def _read(self, scope: Any, handler: HTTPRouteHandler, message: Any) -> _Given | None:  # noqa: ANN401
        """Return the command if it is well-formed."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        key, body = headers.get("idempotency-key", ""), message.get("body", b"")
        is_usual = (
            message["type"] == "http.request"
            and not message.get("more_body")
            and len(body) <= MOST_BODY_BYTES
            and len(headers) == len(scope["headers"])  # no duplicates
            and "authorization" in headers
            and _is_key(key)
            and all(isinstance(name, str) and len(name) <= _LONGEST_NAME for name in scope["path_params"].values())
        )
        if not is_usual:
            return None
        if self._decode is None:
            self._decode = msgspec.json.Decoder(get_type_hints(handler.fn)["data"]).decode
        try:
            return _Given(headers, key, self._decode(body))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None


def _once_more(message: ReceiveMessage, receive: Receive) -> Receive:
    """Replay a received message, then continue with the next ones."""
    waiting = [message]

    async def received() -> ReceiveMessage:
        return waiting.pop() if waiting else await receive()

    return received
