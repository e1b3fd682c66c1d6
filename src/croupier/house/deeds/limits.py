"""What keeps a person from playing: an exclusion, and the limits that they set themselves.

A day is a day where the house stands. A visit that goes on past midnight counts wholly for both days; chips on the
layout count as lost until they come back. So a limit is never passed, at the cost of stopping early.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from croupier.house import orders
from croupier.house.accounts import Account, Visit
from croupier.house.deeds.scene import Decided, Outcome, Scene
from croupier.house.documents import stamp
from croupier.house.events import ExclusionBegan, ExclusionEnded, Limits, LimitsSet
from croupier.house.streams import account_stream, table_stream
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.table.clock import local, local_day, named
from croupier.table.refusals import Refusal

LOOSER_AFTER = timedelta(hours=24)
ZONE = "Australia/Sydney"
MOST_MINUTES = 24 * 60
MOST_LOSS = 100_000_000_00


def check_play(scene: Scene, account: Account, stake: int = 0, at: datetime | None = None) -> Refusal | None:
    """Whether the person may play on, and may put so many more chips at stake. The figures are for them alone.

    `at` is the time of the table, where that has come further than the clock.
    """
    own, now = scene.order.who == account.person, at or scene.at
    if account.may_not_play(scene.at):
        until = "" if account.excluded_until is None or not own else f" until {_by_the_clock(account.excluded_until)}"
        return Refusal("excluded", f"{account.name} is excluded from play{until}.")
    limits = account.limits_at(scene.at)
    if limits.minutes is not None and played(account, now) >= timedelta(minutes=limits.minutes):
        most = f"The {limits.minutes} minutes" if own else "The minutes"
        return Refusal("time_limit_reached", f"{most} of play for today are over.")
    if limits.loss is not None and lost(scene, account) + stake > limits.loss:
        most = f"the {format_cents(limits.loss)} that" if own else "what"
        say = f"That could lose more than {most} {account.name} allows for a day."
        return Refusal("loss_limit_reached", say)
    return None


def _by_the_clock(at: datetime) -> str:
    return f"{local(at, ZONE):%Y-%m-%d %H:%M} {named(at, ZONE)}"


def check_card(scene: Scene, account: Account, book: Book) -> Refusal | None:
    """Where the book asks for a Player Card it is one that is valid now: it may have ended since its owner sat down."""
    card = book.rules.card
    if card is None or account.card is not None or local_day(scene.at, book.rules.book.timezone) < card.since:
        return None
    return Refusal("no_player_card", f"{account.name} has no valid Player Card.", card.clause)


def decided_by(scene: Scene, account: Account) -> list[str]:
    """The streams by which it is decided whether somebody may play: the account, and where else their chips are."""
    elsewhere = account.visits if account.limits_at(scene.at).loss is not None else ()
    return [account_stream(account.person), *(table_stream(visit.table) for visit in elsewhere if visit.until is None)]


def played(account: Account, at: datetime) -> timedelta:
    """How long the person has been at tables today."""
    spans = ((visit.until or at) - visit.since for visit in _today(account, at))
    return sum((max(span, timedelta()) for span in spans), timedelta())  # a clock that was put back takes nothing off


def lost(scene: Scene, account: Account) -> int:
    """What the person is down today, with all that lies on a layout."""
    return sum(_down(scene, account, visit) for visit in _today(account, scene.at))


def _down(scene: Scene, account: Account, visit: Visit) -> int:
    if visit.until is not None:
        return visit.taken - visit.brought
    return visit.taken - scene.tables(visit.table).game.chips.get(account.person, 0)


def _today(account: Account, at: datetime) -> list[Visit]:
    """Visits of today. Those of a day to come count as well: the clock was ahead, and nobody shall gain by that."""
    day = local_day(at, ZONE)
    return [visit for visit in account.visits if visit.until is None or local_day(visit.until, ZONE) >= day]


def set_limits(scene: Scene, deed: orders.SetLimits) -> Decided:
    """Tighter at once, looser after a day."""
    account, wanted = scene.accounts(deed.person), deed.limits
    if any(value is not None and value < 0 for value in (wanted.loss, wanted.minutes)):
        return Refusal("limit_negative", "A limit cannot be less than nothing.")
    if (wanted.minutes or 0) > MOST_MINUTES or (wanted.loss or 0) > MOST_LOSS:
        say = f"A limit is at most {MOST_MINUTES} minutes and {format_cents(MOST_LOSS)} a day; none at all is none."
        return Refusal("limit_too_large", say)
    now = account.limits_at(scene.at)
    tight = Limits(_tighter(now.loss, wanted.loss), _tighter(now.minutes, wanted.minutes))
    later = None if tight == wanted else stamp(scene.at + LOOSER_AFTER)
    return Outcome({account_stream(deed.person): [LimitsSet(wanted, tight, later)]})


def _tighter(one: int | None, other: int | None) -> int | None:
    """None is no limit at all."""
    return min((value for value in (one, other) if value is not None), default=None)


def exclude(scene: Scene, deed: orders.Exclude) -> Decided:
    """By the house, or by the person: then nobody shortens it."""
    account = scene.accounts(deed.person)
    by_house = scene.order.who != deed.person
    if deed.until is not None:
        until = _time(deed.until)
        if until is None or until <= scene.at:
            return Refusal("bad_time", "An exclusion ends at a time to come, in ISO 8601 with its zone, or never.")
        if account.may_not_play(scene.at) and (account.excluded_until is None or account.excluded_until > until):
            return Refusal("excluded_longer", "The exclusion in force is longer than that.")
        return Outcome({account_stream(deed.person): [ExclusionBegan(stamp(until), by_house)]})
    return Outcome({account_stream(deed.person): [ExclusionBegan(None, by_house)]})


def _time(text: str) -> datetime | None:
    try:
        until = datetime.fromisoformat(text)
        return until.astimezone(UTC) if until.tzinfo is not None else None
    except (ValueError, OverflowError):  # in its own zone it is a date, and in ours beyond all dates
        return None


def let_in(scene: Scene, deed: orders.LetIn) -> Decided:
    """End an exclusion that the house began."""
    account = scene.accounts(deed.person)
    if scene.order.who == deed.person:
        return Refusal("own_exclusion", "Nobody lets themselves in.")
    if not account.may_not_play(scene.at):
        return Refusal("not_excluded", f"{account.name} is not excluded.")
    if not account.excluded_by_house:
        return Refusal("own_exclusion", "Who excluded themselves waits until it ends.")
    return Outcome({account_stream(deed.person): [ExclusionEnded()]})
