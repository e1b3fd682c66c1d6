"""What PostgreSQL says went wrong, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from croupier.store.contract import CorruptStore, StoreError

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
