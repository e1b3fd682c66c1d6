"""Disputes step by step, errors that staff find, and what is paid for them.

How far a dispute has come is a fact that its acts set. Here are the times and the people of its steps, so that nobody
judges their own decision, and its money: at most what was at stake (readings X-32, X-56 to X-58).
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.facts import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.conduct.stakes import all_at_stake, had_else, most_at_stake
from croupier.table.refusals import Refusal

KINDS = ("dispute", "error", "mispayment")  # the facts by which a case is known
DECISIONS = ("decided", "reviewed")  # what somebody else may judge again
FINAL = "final"
_DAY = "gaming day"

Changes = dict[str, Fact | None]


def is_new_case(scene: Scene) -> bool:
    """Whether nothing is called so yet: one name is one case."""
    return not is_case(scene)


def is_case(scene: Scene) -> bool:
    """Whether there is such a case."""
    return any(f"{kind} {scene.text('case')}" in scene.state.facts for kind in KINDS)


def acting(scene: Scene) -> str:
    """Who acts: a name, or the role where nobody is named."""
    return scene.who or scene.by or ""


def is_another_person(scene: Scene) -> bool:
    """Whether this is none of those who have decided the case. After a name, a role alone tells nothing."""
    case, facts = scene.text("case"), scene.state.facts
    return _is_none_of(scene, [facts[f"who {step} {case}"] for step in DECISIONS if f"who {step} {case}" in facts])


def is_not_the_finder(scene: Scene) -> bool:
    """Whether an error is paid by somebody else than the person who found it."""
    finder = scene.state.facts.get(f"who found {scene.text('case')}")
    return finder is None or _is_none_of(scene, [finder])


def _is_none_of(scene: Scene, others: list[Fact]) -> bool:
    if scene.who is None and any(other not in scene.conduct.role_ids for other in others):
        return False
    return acting(scene) not in others


def is_their_dispute(scene: Scene) -> bool:
    """Whether the person who is content, if anybody is named, raised the dispute."""
    return "person" not in scene.said or scene.said["person"] == scene.fact(f"disputant {scene.text('case')}")


def is_content_or_final(scene: Scene) -> bool:
    """Whether the dispute can end: with the operator's decision, or with any that its person is content with."""
    stage = scene.fact(f"dispute {scene.text('case')}")
    return stage == FINAL or ("person" in scene.said and stage != "raised")


def is_at_stake(scene: Scene) -> bool:
    """Whether no more is due than was at stake when the case came up, other cases of the same person counted in."""
    if "amount" not in scene.said:
        return True
    case, amount, facts = scene.text("case"), scene.cents("amount"), scene.state.facts
    due = amount + had_else(facts, case, facts.get(f"disputant {case}"), scene.fact(f"day {case}"))
    return amount <= scene.number(f"most {case}") and due <= scene.number(f"whole {case}")


def was_at_stake(scene: Scene) -> bool:
    """Whether the player had so much at stake on the wager that an error was found with."""
    player, amount = scene.text("player"), scene.cents("amount")
    due = amount + had_else(scene.state.facts, scene.text("case"), player, scene.fact(_DAY))
    return amount <= _most(scene, player) and due <= all_at_stake(scene.view, player)


def _at_stake(scene: Scene, player: str | None) -> Changes:
    """What was at stake is looked up at once: the table does not remember it for ever."""
    case = scene.text("case")
    whole = all_at_stake(scene.view, player)
    return {f"most {case}": _most(scene, player), f"whole {case}": whole, f"day {case}": scene.fact(_DAY)}


def _most(scene: Scene, player: str | None) -> int:
    wager = scene.text("wager") if "wager" in scene.said else None
    return most_at_stake(scene.view, player, wager, scene.pick("pick"))


# -- effects -----------------------------------------------------------------------------------------------------------


def _step(scene: Scene, stage: str, more: Changes | None = None) -> events.AnyEvent:
    """A step of the case: when, if anybody says, and who took it; `more` is what else is remembered of it."""
    case = scene.text("case")
    facts: Changes = {f"who {stage} {case}": acting(scene)}
    if scene.at is not None:
        facts |= {f"when {stage} {case}": scene.at.isoformat()}
    return events.Noted(facts | (more or {}), scene.clause)


def raise_dispute(scene: Scene) -> list[events.AnyEvent]:
    """A new dispute, with what can be due for it."""
    return [_step(scene, "raised", _at_stake(scene, acting(scene)))]


def step_on(scene: Scene) -> list[events.AnyEvent]:
    """The step that the act itself says, with its time and who took it."""
    return [_step(scene, str(scene.changes[f"dispute {scene.text('case')}"]))]


def decide_case(scene: Scene) -> list[events.AnyEvent]:
    """A decision takes the place of the one before, its money too; what has been paid stays paid."""
    case = scene.text("case")
    award = scene.cents("amount") if "amount" in scene.said else 0
    unpaid = max(award - scene.number(f"paid {case}"), 0)
    stage = str(scene.changes[f"dispute {case}"])
    return [_step(scene, stage, {f"award {case}": award or None, f"unpaid {case}": unpaid or None})]


def close_case(scene: Scene) -> list[events.AnyEvent]:
    """The end of a dispute: settled where its person is content, closed after the last decision otherwise."""
    if "person" in scene.said:
        return [_step(scene, "settled", {f"dispute {scene.text('case')}": "settled"})]
    return [_step(scene, "closed")]


def find_error(scene: Scene) -> list[events.AnyEvent]:
    """What was paid too little is due from the moment it is found."""
    case, cents = scene.text("case"), scene.cents("amount")
    due: Changes = {f"award {case}": cents, f"unpaid {case}": cents}
    return [_step(scene, "found", _at_stake(scene, scene.text("player")) | due)]


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    is_new_case,
    is_case,
    is_another_person,
    is_not_the_finder,
    is_their_dispute,
    is_content_or_final,
    is_at_stake,
    was_at_stake,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    raise_dispute,
    step_on,
    decide_case,
    close_case,
    find_error,
)
