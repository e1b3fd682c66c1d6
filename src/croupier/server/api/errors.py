"""Errors over HTTP: always the same body, never a traceback. What nobody foresaw goes into the log under a number."""

from __future__ import annotations

import logging
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Method
from litestar.utils import normalize_path

from croupier.server.api.wording import sentence
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

# What every endpoint may answer beside what it is for.
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
    """What the house foresaw."""
    return _told(error.status, error.code, error.message, error.clause, error.wait)


def store_failed(request: AnyRequest, error: StoreError) -> Response[ProblemBody]:
    """Nothing was stored, and nothing has happened."""
    log.error("store failed", extra={"reason": str(error)})
    premises = request.app.state.premises
    premises.note_damage(error)
    say = premises.sentence(error)
    if isinstance(error, CorruptStore):
        return _told(503, "store_damaged", say)
    return _told(503, "not_stored", say, wait=TRY_AGAIN_SECONDS)


def bad_request(request: AnyRequest, error: HTTPException) -> Response[ProblemBody]:
    """What the framework finds wrong with a request, in one sentence."""
    status = error.status_code
    if status >= 500:  # what the framework says of itself is for the log
        return fault(request, error)
    say = _SAY.get(status) or sentence(request.scope.get("route_handler"), error)  # type: ignore[arg-type]
    message = f"{say.rstrip('.')}." if say else f"{HTTPStatus(status).phrase}."
    headers = {"allow": ", ".join(_allowed(request))} if status == 405 else {}
    return _told(status, _CODES.get(status, "bad_request"), message, headers=headers)


def _allowed(request: AnyRequest) -> list[str]:
    """What can be done at an address."""
    found: list[str] = []
    for method in METHODS:
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=normalize_path(request.scope["path"]), method=method)
            found.append(method)
    return found


def too_deep(_: AnyRequest, error: RecursionError) -> Response[ProblemBody]:
    """No order has things in things in things without end."""
    return _told(400, "bad_request", "The body is nested too deep.")


def not_text(_: AnyRequest, error: UnicodeDecodeError) -> Response[ProblemBody]:
    """JSON is text in UTF-8."""
    return _told(400, "bad_request", "The body is not UTF-8.")


def fault(request: AnyRequest, error: Exception) -> Response[ProblemBody]:
    """Nobody foresaw this: the log has it, and whoever asked has the number under which it stands there."""
    number = uuid4().hex[:12]
    log.error("fault", exc_info=error, extra={"fault": number, "method": request.method, "path": request.url.path})
    return _told(500, "fault", f"Something went wrong in the house; it is in the log as {number}.")
