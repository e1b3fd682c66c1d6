"""Duties with a deadline, of all tables and promotions in one list: what is due, when, by which clause, for whom.

A table's duties follow from its facts (`conduct/duties.toml` of its book), a promotion's from the prize rules. A duty
that is overdue, or was done late, is an alert until someone answers it. If an alert was already raised for the
same matter (a sign whose notice is over, a fault), that alert takes its place, and answering it answers for the duty.

A duty that was done stays listed as long as the table remembers it: signs by the alerts answered lately, faults until
they are corrected, wrong payments, returns and advice permanently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from croupier.contract import management
from croupier.contract.management import Duties
from croupier.house.alerts import DONE, Alert, signs_up
from croupier.house.names import ROLES
from croupier.house.promotion_state import PromotionState, rules_of
from croupier.house.stored_events import moment, stamp
from croupier.house.table_state import Marked, TableState
from croupier.prizes.duties import duties as duties_of_prizes
from croupier.prizes.duties import standing_of
from croupier.rules.book import Book
from croupier.rules.conduct import AT_ONCE, Conduct, Duty, Within, filled
from croupier.rules.schema import Fact
from croupier.rules.shelf import Shelf
from croupier.table.clock import month_of
from croupier.table.clock import utc_moment as moment_of

MOST_DONE = 50
_ALL_WAGERS = "all wagers"
_FIELD = re.compile(r"\\\{(\w+)\\\}")


def show_duties(
    shelf: Shelf, tables: Iterable[TableState], promotions: Iterable[PromotionState], now: datetime
) -> Duties:
    """Return the duties of these tables and promotions."""
    every = [duty for table in tables for duty in duties_of_table(shelf, table, now)]
    every += [duty for promotion in promotions for duty in duties_of_promotion(shelf, promotion, now)]
    done = sorted((duty for duty in every if not duty.is_open), key=lambda duty: duty.done_at or "", reverse=True)
    shown = [duty for number, duty in enumerate(done) if number < MOST_DONE or duty.waits]
    return Duties(stamp(now), sorted((duty for duty in every if duty.is_open), key=_soonest), shown)


def waiting_duties(duties: Iterable[management.Duty]) -> list[management.Duty]:
    """Return the duties that are alerts themselves, the longest overdue first."""
    return sorted((duty for duty in duties if duty.waits), key=_soonest)


def _soonest(duty: management.Duty) -> tuple[bool, str, str, str]:
    return duty.due is None, duty.due or duty.since or "", duty.name, duty.id


# -- duties of promotions --------------------------------------------------------------------------------------------


def duties_of_promotion(shelf: Shelf, state: PromotionState, now: datetime) -> list[management.Duty]:
    """Return the duties of a promotion, open and done."""
    book = shelf.book(state.book)
    operator = [role.id for role in book.conduct.roles if role.house == "operator"]
    return [
        management.Duty(
            of="promotion",
            name=state.name,
            title=state.title,
            book=book.id,
            zone=book.rules.book.timezone,
            id=duty.id,
            what=duty.what,
            clause=duty.clause,
            responsible=operator,
            roles=["manager", "operator"],
            since=_stamped(duty.since),
            due=_stamped(duty.due),
            standing=duty.standing,
            done_at=None if duty.done is None else stamp(duty.done.at),
            done_by=None if duty.done is None else duty.done.by,
            alert=None,
            answered=duty.id in state.duties_answered,
        )
        for duty in duties_of_prizes(rules_of(shelf, state), state.promotion, now)
    ]


def _stamped(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


# -- duties of tables ------------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A duty found in a table's facts. `called` tells it from others of its kind; `alert` covers it."""

    called: str
    words: dict[str, str]
    since: str | None
    due: datetime | None
    done: Marked | None = None
    alert: Alert | None = None


