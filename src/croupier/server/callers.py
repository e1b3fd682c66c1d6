"""The caller of a request: a person with a session, or a program with a token. Cached for a few seconds."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import NamedTuple

import msgspec

from croupier.server.credentials import Credentials, Session, Token
from croupier.server.problems import Problem

COOKIE = "croupier_session"
SECURE_COOKIE = "__Host-croupier_session"  # browsers accept it only over HTTPS and from this host
CSRF_HEADER = "x-csrf-token"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_REMEMBERED = 20_000

WITNESS = "witness"  # not a role: a scope that opens only the endpoints that name it

# The roles of the house that a token's scopes allow.
SCOPE_ROLES = {
    "play": ("player",),
    "deal": ("dealer",),
    "supervise": ("supervisor",),
    "manage": ("manager", "operator"),
    "inspect": ("inspector",),
    "witness": (WITNESS,),
}


SIGN_IN = "Sign in first, or send a token."
PUSHED_OUT = "You have signed in elsewhere too many times since: the oldest sign-in, which was this one, has ended."


def not_signed_in(say: str = SIGN_IN) -> Problem:
    """Build the 401 problem. A new one each time, because a reused exception accumulates tracebacks."""
    return Problem(401, "not_signed_in", say)


class Asker(msgspec.Struct, frozen=True):
    """The caller. `within` are the roles that a program may use; None for a person, who has a session's `csrf`."""

    person: str
    within: tuple[str, ...] | None = None
    csrf: str | None = None


class _Remembered(NamedTuple):
    asker: Asker
    until: datetime  # when it is looked up again, or has ended


class Asking:
    """Identifies callers. A lookup is trusted for a few seconds, so a sign-out elsewhere may take that long."""

    def __init__(
        self, credentials: Credentials, clock: Callable[[], datetime], *, secure: bool, remembered: timedelta
    ) -> None:
        self._credentials = credentials
        self._clock = clock
        self._remembered_for = remembered
        self.cookie = SECURE_COOKIE if secure else COOKIE
        self._known: OrderedDict[str, _Remembered] = OrderedDict()
        self._forgotten = 0  # counts calls of `forget`: a lookup that began before one is not cached after it

    async def asker(self, method: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Asker | None:
        """Return the caller, or None for an anonymous request. Raises Problem if the credentials are invalid."""
        said = headers.get("authorization")
        if said is not None:
            kind, _, secret = said.partition(" ")
            if kind.lower() != "bearer" or not secret:
                raise Problem(401, "bad_authorization", 'The header is "Authorization: Bearer" and a token.')
            asker = await self._find("token ", secret, self._by_token)
            if asker is None:
                raise Problem(401, "bad_token", "There is no such token, or it has ended.")
            return asker
        secret = cookies.get(self.cookie, "")
        asker = await self._find("session ", secret, self._by_session) if secret else None
        if asker is not None and method not in READING:
            self._check_csrf(asker, headers)
        return asker

    async def why_not(self, cookies: Mapping[str, str]) -> Problem:
        """Return the problem for a caller who must sign in, with the reason if newer sign-ins ended their session."""
        secret = cookies.get(self.cookie)
        was_in = secret is not None and await asyncio.to_thread(self._credentials.was_pushed_out, secret)
        return not_signed_in(PUSHED_OUT) if was_in else not_signed_in()

    def _check_csrf(self, asker: Asker, headers: Mapping[str, str]) -> None:
        if asker.csrf is None or not compare_digest(headers.get(CSRF_HEADER, "").encode(), asker.csrf.encode()):
            raise Problem(403, "csrf", f"An order from a page comes with the {CSRF_HEADER} that signing in gave.")

    async def _find(
        self, kind: str, secret: str, look_up: Callable[[str], tuple[Asker, datetime | None] | None]
    ) -> Asker | None:
        now, place = self._clock(), kind + secret
        known = self._known.get(place)
        if known is not None and now < known.until <= now + self._remembered_for:  # the clock may be set back
            return known.asker
        forgotten = self._forgotten
        found = await asyncio.to_thread(look_up, secret)
        if found is None:
            self._known.pop(place, None)
            return None
        asker, ends = found
        if forgotten != self._forgotten:
            return asker
        until = now + self._remembered_for
        self._known[place] = _Remembered(asker, until if ends is None else min(until, ends))
        while len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        return asker

    def _by_session(self, secret: str) -> tuple[Asker, datetime | None] | None:
        session: Session | None = self._credentials.session(secret, self._clock())
        return None if session is None else (Asker(session.person, csrf=session.csrf), session.until)

    def _by_token(self, secret: str) -> tuple[Asker, datetime | None] | None:
        token: Token | None = self._credentials.token(secret, self._clock())
        if token is None:
            return None
        roles = tuple(role for scope in token.scopes for role in SCOPE_ROLES[scope])
        return Asker(token.person, within=roles), token.until

    def forget(self, person: str) -> None:
        """Drop a person's cached lookups: they signed out, changed their password, or signed in too often."""
        self._forgotten += 1
        for place in [place for place, known in self._known.items() if known.asker.person == person]:
            del self._known[place]
