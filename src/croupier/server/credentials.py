"""Who somebody is: passwords, sessions and tokens. All of it is in the store's vault, and nothing of it in any stream.

A password is kept as its argon2id hash, a session or a token as the digest of what its owner holds: whoever reads the
vault can sign in as nobody.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import digest as keyed_digest
from math import ceil
from threading import Lock
from typing import TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.house.deeds.people import CALLED
from croupier.house.house import NOBODY
from croupier.house.streams import is_name
from croupier.server.settings import Settings
from croupier.store.contract import Store
from croupier.store.records import Answer, Secret, Write
from croupier.table.refusals import Refusal

SECRET_BYTES = 32
SHORTEST, LONGEST = 10, 200
MOST_DOUBLINGS = 10
MOST_STRANGERS = 10_000
MARKING = "marking"  # the key of marks, in the vault
MARK_BYTES = 8
SCOPES = ("play", "deal", "supervise", "manage", "inspect", "witness")

# The hash of a password that nobody has: who does not exist takes as long to refuse as who does.
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$5Z9h0mVdPSo5dZsT1NhZ2DkT8W2sgBlUvvUkZ8o8Z0Q"

WRONG = Refusal("sign_in_failed", "The name or the password is wrong.")

T = TypeVar("T")


class Failures(msgspec.Struct, frozen=True):
    """Wrong passwords in a row, how often they have locked the account, and until when."""

    count: int = 0
    locks: int = 0
    locked_until: datetime | None = None


class Locked(Refusal, frozen=True):
    """Too many wrong passwords: whatever the next one is, it is not looked at for so many seconds."""

    seconds: int = 0


class Session(msgspec.Struct, frozen=True):
    """Somebody who is signed in. `csrf` goes with every order from a page, so that no other site can give one.

    `password` is the digest of the hash that it was opened by: a session lasts no longer than its password.
    """

    person: str
    since: datetime
    until: datetime
    csrf: str
    password: str = ""


class Token(msgspec.Struct, frozen=True):
    """A program that acts for somebody, within its scopes."""

    person: str
    name: str
    scopes: tuple[str, ...]
    since: datetime
    until: datetime | None = None


class Issued(msgspec.Struct, frozen=True):
    """What an owner is given once, and the house does not keep."""

    secret: str
    what: Session | Token


class Credentials:
    """All that the vault has about who people are. Slow where passwords are hashed: not for the thread of a loop."""

    def __init__(
        self, store: Store, entropy: Callable[[int], bytes], *, failures: int, locked: timedelta, session: timedelta
    ) -> None:
        self._store = store
        self._entropy = entropy
        self._most_failures = failures
        self._locked = locked
        self._session = session
        self._hasher = PasswordHasher()
        self._counting = Lock()
        self._marking: bytes | None = None
        # Names that nobody has are locked as well, or who has an account could be found out. They fill no vault.
        self._strangers: OrderedDict[str, Failures] = OrderedDict()

    @classmethod
    def of(cls, settings: Settings, store: Store, entropy: Callable[[int], bytes]) -> Credentials:
        """Those of a house with these settings."""
        return cls(
            store,
            entropy,
            failures=settings.failures,
            locked=timedelta(seconds=settings.locked_seconds),
            session=timedelta(hours=settings.session_hours),
        )

    # Passwords

    def hashed(self, person: str, password: str) -> Secret | Refusal:
        """A password as it is kept."""
        if not is_name(person):
            return Refusal("bad_name", CALLED)
        if not SHORTEST <= len(password) <= LONGEST:
            return Refusal("bad_password", f"A password has {SHORTEST} to {LONGEST} characters.")
        return Secret(f"password/{person}", self._hasher.hash(password).encode())

    def replaced(self, person: str, password: str) -> tuple[Secret, ...] | Refusal:
        """All that changes in the vault with another password: everything that the person is signed in with ends."""
        kept = self.hashed(person, password)
        if isinstance(kept, Refusal):
            return kept
        ended = [Secret(name, None) for name, one in self._of("session/", Session) if one.person == person]
        return (kept, Secret(f"failures/{person}", None), *ended)

    def mark(self, person: str, password: str) -> str:
        """What tells one password of a person from another, and nothing to whoever has not the key in the vault."""
        if self._marking is None:
            self._marking = self._marking_key()
        return keyed_digest(self._marking, f"{person}/{password}".encode(), "sha256")[:MARK_BYTES].hex()

    def _marking_key(self) -> bytes:
        kept = self._store.secret(MARKING)
        if kept is None:
            # With an answer only the first of several processes that make one writes it.
            first = Answer(NOBODY, MARKING, sha256(MARKING.encode()).digest(), b"{}")
            self._store.commit([Write(answer=first, vault=(Secret(MARKING, self._entropy(SECRET_BYTES)),))])
            kept = self._store.secret(MARKING)
        assert kept is not None, "the key is written with the answer, and never taken away"
        return kept

    def set_password(self, person: str, password: str) -> Refusal | None:
        """Set or replace a password."""
        changed = self.replaced(person, password)
        if isinstance(changed, Refusal):
            return changed
        self._keep(*changed)
        return None

    def sign_in(self, person: str, password: str, now: datetime) -> Issued | Refusal:
        """A session for whoever knows the password. After too many wrong ones the account waits, longer each time."""
        hashed = self._store.secret(f"password/{person}") if is_name(person) else None
        failures = self._failures(person, hashed)
        if failures.locked_until is not None and now < failures.locked_until:
            wait = ceil((failures.locked_until - now).total_seconds())
            return Locked("locked", "Too many wrong passwords: try again later.", seconds=wait)
        if not self._is_right(hashed, password):
            self._failed(person, hashed, now)
            return WRONG
        issued = self._signed_in(person, hashed or b"", now)
        if failures != Failures():
            self._keep(Secret(f"failures/{person}", None))
        return issued

    def _is_right(self, hashed: bytes | None, password: str) -> bool:
        try:
            self._hasher.verify((hashed or _NOBODY.encode()).decode(), password[:LONGEST])
        except (VerificationError, InvalidHashError):
            return False
        return hashed is not None

    def _failures(self, person: str, hashed: bytes | None) -> Failures:
        if hashed is None:
            return self._strangers.get(person) or Failures()
        return self._read(f"failures/{person}", Failures) or Failures()

    def _failed(self, person: str, hashed: bytes | None, now: datetime) -> None:
        with self._counting:  # two at once are two failures
            before = self._failures(person, hashed)
            after = msgspec.structs.replace(before, count=before.count + 1)
            if after.count >= self._most_failures:
                until = now + self._locked * 2 ** min(before.locks, MOST_DOUBLINGS)
                after = Failures(0, before.locks + 1, until)
            if hashed is not None:
                self._keep(Secret(f"failures/{person}", msgspec.json.encode(after)))
                return
            self._strangers[person] = after
            self._strangers.move_to_end(person)
            while len(self._strangers) > MOST_STRANGERS:  # whoever has not been tried for longest
                self._strangers.popitem(last=False)

    # Sessions and tokens

    def _signed_in(self, person: str, hashed: bytes, now: datetime) -> Issued:
        csrf = self._entropy(SECRET_BYTES).hex()
        return self._issue("session/", Session(person, now, now + self._session, csrf, sha256(hashed).hexdigest()))

    def session(self, secret: str, now: datetime) -> Session | None:
        """Who holds this, while it lasts."""
        found = self._read(_place("session/", secret), Session)
        if found is None or found.until <= now:
            return None
        # The password may have been changed while somebody was being let in with the old one.
        hashed = self._store.secret(f"password/{found.person}") or b""
        return found if found.password == sha256(hashed).hexdigest() else None

    def sign_out(self, secret: str) -> None:
        """End a session."""
        self._keep(Secret(_place("session/", secret), None))

    def issue_token(
        self, person: str, name: str, scopes: tuple[str, ...], now: datetime, until: datetime | None = None
    ) -> Issued | Refusal:
        """A token for a program."""
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            return Refusal("unknown_scope", f"A token has one or more of the scopes {', '.join(SCOPES)}.")
        return self._issue("token/", Token(person, name, tuple(sorted(set(scopes))), now, until))

    def token(self, secret: str, now: datetime) -> Token | None:
        """Which program holds this, while it lasts."""
        found = self._read(_place("token/", secret), Token)
        return found if found is not None and (found.until is None or now < found.until) else None

    def tokens(self, person: str) -> list[Token]:
        """All tokens of a person."""
        return [one for _, one in self._of("token/", Token) if one.person == person]

    def end_token(self, person: str, name: str) -> bool:
        """End every token of a person that has this name; whether there was any."""
        ended = [place for place, one in self._of("token/", Token) if (one.person, one.name) == (person, name)]
        self._keep(*(Secret(place, None) for place in ended))
        return bool(ended)

    def sweep(self, now: datetime) -> int:
        """Take out what has ended: sessions and tokens. Returns how many there were."""
        sessions = [name for name, one in self._of("session/", Session) if one.until <= now]
        tokens = [name for name, one in self._of("token/", Token) if one.until is not None and one.until <= now]
        self._keep(*(Secret(name, None) for name in (*sessions, *tokens)))
        return len(sessions) + len(tokens)

    # The vault

    def _issue(self, prefix: str, what: Session | Token) -> Issued:
        secret = self._entropy(SECRET_BYTES).hex()
        self._keep(Secret(_place(prefix, secret), msgspec.json.encode(what)))
        return Issued(secret, what)

    def _read(self, name: str, kind: type[T]) -> T | None:
        kept = self._store.secret(name)
        return None if kept is None else msgspec.json.decode(kept, type=kind)

    def _of(self, prefix: str, kind: type[T]) -> list[tuple[str, T]]:
        kept = self._store.secrets(prefix)
        return [(one.name, msgspec.json.decode(one.value, type=kind)) for one in kept if one.value is not None]

    def _keep(self, *secrets: Secret) -> None:
        if secrets:
            self._store.commit([Write(vault=secrets)])


def _place(prefix: str, secret: str) -> str:
    """Where a secret is kept: under its digest."""
    return prefix + sha256(secret.encode()).hexdigest()
