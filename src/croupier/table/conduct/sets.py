"""Sets of dice and coins: what is missing, found, checked, lost and replaced, and what has been inspected.

So many make a set (`set`); of these some are `missing`, `found` again, `checked`, or given up for `lost`. When too many
are lost a new set comes, and who was throwing goes on with those left of the old one (`old set` names the player, `old
dice` counts them). What a book wants of its sets stands among the facts that it starts with.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.facts import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.forgetting import OLD_SET
from croupier.table.refusals import Refusal
from croupier.table.thrower import next_thrower
from croupier.table.under_way import CALLED, THROW, is_begun, is_under_way
from croupier.table.voiding import void_events

_OUT = ("missing", "found", "checked")


def in_the_set(scene: Scene) -> int:
    """How many make the set; where dice go round by themselves there is one from the start."""
    by_itself = scene.fact("set") == "none" and not scene.hand_to_hand
    return scene.number("largest set" if by_itself else "set")


def available(scene: Scene) -> int:
    """How many dice or coins can be chosen from."""
    out = sum(scene.number(name) for name in _OUT)
    if "old dice" in scene.state.facts:
        return scene.number("old dice") - out
    return in_the_set(scene) - scene.number("lost") - out


def two_left(scene: Scene) -> bool:
    """Whether there are as many as are thrown; that no set has come yet is another matter."""
    no_set = scene.fact("set") == "none" and scene.hand_to_hand
    return no_set or available(scene) >= scene.book.rules.throw.throw


def set_due(scene: Scene) -> bool:
    """Whether so many are lost that a new set must come."""
    return scene.number("lost") >= scene.number("lost limit")


def set_good(scene: Scene) -> bool:
    """Whether the set is complete enough, or who throws goes on with the old one."""
    return not set_due(scene) or _goes_on_with_the_old(scene)


def void_with_two(scene: Scene) -> bool:
    """A void throw that has begun was made; one that is told in a line takes as many as any throw."""
    return is_under_way(scene.view) or two_left(scene)


def void_with_good_set(scene: Scene) -> bool:
    """A void throw that has begun was made; one that is told in a line takes as good a set as any throw."""
    return is_under_way(scene.view) or set_good(scene)


def _goes_on_with_the_old(scene: Scene) -> bool:
    player = scene.state.facts.get("old set")
    return player is not None and player == next_thrower(scene.view)


def count_in_play(scene: Scene) -> bool:
    """No more can go off the table than are thrown, and are there."""
    return scene.count <= min(available(scene), scene.book.rules.throw.throw)


def count_missing(scene: Scene) -> bool:
    """No more can be found than are missing."""
    return scene.count <= scene.number("missing")


def count_found(scene: Scene) -> bool:
    """No more can be checked than were found."""
    return scene.count <= scene.number("found")


def count_lost(scene: Scene) -> bool:
    """No more can be given up than are missing, or found and not fit (reading X-21)."""
    return scene.count <= scene.number("missing") + scene.number("found")


def count_given_up(scene: Scene) -> bool:
    """No more can come back than were given up, of a set that is still in use."""
    return scene.count <= scene.number("lost")


def nothing_out(scene: Scene) -> bool:
    """Whether nothing is missing, or found and not yet given back."""
    return not something_out(scene)


def count_of_a_set(scene: Scene) -> bool:
    """A set has as many as the book says."""
    return scene.number("smallest set") <= scene.count <= scene.number("largest set")


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
    return not scene.hand_to_hand or inspected(scene)


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
    if scene.fact(THROW) == CALLED or not is_begun(scene.view):
        return []
    return list(void_events(scene.view, scene.conduct.off_the_table[0]))


def given_back(scene: Scene) -> list[events.AnyEvent]:
    """With nothing else missing, who asked has the original pair again; until then the rest is still asked for."""
    if scene.number("missing") or scene.number("found"):
        return []
    return [events.Noted({"chosen": "yes", "asked back": None}, scene.clause)]


def given_up(scene: Scene) -> list[events.AnyEvent]:
    """What is given up is lost; with too many lost, who throws may go on with the rest where the book says so."""
    count, missing = scene.count, scene.number("missing")
    rest = max(0, count - missing)
    facts: dict[str, Fact | None] = {"missing": max(0, missing - count), "found": scene.number("found") - rest}
    if "old dice" in scene.state.facts:
        old = scene.number("old dice") - count
        ended = old < scene.book.rules.throw.throw
        facts = {name: None for name in OLD_SET if name in scene.state.facts} if ended else facts | {"old dice": old}
        return [events.Noted(facts, scene.clause)]
    lost = scene.number("lost") + count
    facts["lost"] = lost
    player, left = next_thrower(scene.view), in_the_set(scene) - lost
    if left < scene.book.rules.throw.throw:  # who was to go on with the rest of the set cannot
        facts["old set"] = None
    elif lost >= scene.number("lost limit") and scene.fact("goes on with the old set") == "yes" and player is not None:
        facts["old set"] = player
    return [events.Noted(facts, scene.clause)]


def brought_back(scene: Scene) -> list[events.AnyEvent]:
    """What was given up is found and waits to be checked; with few enough lost, no new set is due and none comes."""
    left = scene.number("lost") - scene.count
    facts: dict[str, Fact | None] = {"lost": left, "found": scene.number("found") + scene.count}
    if left < scene.number("lost limit") and "old set" in scene.state.facts:
        facts["old set"] = None
    return [events.Noted(facts, scene.clause)]


def changed(scene: Scene) -> list[events.AnyEvent]:
    """Other dice or coins come as a matter of routine: nothing is left of the old ones, and two are chosen again."""
    gone = [name for name in ("lost", *OLD_SET) if name in scene.state.facts]
    return [events.Noted({"set": scene.count, **dict.fromkeys(gone)}, scene.clause)]


def replaced(scene: Scene) -> list[events.AnyEvent]:
    """A new set comes; the old one leaves, unless who throws goes on with what is left of it."""
    left = in_the_set(scene) - scene.number("lost")
    keeps = _goes_on_with_the_old(scene) and left >= scene.book.rules.throw.throw
    gone = ["lost"] if keeps else ["lost", *OLD_SET]
    facts: dict[str, Fact | None] = {name: None for name in gone if name in scene.state.facts}
    facts["set"] = scene.count
    if keeps:
        facts["old dice"] = left
    return [events.Noted(facts, scene.clause)]


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    two_left,
    set_due,
    set_good,
    void_with_two,
    void_with_good_set,
    count_in_play,
    count_missing,
    count_found,
    count_lost,
    count_given_up,
    count_of_a_set,
    something_out,
    nothing_out,
    asked_back,
    not_asked_back,
    inspected,
    inspected_by_hand,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    inspected_apart,
    off_the_table,
    given_back,
    given_up,
    brought_back,
    changed,
    replaced,
)
