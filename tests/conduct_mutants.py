"""Alters the conduct of a book, one thing at a time, and checks whether a scenario that the trace names notices.

An act or a command is given to one role too many, or taken from one; a role counts as one more, or as one less; a need,
a ground, a choice, a reason, a lapse or a clause that a refusal cites is removed or added; an act forgets a fact, an
effect, a call. `python -m tests.conduct_mutants BOOK` lists the alterations that no scenario notices.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from croupier import rulebooks
from croupier.rules.book import Book
from croupier.rules.checking import SET_BY_THE_ENGINE
from croupier.rules.conduct import Act, Conduct, Need, Power
from croupier.rules.shelf import Shelf
from croupier.scenarios import Scenario, run_scenario
from croupier.scenarios.acts import read_act
from croupier.scenarios.scenario_lines import Step
from tests.mutants import load_scenarios


class Mutant(NamedTuple):
    """An altered conduct: the trace should name a scenario that notices it for one of `clauses`; `things` are what it
    is about.
    """

    kind: str
    what: str
    conduct: Conduct
    clauses: tuple[str | None, ...] = ()
    things: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what} ({self.kind})"


TOO_MANY, TAKEN = "roles too many", "roles taken away"
WIDER = "wider roles"
NEEDS, CITED = "needs taken out", "clauses of refusals"
GROUNDS, CHOICES = "grounds", "choices"
REASONS, MANDATORY, EARLY, LAPSES = "reasons", "mandatory grounds", "early calls", "lapses"
EFFECTS, NUMBERS, RANKS = "facts and effects", "numbers of the book", "ranks"
KINDS = (
    *(TOO_MANY, TAKEN, WIDER, RANKS, NEEDS, CITED, GROUNDS, CHOICES, REASONS),
    *(MANDATORY, EARLY, LAPSES, NUMBERS, EFFECTS),
)


def mutants(book: Book) -> Iterator[Mutant]:
    """Every alteration of a book's conduct."""
    conduct = book.conduct
    for place, power in enumerate(conduct.powers):
        yield from _of_power(book, power, _putting(conduct, "powers", place))
    for place, act in enumerate(conduct.acts):
        yield from _of_act(book, act, _putting(conduct, "acts", place))
    yield from _wider(conduct)
    yield from _of_void_throws(book)
    yield from _numbers(conduct)


Put = Callable[[Any], Conduct]


def _putting(conduct: Conduct, field: str, place: int) -> Put:
    """Ways to put another act or power in the place of one."""
    parts = getattr(conduct, field)
    return lambda other: msgspec.structs.replace(conduct, **{field: [*parts[:place], other, *parts[place + 1 :]]})


def _less(values: list[Any], place: int) -> list[Any]:
    return values[:place] + values[place + 1 :]


# -- who may


def _roles(conduct: Conduct, part: Act | Power) -> Iterator[tuple[str, str, list[str]]]:
    """The act for a role that should not have it, and without a role that should."""
    for role in conduct.role_ids:
        if not conduct.may(role, part.by):
            yield TOO_MANY, f"also for {role}", [*part.by, role]
    for i, role in enumerate(part.by):
        less = _less(part.by, i)
        if any(not conduct.may(other, less) for other in conduct.role_ids if conduct.may(other, part.by)):
            yield TAKEN, f"not for {role}", less


def _wider(conduct: Conduct) -> Iterator[Mutant]:
    parts: list[Act | Power] = [*conduct.acts, *conduct.powers]
    for place, role in enumerate(conduct.roles):
        put = _putting(conduct, "roles", place)
        for other in conduct.role_ids:
            if other not in (role.id, *role.also):
                more = put(msgspec.structs.replace(role, also=[*role.also, other]))
                if any(_gains(conduct, more, role.id, part.by) for part in parts):
                    yield Mutant(WIDER, f"{role.id} is {other} too", more)
        for i, other in enumerate(role.also):
            yield Mutant(
                WIDER, f"{role.id} is not {other}", put(msgspec.structs.replace(role, also=_less(role.also, i)))
            )


