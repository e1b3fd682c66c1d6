"""Connections to PostgreSQL: settings, retries when the server is lost, errors as sentences, and change notices."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.store.contract import CorruptStore, StoreError
from croupier.store.group_commit import HeadRow

PATIENCE = 5.0  # seconds to wait for a lost server to come back
FIRST_PAUSE = 0.05  # seconds between two tries; doubled each time
LONGEST_PAUSE = 1.0

# Overridden by the address. A broken connection is noticed within seconds, not hours.
_DEFAULTS = {
    "connect_timeout": "5",
    "application_name": "croupier",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}

# An acknowledged commit is on disk, even if the server is configured more loosely.
_SETTINGS = """
SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                  ELSE current_setting('synchronous_commit') END, false)
"""

# A writer touches a few rows by key, however large the tables, so the planner has nothing to weigh. A writer that stops
# in the middle of a transaction must not hold its streams indefinitely.
LOCK_PATIENCE = "10s"
_WRITING = """
SELECT set_config('lock_timeout', %s, false),
       set_config('idle_in_transaction_session_timeout', '60s', false),
       set_config('enable_seqscan', 'off', false),
       set_config('enable_hashjoin', 'off', false),
       set_config('enable_mergejoin', 'off', false)
"""

T = TypeVar("T")

# Lost connections are reported in our own sentences; without this the driver would print its own as well.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Address:
    """The location of a database, with and without its password."""

    def __init__(self, url: str) -> None:
        """Raise StoreError if the address cannot be parsed."""
        try:
            given: dict[str, Any] = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            # The driver's message may repeat the address, including its password.
            raise StoreError(
                "The address of the PostgreSQL store cannot be understood: "
                "it looks like postgres://user@host:5432/database."
            ) from error
        self.conninfo = make_conninfo("", **(_DEFAULTS | given))
        host, port = given.get("host") or "the local socket", given.get("port")
        where = f"{host}:{port}" if port and "/" not in str(host) else str(host)
        self.name = f"The PostgreSQL store {given.get('dbname') or given.get('user') or 'croupier'} at {where}"

    def connect(self) -> psycopg.Connection:
        """Open a connection in autocommit mode. Raises StoreError; Lost if the server does not answer."""
        with as_store_error(self.name, "cannot be opened"):
            connection = psycopg.connect(self.conninfo, autocommit=True)
            # Regardless of the server's default: a later statement must see what was committed while it waited.
            connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            connection.read_only = False
            connection.execute(_SETTINGS)
        return connection

    def connect_to_write(self) -> psycopg.Connection:
        """Open a connection for transactions. Raises StoreError; Lost if the server does not answer."""
        connection = self.connect()
        with as_store_error(self.name, "cannot be opened", connection):
            connection.execute(_WRITING, [LOCK_PATIENCE])
        return connection


def patiently(work: Callable[[], T], patience: float) -> T:
    """Retry while the server is lost, until patience runs out. Raises Lost then."""
    end, pause = monotonic() + patience, FIRST_PAUSE
    while True:
        try:
            return work()
        except Lost:
            if monotonic() + pause > end:
                raise
        sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


# -- errors -----------------------------------------------------------------------------------------------------------

HELD = "another house holds the same streams for too long"
_REASONS: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, "the disk of its server is full"),
    (errors.ReadOnlySqlTransaction, "it is read-only"),
    (errors.InsufficientPrivilege, "this user may not do that"),
    (errors.TooManyConnections, "its server has too many connections"),
    (errors.LockNotAvailable, HELD),
    (errors.QueryCanceled, "its server cancelled the query"),
    (errors.UndefinedTable, "its tables are gone"),
)
_DAMAGED = (errors.DataCorrupted, errors.IndexCorrupted)

# Worth an immediate retry: two transactions that blocked each other.
PASSING = (errors.SerializationFailure, errors.DeadlockDetected)

# Reported by a server that ends or refuses a connection.
_GONE = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.DatabaseDropped,
    errors.IdleInTransactionSessionTimeout,
    errors.ConnectionException,
)


class Lost(StoreError):
    """The connection is gone; work in progress on it may or may not be done."""


@contextmanager
def as_store_error(name: str, cannot: str, connection: psycopg.Connection | None = None) -> Iterator[None]:
    """Turn any error in the block into a StoreError that says what failed and why; Lost if the connection is gone."""
    try:
        yield
    except _DAMAGED as error:
        raise CorruptStore(f"{name} is damaged: {said(error)}.") from error
    except PASSING:
        raise
    except psycopg.Error as error:
        if is_lost(connection, error):
            raise Lost(f"{name} does not answer: {said(error)}.") from error
        reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), said(error))
        raise StoreError(f"{name} {cannot}: {reason}.") from error


def is_lost(connection: psycopg.Connection | None, error: psycopg.Error) -> bool:
    """Return whether an error means a lost connection, not just a failed statement."""
    if isinstance(error, _GONE) or (connection is not None and connection.closed):
        return True
    return isinstance(error, psycopg.OperationalError) and error.sqlstate is None


def said(error: psycopg.Error) -> str:
    """Return the first line of the server's or driver's message, without the common prefix."""
    first = error.diag.message_primary or (str(error).strip().splitlines() or [type(error).__name__])[0]
    for words in ("connection failed: ", "connection is bad: ", "consuming input failed: "):
        first = first.removeprefix(words)
    return first.strip().rstrip(".")


# -- notices: which streams grew, and to which version; the events stay in the store ----------------------------------

CHANNEL = "croupier"
MOST_IN_A_NOTICE = 7500  # PostgreSQL's limit per notification is just under 8,000


class Notice(msgspec.Struct, frozen=True):
    """Streams that another house appended to, with their new versions; None if notices may have been lost."""

    heads: dict[str, int] | None


class _Sent(msgspec.Struct):
    house: str
    heads: dict[str, int]


def payloads(house: str, heads: Sequence[HeadRow]) -> Iterator[str]:
    """Yield the notices of a commit, packed into as few payloads as possible."""
    room, piece = MOST_IN_A_NOTICE, dict[str, int]()
    for stream, version, _ in heads:
        need = len(msgspec.json.encode(stream)) + len(str(version)) + 2
        if need > room:
            yield _encoded(house, piece)
            room, piece = MOST_IN_A_NOTICE, {}
        piece[stream] = version
        room -= need
    if piece:
        yield _encoded(house, piece)


def _encoded(house: str, heads: dict[str, int]) -> str:
    return msgspec.json.encode(_Sent(house, heads)).decode()


def received(payload: str, house: str) -> Notice | None:
    """Parse a payload; None if it is this house's own. An unreadable one counts as lost notices."""
    try:
        sent = msgspec.json.decode(payload, type=_Sent)
    except msgspec.DecodeError:
        return Notice(None)
    return None if sent.house == house else Notice(sent.heads)


