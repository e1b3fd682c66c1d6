"""Dice and coins that people hand round: who is offered them, who has them, who may throw; and the two-up ring."""

from __future__ import annotations

from croupier.rules.conduct import PLAYER
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.table import events
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.conduct.sets import available, set_good, something_out, two_left
from croupier.table.settling import reopen
from croupier.table.taking import reduction
from croupier.table.thrower import (
    HOUSE,
    all_declined,
    barred,
    begun,
    holder,
    house_waits,
    in_course,
    next_offered,
    next_thrower,
    out_of_the_ring,
    point_for_no_one,
    sole_area,
    sole_wager,
    stood_name,
    too_late_for,
    turn_clause,
    with_the_house,
)
from croupier.table.under_way import TURN


@check
def by_hand(scene: Scene) -> bool:
    """Whether people hand the dice or coins round at this table."""
    return scene.state.settings.manual_dice


@check
def house_turn_over(scene: Scene) -> bool:
    """Whether the house, if it took them because no player accepted, has thrown for as long as the book requires."""
    if not with_the_house(scene.state):
        return True
    return scene.state.bets_open if scene.book.rules.betting is not None else not house_waits(scene.view)


@check
def dice_free(scene: Scene) -> bool:
    """Whether they are free: not offered, not with a player who can throw, nor with the house during its turn.

    While the house throws for a player's wager they are with the house, wherever that player is.
    """
    dice, state = scene.fact("dice"), scene.state
    if state.house_throws_for is not None:
        return False
    if dice == HOUSE:
        return house_turn_over(scene)
    had_them = holder(scene.view)
    if had_them is not None:
        gone = had_them not in state.seats or barred(state, had_them) or too_late_for(scene.view, had_them)
        return gone and no_sole_wager(scene)
    return dice == "none"


def _in_order(scene: Scene, started: bool, went_round: bool) -> bool:
    """Whether an offer at this stage goes to the player next in order; at other stages this does not apply."""
    view = scene.view
    asked = any(name.startswith("declined ") for name in scene.state.facts) and not all_declined(view)
    player = str(scene.said.get("player"))
    if (in_course(scene.state), asked) != (started, went_round) or barred(scene.state, player):
        return True  # a barred player is refused for being barred, not for the order
    return player == next_offered(view)


@check
def may_yet_throw(scene: Scene) -> bool:
    """Whether the named player holds the wager that a throw requires, or can make it now."""
    return not too_late_for(scene.view, scene.text("player"))


@check
def first_at_the_start(scene: Scene) -> bool:
    """Whether the very first offer goes to the first seat."""
    return _in_order(scene, started=False, went_round=False)


@check
def round_at_the_start(scene: Scene) -> bool:
    """Whether an offer declined at the start continues clockwise."""
    return _in_order(scene, started=False, went_round=True)


@check
def first_after_a_turn(scene: Scene) -> bool:
    """Whether dice given up during play are first offered to the next seat."""
    return _in_order(scene, started=True, went_round=False)


@check
def round_after_a_turn(scene: Scene) -> bool:
    """Whether an offer declined during play continues clockwise."""
    return _in_order(scene, started=True, went_round=True)


@check
def has_the_dice(scene: Scene) -> bool:
    """Whether the acting person is the thrower, or may be with another wager (Snake Eyes 4.8, NZ 5.7)."""
    return scene.who is not None and (next_thrower(scene.view) == scene.who or _threw_last(scene))


def _threw_last(scene: Scene) -> bool:
    """Where the turn is automatic: whether the acting person threw last and has not passed, with or without a wager."""
    state = scene.state
    if state.settings.manual_dice or scene.book.rules.thrower is None or sole_wager(scene.view) is not None:
        return False
    return state.turn_after == scene.who and not state.passed and not barred(state, str(scene.who))


@check
def throws_next(scene: Scene) -> bool:
    """Whether the named player is the thrower."""
    return scene.said.get("player") == next_thrower(scene.view)


@check
def somebody_throws(scene: Scene) -> bool:
    """Whether a player is the thrower."""
    return next_thrower(scene.view) is not None


@check
def players_here(scene: Scene) -> bool:
    """Whether any player sits at the table, or has left a wager there."""
    return bool(scene.state.seats or scene.state.layout)


@check
def nobody_accepts(scene: Scene) -> bool:
    """Whether every player who could be offered them has declined."""
    return all_declined(scene.view)


@check
def undecided(scene: Scene) -> bool:
    """Whether any wager waits for a result."""
    return bool(scene.state.layout)


@check
def no_sole_wager(scene: Scene) -> bool:
    """Whether the wager that goes with the coins is not standing."""
    return sole_area(scene.view) is None


@effect
def offered(scene: Scene) -> list[events.AnyEvent]:
    """Clear earlier reminders; if all have declined, the offer starts a new round."""
    gone = [name for name in scene.state.facts if name.startswith("reminded ")]
    if all_declined(scene.view):
        gone += [name for name in scene.state.facts if name.startswith("declined ")]
    return [events.Noted(dict.fromkeys(gone), scene.clause)] if gone else []


