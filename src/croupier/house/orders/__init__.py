"""Orders that people give the house. An `Order` says who gives it; its `deed` says what is to be done.

An order that names no person is about the one giving it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from croupier.house.events import Limits, Rhythm
from croupier.house.names import is_name
from croupier.prizes.reading import known_part
from croupier.prizes.terms import Entry


class Deed(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="deed"):
    """The base of all order contents."""


class AtTable(Deed, frozen=True, kw_only=True):
    """An order at one table. With `version` it is refused if anything has happened there since that version."""

    table: str
    version: int | None = None


class OfPromotion(Deed, frozen=True, kw_only=True):
    """An order about one promotion. With `version` it is refused if anything has happened to it since that version."""

    promotion: str
    version: int | None = None


class OfAccount(Deed, frozen=True, kw_only=True):
    """An order about one account."""

    person: str


class Say(AtTable, frozen=True, kw_only=True, tag="say"):
    """A line for the table, as the pipe takes it: a bet, a throw, an act of the book. `round`: only in that round.

    `number` is the commitment to the player's own number for that round. Without one, the order encodes as it did
    before numbers existed: a repeated order is recognised by its digest.
    """

    line: dict[str, Any]
    round: int | None = None
    number: str | UnsetType = UNSET


class PutInNumber(AtTable, frozen=True, kw_only=True, tag="put_in_number"):
    """Put one's own number into a round, without a bet: `number` is the commitment to it."""

    round: int
    number: str


class ShowNumber(AtTable, frozen=True, kw_only=True, tag="show_number"):
    """Reveal one's number for a round, once its bets are shut."""

    round: int
    number: str


class Sit(AtTable, frozen=True, kw_only=True, tag="sit"):
    """Take a seat with chips from the account, at a given place of the table or at any."""

    cents: int
    place: int | None = None


class BuyIn(AtTable, frozen=True, kw_only=True, tag="buy_in"):
    """Bring more chips from the account to the seat."""

    cents: int


class GetUp(AtTable, frozen=True, kw_only=True, tag="get_up"):
    """Leave the table; the chips in hand go back to the account."""


class SetTable(AtTable, frozen=True, kw_only=True, tag="set_table"):
    """Set up a table and open it. `line` is what the pipe's `open` takes; with a rhythm the table runs by itself."""

    title: str
    line: dict[str, Any]
    rhythm: Rhythm | None = None


class TakePost(AtTable, frozen=True, kw_only=True, tag="take_post"):
    """Take a post at the table, in a role of the house."""

    role: str


class LeavePost(AtTable, frozen=True, kw_only=True, tag="leave_post"):
    """Leave one's post at the table."""


class AnswerAlert(AtTable, frozen=True, kw_only=True, tag="answer_alert"):
    """Answer an alert, identified by the number of the event that raised it, with a note on what was done about it."""

    event: int
    note: str


class AnswerDuty(AtTable, frozen=True, kw_only=True, tag="answer_duty"):
    """Answer for a table's duty that was not done in time, with a note on why, and what was done about it."""

    duty: str
    note: str


class RunOn(AtTable, frozen=True, kw_only=True, tag="run_on"):
    """Take the next step of a table's round that is due; given by the clock.

    `lost`: the secret of the round is gone for good, as in an imported store, which holds no secrets. The round is
    given up; the record shows that permanently, and verification reports it.
    """

    lost: bool = False


class OpenPromotion(OfPromotion, frozen=True, kw_only=True, tag="open_promotion"):
    """Create a promotion, under the rules of a book."""

    book: str
    title: str


class Personal(msgspec.Struct, frozen=True, gc=False):
    """A claimant's name and address. They are stored only in the vault."""

    name: str
    address: str


class Promote(OfPromotion, frozen=True, kw_only=True, tag="promote"):
    """A line about a promotion: its terms, its course, its prizes, claims and disputes."""

    line: dict[str, Any]
    personal: Personal | None = None


