"""Signs and limits, the number of players, the pay table's sign, closing the table and opening it again.

How many minutes a sign stands before what it announces is a fact of the book: `minutes of notice`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from croupier.rules.facts import NONE
from croupier.rules.picks import typed_pick
from croupier.table import events
from croupier.table.clock import local, month_later, passed, utc_moment
from croupier.table.commands import Limit, PlayerSign, Settings
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.opening import check_settings
from croupier.table.placing import limit_for, read_pick, selection_name, unknown_wager
from croupier.table.refusals import Refusal
from croupier.table.under_way import bets_call

Happened = list[events.AnyEvent]

ROOM = "room"  # how many players the table had room for before their number was limited
FINAL_CALL = "final call "  # and the wager that the book has called for the last time before it closes


# -- limits -----------------------------------------------------------------------------------------------------------


def _limit(scene: Scene) -> Limit:
    """The limits that are spoken of: those that now hold for a selection or a kind of wager, or those for all."""
    settings, wager = scene.state.settings, scene.said.get("wager")
    return settings.limit if wager is None else limit_for(settings, str(wager), None, scene.pick("pick"))


def _selection(scene: Scene) -> str | None:
    """What the sign calls what is spoken of: a selection or a kind of wager; None where it is all wagers."""
    wager = scene.said.get("wager")
    return None if wager is None else selection_name(str(wager), scene.pick("pick"))


def _misnamed(scene: Scene) -> Refusal | None:
    """What is wrong with the wager that is spoken of, or with its pick; a kind of wager is spoken of without one."""
    wager_id, pick = scene.said.get("wager"), scene.pick("pick")
    if wager_id is None:
        return None
    wager = scene.book.wagers.get(str(wager_id))
    if wager is None:
        return unknown_wager(scene.view, str(wager_id))
    read = None if pick is None else read_pick(scene.view.game, wager, pick)
    return read if isinstance(read, Refusal) else None


def _sign(scene: Scene) -> str:
    """The fact under which the sign for a higher minimum is remembered: for a selection, a kind of wager, or all."""
    name = _selection(scene)
    return "next minimum" if name is None else f"next minimum {name}"


def _is_raised(scene: Scene) -> bool:
    """Whether a minimum would be higher than the one that holds; what does not exist has none."""
    named = _misnamed(scene) is None and wager_has_limits(scene)
    return named and scene.cents("minimum") > (_limit(scene).minimum or 0)


def minimum_sign_up(scene: Scene) -> bool:
    """A higher minimum has been announced, and it is this one."""
    return not _is_raised(scene) or scene.fact(_sign(scene)) == scene.cents("minimum")


def minimum_time_told(scene: Scene) -> bool:
    """Whether a sign has stood long enough can only be said at some time."""
    return not _is_raised(scene) or scene.at is not None


def minimum_sign_stood(scene: Scene) -> bool:
    """The sign for a higher minimum has stood as long as the book asks."""
    return not _is_raised(scene) or _has_stood(scene, f"{_sign(scene)} shown")


def minimum_time_come(scene: Scene) -> bool:
    """The time that the sign for a higher minimum states has come."""
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


def post_minimum_sign(scene: Scene) -> Happened | Refusal:
    """A sign says which minimum will hold, and from when; the table remembers since when it stands."""
    refusal = _misnamed(scene)
    if refusal is not None:
        return refusal
    if scene.at is None:
        return Refusal("time_needed", 'The time of this is recorded: say "at" what time it is.', scene.clause)
    name = _sign(scene)
    shown = {f"{name} from": scene.text("time"), f"{name} shown": scene.at.isoformat()}
    return [events.Noted({name: scene.cents("minimum"), **shown}, scene.clause)]


def minimum_sign_stands(scene: Scene) -> bool:
    """Whether a sign about a minimum of what is spoken of stands there."""
    return scene.fact(_sign(scene)) != NONE


def withdraw_minimum_sign(scene: Scene) -> Happened:
    """The sign is taken down, and nothing is announced any more."""
    name = _sign(scene)
    return [events.Noted({name: None, f"{name} from": None, f"{name} shown": None}, scene.clause)]


def set_minimum(scene: Scene) -> Happened | Refusal:
    """Another minimum holds from now on; a sign that announced it has done its work."""
    raised, name = _is_raised(scene), _sign(scene)
    changed = _limit_changed(scene, minimum=scene.cents("minimum"))
    if isinstance(changed, Refusal) or not raised:
        return changed
    return [*changed, events.Noted({name: None, f"{name} from": None, f"{name} shown": None}, scene.clause)]


def set_maximum(scene: Scene) -> Happened | Refusal:
    """Another maximum holds from now on."""
    return _limit_changed(scene, maximum=scene.cents("maximum"))


def _limit_changed(scene: Scene, **change: int) -> Happened | Refusal:
    """One limit is another; the other one of the same wager stays what it was, and follows the table's as before."""
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
    """The sign says something else; a sign that contradicts itself is none. What stands is not touched (X-8)."""
    settings: Settings = msgspec.structs.replace(scene.state.settings, **changes)
    refusal = check_settings(scene.view.game, settings)
    return refusal if refusal is not None else [events.SignChanged(settings, scene.clause)]


