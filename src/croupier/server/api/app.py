"""The web application: endpoints and their permissions, error handlers, and the OpenAPI document."""

from __future__ import annotations

import logging
from importlib.metadata import version
from time import perf_counter
from typing import Any

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityRequirement, SecurityScheme
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.server.api import (
    accounts,
    acts,
    books,
    commands,
    errors,
    floor,
    promotions,
    records,
    registers,
    reports,
    sign_in,
    streaming,
    tables,
)
from croupier.server.api.requests import ANYONE, IN_PERSON, JSON, check_asker
from croupier.server.callers import COOKIE, READING, SECURE_COOKIE
from croupier.server.limits import Hosts, names
from croupier.server.monitoring import Metrics
from croupier.server.pages import files, html, par_sheets, rules
from croupier.server.pages.html import nothing_here
from croupier.server.problems import Problem, TurnedAway
from croupier.server.running_house import RunningHouse
from croupier.store.contract import StoreError

WRONG_HOST = TurnedAway(421, "wrong_host", "This house is not called that: its names are in the setting hosts.")
WRONG_ORIGIN = TurnedAway(403, "wrong_origin", "Pages of other sites give no orders here.")
MOST_BODY_BYTES = 64 * 1024
METHODS = READING | {*errors.METHODS}
log = logging.getLogger("croupier.requests")

# For browsers: do not guess the content type, do not embed or cache the reply, do not send a referrer.
SAFE_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
]


def make_app(running_house: RunningHouse) -> ASGIApp:
    """Build the application of a house."""
    modules = (
        commands,
        sign_in,
        accounts,
        tables,
        books,
        acts,
        streaming,
        reports,
        floor,
        promotions,
        registers,
        records,
    )
    api = Router("/api/v1", route_handlers=[_secured(one) for module in modules for one in module.HANDLERS])
    litestar = Litestar(
        route_handlers=[
            api,
            *map(_secured, records.OPERATING),
            *(one for module in (files, html, rules, par_sheets) for one in module.HANDLERS),
        ],
        before_request=check_asker,
        state=State({"running_house": running_house}),
        exception_handlers={
            Problem: errors.problem,
            StoreError: errors.store_failed,
            NotFoundException: nothing_here,
            HTTPException: errors.bad_request,
            RecursionError: errors.too_deep,
            UnicodeDecodeError: errors.not_text,
            Exception: errors.fault,
        },
        openapi_config=_openapi(SECURE_COOKIE if running_house.settings.secure_cookies else COOKIE),
        request_max_body_size=MOST_BODY_BYTES,
        logging_config=None,
    )
    settings = running_house.settings
    return Outside(litestar, running_house.metrics, Hosts(settings.host, *names(settings.hosts)))


def _secured(handler: HTTPRouteHandler) -> HTTPRouteHandler:
    """Add the endpoint's security requirements to the OpenAPI document."""
    by_page: SecurityRequirement = {"session": []} if handler.http_methods <= READING else {"session": [], "csrf": []}
    nobody: list[SecurityRequirement] = [{}] if handler.opt["needs"] == ANYONE else []
    program: list[SecurityRequirement] = [] if IN_PERSON in handler.opt else [{"token": []}]
    handler.security = [*nobody, *program, by_page]
    assert handler.before_request is None, "an endpoint's own would be called instead of the one that asks who it is"
    return handler


def _openapi(cookie: str) -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version=version("croupier"),
        description=(
            "A house of dice and coin games, with play chips only. Commands are POSTed with an Idempotency-Key and "
            "answered once they are stored; what happened comes by server-sent events. Every error has a code, the "
            "clause behind it where there is one, and a sentence."
        ),
        path="/api",
        use_handler_docstrings=True,
        # The house has its own page for it, without scripts. YAML would take half a second to render, every time.
        render_plugins=[JsonRenderPlugin()],
        components=Components(
            security_schemes={
                "session": SecurityScheme(type="apiKey", name=cookie, security_scheme_in="cookie"),
                "csrf": SecurityScheme(
                    type="apiKey",
                    name="X-CSRF-Token",
                    security_scheme_in="header",
                    description="What signing in gave; with a session, for all that is not a GET.",
                ),
                "token": SecurityScheme(type="http", scheme="bearer"),
            }
        ),
    )


async def _tell(refused: TurnedAway, send: Send) -> None:
    headers = [(b"content-type", JSON.encode()), (b"content-length", b"%d" % len(refused.body))]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": refused.body, "more_body": False})


class Outside:
    """Wraps the application: counts and logs requests, and adds the headers of every reply.

    Refuses requests for another host and orders from pages of another site.
    """

    def __init__(self, inner: ASGIApp, metrics: Metrics, hosts: Hosts) -> None:
        self.inner = inner
        self._metrics = metrics
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != ScopeType.HTTP:
            await self.inner(scope, receive, send)
            return
        start, status = perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(row for row in SAFE_HEADERS if row[0] not in known)]
            await send(message)

        try:
            refused = self._refusal(scope)
            if refused is None:
                await self.inner(scope, receive, sent)
            else:
                await _tell(refused, sent)
        finally:
            self._count(scope, status, perf_counter() - start)

    def _refusal(self, scope: Any) -> TurnedAway | None:  # noqa: ANN401  # as below
        """Return why a request is refused, or None."""
        host, origin, hosts = "", None, 0
        for name, value in scope["headers"]:
            if name == b"host":
                host, hosts = value.decode("latin-1"), hosts + 1
            elif name == b"origin":
                origin = value.decode("latin-1")
        if hosts > 1 or (hosts == 1 and not self._hosts.knows(host)):
            return WRONG_HOST
        if origin is not None and scope["method"] not in READING and not self._hosts.is_own(origin, host):
            return WRONG_ORIGIN
        return None

    def _count(self, scope: Any, status: int, seconds: float) -> None:  # noqa: ANN401  # an untyped dictionary
        path = scope.get("path_template") or "unknown"
        method = scope["method"] if scope["method"] in METHODS else "OTHER"  # clients can invent methods
        self._metrics.requests[method, path, status] += 1
        if log.isEnabledFor(logging.INFO):
            person = getattr(scope.get("user"), "person", None)
            extra = {"method": method, "path": path, "status": status, "person": person}
            log.info("request", extra={**extra, "milliseconds": round(seconds * 1000, 1)})
