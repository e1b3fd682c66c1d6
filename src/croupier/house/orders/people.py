"""Orders about people: accounts, roles, Player Cards, play chips, posts at tables, limits and exclusions.

A day is a day in `ZONE`. A visit past midnight counts wholly for both days; chips on the layout count as lost until
they come back. So a limit is never exceeded, at the cost of stopping early.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Self

from msgspec import Meta, structs

from croupier.contract.requests import Money, Role, StaffRole
from croupier.house.account_state import KEPT_REFILLS, REFILL, Account, Visit
from croupier.house.events import (
    AccountOpened,
    CardEnded,
    CardIssued,
    ChipsGranted,
    ExclusionBegan,
    ExclusionEnded,
    Limits,
    LimitsSet,
    NameChanged,
    PasswordSet,
    RolesChanged,
    StaffCame,
    StaffWent,
)
from croupier.house.names import ROLES, STAFF, account_stream, is_name, runs_one_table, table_stream
from croupier.house.nicknames import BAD_NICKNAME, NICKNAME_BYTES, nickname, plain
from croupier.house.orders.order import Api, AtTable, Chips, Decided, OfAccount, OrderBody, Outcome, Scene, in_api
from croupier.house.stored_events import StoredEvent, stamp
from croupier.house.table_state import TableState
from croupier.money import format_cents, parse_cents
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER
from croupier.table.clock import local, local_day, named
from croupier.table.refusals import Refusal

MOST_SHOWN = 60
RESERVED = ("house",)  # the house keeps its own answers under this name
MOST_REASON = 200
CARD_BYTES = 8
MOST_GRANTED = 100_000_000_00
CALLED = (
    "An account name must have 1 to 40 lower-case letters, digits, dots, hyphens and underscores, and start and end "
    "with a letter or digit."
)


class OpenAccount(OfAccount, frozen=True, kw_only=True, tag="open_account"):
    """Open an account: display name, roles, initial play chips, a Player Card.

    Without a name the house thinks of one. `credential` is a fingerprint of the first password: it tells this order
    from one with another password. The API takes the password itself, at an endpoint of its own.
    """

    name: str
    roles: tuple[str, ...] = ("player",)
    cents: int = 0
    card: bool = False
    credential: str = ""

    permits = ("operator", "house")
    creates = True

    def decide(self, scene: Scene) -> Decided:
        name = self.name or nickname(scene.entropy(NICKNAME_BYTES))
        refusal = _check_name(self.person, name) or _check_roles(self.roles) or _check_cents(self.cents)
        if refusal is not None:
            return refusal
        if scene.accounts(self.person).is_open:
            return Refusal("name_taken", f"There is already an account called {self.person}.")
        opened = [AccountOpened(self.person, name, tuple(sorted(set(self.roles))))]
        granted = [ChipsGranted(self.cents, "welcome")] if self.cents else []
        card = [CardIssued(scene.entropy(CARD_BYTES).hex())] if self.card else []
        return Outcome({self.stream: [*opened, *granted, *card]})

    def impersonal(self) -> Self:
        """Return the order without the password fingerprint."""
        return structs.replace(self, credential="")


def _check_name(person: str, name: str) -> Refusal | None:
    if not is_name(person):
        return Refusal("bad_name", CALLED)
    if person in RESERVED:
        return Refusal("name_taken", f"{person} is reserved for the house itself.")
    if not name.strip() or len(name) > MOST_SHOWN or not name.isprintable():
        return Refusal("bad_name", f"A display name must have 1 to {MOST_SHOWN} printable characters.")
    return None


def _check_roles(roles: tuple[str, ...]) -> Refusal | None:
    unknown = [role for role in roles if role not in ROLES]
    if unknown or not roles:
        return Refusal("unknown_role", f"The roles of the house are {', '.join(ROLES)}.")
    return None


def _check_cents(cents: int) -> Refusal | None:
    if not 0 <= cents <= MOST_GRANTED:
        return Refusal("amount_too_large", "An account can be given at most 100,000,000.00 at once.")
    return None


class ChangeName(OfAccount, frozen=True, kw_only=True, tag="change_name"):
    """Be called by another nickname. It is what pages show, and no identity: others may have the same one."""

    name: Annotated[str, Meta(min_length=1, max_length=MOST_SHOWN)]

    permits = ("self",)
    api = Api("/accounts/{person}/name", "Change your nickname", {"name": "Lucky Otter"})

    def decide(self, scene: Scene) -> Decided:
        name = plain(self.name)
        if name is None:
            return Refusal("bad_name", BAD_NICKNAME)
        changed: list[StoredEvent] = [] if name == scene.accounts(self.person).name else [NameChanged(name)]
        return Outcome({self.stream: changed})


REFILLED_CENTS = 200_00
REFILL_BELOW = 20_00
REFILL_EVERY = timedelta(hours=24)


class Refill(OfAccount, frozen=True, kw_only=True, tag="refill"):
    """Play on with new play chips when nearly all are gone: three times in 24 hours, within your own limits."""

    permits = ("self",)
    api = Api("/accounts/{person}/refill", "Refill your play chips", {})

    def decide(self, scene: Scene) -> Decided:
        account = scene.accounts(self.person)
        if PLAYER not in account.roles:
            return Refusal("not_a_player", "Only players get play chips.")
        refusal = check_play(scene, account)
        if refusal is not None:
            return refusal
        tables = [scene.tables(visit.table) for visit in account.visits if visit.until is None]
        if account.chips + sum(_chips_at(table, self.person) for table in tables) >= REFILL_BELOW:
            say = f"You still have chips. A refill is for those with less than {format_cents(REFILL_BELOW)}."
            return Refusal("chips_left", say)
        if len(account.refills) == KEPT_REFILLS and scene.at < (again := account.refills[0] + REFILL_EVERY):
            say = f"That was your last refill for today: the next one is available from {_by_the_clock(again)}."
            return Refusal("refilled_enough", f"{say} Take a break.")
        relied_on: dict[str, list[StoredEvent]] = {table_stream(table.name): [] for table in tables}
        return Outcome(relied_on | {self.stream: [ChipsGranted(REFILLED_CENTS, REFILL)]})


def _chips_at(table: TableState, person: str) -> int:
    """Return the chips that a person has at a table, in hand and on the layout."""
    stakes = [stakes[person].amount for stakes in table.game.layout.values() if person in stakes]
    return table.game.chips_of(person) + sum(stakes)


class SetPassword(OfAccount, frozen=True, kw_only=True, tag="set_password"):
    """Record that a person's password was changed. The vault holds the password; `credential` is its fingerprint."""

    credential: str = ""

    permits = ("self", "operator", "house")

    def decide(self, scene: Scene) -> Decided:
        return Outcome({self.stream: [PasswordSet()]})

    def impersonal(self) -> Self:
        """Return the order without the password fingerprint."""
        return structs.replace(self, credential="")