def set_player_total(scene: Scene) -> Happened | Refusal:
    """The sign states the most that all wagers of one player may come to."""
    return _changed(scene, player_maximum=scene.cents("maximum"))


def set_unit(scene: Scene) -> Happened | Refusal:
    """The sign states the step in which stakes above the minimum are made."""
    return _changed(scene, unit=scene.cents("amount"))


def minimum_stated(scene: Scene) -> bool:
    """Whether the sign states a minimum from which units can count; counted from nothing they would be one."""
    return bool(scene.state.settings.limit.minimum)


def remove_unit(scene: Scene) -> Happened | Refusal:
    """The sign states no step any more."""
    return _changed(scene, unit=None)


def wager_has_limits(scene: Scene) -> bool:
    """A wager with one fixed amount has neither a minimum nor a maximum."""
    wager = scene.book.wagers.get(str(scene.said.get("wager")))
    return wager is None or not wager.has_one_amount


# -- a player's own sign ----------------------------------------------------------------------------------------------


def above_stated_maximum(scene: Scene) -> bool:
    """A sign of a player's own is for more than the table's sign lets anybody wager on what it is for (X-54)."""
    if _misnamed(scene) is not None:
        return True
    settings = scene.state.settings
    named = [name.partition(" ") for name in settings.selections] if scene.said.get("wager") is None else []
    limits = [_limit(scene), *(limit_for(settings, wager, None, typed_pick(pick)) for wager, _, pick in named)]
    return all(limit.maximum is not None and scene.cents("maximum") > limit.maximum for limit in limits)


def has_player_sign(scene: Scene) -> bool:
    """Whether there is a sign for this player."""
    return scene.text("player") in scene.state.settings.player_limits


def player_sign(scene: Scene) -> Happened | Refusal:
    """A player has limits of their own: for everything, or for one kind of wager or selection."""
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


def remove_player_sign(scene: Scene) -> Happened | Refusal:
    """The table's sign holds for this player again."""
    player, signs = scene.text("player"), scene.state.settings.player_limits
    return _changed(scene, player_limits={name: limit for name, limit in signs.items() if name != player})


# -- how many may play ------------------------------------------------------------------------------------------------


def seat_left(scene: Scene) -> bool:
    """Whether a limit on the number of players leaves room for one more."""
    seats = scene.state.settings.seats
    return scene.fact("players limited") == NONE or seats is None or len(scene.state.seats) < seats


def area_named(scene: Scene) -> bool:
    """Where each area has one player, a player sits in a certain one."""
    return scene.fact("one to an area") == NONE or bool(scene.said.get("area"))


def area_free(scene: Scene) -> bool:
    """Where each area has one player, nobody else is in it."""
    if scene.fact("one to an area") == NONE:
        return True
    taken = [value for name, value in scene.state.facts.items() if name.startswith("area ")]
    return scene.said.get("area") not in taken


def limit_players(scene: Scene) -> Happened | Refusal:
    """Only so many may play, at most as many as find room; those who do already may stay (CR-28)."""
    count, seats = scene.count, scene.state.settings.seats
    room = scene.number(ROOM) if scene.fact("players limited") != NONE else seats or 0
    changed = _changed(scene, seats=min(count, room) if room else count)
    return changed if isinstance(changed, Refusal) else [*changed, events.Noted({ROOM: room or None}, scene.clause)]


def lift_player_limit(scene: Scene) -> Happened | Refusal:
    """As many may play as find room."""
    changed = _changed(scene, seats=scene.number(ROOM) or None)
    return changed if isinstance(changed, Refusal) else [*changed, events.Noted({ROOM: None}, scene.clause)]


# -- the sign about the pay table -------------------------------------------------------------------------------------


def pay_table_sign(scene: Scene) -> Happened:
    """The sign tells of the change for a month from the time at which it was made, by the table's own clock."""
    changed = local(datetime.fromisoformat(scene.text("time")), scene.timezone)
    return [events.Noted({"pay table sign until": month_later(changed).isoformat()}, scene.clause)]


