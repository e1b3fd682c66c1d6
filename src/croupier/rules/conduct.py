"""How a game is conducted, as a book writes it: who may do what and when, and which facts the table records.

An act is written like a row of a machine: who may do it, what must hold, what is recorded afterwards, and the
clause. The table records facts: small named values such as `dice = "offered"` or `missing = 1`. A fact about one
person includes the name: `excluded {player}`. A fact that was never set is `none`, or 0 where numbers are compared.

What the books have in common is written once, in `common-conduct`. A book lists the acts that it uses and says who
does them, under which clause, and with what additional needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal

from croupier.money import format_cents
from croupier.rules.schema import NONE, Cited, Fact, Part

PLAYER = "player"  # anyone with a seat; every other role is defined by the book

_FIELD = re.compile(r"\{(\w+)\}")

Kind = Literal["player", "money", "count", "time", "faces", "reason", "wager", "role", "text"]

# The fields of an act and their kinds. Every other word in braces is text.
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


# The registers in which a house records what happens at its tables, for its regulator.
Register = Literal[
    "wrong_payments", "disputes", "exclusions", "invalidated_outcomes", "changes", "malfunctions_and_notices"
]

HouseRole = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]


class Role(Part, frozen=True):
    """A title under which a person may act. `also` lists the wider roles it belongs to; a higher rank overrules.

    `house` maps the book's title to one of the few roles of a house; None if there is no counterpart. A person holding
    a title with `one_table` runs one table at a time.
    """

    id: str
    clause: Cited
    rank: int = 0
    also: list[str] = []
    house: HouseRole | None = None
    one_table: bool = False


class Need(Part, frozen=True, dict=True, rename={"is_": "is", "not_": "not"}):
    """A condition for doing something, and the text of its refusal.

    The fact must be one of `is`, none of `not`, at `least` and at `most` a number; or it is a time that lies
    `minutes` back, or that has been `reached`. `check` names a question about the table that the engine answers
    instead.
    """

    id: str
    code: str
    say: str
    clause: Cited | None = None
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
        """Whether it holds while its fact is unset, which counts as `none` or 0 and never as a time."""
        if (self.is_ and NONE not in self.is_) or NONE in self.not_ or self.minutes is not None or self.reached:
            return False
        return (self.least is None or self.least <= 0) and (self.most is None or self.most >= 0)


class Later(Part, frozen=True):
    """Another clause that applies to the same act while a check holds: during play, or with dice lost."""

    check: str
    clause: Cited


class Step(Part, frozen=True):
    """How an act or command is offered to the person running a table, whenever the table would accept it.

    It is the `next` step, or may be done `beside` that; a step of kind `wager` is offered with the wager that waits
    for it. `words` label its button, `key` is the keyboard shortcut, `press` labels the second press where faces are
    entered. `given` are the values sent with it; other fields are asked for. Words in braces are replaced by facts,
    by values sent, and by what the house knows of the table (`house.views.console`). It is offered while all checks of
    `when` hold and none of `unless`. A step that `waits` is also shown while the table would refuse it, with the
    reason. Where faces are entered, entering the `first` face performs these acts, unless they are already done.
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
    """How an act is offered to a player, whenever the table would accept it from them and all checks of `when` hold.

    `words` label its button; {things} is replaced by what is thrown. If it `goes_on`, the act continues the game;
    otherwise it stops it.
    """

    words: str
    goes_on: bool = False
    when: list[str] = []


class GameMoment(Part, frozen=True, rename={"is_": "is"}):
    """The state of a game while a fact is one of `is`, described in `words` for the person running the table.

    None of the checks in `unless` may hold. `act` ends the moment; the roles that may do it replace `{by}`.
    """

    id: str
    words: str
    fact: str
    is_: list[Fact]
    unless: list[str] = []
    act: str | None = None


class Act(Part, frozen=True, dict=True):
    """Something a person does besides wagering. `says` phrases it; words in braces are the fields given with it.

    `sets`, `adds` and `clears` change facts. `grounds` lists the values of `{reason}`, `choices` those of other
    fields. `effect` names what else the engine does. `by_clause` is cited to people who may not do it, `refusals`
    maps single roles to other clauses. `command` is the table command that the act begins: anything that bars the
    command bars the act. An act done `aside` does not affect the throw, and is possible where the table itself
    throws. `alert` is the short text shown to a supervisor, who has to respond to it; `register` is where a house
    records it. Acts of one `topic` are listed together. The first of `later` whose check holds replaces the clause.
    `step` is how it is offered as a step of the game, `own` how it is offered to a player.
    """

    id: str
    by: list[str]
    clause: Cited
    says: list[str]
    by_clause: Cited | None = None
    refusals: dict[str, Cited] = {}
    needs: list[Need] = []
    sets: dict[str, Fact] = {}
    adds: dict[str, Fact] = {}
    clears: list[str] = []
    grounds: list[Cited] = []
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
        """The fields each phrasing requires."""
        return [fields_of(form) for form in self.says]


class Power(Part, frozen=True):
    """Who may give a command known to every table, and what must hold for it.

    `reasons` narrows it to some reasons. `refusals` maps roles to the clauses that refuse them; `own_clause` refuses
    a player who gives it for another player. `step` is how it is offered as a step of the game. `says` phrases a
    command given on another person's behalf, as for an act.
    """

    id: str
    command: str
    by: list[str]
    clause: Cited | None = None
    refusals: dict[str, Cited] = {}
    own_clause: Cited | None = None
    reasons: list[Cited] = []
    needs: list[Need] = []
    step: Step | None = None
    says: list[str] = []


