"""Dice and coins: who is offered them, who has them and may throw, what is missing, lost and replaced.

So many dice make a set (`set`); of these some are `missing`, `found` again, `checked`, or given up for `lost`. When too
many are lost a new set comes, and who was throwing goes on with those left of the old one (`old set` names the player,
`old dice` counts them). What a book wants of its sets stands among the facts that it starts with.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.conduct import PLAYER
from croupier.rules.facts import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene
from croupier.table.forgetting import OLD_SET
from croupier.table.handing import (
    HOUSE,
    all_declined,
    barred,
    begun,
    holder,
    next_offered,
    out_of_the_ring,
    sole_area,
    sole_wager,
    too_late_for,
    turn_clause,
    with_the_house,
)
from croupier.table.refusals import Refusal
from croupier.table.taking import reduction
from croupier.table.throwing import next_thrower, reopen, void_events

_OUT = ("missing", "found", "checked")


# -- handing them round -----------------------------------------------------------------------------------------------


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


# -- who may throw ----------------------------------------------------------------------------------------------------


def _hand_to_hand(scene: Scene) -> bool:
    return scene.state.settings.manual_dice and scene.book.rules.thrower is not None


def in_hands(scene: Scene) -> bool:
    """By hand, somebody must have accepted them, or the house must have taken them."""
    if not _hand_to_hand(scene) or scene.state.house_throws_for is not None:
        return True
    player = next_thrower(scene.view)
    if player is None:
        return with_the_house(scene.state)
    return player in scene.state.seats and not barred(scene.state, player)


def two_chosen(scene: Scene) -> bool:
    """By hand, a player throws what they have chosen; of a set of just so many there is nothing to choose (NZ-10)."""
    if not _hand_to_hand(scene) or next_thrower(scene.view) is None or scene.fact("chosen") == "yes":
        return True
    thrown = scene.book.rules.throw.throw
    return scene.number("set") == thrown == available(scene)


def wager_there(scene: Scene) -> bool:
    """By hand, a player throws only with the wager that the book asks for (X-11)."""
    player, rules = next_thrower(scene.view), scene.book.rules.thrower
    if rules is None or player is None or not _hand_to_hand(scene):
        return True
    return scene.view.holds(player, rules.wagers)


def house_may_throw(scene: Scene) -> bool:
    """By hand, the house throws for want of a player only while a wager waits for it (CR-17, SE-7, NZ-7)."""
    return not _hand_to_hand(scene) or not with_the_house(scene.state) or undecided(scene)


def set_fit_to_throw(scene: Scene) -> bool:
    """By hand, nobody throws with a set that is due to be replaced, except who was throwing then."""
    return not _hand_to_hand(scene) or set_good(scene)


def enough_to_throw(scene: Scene) -> bool:
    """By hand, nobody throws what is not there; the house, too, needs as many as are thrown."""
    return not _hand_to_hand(scene) or two_left(scene)


# -- what leaves the table --------------------------------------------------------------------------------------------


def available(scene: Scene) -> int:
    """How many dice or coins can be chosen from."""
    out = sum(scene.number(name) for name in _OUT)
    if "old dice" in scene.state.facts:
        return scene.number("old dice") - out
    return scene.number("set") - scene.number("lost") - out


def two_left(scene: Scene) -> bool:
    """Whether there are as many as are thrown; that no set has come yet is another matter."""
    return scene.fact("set") == "none" or available(scene) >= scene.book.rules.throw.throw


def set_due(scene: Scene) -> bool:
    """Whether so many are lost that a new set must come."""
    return scene.number("lost") >= scene.number("lost limit")


def set_good(scene: Scene) -> bool:
    """Whether the set is complete enough, or who throws goes on with the old one."""
    return not set_due(scene) or _goes_on_with_the_old(scene)


def _goes_on_with_the_old(scene: Scene) -> bool:
    player = scene.state.facts.get("old set")
    return player is not None and player == next_thrower(scene.view)


def count_in_play(scene: Scene) -> bool:
    """No more can go off the table than are thrown, and are there."""
    return scene.cents("count") <= min(available(scene), scene.book.rules.throw.throw)


def count_missing(scene: Scene) -> bool:
    """No more can be found than are missing."""
    return scene.cents("count") <= scene.number("missing")


def count_found(scene: Scene) -> bool:
    """No more can be checked than were found."""
    return scene.cents("count") <= scene.number("found")


def count_lost(scene: Scene) -> bool:
    """No more can be given up than are missing, or found and not fit (reading X-21)."""
    return scene.cents("count") <= scene.number("missing") + scene.number("found")


def count_of_a_set(scene: Scene) -> bool:
    """A set has as many as the book says."""
    return scene.number("smallest set") <= scene.cents("count") <= scene.number("largest set")


def something_out(scene: Scene) -> bool:
    """Whether any die or coin is missing, or found and not yet given back."""
    return any(scene.number(name) for name in _OUT)


def asked_back(scene: Scene) -> bool:
    """Whether who throws has asked for the original dice or coins."""
    asked = scene.state.facts.get("asked back")
    return asked is not None and asked == next_thrower(scene.view)


def not_asked_back(scene: Scene) -> bool:
    """Whether who throws has not asked for the original dice or coins."""
    return not asked_back(scene)


def inspected(scene: Scene) -> bool:
    """Whether everybody who must has inspected the set; who goes on with the old one needs no new inspection."""
    roles = scene.conduct.by_id["inspect_dice"].by
    if all(f"inspected {role}" in scene.state.facts for role in roles):
        return True
    return _goes_on_with_the_old(scene)


def inspected_by_hand(scene: Scene) -> bool:
    """By hand, nobody throws what has not been inspected, the house no more than a player."""
    return not _hand_to_hand(scene) or inspected(scene)


def inspected_apart(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Each inspects by themselves: who has inspected in another role does not inspect again."""
    others = [f"inspected {role}" for role in scene.conduct.by_id["inspect_dice"].by if role != scene.by]
    if scene.who is not None and scene.who in [scene.state.facts.get(name) for name in others]:
        return Refusal("same_person", f"{scene.who} has inspected the dice already; another person does.", scene.clause)
    return []


