"""The application: all endpoints, who may use them, how errors are told, and the document that describes them."""

from __future__ import annotations

import logging
from importlib.metadata import version
from time import perf_counter
from typing import Any

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.server.api import accounts, entering, errors, operating, ordering, pages, reports, streaming, tables
from croupier.server.api.asks import check_asker
from croupier.server.metrics import Metrics
from croupier.server.premises import Premises
from croupier.server.problems import Problem
from croupier.store.contract import StoreError

MOST_BODY_BYTES = 64 * 1024
log = logging.getLogger("croupier.requests")

# What every reply says to browsers: it is what it says it is, and belongs into nobody else's page or memory.
SAFE_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
]


def make_app(premises: Premises) -> ASGIApp:
    """The application of a house."""
    handlers = [module.HANDLERS for module in (ordering, entering, accounts, tables, streaming, reports)]
    api = Router("/api/v1", route_handlers=[handler for some in handlers for handler in some])
    litestar = Litestar(
        route_handlers=[api, *operating.HANDLERS, *pages.HANDLERS],
        guards=[check_asker],
        state=State({"premises": premises}),
        exception_handlers={
            Problem: errors.problem,
            StoreError: errors.store_failed,
            HTTPException: errors.bad_request,
            Exception: errors.fault,
        },
        openapi_config=_openapi(),
        request_max_body_size=MOST_BODY_BYTES,
        logging_config=None,
    )
    return Outside(litestar, premises.metrics)


def _openapi() -> OpenAPIConfig:
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
        render_plugins=[JsonRenderPlugin(), YamlRenderPlugin()],  # a page that shows it is our own, without scripts
        components=Components(
            security_schemes={
                "session": SecurityScheme(type="apiKey", name="croupier_session", security_scheme_in="cookie"),
                "token": SecurityScheme(type="http", scheme="bearer"),
            }
        ),
        security=[{"token": []}, {"session": []}],
    )


class Outside:
    """Around the application: counts and logs requests, and adds the headers that every reply has."""

    def __init__(self, inner: ASGIApp, metrics: Metrics) -> None:
        self.inner = inner
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
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
            await self.inner(scope, receive, sent)
        finally:
            self._count(scope, status, perf_counter() - start)

    def _count(self, scope: Any, status: int, seconds: float) -> None:  # noqa: ANN401  # a dictionary that grows
        path = scope.get("path_template") or "unknown"
        self._metrics.requests[scope["method"], path, status] += 1
        if log.isEnabledFor(logging.INFO):
            person = getattr(scope.get("user"), "person", None)
            extra = {"method": scope["method"], "path": path, "status": status, "person": person}
            log.info("request", extra={**extra, "milliseconds": round(seconds * 1000, 1)})