@effect
def pass_on(scene: Scene) -> list[events.AnyEvent]:
    """Pass on the dice or coins from their holder."""
    player = scene.who if scene.by == PLAYER else next_thrower(scene.view)
    assert player is not None, "somebody has them"
    return [events.TurnPassed(player, scene.clause)]


@check
def in_hands(scene: Scene) -> bool:
    """By hand, whether a player has accepted them or the house has taken them."""
    if not scene.hand_to_hand or scene.state.house_throws_for is not None:
        return True
    player = next_thrower(scene.view)
    if player is None:
        return with_the_house(scene.state)
    return player in scene.state.seats and not barred(scene.state, player)


@check
def in_hands_first(scene: Scene) -> bool:
    """The same, for the very first thrower."""
    return in_the_course_of_play(scene) or in_hands(scene)


@check
def two_chosen(scene: Scene) -> bool:
    """By hand, whether the player has chosen what to throw; a set of exactly that many leaves no choice (NZ-10)."""
    if not scene.hand_to_hand or next_thrower(scene.view) is None or scene.fact("chosen") == "yes":
        return True
    thrown = scene.book.rules.throw.throw
    return scene.number("set") == thrown == available(scene)


@check
def two_chosen_first(scene: Scene) -> bool:
    """The same, for the very first thrower."""
    return in_the_course_of_play(scene) or two_chosen(scene)


@check
def two_chosen_again(scene: Scene) -> bool:
    """The same, while any are off the table: the thrower chooses among those left."""
    return not something_out(scene) or two_chosen(scene)


@check
@acts_on("throwing wager")
def wager_there(scene: Scene) -> bool:
    """By hand, whether the player has the wager that a throw requires (X-11)."""
    player, rules = next_thrower(scene.view), scene.book.rules.thrower
    if rules is None or player is None or not scene.hand_to_hand:
        return True
    return scene.view.holds(player, rules.wagers)


@check
def house_may_throw(scene: Scene) -> bool:
    """By hand, whether a wager waits for the house when it throws for lack of a player (CR-17, SE-7, NZ-7)."""
    if not scene.hand_to_hand or not with_the_house(scene.state) or scene.book.rules.betting is not None:
        return True
    return bool(house_waits(scene.view))


@check
def in_the_course_of_play(scene: Scene) -> bool:
    """Whether a player has already had the dice or coins."""
    return in_course(scene.state)


# -- silence (reading X-48) --------------------------------------------------------------------------------------------

ACCEPT, CHOOSE, WAGER, THROW = "accept", "choose", "wager", "throw"


def awaited(scene: Scene) -> tuple[str, str] | None:
    """Return the player the game waits for, and for what: to accept, to choose, to make the wager, to throw."""
    if not scene.hand_to_hand or scene.fact("throw") != NONE:
        return None
    offered_to = scene.state.facts.get("offered to")
    if isinstance(offered_to, str):
        return offered_to, ACCEPT
    player = holder(scene.view)
    if player is None or next_thrower(scene.view) != player or dice_free(scene) or not _can_choose(scene):
        return None
    if not two_chosen(scene):
        return player, CHOOSE
    return player, THROW if wager_there(scene) else WAGER


def _can_choose(scene: Scene) -> bool:
    """Whether there is something to choose; a player who has asked for the original dice back waits for the house."""
    return set_good(scene) and two_left(scene) and "asked back" not in scene.state.facts


@check
def is_awaited(scene: Scene) -> bool:
    """Whether the game waits for the named player."""
    waits = awaited(scene)
    return waits is not None and waits[0] == scene.said.get("player")


@check
def was_asked(scene: Scene) -> bool:
    """Whether the player the game waits for has been reminded of exactly that."""
    waits = awaited(scene)
    return waits is not None and scene.fact(f"reminded {waits[0]}") == waits[1]


@check
def asked_to_throw(scene: Scene) -> bool:
    """Whether the thrower has been asked to throw, and has not thrown yet."""
    waits = awaited(scene)
    return waits is not None and waits[1] == THROW and was_asked(scene)


@check
def not_ready(scene: Scene) -> bool:
    """Whether more than the throw itself is missing: a ready thrower who delays is ordered to pass."""
    waits = awaited(scene)
    return waits is None or waits[1] != THROW


@effect
def reminded(scene: Scene) -> list[events.AnyEvent]:
    """Record what a player was reminded of."""
    waits = awaited(scene)
    assert waits is not None, "somebody is asked"
    return [events.Noted({f"reminded {waits[0]}": waits[1]}, scene.clause)]


