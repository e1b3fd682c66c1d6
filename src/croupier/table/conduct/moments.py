"""The moments of a throw: thrown, at rest, called, entered, confirmed, settled; and what can go wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.conduct import PLAYER
from croupier.rules.facts import NONE, Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.correcting import Correction
from croupier.table.evolve import evolve_all
from croupier.table.forgetting import RUNNING
from croupier.table.refusals import Refusal
from croupier.table.settling import given_back, settled_as_reached
from croupier.table.state import Area, Stakes, State
from croupier.table.taking import unconfirmed_returned
from croupier.table.thrower import next_thrower
from croupier.table.throwing import outcome_events
from croupier.table.under_way import (
    CALLED,
    RESTED_AT,
    THROW,
    THROWN_AT,
    THROWN_BY,
    TUMBLED,
    is_begun,
    is_under_way,
    lapse,
    outcome_of,
    search_begun,
    tumbles_asked,
)
from croupier.table.voiding import called_outcome, void_events
from croupier.table.waiting import in_the_air

Happened = list[events.AnyEvent]

FAULT = "malfunction"
_ENDS_RUNNING = "settle_running"
_FITTED = "fitted electronic equipment"


# -- questions --------------------------------------------------------------------------------------------------------


def has_the_throw(scene: Scene) -> bool:
    """Whether the throw is with who makes it: the player whose turn it is, or the house where it is nobody's."""
    turn = next_thrower(scene.view)
    return turn == scene.who if scene.by == PLAYER else turn is None


def bets_called_closed(scene: Scene) -> bool:
    """Whether the bets have been called closed."""
    return not scene.state.bets_open


def betting_open(scene: Scene) -> bool:
    """Whether wagers are still taken by call."""
    return scene.state.bets_open


def between_games(scene: Scene) -> bool:
    """Whether no game is under way, where the dice lie in a tumbler."""
    return not is_begun(scene.view)


def not_called(scene: Scene) -> bool:
    """Whether what fell can still be told: no result has been called that waits to be confirmed."""
    return scene.fact(THROW) != CALLED


def before_rest(scene: Scene) -> bool:
    """Whether nothing is thrown yet, or it is still in the air."""
    return not is_under_way(scene.view) or in_the_air(scene.view)


def throw_to_void(scene: Scene) -> bool:
    """Where the moments of a throw are followed, one that has begun; elsewhere a void throw is one by itself (X-51)."""
    return is_begun(scene.view) or not scene.state.settings.manual_dice


def moment_by_moment(scene: Scene) -> bool:
    """Whether throws are taken moment by moment: by hand, or so that late wagers are made while they are in the air."""
    return scene.state.settings.manual_dice or scene.state.settings.late_bets


def tumbled_enough(scene: Scene) -> bool:
    """Whether the dice have tumbled as often as the book asks."""
    return scene.number(TUMBLED) >= tumbles_asked(scene.book)


def no_tumble_left(scene: Scene) -> bool:
    """The same, where somebody calls who could still tumble them: people do, or have begun to (reading SB-28)."""
    by_people = scene.by is not None and (scene.state.settings.manual_dice or TUMBLED in scene.state.facts)
    return not by_people or tumbled_enough(scene)


def throw_to_see(scene: Scene) -> bool:
    """Whether there is anything to go wrong yet: a throw under way, or dice that have been tumbled."""
    return is_under_way(scene.view) or scene.number(TUMBLED) > 0


def game_begun(scene: Scene) -> bool:
    """Whether a game is under way, where the dice lie in a tumbler: they have been tumbled, or the bets are closed."""
    return is_begun(scene.view)


def may_call_void(scene: Scene) -> bool:
    """Whether the book lets this role call the throw void for that reason."""
    power = scene.conduct.power("void", scene.text("reason"))
    return power is not None and scene.by is not None and scene.conduct.may(scene.by, power.by)


def outranks_call(scene: Scene) -> bool:
    """Whether who speaks stands above who called."""
    return scene.by is not None and scene.conduct.rank(scene.by) > scene.conduct.rank(str(scene.fact("called by")))