# -- closing and opening again ----------------------------------------------------------------------------------------


def _is_noticed(scene: Scene) -> bool:
    """Whether closing needs a sign: players are there, and the table has not begun to close."""
    return bool(scene.state.seats) and scene.fact("table") == NONE


def closing_sign_up(scene: Scene) -> bool:
    """A table at which players are present closes only after a sign."""
    return not _is_noticed(scene) or scene.fact("closing sign") != NONE


def closing_time_told(scene: Scene) -> bool:
    """Whether the sign has stood long enough can only be said at some time."""
    return not _is_noticed(scene) or scene.at is not None


def closing_sign_stood(scene: Scene) -> bool:
    """The sign about the closing has stood as long as the book asks."""
    return not _is_noticed(scene) or _has_stood(scene, "closing sign")


def closing_time_come(scene: Scene) -> bool:
    """The time that the sign about the closing states has come."""
    return not _is_noticed(scene) or _has_come(scene, "closing time")


def _last_calls(scene: Scene) -> list[str]:
    """The facts of the wagers that the book has called for the last time and that the table offers."""
    calls = [name for name in scene.conduct.facts if name.startswith(FINAL_CALL)]
    return [name for name in calls if name.removeprefix(FINAL_CALL) not in scene.state.settings.without]


def final_call_due(scene: Scene) -> bool:
    """Whether the table offers anything that is called for the last time."""
    return bool(_last_calls(scene))


def final_call_made(scene: Scene) -> bool:
    """A wager that the book has called for the last time has been called, if the table offers it."""
    return not _is_noticed(scene) or all(scene.fact(name) == "made" for name in _last_calls(scene))


def played_out(scene: Scene) -> bool:
    """A table that is closing closes when nothing is undecided."""
    return scene.fact("table") == NONE or _is_idle(scene)


def still_to_decide(scene: Scene) -> bool:
    """A table that is closing throws only for what still stands."""
    return scene.fact("table") != "closing" or not _is_idle(scene)


def _is_idle(scene: Scene) -> bool:
    return not scene.state.layout and scene.fact("throw") == NONE


def close_table(scene: Scene) -> Happened:
    """No new wagers; with nothing undecided the table is closed, else it closes when all has been played out (X-7)."""
    if not _is_idle(scene):
        return [events.Noted({"table": "closing"}, scene.clause)]
    when = {} if scene.at is None else {"closed at": scene.at.isoformat()}
    return [events.Noted({"table": "closed", **when}, scene.clause)]


def reopen_table(scene: Scene) -> Happened:
    """Another gaming day: everything that the game remembers begins anew (X-29)."""
    opened = events.TableReopened(bets_call(scene.book, scene.state.settings), scene.clause)
    at = None if scene.at is None else scene.at.isoformat()
    told = at is not None or "opened at" in scene.state.facts  # when the day before began says nothing of this one
    when = [events.Noted({"opened at": at}, scene.clause)] if told else []
    return [*_phases_anew(scene), opened, *when]


def _phases_anew(scene: Scene) -> Iterator[events.PhaseMoved]:
    for phase in scene.book.rules.phases:
        before = scene.state.phases[phase.id]
        if before != phase.start:
            yield events.PhaseMoved(phase.id, before, phase.start, scene.clause)


def time_to_come(scene: Scene) -> bool:
    """Whether a sign states a time that has not passed; without the time of the act that is asked for first."""
    stated = datetime.fromisoformat(scene.text("time"))
    return scene.at is None or utc_moment(stated, scene.timezone) >= utc_moment(scene.at, scene.timezone)


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    time_to_come,
    minimum_sign_up,
    minimum_sign_stands,
    minimum_time_told,
    minimum_sign_stood,
    minimum_time_come,
    wager_has_limits,
    minimum_stated,
    above_stated_maximum,
    has_player_sign,
    seat_left,
    area_named,
    area_free,
    closing_sign_up,
    closing_time_told,
    closing_sign_stood,
    closing_time_come,
    final_call_due,
    final_call_made,
    played_out,
    still_to_decide,
)

EFFECTS: dict[str, Callable[[Scene], Happened | Refusal]] = by_name(
    post_minimum_sign,
    withdraw_minimum_sign,
    set_minimum,
    set_maximum,
    set_player_total,
    set_unit,
    remove_unit,
    player_sign,
    remove_player_sign,
    limit_players,
    lift_player_limit,
    pay_table_sign,
    close_table,
    reopen_table,
)
