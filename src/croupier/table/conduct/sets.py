"""Sets of dice and coins: what is missing, found, checked, lost and replaced, and what has been inspected.

The fact `set` is the size of the set; of these some are `missing`, `found` again, `checked`, or given up as `lost`.
When too many are lost a new set comes, and the thrower continues with what is left of the old one (`old set` names
the player, `old dice` counts them). A book's requirements for its sets are among its initial facts.
"""

from __future__ import annotations

from croupier.rules.schema import Fact
from croupier.table import events
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.refusals import Refusal
from croupier.table.thrower import next_thrower
from croupier.table.under_way import CALLED, OLD_SET, THROW, is_begun, is_under_way
from croupier.table.voiding import void_events

_OUT = ("missing", "found", "checked")


def in_the_set(scene: Scene) -> int:
    """Return the size of the set; where the turn is automatic there is one from the start."""
    by_itself = scene.fact("set") == "none" and not scene.hand_to_hand
    return scene.number("largest set" if by_itself else "set")


def available(scene: Scene) -> int:
    """Return how many dice or coins can be chosen from."""
    out = sum(scene.number(name) for name in _OUT)
    if "old dice" in scene.state.facts:
        return scene.number("old dice") - out
    return in_the_set(scene) - scene.number("lost") - out


@check
def two_left(scene: Scene) -> bool:
    """Whether there are as many as are thrown; a set that has not arrived yet is another check's concern."""
    no_set = scene.fact("set") == "none" and scene.hand_to_hand
    return no_set or available(scene) >= scene.book.rules.throw.throw


@check
def set_due(scene: Scene) -> bool:
    """Whether so many are lost that a new set must come."""
    return scene.number("lost") >= scene.number("lost limit")


@check
def set_good(scene: Scene) -> bool:
    """Whether the set is complete enough, or the thrower continues with the old one."""
    return not set_due(scene) or _goes_on_with_the_old(scene)


@check
def void_with_two(scene: Scene) -> bool:
    """Whether a void throw had enough dice; one under way has already been made with them."""
    return is_under_way(scene.view) or two_left(scene)


@check
def void_with_good_set(scene: Scene) -> bool:
    """Whether a void throw had a good set; one under way has already been made with it."""
    return is_under_way(scene.view) or set_good(scene)


def _goes_on_with_the_old(scene: Scene) -> bool:
    player = scene.state.facts.get("old set")
    return player is not None and player == next_thrower(scene.view)


@check
def count_in_play(scene: Scene) -> bool:
    """Whether no more go off the table than are thrown and available."""
    return scene.count <= min(available(scene), scene.book.rules.throw.throw)


@check
def count_missing(scene: Scene) -> bool:
    """Whether no more are found than are missing."""
    return scene.count <= scene.number("missing")


@check
def count_found(scene: Scene) -> bool:
    """Whether no more are checked than were found."""
    return scene.count <= scene.number("found")


@check
def count_lost(scene: Scene) -> bool:
    """Whether no more are given up than are missing, or found and not fit (reading X-21)."""
    return scene.count <= scene.number("missing") + scene.number("found")


@check
def count_given_up(scene: Scene) -> bool:
    """Whether no more come back than were given up, of a set still in use."""
    return scene.count <= scene.number("lost")


@check
def nothing_out(scene: Scene) -> bool:
    """Whether nothing is missing, or found and not yet given back."""
    return not something_out(scene)


@check
def count_of_a_set(scene: Scene) -> bool:
    """Whether the number is a valid size of a set."""
    return scene.number("smallest set") <= scene.count <= scene.number("largest set")


@check
def something_out(scene: Scene) -> bool:
    """Whether any die or coin is missing, or found and not yet given back."""
    return any(scene.number(name) for name in _OUT)


@check
def asked_back(scene: Scene) -> bool:
    """Whether the thrower has asked for the original dice or coins."""
    asked = scene.state.facts.get("asked back")
    return asked is not None and asked == next_thrower(scene.view)


@check
def not_asked_back(scene: Scene) -> bool:
    """Whether the thrower has not asked for the original dice or coins."""
    return not asked_back(scene)


@check
def inspected(scene: Scene) -> bool:
    """Whether every required role has inspected the set; a thrower may continue with the old one without it."""
    roles = scene.conduct.by_id["inspect_dice"].by
    if all(f"inspected {role}" in scene.state.facts for role in roles):
        return True
    return _goes_on_with_the_old(scene)


@check
def inspected_by_hand(scene: Scene) -> bool:
    """By hand, whether the dice have been inspected, for the house as for a player."""
    return not scene.hand_to_hand or inspected(scene)


@effect
def inspected_apart(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Refuse a second inspection by the same person in another role."""
    others = [f"inspected {role}" for role in scene.conduct.by_id["inspect_dice"].by if role != scene.by]
    if scene.who is not None and scene.who in [scene.state.facts.get(name) for name in others]:
        return Refusal(
            "same_person", f"{scene.who} has already inspected the dice. Another person must do it.", scene.clause
        )
    return []


@effect
def off_the_table(scene: Scene) -> list[events.AnyEvent]:
    """Void a throw under way when dice or coins leave the table, regardless of what else fell.

    Once called, the throw has come to rest, and anything knocked off afterwards changes nothing (reading X-21).
    """
    if scene.fact(THROW) == CALLED or not is_begun(scene.view):
        return []
    return list(void_events(scene.view, scene.conduct.off_the_table[0]))


@effect
def given_back(scene: Scene) -> list[events.AnyEvent]:
    """Give the thrower the original pair back once nothing else is missing; until then the request stays open."""
    if scene.number("missing") or scene.number("found"):
        return []
    return [events.Noted({"chosen": "yes", "asked back": None}, scene.clause)]


@effect
def given_up(scene: Scene) -> list[events.AnyEvent]:
    """Count what is given up as lost; with too many lost, the book may let the thrower continue with the rest."""
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
    if left < scene.book.rules.throw.throw:  # too few are left for the thrower to continue with
        facts["old set"] = None
    elif lost >= scene.number("lost limit") and scene.fact("goes on with the old set") == "yes" and player is not None:
        facts["old set"] = player
    return [events.Noted(facts, scene.clause)]


@effect
def brought_back(scene: Scene) -> list[events.AnyEvent]:
    """Put what was given up back among the found, to be checked; if few enough are lost, no new set is due."""
    left = scene.number("lost") - scene.count
    facts: dict[str, Fact | None] = {"lost": left, "found": scene.number("found") + scene.count}
    if left < scene.number("lost limit") and "old set" in scene.state.facts:
        facts["old set"] = None
    return [events.Noted(facts, scene.clause)]


@effect
def changed(scene: Scene) -> list[events.AnyEvent]:
    """Change dice or coins as routine: nothing of the old set is kept, and two are chosen again."""
    gone = [name for name in ("lost", *OLD_SET) if name in scene.state.facts]
    return [events.Noted({"set": scene.count, **dict.fromkeys(gone)}, scene.clause)]


@effect
def replaced(scene: Scene) -> list[events.AnyEvent]:
    """Bring a new set; the old one leaves, unless the thrower continues with what is left of it."""
    left = in_the_set(scene) - scene.number("lost")
    keeps = _goes_on_with_the_old(scene) and left >= scene.book.rules.throw.throw
    gone = ["lost"] if keeps else ["lost", *OLD_SET]
    facts: dict[str, Fact | None] = {name: None for name in gone if name in scene.state.facts}
    facts["set"] = scene.count
    if keeps:
        facts["old dice"] = left
    return [events.Noted(facts, scene.clause)]