class CloseEntries(OfPromotion, frozen=True, kw_only=True, tag="close_entries"):
    """Close the entries of a promotion, after adding those that play has earned; given by the clock.

    `tables` maps the tables whose play was counted to their versions.
    """

    entries: tuple[Entry, ...] = ()
    tables: dict[str, int] = {}


class AnswerPromotionDuty(OfPromotion, frozen=True, kw_only=True, tag="answer_promotion_duty"):
    """Answer for a promotion's duty that was not done in time, with a note on why, and what was done about it."""

    duty: str
    note: str


class OpenAccount(OfAccount, frozen=True, kw_only=True, tag="open_account"):
    """Open an account: display name, roles, initial play chips, a Player Card.

    `credential` is a fingerprint of the first password: it tells this order from one with another password.
    """

    name: str
    roles: tuple[str, ...] = ("player",)
    cents: int = 0
    card: bool = False
    credential: str = ""


class SetPassword(OfAccount, frozen=True, kw_only=True, tag="set_password"):
    """Record that a person's password was changed. The vault holds the password; `credential` is its fingerprint."""

    credential: str = ""


class ChangeRoles(OfAccount, frozen=True, kw_only=True, tag="change_roles"):
    """Change a person's roles."""

    roles: tuple[str, ...]


class IssueCard(OfAccount, frozen=True, kw_only=True, tag="issue_card"):
    """Give a person a Player Card."""


class EndCard(OfAccount, frozen=True, kw_only=True, tag="end_card"):
    """Make a person's Player Card invalid."""


class GrantChips(OfAccount, frozen=True, kw_only=True, tag="grant_chips"):
    """Put play chips into an account."""

    cents: int
    reason: str


class SetLimits(OfAccount, frozen=True, kw_only=True, tag="set_limits"):
    """Set one's own limits for a day."""

    limits: Limits


class Exclude(OfAccount, frozen=True, kw_only=True, tag="exclude"):
    """Exclude a person, or oneself, from play: until a time, or permanently."""

    until: str | None = None


class LetIn(OfAccount, frozen=True, kw_only=True, tag="let_in"):
    """End an exclusion by the house."""


AnyDeed = (
    Say
    | PutInNumber
    | ShowNumber
    | Sit
    | BuyIn
    | GetUp
    | SetTable
    | TakePost
    | LeavePost
    | AnswerAlert
    | AnswerDuty
    | RunOn
    | OpenPromotion
    | Promote
    | CloseEntries
    | AnswerPromotionDuty
    | OpenAccount
    | SetPassword
    | ChangeRoles
    | IssueCard
    | EndCard
    | GrantChips
    | SetLimits
    | Exclude
    | LetIn
)


def deed_name(deed: AnyDeed) -> str:
    """Return the tag of an order."""
    name = deed.__struct_config__.tag
    assert isinstance(name, str), "every deed has a tag"
    return name


def impersonal(deed: AnyDeed) -> AnyDeed:
    """Return an order without personal data of claimants, anywhere in it, and without password fingerprints."""
    if isinstance(deed, OpenAccount | SetPassword):
        return msgspec.structs.replace(deed, credential="")
    if not isinstance(deed, Promote):
        return deed
    said = {name: value for name, value in known_part(deed.line).items() if name not in _PEOPLE or _is_account(value)}
    return msgspec.structs.replace(deed, personal=None, line=said)


_PEOPLE = ("claimant", "patron", "entries")  # fields of a line that name people, by account


def _is_account(said: object) -> bool:
    if isinstance(said, list):
        return all(isinstance(one, dict) and _is_account(one.get("entrant")) for one in said)
    return isinstance(said, str) and is_name(said)


class Order(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An order: who wants what. `who` is None if the house itself acts; `key` makes it safe to send again.

    `within` are the roles usable for it when a program acts for the person; None is all of them.
    """

    id: str
    deed: AnyDeed
    who: str | None = None
    key: str | None = None
    within: tuple[str, ...] | None = None