Roles = Annotated[tuple[Role, ...], Meta(min_length=1, max_length=6)]


class ChangeRoles(OfAccount, frozen=True, kw_only=True, tag="change_roles"):
    """Change a person's roles. For operators, who cannot change their own."""

    roles: Annotated[tuple[str, ...], in_api(Roles)]

    permits = ("operator", "house")
    api = Api("/accounts/{person}/roles", "Change a person's roles", {"roles": ["player", "dealer"]})

    def decide(self, scene: Scene) -> Decided:
        if scene.who == self.person:
            return Refusal("own_roles", "You cannot change your own roles.")
        refusal = _check_roles(self.roles)
        return refusal or Outcome({self.stream: [RolesChanged(tuple(sorted(set(self.roles))))]})


class IssueCard(OfAccount, frozen=True, kw_only=True, tag="issue_card"):
    """Give a person a Player Card; each person has one at most. For supervisors and above."""

    permits = ("supervisor", "manager", "operator", "house")
    api = Api("/accounts/{person}/card", "Issue a Player Card", {})

    def decide(self, scene: Scene) -> Decided:
        if scene.accounts(self.person).card is not None:
            return Refusal("card_already", f"{self.person} already has a Player Card.")
        return Outcome({self.stream: [CardIssued(scene.entropy(CARD_BYTES).hex())]})


