"""Endpoints for signing up, in and out, for guests, passwords and tokens."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from uuid import uuid4

from croupier.contract import replies
from croupier.contract import requests as bodies
from croupier.contract.replies import Done, OrderReply, SignedIn, TokenIssued
from croupier.contract.requests import PersonName
from croupier.house import orders
from croupier.house.stored_events import stamp
from croupier.money import parse_cents
from croupier.server.admission import GUEST
from croupier.server.api.requests import Key, OptionalKey
from croupier.server.credentials import Issued, Session, Token
from croupier.server.endpoints import ANYONE, SIGNED_IN, Request, Response, delete, get, json_reply, post
from croupier.server.problems import STATUS, Problem, status_of
from croupier.server.running_house import RunningHouse
from croupier.table.refusals import Refusal

NO_SIGN_UP = "Only operators open accounts here: ask one."
OPERATING = ("operator",)
log = logging.getLogger("croupier.server")


@post("/sign-up", needs=ANYONE, summary="Open your own account")
async def sign_up(request: Request, data: bodies.SignUpBody, key: OptionalKey = None) -> Response[Done]:
    """A player's account with initial play chips and a Player Card. With a key it is safe to send again."""
    running_house = request.running_house
    running_house.sign_in_rate.check(request.network)
    if not running_house.settings.sign_up:
        raise Problem(403, "no_sign_up", NO_SIGN_UP)
    if data.person.startswith(GUEST):
        raise Problem(422, "bad_name", f"Names that begin with {GUEST} are reserved for guests.")
    running_house.sign_up_rate.check(request.network)
    running_house.disk.check()
    kept = await running_house.hashed(data.person, data.password, request.network)
    cents = parse_cents(running_house.settings.welcome)
    # No one is signed in yet: the house gives the order, under a key with the new name.
    own_key = f"sign-up/{data.person}/{key or uuid4()}"
    # Without a key it is never resent, so there is nothing to distinguish.
    mark = await running_house.marked(data.person, data.password, own_key, request.network) if key is not None else ""
    order = orders.OpenAccount(person=data.person, name=data.name, cents=cents, card=True, credential=mark)
    told = await running_house.own_order(order, (kept,), own_key)
    return _replied(told)


def _replied(told: OrderReply) -> Response[Done]:
    return json_reply(told, status_of(told))


@post("/sign-in", needs=ANYONE, summary="Sign in")
async def sign_in(request: Request, data: bodies.SignInBody) -> Response[SignedIn]:
    """A session, in a cookie that no script can read. Too many wrong passwords lock the account for a while."""
    running_house = request.running_house
    running_house.sign_in_rate.check(request.network)
    return _signed_in(running_house, await running_house.sign_in(data.person, data.password, request.network))


def _signed_in(running_house: RunningHouse, issued: Issued) -> Response[SignedIn]:
    session = issued.what
    assert isinstance(session, Session)
    told = SignedIn(session.person, session.csrf, stamp(session.until))
    return json_reply(told, headers=_cookie(running_house, issued.secret))


def _cookie(running_house: RunningHouse, secret: str) -> dict[str, str]:
    """Return the header that sets the session's cookie, or removes it."""
    settings = running_house.settings
    age = int(settings.session_hours * 3600) if secret else 0
    secure = "; Secure" if settings.secure_cookies else ""
    cookie = f"{running_house.asking.cookie}={secret}; HttpOnly; Max-Age={age}; Path=/; SameSite=strict{secure}"
    return {"set-cookie": cookie}


@post("/guest", needs=ANYONE, summary="Play as a guest")
async def play_as_guest(request: Request, data: bodies.Body) -> Response[SignedIn]:
    """A temporary account without a password, and a session. It is deleted after a while."""
    running_house = request.running_house
    running_house.sign_in_rate.check(request.network)
    if not running_house.settings.sign_up:
        raise Problem(403, "no_sign_up", NO_SIGN_UP)
    running_house.disk.check()
    running_house.quotas.check(GUEST)
    return _signed_in(running_house, await running_house.guests.enter(request.network))


@post("/sign-out", needs=SIGNED_IN, in_person=True, summary="Sign out")
async def sign_out(request: Request) -> Response[None]:
    """End the session of this request."""
    running_house, person = request.running_house, request.signed_in.person
    await asyncio.to_thread(running_house.credentials.sign_out, request.cookies[running_house.asking.cookie])
    running_house.let_go(person)
    return json_reply(None, headers=_cookie(running_house, ""))


