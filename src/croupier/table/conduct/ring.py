"""The ring: coins laid ready, a series of spins begun, a spinner who stops or is sent out."""

from __future__ import annotations

from collections.abc import Callable

from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.handing import (
    begun,
    holder,
    out_of_the_ring,
    sole_area,
    turn_clause,
)
from croupier.table.refusals import Refusal
from croupier.table.settling import reopen
from croupier.table.taking import reduction
from croupier.table.thrower import next_thrower


def on_the_kip(scene: Scene) -> bool:
    """By hand, a player throws what lies ready on the kip."""
    return not scene.hand_to_hand or next_thrower(scene.view) is None or "kip" in scene.state.facts


def one_of_each(scene: Scene) -> bool:
    """Whether the coins lie with different sides up."""
    return len(set(scene.text("faces"))) > 1


def series_begun(scene: Scene) -> bool:
    """Whether the wager that goes with the coins has begun its series: Odds fewer than five, or its own side."""
    standing = sole_area(scene.view)
    return standing is not None and begun(scene.view, standing[1])


def no_series_begun(scene: Scene) -> bool:
    """Whether a spinner who stops leaves no series unfinished."""
    return not series_begun(scene)


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
    return wager is None or not wager.has_one_holder or not kept_out


def house_goes_on(scene: Scene) -> list[events.AnyEvent]:
    """The house throws on until the wager of who stopped is decided."""
    standing = sole_area(scene.view)
    assert standing is not None, "a series is the matter of a wager"
    return [events.HouseThrowsOn(standing[0], standing[1].wager, scene.clause)]


def send_out(scene: Scene) -> list[events.AnyEvent]:
    """With a throw that counted the house throws on; without one the wager goes back and the turn passes on (TU-5).

    The coins may be with somebody who has no wager of their own on them: then the turn passes on, and nothing else.
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


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    on_the_kip,
    one_of_each,
    series_begun,
    no_series_begun,
    is_the_thrower,
    wagers_may_change,
    wagers_may_grow,
    may_have_the_coins,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    house_goes_on,
    send_out,
)
