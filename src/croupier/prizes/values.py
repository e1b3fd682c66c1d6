"""What people write down of a promotion: its terms, its prizes, its entries. Values only; money is in cents."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

Value = str | int | bool  # a time is text in ISO 8601 with its zone


class Prize(msgspec.Struct, frozen=True, gc=False):
    """One prize, or `count` that are alike; the value in `said` is that of a single one.

    `contains` declares what it is or contains of the things that no prize may be, `millilitres` how much liquor.
    """

    id: str
    kind: str
    said: dict[str, Value] = {}
    count: int = 1
    contains: tuple[str, ...] = ()
    millilitres: int = 0

    @property
    def value(self) -> int:
        """What a single one is worth in cents."""
        return int(self.said.get("value", 0))

    @property
    def worth(self) -> int:
        """What thresholds measure: the value, or what may be paid instead where the terms state more than that."""
        return max(self.value, int(self.said.get("alternative", 0)))


class Earning(msgspec.Struct, frozen=True, gc=False):
    """How play becomes entries: one ticket for each so many cents staked, at these tables, on these wagers.

    Without tables it is at all tables of the book, without wagers on all of them.
    """

    cents: int
    tables: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ()


class Terms(msgspec.Struct, frozen=True, gc=False):
    """The terms and conditions of a promotion: what they say point by point, its prizes, and how play earns entries.

    Without `earning` entries come by hand alone. With `one_prize_each` nobody wins twice.
    """

    said: dict[str, Value] = {}
    prizes: tuple[Prize, ...] = ()
    earning: Earning | None = None
    one_prize_each: bool = True

    def time(self, term: str) -> datetime | None:
        """A time that the terms say, where they do."""
        said = self.said.get(term)
        return moment(said) if isinstance(said, str) else None

    def told(self, term: str) -> str:
        """A time for people to read, in the zone in which the terms say it."""
        return str(self.said.get(term, "")).replace("T", " ")

    def prize(self, prize_id: str) -> Prize | None:
        """A prize by its id."""
        return next((prize for prize in self.prizes if prize.id == prize_id), None)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One entry in the draw: whose it is, and how much it weighs."""

    id: str
    entrant: str
    weight: int = 1


class Part(msgspec.Struct, frozen=True, gc=False):
    """So many cents in one form of payment."""

    form: str
    cents: int


def moment(text: str) -> datetime | None:
    """The moment that a text in ISO 8601 stands for; None without a zone, or where it is no time."""
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
