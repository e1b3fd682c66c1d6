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
from argon2.low_level import hash_secret_raw

from croupier.house.names import is_name
from croupier.house.orders.people import CALLED
from croupier.server.settings import Settings
from croupier.store.contract import Store
from croupier.store.keys import HouseKey
from croupier.store.records import Secret, Write
from croupier.table.refusals import Refusal

SECRET_BYTES = 32
SHORTEST, LONGEST = 10, 200
MOST_DOUBLINGS = 10
MOST_STRANGERS = 10_000
MOST_NETWORKS = 100  # from which wrong passwords of one person are counted
MOST_TOKENS = 20
SCOPES = ("play", "deal", "supervise", "manage", "inspect", "witness")

# The hash of a password that nobody has: who does not exist takes as long to refuse as who does.
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$5Z9h0mVdPSo5dZsT1NhZ2DkT8W2sgBlUvvUkZ8o8Z0Q"

WRONG = Refusal("sign_in_failed", "The name or the password is wrong.")

T = TypeVar("T")


class Failures(msgspec.Struct, frozen=True):
    """Wrong passwords in a row from one network, how often they have locked the account to it, and until when."""

    count: int = 0
    locks: int = 0
    locked_until: datetime | None = None


class Tried(msgspec.Struct, frozen=True):
    """Wrong passwords for one name, by the network that they came from: those from elsewhere keep nobody out."""

    networks: dict[str, Failures] = {}

    def after(self, network: str, failures: Failures) -> Tried:
        """With another count for a network; where there are too many, that of the longest ago is forgotten."""
        others = {name: one for name, one in self.networks.items() if name != network}
        while len(others) >= MOST_NETWORKS:
            del others[next(iter(others))]
        return Tried(others | {network: failures})


class Locked(Refusal, frozen=True):
    """Too many wrong passwords: whatever the next one is, it is not looked at for so many seconds."""

    seconds: int = 0


class Session(msgspec.Struct, frozen=True):
    """Somebody who is signed in. `csrf` goes with every order from a page, so that no other site can give one.

    `password` is the digest of the hash that it was opened by: a session lasts no longer than its password. One that
    was `pushed_out` ended before its time, for a newer one of the same person.
    """

    person: str
    since: datetime
    until: datetime
    csrf: str
    password: str = ""
    pushed_out: bool = False

    def lasts(self, now: datetime) -> bool:
        """Whether whoever holds it is let in."""
        return now < self.until and not self.pushed_out


class Token(msgspec.Struct, frozen=True):
    """A program that acts for somebody, within its scopes."""

    person: str
    name: str
    scopes: tuple[str, ...]
    since: datetime
    until: datetime | None = None


class Guest(msgspec.Struct, frozen=True):
    """Somebody without a password: where they came from, and when they last did anything."""

    network: str
    seen: datetime


class Issued(msgspec.Struct, frozen=True):
    """What an owner is given once, and the house does not keep; whether something older of theirs ended for it."""

    secret: str
    what: Session | Token
    ends_another: bool = False


