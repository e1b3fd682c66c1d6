"""Disputes and errors found by staff: their steps, the people who take them, and the money due.

Acts record the progress of a dispute in facts. This module handles the times and people of its steps, so that no one
reviews their own decision, and its money: at most what was at stake (readings X-32, X-56 to X-58). It also lists the
open cases of every kind that the book defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from croupier.contract.lines import OpenCase
from croupier.money import format_cents, winnings_cents
from croupier.rules.conduct import CaseKind, Conduct, NextStep, fields_of, filled
from croupier.rules.machine import Pick, plain_pick
from croupier.rules.schema import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.state import Area, TableView

KINDS = ("dispute", "error", "mispayment")  # the facts that identify a case
DECISIONS = ("decided", "reviewed")  # decisions that another person may review
FINAL = "final"
_DAY = "gaming day"

Changes = dict[str, Fact | None]


@check
def is_new_case(scene: Scene) -> bool:
    """Whether the name is not in use: one name is one case."""
    return not is_case(scene)


@check
def is_case(scene: Scene) -> bool:
    """Whether there is such a case."""
    return any(f"{kind} {scene.text('case')}" in scene.state.facts for kind in KINDS)


def acting(scene: Scene) -> str:
    """Return the acting person's name, or the role if no name is given."""
    return scene.who or scene.by or ""


@check
def is_another_person(scene: Scene) -> bool:
    """Whether this person has not decided the case before. If a name is on record, a role alone proves nothing."""
    case, facts = scene.text("case"), scene.state.facts
    return _is_none_of(scene, [facts[f"who {step} {case}"] for step in DECISIONS if f"who {step} {case}" in facts])


@check
def is_not_the_finder(scene: Scene) -> bool:
    """Whether an error is paid by a person other than its finder."""
    finder = scene.state.facts.get(f"who found {scene.text('case')}")
    return finder is None or _is_none_of(scene, [finder])


def _is_none_of(scene: Scene, others: list[Fact]) -> bool:
    if scene.who is None and any(other not in scene.conduct.role_ids for other in others):
        return False
    return acting(scene) not in others


@check
def is_their_dispute(scene: Scene) -> bool:
    """Whether the person who is content, if named, raised the dispute."""
    return "person" not in scene.said or scene.said["person"] == scene.fact(f"disputant {scene.text('case')}")


@check
def is_content_or_final(scene: Scene) -> bool:
    """Whether the dispute can end: with the operator's decision, or with any that its person accepts."""
    stage = scene.fact(f"dispute {scene.text('case')}")
    return stage == FINAL or ("person" in scene.said and stage != "raised")


@check
def is_at_stake(scene: Scene) -> bool:
    """Whether no more is due than was at stake when the case came up, including the person's other cases."""
    if "amount" not in scene.said:
        return True
    case, amount, facts = scene.text("case"), scene.cents("amount"), scene.state.facts
    due = amount + had_else(facts, case, facts.get(f"disputant {case}"), scene.fact(f"day {case}"))
    return amount <= scene.number(f"most {case}") and due <= scene.number(f"whole {case}")


@check
def was_at_stake(scene: Scene) -> bool:
    """Whether the player had that much at stake on the wager with the error."""
    player, amount = scene.text("player"), scene.cents("amount")
    due = amount + had_else(scene.state.facts, scene.text("case"), player, scene.fact(_DAY))
    return amount <= _most(scene, player) and due <= all_at_stake(scene.view, player)


def _at_stake(scene: Scene, player: str | None) -> Changes:
    """Return what was at stake, looked up at once: the table does not keep it indefinitely."""
    case = scene.text("case")
    whole = all_at_stake(scene.view, player)
    return {f"most {case}": _most(scene, player), f"whole {case}": whole, f"day {case}": scene.fact(_DAY)}


def _most(scene: Scene, player: str | None) -> int:
    wager = scene.text("wager") if "wager" in scene.said else None
    return most_at_stake(scene.view, player, wager, scene.pick("pick"))


# -- effects -----------------------------------------------------------------------------------------------------------


def _step(scene: Scene, stage: str, more: Changes | None = None) -> events.AnyEvent:
    """Record a step of the case: who took it and, if stated, when; `more` are further facts."""
    case = scene.text("case")
    facts: Changes = {f"who {stage} {case}": acting(scene)}
    if scene.at is not None:
        facts |= {f"when {stage} {case}": scene.at.isoformat()}
    return events.Noted(facts | (more or {}), scene.clause)


@effect
def raise_dispute(scene: Scene) -> list[events.AnyEvent]:
    """Open a dispute, with the most that can be due for it."""
    return [_step(scene, "raised", _at_stake(scene, acting(scene)))]


@effect
def step_on(scene: Scene) -> list[events.AnyEvent]:
    """Record the step that the act itself sets, with its time and person."""
    return [_step(scene, str(scene.changes[f"dispute {scene.text('case')}"]))]


@effect
def decide_case(scene: Scene) -> list[events.AnyEvent]:
    """Replace the previous decision and its award; what has been paid stays paid."""
    case = scene.text("case")
    award = scene.cents("amount") if "amount" in scene.said else 0
    unpaid = max(award - scene.number(f"paid {case}"), 0)
    stage = str(scene.changes[f"dispute {case}"])
    return [_step(scene, stage, {f"award {case}": award or None, f"unpaid {case}": unpaid or None})]


@effect
def close_case(scene: Scene) -> list[events.AnyEvent]:
    """End a dispute: settled if its person is content, otherwise closed after the last decision."""
    if "person" in scene.said:
        return [_step(scene, "settled", {f"dispute {scene.text('case')}": "settled"})]
    return [_step(scene, "closed")]


