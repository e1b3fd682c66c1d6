"""One write at a table: what it remembered before and after, what its sign said, what went back to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from croupier.rules.book import Book
from croupier.rules.facts import NONE, Fact
from croupier.rules.game import Terms
from croupier.table.commands import Settings
from croupier.table.events import ActDone, AreaSettled, Noted, WagerReduced

Facts = Mapping[str, Fact]


class Standing(NamedTuple):
    """Under which terms a table plays, and what its sign says."""

    terms: Terms
    sign: Settings


class Scene(NamedTuple):
    """What one write changed at a table. `changes` are facts; None is forgotten."""

    book: Book
    at: datetime
    before: Facts
    changes: Mapping[str, Fact | None]
    was: Standing
    now: Standing
    happened: tuple[Any, ...]

    def fact(self, name: str) -> Fact | None:
        """What the table remembers under a name after the write."""
        return self.changes[name] if name in self.changes else self.before.get(name)

    def text(self, name: str) -> str:
        """The same as text; nothing where nothing is remembered."""
        value = self.fact(name)
        return "" if value is None or value == NONE else str(value)

    @property
    def given_back(self) -> int:
        """What went back to players without a result, in cents."""
        settled = sum(stake[3] for event in self._settled("void") for stake in event.stakes)
        return settled + sum(event.amount for event in self.happened if isinstance(event, WagerReduced))

    @property
    def forfeited(self) -> int:
        """What players lost with it, in cents."""
        return sum(stake[1] for event in self._settled("lose") for stake in event.stakes)

    def _settled(self, result: str) -> Iterable[AreaSettled]:
        return (event for event in self.happened if isinstance(event, AreaSettled) and event.result == result)


def changed(happened: Iterable[Any]) -> dict[str, Fact | None]:
    """All that a table remembers anew, or forgets (None)."""
    told = (event for event in happened if isinstance(event, ActDone | Noted))
    return {name: fact for event in told for name, fact in event.facts.items()}
