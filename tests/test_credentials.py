"""Passwords, sessions and tokens: who is let in, for how long, and what the vault reveals."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from secrets import token_bytes

import argon2
import pytest

from croupier.server import credentials
from croupier.server.credentials import Credentials, Issued, Session, Token
from croupier.store.memory import MemoryStore
from croupier.store.records import Secret, Write
from croupier.table.refusals import Refusal

NOW = datetime(2026, 11, 15, 9, tzinfo=UTC)
PASSWORD = "correct horse battery"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def make(store: MemoryStore, entropy: Callable[[int], bytes] = token_bytes) -> Credentials:
    minute, hours = timedelta(seconds=60), timedelta(hours=12)
    return Credentials(store, entropy, failures=3, locked=minute, session=hours, most_sessions=4)


@pytest.fixture
def known(store: MemoryStore) -> Credentials:
    numbers = count()
    made = make(store, lambda size: next(numbers).to_bytes(size, "big"))
    assert made.set_password("ann", PASSWORD) is None
    return made


def refused(answer: Issued | Refusal | None) -> str:
    assert isinstance(answer, Refusal)
    return answer.code


def let_in(answer: Issued | Refusal) -> Issued:
    assert isinstance(answer, Issued)
    return answer


def test_who_knows_the_password_is_let_in_until_the_session_ends(known: Credentials) -> None:
    issued = let_in(known.sign_in("ann", PASSWORD, NOW))
    session = known.session(issued.secret, NOW + timedelta(hours=11))
    assert isinstance(session, Session)
    assert (session.person, session.until) == ("ann", NOW + timedelta(hours=12))
    assert known.session(issued.secret, NOW + timedelta(hours=12)) is None
    assert known.session("another", NOW) is None


def test_signing_out_ends_it(known: Credentials) -> None:
    issued = let_in(known.sign_in("ann", PASSWORD, NOW))
    known.sign_out(issued.secret)
    assert known.session(issued.secret, NOW) is None


@pytest.mark.parametrize(("person", "password"), [("ann", "wrong horse battery"), ("bob", PASSWORD), ("ann", "")])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(known: Credentials, person: str, password: str) -> None:
    assert known.sign_in(person, password, NOW) == Refusal("sign_in_failed", "The name or the password is wrong.")


@pytest.mark.usefixtures("slow_passwords")
def test_a_name_that_nobody_has_is_hashed_as_slowly_as_any_other(store: MemoryStore) -> None:
    made = make(store).hashed("ann", PASSWORD)
    assert isinstance(made, Secret)
    assert made.value is not None
    slow = argon2.extract_parameters(made.value.decode())
    assert slow == argon2.extract_parameters(credentials._NOBODY)
    assert slow.type is argon2.Type.ID
    assert slow.memory_cost >= 64 * 1024


def test_too_many_wrong_passwords_lock_the_account_for_longer_each_time(known: Credentials) -> None:
    now = NOW
    for seconds in (60, 120, 240):
        for _ in range(3):
            assert refused(known.sign_in("ann", "wrong horse battery", now)) == "sign_in_failed"
        assert refused(known.sign_in("ann", PASSWORD, now + timedelta(seconds=seconds - 1))) == "locked"
        now += timedelta(seconds=seconds)
    let_in(known.sign_in("ann", PASSWORD, now))
    for _ in range(3):
        known.sign_in("ann", "wrong horse battery", now)
    assert refused(known.sign_in("ann", PASSWORD, now + timedelta(seconds=59))) == "locked"
    let_in(known.sign_in("ann", PASSWORD, now + timedelta(seconds=60)))


def test_another_password_ends_every_session(known: Credentials) -> None:
    issued = let_in(known.sign_in("ann", PASSWORD, NOW))
    assert known.set_password("ann", "another password") is None
    assert known.session(issued.secret, NOW) is None
    assert refused(known.sign_in("ann", PASSWORD, NOW)) == "sign_in_failed"


@pytest.mark.parametrize("when", ["_is_right", "_signed_in"])
def test_a_password_that_is_changed_while_somebody_comes_in_lets_nobody_stay(
    known: Credentials, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Whether the change is listed before the session exists, or after the old password was found correct."""
    step = getattr(known, when)
    changed = known.replaced("ann", "another password")
    assert not isinstance(changed, Refusal)

    def meanwhile(*given: object) -> object:
        done = step(*given)
        known._keep(*changed)
        return done

    with monkeypatch.context() as patch:
        patch.setattr(known, when, meanwhile)
        issued = let_in(known.sign_in("ann", PASSWORD, NOW))
    assert known.session(issued.secret, NOW) is None
    assert known.session(let_in(known.sign_in("ann", "another password", NOW)).secret, NOW) is not None