class _Memory(NamedTuple):
    """What duties are read from: the table, its book, all facts including the book's defaults, and the time."""

    table: TableState
    book: Book
    facts: Mapping[str, Fact]
    now: datetime

    @property
    def zone(self) -> str:
        """The time zone of the table."""
        return self.book.rules.book.timezone

    def since(self, name: str) -> str | None:
        """Return when the table recorded a fact."""
        mark = self.mark(name)
        return None if mark is None else mark.at

    def mark(self, name: str) -> Marked | None:
        """Return when a fact was recorded and by whom; None if a throw has cleared it."""
        return self.table.marks.get(name) if name in self.table.game.facts else None

    def alert(self, at: str | None, sign: str | None = None) -> Alert | None:
        """Return the alert raised at a time, for a sign or for none."""
        known = [*self.table.alerts, *(one.alert for one in self.table.answered)]
        return next((alert for alert in known if alert.at == at and alert.sign == sign), None)


def duties_of_table(shelf: Shelf, table: TableState, now: datetime) -> list[management.Duty]:
    """Return the duties of a table, open and done, as far as its facts show them."""
    if not table.game.is_open:
        return []
    book = shelf.game(table.game.terms[-1]).book
    memory = _Memory(table, book, {**book.conduct.facts, **table.game.facts}, now)
    return [_shown(memory, duty, found) for duty in book.conduct.duties for found in _CLOCKS[duty.within](memory, duty)]


def _shown(memory: _Memory, duty: Duty, found: _Found) -> management.Duty:
    table, act = memory.table, memory.book.conduct.by_id[duty.id]
    id_, done, alert = f"{duty.id} {found.called}".strip(), found.done, found.alert
    still = alert is not None and alert in table.alerts
    # No clause sets a deadline for acting on a sign, so acting on one is never late.
    due = None if duty.within == "notice" and done is not None else found.due
    return management.Duty(
        of="table",
        name=table.name,
        title=table.title,
        book=memory.book.id,
        zone=memory.zone,
        id=id_,
        what=filled(duty.what, found.words),
        clause=act.clause,
        responsible=list(act.by),
        roles=_roles(memory.book.conduct, act.by),
        since=found.since,
        due=_stamped(found.due),
        standing=standing_of(due, None if done is None else moment(done.at), memory.now),
        done_at=None if done is None else done.at,
        done_by=None if done is None else done.who,
        alert=alert.event if still and alert is not None else None,
        answered=id_ in table.duties_answered or (alert is not None and not still),
    )


def _roles(conduct: Conduct, by: list[str]) -> list[str]:
    """Return the roles of the house that hold these titles."""
    own = {role.house for role in conduct.roles if conduct.may(role.id, by)}
    return [role for role in ROLES if role in own]


# -- at once, or as soon as possible -----------------------------------------------------------------------------------


def _by_facts(memory: _Memory, duty: Duty) -> Iterator[_Found]:
    """Yield duties that are open while their fact holds, and done once another fact says so."""
    if duty.wager is not None and duty.wager in memory.table.game.settings.without:
        return
    for words in _named(memory, duty):
        name = filled(duty.since or duty.fact, words)
        done = None if _is_open(memory, duty, words) else _done(memory, duty, words)
        if done is None and not _is_open(memory, duty, words):
            continue
        since = None if done is not None and name == done[0] else memory.since(name)
        at_once = duty.within == "at once" and since is not None
        yield _Found(
            called=" ".join(words.values()) or since or "",
            words=words,
            since=since,
            due=moment(since) + AT_ONCE if at_once and since is not None else None,
            done=None if done is None else done[1],
            alert=memory.alert(since) if at_once else None,
        )


def _named(memory: _Memory, duty: Duty) -> list[dict[str, str]]:
    """Return all values found for the words in braces, in the order of the facts."""
    found: list[dict[str, str]] = []
    for pattern in filter(None, (duty.since, duty.fact)):
        for name in memory.facts:
            match = _pattern(pattern).fullmatch(name)
            if match is not None and match.groupdict() not in found:
                found.append(match.groupdict())
    return found


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(r"(?P<\1>.+)", re.escape(text)))


