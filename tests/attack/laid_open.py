"""A store of either kind as an attacker sees it who can write to it and knows its format, but does not have the house's
key.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import psycopg

from croupier.store.opening import SQLITE

Row = tuple[Any, ...]


class LaidOpen:
    """The tables, to be read and changed by SQL. Values are `?`; tables have the names that the store gives them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._is_file = address.startswith(SQLITE)

    def ask(self, sql: str, *values: object) -> list[Row]:
        """The rows that a query returns."""
        if self._is_file:
            with closing(sqlite3.connect(self.address.removeprefix(SQLITE))) as connection:
                return connection.execute(sql, values).fetchall()
        with psycopg.connect(self.address, options="-c search_path=croupier", autocommit=True) as connection:
            found = connection.execute(sql.replace("?", "%s").encode(), values)
            return found.fetchall() if found.description is not None else []

    def change(self, sql: str, *values: object) -> None:
        """Run a statement and commit it."""
        if not self._is_file:
            self.ask(sql, *values)
            return
        with closing(sqlite3.connect(self.address.removeprefix(SQLITE))) as connection, connection:
            connection.execute(sql, values)

    def rows(self, table: str, columns: Sequence[str]) -> list[Row]:
        """All rows of a table."""
        return self.ask(f"SELECT {', '.join(columns)} FROM {table}")

    @property
    def number(self) -> str:
        """The column that numbers the answers."""
        return "position" if self._is_file else "number"

    def put_answer(self, number: int, row: Row) -> None:
        """Store an answer under its old number."""
        if self._is_file:
            self.change(
                "INSERT INTO answers (position, who, key, digest, reply, seal) VALUES (?, ?, ?, ?, ?, ?)", number, *row
            )
        else:
            overriding = "(number, who, key, digest, reply, seal) OVERRIDING SYSTEM VALUE"
            self.change(f"INSERT INTO answers {overriding} VALUES (?, ?, ?, ?, ?, ?)", number, *row)

    def put_refusal(self, row: Row) -> None:
        """Store a refusal under its old number."""
        system = "" if self._is_file else "OVERRIDING SYSTEM VALUE "
        self.change(f"INSERT INTO refusals (number, document, seal) {system}VALUES (?, ?, ?)", *row)