@pytest.mark.parametrize("password", ["short", "x" * 201])
def test_a_password_that_would_not_do(known: Credentials, password: str) -> None:
    assert refused(known.set_password("bob", password)) == "bad_password"


def test_a_token_is_for_its_scopes_and_its_time(known: Credentials) -> None:
    issued = let_in(known.issue_token("ann", "bot", ("play",), NOW, NOW + timedelta(days=1)))
    token = known.token(issued.secret, NOW)
    assert isinstance(token, Token)
    assert (token.person, token.scopes) == ("ann", ("play",))
    assert known.token(issued.secret, NOW + timedelta(days=1)) is None
    assert known.session(issued.secret, NOW) is None
    assert refused(known.issue_token("ann", "bot", ("everything",), NOW)) == "unknown_scope"
    assert known.end_token("ann", "bot")
    assert known.token(issued.secret, NOW) is None
    assert not known.end_token("ann", "bot")


def test_the_vault_gives_nothing_away(known: Credentials, store: MemoryStore) -> None:
    """Reading all of it is not enough to sign in as anyone."""
    held = [
        let_in(known.sign_in("ann", PASSWORD, NOW)).secret,
        let_in(known.issue_token("ann", "bot", ("play",), NOW)).secret,
        PASSWORD,
    ]
    kept = b"\n".join(one.name.encode() + b" " + (one.value or b"") for one in store.secrets())
    assert b"$argon2id$" in kept
    assert [secret for secret in held if secret.encode() in kept] == []
    assert store.heads() == []


def test_what_has_ended_is_swept_out(known: Credentials, store: MemoryStore) -> None:
    old = let_in(known.sign_in("ann", PASSWORD, NOW))
    known.issue_token("ann", "for a day", ("play",), NOW, NOW + timedelta(days=1))
    known.issue_token("ann", "for good", ("play",), NOW)
    later = NOW + timedelta(days=2)
    new = let_in(known.sign_in("ann", PASSWORD, later))
    assert known.sweep(later) == 2
    assert [one.name.split("/")[0] for one in store.secrets()] == ["password", "session", "token"]
    assert known.session(old.secret, NOW) is None
    assert known.session(new.secret, later) is not None
    assert [token.name for token in known.tokens("ann")] == ["for good"]
    assert known.sweep(later) == 0


def test_wrong_passwords_from_elsewhere_keep_nobody_out(known: Credentials) -> None:
    for person in ("ann", "nobody-at-all"):
        for _ in range(3):
            assert refused(known.sign_in(person, "wrong password", NOW, "192.0.2.1")) == "sign_in_failed"
        assert refused(known.sign_in(person, "wrong password", NOW, "192.0.2.1")) == "locked"
        assert refused(known.sign_in(person, "wrong password", NOW, "192.0.2.2")) == "sign_in_failed"
    let_in(known.sign_in("ann", PASSWORD, NOW, "192.0.2.2"))
    assert refused(known.sign_in("ann", PASSWORD, NOW, "192.0.2.1")) == "locked", "that she came in helps no thief"


def test_so_many_networks_are_counted_and_no_more(known: Credentials, store: MemoryStore) -> None:
    for number in range(150):
        known.sign_in("ann", "wrong password", NOW, f"192.0.2.{number}")
    kept = store.secret("failures/ann")
    assert kept is not None
    assert list(json.loads(kept)["networks"]) == [f"192.0.2.{number}" for number in range(50, 150)], "the latest"


def test_locks_of_older_stores_are_read(known: Credentials, store: MemoryStore) -> None:
    older = b'{"count":1,"locks":2,"locked_until":"2026-11-15T10:00:00Z"}'
    store.commit([Write(vault=(Secret("failures/ann", older),))])
    let_in(known.sign_in("ann", PASSWORD, NOW))


