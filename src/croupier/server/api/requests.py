"""What all endpoints have in common: who may use them, the request with who asks, the key of a command."""

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

# Who may use an endpoint. Commands are for whoever is signed in: what each role may do, the house itself decides.
ANYONE: tuple[str, ...] = ("anyone",)
SIGNED_IN: tuple[str, ...] = ("signed in",)
IN_PERSON = "in_person"  # not by a program: a token opens no doors beyond its own
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


def premises_of(request: ASGIConnection[Any, Any, Any, Any]) -> RunningHouse:
    """The house that is asked."""
    premises: RunningHouse = request.app.state.premises
    return premises


async def check_asker(request: Ask) -> None:
    """Find out who asks, and whether they may use this endpoint. Raises Problem.

    It goes before every request, and is no guard only because the framework copies an endpoint for each of its guards.
    """
    headers = request.headers
    cookies = {} if "authorization" in headers else request.cookies
    request.scope["user"] = await admitted(request.scope, headers, cookies)


async def admitted(scope: HTTPScope, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Asker | None:
    """Who asks, where they may use the endpoint. Raises Problem."""
    premises: RunningHouse = scope["litestar_app"].state.premises
    opt, method = scope["route_handler"].opt, scope["method"]
    needs = opt.get("needs")
    if needs is None:  # pages of the framework, such as the OpenAPI document
        return None
    _check_kind(method, headers.get("content-type"))
    asker = await premises.asking.asker(method, headers, cookies)
    if needs == ANYONE:
        return asker
    if asker is None:
        raise await premises.asking.why_not(cookies)
    if asker.within is not None and IN_PERSON in opt:
        raise Problem(403, "not_by_token", "This is for people who are signed in, not for programs with a token.")
    if needs != SIGNED_IN:
        account, _ = await premises.account(asker.person)
        is_opened = asker.within is not None and opt.get("scope") in asker.within  # by a scope of its own
        roles = account.roles if is_opened else premises.acting(asker).roles
        if not roles.intersection(needs):
            raise Problem(403, "not_allowed", "Your roles in this house do not allow that.")
    return asker


def _check_kind(method: str, kind: str | None) -> None:
    """A body is JSON and says so, even where there is none: no form of another site's page can send that."""
    if method == "POST" and (kind or "").partition(";")[0].strip().lower() != JSON:
        raise Problem(415, "not_json", f"A body is JSON, and its content type {JSON}.")


def network(request: Ask) -> str:
    """Where whoever asks comes from, as far as it counts: a proxy that is trusted has said it."""
    return network_of(request.client.host) if request.client is not None else "?"


def signed_in(request: Ask) -> Asker:
    """Who asks, at an endpoint for those who are signed in."""
    assert request.user is not None, "the guard let somebody in who is not signed in"
    return request.user


# -- straight ---------------------------------------------------------------------------------------------------------
# The straight way for commands of programs: a token, a key and a body that are what they should be. The framework
# takes a request apart in the most general way, and a busy house answers thousands a second. Whatever is unusual in
# the least is left to it, so that it alone says what is wrong; who asks is checked by the same function.

MOST_BODY_BYTES = 16 * 1024  # of a command that takes this way; more is unusual

_KEY_HEADER = get_args(Key)[1]
_is_key = re.compile(
    f"(?=.{{{_KEY_HEADER.min_length},{_KEY_HEADER.max_length}}}$){_KEY_HEADER.pattern}", re.DOTALL
).match
_LONGEST_NAME = get_args(TableName)[1].max_length


class _Given(NamedTuple):
    """A command that is in good order."""

    headers: dict[str, str]
    key: str
    data: msgspec.Struct


class Straight:
    """Goes before the framework's own handling of a command."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._decode: Callable[[bytes], msgspec.Struct] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One command."""
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
        """What was sent, where there is nothing unusual about it."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        key, body = headers.get("idempotency-key", ""), message.get("body", b"")
        is_usual = (
            message["type"] == "http.request"
            and not message.get("more_body")
            and len(body) <= MOST_BODY_BYTES
            and len(headers) == len(scope["headers"])  # none of them twice
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
    """What has been received is received again, and then what comes after it."""
    waiting = [message]

    async def received() -> ReceiveMessage:
        return waiting.pop() if waiting else await receive()

    return received