def _gains(before: Conduct, after: Conduct, role: str, by: list[str]) -> bool:
    return after.may(role, by) and not before.may(role, by)


# -- commands and acts


def _of_power(book: Book, power: Power, put: Put) -> Iterator[Mutant]:
    name, things = f"power {power.id}", tuple(_things(book, power))
    for kind, what, by in _roles(book.conduct, power):
        yield Mutant(kind, f"{name} {what}", put(msgspec.structs.replace(power, by=by)), (power.clause,), things)
    for i, reason in enumerate(power.reasons):
        less = _less(power.reasons, i) or ["no reason at all"]
        what = f"{name} without reason {reason}"
        yield Mutant(
            REASONS, what, put(msgspec.structs.replace(power, reasons=less)), (power.clause,), (f"void {reason}",)
        )
    for role in power.refusals:
        rest = {other: clause for other, clause in power.refusals.items() if other != role}
        what = f"{name} without its clause for {role}"
        yield Mutant(CITED, what, put(msgspec.structs.replace(power, refusals=rest)), (power.clause,), things)
    yield from _of_needs(name, power, put, power.clause, ())


def _things(book: Book, power: Power) -> Iterator[str]:
    """What a power lets people do, by its name in the lines that say who may."""
    if power.command == "void":
        yield from (f"void {reason}" for reason in power.reasons)
    else:
        yield book.rules.throw.command if power.command == "throw" else power.command


def _of_act(book: Book, act: Act, put: Put) -> Iterator[Mutant]:
    name, about = f"act {act.id}", (act.id,)
    refused = (act.by_clause or act.clause,)
    for kind, what, by in _roles(book.conduct, act):
        yield Mutant(kind, f"{name} {what}", put(msgspec.structs.replace(act, by=by)), refused, about)
    if act.by_clause not in (None, act.clause) and not all(book.conduct.may(r, act.by) for r in book.conduct.role_ids):
        yield Mutant(
            CITED, f"{name} without by_clause", put(msgspec.structs.replace(act, by_clause=None)), refused, about
        )
    for role in act.refusals:
        rest = {other: clause for other, clause in act.refusals.items() if other != role}
        yield Mutant(
            CITED,
            f"{name} without its clause for {role}",
            put(msgspec.structs.replace(act, refusals=rest)),
            refused,
            about,
        )
    yield from _of_needs(name, act, put, act.clause, about)
    for what, kind, ground, less in _of_grounds(book, act):
        clause = ground if ground in book.citable() else act.clause
        yield Mutant(kind, f"{name} {what}", put(less), (clause,), about)
    for what, less in _without(act, _known_facts(book.conduct)):
        yield Mutant(EFFECTS, f"{name} without {what}", put(less), (), about)


def _of_needs(name: str, part: Act | Power, put: Put, clause: str | None, about: tuple[str, ...]) -> Iterator[Mutant]:
    cited = (clause, *(one.clause for one in part.later)) if isinstance(part, Act) else (clause,)
    for i, need in enumerate(part.needs):
        clauses = (need.clause,) if need.clause is not None else cited
        less = _less(part.needs, i)
        yield Mutant(
            NEEDS, f"{name} without need {need.id}", put(msgspec.structs.replace(part, needs=less)), clauses, about
        )
        if need.clause is not None and need.clause not in cited:
            bare: list[Need] = [*part.needs[:i], msgspec.structs.replace(need, clause=None), *part.needs[i + 1 :]]
            what = f"{name}, need {need.id} without its clause"
            yield Mutant(CITED, what, put(msgspec.structs.replace(part, needs=bare)), clauses, about)


def _of_grounds(book: Book, act: Act) -> Iterator[tuple[str, str, str, Act]]:
    for i, ground in enumerate(act.grounds):
        yield f"without ground {ground}", GROUNDS, ground, msgspec.structs.replace(act, grounds=_less(act.grounds, i))
    voids = book.rules.void.grounds
    for ground in voids if set(act.grounds) & set(voids) else ():
        if ground not in act.grounds:
            yield f"with ground {ground}", GROUNDS, ground, msgspec.structs.replace(act, grounds=[*act.grounds, ground])
    for field, choices in act.choices.items():
        for i, choice in enumerate(choices):
            less = _less(choices, i) or ["nothing at all"]
            yield (
                f"without {field} {choice}",
                CHOICES,
                "",
                msgspec.structs.replace(act, choices={**act.choices, field: less}),
            )