def test_a_password_that_another_sets_ends_tokens_too(known: Credentials) -> None:
    token = let_in(known.issue_token("ann", "bot", ("play",), NOW))
    own = known.replaced("ann", "another password")
    assert not isinstance(own, Refusal)
    assert not any(secret.name.startswith("token/") for secret in own)
    reset = known.replaced("ann", "another password", by_another=True)
    assert not isinstance(reset, Refusal)
    known._keep(*reset)
    assert known.token(token.secret, NOW) is None


def test_processes_that_issue_tokens_at_once_issue_no_more_than_there_may_be(store: MemoryStore) -> None:
    """Each process sees only its own lock: if it finds one too many after writing, it removes its own."""
    first, second = make(store), make(store)
    for number in range(19):
        let_in(first.issue_token("ann", str(number), ("play",), NOW))
    issue = second._issue

    def overtaken(prefix: str, what: Session | Token) -> Issued:
        let_in(first.issue_token("ann", "the twentieth", ("play",), NOW))
        return issue(prefix, what)

    second._issue = overtaken  # type: ignore[method-assign]
    assert refused(second.issue_token("ann", "one too many", ("play",), NOW)) == "too_many_tokens"
    assert len(first.tokens("ann")) == 20
    assert "one too many" not in [token.name for token in first.tokens("ann")]


def test_nothing_is_left_of_a_guest(known: Credentials, store: MemoryStore) -> None:
    issued, kept = known.admitted("guest-1", "192.0.2.1", NOW)
    store.commit([Write(vault=kept)])
    assert known.session(issued.secret, NOW) is not None
    let_in(known.issue_token("guest-1", "bot", ("play",), NOW))
    assert list(known.guests()) == ["guest-1"]
    assert known.signed_in(NOW) == {"guest-1"}
    later = known.note_guests({"guest-1": NOW + timedelta(hours=1), "guest-2": NOW})
    assert [guest.seen for guest in later.values()] == [NOW + timedelta(hours=1)]
    known.forget("guest-1")
    assert [one.name for one in store.secrets()] == ["password/ann"]


def test_one_sign_in_too_many_ends_the_oldest(known: Credentials, store: MemoryStore) -> None:
    """However often someone signs in, only this many sessions last, and the vault holds no more than as many that
    have ended."""
    assert known.set_password("ben", PASSWORD) is None
    bens = let_in(known.sign_in("ben", PASSWORD, NOW))
    issued = [let_in(known.sign_in("ann", PASSWORD, NOW + timedelta(seconds=second))) for second in range(20)]
    later = NOW + timedelta(minutes=1)
    assert [one.ends_another for one in issued] == [False] * 4 + [True] * 16
    assert [known.session(one.secret, later) is not None for one in issued] == [False] * 16 + [True] * 4
    assert [known.was_pushed_out(one.secret) for one in issued] == [False] * 12 + [True] * 4 + [False] * 4
    assert known.session(bens.secret, later) is not None, "it is nobody else's sign-in that ends"
    assert len(store.secrets("session/")) == 9
    assert known.sweep(NOW + timedelta(hours=12, seconds=20)) == 9


def test_who_has_been_pushed_out_counts_no_more(known: Credentials) -> None:
    issued = [let_in(known.sign_in("ann", PASSWORD, NOW + timedelta(seconds=second))) for second in range(5)]
    for one in issued[1:]:
        known.sign_out(one.secret)
    assert known.signed_in(NOW + timedelta(minutes=1)) == set()


def test_processes_that_sign_somebody_in_at_once_let_no_more_stay_than_may(store: MemoryStore) -> None:
    first, second = make(store), make(store)
    assert first.set_password("ann", PASSWORD) is None
    issue = second._issue

    def overtaken(prefix: str, what: Session | Token) -> Issued:
        let_in(first.sign_in("ann", PASSWORD, NOW))
        return issue(prefix, what)

    second._issue = overtaken  # type: ignore[method-assign]
    held = [let_in(second.sign_in("ann", PASSWORD, NOW + timedelta(seconds=number))) for number in range(1, 6)]
    lasting = [one for one in store.secrets("session/") if b'"pushed_out":false' in (one.value or b"")]
    assert len(lasting) == 4
    assert known_to(second, held[-1])


def known_to(credentials: Credentials, issued: Issued) -> bool:
    return credentials.session(issued.secret, NOW + timedelta(minutes=1)) is not None
