"""Signs and limits, the number of players, the pay table's sign, closing the table and opening it again.

The book's fact `minutes of notice` is how long a sign must be up before what it announces.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from croupier.rules.machine import typed_pick
from croupier.rules.schema import NONE
from croupier.table import events
from croupier.table.clock import local, month_later, passed, utc_moment
from croupier.table.commands import Limit, PlayerSign, Settings
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.opening import check_settings
from croupier.table.placing import limit_for, read_pick, selection_name, unknown_wager
from croupier.table.refusals import Refusal
from croupier.table.under_way import bets_call

Happened = list[events.AnyEvent]

ROOM = "room"  # how many players the table had room for before their number was limited
FINAL_CALL = "final call "  # followed by the wager that the book requires to be called a last time before closing


# -- limits -----------------------------------------------------------------------------------------------------------


def _limit(scene: Scene) -> Limit:
    """Return the limits concerned: those of the named selection or kind of wager, or the general ones."""
    settings, wager = scene.state.settings, scene.said.get("wager")
    return settings.limit if wager is None else limit_for(settings, str(wager), None, scene.pick("pick"))


def _selection(scene: Scene) -> str | None:
    """Return the sign's name for the selection or kind of wager concerned; None for all wagers."""
    wager = scene.said.get("wager")
    return None if wager is None else selection_name(str(wager), scene.pick("pick"))


def _misnamed(scene: Scene) -> Refusal | None:
    """Refuse an unknown wager or pick; a kind of wager is named without a pick."""
    wager_id, pick = scene.said.get("wager"), scene.pick("pick")
    if wager_id is None:
        return None
    wager = scene.book.wagers.get(str(wager_id))
    if wager is None:
        return unknown_wager(scene.view, str(wager_id))
    read = None if pick is None else read_pick(scene.view.game, wager, pick)
    return read if isinstance(read, Refusal) else None


def _sign(scene: Scene) -> str:
    """Return the fact for the sign announcing a higher minimum: for a selection, a kind of wager, or all."""
    name = _selection(scene)
    return "next minimum" if name is None else f"next minimum {name}"


def _is_raised(scene: Scene) -> bool:
    """Whether a minimum would be higher than the present one; an unknown wager has none."""
    named = _misnamed(scene) is None and wager_has_limits(scene)
    return named and scene.cents("minimum") > (_limit(scene).minimum or 0)


@check
def minimum_sign_up(scene: Scene) -> bool:
    """Whether a higher minimum has been announced, and it is this one."""
    return not _is_raised(scene) or scene.fact(_sign(scene)) == scene.cents("minimum")


@check
def minimum_time_told(scene: Scene) -> bool:
    """Whether the time is stated, which is needed to tell how long the sign has been up."""
    return not _is_raised(scene) or scene.at is not None


@check
def minimum_sign_stood(scene: Scene) -> bool:
    """Whether the sign for a higher minimum has been up as long as the book requires."""
    return not _is_raised(scene) or _has_stood(scene, f"{_sign(scene)} shown")


@check
def minimum_time_come(scene: Scene) -> bool:
    """Whether the time stated on the sign for a higher minimum has come."""
    return not _is_raised(scene) or _has_come(scene, f"{_sign(scene)} from")


def _has_stood(scene: Scene, name: str) -> bool:
    since = _time(scene, name)
    if since is None or scene.at is None:
        return False
    return passed(since, scene.at, scene.number("minutes of notice"), scene.timezone)


def _has_come(scene: Scene, name: str) -> bool:
    time = _time(scene, name)
    if time is None or scene.at is None:
        return False
    return utc_moment(scene.at, scene.timezone) >= utc_moment(time, scene.timezone)


def _time(scene: Scene, name: str) -> datetime | None:
    value = scene.fact(name)
    return None if value == NONE else datetime.fromisoformat(str(value))


@effect
def post_minimum_sign(scene: Scene) -> Happened | Refusal:
    """Put up a sign that says which minimum will apply from when; the table records when it went up."""
    refusal = _misnamed(scene)
    if refusal is not None:
        return refusal
    if scene.at is None:
        return Refusal("time_needed", 'The time is recorded with this: give it as "at".', scene.clause)
    name = _sign(scene)
    shown = {f"{name} from": scene.text("time"), f"{name} shown": scene.at.isoformat()}
    return [events.Noted({name: scene.cents("minimum"), **shown}, scene.clause)]


@check
def minimum_sign_stands(scene: Scene) -> bool:
    """Whether a sign about this minimum is up."""
    return scene.fact(_sign(scene)) != NONE


@effect
def withdraw_minimum_sign(scene: Scene) -> Happened:
    """Take down the sign; nothing is announced any more."""
    name = _sign(scene)
    return [events.Noted({name: None, f"{name} from": None, f"{name} shown": None}, scene.clause)]


@effect
def set_minimum(scene: Scene) -> Happened | Refusal:
    """Set another minimum from now on, and remove the sign that announced it."""
    raised, name = _is_raised(scene), _sign(scene)
    changed = _limit_changed(scene, minimum=scene.cents("minimum"))
    if isinstance(changed, Refusal) or not raised:
        return changed
    return [*changed, events.Noted({name: None, f"{name} from": None, f"{name} shown": None}, scene.clause)]