class Credentials:
    """All that the vault has about who people are. Slow where passwords are hashed: not for the thread of a loop."""

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
        # Names that nobody has are locked as well, or who has an account could be found out. They fill no vault.
        self._strangers: OrderedDict[str, Tried] = OrderedDict()

    @classmethod
    def of(cls, settings: Settings, store: Store, entropy: Callable[[int], bytes]) -> Credentials:
        """Those of a house with these settings."""
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
        """A password as it is kept."""
        if not is_name(person):
            return Refusal("bad_name", CALLED)
        if not SHORTEST <= len(password) <= LONGEST:
            return Refusal("bad_password", f"A password has {SHORTEST} to {LONGEST} characters.")
        return Secret(f"password/{person}", self._hasher.hash(password).encode())

    def replaced(self, person: str, password: str, *, by_another: bool = False) -> tuple[Secret, ...] | Refusal:
        """All that changes in the vault with another password: everything that the person is signed in with ends.

        Where another has set it, it may be lost to a thief, and what programs hold ends as well.
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
        """A session for whoever knows the password. After too many wrong ones a network waits, longer each time."""
        hashed = self._store.secret(f"password/{person}") if is_name(person) else None
        failures = self._tried(person, hashed).networks.get(network, Failures())
        if failures.locked_until is not None and now < failures.locked_until:
            wait = ceil((failures.locked_until - now).total_seconds())
            return Locked("locked", "Too many wrong passwords: try again later.", seconds=wait)
        if not self._is_right(hashed, password):
            self._failed(person, hashed, now, network)
            return WRONG
        issued = self._signed_in(person, hashed or b"", now)
        if failures != Failures():
            self._count(person, hashed, network, Failures())
        return issued

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
        with self._counting:  # two at once are two failures
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
        while len(self._strangers) > MOST_STRANGERS:  # whoever has not been tried for longest
            self._strangers.popitem(last=False)

    # Sessions and tokens

    def _signed_in(self, person: str, hashed: bytes, now: datetime) -> Issued:
        csrf = self._entropy(SECRET_BYTES).hex()
        session = Session(person, now, now + self._session, csrf, sha256(hashed).hexdigest())
        issued = self._issue("session/", session)
        return Issued(issued.secret, session, ends_another=self._push_out(person, now))

    def _push_out(self, person: str, now: datetime) -> bool:
        """End the oldest sessions of a person who has too many; whether there were any.

        It looks after the new one is written, so that processes which let somebody in at once find all of them. As
        many that have ended are kept as may last, so that who comes with one can be told why it ended.
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
        """Whether a session ended for a newer one of the same person, as far as that is still known."""
        found = self._read(_place("session/", secret), Session)
        return found is not None and found.pushed_out

    def session(self, secret: str, now: datetime) -> Session | None:
        """Who holds this, while it lasts."""
        found = self._read(_place("session/", secret), Session)
        if found is None or not found.lasts(now):
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
        """A token for a program, unless the person has too many, or one of that name."""
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            return Refusal("unknown_scope", f"A token has one or more of the scopes {', '.join(SCOPES)}.")
        with self._issuing:
            token = Token(person, name, tuple(sorted(set(scopes))), now, until)
            refusal = _is_one_too_many([*self.tokens(person), token], name)
            if refusal is not None:
                return refusal
            issued = self._issue("token/", token)
            # Another process may have issued one in the same moment: there are never too many, rather too few.
            refusal = _is_one_too_many(self.tokens(person), name)
            if refusal is not None:
                self._keep(Secret(_place("token/", issued.secret), None))
                return refusal
        return issued

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

    # Guests

    def admitted(self, person: str, network: str, now: datetime) -> tuple[Issued, tuple[Secret, ...]]:
        """A session for a new guest, and all that goes into the vault with it."""
        secret = self._entropy(SECRET_BYTES).hex()
        csrf = self._entropy(SECRET_BYTES).hex()
        session = Session(person, now, now + self._session, csrf, sha256(b"").hexdigest())
        kept = Secret(_place("session/", secret), msgspec.json.encode(session))
        guest = Secret(f"guest/{person}", msgspec.json.encode(Guest(network, now)))
        return Issued(secret, session), (kept, guest)

    def guests(self) -> dict[str, Guest]:
        """All guests that are not forgotten."""
        return {name.removeprefix("guest/"): one for name, one in self._of("guest/", Guest)}

    def note_guests(self, seen: dict[str, datetime]) -> dict[str, Guest]:
        """Write down when guests last did anything; all guests, by what is known then."""
        known = self.guests()
        newer = {
            person: msgspec.structs.replace(known[person], seen=at)
            for person, at in seen.items()
            if person in known and at > known[person].seen
        }
        self._keep(*(Secret(f"guest/{person}", msgspec.json.encode(one)) for person, one in newer.items()))
        return known | newer

    def signed_in(self, now: datetime) -> set[str]:
        """Everybody who has a session that lasts."""
        return {one.person for _, one in self._of("session/", Session) if one.lasts(now)}

    def forget(self, person: str) -> None:
        """Take out all that somebody was let in with."""
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
    """Why somebody cannot have all these tokens, one of which is new and has this name."""
    if len(tokens) > MOST_TOKENS:
        return Refusal("too_many_tokens", f"A person has at most {MOST_TOKENS} tokens: end one first.")
    if sum(token.name == name for token in tokens) > 1:
        return Refusal("name_taken", f"There is a token called {name} already.")
    return None


def _place(prefix: str, secret: str) -> str:
    """Where a secret is kept: under its digest."""
    return prefix + sha256(secret.encode()).hexdigest()


# -- marks ------------------------------------------------------------------------------------------------------------
# Marks: what tells an order with a password from the same order with another, when it is sent again under its key. A
# mark goes into the digest that is kept with the answer. So it must be no easier to guess a password from than the
# hash in the vault: it is made the same slow way, and salted with a secret that lies outside the store. Whoever has
# the store alone cannot try a single password; whoever has the house's key as well is as slow as with the hash.

OLD_KEY = "marking"  # in the vault of older houses: with it passwords could be guessed a thousand times quicker
PURGING = "marking/purging"  # in the vault while it is being taken away
MARK_BYTES = 8
_PURPOSE = b"croupier marks\n"


class Marks:
    """The marks of a house. Slow: not for the thread of a loop."""

    def __init__(self, key: HouseKey) -> None:
        self._secret = key.derived(_PURPOSE)
        self._hasher = PasswordHasher()

    def of(self, person: str, password: str, key: str) -> str:
        """The mark of a person's password in the order with this key: in any other order it is another."""
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
    """Take away the key that older houses kept in the vault: without it what they left tells nothing.

    Copies that were made of the store before still have it. Raises StoreError.
    """
    if store.secret(OLD_KEY) is None and store.secret(PURGING) is None:
        return
    store.commit([Write(vault=(Secret(PURGING, b""),))])  # who is interrupted begins again
    store.erase(OLD_KEY)
    store.commit([Write(vault=(Secret(PURGING, None),))])