def off_the_table(scene: Scene) -> list[events.AnyEvent]:
    """A throw under way with which dice or coins leave the table is void, whatever else fell.

    Once it has been called it has come to rest, and what is knocked off afterwards changes nothing (reading X-21).
    """
    waiting = scene.book.rules.betting is not None and not scene.state.bets_open
    if scene.fact("throw") == "called" or (scene.fact("throw") == "none" and not waiting):
        return []
    return list(void_events(scene.view, str(scene.fact("ground off the table"))))


def given_back(scene: Scene) -> list[events.AnyEvent]:
    """With nothing else missing, who asked has the original pair again."""
    if scene.number("missing") or scene.number("found"):
        return []
    return [events.Noted({"chosen": "yes"}, scene.clause)]


def given_up(scene: Scene) -> list[events.AnyEvent]:
    """What is given up is lost; with too many lost, who throws may go on with the rest where the book says so."""
    count, missing = scene.cents("count"), scene.number("missing")
    rest = max(0, count - missing)
    facts: dict[str, Fact | None] = {"missing": max(0, missing - count), "found": scene.number("found") - rest}
    if "old dice" in scene.state.facts:
        old = scene.number("old dice") - count
        ended = old < scene.book.rules.throw.throw
        facts = {name: None for name in OLD_SET if name in scene.state.facts} if ended else facts | {"old dice": old}
        return [events.Noted(facts, scene.clause)]
    lost = scene.number("lost") + count
    facts["lost"] = lost
    player, left = next_thrower(scene.view), scene.number("set") - lost
    if left < scene.book.rules.throw.throw:  # who was to go on with the rest of the set cannot
        facts["old set"] = None
    elif lost >= scene.number("lost limit") and scene.fact("goes on with the old set") == "yes" and player is not None:
        facts["old set"] = player
    return [events.Noted(facts, scene.clause)]


def replaced(scene: Scene) -> list[events.AnyEvent]:
    """A new set comes; the old one leaves, unless who throws goes on with what is left of it."""
    left = scene.number("set") - scene.number("lost")
    keeps = _goes_on_with_the_old(scene) and left >= scene.book.rules.throw.throw
    gone = ["lost"] if keeps else ["lost", *OLD_SET]
    facts: dict[str, Fact | None] = {name: None for name in gone if name in scene.state.facts}
    facts["set"] = scene.cents("count")
    if keeps:
        facts["old dice"] = left
    return [events.Noted(facts, scene.clause)]


# -- the ring ---------------------------------------------------------------------------------------------------------


