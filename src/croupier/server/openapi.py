"""The OpenAPI 3.1 document, made from the endpoints: their parameters, bodies and replies are msgspec types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import msgspec

from croupier.contract.replies import ProblemBody
from croupier.server.admission import COOKIE, READING, SECURE_COOKIE
from croupier.server.endpoints import ANYONE, JSON, Application, Endpoint, Parameter

Json = dict[str, Any]

# The errors that any endpoint may return.
PROBLEMS = {
    400: "The request is malformed.",
    401: "The caller is not signed in.",
    403: "The caller is not allowed to do this, or a page's request lacks its token.",
    404: "There is nothing with this name, number or path.",
    409: "It has changed since the given version.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The rules of the game or of the house do not allow it; the clause is given if there is one.",
    429: "Too many requests, or the storage quota is used up.",
    503: "The house cannot store it now.",
}
DESCRIPTION = (
    "A house of dice and coin games, with play chips only. Commands are POSTed with an Idempotency-Key and answered "
    "once they are stored; events arrive as server-sent events. Every error has a code, the clause behind it if there "
    "is one, and a sentence."
)
CSRF = "The value returned by signing in. With a session, every request except GET needs it."


@lru_cache(maxsize=1)
def document_of(app: Application) -> Json:
    """Return the document of an application."""
    shown = [one for one in app.endpoints if one.in_document]
    assert len({one.name for one in shown}) == len(shown), "every operation has its own name"
    kinds = {id(kind): kind for one in shown for kind in _kinds(one)}
    schemas, components = msgspec.json.schema_components(kinds.values(), ref_template="#/components/schemas/{name}")
    by_kind = dict(zip(kinds, schemas, strict=True))
    paths: Json = {}
    cookie = SECURE_COOKIE if app.running_house.settings.secure_cookies else COOKIE
    for one in shown:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Croupier", "version": version("croupier"), "description": DESCRIPTION},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "session": {"type": "apiKey", "name": cookie, "in": "cookie"},
                "csrf": {"type": "apiKey", "name": "X-CSRF-Token", "in": "header", "description": CSRF},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _kinds(one: Endpoint) -> Iterator[Any]:
    """Yield all types of an endpoint's bodies, in and out."""
    yield from () if one.body is None else (one.body,)
    yield from (one.reply,) if JSON in one.kinds else ()
    yield from (ProblemBody, *one.replies.values())


def _operation(one: Endpoint, schemas: dict[int, Json]) -> Json:
    operation: Json = {
        "tags": list(one.tags),
        "summary": one.summary,
        "description": one.description,
        "operationId": one.name,
        "parameters": [_parameter(each) for each in one.parameters],
        "responses": {"200": {"description": "Done.", "content": _contents(one, schemas)}},
        "security": _security(one),
    }
    if one.body is not None:
        content: Json = {"schema": schemas[id(one.body)]}
        content |= {} if one.example is None else {"example": dict(one.example)}
        operation["requestBody"] = {"required": True, "content": {JSON: content}}
    for status, say in PROBLEMS.items():
        schema = schemas[id(one.replies.get(status, ProblemBody))]
        operation["responses"][str(status)] = {"description": say, "content": {JSON: {"schema": schema}}}
    return operation


def _parameter(each: Parameter) -> Json:
    (schema,), _ = msgspec.json.schema_components([each.kind])
    about = {"description": schema["description"]} if "description" in schema else {}
    return {"name": each.name, "in": each.place, "required": each.is_required, "schema": schema, **about}


def _contents(one: Endpoint, schemas: dict[int, Json]) -> Json:
    text: Json = {"type": "string"}
    return {kind: {"schema": schemas[id(one.reply)] if kind == JSON else text} for kind in one.kinds}


def _security(one: Endpoint) -> list[Json]:
    """Return the ways in which a caller may identify themselves."""
    page: Json = {"session": []} if one.method in READING else {"session": [], "csrf": []}
    anyone: list[Json] = [{}] if one.needs == ANYONE else []
    program: list[Json] = [] if one.in_person else [{"token": []}]
    return [*anyone, *program, page]