@effect
def find_error(scene: Scene) -> list[events.AnyEvent]:
    """Make an underpayment due from the moment it is found."""
    case, cents = scene.text("case"), scene.cents("amount")
    due: Changes = {f"award {case}": cents, f"unpaid {case}": cents}
    return [_step(scene, "found", _at_stake(scene, scene.text("player")) | due)]


# -- cases ------------------------------------------------------------------------------------------------------------
# The kinds of cases are defined by the book.

Facts = Mapping[str, Fact]


def open_cases(conduct: Conduct, facts: Facts) -> list[OpenCase]:
    """Return all cases that wait for something, in the order in which they came up."""
    return [case for kind in conduct.cases for case in _of_kind(kind, facts)]


def _of_kind(kind: CaseKind, facts: Facts) -> Iterator[OpenCase]:
    pattern = _pattern(kind.fact)
    for name, stands in facts.items():
        match = pattern.fullmatch(name)
        if match is None:
            continue
        case = match["case"]
        acts = [act for step in kind.next if _is_next(step, case, facts) for act in step.acts]
        if acts:
            yield _shown(kind, case, str(stands), list(dict.fromkeys(acts)), facts)


def _shown(kind: CaseKind, case: str, stands: str, acts: list[str], facts: Facts) -> OpenCase:
    who, about, since, due = (facts.get(_named(word, case)) for word in (kind.who, kind.about, kind.since, kind.due))
    return OpenCase(
        kind=kind.id,
        case=case,
        who=None if who is None else str(who),
        about="" if about is None else str(about),
        since=None if since is None else str(since),
        stands=stands,
        due=format_cents(due if isinstance(due, int) else 0),
        next=acts,
    )


def _is_next(step: NextStep, case: str, facts: Facts) -> bool:
    value = facts.get(_named(step.fact, case))
    return value is not None and (not step.is_ or not {*step.is_}.isdisjoint(str(value).split(", ")))


def _named(word: str, case: str) -> str:
    return filled(word, {"case": case})


@lru_cache(maxsize=64)
def _pattern(fact: str) -> re.Pattern[str]:
    assert fields_of(fact) == ["case"], f"{fact} names no case"
    return re.compile(re.escape(fact).replace(r"\{case\}", "(?P<case>.+)"), re.DOTALL)


# -- stakes -----------------------------------------------------------------------------------------------------------
# What a person had at stake, as the table recorded it: the most that a dispute or an error can be about.

_MONEY_OF_CASES = ("award ", "paid ", "mispayment ")


def most_at_stake(view: TableView, player: str | None, wager: str | None = None, pick: Pick = None) -> int:
    """Return the most that one wager of a player could have returned this gaming day (reading X-57).

    With a wager, and optionally its pick, only that wager counts; without a player, anyone's.
    """
    meant = (
        (area, cents)
        for area, cents in _stakes(view, player)
        if wager is None or (area.wager == wager and _is_pick(view, area, pick))
    )
    return max((_most_returned(view, area, cents) for area, cents in meant), default=0)


def all_at_stake(view: TableView, player: str | None) -> int:
    """Return the most that all wagers of a player could have returned: each area, with every result so far."""
    by_area: dict[Area, int] = {}
    for area, cents in _stakes(view, player):
        by_area[area] = max(by_area.get(area, 0), cents)
    return sum(_most_returned(view, area, cents) for area, cents in by_area.items()) * max(1, view.state.results)


def had_else(facts: Mapping[str, Fact], case: str, person: Fact | None, day: Fact) -> int:
    """Return what a person received or is due in other cases of a gaming day: it counts against the same stakes."""
    others = {name.split(" ", 1)[1] for name in facts if name.startswith(_MONEY_OF_CASES)} - {case}
    same = (each for each in others if person in _people(facts, each) and facts.get(f"day {each}") == day)
    return sum(_had(facts, each) for each in same)


def _people(facts: Mapping[str, Fact], case: str) -> list[Fact]:
    return [facts[name] for name in (f"disputant {case}", f"patron {case}") if name in facts]


def _had(facts: Mapping[str, Fact], case: str) -> int:
    """Return the latest award, or more if an earlier one was paid; for an underpayment, the amount corrected."""
    if facts.get(f"mispayment {case}") == "rectified" and facts.get(f"way {case}") == "underpaid":
        return _cents(facts, f"amount {case}")
    return max(_cents(facts, f"award {case}"), _cents(facts, f"paid {case}"))


def _cents(facts: Mapping[str, Fact], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else 0


def _stakes(view: TableView, player: str | None) -> Iterator[tuple[Area, int]]:
    """Yield what results have decided today, and standing wagers that have been through a throw."""
    state = view.state
    for area, stakes in state.staked.items():
        yield from ((area, cents) for name, cents in stakes.items() if player in (None, name))
    for name, area, stake in state.wagers():
        if player in (None, name) and (name, area) not in state.fresh:
            yield area, stake.amount


def _is_pick(view: TableView, area: Area, pick: Pick) -> bool:
    return pick is None or plain_pick(pick) in (plain_pick(area.pick), plain_pick(view.shown_pick(area)))


def _most_returned(view: TableView, area: Area, cents: int) -> int:
    """Return the stake plus the best win its machine pays from its state on."""
    machine = view.game_of(area).machine(area.wager, area.pick)
    odds = max(entry.odds for state in machine.reachable([area.state]) for entry in machine.table[state])
    return cents + winnings_cents(cents, odds, view.state.settings.chip)
