"""The moments of a throw: thrown, at rest, called, entered, confirmed, settled; and what can go wrong with it."""

from __future__ import annotations

from croupier.rules.conduct import PLAYER
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.table import events
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.correcting import Correction, is_last_word
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.settling import given_back, settled_as_reached
from croupier.table.state import Area, Stakes, State
from croupier.table.taking import unconfirmed_returned
from croupier.table.thrower import next_thrower
from croupier.table.throwing import outcome_events
from croupier.table.under_way import (
    CALLED,
    RESTED_AT,
    RUNNING,
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

Happened = list[events.AnyEvent]

FAULT = "malfunction"
_FITTED = "fitted electronic equipment"


# -- checks -----------------------------------------------------------------------------------------------------------


@check
def has_the_throw(scene: Scene) -> bool:
    """Whether the throw belongs to the acting person: the player whose turn it is, or otherwise the house."""
    turn = next_thrower(scene.view)
    return turn == scene.who if scene.by == PLAYER else turn is None


@check
def no_player_throws(scene: Scene) -> bool:
    """Whether the throw belongs to no player, so that staff may make it."""
    return scene.by == PLAYER or next_thrower(scene.view) is None


@check
def may_have_the_throw(scene: Scene) -> bool:
    """Whether an acting player has the throw, or at least the wager that it needs."""
    rules = scene.book.rules.thrower
    if scene.by != PLAYER or rules is None or has_the_throw(scene):
        return True
    return scene.who is not None and scene.view.holds(scene.who, rules.wagers)


@check
def must_be_void(scene: Scene) -> bool:
    """Whether the ground named leaves no choice: on it a throw is void."""
    return scene.text("reason") in scene.conduct.mandatory


@check
def bets_called_closed(scene: Scene) -> bool:
    """Whether the bets have been called closed."""
    return not scene.state.bets_open


@check
def betting_open(scene: Scene) -> bool:
    """Whether wagers are still taken by call."""
    return scene.state.bets_open


@check
def between_games(scene: Scene) -> bool:
    """Whether no game is under way, where the dice lie in a tumbler."""
    return not is_begun(scene.view)


@check
def not_called(scene: Scene) -> bool:
    """Whether the outcome can still be entered: no called result waits to be confirmed."""
    return scene.fact(THROW) != CALLED


@check
def before_rest(scene: Scene) -> bool:
    """Whether nothing is thrown yet, or it is still in the air."""
    return not is_under_way(scene.view) or scene.view.state.in_the_air


@check
def throw_to_void(scene: Scene) -> bool:
    """Whether there is a throw to void: one that has begun, if its moments are followed; else always (X-51)."""
    return is_begun(scene.view) or not scene.state.settings.manual_dice


@check
def moment_by_moment(scene: Scene) -> bool:
    """Whether throws are taken moment by moment: by hand, or to allow late wagers while they are in the air."""
    return scene.state.settings.manual_dice or scene.state.settings.late_bets


@check
def tumbled_enough(scene: Scene) -> bool:
    """Whether the dice have tumbled as often as the book requires."""
    return scene.number(TUMBLED) >= tumbles_asked(scene.book)


@check
def no_tumble_left(scene: Scene) -> bool:
    """The same, required only of people who tumble the dice or have begun to (reading SB-28)."""
    by_people = scene.by is not None and (scene.state.settings.manual_dice or TUMBLED in scene.state.facts)
    return not by_people or tumbled_enough(scene)


@check
def throw_to_see(scene: Scene) -> bool:
    """Whether there is a throw under way, or tumbled dice, that could go wrong."""
    return is_under_way(scene.view) or scene.number(TUMBLED) > 0


@check
def game_begun(scene: Scene) -> bool:
    """Whether a game is under way, where the dice lie in a tumbler: they have tumbled, or the bets are closed."""
    return is_begun(scene.view)


@check
def may_call_void(scene: Scene) -> bool:
    """Whether the book lets this role call the throw void for that reason."""
    power = scene.conduct.power("void", scene.text("reason"))
    return power is not None and scene.by is not None and scene.conduct.may(scene.by, power.by)


@check
def outranks_call(scene: Scene) -> bool:
    """Whether the acting role ranks above the one that called the result."""
    return scene.by is not None and scene.conduct.rank(scene.by) > scene.conduct.rank(str(scene.fact("called by")))


@check
def uppermost(scene: Scene) -> bool:
    """Whether a leaning die is read by the face opposite; opposite faces have the same sum."""
    faces = scene.book.outcomes.faces
    numbers = [face for face in faces if isinstance(face, int)]
    called = str(scene.said.get("faces", "")).split()
    leaning = [name for name in scene.state.facts if name.startswith("leans ")]
    opposite = {str(min(numbers) + max(numbers) - int(name.removeprefix("leans "))): name for name in leaning}
    return not called or all(called.count(face) >= scene.number(name) for face, name in opposite.items())


@check
def die_left(scene: Scene) -> bool:
    """Whether a die of the throw has not yet been seen to lean."""
    seen = sum(scene.number(name) for name in scene.state.facts if name.startswith("leans "))
    return seen < scene.book.rules.throw.throw


@check
def face_disputed(scene: Scene) -> bool:
    """Whether the uppermost face is disputed; for a throw not taken moment by moment the call is enough."""
    return not is_under_way(scene.view) or scene.fact("face dispute") == "yes"


@check
def is_a_face(scene: Scene) -> bool:
    """Whether a die has such a face."""
    return scene.said["count"] in scene.book.outcomes.faces


@check
def entry_made(scene: Scene) -> bool:
    """Whether the result has been entered, where required: not without equipment, nor while it is out of order.

    A result entered in a single command is entered on the terminal that every table of the book has (reading SB-27).
    """
    if "faces" in scene.said and _FITTED not in scene.state.facts:
        return True
    due = scene.fact(_FITTED) != NONE and scene.fact(FAULT) == NONE
    return not due or scene.fact("entered") != NONE


@check
def entry_agrees(scene: Scene) -> bool:
    """Whether the entry matches the call, in any order."""
    entered = scene.fact("entered")
    if entered == NONE or scene.fact(FAULT) != NONE:
        return True
    return sorted(str(entered)) == sorted(str(scene.fact("result")))


# -- the moments ------------------------------------------------------------------------------------------------------


@effect
def throw(scene: Scene) -> Happened:
    """Record who threw, so that nothing before the settlement turns it into another player's throw.

    Regardless of who reports that it left the hand, the throw belongs to the player whose turn it is.
    """
    return _kept(scene, {THROWN_BY: next_thrower(scene.view), THROWN_AT: _when(scene)})


@effect
def rest(scene: Scene) -> Happened:
    """Give back late wagers that were not confirmed when the dice come to rest."""
    return [*unconfirmed_returned(scene.shelf, scene.state), *_kept(scene, {RESTED_AT: _when(scene)})]


def _when(scene: Scene) -> str | None:
    return None if scene.at is None else scene.at.isoformat()


def _kept(scene: Scene, facts: dict[str, str | None]) -> Happened:
    """Record what is known: the thrower, and the moments if their times were stated."""
    known: dict[str, Fact | None] = {name: value for name, value in facts.items() if value is not None}
    return [events.Noted(known, scene.clause)] if known else []


@effect
def tumbled(scene: Scene) -> Happened:
    """Call for bets once the dice have tumbled as often as the book requires."""
    before, asked = scene.number(TUMBLED), tumbles_asked(scene.book)
    kept = _kept(scene, {THROWN_AT: _when(scene)})
    if before >= asked or before + scene.count < asked:
        return kept
    return [*kept, events.BetsOpened(scene.view.call("bets open"), scene.clause)]


@effect
def uncover(scene: Scene) -> Happened:
    """Void the game if the dice come into view too early, or did not tumble as the book requires."""
    left_out, when = lapse(scene.view), _when(scene)
    if left_out is None:
        return _kept(scene, {RESTED_AT: when})
    return list(void_events(scene.view, left_out, entered_at=when))


@effect
def confirm(scene: Scene) -> Happened:
    """Settle the throw by the result read back."""
    outcome = called_outcome(scene.view)
    assert outcome is not None, "what has been called is an outcome"
    happened = outcome_events(scene.view, outcome)
    return [*happened, *_ended_by_fault(scene, evolve_all(scene.state, happened))]


@effect
@acts_on("conduct.mandatory")
def observe(scene: Scene) -> Happened:
    """Void the throw if the book makes the ground mandatory; another ground is only recorded."""
    if not must_be_void(scene):
        return []
    reason = scene.text("reason")
    return [*void_events(scene.view, reason), *search_begun(scene.view, reason, scene.by)]


@effect
def let_stand(scene: Scene) -> Happened | Refusal:
    """Let pass a ground that was seen and that the book leaves to judgement."""
    reason = scene.text("reason")
    if must_be_void(scene):
        return Refusal("mandatory_ground", "On this ground the throw is void. It cannot stand.", reason)
    if scene.fact(f"seen {reason}") == NONE:
        return Refusal("not_seen", "This has not been reported in this throw.", reason)
    return []


# -- equipment --------------------------------------------------------------------------------------------------------


@effect
def malfunction(scene: Scene) -> Happened:
    """Mark what the last result left in play as due, unless a throw is under way with its result still to come."""
    return [] if is_under_way(scene.view) else _ended_by_fault(scene, scene.state, known=True)


def _ended_by_fault(scene: Scene, state: State, *, known: bool = False) -> Happened:
    """Mark wagers that a result left in play as due, in a book that ends them at a fault."""
    clause = next((act.clause for act in scene.conduct.acts if act.effect == settle_running.__name__), None)
    fault = known or scene.fact(FAULT) != NONE
    return [events.Noted({RUNNING: "due"}, clause)] if clause is not None and fault and _running(state) else []


def running_after(scene: Scene, state: State) -> Happened:
    """Update what is due after a correction: wagers left in play past a fault are; if none are left, nothing is."""
    if RUNNING in state.facts and not _running(state):
        return [events.Noted({RUNNING: None}, scene.clause)]
    return [] if RUNNING in state.facts else _ended_by_fault(scene, state)


def _running(state: State) -> list[tuple[Area, Stakes]]:
    """Return the wagers that a result has seen and left undecided; those made since are not in play yet."""
    seen = [
        (area, {player: stake for player, stake in stakes.items() if (player, area) not in state.fresh})
        for area, stakes in state.layout.items()
    ]
    return [(area, stakes) for area, stakes in seen if stakes]


@effect
def settle_running(scene: Scene) -> Happened:
    """Settle wagers in play at what they have reached."""
    return [settled_as_reached(scene.view, area, stakes, scene.clause) for area, stakes in _running(scene.state)]


@effect
def return_running(scene: Scene) -> Happened:
    """Give back the stakes of wagers in play instead of collecting them; what has won is paid (reading SB-6)."""
    return [_won_or_back(scene, area, stakes) for area, stakes in _running(scene.state)]


def _won_or_back(scene: Scene, area: Area, stakes: Stakes) -> events.AreaSettled:
    reached = settled_as_reached(scene.view, area, stakes, scene.clause)
    return reached if reached.result == "win" else given_back(scene.state, area, scene.clause, stakes)


# -- a settled result that was wrong ----------------------------------------------------------------------------------


@check
def result_to_correct(scene: Scene) -> bool:
    """Whether there is a settled result that no later throw, rule or gaming day has superseded."""
    return scene.state.latest is not None


@check
def settled_by_it_alone(scene: Scene) -> bool:
    """Whether no fault has ended wagers that the result left in play."""
    return scene.state.latest is None or is_last_word(scene.state)


@check
def nobody_paid_twice(scene: Scene) -> bool:
    """Whether no player affected by either result has had money corrected since; by the settled one if no other is
    stated."""
    if scene.state.latest is None:
        return True
    right = outcome_of(scene.view, scene.said["faces"]) if "faces" in scene.said else None
    return _correction(scene).pays_nobody_twice(right)


def _correction(scene: Scene) -> Correction:
    """Return the correction of the latest result, worked out once for the needs and the effect of an act."""
    if scene.correction is None:
        scene.correction = Correction(scene.shelf, scene.state, scene.clause, scene.by)
    return scene.correction


@check
def another_result(scene: Scene) -> bool:
    """Whether the stated outcome differs from the settled one; which die is which does not matter."""
    latest, outcome = scene.state.latest, outcome_of(scene.view, scene.said["faces"])
    if latest is None or outcome is None:
        return True
    return sorted(map(str, scene.book.outcomes.all[outcome])) != sorted(map(str, latest.faces))


def _before(scene: Scene) -> Scene:
    """Return the same act as if done just before the result was settled."""
    latest = scene.state.latest
    state = scene.state if latest is None else latest.before
    return Scene(scene.shelf, state, scene.by, scene.who, scene.at, scene.said)


@check
def outranks_result(scene: Scene) -> bool:
    """Whether the result was not called by a role that ranks above the one correcting it."""
    before = _before(scene)
    return scene.by is not None and scene.conduct.rank(scene.by) >= scene.conduct.rank(str(before.fact("called by")))


@check
def face_not_decided(scene: Scene) -> bool:
    """Whether there is no final decision on which faces were up."""
    return "face" not in _before(scene).state.facts


@check
def was_uppermost(scene: Scene) -> bool:
    """Whether a die that leaned on something is read by the face opposite."""
    return uppermost(_before(scene))


@effect
def correct_result(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Take back the latest result, and settle the right faces in its place."""
    outcome = outcome_of(scene.view, scene.said["faces"])
    assert outcome is not None, "what is said has been read as an outcome"
    happened = _correction(scene).to_result(outcome)
    return [*happened, *running_after(scene, evolve_all(scene.state, happened))]