@effect
def set_maximum(scene: Scene) -> Happened | Refusal:
    """Set another maximum from now on."""
    return _limit_changed(scene, maximum=scene.cents("maximum"))


def _limit_changed(scene: Scene, **change: int) -> Happened | Refusal:
    """Change one limit; the wager's other limit is kept, and follows the table's as before."""
    refusal, name, settings = _misnamed(scene), _selection(scene), scene.state.settings
    if refusal is not None:
        return refusal
    if name is None:
        return _changed(scene, limit=msgspec.structs.replace(settings.limit, **change))
    if name in settings.wager_limits:
        both = msgspec.structs.replace(settings.wager_limits[name], **change)
        return _changed(scene, wager_limits={**settings.wager_limits, name: both})
    single = msgspec.structs.replace(settings.single_limits.get(name, Limit()), **change)
    return _changed(scene, single_limits={**settings.single_limits, name: single})


def _changed(scene: Scene, **changes: object) -> Happened | Refusal:
    """Change the sign; refuse one that contradicts itself. Standing wagers are not affected (X-8).

    Where the book has no clause on limits of its own, the clause on changing them refuses it (reading NZ-23).
    """
    settings: Settings = msgspec.structs.replace(scene.state.settings, **changes)
    refusal = check_settings(scene.view.game, settings)
    if refusal is not None:
        return refusal if refusal.clause else msgspec.structs.replace(refusal, clause=scene.clause)
    return [events.SignChanged(settings, scene.clause)]


@effect
def set_player_total(scene: Scene) -> Happened | Refusal:
    """Set the most that all wagers of one player may total."""
    return _changed(scene, player_maximum=scene.cents("maximum"))


@effect
def set_unit(scene: Scene) -> Happened | Refusal:
    """Set the step of stakes above the minimum."""
    return _changed(scene, unit=scene.cents("amount"))


@check
def minimum_stated(scene: Scene) -> bool:
    """Whether the sign states a minimum; without one, the unit itself would act as a minimum."""
    return bool(scene.state.settings.limit.minimum)


@effect
def remove_unit(scene: Scene) -> Happened | Refusal:
    """Remove the step of stakes from the sign."""
    return _changed(scene, unit=None)


@check
def wager_has_limits(scene: Scene) -> bool:
    """Whether the wager has a minimum and a maximum: one with a fixed stake has neither."""
    wager = scene.book.wagers.get(str(scene.said.get("wager")))
    return wager is None or not wager.has_one_amount


# -- a player's own sign ----------------------------------------------------------------------------------------------


@check
def above_stated_maximum(scene: Scene) -> bool:
    """Whether a player's own sign allows more than the table's sign allows anyone on the same wagers (X-54)."""
    if _misnamed(scene) is not None:
        return True
    settings = scene.state.settings
    named = [name.partition(" ") for name in settings.selections] if scene.said.get("wager") is None else []
    limits = [_limit(scene), *(limit_for(settings, wager, None, typed_pick(pick)) for wager, _, pick in named)]
    return all(limit.maximum is not None and scene.cents("maximum") > limit.maximum for limit in limits)


@check
def has_player_sign(scene: Scene) -> bool:
    """Whether there is a sign for this player."""
    return scene.text("player") in scene.state.settings.player_limits


@effect
def player_sign(scene: Scene) -> Happened | Refusal:
    """Give a player their own limits: for everything, or for one kind of wager or selection."""
    refusal, name, player = _misnamed(scene), _selection(scene), scene.text("player")
    if refusal is not None:
        return refusal
    signs, own = scene.state.settings.player_limits, Limit(scene.cents("minimum"), scene.cents("maximum"))
    before = signs.get(player, PlayerSign())
    if name is None:
        sign = PlayerSign(own.minimum, own.maximum, before.wagers)
    else:
        sign = PlayerSign(before.minimum, before.maximum, {**before.wagers, name: own})
    return _changed(scene, player_limits={**signs, player: sign})


@effect
def remove_player_sign(scene: Scene) -> Happened | Refusal:
    """Remove a player's own sign, so that the table's applies again."""
    player, signs = scene.text("player"), scene.state.settings.player_limits
    return _changed(scene, player_limits={name: limit for name, limit in signs.items() if name != player})


# -- number of players ------------------------------------------------------------------------------------------------


@check
def seat_left(scene: Scene) -> bool:
    """Whether a limit on the number of players leaves room for one more."""
    seats = scene.state.settings.seats
    return scene.fact("players limited") == NONE or seats is None or len(scene.state.seats) < seats


@check
def area_named(scene: Scene) -> bool:
    """Whether the player names an area, where each area has one player."""
    return scene.fact("one to an area") == NONE or bool(scene.said.get("area"))


