"""Endpoints for signing up, in and out, for guests, passwords and tokens."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from uuid import uuid4

from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody

from croupier.house import orders
from croupier.house.stored_events import stamp
from croupier.money import parse_cents
from croupier.server.api import bodies
from croupier.server.api.bodies import Done, SignedIn, TokenIssued, TokenShown
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import (
    ANYONE,
    IN_PERSON,
    SIGNED_IN,
    Ask,
    OptionalKey,
    PersonName,
    network,
    running_house_of,
    signed_in,
)
from croupier.server.credentials import Issued, Session, Token
from croupier.server.guests import PREFIX
from croupier.server.problems import STATUS, Problem, status_of
from croupier.server.running_house import RunningHouse
from croupier.table.event_views import Told
from croupier.table.refusals import Refusal

NO_SIGN_UP = "Accounts are opened by the house here: ask an operator."
OPERATING = ("operator",)
log = logging.getLogger("croupier.server")

ONESELF = {"needs": SIGNED_IN, IN_PERSON: True}


@post("/sign-up", status_code=200, opt={"needs": ANYONE}, summary="Open an account for oneself", responses=PROBLEMS)
async def sign_up(request: Ask, data: JSONBody[bodies.SignUpBody], key: OptionalKey = None) -> Response[Done]:
    """A player's account with play chips to begin with, and a Player Card. With a key it may be asked for again."""
    running_house = running_house_of(request)
    running_house.sign_in_rate.check(network(request))
    if not running_house.settings.sign_up:
        raise Problem(403, "no_sign_up", NO_SIGN_UP)
    if data.person.startswith(PREFIX):
        raise Problem(422, "bad_name", f"Names that begin with {PREFIX} are those of guests.")
    running_house.sign_up_rate.check(network(request))
    running_house.disk.check()
    kept = await running_house.hashed(data.person, data.password, network(request))
    cents = parse_cents(running_house.settings.welcome)
    # No one is signed in yet: the house gives the order, under a key with the new name.
    own_key = f"sign-up/{data.person}/{key or uuid4()}"
    # Without a key it is never resent, so there is nothing to distinguish.
    mark = await running_house.marked(data.person, data.password, own_key, network(request)) if key is not None else ""
    order = orders.OpenAccount(person=data.person, name=data.name, cents=cents, card=True, credential=mark)
    told = await running_house.own_order(order, (kept,), own_key)
    return _replied(told)


def _replied(told: Told) -> Response[Done]:
    return Response(told, status_code=status_of(told))  # type: ignore[arg-type]  # a Done, or a ProblemBody


@post("/sign-in", status_code=200, opt={"needs": ANYONE}, summary="Sign in", responses=PROBLEMS)
async def sign_in(request: Ask, data: JSONBody[bodies.SignInBody]) -> Response[SignedIn]:
    """A session, in a cookie that no script can read. After too many wrong passwords the account waits."""
    running_house = running_house_of(request)
    running_house.sign_in_rate.check(network(request))
    return _signed_in(running_house, await running_house.sign_in(data.person, data.password, network(request)))


def _signed_in(running_house: RunningHouse, issued: Issued) -> Response[SignedIn]:
    session = issued.what
    assert isinstance(session, Session)
    told = SignedIn(session.person, session.csrf, stamp(session.until))
    return Response(told, cookies=[_cookie(running_house, issued.secret)])


def _cookie(running_house: RunningHouse, secret: str) -> Cookie:
    return Cookie(
        key=running_house.asking.cookie,
        value=secret,
        httponly=True,
        secure=running_house.settings.secure_cookies,
        samesite="strict",
        path="/",
        max_age=int(running_house.settings.session_hours * 3600) if secret else 0,
    )


@post("/guest", status_code=200, opt={"needs": ANYONE}, summary="Play as a guest", responses=PROBLEMS)
async def play_as_guest(request: Ask, data: JSONBody[bodies.Body]) -> Response[SignedIn]:
    """An account that nobody need remember, and a session. It has no password, and is forgotten after a while."""
    running_house = running_house_of(request)
    running_house.sign_in_rate.check(network(request))
    if not running_house.settings.sign_up:
        raise Problem(403, "no_sign_up", NO_SIGN_UP)
    return _signed_in(running_house, await running_house.guests.enter(network(request)))


@post("/sign-out", status_code=200, opt=ONESELF, summary="Sign out", responses=PROBLEMS)
async def sign_out(request: Ask) -> Response[None]:
    """End the session that this comes with."""
    running_house, person = running_house_of(request), signed_in(request).person
    await asyncio.to_thread(running_house.credentials.sign_out, request.cookies[running_house.asking.cookie])
    running_house.let_go(person)
    return Response(None, cookies=[_cookie(running_house, "")])


