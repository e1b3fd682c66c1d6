"""The state of one account, evolved from its events: the person, their chips, table visits and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from croupier.house import events
from croupier.house.events import Limits
from croupier.house.stored_events import Entry, moment

KEPT_VISITS = 20
REFILL = "refill"  # the reason for chips that players give themselves
KEPT_REFILLS = 3


class Visit(msgspec.Struct, frozen=True, gc=False):
    """A person's visit to a table: chips taken there and brought back, start and end (None: still there)."""

    table: str
    since: datetime
    taken: int
    brought: int = 0
    until: datetime | None = None


class Account(msgspec.Struct, frozen=True, gc=False):
    """A person as the house knows them. `visits`: the current ones, those of the last two days and the last few."""

    person: str = ""
    name: str = ""
    roles: frozenset[str] = frozenset()
    card: str | None = None
    chips: int = 0
    visits: tuple[Visit, ...] = ()
    limits: Limits = Limits()
    later: Limits | None = None
    later_from: datetime | None = None
    is_excluded: bool = False
    excluded_until: datetime | None = None
    excluded_by_house: bool = False
    opened: datetime | None = None
    refills: tuple[datetime, ...] = ()  # the last few

    @property
    def is_open(self) -> bool:
        """Whether the account exists."""
        return bool(self.person)

    def within(self, roles: Iterable[str]) -> Account:
        """Return the account with its roles reduced to these: a program acts for the person."""
        return msgspec.structs.replace(self, roles=self.roles.intersection(roles))

    def limits_at(self, at: datetime) -> Limits:
        """Return the limits in force; a looser limit takes effect by itself at its time."""
        if self.later is not None and self.later_from is not None and at >= self.later_from:
            return self.later
        return self.limits

    def may_not_play(self, at: datetime) -> bool:
        """Return whether an exclusion is in force."""
        return self.is_excluded and (self.excluded_until is None or at < self.excluded_until)

    def visit(self, table: str) -> Visit | None:
        """Return the current visit to a table."""
        return next((visit for visit in self.visits if visit.table == table and visit.until is None), None)


def evolve(account: Account, entries: Iterable[Entry]) -> Account:
    """Return the account after these events."""
    for entry in entries:
        document = entry.document
        account = _APPLY[type(document.event)](account, document.event, moment(document.at))
    return account


def _opened(account: Account, event: events.AccountOpened, at: datetime) -> Account:
    return Account(person=event.person, name=event.name, roles=frozenset(event.roles), opened=at)


def _name(account: Account, event: events.NameChanged, at: datetime) -> Account:
    return msgspec.structs.replace(account, name=event.name)


def _password(account: Account, event: events.PasswordSet, at: datetime) -> Account:
    return account


def _roles(account: Account, event: events.RolesChanged, at: datetime) -> Account:
    return msgspec.structs.replace(account, roles=frozenset(event.roles))


def _card(account: Account, event: events.CardIssued, at: datetime) -> Account:
    return msgspec.structs.replace(account, card=event.card)


def _card_ended(account: Account, event: events.CardEnded, at: datetime) -> Account:
    return msgspec.structs.replace(account, card=None)


def _granted(account: Account, event: events.ChipsGranted, at: datetime) -> Account:
    refills = (*account.refills, at)[-KEPT_REFILLS:] if event.reason == REFILL else account.refills
    return msgspec.structs.replace(account, chips=account.chips + event.cents, refills=refills)


def _went(account: Account, event: events.WentToTable, at: datetime) -> Account:
    chips = account.chips - event.cents
    if event.sat_down:
        visits = (*_recent(account.visits, at), Visit(event.table, at, event.cents))
    else:
        visits = tuple(
            msgspec.structs.replace(v, taken=v.taken + event.cents) if v.table == event.table and v.until is None else v
            for v in account.visits
        )
    return msgspec.structs.replace(account, chips=chips, visits=visits)


def _recent(visits: tuple[Visit, ...], at: datetime) -> tuple[Visit, ...]:
    """Return the visits that may still count: two days' worth, and the last few in case the clock jumps."""
    last = visits[-KEPT_VISITS:]
    return tuple(v for v in visits if v.until is None or at - v.until < timedelta(days=2) or v in last)


def _came(account: Account, event: events.CameFromTable, at: datetime) -> Account:
    visits = list(account.visits)
    places = [place for place, visit in enumerate(visits) if visit.table == event.table]
    if places:  # chips kept for a player who had left belong to the visit that ended
        latest = visits[places[-1]]
        visits[places[-1]] = msgspec.structs.replace(
            latest, brought=latest.brought + event.cents, until=latest.until or at
        )
    return msgspec.structs.replace(account, chips=account.chips + event.cents, visits=tuple(visits))


def _limits(account: Account, event: events.LimitsSet, at: datetime) -> Account:
    later_from = None if event.later_from is None else moment(event.later_from)
    later = None if later_from is None else event.limits
    return msgspec.structs.replace(account, limits=event.at_once, later=later, later_from=later_from)


def _excluded(account: Account, event: events.ExclusionBegan, at: datetime) -> Account:
    until = None if event.until is None else moment(event.until)
    # The house may end an exclusion that it imposed, but not one that the player asked for.
    by_house = event.by_house and (account.excluded_by_house or not account.may_not_play(at))
    return msgspec.structs.replace(account, is_excluded=True, excluded_until=until, excluded_by_house=by_house)


def _let_in(account: Account, event: events.ExclusionEnded, at: datetime) -> Account:
    return msgspec.structs.replace(account, is_excluded=False, excluded_until=None)


_APPLY: dict[type, Callable[[Account, Any, datetime], Account]] = {
    events.AccountOpened: _opened,
    events.NameChanged: _name,
    events.PasswordSet: _password,
    events.RolesChanged: _roles,
    events.CardIssued: _card,
    events.CardEnded: _card_ended,
    events.ChipsGranted: _granted,
    events.WentToTable: _went,
    events.CameFromTable: _came,
    events.LimitsSet: _limits,
    events.ExclusionBegan: _excluded,
    events.ExclusionEnded: _let_in,
}
