"""Takes something out of the conduct of a book, one thing at a time, and asks whether a scenario notices.

A need, a fact that is set, counted or forgotten, an effect, a call, a later clause: whatever an act or a command could
do without unnoticed is not proved. `python -m tests.conduct_mutants BOOK` lists the survivors.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from croupier.rules.conduct import Act, Conduct, Power
from croupier.rules.facts import SET_BY_THE_ENGINE
from croupier.rules.shelf import Shelf
from croupier.scenarios import Scenario, run_scenario
from croupier.scenarios.acts import read_act
from croupier.scenarios.language import Step
from tests.mutants import load_scenarios


class Mutant(NamedTuple):
    """A conduct that lacks one thing; `act` is the act that lacks it, None where it is a command."""

    what: str
    act: str | None
    conduct: Conduct


def mutants(conduct: Conduct) -> Iterator[Mutant]:
    """Everything that can be left out."""
    for place, power in enumerate(conduct.powers):
        for i, need in enumerate(power.needs):
            less = msgspec.structs.replace(power, needs=power.needs[:i] + power.needs[i + 1 :])
            yield Mutant(f"power {power.id} without need {need.id}", None, _with_power(conduct, place, less))
    for place, act in enumerate(conduct.acts):
        for what, less_act in _without(act, _known_facts(conduct)):
            acts = [*conduct.acts[:place], less_act, *conduct.acts[place + 1 :]]
            yield Mutant(f"act {act.id} without {what}", act.id, msgspec.structs.replace(conduct, acts=acts))


def _with_power(conduct: Conduct, place: int, power: Power) -> Conduct:
    return msgspec.structs.replace(conduct, powers=[*conduct.powers[:place], power, *conduct.powers[place + 1 :]])


def _known_facts(conduct: Conduct) -> set[str]:
    """The facts that a table of the book can come to remember otherwise than it began."""
    engine = [name for name in SET_BY_THE_ENGINE if _is_known(conduct, name)]
    names = {*engine, *(name for act in conduct.acts for name in (*act.sets, *act.adds))}
    one_set = conduct.facts.get("smallest set") == conduct.facts.get("largest set") == conduct.facts.get("set")
    return names - ({"set"} if one_set else set())


def _is_known(conduct: Conduct, name: str) -> bool:
    """Whether the engine has reason to remember such a thing at a table of this book."""
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
    for i, need in enumerate(act.needs):
        yield f"need {need.id}", msgspec.structs.replace(act, needs=act.needs[:i] + act.needs[i + 1 :])
    for name in act.sets:
        yield f"setting {name}", msgspec.structs.replace(act, sets={k: v for k, v in act.sets.items() if k != name})
    for name in act.adds:
        yield f"counting {name}", msgspec.structs.replace(act, adds={k: v for k, v in act.adds.items() if k != name})
    for name in (name for name in act.clears if _can_forget(name, known)):  # the others are another book's
        yield f"forgetting {name}", msgspec.structs.replace(act, clears=[k for k in act.clears if k != name])
    for field in ("effect", "call", "later", "command"):
        if getattr(act, field) is not None:
            yield field, msgspec.structs.replace(act, **{field: None})


def survivors(book_id: str) -> list[str]:
    """What can be left out of a book's conduct without any scenario noticing."""
    shelf = Shelf()
    book = shelf.book(book_id)
    conduct = book.conduct
    scenarios = [scenario for scenario in load_scenarios(book_id) if scenario.file.startswith("conduct-")]
    doing = {act.id: [s for s in scenarios if act.id in _acts(shelf, s)] for act in conduct.acts}
    found = []
    for mutant in mutants(conduct):
        book.__dict__["conduct"] = mutant.conduct
        about = scenarios if mutant.act is None else doing[mutant.act]
        if not any(_notices(scenario, shelf) for scenario in about):
            found.append(mutant.what)
    return found


def _notices(scenario: Scenario, shelf: Shelf) -> bool:
    """Whether a scenario goes wrong; an engine that stumbles over what is missing counts as well."""
    try:
        return run_scenario(scenario, shelf) is not None
    except (AssertionError, LookupError, TypeError, ValueError):
        return True


def _acts(shelf: Shelf, scenario: Scenario) -> set[str]:
    """The acts that a scenario is about."""

    def texts(steps: list[Step]) -> Iterator[str]:
        for step in steps:
            yield from [step.values["text"]] if step.kind == "act" else []
            yield from texts(step.trials)

    read = [read_act(shelf.book(scenario.book), text) for text in texts(scenario.steps)]
    return {act.act for act in read if act is not None}


if __name__ == "__main__":
    for survivor in survivors(sys.argv[1]):
        print(survivor)
