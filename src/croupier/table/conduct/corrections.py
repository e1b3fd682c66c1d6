"""Correcting a settled result: whether there is one to correct, and the right one in its place."""

from __future__ import annotations

from collections.abc import Callable

from croupier.table import events
from croupier.table.conduct.moments import running_after, uppermost
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.correcting import Correction
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.under_way import outcome_of


def result_to_correct(scene: Scene) -> bool:
    """Whether a result has been settled that no later throw, rule or gaming day has left behind."""
    return scene.state.latest is not None


def settled_by_it_alone(scene: Scene) -> bool:
    """Whether wagers that the result left in play have not been ended since for a fault."""
    return scene.state.latest is None or Correction(scene.shelf, scene.state, "", scene.by).is_last_word


def nobody_paid_twice(scene: Scene) -> bool:
    """Whether money has been put right since for nobody whose wagers either result decides."""
    if scene.state.latest is None:
        return True
    right = outcome_of(scene.view, scene.said["faces"])
    return Correction(scene.shelf, scene.state, "", scene.by).pays_nobody_twice(right)


def another_result(scene: Scene) -> bool:
    """Whether what is said to have fallen differs from what was settled; which die is which does not matter."""
    latest, outcome = scene.state.latest, outcome_of(scene.view, scene.said["faces"])
    if latest is None or outcome is None:
        return True
    return sorted(map(str, scene.book.outcomes.all[outcome])) != sorted(map(str, latest.faces))


def _before(scene: Scene) -> Scene:
    """The same act as if it had been done just before the result was settled."""
    latest = scene.state.latest
    state = scene.state if latest is None else latest.before
    return Scene(scene.shelf, state, scene.by, scene.who, scene.at, scene.said)


def outranks_result(scene: Scene) -> bool:
    """Whether the result was not called by somebody who stands above the one who corrects it."""
    before = _before(scene)
    return scene.by is not None and scene.conduct.rank(scene.by) >= scene.conduct.rank(str(before.fact("called by")))


def face_not_decided(scene: Scene) -> bool:
    """Whether nobody has decided, finally, which faces were up."""
    return "face" not in _before(scene).state.facts


def was_uppermost(scene: Scene) -> bool:
    """Whether a die that leaned on something is read by the face opposite."""
    return uppermost(_before(scene))


def correct_result(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """The latest result is taken back, and the right faces are settled in its place."""
    outcome = outcome_of(scene.view, scene.said["faces"])
    assert outcome is not None, "what is said has been read as an outcome"
    happened = Correction(scene.shelf, scene.state, scene.clause, scene.by).to_result(outcome)
    return [*happened, *running_after(scene, evolve_all(scene.state, happened))]


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    result_to_correct,
    settled_by_it_alone,
    nobody_paid_twice,
    another_result,
    outranks_result,
    face_not_decided,
    was_uppermost,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(correct_result)
