"""Names of streams (one for each table, account and promotion), roles of the house, and titles of the books."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import get_args

from croupier.rules.conduct import Conduct, HouseRole

TABLES, ACCOUNTS, PROMOTIONS = "table/", "account/", "promotion/"  # prefixes of streams
AT_HAND = (TABLES, PROMOTIONS)  # always in memory: their clocks run

# Names are used in streams, URLs and files: short, plain, the same on every system.
NAME = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,38}[a-z0-9])?")


def table_stream(table: str) -> str:
    """Return the stream of a table."""
    return TABLES + table


def account_stream(person: str) -> str:
    """Return the stream of an account."""
    return ACCOUNTS + person


def promotion_stream(promotion: str) -> str:
    """Return the stream of a promotion."""
    return PROMOTIONS + promotion


def name_of(stream: str) -> str:
    """Return the name of the table, account or promotion of a stream."""
    return stream.partition("/")[2]


def is_name(name: str) -> bool:
    """Return whether this is a valid name of a table, an account or a promotion."""
    return NAME.fullmatch(name) is not None


# Roles of the house, and the titles that books give them

ROLES: tuple[HouseRole, ...] = get_args(HouseRole)
STAFF = ROLES[1:]
KEEPING_BOOKS = ("manager", "operator", "inspector")  # they may see everything on record

# Roles whose titles a role may use: a manager is a supervisor as well.
_ACTS_AS = {role: (role,) for role in ROLES} | {"manager": ("manager", "supervisor")}


def titles(conduct: Conduct, role: str) -> list[str]:
    """Return the book's titles for a role of the house, the lowest rank first."""
    own = _ACTS_AS[role]
    return [each.id for each in conduct.by_rank if each.house in own]


def runs_one_table(conduct: Conduct, role: str) -> bool:
    """Return whether holders of a role run one table at a time under this book."""
    return any(each.one_table for each in conduct.roles if each.house == role)


def fitting_title(conduct: Conduct, role: str, may: Collection[str]) -> str | None:
    """Return the title under which a role may do this; otherwise its lowest title, or None if it has none."""
    key = (role, *may)
    if key not in conduct.fitting:
        own = titles(conduct, role)
        conduct.fitting[key] = next((title for title in own if conduct.may(title, may)), own[0] if own else None)
    return conduct.fitting[key]
