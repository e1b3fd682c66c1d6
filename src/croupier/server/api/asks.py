"""What all endpoints have in common: who may use them, the request with who asks, the key of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import HTTPScope

from croupier.house.deeds import titles
from croupier.server.addresses import network_of
from croupier.server.asking import Asker
from croupier.server.premises import Premises
from croupier.server.problems import Problem

# Who may use an endpoint. Commands are for whoever is signed in: what each role may do, the house itself decides.
ANYONE: tuple[str, ...] = ("anyone",)
SIGNED_IN: tuple[str, ...] = ("signed in",)
IN_PERSON = "in_person"  # not by a program: a token opens no doors beyond its own
KEEPING_BOOKS = titles.KEEPING_BOOKS
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


def premises_of(request: ASGIConnection[Any, Any, Any, Any]) -> Premises:
    """The house that is asked."""
    premises: Premises = request.app.state.premises
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
    premises: Premises = scope["litestar_app"].state.premises
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