@post("/password", status_code=200, opt=ONESELF, summary="Change one's password", responses=PROBLEMS)
async def change_password(request: Ask, data: JSONBody[bodies.PasswordBody]) -> Response[Done]:
    """Everything that one is signed in with ends."""
    running_house, asker = running_house_of(request), signed_in(request)
    running_house.sign_in_rate.check(network(request))
    await running_house.sign_in(asker.person, data.old, network(request))
    return _replied(await running_house.set_password(asker, None, asker.person, data.new, network(request)))


@post(
    "/accounts/{person:str}/password",
    status_code=200,
    opt={"needs": OPERATING, IN_PERSON: True},
    summary="Set somebody's password",
    responses=PROBLEMS,
)
async def reset_password(
    request: Ask, person: PersonName, data: JSONBody[bodies.ResetBody], key: OptionalKey = None
) -> Response[Done]:
    """For operators, where somebody has forgotten theirs, or lost it: what their programs hold ends as well."""
    running_house, asker = running_house_of(request), signed_in(request)
    if asker.person == person:
        raise Problem(403, "own_password", "One's own password is changed by who knows the old one.")
    await running_house.account(person)
    return _replied(await running_house.set_password(asker, key, person, data.new, network(request)))


@get("/tokens", opt={"needs": SIGNED_IN}, summary="One's own tokens", responses=PROBLEMS)
async def tokens(request: Ask) -> list[TokenShown]:
    """The tokens that programs of this person have, without what they are."""
    found = await asyncio.to_thread(running_house_of(request).credentials.tokens, signed_in(request).person)
    return [_shown(token) for token in found]


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _shown(token: Token) -> TokenShown:
    return TokenShown(token.name, list(token.scopes), stamp(token.since), _stamp(token.until))


@post("/tokens", status_code=200, opt=ONESELF, summary="A token for a program", responses=PROBLEMS)
async def issue_token(request: Ask, data: JSONBody[bodies.TokenBody]) -> TokenIssued:
    """It is shown this once. A program with it acts for this person, within its scopes."""
    running_house, asker = running_house_of(request), signed_in(request)
    now = running_house.clock()
    until = None if data.days is None else now + timedelta(days=data.days)
    issued = await asyncio.to_thread(
        running_house.credentials.issue_token, asker.person, data.name, tuple(data.scopes), now, until
    )
    if isinstance(issued, Refusal):
        raise Problem(STATUS.get(issued.code, 422), issued.code, issued.message)
    assert isinstance(issued.what, Token)
    return TokenIssued(issued.secret, data.name, list(issued.what.scopes), _stamp(until))


@delete("/tokens/{name:str}", status_code=200, opt=ONESELF, summary="End a token", responses=PROBLEMS)
async def end_token(request: Ask, name: FromPath[str]) -> None:
    """Programs that hold it are let in no longer."""
    await _end_token(running_house_of(request), signed_in(request).person, name)


async def _end_token(running_house: RunningHouse, person: str, name: str) -> None:
    ended = await asyncio.to_thread(running_house.credentials.end_token, person, name)
    running_house.let_go(person)
    if not ended:
        raise Problem(404, "no_such_token", "There is no token of that name.")


@get("/accounts/{person:str}/tokens", opt={"needs": OPERATING}, summary="Somebody's tokens", responses=PROBLEMS)
async def tokens_of(request: Ask, person: PersonName) -> list[TokenShown]:
    """For operators: the tokens that programs of a person have, without what they are."""
    running_house = running_house_of(request)
    await running_house.account(person)
    return [_shown(token) for token in await asyncio.to_thread(running_house.credentials.tokens, person)]


@delete(
    "/accounts/{person:str}/tokens/{name:str}",
    status_code=200,
    opt={"needs": OPERATING, IN_PERSON: True},
    summary="End somebody's token",
    responses=PROBLEMS,
)
async def end_token_of(request: Ask, person: PersonName, name: FromPath[str]) -> None:
    """For operators: programs that hold it are let in no longer. The log has who did it."""
    running_house = running_house_of(request)
    await running_house.account(person)
    await _end_token(running_house, person, name)
    log.warning("token ended", extra={"person": person, "by": signed_in(request).person})


HANDLERS = [
    sign_up,
    sign_in,
    play_as_guest,
    sign_out,
    change_password,
    reset_password,
    tokens,
    issue_token,
    end_token,
    tokens_of,
    end_token_of,
]