def on_the_kip(scene: Scene) -> bool:
    """By hand, a player throws what lies ready on the kip."""
    return not _hand_to_hand(scene) or next_thrower(scene.view) is None or "kip" in scene.state.facts


def one_of_each(scene: Scene) -> bool:
    """Whether the coins lie with different sides up."""
    return len(set(scene.text("faces"))) > 1


def series_begun(scene: Scene) -> bool:
    """Whether the wager that goes with the coins has begun its series: Odds fewer than five, or its own side."""
    standing = sole_area(scene.view)
    return standing is not None and begun(scene.view, standing[1])


def is_the_thrower(scene: Scene) -> bool:
    """Whether the player named has the coins, or the wager that goes with them."""
    standing, player = sole_area(scene.view), scene.said.get("player")
    return player in (holder(scene.view), standing[0] if standing is not None else None)


def _sent_out(scene: Scene) -> bool:
    """Whether the house throws on for somebody who was sent out."""
    waiting = scene.state.house_throws_for
    return waiting is not None and out_of_the_ring(scene.state, waiting[0])


def wagers_may_change(scene: Scene) -> bool:
    """No wager is withdrawn or reduced while the house throws on for somebody who was sent out."""
    return not _sent_out(scene)


def wagers_may_grow(scene: Scene) -> bool:
    """No standing wager is added to while the house throws on for somebody who was sent out."""
    player, wager = scene.said.get("player"), scene.said.get("wager")
    if not _sent_out(scene) or not isinstance(player, str):
        return True
    return not scene.view.holds(player, [str(wager)])


def may_have_the_coins(scene: Scene) -> bool:
    """Who was sent out makes no wager that goes with the coins."""
    wager = scene.book.wagers.get(str(scene.said.get("wager")))
    kept_out = out_of_the_ring(scene.state, scene.said.get("player"))
    return wager is None or wager.sole is None or not kept_out


def house_goes_on(scene: Scene) -> list[events.AnyEvent]:
    """The house throws on until the wager of who stopped is decided."""
    standing = sole_area(scene.view)
    assert standing is not None, "a series is the matter of a wager"
    return [events.HouseThrowsOn(standing[0], standing[1].wager, scene.clause)]


def send_out(scene: Scene) -> list[events.AnyEvent]:
    """With a throw that counted the house throws on; without one the wager goes back and the turn passes on (TU-5)."""
    view, player, standing = scene.view, scene.text("player"), sole_area(scene.view)
    if standing is not None and begun(view, standing[1]):
        clause = str(scene.fact("clause when sent out"))
        return [] if scene.state.house_throws_for else [events.HouseThrowsOn(player, standing[1].wager, clause)]
    happened: list[events.AnyEvent] = []
    if standing is not None:
        happened.append(reduction(view, player, standing[1], 0, scene.clause))
    happened.append(events.TurnPassed(player, turn_clause(view)))
    return happened if scene.state.bets_open else [*happened, *reopen(view, [])]


def in_the_course_of_play(scene: Scene) -> bool:
    """Whether somebody has had the dice or coins already."""
    return scene.state.turn_after is not None or scene.state.turn_from is not None


CHECKS: dict[str, Callable[[Scene], bool]] = {
    check.__name__: check
    for check in (
        by_hand,
        in_the_course_of_play,
        dice_free,
        first_at_the_start,
        round_at_the_start,
        first_after_a_turn,
        round_after_a_turn,
        has_the_dice,
        throws_next,
        somebody_throws,
        nobody_accepts,
        undecided,
        no_sole_wager,
        in_hands,
        two_chosen,
        wager_there,
        house_may_throw,
        set_fit_to_throw,
        enough_to_throw,
        two_left,
        set_due,
        set_good,
        count_in_play,
        count_missing,
        count_found,
        count_lost,
        count_of_a_set,
        something_out,
        asked_back,
        not_asked_back,
        inspected,
        inspected_by_hand,
        on_the_kip,
        one_of_each,
        series_begun,
        is_the_thrower,
        wagers_may_change,
        wagers_may_grow,
        may_have_the_coins,
    )
}

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = {
    effect.__name__: effect
    for effect in (
        offered,
        pass_on,
        inspected_apart,
        off_the_table,
        given_back,
        given_up,
        replaced,
        house_goes_on,
        send_out,
    )
}
