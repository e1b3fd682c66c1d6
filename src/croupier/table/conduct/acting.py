"""Doing what a book's conduct knows: may this person, does everything hold, what is remembered, what else happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.money import parse_cents
from croupier.rules.conduct import PLAYER, Act, Conduct, Need, filled
from croupier.rules.facts import Fact
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.conduct.fields import read_said
from croupier.table.conduct.scene import Scene, refusal_of, unknown_role
from croupier.table.conduct.topics import CHECKS, EFFECTS
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.state import State


def perform_act(shelf: Shelf, state: State, command: commands.PerformAct) -> tuple[events.AnyEvent, ...] | Refusal:
    """Carry an act out, or say why not."""
    who = command.who
    if who is None and command.by == PLAYER and isinstance(command.said.get("player"), str):
        who = str(command.said["player"])
    scene = Scene(shelf, state, command.by, who, command.at, {})
    act = scene.conduct.by_id.get(command.act)
    if act is None:
        return Refusal("unknown_act", f"The book knows nothing called {command.act}.")
    said = read_said(scene, act, command.said)
    scene.said = {} if isinstance(said, Refusal) else said
    scene.clause = clause_now(scene, act) if scene.said is said else act.clause
    refusal = _may(scene, act)
    if refusal is not None:
        return refusal
    if isinstance(said, Refusal):
        return said
    return first_unmet(scene, act.needs, scene.clause) or _unmet_of_command(scene, act) or _done(scene, act)


def clause_now(scene: Scene, act: Act) -> str:
    """The clause that the act stands under as things are, which those hear as well who may not do it."""
    return next((later.clause for later in act.later if CHECKS[later.check](scene)), act.clause)


def _unmet_of_command(scene: Scene, act: Act) -> Refusal | None:
    """What stands against the command that the act begins."""
    power = scene.conduct.power(act.command, None) if act.command is not None else None
    return None if power is None else first_unmet(scene, power.needs, power.clause)


def _may(scene: Scene, act: Act) -> Refusal | None:
    """Whether the book lets this person do it."""
    if scene.by is None:
        return Refusal(
            "nobody_acts", f'{act.id} is done by somebody: say "as" with a role, and "who" with a name.', scene.clause
        )
    refusal = known_role(scene.conduct, scene.by)
    if refusal is not None:
        return refusal
    if not scene.conduct.may(scene.by, act.by):
        return not_permitted(scene.by, act.by, act.by_clause or scene.clause)
    if scene.by == PLAYER and scene.who is None:
        return Refusal("unknown_player", f'{act.id} is done by a player: say "who" it is.', scene.clause)
    if scene.by == PLAYER and scene.who not in scene.state.chips:
        return unknown_player(scene.who)
    return None


def known_role(conduct: Conduct, by: str) -> Refusal | None:
    """Only the people of the book may act."""
    return None if by in conduct.role_ids else unknown_role(conduct, by)


def not_permitted(by: str, may: list[str], clause: str | None) -> Refusal:
    """The refusal of the wrong role."""
    return Refusal("not_permitted", f"That is not for the {by} to do; it is for the {' or the '.join(may)}.", clause)


def first_unmet(scene: Scene, needs: Sequence[Need], clause: str | None) -> Refusal | None:
    """The first need that does not hold, if any."""
    words: Mapping[str, object] = {}
    for need in needs:
        if scene.at is None and (need.minutes is not None or need.reached):
            return Refusal("time_needed", 'This depends on the time: say "at" what time it is.', need.clause or clause)
        if need.check is not None:
            met = CHECKS[need.check](scene)
        else:
            words = words or scene.words()
            met = scene.holds(need, words)
        if not met:
            return refusal_of(need, clause, words or scene.words())
    return None


def _done(scene: Scene, act: Act) -> tuple[events.AnyEvent, ...] | Refusal:
    words = scene.words()
    if scene.at is None and any("{at}" in str(value) for value in act.sets.values()):
        return Refusal("time_needed", 'The time of this is recorded: say "at" what time it is.', scene.clause)
    scene.changes = facts = dict(_changes(scene, act, words))
    call = filled(act.call, words) if act.call is not None else None
    when = scene.at.isoformat() if scene.at is not None else None
    done = events.ActDone(act.id, scene.by, scene.who, dict(scene.said), facts, call, scene.clause, when)
    if act.effect is None:
        return (done,)
    effect = EFFECTS[act.effect](scene)
    return effect if isinstance(effect, Refusal) else (done, *effect)


def _changes(scene: Scene, act: Act, words: Mapping[str, object]) -> Iterator[tuple[str, Fact | None]]:
    """What the table remembers anew; None is forgotten."""
    for pattern in act.clears:
        yield from forgotten(scene.state, filled(pattern.removesuffix("*"), words), all_of=pattern.endswith("*"))
    for name, amount in act.adds.items():
        key = filled(name, words)
        yield key, scene.number(key) + _amount(filled(str(amount), words))
    for name, value in act.sets.items():
        yield filled(name, words), value if isinstance(value, int) else _plain(filled(value, words), scene, value)


def _amount(text: str) -> int:
    """A whole number of any length."""
    number = parse_cents(f"{text.removeprefix('-')}.00") // 100
    return -number if text.startswith("-") else number


def _plain(text: str, scene: Scene, template: str) -> Fact:
    """A value that is nothing but a number that was said stays a number."""
    said = scene.said.get(template.strip("{}")) if template.startswith("{") and template.endswith("}") else None
    return said if isinstance(said, int) else text


def forgotten(state: State, name: str, *, all_of: bool = False) -> Iterator[tuple[str, None]]:
    """The fact of a name, or all whose names begin so, where the book ends it with a `*`; people may be called that."""
    if all_of:
        yield from ((key, None) for key in state.facts if key.startswith(name))
    elif name in state.facts:
        yield name, None
