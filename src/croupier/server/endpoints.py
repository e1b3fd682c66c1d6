"""Typed endpoints over HTTP, on plain ASGI.

An endpoint is a function with its address and whom it is for. Its annotations say what it takes: names in the address
come from the path, `data` is the body, a `Header` comes from that header, everything else from the query. msgspec
checks all of it; `errors` words what is wrong. The OpenAPI document is made from the same declarations (`openapi`).
"""

from __future__ import annotations

import asyncio
import gzip
import inspect
import logging
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping, MutableMapping
from functools import cache, cached_property
from time import perf_counter
from types import UnionType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qs, quote

import msgspec

from croupier.contract.replies import ProblemBody
from croupier.server.admission import READING, Asker, Hosts, names, network_of
from croupier.server.problems import Problem, bad_body, bad_value, faulty
from croupier.server.running_house import RunningHouse
from croupier.store.contract import CorruptStore, StoreError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

T = TypeVar("T")

# Who may use an endpoint, besides roles. Orders need a sign-in only: the house decides what each role may do.
ANYONE: tuple[str, ...] = ("anyone",)
SIGNED_IN: tuple[str, ...] = ("signed in",)
JSON = "application/json"
EVENTS = "text/event-stream"  # always UTF-8
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
MOST_BODY_BYTES = 64 * 1024
LEAST_PACKED = 4 * 1024  # bytes: a smaller reply is not worth compressing
PACKING = 5  # of 9 levels: the higher ones take several times as long for little

# For browsers: do not guess the content type, do not embed or cache the reply, do not send a referrer.
SAFE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
    "cache-control": "no-store",
}
TRY_AGAIN_SECONDS = 2
log = logging.getLogger("croupier.server")
requests_log = logging.getLogger("croupier.requests")

# Replies


def _encoded(headers: Mapping[str, str]) -> Headers:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


_JSON_HEADERS = _encoded({"content-type": JSON} | SAFE_HEADERS)  # of nearly all replies
_JSON_HEAD = b"".join(b"%b: %b\r\n" % header for header in _JSON_HEADERS)
_NOTHING: Mapping[str, str] = {}


