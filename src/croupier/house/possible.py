"""Which acts somebody could do at a table just now: each is tried, with what could be said with it.

Nothing happens by it. An act that is not found here may still be possible, with other words than were tried: whoever
lists acts puts these first and leaves none out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, islice, product

from croupier.felt.spots import spots_of
from croupier.house.deeds.titles import fitting_title
from croupier.house.steps import MOST_ASKED, changes, is_ruled_out
from croupier.house.tables import TableState
from croupier.money import format_cents
from croupier.rules.conduct import KINDS, PLAYER, Act
from croupier.rules.shelf import Shelf
from croupier.table.commands import FindWager, PerformAct, PlaceWager
from croupier.table.conduct.fields import PICK_OF
from croupier.table.conduct.scene import Scene
from croupier.table.decide import decide_without_note
from croupier.table.refusals import Refusal

MOST_TRIES = 250  # of one act: as many as three dice have results, and some more
NOTICE = timedelta(minutes=20)
SOMETHING = "something"

Said = dict[str, object]

# Commands of every table that staff give for a player.
_FOR_PLAYERS: dict[str, type[PlaceWager] | type[FindWager]] = {"bet": PlaceWager, "find": FindWager}


def possible_acts(shelf: Shelf, state: TableState, person: str, now: datetime) -> list[str]:
    """The acts of the book that the table would take from this person, and that would change something."""
    game = state.game
    role = state.staff.get(person) or (PLAYER if person in game.chips else None)
    if role is None or not game.is_open:
        return []
    scene = Scene(shelf, game, None, person, state.later(now), {})
    acts = [act for act in scene.conduct.acts if act.aside or state.rhythm is None]
    found = [act.id for act in acts if not is_ruled_out(scene, act) and _is_possible(scene, act, role)]
    return found + [word for word in _FOR_PLAYERS if role != PLAYER and _is_possible_for_players(scene, word, role)]


def _is_possible(scene: Scene, act: Act, role: str) -> bool:
    by = fitting_title(scene.conduct, role, act.by)
    if by is None or not scene.conduct.may(by, act.by):
        return False
    for said in islice(_sayings(scene, act), MOST_TRIES):
        command = PerformAct(act=act.id, said=said, by=by, who=scene.who, at=scene.at)
        decision = decide_without_note(scene.shelf, scene.state, command)
        if not isinstance(decision, Refusal) and any(changes(scene.state, event) for event in decision):
            return True
    return False


def _is_possible_for_players(scene: Scene, word: str, role: str) -> bool:
    """Whether a wager of somebody who sits here could be laid for them, or found on some area."""
    game, make = scene.state, _FOR_PLAYERS[word]
    least = max(game.settings.chip, game.settings.limit.minimum or 0)
    powers = [power for power in scene.conduct.powers if power.command == word]
    titles = [by for power in powers if (by := fitting_title(scene.conduct, role, power.by)) in power.by]
    tries = product(titles, game.seats, (spot for spot in spots_of(scene.book) if not spot.travelled))
    for by, player, spot in islice(tries, MOST_TRIES):
        wager, pick = spot.key
        command = make(player=player, wager=wager, pick=pick, amount=least, by=by, who=scene.who, at=scene.at)
        if not isinstance(decide_without_note(scene.shelf, game, command), Refusal):
            return True
    return False


def _sayings(scene: Scene, act: Act) -> Iterator[Said]:
    """What could be said with an act, in each way to put it."""
    for form in act.forms:
        for values in product(*(list(_values(scene, act, name)) for name in form)):
            yield dict(chain.from_iterable(value.items() for value in values))


def _values(scene: Scene, act: Act, name: str) -> Iterator[Said]:
    """What could stand for a field; first whom or what the table remembers something about that the act needs."""
    remembered = list(dict.fromkeys(_remembered(scene, act, name)))
    kind = KINDS.get(name, "text")
    if kind == "wager":
        for wager, pick in {(area.wager, scene.view.shown_pick(area)): None for area in scene.state.layout}:
            yield {name: wager, PICK_OF[name]: pick}
        return
    plain = _plain_values(scene, act, name, kind)
    yield from ({name: value} for value in (*remembered, *(value for value in plain if value not in remembered)))


def _plain_values(scene: Scene, act: Act, name: str, kind: str) -> list[object]:
    game = scene.state
    if kind == "player" or name == "person":
        return list(game.seats)
    if kind == "faces":
        return [list(faces) for faces in scene.book.outcomes.all]
    if kind == "count":
        return list(range(1, MOST_ASKED + 1))
    if kind == "money":
        return [format_cents(game.settings.chip)]
    if kind == "time":
        return [] if scene.at is None else [(scene.at + NOTICE).isoformat()]
    if kind == "reason":
        return list(act.grounds)
    if kind == "role":
        return list(scene.conduct.role_ids)
    return list(act.choices.get(name) or [SOMETHING])


def _remembered(scene: Scene, act: Act, name: str) -> Iterator[str]:
    """Names in facts that a need of the act asks about: who was found with a device, which dispute is open."""
    for need in act.needs:
        pattern = _named(need.fact or "", name)
        if pattern is not None:
            matches = map(pattern.fullmatch, scene.state.facts)
            yield from (match[1] for match in matches if match is not None)


def _named(template: str, name: str) -> re.Pattern[str] | None:
    """Facts of a form such as `device {person}`; None where the name is no part of it, or not the only one."""
    before, brace, after = template.partition("{" + name + "}")
    if not brace or "{" in before + after:
        return None
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