class EndCard(OfAccount, frozen=True, kw_only=True, tag="end_card"):
    """Make a person's Player Card invalid. For supervisors and above."""

    permits = ("supervisor", "manager", "operator", "house")
    api = Api("/accounts/{person}/card/end", "End a Player Card", {})

    def decide(self, scene: Scene) -> Decided:
        card = scene.accounts(self.person).card
        if card is None:
            return Refusal("no_card", f"{self.person} has no Player Card.")
        return Outcome({self.stream: [CardEnded(card)]})


class GrantChips(OfAccount, frozen=True, kw_only=True, tag="grant_chips"):
    """Create play chips in an account. For operators."""

    cents: Chips
    reason: Annotated[str, Meta(min_length=1, max_length=MOST_REASON)]

    permits = ("operator", "house")
    api = Api("/accounts/{person}/chips", "Grant play chips", {"chips": "100.00", "reason": "A new player."})

    def decide(self, scene: Scene) -> Decided:
        if self.cents <= 0:
            return Refusal("amount_not_positive", "The amount must be more than 0.00.")
        if len(self.reason) > MOST_REASON or not self.reason.isprintable():
            return Refusal("bad_reason", f"A reason can have at most {MOST_REASON} printable characters.")
        return _check_cents(self.cents) or Outcome({self.stream: [ChipsGranted(self.cents, self.reason)]})


class TakePost(AtTable, frozen=True, kw_only=True, tag="take_post"):
    """Run a table from now on, in one of your roles. Players at the table cannot."""

    role: Annotated[str, in_api(StaffRole)]

    permits = STAFF
    api = Api("/tables/{table}/post", "Take a post", {"role": "dealer"})

    def decide(self, scene: Scene) -> Decided:
        table, person = scene.tables(self.table), scene.asker.person
        if self.role not in STAFF:
            return Refusal("unknown_role", f"The role must be one of {', '.join(STAFF)}.")
        if self.role not in scene.asker.roles:
            return Refusal("not_allowed", f"{scene.asker.name} does not have the role {self.role}.")
        if person in table.game.chips:
            return Refusal("staff_cannot_play", "You play at this table, so you cannot run it.")
        if table.staff.get(person) == self.role:
            return Refusal("posted_already", f"{scene.asker.name} already runs this table.")
        elsewhere = _post_elsewhere(scene, table, self.role)
        if elsewhere is not None:
            say = (
                f"A dealer runs one table at a time: {scene.asker.name} must first leave the post at {elsewhere.title}."
            )
            return Refusal("posted_elsewhere", say)
        return Outcome({self.stream: [StaffCame(person, self.role)]}, self.role)


def _post_elsewhere(scene: Scene, here: TableState, role: str) -> TableState | None:
    """Return another table that the person runs, if either of the two books forbids that (reading X-58)."""
    person = scene.asker.person
    for other in scene.all_tables():
        if other.name == here.name or person not in other.staff:
            continue
        if _runs_one(scene, here, role) or _runs_one(scene, other, other.staff[person]):
            return other
    return None


def _runs_one(scene: Scene, table: TableState, role: str) -> bool:
    return runs_one_table(scene.shelf.game(table.game.terms[-1]).book.conduct, role)


