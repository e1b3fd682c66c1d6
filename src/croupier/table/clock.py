"""Time at a table: the time given with each command, in the table's time zone. Nothing here reads a clock.

A time without a zone is in the table's zone. Elapsed minutes are counted between moments in UTC, so an hour that
daylight saving skips or repeats does not distort them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

NONE, SECOND = timedelta(), timedelta(seconds=1)
UNIVERSAL = "UTC"  # the zone of anything without a location yet


def utc_moment(at: datetime, timezone: str) -> datetime:
    """Return the moment that a time denotes, in UTC. In the hour that daylight saving skips, as if it did not."""
    if at.tzinfo is not None:
        try:
            return at.astimezone(UTC)
        except OverflowError:  # the first and last representable days cannot be shifted to another zone
            return at.replace(tzinfo=UTC)
    from zoneinfo import ZoneInfo  # rarely needed, and slow to import

    return utc_moment(at.replace(tzinfo=ZoneInfo(timezone)), timezone)


def moment_reached(at: datetime, timezone: str) -> datetime:
    """Return the moment that a clock at the table has reached when somebody reads this time from it, in UTC.

    No clock shows a time in the hour that daylight saving skips: it is the moment of the jump. So a clock that is not
    set forward in time does not make the times after it run backwards.
    """
    if at.tzinfo is not None:
        return utc_moment(at, timezone)
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(timezone)
    before, after = (at.replace(tzinfo=zone, fold=fold) for fold in (0, 1))  # as the clock ran before and after
    if (after.utcoffset() or NONE) > (before.utcoffset() or NONE):
        return _jump(zone, utc_moment(after, timezone), utc_moment(before, timezone))
    return utc_moment(at, timezone)


def _jump(zone: ZoneInfo, first: datetime, last: datetime) -> datetime:
    """Return the moment after `first`, and at the latest at `last`, when the clock of a zone jumps."""
    offset = first.astimezone(zone).utcoffset()
    while last - first > SECOND:
        middle = first + (last - first) // 2
        if middle.astimezone(zone).utcoffset() == offset:
            first = middle
        else:
            last = middle
    return last.replace(microsecond=0)


def local_day(at: datetime, timezone: str) -> date:
    """Return the date at the table."""
    return local(at, timezone).date()


def month_of(at: datetime, timezone: str) -> str:
    """Return the month at the table, such as "2024-08"."""
    day = local_day(at, timezone)
    return f"{day.year:04}-{day.month:02}"


def local(at: datetime, timezone: str) -> datetime:
    """Return a time as the table's own clock shows it."""
    if at.tzinfo is None:
        return at
    from zoneinfo import ZoneInfo

    try:
        return at.astimezone(ZoneInfo(timezone))
    except OverflowError:
        return at


def named(at: datetime, timezone: str) -> str:
    """Return the abbreviation of the zone at a time: AEDT, or AEST in winter; the zone's own name if it has none."""
    name = f"{local(utc_moment(at, timezone), timezone):%Z}"
    return name if name.isalpha() else timezone


def passed(since: datetime, now: datetime, minutes: int, timezone: str) -> bool:
    """Whether that many minutes have passed between two times."""
    return utc_moment(now, timezone) - utc_moment(since, timezone) >= timedelta(minutes=minutes)


def month_later(at: datetime) -> datetime:
    """Return the same time one month on; the last day of the month if it is shorter."""
    year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
    for day in (at.day, 30, 29, 28):
        try:
            return at.replace(year=year, month=month, day=day)
        except ValueError:
            continue
    return datetime.max.replace(tzinfo=at.tzinfo)  # past the last representable year
