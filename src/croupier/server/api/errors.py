"""Errors over HTTP: always the same body, never a traceback. What nobody foresaw goes into the log under a number."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from croupier.server.problems import Problem, ProblemBody
from croupier.store.contract import CorruptStore, StoreError

AnyRequest = Request[Any, Any, Any]

log = logging.getLogger("croupier.server")

TRY_AGAIN_SECONDS = 2
_CODES = {400: "bad_request", 401: "not_signed_in", 403: "not_allowed", 404: "not_found", 405: "method_not_allowed"}

# What every endpoint may answer beside what it is for.
PROBLEMS = {
    400: ResponseSpec(ProblemBody, description="The request makes no sense.", generate_examples=False),
    401: ResponseSpec(ProblemBody, description="Nobody is signed in.", generate_examples=False),
    403: ResponseSpec(ProblemBody, description="Not by this person, or not by a page.", generate_examples=False),
    404: ResponseSpec(ProblemBody, description="There is no such thing.", generate_examples=False),
    409: ResponseSpec(ProblemBody, description="It is not as it was when this was asked.", generate_examples=False),
    422: ResponseSpec(ProblemBody, description="Refused, with the clause.", generate_examples=False),
    429: ResponseSpec(ProblemBody, description="Too much at once.", generate_examples=False),
    503: ResponseSpec(ProblemBody, description="It cannot be stored now.", generate_examples=False),
}


def _told(
    status: int, code: str, message: str, clause: str | None = None, wait: int | None = None
) -> Response[ProblemBody]:
    headers = {} if wait is None else {"retry-after": str(wait)}
    return Response(ProblemBody(code, message, clause), status_code=status, headers=headers, media_type=MediaType.JSON)


def problem(_: AnyRequest, error: Problem) -> Response[ProblemBody]:
    """What the house foresaw."""
    return _told(error.status, error.code, error.message, error.clause, error.wait)


def store_failed(request: AnyRequest, error: StoreError) -> Response[ProblemBody]:
    """Nothing was stored, and nothing has happened."""
    log.error("store failed", extra={"reason": str(error)})
    say = request.app.state.premises.sentence(error)
    if isinstance(error, CorruptStore):
        return _told(503, "store_damaged", say)
    return _told(503, "not_stored", say, wait=TRY_AGAIN_SECONDS)


def bad_request(_: AnyRequest, error: HTTPException) -> Response[ProblemBody]:
    """What the framework finds wrong with a request, in one sentence."""
    status = error.status_code
    code = _CODES.get(status, HTTPStatus(status).phrase.lower().replace(" ", "_"))
    message = _first(error) if isinstance(error, ValidationException) else error.detail
    return _told(status, code, f"{message.rstrip('.')}." if message else f"{HTTPStatus(status).phrase}.")


def _first(error: ValidationException) -> str:
    """The first thing that is wrong with a body, and where."""
    found = error.extra[0] if isinstance(error.extra, list) and error.extra else None
    if not isinstance(found, dict):
        return str(error.detail)
    return f"{found['key']}: {found['message']}" if found.get("key") else str(found.get("message", error.detail))


def fault(request: AnyRequest, error: Exception) -> Response[ProblemBody]:
    """Nobody foresaw this: the log has it, and whoever asked has the number under which it stands there."""
    number = uuid4().hex[:12]
    log.error("fault", exc_info=error, extra={"fault": number, "method": request.method, "path": request.url.path})
    return _told(500, "fault", f"Something went wrong in the house; it is in the log as {number}.")
