"""Time at a table: what the commands say, in the table's own zone. Nothing here looks at a clock.

A time without a zone is the table's own. Minutes that have passed are counted between moments, so that an hour that
daylight saving skips or repeats does not make twenty minutes out of eighty.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

UNIVERSAL = "UTC"  # the zone of what is nowhere yet


def utc_moment(at: datetime, timezone: str) -> datetime:
    """The moment that a time stands for."""
    if at.tzinfo is not None:
        try:
            return at.astimezone(UTC)
        except OverflowError:  # the first and the last day that there are have no other side of the world
            return at.replace(tzinfo=UTC)
    from zoneinfo import ZoneInfo  # rarely needed, and slow to import

    return utc_moment(at.replace(tzinfo=ZoneInfo(timezone)), timezone)


def local_day(at: datetime, timezone: str) -> date:
    """The day at the table."""
    return local(at, timezone).date()


def month_of(at: datetime, timezone: str) -> str:
    """The month at the table, as in "2024-08"."""
    day = local_day(at, timezone)
    return f"{day.year:04}-{day.month:02}"


def local(at: datetime, timezone: str) -> datetime:
    """A time as the table's own clock shows it."""
    if at.tzinfo is None:
        return at
    from zoneinfo import ZoneInfo

    try:
        return at.astimezone(ZoneInfo(timezone))
    except OverflowError:
        return at


def named(at: datetime, timezone: str) -> str:
    """What people call the zone at a time: AEDT, or AEST in winter; its own name where it has no letters."""
    name = f"{local(utc_moment(at, timezone), timezone):%Z}"
    return name if name.isalpha() else timezone


def passed(since: datetime, now: datetime, minutes: int, timezone: str) -> bool:
    """Whether so many minutes have passed from one time to another."""
    return utc_moment(now, timezone) - utc_moment(since, timezone) >= timedelta(minutes=minutes)


def month_later(at: datetime) -> datetime:
    """The same time one month on; the last day of a shorter month where it has no such day."""
    year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
    for day in (at.day, 30, 29, 28):
        try:
            return at.replace(year=year, month=month, day=day)
        except ValueError:
            continue
    return datetime.max.replace(tzinfo=at.tzinfo)  # there is no year after the last
