"""Passwords, sessions, tokens and guests. All of it is in the store's vault, never in a stream.

A password is kept as its argon2id hash, a session or token as the digest of its owner's secret: a stolen vault does
not let anyone sign in.
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
from argon2.low_level import hash_secret_raw

from croupier.house.names import is_name
from croupier.house.orders import CALLED
from croupier.server.settings import Settings
from croupier.store.contract import Store
from croupier.store.keys import HouseKey
from croupier.store.records import Secret, Write
from croupier.table.refusals import Refusal

SECRET_BYTES = 32
SHORTEST, LONGEST = 10, 200
MOST_DOUBLINGS = 10
MOST_STRANGERS = 10_000
MOST_NETWORKS = 100  # from which one person's wrong passwords are counted
MOST_TOKENS = 20
SCOPES = ("play", "deal", "supervise", "manage", "inspect", "witness")

# A hash that matches no password, so that an unknown name takes as long to refuse as a known one.
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$5Z9h0mVdPSo5dZsT1NhZ2DkT8W2sgBlUvvUkZ8o8Z0Q"

WRONG = Refusal("sign_in_failed", "The name or the password is wrong.")

T = TypeVar("T")


class Failures(msgspec.Struct, frozen=True):
    """Consecutive wrong passwords from one network, the number of locks they caused, and the end of the current one."""

    count: int = 0
    locks: int = 0
    locked_until: datetime | None = None


class Tried(msgspec.Struct, frozen=True):
    """Wrong passwords for one name, by network: failures elsewhere do not lock a person out."""

    networks: dict[str, Failures] = {}

    def after(self, network: str, failures: Failures) -> Tried:
        """Replace the count of a network; if there are too many networks, drop the oldest."""
        others = {name: one for name, one in self.networks.items() if name != network}
        while len(others) >= MOST_NETWORKS:
            del others[next(iter(others))]
        return Tried(others | {network: failures})


class Locked(Refusal, frozen=True):
    """Too many wrong passwords: for so many seconds, further ones are not checked."""

    seconds: int = 0


class Session(msgspec.Struct, frozen=True):
    """A person who is signed in. Every order from a page carries `csrf`, so that another site cannot give one.

    `password` is the digest of the password hash at sign-in: a session ends when its password changes. A session
    that is `pushed_out` ended early to make room for a newer one of the same person.
    """

    person: str
    since: datetime
    until: datetime
    csrf: str
    password: str = ""
    pushed_out: bool = False

    def lasts(self, now: datetime) -> bool:
        """Return whether the session is still valid."""
        return now < self.until and not self.pushed_out


class Token(msgspec.Struct, frozen=True):
    """A program that acts for a person within its scopes."""

    person: str
    name: str
    scopes: tuple[str, ...]
    since: datetime
    until: datetime | None = None


class Guest(msgspec.Struct, frozen=True):
    """A person without a password: the network they came from, and when they were last active."""

    network: str
    seen: datetime


class Issued(msgspec.Struct, frozen=True):
    """A secret shown to its owner once and not kept by the house; and whether it ended an older one."""

    secret: str
    what: Session | Token
    ends_another: bool = False


class Credentials:
    """The credentials in the vault. Slow, because passwords are hashed: keep it off the event loop's thread."""

    def __init__(
        self,
        store: Store,
        entropy: Callable[[int], bytes],
        *,
        failures: int,
        locked: timedelta,
        session: timedelta,
        most_sessions: int,
    ) -> None:
        self._store = store
        self._entropy = entropy
        self._most_failures = failures
        self._locked = locked
        self._session = session
        self._most_sessions = most_sessions
        self._hasher = PasswordHasher()
        self._counting = Lock()
        self._issuing = Lock()
        # Unknown names are locked too, or a lock would reveal who has an account. They stay in memory, so that they
        # cannot fill the vault.
        self._strangers: OrderedDict[str, Tried] = OrderedDict()

    @classmethod
    def of(cls, settings: Settings, store: Store, entropy: Callable[[int], bytes]) -> Credentials:
        """Create the credentials of a house with these settings."""
        return cls(
            store,
            entropy,
            failures=settings.failures,
            locked=timedelta(seconds=settings.locked_seconds),
            session=timedelta(hours=settings.session_hours),
            most_sessions=settings.sessions_of_one_person,
        )

    # Passwords

    def hashed(self, person: str, password: str) -> Secret | Refusal:
        """Hash a password for the vault."""
        if not is_name(person):
            return Refusal("bad_name", CALLED)
        if not SHORTEST <= len(password) <= LONGEST:
            return Refusal("bad_password", f"A password must have {SHORTEST} to {LONGEST} characters.")
        return Secret(f"password/{person}", self._hasher.hash(password).encode())

    def replaced(self, person: str, password: str, *, by_another: bool = False) -> tuple[Secret, ...] | Refusal:
        """Return the vault changes for a new password: all sessions of the person end.

        If someone else set it, the old one may have been stolen, so all tokens end as well.
        """
        kept = self.hashed(person, password)
        if isinstance(kept, Refusal):
            return kept
        ended = [Secret(name, None) for name, one in self._of("session/", Session) if one.person == person]
        if by_another:
            ended += [Secret(name, None) for name, one in self._of("token/", Token) if one.person == person]
        return (kept, Secret(f"failures/{person}", None), *ended)

    def set_password(self, person: str, password: str) -> Refusal | None:
        """Set or replace a password."""
        changed = self.replaced(person, password)
        if isinstance(changed, Refusal):
            return changed
        self._keep(*changed)
        return None

    def sign_in(self, person: str, password: str, now: datetime, network: str = "") -> Issued | Refusal:
        """Open a session if the password is right."""
        hashed = self.checked(person, password, now, network)
        return hashed if isinstance(hashed, Refusal) else self._signed_in(person, hashed, now)

    def checked(self, person: str, password: str, now: datetime, network: str = "") -> bytes | Refusal:
        """Return the hash of the password if it is right. After too many wrong ones, a network is locked."""
        hashed = self._store.secret(f"password/{person}") if is_name(person) else None
        failures = self._tried(person, hashed).networks.get(network, Failures())
        if failures.locked_until is not None and now < failures.locked_until:
            wait = ceil((failures.locked_until - now).total_seconds())
            return Locked("locked", "Too many wrong passwords: try again later.", seconds=wait)
        if not self._is_right(hashed, password) or hashed is None:
            self._failed(person, hashed, now, network)
            return WRONG
        if failures != Failures():
            self._count(person, hashed, network, Failures())
        return hashed

    def _is_right(self, hashed: bytes | None, password: str) -> bool:
        try:
            self._hasher.verify((hashed or _NOBODY.encode()).decode(), password[:LONGEST])
        except (VerificationError, InvalidHashError):
            return False
        return hashed is not None

    def _tried(self, person: str, hashed: bytes | None) -> Tried:
        if hashed is None:
            return self._strangers.get(person) or Tried()
        return self._read(f"failures/{person}", Tried) or Tried()

    def _failed(self, person: str, hashed: bytes | None, now: datetime, network: str) -> None:
        with self._counting:  # two concurrent failures count as two
            before = self._tried(person, hashed).networks.get(network, Failures())
            after = msgspec.structs.replace(before, count=before.count + 1)
            if after.count >= self._most_failures:
                until = now + self._locked * 2 ** min(before.locks, MOST_DOUBLINGS)
                after = Failures(0, before.locks + 1, until)
            self._count_now(person, hashed, network, after)

    def _count(self, person: str, hashed: bytes | None, network: str, failures: Failures) -> None:
        with self._counting:
            self._count_now(person, hashed, network, failures)

    def _count_now(self, person: str, hashed: bytes | None, network: str, failures: Failures) -> None:
        after = self._tried(person, hashed).after(network, failures)
        if hashed is not None:
            self._keep(Secret(f"failures/{person}", msgspec.json.encode(after)))
            return
        self._strangers[person] = after
        self._strangers.move_to_end(person)
        while len(self._strangers) > MOST_STRANGERS:  # drop the name tried longest ago
            self._strangers.popitem(last=False)

    # Sessions and tokens

    def _signed_in(self, person: str, hashed: bytes, now: datetime) -> Issued:
        csrf = self._entropy(SECRET_BYTES).hex()
        session = Session(person, now, now + self._session, csrf, sha256(hashed).hexdigest())
        issued = self._issue("session/", session)
        return Issued(issued.secret, session, ends_another=self._push_out(person, now))

    def _push_out(self, person: str, now: datetime) -> bool:
        """End the oldest sessions of a person who has too many; return whether there were any.

        Runs after the new session is written, so that concurrent sign-ins in several processes see each other. Up to
        the same number of ended sessions is kept, so that their holders can be shown why they ended.
        """
        own = [(name, one) for name, one in self._of("session/", Session) if one.person == person]
        own.sort(key=lambda entry: (entry[1].since, entry[0]), reverse=True)
        lasting = [entry for entry in own if entry[1].lasts(now)]
        too_many = [
            (name, msgspec.structs.replace(one, pushed_out=True)) for name, one in lasting[self._most_sessions :]
        ]
        ended = [*too_many, *(entry for entry in own if not entry[1].lasts(now))]
        told_why, gone = too_many[: self._most_sessions], ended[self._most_sessions :]
        self._keep(
            *(Secret(name, msgspec.json.encode(one)) for name, one in told_why),
            *(Secret(name, None) for name, _ in gone),
        )
        return bool(too_many)

    def was_pushed_out(self, secret: str) -> bool:
        """Return whether a session was ended by a newer one of the same person, if that is still known."""
        found = self._read(_place("session/", secret), Session)
        return found is not None and found.pushed_out

    def session(self, secret: str, now: datetime) -> Session | None:
        """Return the session with this secret, if it is valid."""
        found = self._read(_place("session/", secret), Session)
        if found is None or not found.lasts(now):
            return None
        # The password may have changed while someone was signing in with the old one.
        hashed = self._store.secret(f"password/{found.person}") or b""
        return found if found.password == sha256(hashed).hexdigest() else None

    def sign_out(self, secret: str) -> None:
        """End a session."""
        self._keep(Secret(_place("session/", secret), None))

    def issue_token(
        self, person: str, name: str, scopes: tuple[str, ...], now: datetime, until: datetime | None = None
    ) -> Issued | Refusal:
        """Issue a token, unless the person has too many or one with that name."""
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            return Refusal("unknown_scope", f"A token needs one or more of the scopes {', '.join(SCOPES)}.")
        with self._issuing:
            token = Token(person, name, tuple(sorted(set(scopes))), now, until)
            refusal = _is_one_too_many([*self.tokens(person), token], name)
            if refusal is not None:
                return refusal
            issued = self._issue("token/", token)
            # Another process may have issued one at the same moment: better one too few than one too many.
            refusal = _is_one_too_many(self.tokens(person), name)
            if refusal is not None:
                self._keep(Secret(_place("token/", issued.secret), None))
                return refusal
        return issued

    def token(self, secret: str, now: datetime) -> Token | None:
        """Return the token with this secret, if it is valid."""
        found = self._read(_place("token/", secret), Token)
        return found if found is not None and (found.until is None or now < found.until) else None

    def tokens(self, person: str) -> list[Token]:
        """All tokens of a person."""
        return [one for _, one in self._of("token/", Token) if one.person == person]

    def end_token(self, person: str, name: str) -> bool:
        """End every token of a person with this name; return whether there was any."""
        ended = [place for place, one in self._of("token/", Token) if (one.person, one.name) == (person, name)]
        self._keep(*(Secret(place, None) for place in ended))
        return bool(ended)

    def sweep(self, now: datetime) -> int:
        """Remove expired sessions and tokens; return their number."""
        sessions = [name for name, one in self._of("session/", Session) if one.until <= now]
        tokens = [name for name, one in self._of("token/", Token) if one.until is not None and one.until <= now]
        self._keep(*(Secret(name, None) for name in (*sessions, *tokens)))
        return len(sessions) + len(tokens)

    # Guests

    def admitted(self, person: str, network: str, now: datetime) -> tuple[Issued, tuple[Secret, ...]]:
        """Create a session for a new guest; return it with the secrets to store."""
        secret = self._entropy(SECRET_BYTES).hex()
        csrf = self._entropy(SECRET_BYTES).hex()
        session = Session(person, now, now + self._session, csrf, sha256(b"").hexdigest())
        kept = Secret(_place("session/", secret), msgspec.json.encode(session))
        guest = Secret(f"guest/{person}", msgspec.json.encode(Guest(network, now)))
        return Issued(secret, session), (kept, guest)

    def guests(self) -> dict[str, Guest]:
        """Return all guests by name."""
        return {name.removeprefix("guest/"): one for name, one in self._of("guest/", Guest)}

    def note_guests(self, seen: dict[str, datetime]) -> dict[str, Guest]:
        """Record when guests were last active; return all guests with these times."""
        known = self.guests()
        newer = {
            person: msgspec.structs.replace(known[person], seen=at)
            for person, at in seen.items()
            if person in known and at > known[person].seen
        }
        self._keep(*(Secret(f"guest/{person}", msgspec.json.encode(one)) for person, one in newer.items()))
        return known | newer

    def signed_in(self, now: datetime) -> set[str]:
        """Return everyone with a valid session."""
        return {one.person for _, one in self._of("session/", Session) if one.lasts(now)}

    def forget(self, person: str) -> None:
        """Remove all credentials of a person."""
        ended = [name for name, one in self._of("session/", Session) if one.person == person]
        ended += [name for name, one in self._of("token/", Token) if one.person == person]
        ended += [f"{kind}/{person}" for kind in ("guest", "password", "failures")]
        self._keep(*(Secret(name, None) for name in ended))

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


