"""The streams of a house: one for each table, account and promotion, and what those can be called."""

from __future__ import annotations

import re

TABLES, ACCOUNTS, PROMOTIONS = "table/", "account/", "promotion/"  # what their streams begin with
AT_HAND = (TABLES, PROMOTIONS)  # those that are in memory from the start: their clocks run

# Names go into streams, addresses and files: short, plain, the same on every system.
NAME = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,38}[a-z0-9])?")


def table_stream(table: str) -> str:
    """The stream of a table."""
    return TABLES + table


def account_stream(person: str) -> str:
    """The stream of an account book."""
    return ACCOUNTS + person


def promotion_stream(promotion: str) -> str:
    """The stream of a promotion."""
    return PROMOTIONS + promotion


def name_of(stream: str) -> str:
    """What the table, the account or the promotion is called whose stream it is."""
    return stream.partition("/")[2]


def is_name(name: str) -> bool:
    """Whether a table, an account or a promotion can be called that."""
    return NAME.fullmatch(name) is not None
