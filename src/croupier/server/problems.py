"""Why something cannot be done, as it goes over the line: a status, a stable code, the clause, a sentence."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.table.event_views import Told

# What the house itself refuses, by the kind of reason; all the rest are the rules' refusals.
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
    """Something cannot be done. It goes to whoever asked, and to nobody else."""

    def __init__(
        self, status: int, code: str, message: str, clause: str | None = None, *, wait: int | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.clause = clause
        self.message = message
        self.wait = wait  # seconds after which it may be tried again
        super().__init__(message)


class ProblemBody(msgspec.Struct, frozen=True):
    """What every error says: a code that programs can rely on, the clause of the book, and a sentence for a person.

    `about` names what of a promotion's terms is refused: a point, a prize, or a prize and its point.
    """

    code: str
    message: str
    clause: str | None = None
    ok: bool = False
    about: list[str] | msgspec.UnsetType = msgspec.UNSET


class TurnedAway(NamedTuple):
    """Why a request does not even come in: it is told without the framework."""

    status: int
    code: str
    message: str

    @property
    def body(self) -> bytes:
        """As it goes over the line."""
        return msgspec.json.encode(ProblemBody(self.code, self.message))


def status_of(told: Told) -> int:
    """The status of a reply of the house."""
    return 200 if told["ok"] else STATUS.get(str(told["code"]), REFUSED)