def _known_facts(conduct: Conduct) -> set[str]:
    """The facts that a table of the book can come to record with a value other than the initial one."""
    engine = [name for name in SET_BY_THE_ENGINE if _is_known(conduct, name)]
    names = {*engine, *(name for act in conduct.acts for name in (*act.sets, *act.adds))}
    one_set = conduct.facts.get("smallest set") == conduct.facts.get("largest set") == conduct.facts.get("set")
    return names - ({"set"} if one_set else set())


def _is_known(conduct: Conduct, name: str) -> bool:
    """Whether the engine has a reason to record such a thing at a table of this book."""
    if name.startswith("spoken"):
        return "declare_wager" in conduct.by_id
    if name.startswith("void called"):
        return conduct.early_call is not None
    return "accept" in conduct.by_id or not name.startswith(("chosen", "set", "missing", "found", "lost", "old"))


def _can_forget(pattern: str, known: set[str]) -> bool:
    beginning, *more = re.split(r"[{*]", pattern)
    known_beginnings = [re.split(r"[{*]", name)[0] for name in known]
    return any(name.startswith(beginning) if more else name == beginning for name in known_beginnings)


def _without(act: Act, known: set[str]) -> Iterator[tuple[str, Act]]:
    for name in act.sets:
        yield f"setting {name}", msgspec.structs.replace(act, sets={k: v for k, v in act.sets.items() if k != name})
    for name in act.adds:
        yield f"counting {name}", msgspec.structs.replace(act, adds={k: v for k, v in act.adds.items() if k != name})
    for name in (name for name in act.clears if _can_forget(name, known)):  # the others are another book's
        yield f"forgetting {name}", msgspec.structs.replace(act, clears=[k for k in act.clears if k != name])
    for i, later in enumerate(act.later):
        yield f"later {later.clause}", msgspec.structs.replace(act, later=_less(act.later, i))
    for field in ("effect", "call", "command"):
        if getattr(act, field) is not None:
            yield field, msgspec.structs.replace(act, **{field: None})


def _numbers(conduct: Conduct) -> Iterator[Mutant]:
    """The book's initial numbers, one more or one less; and a rank replaced by the next one above."""
    for name, value in conduct.facts.items():
        for other in (value - 1, value + 1) if isinstance(value, int) else ():
            less = msgspec.structs.replace(conduct, facts={**conduct.facts, name: other})
            yield Mutant(NUMBERS, f"{name} is {other}", less)
    calling = [role for act in ("call_result", "overrule_call") for role in conduct.by_id[act].by]
    for place, role in enumerate(conduct.roles):
        above = min((other.rank for other in conduct.roles if other.rank > role.rank > 0), default=None)
        if above is not None and conduct.may(role.id, calling):
            put = _putting(conduct, "roles", place)
            yield Mutant(RANKS, f"{role.id} ranks as high as the next", put(msgspec.structs.replace(role, rank=above)))


# -- void throws