@post("/password", needs=SIGNED_IN, in_person=True, summary="Change your password")
async def change_password(request: Request, data: bodies.PasswordBody) -> Response[Done]:
    """This ends all your sessions."""
    running_house, asker = request.running_house, request.signed_in
    running_house.sign_in_rate.check(request.network)
    await running_house.check_password(asker.person, data.old, request.network)
    return _replied(await running_house.set_password(asker, None, asker.person, data.new, request.network))


@post("/accounts", summary="Open an account for a person", tags=("commands",))
async def open_account(request: Request, data: bodies.AccountBody, key: Key) -> Response[Done]:
    """For operators: an account with roles, chips and a first password."""
    running_house, asker = request.running_house, request.signed_in
    await running_house.account(asker.person)
    # Hashing a password is slow: do not do it for a caller whom the house will refuse.
    may = "operator" in running_house.acting(asker).roles
    kept = (await running_house.hashed(data.person, data.password, request.network),) if may else ()
    mark = await running_house.marked(data.person, data.password, key, request.network) if may else ""
    cents = parse_cents(data.chips)
    order = orders.OpenAccount(person=data.person, name=data.name, roles=data.roles, cents=cents, credential=mark)
    return _replied(await running_house.order(asker, key, order, kept))


@post("/accounts/{person}/password", needs=OPERATING, in_person=True, summary="Set a person's password")
async def reset_password(
    request: Request, person: PersonName, data: bodies.ResetBody, key: OptionalKey = None
) -> Response[Done]:
    """For operators, if a person has lost theirs. It ends the person's sessions and tokens."""
    running_house, asker = request.running_house, request.signed_in
    if asker.person == person:
        raise Problem(403, "own_password", "Change your own password with your old one.")
    await running_house.account(person)
    return _replied(await running_house.set_password(asker, key, person, data.new, request.network))


@get("/tokens", needs=SIGNED_IN, summary="Your tokens")
async def tokens(request: Request) -> list[replies.Token]:
    """The tokens of your programs, without their secrets."""
    found = await asyncio.to_thread(request.running_house.credentials.tokens, request.signed_in.person)
    return [_shown(token) for token in found]


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _shown(token: Token) -> replies.Token:
    return replies.Token(
        name=token.name, scopes=list(token.scopes), since=stamp(token.since), until=_stamp(token.until)
    )


@post("/tokens", needs=SIGNED_IN, in_person=True, summary="A token for a program")
async def issue_token(request: Request, data: bodies.TokenBody) -> TokenIssued:
    """It is shown only once. A program with it acts for you, within its scopes."""
    running_house, asker = request.running_house, request.signed_in
    running_house.order_rate.check(asker.person)
    now = running_house.clock()
    until = None if data.days is None else now + timedelta(days=data.days)
    issued = await asyncio.to_thread(
        running_house.credentials.issue_token, asker.person, data.name, tuple(data.scopes), now, until
    )
    if isinstance(issued, Refusal):
        raise Problem(STATUS.get(issued.code, 422), issued.code, issued.message)
    assert isinstance(issued.what, Token)
    return TokenIssued(token=issued.secret, name=data.name, scopes=list(issued.what.scopes), until=_stamp(until))


@delete("/tokens/{name}", needs=SIGNED_IN, in_person=True, summary="End a token")
async def end_token(request: Request, name: str) -> None:
    """Programs can no longer use it."""
    request.running_house.order_rate.check(request.signed_in.person)
    await _end_token(request.running_house, request.signed_in.person, name)


async def _end_token(running_house: RunningHouse, person: str, name: str) -> None:
    ended = await asyncio.to_thread(running_house.credentials.end_token, person, name)
    running_house.let_go(person)
    if not ended:
        raise Problem(404, "no_such_token", "There is no token with that name.")


@get("/accounts/{person}/tokens", needs=OPERATING, summary="A person's tokens")
async def tokens_of(request: Request, person: PersonName) -> list[replies.Token]:
    """For operators: the tokens of a person's programs, without their secrets."""
    running_house = request.running_house
    await running_house.account(person)
    return [_shown(token) for token in await asyncio.to_thread(running_house.credentials.tokens, person)]


@delete("/accounts/{person}/tokens/{name}", needs=OPERATING, in_person=True, summary="End a person's token")
async def end_token_of(request: Request, person: PersonName, name: str) -> None:
    """For operators: programs can no longer use it. The log records who ended it."""
    running_house = request.running_house
    await running_house.account(person)
    await _end_token(running_house, person, name)
    log.warning("token ended", extra={"person": person, "by": request.signed_in.person})


ENDPOINTS = [
    sign_up,
    sign_in,
    play_as_guest,
    sign_out,
    change_password,
    open_account,
    reset_password,
    tokens,
    issue_token,
    end_token,
    tokens_of,
    end_token_of,
]
