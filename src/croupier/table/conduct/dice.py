"""Dice and coins that go round: who is offered them, who has them, who may throw."""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.conduct import PLAYER
from croupier.rules.facts import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.conduct.sets import available
from croupier.table.handing import (
    HOUSE,
    all_declined,
    barred,
    holder,
    next_offered,
    out_of_the_ring,
    sole_area,
    sole_wager,
    too_late_for,
    with_the_house,
)
from croupier.table.refusals import Refusal
from croupier.table.thrower import next_thrower


def by_hand(scene: Scene) -> bool:
    """Whether people hand the dice or coins round at this table."""
    return scene.state.settings.manual_dice


def dice_free(scene: Scene) -> bool:
    """Nobody has them: not offered, not with a player who can throw, nor with the house in the middle of its turn."""
    dice, state = scene.fact("dice"), scene.state
    if dice == HOUSE:
        return state.bets_open if scene.book.rules.betting is not None else not state.layout
    had_them = holder(scene.view)
    if had_them is not None:
        gone = had_them not in state.seats or barred(state, had_them) or too_late_for(scene.view, had_them)
        return gone and state.house_throws_for is None and no_sole_wager(scene)
    return dice == "none"


def _in_order(scene: Scene, started: bool, went_round: bool) -> bool:
    """Whether an offer at this stage goes to whom the order names; other stages are no matter here."""
    view = scene.view
    had_turns = scene.state.turn_after is not None or scene.state.turn_from is not None
    asked = any(name.startswith("declined ") for name in scene.state.facts) and not all_declined(view)
    player = scene.said.get("player")
    if (had_turns, asked) != (started, went_round) or out_of_the_ring(scene.state, player):
        return True
    return player == next_offered(view)


def first_at_the_start(scene: Scene) -> bool:
    """The first offer of all goes to the first seat."""
    return _in_order(scene, started=False, went_round=False)


def round_at_the_start(scene: Scene) -> bool:
    """Declined at the start, they go on clockwise."""
    return _in_order(scene, started=False, went_round=True)


def first_after_a_turn(scene: Scene) -> bool:
    """Given up in play, they are offered first to the next seat."""
    return _in_order(scene, started=True, went_round=False)


def round_after_a_turn(scene: Scene) -> bool:
    """Declined in play, they go on clockwise."""
    return _in_order(scene, started=True, went_round=True)


def has_the_dice(scene: Scene) -> bool:
    """Whether who acts is the one who throws, or may with another wager (Snake Eyes 4.8, NZ 5.7)."""
    return scene.who is not None and (next_thrower(scene.view) == scene.who or _threw_last(scene))


def _threw_last(scene: Scene) -> bool:
    """Where they go round by themselves: whether who acts threw last and has not given them up, wager or none."""
    state = scene.state
    if state.settings.manual_dice or scene.book.rules.thrower is None or sole_wager(scene.view) is not None:
        return False
    return state.turn_after == scene.who and not state.passed and not barred(state, str(scene.who))


def throws_next(scene: Scene) -> bool:
    """Whether the player named is the one who throws."""
    return scene.said.get("player") == next_thrower(scene.view)


def somebody_throws(scene: Scene) -> bool:
    """Whether a player is the one who throws."""
    return next_thrower(scene.view) is not None


def players_here(scene: Scene) -> bool:
    """Whether anybody sits at the table at all."""
    return bool(scene.state.seats)


def nobody_accepts(scene: Scene) -> bool:
    """Whether everybody who could be offered them has declined."""
    return all_declined(scene.view)


def undecided(scene: Scene) -> bool:
    """Whether any wager waits for a result."""
    return bool(scene.state.layout)


def no_sole_wager(scene: Scene) -> bool:
    """Whether the wager that goes with the coins is not standing."""
    return sole_area(scene.view) is None


def offered(scene: Scene) -> list[events.AnyEvent]:
    """When all have declined, an offer begins a new round."""
    facts: dict[str, Fact | None] = {name: None for name in scene.state.facts if name.startswith("declined ")}
    return [events.Noted(facts, scene.clause)] if facts and all_declined(scene.view) else []


def pass_on(scene: Scene) -> list[events.AnyEvent]:
    """The dice or coins pass on from who has them."""
    player = scene.who if scene.by == PLAYER else next_thrower(scene.view)
    assert player is not None, "somebody has them"
    return [events.TurnPassed(player, scene.clause)]


def in_hands(scene: Scene) -> bool:
    """By hand, somebody must have accepted them, or the house must have taken them."""
    if not scene.hand_to_hand or scene.state.house_throws_for is not None:
        return True
    player = next_thrower(scene.view)
    if player is None:
        return with_the_house(scene.state)
    return player in scene.state.seats and not barred(scene.state, player)


def two_chosen(scene: Scene) -> bool:
    """By hand, a player throws what they have chosen; of a set of just so many there is nothing to choose (NZ-10)."""
    if not scene.hand_to_hand or next_thrower(scene.view) is None or scene.fact("chosen") == "yes":
        return True
    thrown = scene.book.rules.throw.throw
    return scene.number("set") == thrown == available(scene)


def wager_there(scene: Scene) -> bool:
    """By hand, a player throws only with the wager that the book asks for (X-11)."""
    player, rules = next_thrower(scene.view), scene.book.rules.thrower
    if rules is None or player is None or not scene.hand_to_hand:
        return True
    return scene.view.holds(player, rules.wagers)


def house_may_throw(scene: Scene) -> bool:
    """By hand, the house throws for want of a player only while a wager waits for it (CR-17, SE-7, NZ-7)."""
    return not scene.hand_to_hand or not with_the_house(scene.state) or undecided(scene)


def in_the_course_of_play(scene: Scene) -> bool:
    """Whether somebody has had the dice or coins already."""
    return scene.state.turn_after is not None or scene.state.turn_from is not None


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    by_hand,
    dice_free,
    first_at_the_start,
    round_at_the_start,
    first_after_a_turn,
    round_after_a_turn,
    has_the_dice,
    throws_next,
    somebody_throws,
    players_here,
    nobody_accepts,
    undecided,
    no_sole_wager,
    in_hands,
    two_chosen,
    wager_there,
    house_may_throw,
    in_the_course_of_play,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    offered,
    pass_on,
)
