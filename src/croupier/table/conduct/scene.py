"""Somebody about to do something at a table: who, what is said with it, when, and what the table remembers so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from croupier.rules.conduct import Conduct, Need, filled
from croupier.rules.facts import NONE, Fact
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.table.clock import moment, passed
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.under_way import outcome_of
from croupier.table.view import TableView

F = TypeVar("F", bound=Callable[..., object])
Said = int | str | tuple[int, ...] | None


class Scene:
    """What checks and effects look at. `by` is the role of who acts, `who` the name, `said` what is said with it.

    Most commands are given without anybody looking at what is said with them, so that may be left to be found out.
    """

    __slots__ = ("_said", "at", "book", "by", "changes", "clause", "conduct", "shelf", "state", "view", "who")

    def __init__(
        self,
        shelf: Shelf,
        state: State,
        by: str | None,
        who: str | None,
        at: datetime | None,
        said: Mapping[str, Said] | Callable[[], Mapping[str, Said]],
    ) -> None:
        self.shelf = shelf
        self.state = state
        self.view = TableView(shelf, state)
        self.book = self.view.game.book
        self.conduct: Conduct = self.book.conduct
        self.by = by
        self.who = who
        self.at = at
        self._said = said
        self.clause = ""
        self.changes: dict[str, Fact | None] = {}  # what the act itself has the table remember

    @property
    def said(self) -> Mapping[str, Said]:
        """What is said with it."""
        if callable(self._said):
            self._said = self._said()
        return self._said

    @said.setter
    def said(self, said: Mapping[str, Said]) -> None:
        self._said = said

    def words(self) -> dict[str, object]:
        """What may be put in for words in braces: what was said, who acts, and when."""
        by, at = self.by or "", self.at if self.at is not None else ""
        words: dict[str, object] = {**self.said, "who": self.who or by, "by": by, "at": at}
        faces = self.said.get("faces", self.state.facts.get("result"))
        if faces is not None:
            words["outcome"] = self._outcome(faces)
        return words

    def _outcome(self, faces: Said) -> str:
        """How the book has a result called."""
        outcome = outcome_of(self.view, faces)
        return "" if outcome is None else self.book.outcomes.call(outcome, self.view.call("result") or "{faces}")

    def fact(self, name: str) -> Fact:
        """What the table remembers under a name; `none` where it remembers nothing."""
        return self.view.fact(name)

    def number(self, name: str) -> int:
        """A fact that is a number; 0 where nothing is remembered."""
        value = self.fact(name)
        return value if isinstance(value, int) else 0

    def text(self, name: str) -> str:
        """A word that was said."""
        return str(self.said[name])

    def cents(self, name: str) -> int:
        """An amount that was said."""
        value = self.said[name]
        assert isinstance(value, int), f"{name} is no number"
        return value

    @property
    def count(self) -> int:
        """The number that was said."""
        return self.cents("count")

    def pick(self, name: str) -> Pick:
        """A pick that was said with a wager, as plain data."""
        return self.said.get(name)

    @property
    def hand_to_hand(self) -> bool:
        """Whether dice or coins go from hand to hand at this table."""
        return self.state.settings.manual_dice and self.book.rules.thrower is not None

    @property
    def timezone(self) -> str:
        """The zone of the table."""
        return self.book.rules.book.timezone

    def holds(self, need: Need, words: Mapping[str, object]) -> bool:
        """Whether a need about a fact holds."""
        assert need.fact is not None, f"{need.id} is about nothing"
        name = filled(need.fact, words)
        if not self.remembers(name):
            return need.holds_of_nothing
        if need.is_ and not self._is_one_of(name, need.is_, words):
            return False
        if need.not_ and self._is_one_of(name, need.not_, words):
            return False
        if need.least is not None and self.number(name) < need.least:
            return False
        if need.most is not None and self.number(name) > need.most:
            return False
        return (need.minutes is None and not need.reached) or self._time_holds(need, name)

    def _is_one_of(self, name: str, wanted: list[Fact], words: Mapping[str, object]) -> bool:
        """Whether a fact is one of those wanted. Nothing remembered is `none`; somebody may be called that."""
        value = as_text(self.fact(name))
        return any(each != NONE and value == filled(str(each), words) for each in wanted)

    def remembers(self, name: str) -> bool:
        """Whether there is such a fact at all."""
        return name in self.state.facts or name in self.conduct.facts

    def _time_holds(self, need: Need, name: str) -> bool:
        if self.at is None:
            return False
        then = datetime.fromisoformat(str(self.fact(name)))
        if need.reached and moment(self.at, self.timezone) < moment(then, self.timezone):
            return False
        return need.minutes is None or passed(then, self.at, need.minutes, self.timezone)


def as_text(value: object) -> str:
    """A value as it is put in for a word in braces, however large it is."""
    return filled("{value}", {"value": value})


def refusal_of(need: Need, clause: str | None, words: Mapping[str, object]) -> Refusal:
    """How the refusal of a need is put."""
    return Refusal(need.code, filled(need.say, words), need.clause or clause)


def by_name(*functions: F) -> dict[str, F]:
    """Functions under their own names: what a book writes as `check` or `effect` is the name of one of them."""
    return {function.__name__: function for function in functions}


def unknown_role(conduct: Conduct, role: object) -> Refusal:
    """The refusal of somebody whom the book does not know."""
    known = ", ".join(conduct.role_ids) or "nobody"
    return Refusal(
        "unknown_role", f'The book knows no role called {role}; it knows {known}. A name is said with "who".'
    )
