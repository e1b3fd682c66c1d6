"""Connections to PostgreSQL: how they are made, what is asked of the server, and patience when it does not answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.store.contract import CorruptStore, StoreError

PATIENCE = 5.0  # seconds in which a server that was there a moment ago may come back
FIRST_PAUSE = 0.05  # seconds between two tries, twice as long each time
LONGEST_PAUSE = 1.0

# Unless the address says otherwise. A server that is cut off is noticed within some seconds, not hours.
_DEFAULTS = {
    "connect_timeout": "5",
    "application_name": "croupier",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}

# What is acknowledged is on the disk, also where the server is set up to be less careful.
_SETTINGS = """
SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                  ELSE current_setting('synchronous_commit') END, false)
"""

# A writer touches a few rows that it knows by name, however large the tables: the planner need not weigh anything. One
# that stops in the middle of a transaction must not hold its streams for ever.
LOCK_PATIENCE = "10s"
_WRITING = """
SELECT set_config('lock_timeout', %s, false),
       set_config('idle_in_transaction_session_timeout', '60s', false),
       set_config('enable_seqscan', 'off', false),
       set_config('enable_hashjoin', 'off', false),
       set_config('enable_mergejoin', 'off', false)
"""

T = TypeVar("T")

# What the driver has to say of a lost connection is said in a sentence; without this it would print it as well.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Address:
    """Where a database is, with and without its password."""

    def __init__(self, url: str) -> None:
        """Raises StoreError where the address cannot be understood."""
        try:
            given: dict[str, Any] = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            # What the driver says may repeat the address, and that may hold a password.
            raise StoreError(
                "The address of the PostgreSQL store cannot be understood: "
                "it looks like postgres://user@host:5432/database."
            ) from error
        self.conninfo = make_conninfo("", **(_DEFAULTS | given))
        host, port = given.get("host") or "the local socket", given.get("port")
        where = f"{host}:{port}" if port and "/" not in str(host) else str(host)
        self.name = f"The PostgreSQL store {given.get('dbname') or given.get('user') or 'croupier'} at {where}"

    def connect(self) -> psycopg.Connection:
        """A new connection in which each statement stands for itself. Raises StoreError, Lost where nobody answers."""
        with told(self.name, "cannot be opened"):
            connection = psycopg.connect(self.conninfo, autocommit=True)
            # Whatever the server's own setting: a later statement must see what was committed while it waited.
            connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            connection.read_only = False
            connection.execute(_SETTINGS)
        return connection

    def connect_to_write(self) -> psycopg.Connection:
        """A new connection for transactions. Raises StoreError, Lost where nobody answers."""
        connection = self.connect()
        with told(self.name, "cannot be opened", connection):
            connection.execute(_WRITING, [LOCK_PATIENCE])
        return connection


def patiently(work: Callable[[], T], patience: float) -> T:
    """Do something again and again for a while as long as the server is lost. Raises Lost at the end."""
    end, pause = monotonic() + patience, FIRST_PAUSE
    while True:
        try:
            return work()
        except Lost:
            if monotonic() + pause > end:
                raise
        sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


# -- faults -----------------------------------------------------------------------------------------------------------
# What PostgreSQL says went wrong, in one sentence.

HELD = "another house holds the same streams for too long"
_REASONS: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, "the disk of its server is full"),
    (errors.ReadOnlySqlTransaction, "it may only be read"),
    (errors.InsufficientPrivilege, "this user may not do that"),
    (errors.TooManyConnections, "its server has too many connections"),
    (errors.LockNotAvailable, HELD),
    (errors.QueryCanceled, "its server gave up on it"),
    (errors.UndefinedTable, "its tables are gone"),
)
_DAMAGED = (errors.DataCorrupted, errors.IndexCorrupted)

# What is worth trying again at once: two transactions that stood in each other's way.
PASSING = (errors.SerializationFailure, errors.DeadlockDetected)

# Said by a server that ends a connection, or does not begin one.
_GONE = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.DatabaseDropped,
    errors.IdleInTransactionSessionTimeout,
    errors.ConnectionException,
)


class Lost(StoreError):
    """The connection is gone; what was under way on it is not known to be done."""


@contextmanager
def told(name: str, cannot: str, connection: psycopg.Connection | None = None) -> Iterator[None]:
    """Whatever goes wrong in here becomes a StoreError: that the store cannot do this, and why. Raises Lost as well."""
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
    """Whether an error means that the connection is gone, and not only that a statement failed."""
    if isinstance(error, _GONE) or (connection is not None and connection.closed):
        return True
    return isinstance(error, psycopg.OperationalError) and error.sqlstate is None


def said(error: psycopg.Error) -> str:
    """The first line of what the server or the driver says, without the words that all of them begin with."""
    first = error.diag.message_primary or (str(error).strip().splitlines() or [type(error).__name__])[0]
    for words in ("connection failed: ", "connection is bad: ", "consuming input failed: "):
        first = first.removeprefix(words)
    return first.strip().rstrip(".")