def uppermost(scene: Scene) -> bool:
    """Whether a die that leans on something is read by the face opposite; opposite faces add up alike."""
    faces = scene.book.outcomes.faces
    numbers = [face for face in faces if isinstance(face, int)]
    called = str(scene.said.get("faces", "")).split()
    leaning = [name for name in scene.state.facts if name.startswith("leans ")]
    opposite = {str(min(numbers) + max(numbers) - int(name.removeprefix("leans "))): name for name in leaning}
    return not called or all(called.count(face) >= scene.number(name) for face, name in opposite.items())


def die_left(scene: Scene) -> bool:
    """Whether a die of the throw has not been seen to lean yet."""
    seen = sum(scene.number(name) for name in scene.state.facts if name.startswith("leans "))
    return seen < scene.book.rules.throw.throw


def face_disputed(scene: Scene) -> bool:
    """Whether it is disputed which face is up; of a throw that nobody took moment by moment the call is enough."""
    return not is_under_way(scene.view) or scene.fact("face dispute") == "yes"


def is_a_face(scene: Scene) -> bool:
    """Whether a die has such a face."""
    return scene.said["count"] in scene.book.outcomes.faces


def entry_made(scene: Scene) -> bool:
    """Whether the result has been entered, where it must be: not without equipment, nor while it is out of order.

    What is told in one line is told on the terminal that every table of the book has (reading SB-27).
    """
    if "faces" in scene.said and _FITTED not in scene.state.facts:
        return True
    due = scene.fact(_FITTED) != NONE and scene.fact(FAULT) == NONE
    return not due or scene.fact("entered") != NONE


def entry_agrees(scene: Scene) -> bool:
    """Whether what was entered is what was called, in whatever order."""
    entered = scene.fact("entered")
    if entered == NONE or scene.fact(FAULT) != NONE:
        return True
    return sorted(str(entered)) == sorted(str(scene.fact("result")))


# -- the moments ------------------------------------------------------------------------------------------------------


def throw(scene: Scene) -> Happened:
    """Who threw is remembered, so that nothing which happens before the settlement makes it somebody else's throw.

    Whoever says that it left the hand, it is the throw of who has it.
    """
    return _kept(scene, {THROWN_BY: next_thrower(scene.view), THROWN_AT: _when(scene)})


def rest(scene: Scene) -> Happened:
    """At rest: late wagers that nobody has confirmed go back."""
    return [*unconfirmed_returned(scene.shelf, scene.state), *_kept(scene, {RESTED_AT: _when(scene)})]


def _when(scene: Scene) -> str | None:
    return None if scene.at is None else scene.at.isoformat()


def _kept(scene: Scene, facts: dict[str, str | None]) -> Happened:
    """What is known of these is kept: whose throw it is, and its moments, where the time was said."""
    known: dict[str, Fact | None] = {name: value for name, value in facts.items() if value is not None}
    return [events.Noted(known, scene.clause)] if known else []


def tumbled(scene: Scene) -> Happened:
    """Once the dice have tumbled as often as the book asks, the bets are called for."""
    before, asked = scene.number(TUMBLED), tumbles_asked(scene.book)
    kept = _kept(scene, {THROWN_AT: _when(scene)})
    if before >= asked or before + scene.count < asked:
        return kept
    return [*kept, events.BetsOpened(scene.view.call("bets open"), scene.clause)]


def uncover(scene: Scene) -> Happened:
    """Dice that come into view too early, or were not tumbled as the book asks, have no result."""
    left_out, when = lapse(scene.view), _when(scene)
    if left_out is None:
        return _kept(scene, {RESTED_AT: when})
    return list(void_events(scene.view, left_out, told_at=when))


def confirm(scene: Scene) -> Happened:
    """The result is read back and the throw settled by it."""
    outcome = called_outcome(scene.view)
    assert outcome is not None, "what has been called is an outcome"
    happened = outcome_events(scene.view, outcome)
    return [*happened, *_ended_by_fault(scene, evolve_all(scene.state, happened))]


