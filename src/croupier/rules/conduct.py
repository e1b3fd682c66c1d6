"""How a game is conducted, as a book writes it: who may do what and when, and what the table remembers of it.

An act is written like a row of a machine: who may do it, what must hold, what is remembered afterwards, and the clause.
What the table remembers are facts: small named values such as `dice = "offered"` or `missing = 1`. A fact about one
person carries the name: `excluded {player}`. A fact that nobody has set is `none`, or 0 where numbers are compared.

What the books have in common is written once, in `common-conduct`. A book names the acts that it knows, and says who
does them, under which clause, and what it asks for besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal

from croupier.money import format_cents
from croupier.rules.facts import NONE, Fact
from croupier.rules.schema import Part

PLAYER = "player"  # anybody with a seat; every other role is one of the book's

_FIELD = re.compile(r"\{(\w+)\}")

Kind = Literal["player", "money", "count", "time", "faces", "reason", "wager", "role", "text"]

# What may be said with an act, and of what kind it is. Every other word in braces is a text.
KINDS: dict[str, Kind] = {
    "player": "player",
    "amount": "money",
    "minimum": "money",
    "maximum": "money",
    "value": "money",
    "count": "count",
    "time": "time",
    "faces": "faces",
    "reason": "reason",
    "wager": "wager",
    "to": "wager",
    "role": "role",
}


# The registers that a house keeps of what is done at its tables, for those who supervise it.
Register = Literal[
    "wrong_payments", "disputes", "exclusions", "invalidated_outcomes", "changes", "malfunctions_and_notices"
]

HouseRole = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]


class Role(Part, frozen=True):
    """A person who may act. `also` names the wider roles that the book counts them among; a higher rank overrules.

    `house` is which of the few roles of a house the book's title belongs to; nobody's where there is none. Who has a
    title with `one_table` runs one table at a time.
    """

    id: str
    clause: str
    rank: int = 0
    also: list[str] = []
    house: HouseRole | None = None
    one_table: bool = False


class Need(Part, frozen=True, dict=True, rename={"is_": "is", "not_": "not"}):
    """What must hold before something is done, and how its refusal is put.

    A fact is one of `is` and none of `not`, at `least` and at `most` so much; it is a time that lies `minutes` back, or
    that has been `reached`. `check` is a question about the table that the engine answers instead.
    """

    id: str
    code: str
    say: str
    clause: str | None = None
    fact: str | None = None
    is_: list[Fact] = []
    not_: list[Fact] = []
    least: int | None = None
    most: int | None = None
    minutes: int | None = None
    reached: bool = False
    check: str | None = None

    @cached_property
    def holds_of_nothing(self) -> bool:
        """Whether it holds while nothing is remembered under its name: that is `none`, or 0, and no time at all."""
        if (self.is_ and NONE not in self.is_) or NONE in self.not_ or self.minutes is not None or self.reached:
            return False
        return (self.least is None or self.least <= 0) and (self.most is None or self.most >= 0)


class Later(Part, frozen=True):
    """Another clause under which the same act is done where a check holds: in the course of play, or with dice lost."""

    check: str
    clause: str


class Step(Part, frozen=True):
    """How something is offered to whoever runs a table, whenever the table would take it from them.

    It comes `next`, or may be done `beside` that; what sees to a `wager` that waits is offered with it. `words` are
    those of its button, `key` the letter that presses it, `press` the word for the second press where faces are
    entered. `given` is what is said with it; what is not given is asked for. Words in braces stand for facts, for what
    is said, and for what the house knows of the table (`house.steps`). It is offered where all checks of `when` hold,
    and none of `unless`. What `waits` is told with the reason while the table would refuse it. Where faces are entered,
    the `first` of them does these acts, as far as they are not done.
    """

    kind: Literal["next", "beside", "wager"]
    words: str
    given: dict[str, Fact] = {}
    press: str = ""
    key: str | None = None
    when: list[str] = []
    unless: list[str] = []
    waits: bool = False
    first: list[str] = []


class Own(Part, frozen=True):
    """How something is offered to a player, whenever the table would take it from them and all checks of `when` hold.

    `words` are those of its button; {things} stands for what is thrown. The game `goes_on` with it, or it is stopped.
    """

    words: str
    goes_on: bool = False
    when: list[str] = []


class Moment(Part, frozen=True, rename={"is_": "is"}):
    """How a game stands while a fact is one of `is`, put in `words` for whoever runs the table.

    `unless` are checks of which none may hold. `act` is what ends the moment; its roles are put in for `{by}`.
    """

    id: str
    words: str
    fact: str
    is_: list[Fact]
    unless: list[str] = []
    act: str | None = None


class Act(Part, frozen=True, dict=True):
    """Something that somebody does besides wagering. `says` puts it in words; what stands in braces is given with it.

    `sets`, `adds` and `clears` change facts. `grounds` are what `{reason}` may be, `choices` what other words may be.
    `effect` names what else the engine does. `by_clause` is cited to those who may not do it. `command` is the command
    of every table that the act begins: what stands against that command stands against the act. What is done `aside`
    leaves the throw alone, and may be done where the table itself throws. `alert` is what a supervisor is told in short
    when it is done, and has to answer for; `register` is where a house enters it. Acts of one `topic` belong together
    where they are listed. The first of `later` whose check holds says the clause instead. `step` is how it is offered
    as a step of the game, `own` how it is to a player.
    """

    id: str
    by: list[str]
    clause: str
    says: list[str]
    by_clause: str | None = None
    needs: list[Need] = []
    sets: dict[str, Fact] = {}
    adds: dict[str, Fact] = {}
    clears: list[str] = []
    grounds: list[str] = []
    choices: dict[str, list[str]] = {}
    effect: str | None = None
    aside: bool = False
    alert: str | None = None
    register: Register | None = None
    topic: str = ""
    call: str | None = None
    command: str | None = None
    later: list[Later] = []
    step: Step | None = None
    own: Own | None = None

    @cached_property
    def forms(self) -> list[list[str]]:
        """What must be said with the act, for each way to put it."""
        return [fields_of(form) for form in self.says]


class Power(Part, frozen=True):
    """Who may give a command that every table knows, and what must hold for it.

    `reasons` narrows it to some reasons. `refusals` are clauses that refuse certain roles in particular. `step` is how
    it is offered as a step of the game. `says` puts into words what is done for somebody else, as an act does.
    """

    id: str
    command: str
    by: list[str]
    clause: str | None = None
    refusals: dict[str, str] = {}
    reasons: list[str] = []
    needs: list[Need] = []
    step: Step | None = None
    says: list[str] = []


class Lapse(Part, frozen=True, rename={"is_": "is"}):
    """What must have been done before a throw, or it has no result, under `clause`.

    That is the bets `closed`, or a fact that is one of `is` and at `least` so much. The fact is asked for where people
    handle the dice themselves; with `fitted`, where that equipment is in use.
    """

    clause: str
    closed: bool = False
    fact: str = ""
    is_: list[Fact] = []
    least: int | None = None
    fitted: str | None = None


class Bar(Part, frozen=True):
    """What stands against several commands and acts alike; its needs are asked with those of each."""

    id: str
    needs: list[Need]
    powers: list[str] = []
    acts: list[str] = []


class NextStep(Part, frozen=True, rename={"is_": "is"}):
    """What may be done next about a case while a fact is one of `is`; where that names nothing, while there is one.

    The first of `acts` is what is expected. A fact may hold several things that are due, with commas between.
    """

    fact: str
    acts: list[str]
    is_: list[Fact] = []


class CaseKind(Part, frozen=True):
    """Something with a next step that stays open until all of it is done; `{case}` is what people call it.

    The act `opens` begins one. `fact` says how far it has come, `who` whose it is, `about` what it is about, `since`
    when it came up, `due` what is still to be paid.
    """

    id: str
    opens: str
    fact: str
    who: str
    about: str
    since: str
    due: str
    next: list[NextStep]


class Conduct(Part, frozen=True, dict=True):
    """The conduct of a game.

    `mandatory` are the grounds on which a throw must be called void, `lapses` what makes it void by itself. On the
    grounds `off_the_table` something has left the table, and is searched for; the act that says so is on the first.
    `early_call` is the clause that wants it called void before it rests, so that the table records when it was;
    `early_grounds` are the grounds that the clause speaks of, all where none is named. Of the `moments` the first that
    holds is told. `duties` are acts that somebody has to see to, `cases` the kinds of cases that stay open. `bars`
    stand against several commands and acts alike.
    """

    roles: list[Role] = []
    facts: dict[str, Fact] = {}
    mandatory: list[str] = []
    off_the_table: list[str] = []
    lapses: list[Lapse] = []
    early_call: str | None = None
    early_grounds: list[str] = []
    powers: list[Power] = []
    acts: list[Act] = []
    moments: list[Moment] = []
    duties: list[Duty] = []
    bars: list[Bar] = []
    cases: list[CaseKind] = []

    @cached_property
    def by_id(self) -> dict[str, Act]:
        """The acts by name."""
        return {act.id: act for act in self.acts}

    @cached_property
    def role_ids(self) -> list[str]:
        """Everybody who may act, by the name of the role."""
        return [role.id for role in self.roles]

    @cached_property
    def _classes(self) -> dict[str, frozenset[str]]:
        return {role.id: frozenset([role.id, *role.also]) for role in self.roles}

    def may(self, role: str, by: Iterable[str]) -> bool:
        """Whether a role is one of those named, by itself or as one of a wider role."""
        return not self._classes.get(role, frozenset()).isdisjoint(by)

    @cached_property
    def by_rank(self) -> list[Role]:
        """Everybody who may act, the humblest first."""
        return sorted(self.roles, key=lambda role: role.rank)

    def rank(self, role: str) -> int:
        """How high a role stands; 0 for one that the book does not rank."""
        return next((known.rank for known in self.roles if known.id == role), 0)

    @cached_property
    def _powers(self) -> dict[str, list[Power]]:
        found: dict[str, list[Power]] = {}
        for power in self.powers:
            found.setdefault(power.command, []).append(power)
        return found

    @cached_property
    def _asked_anyway(self) -> dict[str, list[Need]]:
        return {power.id: [need for need in power.needs if self._is_asked_anyway(need)] for power in self.powers}

    def _is_asked_anyway(self, need: Need) -> bool:
        if need.fact is None or not need.holds_of_nothing:
            return True
        start = need.fact.partition("{")[0]
        return any(name.startswith(start) for name in self.facts)

    def needs(self, power: Power, facts: Mapping[str, Fact]) -> list[Need]:
        """What must hold for a command, as far as it may not: where nothing is remembered most of it does."""
        return power.needs if facts else self._asked_anyway[power.id]

    @cached_property
    def fitting(self) -> dict[tuple[str, ...], str | None]:
        """Titles that were found to fit, for whoever looks for them again and again."""
        return {}

    def knows(self, command: str) -> bool:
        """Whether the book gives the command to anybody."""
        return command in self._powers

    def power(self, command: str, reason: str | None) -> Power | None:
        """What the book says of a command; where it depends on the reason, of a command for that reason."""
        for power in self._powers.get(command, ()):
            if not power.reasons or reason in power.reasons:
                return power
        return None


def fields_of(text: str) -> list[str]:
    """The words in braces."""
    return _FIELD.findall(text)


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with values put in for the words in braces."""
    if "{" not in text:
        return text
    plain, *rest = _parts(text)
    for word, after in zip(rest[::2], rest[1::2], strict=True):
        plain += (_written(values[word]) if word in values else f"{{{word}}}") + after
    return plain


@lru_cache(maxsize=4096)
def _parts(text: str) -> list[str]:
    """What stands between the words in braces, and the words, by turns."""
    return _FIELD.split(text)


def _written(value: object) -> str:
    """A value as text. Money has no ceiling, and Python writes only so many digits at once."""
    if isinstance(value, datetime):
        return value.isoformat()
    return format_cents(value * 100)[:-3] if isinstance(value, int) and abs(value) >= 10**18 else str(value)


# -- duties -----------------------------------------------------------------------------------------------------------
# Duties as a book's conduct writes them: which act somebody has to see to, what makes it due, and by when.

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
