"""Connections to PostgreSQL: how they are made, what is asked of the server, and patience when it does not answer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.store.contract import StoreError
from croupier.store.postgres.faults import Lost, told

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
