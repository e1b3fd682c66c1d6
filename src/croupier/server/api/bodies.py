"""Bodies of requests and replies. Money is text, as in every interface of the house."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from croupier.store.receipts import Receipt

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="Small letters, digits, . - and _.")]
Shown = Annotated[str, msgspec.Meta(min_length=1, max_length=60, description="A name that people see.")]
# Python's $ also matches before a final line break; JSON Schema's only at the end.
Money = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{1,15}\.[0-9]{2}$(?!\n)", description="Dollars and cents, as in 10.00.")
]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Version = Annotated[
    int, msgspec.Meta(ge=0, description="Only if nothing has happened at the table since this version.")
]
Role = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]
StaffRole = Literal["dealer", "supervisor", "manager", "operator", "inspector"]
Scope = Literal["play", "deal", "supervise", "manage", "inspect", "witness"]
Number = Annotated[
    str,
    msgspec.Meta(
        min_length=64,
        max_length=64,
        pattern=r"^[0-9a-f]{64}$",
        description="64 hexadecimal digits: a number of one's own, or the commitment to it.",
    ),
]
DEEPEST = 5  # levels of nesting; the deepest field in use, the limits of an opening, has two
Seconds = Annotated[float, msgspec.Meta(ge=0, le=3600)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request body; an unknown field is an error."""


def _check_depth(line: dict[str, Any]) -> None:
    """Refuse lines nested deeper than any line needs: not every reader could parse them. Raises ValueError."""
    if _is_deeper(line, DEEPEST):
        raise ValueError(f"A line is nested at most {DEEPEST} deep")


def _is_deeper(value: object, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (most == 0 or any(_is_deeper(each, most - 1) for each in inner))


class AtTable(Body, frozen=True, kw_only=True):
    """A request at a table."""

    version: Version | None = None


class LineBody(AtTable, frozen=True, kw_only=True):
    """A line as `croupier table` takes it, such as `{"do":"bet","wager":"field","amount":"5.00"}`."""

    line: dict[str, Any]
    round: (
        Annotated[int, msgspec.Meta(ge=1, description="Only in this round of a table that runs by itself.")] | None
    ) = None
    number: Number | None = None

    def __post_init__(self) -> None:
        """Check the nesting. Raises ValueError."""
        _check_depth(self.line)


class NumberBody(AtTable, frozen=True, kw_only=True):
    """The commitment to a number for a round, or, when revealing it, the number itself."""

    round: Annotated[int, msgspec.Meta(ge=1)]
    number: Number


class ChipsBody(AtTable, frozen=True, kw_only=True):
    """Chips to bring from the account to the table."""

    chips: Money


class SeatBody(ChipsBody, frozen=True, kw_only=True):
    """Where to sit down, and with how many chips."""

    place: (
        Annotated[int, msgspec.Meta(ge=1, description="A place of the table, clockwise from 1; else the next one.")]
        | None
    ) = None


class PostBody(AtTable, frozen=True, kw_only=True):
    """The role in which a person runs a table."""

    role: StaffRole


class AnswerBody(AtTable, frozen=True, kw_only=True):
    """The answer to an alert."""

    note: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class RhythmBody(Body, frozen=True, kw_only=True):
    """How a table runs by itself, in seconds. One that `waits` keeps bets open until the first bet."""

    open: Seconds = 20.0
    last_call: Seconds = 5.0
    shut: Seconds = 1.0
    show: Seconds = 6.0
    waits: bool = True
    numbers: Annotated[float, msgspec.Meta(ge=0, le=30)] = 2.0


class TableBody(Body, frozen=True, kw_only=True):
    """A new table. `line` has the fields of the pipe's `open`; with a rhythm it runs by itself."""

    table: Name
    title: Shown
    line: dict[str, Any]
    rhythm: RhythmBody | None = None

    def __post_init__(self) -> None:
        """Check the nesting. Raises ValueError."""
        _check_depth(self.line)


class OpenPromotionBody(Body, frozen=True, kw_only=True):
    """A new promotion."""

    promotion: Name
    book: Annotated[str, msgspec.Meta(max_length=40)]
    title: Shown


class PersonalBody(Body, frozen=True, kw_only=True):
    """A claimant's name and address, stored apart from everything else."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    address: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class PromotionLineBody(Body, frozen=True, kw_only=True):
    """A line about a promotion, such as `{"do":"tell_winner","award":1,"way":"telephone","reached":true}`."""

    line: dict[str, Any]
    version: Annotated[int, msgspec.Meta(ge=0, description="Only if nothing has happened to it since.")] | None = None
    personal: PersonalBody | None = None

    def __post_init__(self) -> None:
        """Check the nesting. Raises ValueError."""
        _check_depth(self.line)


class AccountBody(Body, frozen=True, kw_only=True):
    """A new account, opened by an operator."""

    person: Name
    name: Shown
    password: Secret
    roles: tuple[Role, ...] = ("player",)
    chips: Money = "0.00"


class SignUpBody(Body, frozen=True, kw_only=True):
    """A new account that a person opens for themselves."""

    person: Name
    name: Shown
    password: Secret


class SignInBody(Body, frozen=True, kw_only=True):
    """A person's name and password."""

    person: Name
    password: Secret


class PasswordBody(Body, frozen=True, kw_only=True):
    """The caller's old and new password."""

    old: Secret
    new: Secret


class ResetBody(Body, frozen=True, kw_only=True):
    """A new password for a person, set by an operator."""

    new: Secret


class TokenBody(Body, frozen=True, kw_only=True):
    """A token for a program. Without `days` it is valid until it is revoked."""

    name: Shown
    scopes: Annotated[list[Scope], msgspec.Meta(min_length=1, max_length=6)]
    days: Annotated[int, msgspec.Meta(ge=1, le=3650)] | None = None


class RolesBody(Body, frozen=True, kw_only=True):
    """The roles that a person may act in."""

    roles: Annotated[list[Role], msgspec.Meta(min_length=1, max_length=6)]


class GrantBody(Body, frozen=True, kw_only=True):
    """Play chips for an account."""

    chips: Money
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class LimitsBody(Body, frozen=True, kw_only=True):
    """A player's own limits for a day; null means no limit."""

    loss: Money | None = None
    minutes: Annotated[int, msgspec.Meta(ge=0, le=1440)] | None = None


class ExclusionBody(Body, frozen=True, kw_only=True):
    """When an exclusion ends, in ISO 8601 with a zone; null means never."""

    until: Annotated[str, msgspec.Meta(max_length=40)] | None = None


# Replies


class Done(msgspec.Struct, frozen=True):
    """A command was carried out and stored; `versions` are the new versions of the streams it changed.

    If it changed a table, `receipt` is signed by the house; docs/receipts.md explains how to check it.
    """

    ok: bool
    versions: dict[str, int]
    calls: list[str] = []  # the calls at the table, such as after a throw
    number: str | None = None  # the commitment that the house holds, if one was sent
    receipt: Receipt | None = None


class SignedIn(msgspec.Struct, frozen=True):
    """The person signed in. Send `csrf` as the header X-CSRF-Token with every further request that is not a GET."""

    person: str
    csrf: str
    until: str


class TokenIssued(msgspec.Struct, frozen=True):
    """A new token, shown only once."""

    token: str
    name: str
    scopes: list[str]
    until: str | None


class TokenShown(msgspec.Struct, frozen=True):
    """A token without its secret."""

    name: str
    scopes: list[str]
    since: str
    until: str | None


class Page(msgspec.Struct, frozen=True):
    """A page of a stream's entries. Pass `next` as `after` for more; null at the end."""

    entries: list[dict[str, Any]]
    next: int | None
