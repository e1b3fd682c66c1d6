"""What people ask of the house. An order is a deed with who asks for it; a deed that names nobody is for who asks."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from croupier.house.events import Limits, Rhythm
from croupier.house.names import is_name
from croupier.prizes.reading import known_part
from croupier.prizes.terms import Entry


class Deed(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="deed"):
    """The base of all deeds."""


class AtTable(Deed, frozen=True, kw_only=True):
    """A deed at one table. With `version` it is done only if nothing has happened there since that version."""

    table: str
    version: int | None = None


class OfPromotion(Deed, frozen=True, kw_only=True):
    """A deed with one promotion. With `version` it is done only if nothing has happened to it since that version."""

    promotion: str
    version: int | None = None


class OfAccount(Deed, frozen=True, kw_only=True):
    """A deed with one account."""

    person: str


class Say(AtTable, frozen=True, kw_only=True, tag="say"):
    """A line for the table, as the pipe takes it: a bet, a throw, an act of the book. `round`: only in that round.

    `number` is the commitment to a number of the player's own for that round. A line without one is written as it was
    before there were numbers: an order that is sent again is known by what it was then.
    """

    line: dict[str, Any]
    round: int | None = None
    number: str | UnsetType = UNSET


class PutInNumber(AtTable, frozen=True, kw_only=True, tag="put_in_number"):
    """Put a number of one's own into a round, without a bet: `number` is the commitment to it."""

    round: int
    number: str


class ShowNumber(AtTable, frozen=True, kw_only=True, tag="show_number"):
    """Show the number that one has put into a round, once its bets are shut."""

    round: int
    number: str


class Sit(AtTable, frozen=True, kw_only=True, tag="sit"):
    """Take a seat with chips from the account, at a place of the table where one is named."""

    cents: int
    place: int | None = None


class BuyIn(AtTable, frozen=True, kw_only=True, tag="buy_in"):
    """Have more chips from the account brought to the seat."""

    cents: int


class GetUp(AtTable, frozen=True, kw_only=True, tag="get_up"):
    """Leave the table; the chips in hand go back to the account."""


class SetTable(AtTable, frozen=True, kw_only=True, tag="set_table"):
    """Set up a table and open it. `line` is what the pipe's `open` takes; with a rhythm the table runs by itself."""

    title: str
    line: dict[str, Any]
    rhythm: Rhythm | None = None


class TakePost(AtTable, frozen=True, kw_only=True, tag="take_post"):
    """Run the table from now on, in a role of the house."""

    role: str


class LeavePost(AtTable, frozen=True, kw_only=True, tag="leave_post"):
    """Run the table no longer."""


class AnswerAlert(AtTable, frozen=True, kw_only=True, tag="answer_alert"):
    """Answer for an alert, called by the number of the event that raised it, with a note on what was done about it."""

    event: int
    note: str


class AnswerDuty(AtTable, frozen=True, kw_only=True, tag="answer_duty"):
    """Answer for a duty of a table that was not done in time, with a note on why, and what was done about it."""

    duty: str
    note: str


class RunOn(AtTable, frozen=True, kw_only=True, tag="run_on"):
    """What the clock of a table asks for: the next step of its round that is due.

    `lost`: the secret of the round is gone for good, as in a store that was imported, where there are no secrets. The
    round is given up; the record shows that for ever, and checks of it find it.
    """

    lost: bool = False


class OpenPromotion(OfPromotion, frozen=True, kw_only=True, tag="open_promotion"):
    """Begin a promotion, under the rules of a book."""

    book: str
    title: str


class Personal(msgspec.Struct, frozen=True, gc=False):
    """Who a claimant is, and where they live. It goes into the vault, and into nothing else."""

    name: str
    address: str


class Promote(OfPromotion, frozen=True, kw_only=True, tag="promote"):
    """A line about a promotion: its terms, its course, its prizes, claims and disputes."""

    line: dict[str, Any]
    personal: Personal | None = None


class CloseEntries(OfPromotion, frozen=True, kw_only=True, tag="close_entries"):
    """What the clock of a promotion asks for: no more entries, after those that play has earned.

    `tables` says from which play they were counted: tables with how far each had come.
    """

    entries: tuple[Entry, ...] = ()
    tables: dict[str, int] = {}


class AnswerPromotionDuty(OfPromotion, frozen=True, kw_only=True, tag="answer_promotion_duty"):
    """Answer for a duty of a promotion that was not done in time, with a note on why, and what was done about it."""

    duty: str
    note: str


class OpenAccount(OfAccount, frozen=True, kw_only=True, tag="open_account"):
    """Open an account: the name that others see, the roles, the play chips to begin with, a Player Card.

    `credential` is a mark of the first password: it tells this order from one with another password.
    """

    name: str
    roles: tuple[str, ...] = ("player",)
    cents: int = 0
    card: bool = False
    credential: str = ""


class SetPassword(OfAccount, frozen=True, kw_only=True, tag="set_password"):
    """Note that a person has another password. The password itself goes into the vault; `credential` is its mark."""

    credential: str = ""


class ChangeRoles(OfAccount, frozen=True, kw_only=True, tag="change_roles"):
    """Let a person act in these roles from now on."""

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
    """Keep a person, or oneself, from playing: until a time, or for good."""

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
    """What a deed is called."""
    name = deed.__struct_config__.tag
    assert isinstance(name, str), "every deed has a tag"
    return name


def impersonal(deed: AnyDeed) -> AnyDeed:
    """A deed without who claimants are, wherever somebody has put it, and without marks: as it may be kept anywhere."""
    if isinstance(deed, OpenAccount | SetPassword):
        return msgspec.structs.replace(deed, credential="")
    if not isinstance(deed, Promote):
        return deed
    said = {name: value for name, value in known_part(deed.line).items() if name not in _PEOPLE or _is_account(value)}
    return msgspec.structs.replace(deed, personal=None, line=said)


_PEOPLE = ("claimant", "patron", "entries")  # where a line has somebody in it, who stands there as they sign in


def _is_account(said: object) -> bool:
    if isinstance(said, list):
        return all(isinstance(one, dict) and _is_account(one.get("entrant")) for one in said)
    return isinstance(said, str) and is_name(said)


class Order(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Who asks for what. `who` is None where the house itself acts; `key` lets an order be sent again without harm.

    `within` are the roles that may be used for it where it is given by a program that acts for somebody; None is all.
    """

    id: str
    deed: AnyDeed
    who: str | None = None
    key: str | None = None
    within: tuple[str, ...] | None = None