def observe(scene: Scene) -> Happened:
    """A ground that the book makes mandatory voids the throw, whatever anybody wants; another one is kept in mind."""
    reason = scene.text("reason")
    if reason not in scene.conduct.mandatory:
        return []
    return [*void_events(scene.view, reason), *search_begun(scene.view, reason, scene.by)]


def let_stand(scene: Scene) -> Happened | Refusal:
    """Only what the book leaves to somebody's judgement can be let pass, and only what was seen."""
    reason = scene.text("reason")
    if reason in scene.conduct.mandatory:
        return Refusal("mandatory_ground", "On this ground the throw is void; nobody can let it stand.", reason)
    if scene.fact(f"seen {reason}") == NONE:
        return Refusal("not_seen", "Nobody has seen such a thing in this throw.", reason)
    return []


# -- equipment --------------------------------------------------------------------------------------------------------


def malfunction(scene: Scene) -> Happened:
    """With a throw under way its result is still to come; without one, what the last result left in play is ended."""
    return [] if is_under_way(scene.view) else _ended_by_fault(scene, scene.state, known=True)


def _ended_by_fault(scene: Scene, state: State, *, known: bool = False) -> Happened:
    """What a result has left in play does not run on past a fault, in a book that ends it then."""
    clause = next((act.clause for act in scene.conduct.acts if act.effect == _ENDS_RUNNING), None)
    fault = known or scene.fact(FAULT) != NONE
    return [events.Noted({RUNNING: "due"}, clause)] if clause is not None and fault and _running(state) else []


def running_after(scene: Scene, state: State) -> Happened:
    """What a corrected result leaves in play past a fault is due as well; where nothing runs on, nothing is due."""
    if RUNNING in state.facts and not _running(state):
        return [events.Noted({RUNNING: None}, scene.clause)]
    return [] if RUNNING in state.facts else _ended_by_fault(scene, state)


def _running(state: State) -> list[tuple[Area, Stakes]]:
    """The wagers that a result has seen and left undecided; those made since are not in play yet."""
    seen = [
        (area, {player: stake for player, stake in stakes.items() if (player, area) not in state.fresh})
        for area, stakes in state.layout.items()
    ]
    return [(area, stakes) for area, stakes in seen if stakes]


def settle_running(scene: Scene) -> Happened:
    """Wagers in play are settled at what they have reached, and are over."""
    return [settled_as_reached(scene.view, area, stakes, scene.clause) for area, stakes in _running(scene.state)]


def return_running(scene: Scene) -> Happened:
    """The stakes of wagers in play go back instead of being collected; what has won by now is paid (reading SB-6)."""
    return [_won_or_back(scene, area, stakes) for area, stakes in _running(scene.state)]


def _won_or_back(scene: Scene, area: Area, stakes: Stakes) -> events.AreaSettled:
    reached = settled_as_reached(scene.view, area, stakes, scene.clause)
    return reached if reached.result == "win" else given_back(scene.state, area, scene.clause, stakes)


# -- a settled result that was wrong ----------------------------------------------------------------------------------


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
    has_the_throw,
    bets_called_closed,
    betting_open,
    between_games,
    not_called,
    before_rest,
    moment_by_moment,
    tumbled_enough,
    no_tumble_left,
    throw_to_void,
    throw_to_see,
    game_begun,
    may_call_void,
    outranks_call,
    uppermost,
    face_disputed,
    is_a_face,
    die_left,
    entry_made,
    entry_agrees,
    result_to_correct,
    settled_by_it_alone,
    nobody_paid_twice,
    another_result,
    outranks_result,
    face_not_decided,
    was_uppermost,
)

EFFECTS: dict[str, Callable[[Scene], Happened | Refusal]] = {
    **by_name(
        throw,
        rest,
        tumbled,
        uncover,
        confirm,
        observe,
        let_stand,
        malfunction,
        return_running,
        correct_result,
    ),
    _ENDS_RUNNING: settle_running,
}