def _of_void_throws(book: Book) -> Iterator[Mutant]:
    conduct = book.conduct
    seen = conduct.by_id["observe"].grounds
    for i, ground in enumerate(conduct.mandatory):
        if ground not in seen:  # the head of a list is shown to be mandatory; no one observes it
            continue
        less = msgspec.structs.replace(conduct, mandatory=_less(conduct.mandatory, i))
        yield Mutant(MANDATORY, f"{ground} is not mandatory", less, (ground,))
    for ground in (ground for ground in seen if ground not in conduct.mandatory):
        more = msgspec.structs.replace(conduct, mandatory=[*conduct.mandatory, ground])
        yield Mutant(MANDATORY, f"{ground} is mandatory", more, (ground,))
    if conduct.early_call is not None:
        yield Mutant(EARLY, "no early call", msgspec.structs.replace(conduct, early_call=None), (conduct.early_call,))
    for i, ground in enumerate(conduct.early_grounds):
        less = msgspec.structs.replace(conduct, early_grounds=_less(conduct.early_grounds, i))
        yield Mutant(EARLY, f"no early call for {ground}", less, (conduct.early_call,))
    for ground in (g for g in book.rules.void.grounds if conduct.early_grounds and g not in conduct.early_grounds):
        more = msgspec.structs.replace(conduct, early_grounds=[*conduct.early_grounds, ground])
        yield Mutant(EARLY, f"early call for {ground}", more, (conduct.early_call,))
    for i, lapse in enumerate(conduct.lapses):
        less = msgspec.structs.replace(conduct, lapses=_less(conduct.lapses, i))
        yield Mutant(LAPSES, f"no lapse {i + 1}", less, (lapse.clause,))


# -- who notices


class Noticing:
    """The scenarios of a book, and which of them would notice an alteration."""

    def __init__(self, book_id: str) -> None:
        self.shelf = Shelf()
        self.book = self.shelf.book(book_id)
        self.scenarios = [scenario for scenario in load_scenarios(book_id) if not scenario.promotion]
        self.things = {id(scenario): self._things(scenario) for scenario in self.scenarios}

    def notices(self, mutant: Mutant) -> bool:
        """Whether a scenario that the trace names for its clauses fails."""
        about = self._about(mutant)
        self.book.__dict__["conduct"] = mutant.conduct
        noticing = next((place for place, scenario in enumerate(about) if self._goes_wrong(scenario)), None)
        if noticing is not None:  # it is likely to notice the next mutant too
            self.scenarios.remove(about[noticing])
            self.scenarios.insert(0, about[noticing])
        return noticing is not None

    def _about(self, mutant: Mutant) -> list[Scenario]:
        found = self.scenarios
        if mutant.clauses:
            found = [scenario for scenario in found if set(mutant.clauses) & set(scenario.proves)]
        elif not mutant.things:
            found = [scenario for scenario in found if scenario.file.startswith("conduct-")]
        if mutant.things:
            found = [scenario for scenario in found if self.things[id(scenario)] & set(mutant.things)]
        return found

    def _things(self, scenario: Scenario) -> set[str]:
        """The acts that a scenario is about, and what it says that someone may do."""
        found: set[str] = set()
        for step in _steps(scenario.steps):
            if step.kind == "may":
                found.add(step.values["thing"])
            elif step.kind == "act":
                act = read_act(self.book, step.values["text"])
                found |= set() if act is None else {act.act}
        return found

    def _goes_wrong(self, scenario: Scenario) -> bool:
        """Whether a scenario fails; an engine that crashes on something missing counts as well."""
        try:
            return run_scenario(scenario, self.shelf) is not None
        except (AssertionError, LookupError, TypeError, ValueError):
            return True


def _steps(steps: list[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _steps(step.trials)


def survivors(book_id: str) -> tuple[list[Mutant], Counter[str]]:
    """The alterations of a book's conduct that no scenario named in the trace notices, and the number of alterations
    tried.
    """
    noticing = Noticing(book_id)
    made = list(mutants(noticing.book))
    return [mutant for mutant in made if not noticing.notices(mutant)], Counter(mutant.kind for mutant in made)


def listed(books: Iterable[str]) -> int:
    """List the survivors of books; returns the exit status."""
    status = 0
    for book_id in books:
        living, counts = survivors(book_id)
        for mutant in living:
            print(f"{book_id}: nobody notices: {mutant}")
        unnoticed = Counter(mutant.kind for mutant in living)
        for kind in (kind for kind in KINDS if counts[kind]):
            print(f"{book_id}: {counts[kind]} {kind}, {unnoticed[kind]} unnoticed")
        status = status or bool(living)
    return int(status)


if __name__ == "__main__":
    sys.exit(listed(sys.argv[1:] or rulebooks.ids()))
