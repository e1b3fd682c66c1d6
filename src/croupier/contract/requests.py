"""What requests to a house hold: names, amounts and roles with their limits, and the bodies that are not orders.

The body of an order follows from the order's own fields; see `croupier.house.orders`. Money is text, as in every
interface of the house.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Role = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]
StaffRole = Literal["dealer", "supervisor", "manager", "operator", "inspector"]
Scope = Literal["play", "deal", "supervise", "manage", "inspect", "witness"]

Name = Annotated[str, Meta(min_length=1, max_length=40, description="Lower-case letters, digits, . - and _.")]
TableName = Annotated[str, Meta(min_length=1, max_length=40, description="The name of a table.")]
PersonName = Annotated[str, Meta(min_length=1, max_length=40, description="The name of an account.")]
PromotionName = Annotated[str, Meta(min_length=1, max_length=40, description="The name of a promotion.")]
EventNumber = Annotated[int, Meta(ge=1, le=2**53, description="The number of an event.")]
Shown = Annotated[str, Meta(min_length=1, max_length=60, description="A name that people see.")]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
Note = Annotated[str, Meta(min_length=1, max_length=200)]
# Python's $ also matches before a final line break; JSON Schema's only at the end.
Money = Annotated[str, Meta(pattern=r"^[0-9]{1,15}\.[0-9]{2}$(?!\n)", description="Dollars and cents, as in 10.00.")]
Version = Annotated[int, Meta(ge=0, description="Only if nothing has happened since this version.")]
Number = Annotated[
    str,
    Meta(
        min_length=64,
        max_length=64,
        pattern=r"^[0-9a-f]{64}$",
        description="64 hexadecimal digits: the player's own number, or the commitment to it.",
    ),
]
Line = dict[str, Any]
DEEPEST = 5  # levels of nesting in a line; the deepest field in use, the limits of an opening, has two


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request body; an unknown field is an error."""

    def __post_init__(self) -> None:
        """Refuse a line nested deeper than any line needs: not every reader could parse it. Raises ValueError."""
        line = getattr(self, "line", None)
        if line is not None and _is_deeper(line, DEEPEST):
            raise ValueError(f"A line is nested at most {DEEPEST} deep")


def _is_deeper(value: object, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (most == 0 or any(_is_deeper(each, most - 1) for each in inner))


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
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=6)]
    days: Annotated[int, Meta(ge=1, le=3650)] | None = None


class PracticeBody(Body, frozen=True, kw_only=True):
    """A practice table: its lines so far, from the one that opens it. A throw without faces takes them from `seed`."""

    lines: Annotated[list[Line], Meta(min_length=1, max_length=500)]
    seed: Annotated[str, Meta(max_length=80)] = ""
    drawing: bool = False
    ahead: bool = False

    def __post_init__(self) -> None:
        """Refuse lines nested deeper than any line needs. Raises ValueError."""
        if any(_is_deeper(line, DEEPEST) for line in self.lines):
            raise ValueError(f"A line is nested at most {DEEPEST} deep")
