"""The streams of a house: one for each table, account and promotion, and what those can be called."""

from __future__ import annotations

import re
from collections.abc import Collection

from croupier.rules.conduct import Conduct

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


# -- titles -----------------------------------------------------------------------------------------------------------
# Roles of the house and titles of the books: who a person is at a table is what the book calls them.

ROLES = ("player", "dealer", "supervisor", "manager", "operator", "inspector")
STAFF = ROLES[1:]
KEEPING_BOOKS = ("manager", "operator", "inspector")  # they see all that is on record

# Whose titles a role may use: a manager is a supervisor as well.
_ACTS_AS = {role: (role,) for role in ROLES} | {"manager": ("manager", "supervisor")}


def titles(conduct: Conduct, role: str) -> list[str]:
    """What the book calls those who have a role of the house, the humblest first."""
    own = _ACTS_AS[role]
    return [each.id for each in conduct.by_rank if each.house in own]


def runs_one_table(conduct: Conduct, role: str) -> bool:
    """Whether those who have a role of the house run one table at a time by this book."""
    return any(each.one_table for each in conduct.roles if each.house == role)


def fitting_title(conduct: Conduct, role: str, may: Collection[str]) -> str | None:
    """The title under which a role does what the book gives to some; else the humblest; None where they have none."""
    key = (role, *may)
    if key not in conduct.fitting:
        own = titles(conduct, role)
        conduct.fitting[key] = next((title for title in own if conduct.may(title, may)), own[0] if own else None)
    return conduct.fitting[key]
