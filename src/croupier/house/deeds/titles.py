"""Roles of the house and titles of the books: who a person is at a table is what the book calls them."""

from __future__ import annotations

from collections.abc import Collection

from croupier.rules.conduct import Conduct

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
