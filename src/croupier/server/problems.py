"""Errors as the API sends them: a status, a stable code, the clause and a sentence."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.table.event_views import Told

# Refusals of the house itself, by status; all others are refusals by the rules.
_STATUS = {
    403: (
        "not_allowed",
        "not_permitted",
        "not_your_title",
        "not_your_own",
        "not_at_table",
        "staff_cannot_play",
        "own_roles",
        "excluded",
        "time_limit_reached",
        "loss_limit_reached",
        "own_exclusion",
    ),
    404: ("no_such_table", "unknown_person", "no_such_alert", "no_such_duty", "no_such_promotion", "no_such_claim"),
    409: ("table_moved_on", "promotion_moved_on", "key_used", "name_taken", "alert_answered", "duty_answered"),
}
STATUS = {code: status for status, codes in _STATUS.items() for code in codes}
REFUSED = 422


class Problem(Exception):
    """An error for the caller of this request, and for no one else."""

    def __init__(
        self, status: int, code: str, message: str, clause: str | None = None, *, wait: int | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.clause = clause
        self.message = message
        self.wait = wait  # seconds to wait before trying again
        super().__init__(message)


class ProblemBody(msgspec.Struct, frozen=True):
    """The body of every error: a stable code for programs, the clause of the book, and a sentence for people.

    `about` names the refused part of a promotion's terms: a point, a prize, or a prize and its point.
    """

    code: str
    message: str
    clause: str | None = None
    ok: bool = False
    about: list[str] | msgspec.UnsetType = msgspec.UNSET


class TurnedAway(NamedTuple):
    """An error for a request that is rejected before it reaches the framework."""

    status: int
    code: str
    message: str

    @property
    def body(self) -> bytes:
        """Return the encoded body."""
        return msgspec.json.encode(ProblemBody(self.code, self.message))


def status_of(told: Told) -> int:
    """Return the HTTP status of a reply of the house."""
    return 200 if told["ok"] else STATUS.get(str(told["code"]), REFUSED)