class Response(Generic[T]):
    """A reply in one piece; T is what its body holds."""

    def __init__(self, body: bytes, status: int = 200, kind: str = JSON, headers: Mapping[str, str] = _NOTHING) -> None:
        self.body = body
        self.status = status
        self.kind = kind
        self.headers = headers
        self.is_plain = kind == JSON and not headers  # as nearly all replies are

    def head(self) -> Headers:
        """Return the headers, the safe ones where the reply has none of its own."""
        if self.is_plain:
            return _JSON_HEADERS
        is_text = self.kind.startswith("text/") and self.kind != EVENTS and "charset" not in self.kind
        kind = f"{self.kind}; charset=utf-8" if is_text else self.kind
        return _encoded({"content-type": kind} | SAFE_HEADERS | dict(self.headers))

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send the reply."""
        headers = [*self.head(), (b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


_encode = msgspec.json.Encoder().encode


def json_reply(value: object, status: int = 200, headers: Mapping[str, str] = _NOTHING) -> Response[Any]:
    """Return a value as JSON."""
    return Response(_encode(value), status, JSON, headers)


def packed_reply(value: object, takes_gzip: bool) -> Response[Any]:
    """Return a value as JSON, compressed if it is large and the client takes that. Slow: not in the event loop.

    Only for replies without secrets: the size of a compressed text says something about what is in it.
    """
    body = _encode(value)
    if not takes_gzip or len(body) < LEAST_PACKED:
        return Response(body)
    return Response(gzip.compress(body, PACKING), headers={"content-encoding": "gzip", "vary": "accept-encoding"})


def redirect(address: str) -> Response[None]:
    """Send a browser to another address of the house."""
    return Response(b"", 302, "text/plain", {"location": quote(address, safe="/#%[]=:;$&()+,!?*@'~")})


class Stream(Response[None]):
    """A reply in pieces, which ends early if the client disconnects."""

    def __init__(
        self, pieces: AsyncIterable[bytes] | Iterable[bytes], kind: str, headers: Mapping[str, str] = _NOTHING
    ) -> None:
        super().__init__(b"", 200, kind, headers)
        self._pieces = pieces

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send the pieces."""
        gone = asyncio.create_task(is_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": self.head()})
            async for piece in _each(self._pieces):
                if gone.done():
                    return
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()


async def _each(pieces: AsyncIterable[bytes] | Iterable[bytes]) -> AsyncIterable[bytes]:
    if isinstance(pieces, AsyncIterable):
        async for piece in pieces:
            yield piece
    else:
        for piece in pieces:
            yield piece


async def is_gone(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def problem_reply(error: Problem, headers: Mapping[str, str] = _NOTHING) -> Response[ProblemBody]:
    """Return an error as the API sends it."""
    wait = {} if error.wait is None else {"retry-after": str(error.wait)}
    return json_reply(
        ProblemBody(code=error.code, clause=error.clause, message=error.message), error.status, wait | dict(headers)
    )


# Requests


class Request:
    """A request, and its caller once that is known."""

    def __init__(self, app: Application, scope: Scope, receive: Receive) -> None:
        self.app = app
        self.running_house = app.running_house
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        self.caller: Asker | None = None
        self.template = "unknown"
        has_repeats = len(self.headers) < len(scope["headers"])
        self.has_many_hosts = has_repeats and sum(name == b"host" for name, _ in scope["headers"]) > 1
        self._scope = scope
        self._receive = receive

    @property
    def signed_in(self) -> Asker:
        """The caller, at an endpoint that requires a sign-in."""
        assert self.caller is not None, "someone who is not signed in was let in"
        return self.caller

    @property
    def network(self) -> str:
        """The caller's network, as given by the connection or a trusted proxy."""
        client = self._scope.get("client")
        return "?" if client is None else network_of(client[0])

    @property
    def takes_gzip(self) -> bool:
        """Whether the client takes a compressed reply."""
        return "gzip" in self.headers.get("accept-encoding", "")

    @cached_property
    def query(self) -> dict[str, list[str]]:
        """The values of the query, by name."""
        return parse_qs(self._scope["query_string"].decode("latin-1"), keep_blank_values=True)

    @cached_property
    def cookies(self) -> dict[str, str]:
        """The cookies of a page."""
        parts = (part.partition("=") for part in self.headers.get("cookie", "").split(";"))
        return {name.strip(): value.strip().strip('"') for name, _, value in parts}

    async def body(self, most: int) -> bytes:
        """Read the body. Raises Problem if it is too large."""
        message = await self._receive()
        body: bytes = message.get("body", b"")
        while message.get("more_body") and len(body) <= most:
            message = await self._receive()
            body += message.get("body", b"")
        if len(body) > most:
            raise Problem(413, "too_large", "The body is too large.")
        return body

    def once(self, make: Callable[[RunningHouse], T]) -> T:
        """Return what `make` makes for this house. It is made once, and all requests share it."""
        if make not in self.app.made:
            self.app.made[make] = make(self.running_house)
        made: T = self.app.made[make]
        return made


# Endpoints


class Header(NamedTuple):
    """Marks a parameter that comes from a header."""

    name: str


class Parameter:
    """A parameter: the name of the argument, where it is, its name there, its type, and its default."""

    def __init__(
        self,
        argument: str,
        place: str,
        name: str,
        kind: Any,  # noqa: ANN401  # a type, of any form
        default: Any = inspect.Parameter.empty,  # noqa: ANN401
    ) -> None:
        self.argument = argument
        self.place = place
        self.name = name
        self.kind = kind
        self.default = default
        self.is_required = default is inspect.Parameter.empty
        self._is_number = _is_int(kind)
        self._is_list = _is_list(kind)
        # msgspec prepares a struct once, and any other type each time.
        self._holder: Any = msgspec.defstruct("Holder", [("value", kind)], gc=False)

    def read(self, request: Request, path: Mapping[str, str]) -> Any:  # noqa: ANN401  # a value of its kind
        """Return the value in a request. Raises Problem."""
        raw: str | int | list[str] | None
        if self.place == "path":
            raw = _number(path[self.argument]) if self._is_number else path[self.argument]
        elif self.place == "header":
            raw = request.headers.get(self.name.lower())
        else:
            found = request.query.get(self.name)
            raw = found if found is None or self._is_list else found[-1]
        if raw is None:
            if self.is_required:
                raise Problem(400, "bad_request", f"{self.name} is missing.")
            return self.default
        try:
            return msgspec.convert({"value": raw}, self._holder, strict=False).value
        except msgspec.ValidationError as error:
            raise bad_value(self.name, self.kind, error) from None


def _is_int(kind: Any) -> bool:  # noqa: ANN401  # a type, of any form
    return kind is int or (get_origin(kind) is Annotated and get_args(kind)[0] is int)


def _is_list(kind: Any) -> bool:  # noqa: ANN401
    return get_origin(get_args(kind)[0] if get_origin(kind) is Annotated else kind) is list


def _number(text: str) -> int:
    """Read a number in a path. Raises Problem: at an address with something else there is nothing."""
    try:
        return int(text)
    except ValueError:
        raise not_found() from None


def not_found() -> Problem:
    """Build the problem of an unknown address."""
    return Problem(404, "not_found", "There is nothing at this address.")


Handler = Callable[..., Awaitable[Any]]
Denied = Callable[[Request, Problem], Response[Any]]


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """An endpoint: its address, whom it is for, what it takes and returns.

    One that is `in_person` is not for programs: a token must not extend its own access. `scope` is one that opens this
    endpoint alone. `kinds` are the content types of its reply. `denied` replaces the reply to an error, for a page.
    """

    method: str
    path: str
    name: str
    call: Handler
    needs: tuple[str, ...] | None  # None: no caller is looked up
    summary: str
    description: str
    tags: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: type[msgspec.Struct] | None
    reply: Any
    kinds: tuple[str, ...] = (JSON,)
    replies: Mapping[int, Any] = {}  # types of replies with other statuses that are not problems
    example: Mapping[str, Any] | None = None
    in_person: bool = False
    scope: str | None = None
    in_document: bool = True
    most_bytes: int = MOST_BODY_BYTES
    denied: Denied | None = None
    decode: Callable[[bytes], msgspec.Struct] | None = None

    @property
    def names_in_path(self) -> tuple[str, ...]:
        """The names that the path has values for, from left to right."""
        return _names_in(self.path)

    async def answer(self, request: Request, path: Mapping[str, str]) -> Response[Any]:
        """Answer a request. Raises Problem."""
        if self.method == "POST":
            _check_kind(request)
        if self.needs is not None:
            request.caller = await self._admitted(request, self.needs)
        given = {each.argument: each.read(request, path) for each in self.parameters}
        if self.decode is not None and self.body is not None:
            body = await request.body(self.most_bytes)
            try:
                given["data"] = self.decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise bad_body(self.body, body, error) from None
        reply = await self.call(request, **given)
        return reply if isinstance(reply, Response) else json_reply(reply)

    async def _admitted(self, request: Request, needs: tuple[str, ...]) -> Asker | None:
        """Return the caller if they may use the endpoint. Raises Problem."""
        running_house = request.running_house
        cookies = {} if "authorization" in request.headers else request.cookies
        asker = await running_house.asking.asker(request.method, request.headers, cookies)
        if needs == ANYONE:
            return asker
        if asker is None:
            raise await running_house.asking.why_not(cookies)
        if asker.within is not None and self.in_person:
            raise Problem(403, "not_by_token", "This is for people who are signed in, not for programs with a token.")
        if needs != SIGNED_IN:
            account, _ = await running_house.account(asker.person)
            is_opened = asker.within is not None and self.scope in asker.within
            roles = account.roles if is_opened else running_house.acting(asker).roles
            if not roles.intersection(needs):
                raise Problem(403, "not_allowed", "Your roles in this house do not allow that.")
        return asker


@cache
def _names_in(path: str) -> tuple[str, ...]:
    return tuple(part[1:-1] for part in _parts(path) if part.startswith("{"))


def _check_kind(request: Request) -> None:
    """Require the JSON content type even without a body: a form on another site cannot send it. Raises Problem."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Problem(415, "not_json", f"A body must be JSON, with the content type {JSON}.")


def _endpoint(method: str, path: str, needs: tuple[str, ...] | None, **more: Any) -> Callable[[Handler], Endpoint]:  # noqa: ANN401
    def declared(call: Handler) -> Endpoint:
        hints = get_type_hints(call, include_extras=True)
        reply, body = hints.pop("return"), hints.pop("data", None)
        named = inspect.signature(call).parameters
        taken = [_parameter(path, one, kind, named[one].default) for one, kind in hints.items() if one != "request"]
        about = {"name": call.__name__, "description": inspect.getdoc(call) or "", "summary": "", "tags": ()} | more
        decode = None if body is None else msgspec.json.Decoder(body).decode
        return Endpoint(
            method=method, path=path, call=call, needs=needs, parameters=tuple(taken), body=body, decode=decode,
            reply=get_args(reply)[0] if get_origin(reply) is Response else reply, **about,
        )  # fmt: skip

    return declared


def _parameter(path: str, argument: str, kind: Any, default: Any) -> Parameter:  # noqa: ANN401
    inner, *marks = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if get_origin(inner) in (Union, UnionType):  # None is a parameter that is not given
        inner = Union[tuple(one for one in get_args(inner) if one is not type(None))]  # noqa: UP007
    metas = [mark for mark in marks if isinstance(mark, msgspec.Meta)]
    own = Annotated[(inner, *metas)] if metas else inner
    if argument in _names_in(path):
        return Parameter(argument, "path", argument, own)
    header = next((mark.name for mark in marks if isinstance(mark, Header)), None)
    return Parameter(argument, "query" if header is None else "header", header or argument, own, default)


def get(path: str, needs: tuple[str, ...] | None = ANYONE, **more: Any) -> Callable[[Handler], Endpoint]:  # noqa: ANN401
    """Declare an endpoint that reads. `more` are fields of Endpoint."""
    return _endpoint("GET", path, needs, **more)


def post(path: str, needs: tuple[str, ...] = SIGNED_IN, **more: Any) -> Callable[[Handler], Endpoint]:  # noqa: ANN401
    """Declare an endpoint that changes something."""
    return _endpoint("POST", path, needs, **more)


def delete(path: str, needs: tuple[str, ...] = SIGNED_IN, **more: Any) -> Callable[[Handler], Endpoint]:  # noqa: ANN401
    """Declare an endpoint that removes something."""
    return _endpoint("DELETE", path, needs, **more)


# The application


class _Node:
    """A step of an address: the next steps by name, the next step for a parameter, and the endpoints by method."""

    def __init__(self) -> None:
        self.named: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.there: dict[str, Endpoint] = {}

    def at(self, parts: list[str]) -> _Node:
        """Return the node of an address; make it if there is none."""
        if not parts:
            return self
        if parts[0].startswith("{"):
            self.any = self.any or _Node()
            return self.any.at(parts[1:])
        return self.named.setdefault(parts[0], _Node()).at(parts[1:])

    def find(self, parts: list[str], values: list[str], step: int = 0) -> _Node | None:
        """Return the node of a path, and its parameters' values. A literal step takes precedence over a parameter."""
        if step == len(parts):
            return self if self.there else None
        named = self.named.get(parts[step])
        found = None if named is None else named.find(parts, values, step + 1)
        if found is None and self.any is not None:
            found = self.any.find(parts, values, step + 1)
            if found is not None:
                values.insert(0, parts[step])
        return found


class Application:
    """All endpoints of a house: finds the endpoint of each request, words its errors, counts and logs it.

    Refuses requests for another host and orders from pages of another site.
    """

    def __init__(
        self,
        running_house: RunningHouse,
        endpoints: Iterable[Endpoint],
        nothing_here: Callable[[Request], Response[Any]],
    ) -> None:
        settings = running_house.settings
        self.running_house = running_house
        self.endpoints = tuple(endpoints)
        self.made: dict[Any, Any] = {}
        self._nothing_here = nothing_here
        self._hosts = Hosts(settings.host, *names(settings.hosts))
        self._root = _Node()
        for one in self.endpoints:
            there = self._root.at(_parts(one.path)).there
            assert one.method not in there, f"{one.method} {one.path} is there twice"
            there[one.method] = one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        start, status = perf_counter(), 0
        request = Request(self, scope, receive)
        try:
            reply = await self._reply(request)
            status = reply.status
            send_whole = scope.get("send_whole") if reply.is_plain else None
            if send_whole is not None and send_whole(status, _JSON_HEAD, reply.body):
                return
            try:
                await reply(receive, send)
            except Problem as error:  # of a stream that could not begin
                reply, status = problem_reply(error), error.status
                await reply(receive, send)
        finally:
            self._count(request, status, perf_counter() - start)

    async def _reply(self, request: Request) -> Response[Any]:
        endpoint = None
        try:
            self._check_origin(request)
            values: list[str] = []
            node = self._root.find(_parts(request.path), values)
            if node is None:
                return self._nothing_here(request)
            endpoint = node.there.get(request.method)
            if endpoint is None:
                return _other_method(request, node)
            request.template = endpoint.path
            return await endpoint.answer(request, dict(zip(endpoint.names_in_path, values, strict=True)))
        except Problem as error:
            denied = None if endpoint is None else endpoint.denied
            return problem_reply(error) if denied is None else denied(request, error)
        except StoreError as error:
            return problem_reply(self._store_failed(error))
        except Exception as error:
            return problem_reply(faulty(request.method, request.path, error))

    def _store_failed(self, error: StoreError) -> Problem:
        """Word a failure of the store: nothing was stored, and nothing has happened."""
        log.error("store failed", extra={"reason": str(error)})
        self.running_house.note_damage(error)
        say = self.running_house.sentence(error)
        if isinstance(error, CorruptStore):
            return Problem(503, "store_damaged", say)
        return Problem(503, "not_stored", say, wait=TRY_AGAIN_SECONDS)

    def _check_origin(self, request: Request) -> None:
        """Check the host that was asked for, and the site of the page that asks. Raises Problem."""
        host, origin = request.headers.get("host"), request.headers.get("origin")
        if host is not None and (not self._hosts.knows(host) or request.has_many_hosts):
            raise Problem(
                421, "wrong_host", "This is not a host name of the house: add it to the setting hosts if it should be."
            )
        if origin is not None and request.method not in READING and not self._hosts.is_own(origin, host or ""):
            raise Problem(403, "wrong_origin", "Pages of other sites cannot give orders to this house.")

    def _count(self, request: Request, status: int, seconds: float) -> None:
        method = request.method if request.method in (*METHODS, *READING) else "OTHER"  # clients can invent methods
        self.running_house.metrics.requests[method, request.template, status] += 1
        if requests_log.isEnabledFor(logging.INFO):
            person = None if request.caller is None else request.caller.person
            extra = {"method": method, "path": request.template, "status": status, "person": person}
            requests_log.info("request", extra={**extra, "milliseconds": round(seconds * 1000, 1)})


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _other_method(request: Request, node: _Node) -> Response[Any]:
    """Reply with the methods that the address has."""
    allow = {"allow": ", ".join(method for method in METHODS if method in node.there)}
    if request.method == "OPTIONS":
        return Response(b"", 204, JSON, allow)
    return problem_reply(Problem(405, "method_not_allowed", "This address does not take that method."), allow)