class LeavePost(AtTable, frozen=True, kw_only=True, tag="leave_post"):
    """Stop running the table."""

    permits = (*STAFF, "posted")
    api = Api("/tables/{table}/post/leave", "Leave a post", {})

    def decide(self, scene: Scene) -> Decided:
        table, person = scene.tables(self.table), scene.asker.person
        if person not in table.staff:
            return Refusal("not_posted", f"{scene.asker.name} does not run this table.")
        return Outcome({self.stream: [StaffWent(person)]}, table.staff[person])


# Limits and exclusions

LOOSER_AFTER = timedelta(hours=24)
ZONE = "Australia/Sydney"
MOST_MINUTES = 24 * 60
MOST_LOSS = 100_000_000_00


def check_play(scene: Scene, account: Account, stake: int = 0, at: datetime | None = None) -> Refusal | None:
    """Check whether the person may play on and put this stake at risk. Only they themselves see the figures.

    `at` is the time of the table. If it is ahead of the clock, both days count: what was won by one of them must not
    make up for what is lost by the other.
    """
    own, times = scene.who == account.person, {scene.at, at or scene.at}
    if account.may_not_play(scene.at):
        until = "" if account.excluded_until is None or not own else f" until {_by_the_clock(account.excluded_until)}"
        return Refusal("excluded", f"{account.name} is excluded from play{until}.")
    limits = account.limits_at(scene.at)
    if limits.minutes is not None and max(played(account, now) for now in times) >= timedelta(minutes=limits.minutes):
        say = f"You have used up your {limits.minutes} minutes of play for today."
        return Refusal("time_limit_reached", say if own else f"{account.name} has used up today's time limit.")
    if limits.loss is not None and max(lost(scene, account, now) for now in times) + stake > limits.loss:
        say = f"You could lose more than your daily limit of {format_cents(limits.loss)}."
        return Refusal("loss_limit_reached", say if own else f"{account.name} could lose more than the daily limit.")
    return None


def _by_the_clock(at: datetime) -> str:
    return f"{local(at, ZONE):%Y-%m-%d %H:%M} {named(at, ZONE)}"


def check_card(scene: Scene, account: Account, book: Book) -> Refusal | None:
    """Check for a valid Player Card where the book requires one: it may have ended since the player sat down."""
    card = book.rules.card
    if card is None or account.card is not None or local_day(scene.at, book.rules.book.timezone) < card.since:
        return None
    return Refusal("no_player_card", f"{account.name} has no valid Player Card.", card.clause)


def decided_by(scene: Scene, account: Account) -> list[str]:
    """Return the streams that decide whether a person may play: the account, and tables where their chips are."""
    elsewhere = account.visits if account.limits_at(scene.at).loss is not None else ()
    return [account_stream(account.person), *(table_stream(visit.table) for visit in elsewhere if visit.until is None)]


def played(account: Account, at: datetime) -> timedelta:
    """Return how long the person has been at tables today."""
    spans = ((visit.until or at) - visit.since for visit in _today(account, at))
    return sum((max(span, timedelta()) for span in spans), timedelta())  # a clock set back takes nothing off


def lost(scene: Scene, account: Account, at: datetime) -> int:
    """Return the person's loss on that day, counting chips on a layout as lost."""
    return sum(_down(scene, account, visit) for visit in _today(account, at))


def _down(scene: Scene, account: Account, visit: Visit) -> int:
    if visit.until is not None:
        return visit.taken - visit.brought
    return visit.taken - scene.tables(visit.table).game.chips.get(account.person, 0)


def _today(account: Account, at: datetime) -> list[Visit]:
    """Return today's visits, and any dated later: the clock was ahead then, and must not help anyone."""
    day = local_day(at, ZONE)
    return [visit for visit in account.visits if visit.until is None or local_day(visit.until, ZONE) >= day]