def _is_open(memory: _Memory, duty: Duty, words: dict[str, str]) -> bool:
    """Return whether the fact says that the duty is open; some facts list several things, separated by commas."""
    value = memory.facts.get(filled(duty.fact, words))
    if value is None:
        return False
    return not {*duty.is_}.isdisjoint(str(value).split(", ")) if duty.is_ else _done(memory, duty, words) is None


def _done(memory: _Memory, duty: Duty, words: dict[str, str]) -> tuple[str, Marked] | None:
    """Return the first recorded fact by which the duty was done, with when and by whom."""
    for pattern in duty.done:
        mark = memory.mark(filled(pattern, words))
        if mark is not None:
            return filled(pattern, words), mark
    return None


# -- signs -------------------------------------------------------------------------------------------------------------


def _by_signs(memory: _Memory, duty: Duty) -> Iterator[_Found]:
    """Yield a duty for each sign, due when its notice is over; signs acted on lately are known by their alerts."""
    for sign in signs_up(memory.book, memory.table.game.facts):
        if sign.fact.startswith(duty.fact):
            shown = stamp(sign.shown)
            yield _of_sign(sign.wager or "", shown, sign.holds, memory.alert(shown, sign.fact))
    for one in memory.table.answered:
        alert = one.alert
        if alert.sign is not None and alert.due is not None and alert.sign.startswith(duty.fact) and one.note == DONE:
            found = _of_sign(alert.sign.removeprefix(duty.fact).strip(), alert.at, moment(alert.due), alert)
            yield found._replace(done=Marked(one.at, one.who))


def _of_sign(wager: str, shown: str, holds: datetime, alert: Alert | None) -> _Found:
    return _Found(f"{wager} {shown}".strip(), {"wager": wager or _ALL_WAGERS}, shown, holds, alert=alert)


def _by_a_time(memory: _Memory, duty: Duty) -> Iterator[_Found]:
    """Yield a duty for a sign that is up until a time: the clock completes it then."""
    until = memory.facts.get(duty.fact)
    if until is None:
        return
    due, since = moment_of(datetime.fromisoformat(str(until)), memory.zone), memory.since(duty.fact)
    done = Marked(stamp(due), None) if memory.now >= due else None
    yield _Found(since or "", {}, since, due, done)


# -- months ------------------------------------------------------------------------------------------------------------


def _by_months(memory: _Memory, duty: Duty) -> Iterator[_Found]:
    """Yield a duty for each month with matters still to be reported, and for each month reported."""
    assert duty.since is not None, "a month is that in which something came up"
    arose: dict[str, str] = {}
    for words in _named(memory, duty):
        since = memory.since(filled(duty.since, words))
        if since is not None and _is_open(memory, duty, words):
            month = month_of(moment(since), memory.zone)
            arose[month] = min(since, arose.get(month, since))
    for month, since in sorted(arose.items()):
        yield _Found(month, {"month": month}, since, _day_after(month, memory.zone))
    for pattern in duty.done:
        for name in memory.table.marks:
            match, mark = _pattern(pattern).fullmatch(name), memory.mark(name)
            if match is not None and mark is not None and match["month"] not in arose:
                month = match["month"]
                yield _Found(month, {"month": month}, None, _day_after(month, memory.zone), mark)


def _day_after(month: str, zone: str) -> datetime:
    """Return the end of the first day after a month, in the table's time zone."""
    year, number = (int(part) for part in month.split("-"))
    year, number = (year + 1, 1) if number == 12 else (year, number + 1)
    return moment_of(datetime(year, number, 2, tzinfo=ZoneInfo(zone)), zone)


_CLOCKS: dict[Within, Callable[[_Memory, Duty], Iterator[_Found]]] = {
    "at once": _by_facts,
    "as soon as possible": _by_facts,
    "notice": _by_signs,
    "until": _by_a_time,
    "month end": _by_months,
}