def _is_one_too_many(tokens: list[Token], name: str) -> Refusal | None:
    """Refuse a token list that is too long, or in which the new token's name is taken."""
    if len(tokens) > MOST_TOKENS:
        return Refusal("too_many_tokens", f"A person can have at most {MOST_TOKENS} tokens: end one first.")
    if sum(token.name == name for token in tokens) > 1:
        return Refusal("name_taken", f"There is already a token called {name}.")
    return None


def _place(prefix: str, secret: str) -> str:
    """Return the vault name of a secret: its digest."""
    return prefix + sha256(secret.encode()).hexdigest()


# Marks distinguish an order with a password from the same order with another when it is resent under its key. A mark
# goes into the digest stored with the reply, so it must not make guessing a password easier than the hash in the vault
# does: it is computed in the same slow way and salted with a secret outside the store. An attacker with the store alone
# cannot try a single password; one who also has the house's key is as slow as with the hash.

OLD_KEY = "marking"  # in the vault of older houses, where it made guessing passwords a thousand times faster
PURGING = "marking/purging"  # in the vault while the old key is being removed
MARK_BYTES = 8
_PURPOSE = b"croupier marks\n"


class Marks:
    """The marks of a house. Slow: keep it off the event loop's thread."""

    def __init__(self, key: HouseKey) -> None:
        self._secret = key.derived(_PURPOSE)
        self._hasher = PasswordHasher()

    def of(self, person: str, password: str, key: str) -> str:
        """Return the mark of a person's password in the order with this key; it differs in every other order."""
        salt = keyed_digest(self._secret, f"{person}\n{key}".encode(), "sha256")
        made = hash_secret_raw(
            password.encode(),
            salt,
            self._hasher.time_cost,
            self._hasher.memory_cost,
            self._hasher.parallelism,
            MARK_BYTES,
            self._hasher.type,
        )
        return made.hex()


def purge(store: Store) -> None:
    """Remove the key that older houses kept in the vault; without it, their marks reveal nothing.

    Earlier copies of the store still have it. Raises StoreError.
    """
    if store.secret(OLD_KEY) is None and store.secret(PURGING) is None:
        return
    store.commit([Write(vault=(Secret(PURGING, b""),))])  # an interrupted purge starts over
    store.erase(OLD_KEY)
    store.commit([Write(vault=(Secret(PURGING, None),))])
