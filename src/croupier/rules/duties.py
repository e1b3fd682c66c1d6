"""Duties as a book's conduct writes them: which act somebody has to see to, what makes it due, and by when."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from croupier.rules.facts import Fact
from croupier.rules.schema import Part

# By when: within moments; without a deadline; when the notice of the sign that announces it is over;
# it lasts until the time that the fact says; by the end of the first day after the month.
Within = Literal["at once", "as soon as possible", "notice", "until", "month end"]


AT_ONCE = timedelta(minutes=15)  # in which somebody can be told, and after which it was not at once


class Duty(Part, frozen=True, rename={"is_": "is"}):
    """What makes an act a duty. `id` is the act: its clause and those who may do it are the duty's, too.

    It is open while `fact` is one of `is`, or, where that names nothing, from when the table remembers the fact until
    it remembers one of `done`. A word in braces stands for whatever is remembered there, and each is a duty of its own.
    `since` is the fact with which it arose, where that is another one. `wager`: only where that wager is offered.
    """

    id: str
    what: str
    fact: str
    within: Within
    is_: tuple[Fact, ...] = ()
    since: str | None = None
    done: tuple[str, ...] = ()
    wager: str | None = None