class Listener:
    """A connection that waits for other houses' notices. For use by one thread."""

    def __init__(self, address: Address, house: str) -> None:
        """Raise StoreError if the server does not answer."""
        self._address = address
        self._house = house
        self._connection: psycopg.Connection | None = None
        self._listen()

    def _listen(self) -> psycopg.Connection:
        connection = self._address.connect()
        with as_store_error(self._address.name, "cannot be listened to", connection):
            connection.execute(f"LISTEN {CHANNEL}")
        self._connection = connection
        return connection

    def wait(self, seconds: float) -> list[Notice]:
        """Return notices as soon as there are any; empty after this many seconds. Raises StoreError.

        After a reconnection the first notice says that some may be missing. While the server cannot be reached this
        raises Lost, and may be called again.
        """
        end = monotonic() + seconds
        missed: list[Notice] = []
        if self._connection is None or self._connection.closed:
            self._listen()
            missed = [Notice(None)]
        try:
            return missed + self._heard(0.0 if missed else max(0.0, end - monotonic()))
        except Lost:
            self.close()
            raise

    def _heard(self, seconds: float) -> list[Notice]:
        assert self._connection is not None, "it was connected"
        with as_store_error(self._address.name, "cannot be listened to", self._connection):
            said = list(self._connection.notifies(timeout=seconds, stop_after=1))
        notices = (received(one.payload, self._house) for one in said)
        return [notice for notice in notices if notice is not None]

    def close(self) -> None:
        """Stop listening."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