class LimitsBody(OrderBody, frozen=True, kw_only=True):
    """A player's own limits for a day; null means no limit."""

    loss: Money | None = None
    minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] | None = None

    def order(self, path: Mapping[str, Any]) -> SetLimits:
        """Return the order, with the loss in cents."""
        loss = None if self.loss is None else parse_cents(self.loss)
        return SetLimits(**path, limits=Limits(loss, self.minutes))


class SetLimits(OfAccount, frozen=True, kw_only=True, tag="set_limits"):
    """Set your own limits for a day. A tighter limit applies at once, a looser one after 24 hours."""

    limits: Limits

    permits = ("self",)
    api = Api("/accounts/{person}/limits", "Set your own limits", {"loss": "200.00", "minutes": 120}, LimitsBody)

    def decide(self, scene: Scene) -> Decided:
        account, wanted = scene.accounts(self.person), self.limits
        if any(value is not None and value < 0 for value in (wanted.loss, wanted.minutes)):
            return Refusal("limit_negative", "A limit cannot be negative.")
        if (wanted.minutes or 0) > MOST_MINUTES or (wanted.loss or 0) > MOST_LOSS:
            say = f"A limit can be at most {MOST_MINUTES} minutes and {format_cents(MOST_LOSS)} a day; null: no limit."
            return Refusal("limit_too_large", say)
        now = account.limits_at(scene.at)
        tight = Limits(_tighter(now.loss, wanted.loss), _tighter(now.minutes, wanted.minutes))
        later = None if tight == wanted else stamp(scene.at + LOOSER_AFTER)
        return Outcome({self.stream: [LimitsSet(wanted, tight, later)]})


def _tighter(one: int | None, other: int | None) -> int | None:
    """Return the lower limit; None is no limit."""
    return min((value for value in (one, other) if value is not None), default=None)


class Exclude(OfAccount, frozen=True, kw_only=True, tag="exclude"):
    """Exclude yourself from play, or as a supervisor another person: until a time, or permanently.

    `until` is in ISO 8601 with a zone; null means permanently. Your own exclusion cannot be shortened.
    """

    until: Annotated[str, Meta(max_length=40)] | None = None

    permits = ("self", "supervisor", "manager", "operator")
    api = Api("/accounts/{person}/exclusion", "Exclude a person", {"until": "2027-01-01T00:00:00+11:00"})

    def decide(self, scene: Scene) -> Decided:
        account = scene.accounts(self.person)
        by_house = scene.who != self.person
        if self.until is not None:
            until = _time(self.until)
            if until is None or until <= scene.at:
                return Refusal(
                    "bad_time", "The end of an exclusion must be in the future, in ISO 8601 with a time zone."
                )
            if account.may_not_play(scene.at) and (account.excluded_until is None or account.excluded_until > until):
                return Refusal("excluded_longer", "The current exclusion is longer.")
            return Outcome({self.stream: [ExclusionBegan(stamp(until), by_house)]})
        return Outcome({self.stream: [ExclusionBegan(None, by_house)]})


def _time(text: str) -> datetime | None:
    try:
        until = datetime.fromisoformat(text)
        return until.astimezone(UTC) if until.tzinfo is not None else None
    except (ValueError, OverflowError):  # a valid date in its own zone, out of range in UTC
        return None


class LetIn(OfAccount, frozen=True, kw_only=True, tag="let_in"):
    """End an exclusion that the house began. For managers and operators."""

    permits = ("manager", "operator")
    api = Api("/accounts/{person}/exclusion/end", "End an exclusion", {})

    def decide(self, scene: Scene) -> Decided:
        account = scene.accounts(self.person)
        if scene.who == self.person:
            return Refusal("own_exclusion", "You cannot end your own exclusion.")
        if not account.may_not_play(scene.at):
            return Refusal("not_excluded", f"{account.name} is not excluded.")
        if not account.excluded_by_house:
            return Refusal("own_exclusion", "A self-excluded player must wait until the exclusion ends.")
        return Outcome({self.stream: [ExclusionEnded()]})