@check
def area_free(scene: Scene) -> bool:
    """Whether the area is free, where each area has one player."""
    if scene.fact("one to an area") == NONE:
        return True
    taken = [value for name, value in scene.state.facts.items() if name.startswith("area ")]
    return scene.said.get("area") not in taken


@effect
def limit_players(scene: Scene) -> Happened | Refusal:
    """Limit the number of players, at most to the room there is; those already playing may stay (CR-28)."""
    count, seats = scene.count, scene.state.settings.seats
    room = scene.number(ROOM) if scene.fact("players limited") != NONE else seats or 0
    changed = _changed(scene, seats=min(count, room) if room else count)
    return changed if isinstance(changed, Refusal) else [*changed, events.Noted({ROOM: room or None}, scene.clause)]


@effect
def lift_player_limit(scene: Scene) -> Happened | Refusal:
    """Allow as many players as there is room for."""
    changed = _changed(scene, seats=scene.number(ROOM) or None)
    return changed if isinstance(changed, Refusal) else [*changed, events.Noted({ROOM: None}, scene.clause)]


# -- the sign about the pay table -------------------------------------------------------------------------------------


@effect
def pay_table_sign(scene: Scene) -> Happened:
    """Announce the change for a month from when it was made, by the table's own clock."""
    changed = local(datetime.fromisoformat(scene.text("time")), scene.timezone)
    return [events.Noted({"pay table sign until": month_later(changed).isoformat()}, scene.clause)]


# -- closing and opening again ----------------------------------------------------------------------------------------


def _is_noticed(scene: Scene) -> bool:
    """Whether closing needs a sign: players are present, and the table has not begun to close."""
    return bool(scene.state.seats) and scene.fact("table") == NONE


@check
def closing_sign_up(scene: Scene) -> bool:
    """Whether there is a sign, which a table with players present needs before closing."""
    return not _is_noticed(scene) or scene.fact("closing sign") != NONE


@check
def closing_time_told(scene: Scene) -> bool:
    """Whether the time is stated, which is needed to tell how long the sign has been up."""
    return not _is_noticed(scene) or scene.at is not None


@check
def closing_sign_stood(scene: Scene) -> bool:
    """Whether the sign about the closing has been up as long as the book requires."""
    return not _is_noticed(scene) or _has_stood(scene, "closing sign")


@check
def closing_time_come(scene: Scene) -> bool:
    """Whether the time stated on the sign about the closing has come."""
    return not _is_noticed(scene) or _has_come(scene, "closing time")


def _last_calls(scene: Scene) -> list[str]:
    """Return the facts of the wagers that the book requires to be called a last time and that the table offers."""
    calls = [name for name in scene.conduct.facts if name.startswith(FINAL_CALL)]
    return [name for name in calls if name.removeprefix(FINAL_CALL) not in scene.state.settings.without]


@check
def final_call_due(scene: Scene) -> bool:
    """Whether the table offers any wager that is called a last time."""
    return bool(_last_calls(scene))


@check
def final_call_made(scene: Scene) -> bool:
    """Whether every wager that must be called a last time, and that the table offers, has been."""
    return not _is_noticed(scene) or all(scene.fact(name) == "made" for name in _last_calls(scene))


@check
def played_out(scene: Scene) -> bool:
    """Whether a closing table has nothing left undecided."""
    return scene.fact("table") == NONE or _is_idle(scene)


@check
def still_to_decide(scene: Scene) -> bool:
    """Whether a closing table still has a wager to throw for."""
    return scene.fact("table") != "closing" or not _is_idle(scene)


def _is_idle(scene: Scene) -> bool:
    return not scene.state.layout and scene.fact("throw") == NONE


@effect
def close_table(scene: Scene) -> Happened:
    """Stop taking wagers; close the table if nothing is undecided, else once everything has been played out (X-7)."""
    if not _is_idle(scene):
        return [events.Noted({"table": "closing"}, scene.clause)]
    when = {} if scene.at is None else {"closed at": scene.at.isoformat()}
    return [events.Noted({"table": "closed", **when}, scene.clause)]


@effect
def reopen_table(scene: Scene) -> Happened:
    """Begin another gaming day: everything the game keeps between throws starts over (X-29)."""
    opened = events.TableReopened(bets_call(scene.book, scene.state.settings), scene.clause)
    at = None if scene.at is None else scene.at.isoformat()
    known = at is not None or "opened at" in scene.state.facts  # the previous day's opening time must not stay
    when = [events.Noted({"opened at": at}, scene.clause)] if known else []
    return [*_phases_anew(scene), opened, *when]


def _phases_anew(scene: Scene) -> Iterator[events.PhaseMoved]:
    for phase in scene.book.rules.phases:
        before = scene.state.phases[phase.id]
        if before != phase.start:
            yield events.PhaseMoved(phase.id, before, phase.start, scene.clause)


@check
def time_to_come(scene: Scene) -> bool:
    """Whether a sign states a time that has not passed; true if the time of the act is not stated."""
    stated = datetime.fromisoformat(scene.text("time"))
    return scene.at is None or utc_moment(stated, scene.timezone) >= utc_moment(scene.at, scene.timezone)