class Lapse(Part, frozen=True, rename={"is_": "is"}):
    """Something that must have been done before a throw; otherwise the throw has no result, under `clause`.

    Either the bets must be `closed`, or a fact must be one of `is` and at `least` a number. The fact applies where
    people handle the dice themselves; with `fitted`, where that equipment is in use.
    """

    clause: Cited
    closed: bool = False
    fact: str = ""
    is_: list[Fact] = []
    least: int | None = None
    fitted: str | None = None


class Bar(Part, frozen=True):
    """Needs that apply to several commands and acts, in addition to their own."""

    id: str
    needs: list[Need]
    powers: list[str] = []
    acts: list[str] = []


class NextStep(Part, frozen=True, rename={"is_": "is"}):
    """The acts that may follow in a case while a fact is one of `is`; with `is` empty, while the fact is set.

    The first of `acts` is the expected one. A fact may list several things due, separated by commas.
    """

    fact: str
    acts: list[str]
    is_: list[Fact] = []


class CaseKind(Part, frozen=True):
    """A kind of case: something that stays open until every step is done; `{case}` is its name.

    The act `opens` starts one. These fields name facts: `fact` its progress, `who` the person concerned, `about` its
    subject, `since` when it came up, `due` the amount still to be paid.
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

    `mandatory` lists the grounds on which a throw must be called void, `lapses` what makes it void automatically. On
    the grounds `off_the_table` something has left the table and is searched for; the act that reports this uses the
    first. `early_call` is the clause that requires calling the throw void before it comes to rest, so the table
    records when it was called; `early_grounds` are the grounds it covers, all of them if empty. Of the `moments`,
    the first that holds is shown. `duties` are acts that have to be performed, `cases` the kinds of cases that
    stay open. `bars` are needs shared by several commands and acts.
    """

    roles: list[Role] = []
    facts: dict[str, Fact] = {}
    mandatory: list[Cited] = []
    off_the_table: list[str] = []
    lapses: list[Lapse] = []
    early_call: Cited | None = None
    early_grounds: list[str] = []
    powers: list[Power] = []
    acts: list[Act] = []
    moments: list[GameMoment] = []
    duties: list[Duty] = []
    bars: list[Bar] = []
    cases: list[CaseKind] = []

    @cached_property
    def by_id(self) -> dict[str, Act]:
        """The acts by id."""
        return {act.id: act for act in self.acts}

    @cached_property
    def role_ids(self) -> list[str]:
        """The ids of all roles."""
        return [role.id for role in self.roles]

    @cached_property
    def _classes(self) -> dict[str, frozenset[str]]:
        return {role.id: frozenset([role.id, *role.also]) for role in self.roles}

    def may(self, role: str, by: Iterable[str]) -> bool:
        """Whether a role is among those named, directly or through a wider role."""
        return not self._classes.get(role, frozenset()).isdisjoint(by)

    @cached_property
    def by_rank(self) -> list[Role]:
        """All roles, lowest rank first."""
        return sorted(self.roles, key=lambda role: role.rank)

    def rank(self, role: str) -> int:
        """Return the rank of a role; 0 for one that the book does not rank."""
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
        """Return the needs to check for a command. While no facts are set, needs that hold by default are skipped."""
        return power.needs if facts else self._asked_anyway[power.id]

    @cached_property
    def fitting(self) -> dict[tuple[str, ...], str | None]:
        """A cache of titles found to fit, for repeated lookups."""
        return {}

    def knows(self, command: str) -> bool:
        """Whether the book gives the command to any role."""
        return command in self._powers

    def power(self, command: str, reason: str | None) -> Power | None:
        """Return the book's rule for a command; where it depends on the reason, the rule for that reason."""
        for power in self._powers.get(command, ()):
            if not power.reasons or reason in power.reasons:
                return power
        return None


def fields_of(text: str) -> list[str]:
    """Return the words in braces."""
    return _FIELD.findall(text)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return the text with values substituted for the words in braces."""
    if "{" not in text:
        return text
    plain, *rest = _parts(text)
    for word, after in zip(rest[::2], rest[1::2], strict=True):
        plain += (_written(values[word]) if word in values else f"{{{word}}}") + after
    return plain


@lru_cache(maxsize=4096)
def _parts(text: str) -> list[str]:
    """Split a text into the parts between braces and the words in braces, alternating."""
    return _FIELD.split(text)


def _written(value: object) -> str:
    """Return a value as text. Amounts are unbounded, and Python limits the digits of one conversion."""
    if isinstance(value, datetime):
        return value.isoformat()
    return format_cents(value * 100)[:-3] if isinstance(value, int) and abs(value) >= 10**18 else str(value)


# -- duties -----------------------------------------------------------------------------------------------------------
# Duties: which act is due, since when, and by when.

# By when: within minutes; without a deadline; when the notice period of the announcing sign ends; it lasts until the
# time in the fact; by the end of the first day after the month.
Within = Literal["at once", "as soon as possible", "notice", "until", "month end"]


AT_ONCE = timedelta(minutes=15)  # long enough to notify a person; anything later was not at once


class Duty(Part, frozen=True, rename={"is_": "is"}):
    """What makes an act due. `id` is the act: its clause and the roles that may do it are the duty's too.

    It is open while `fact` is one of `is`; with `is` empty, from when the fact is set until one of `done` is set. A
    word in braces matches any name, and each match is a separate duty. `since` is the fact that made it arise, if
    not `fact`. `wager`: only where that wager is offered.
    """

    id: str
    what: str
    fact: str
    within: Within
    is_: tuple[Fact, ...] = ()
    since: str | None = None
    done: tuple[str, ...] = ()
    wager: str | None = None
