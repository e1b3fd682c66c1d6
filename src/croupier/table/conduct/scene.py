"""Somebody about to do something at a table: who, what is said with it, when, and what the table remembers so far."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from croupier.rules.conduct import Conduct, Need, filled
from croupier.rules.facts import NONE, Fact
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.table.clock import moment, passed
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.under_way import outcome_of
from croupier.table.view import TableView

Said = int | str | tuple[int, ...] | None


class Scene:
    """What checks and effects look at. `by` is the role of who acts, `who` the name, `said` what is said with it."""

    __slots__ = ("at", "book", "by", "changes", "clause", "conduct", "said", "shelf", "state", "view", "who")

    def __init__(
        self,
        shelf: Shelf,
        state: State,
        by: str | None,
        who: str | None,
        at: datetime | None,
        said: Mapping[str, Said],
    ) -> None:
        self.shelf = shelf
        self.state = state
        self.view = TableView(shelf, state)
        self.book = self.view.game.book
        self.conduct: Conduct = self.book.conduct
        self.by = by
        self.who = who
        self.at = at
        self.said = said
        self.clause = ""
        self.changes: dict[str, Fact | None] = {}  # what the act itself has the table remember

    def words(self) -> dict[str, object]:
        """What may be put in for words in braces: what was said, who acts, and when."""
        when = self.at.isoformat() if self.at is not None else ""
        words: dict[str, object] = {**self.said, "who": self.who or self.by or "", "by": self.by or "", "at": when}
        if "faces" in self.said:
            words["outcome"] = self._outcome(self.said["faces"])
        return words

    def _outcome(self, faces: Said) -> str:
        """How the book has a result called."""
        outcome = outcome_of(self.view, faces)
        return "" if outcome is None else self.book.outcomes.call(outcome, self.view.call("result") or "{faces}")

    def fact(self, name: str) -> Fact:
        """What the table remembers under a name; `none` where it remembers nothing."""
        facts = self.state.facts
        return facts[name] if name in facts else self.conduct.facts.get(name, NONE)

    def number(self, name: str) -> int:
        """A fact that is a number; 0 where nothing is remembered."""
        value = self.fact(name)
        return value if isinstance(value, int) else 0

    def text(self, name: str) -> str:
        """A word that was said."""
        return str(self.said[name])

    def cents(self, name: str) -> int:
        """An amount, or a number, that was said."""
        value = self.said[name]
        assert isinstance(value, int), f"{name} is no number"
        return value

    def pick(self, name: str) -> Pick:
        """A pick that was said with a wager, as plain data."""
        return self.said.get(name)

    @property
    def timezone(self) -> str:
        """The zone of the table."""
        return self.book.rules.book.timezone

    def holds(self, need: Need, words: Mapping[str, object]) -> bool:
        """Whether a need about a fact holds."""
        assert need.fact is not None, f"{need.id} is about nothing"
        value = self.fact(filled(need.fact, words))
        if need.is_ and str(value) not in [filled(str(wanted), words) for wanted in need.is_]:
            return False
        if need.not_ and str(value) in [filled(str(barred), words) for barred in need.not_]:
            return False
        number = value if isinstance(value, int) else 0
        if (need.least is not None and number < need.least) or (need.most is not None and number > need.most):
            return False
        return self._time_holds(need, str(value))

    def _time_holds(self, need: Need, value: str) -> bool:
        if need.minutes is None and not need.reached:
            return True
        if self.at is None or value == NONE:
            return False
        then = datetime.fromisoformat(value)
        if need.reached and moment(self.at, self.timezone) < moment(then, self.timezone):
            return False
        return need.minutes is None or passed(then, self.at, need.minutes, self.timezone)


def refusal_of(need: Need, clause: str | None, words: Mapping[str, object]) -> Refusal:
    """How the refusal of a need is put."""
    return Refusal(need.code, filled(need.say, words), need.clause or clause)