@effect
def silence(scene: Scene) -> list[events.AnyEvent]:
    """End the wait: a player who has thrown gives up the dice or coins, another declines; a sole wager goes back."""
    view, player, state = scene.view, scene.text("player"), scene.state
    standing = sole_area(view)
    happened: list[events.AnyEvent] = []
    if standing is not None and standing[0] == player:
        happened.append(reduction(view, player, standing[1], 0, scene.clause))
    if state.turn_after == player and not state.passed and "offered to" not in state.facts:
        happened.append(events.TurnPassed(player, scene.clause))
    else:
        gone = [name for name in ("offered to", f"reminded {player}", *TURN) if name in state.facts]
        happened.append(events.Noted({**dict.fromkeys(gone), f"declined {player}": "yes"}, scene.clause))
    return happened if state.bets_open else [*happened, *reopen(view, [])]


# -- a point that no player can throw for (reading CR-34) --------------------------------------------------------------


@check
def nobody_can_throw(scene: Scene) -> bool:
    """Whether nothing is undecided and no player can make the wager that a throw requires."""
    return bool(point_for_no_one(scene.view))


@effect
def point_lapses(scene: Scene) -> list[events.AnyEvent]:
    """Restart the phases that keep every player from throwing."""
    phases, book = scene.state.phases, scene.book
    lapsed = point_for_no_one(scene.view)
    return [events.PhaseMoved(name, phases[name], book.phases[name].start, scene.clause) for name in lapsed]


@effect
def house_took(scene: Scene) -> list[events.AnyEvent]:
    """Record the standing wagers: the house throws until they are decided (CR-17, SE-7, NZ-7)."""
    noted: dict[str, Fact | None] = {name: None for name in scene.state.facts if name.startswith("stood ")}
    for player, area, _ in scene.state.wagers() if scene.book.rules.betting is None else ():
        noted[stood_name(scene.view, player, area)] = "yes"
    return [events.Noted(noted, scene.clause)] if noted else []


# -- ring -------------------------------------------------------------------------------------------------------------


@check
def on_the_kip(scene: Scene) -> bool:
    """By hand, whether the coins lie ready on the kip for the player who throws."""
    return not scene.hand_to_hand or next_thrower(scene.view) is None or "kip" in scene.state.facts


@check
def one_of_each(scene: Scene) -> bool:
    """Whether the coins lie with different sides up."""
    return len(set(scene.text("faces"))) > 1


@check
@acts_on("series")
def series_begun(scene: Scene) -> bool:
    """Whether the wager that goes with the coins has begun its series: fewer than five Odds, or its own side."""
    standing = sole_area(scene.view)
    return standing is not None and begun(scene.view, standing[1])


@check
def no_series_begun(scene: Scene) -> bool:
    """Whether a spinner who stops leaves no series unfinished."""
    return not series_begun(scene)


@check
def is_the_thrower(scene: Scene) -> bool:
    """Whether the named player has the coins, or the wager that goes with them."""
    standing, player = sole_area(scene.view), scene.said.get("player")
    return player in (holder(scene.view), standing[0] if standing is not None else None)


def _sent_out(scene: Scene) -> bool:
    """Whether the house throws for a player who was sent out."""
    waiting = scene.state.house_throws_for
    return waiting is not None and out_of_the_ring(scene.state, waiting[0])


@check
def wagers_may_change(scene: Scene) -> bool:
    """Whether wagers may be withdrawn or reduced: not while the house throws for a player who was sent out."""
    return not _sent_out(scene)


@check
def wagers_may_grow(scene: Scene) -> bool:
    """Whether a standing wager may be added to: not while the house throws for a player who was sent out."""
    player, wager = scene.said.get("player"), scene.said.get("wager")
    if not _sent_out(scene) or not isinstance(player, str):
        return True
    return not scene.view.holds(player, [str(wager)])


@check
def may_have_the_coins(scene: Scene) -> bool:
    """Whether the player may make the wager that goes with the coins: not after being sent out."""
    wager = scene.book.wagers.get(str(scene.said.get("wager")))
    kept_out = out_of_the_ring(scene.state, scene.said.get("player"))
    return wager is None or not wager.has_one_holder or not kept_out


@effect
def house_goes_on(scene: Scene) -> list[events.AnyEvent]:
    """Have the house throw until the wager of the player who stopped is decided."""
    standing = sole_area(scene.view)
    assert standing is not None, "a series is the matter of a wager"
    return [events.HouseThrowsOn(standing[0], standing[1].wager, scene.clause)]


@effect
def send_out(scene: Scene) -> list[events.AnyEvent]:
    """Have the house throw if a throw has counted; otherwise give the wager back and pass on the turn (TU-5).

    If the player with the coins has no wager on them, the turn passes on and nothing else happens.
    """
    view, player, standing = scene.view, scene.text("player"), sole_area(scene.view)
    if standing is not None and standing[0] != player:
        standing = None
    if standing is not None and begun(view, standing[1]):
        clause = str(scene.fact("clause when sent out"))
        return [] if scene.state.house_throws_for else [events.HouseThrowsOn(player, standing[1].wager, clause)]
    happened: list[events.AnyEvent] = []
    if standing is not None:
        happened.append(reduction(view, player, standing[1], 0, scene.clause))
    happened.append(events.TurnPassed(player, turn_clause(view)))
    return happened if scene.state.bets_open else [*happened, *reopen(view, [])]
