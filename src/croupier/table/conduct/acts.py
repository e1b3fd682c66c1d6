"""Perform the acts of a book's conduct, and check who may give a table command.

Each act and command is checked against roles and needs; an act sets facts and may have an effect. The checks and
effects themselves are in the modules by topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from croupier.money import parse_cents
from croupier.rules.conduct import PLAYER, Act, Conduct, Need, Power, filled
from croupier.rules.machine import plain_pick
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.rules.shelf import Shelf
from croupier.table import commands, events

# The modules by topic declare the checks and effects.
from croupier.table.conduct import betting, chips, disputes, moments, payments, people, sets, signs, turns  # noqa: F401
from croupier.table.conduct.scene import CHECKS, EFFECTS, Said, Scene, read_said, refusal_of, show_faces, unknown_role
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.state import State
from croupier.table.throwing import plain_faces
from croupier.table.under_way import CALLED, THROW


@acts_on("conduct.roles", "conduct.acts")
def perform_act(shelf: Shelf, state: State, command: commands.PerformAct) -> tuple[events.AnyEvent, ...] | Refusal:
    """Carry out an act, or refuse it."""
    who = command.who
    if who is None and command.by == PLAYER and isinstance(command.said.get("player"), str):
        who = str(command.said["player"])
    scene = Scene(shelf, state, command.by, who, command.at, {})
    act = scene.conduct.by_id.get(command.act)
    if act is None:
        return Refusal("unknown_act", f"This book has no act called {command.act}.")
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
    """Return the clause that currently applies to the act; it is also cited to people who may not do it."""
    return next((later.clause for later in act.later if CHECKS[later.check](scene)), act.clause)


def _unmet_of_command(scene: Scene, act: Act) -> Refusal | None:
    """Check the needs of the command that the act begins."""
    power = scene.conduct.power(act.command, None) if act.command is not None else None
    return None if power is None else first_unmet(scene, power.needs, power.clause)


def _may(scene: Scene, act: Act) -> Refusal | None:
    """Check that the book lets this person do it."""
    if scene.by is None:
        return Refusal("nobody_acts", f'Say who does {act.id}: give a role as "as" and a name as "who".', scene.clause)
    refusal = known_role(scene.conduct, scene.by)
    if refusal is not None:
        return refusal
    if not scene.conduct.may(scene.by, act.by):
        return not_permitted(scene.by, act.by, act.refusals.get(scene.by, act.by_clause or scene.clause))
    if scene.by == PLAYER and scene.who is None:
        return Refusal("unknown_player", f'A player does {act.id}: give the name as "who".', scene.clause)
    if scene.by == PLAYER and scene.who not in scene.state.chips:
        return unknown_player(scene.who)
    return None


def known_role(conduct: Conduct, by: str) -> Refusal | None:
    """Refuse a role that is not in the book."""
    return None if by in conduct.role_ids else unknown_role(conduct, by)


def not_permitted(by: str, may: list[str], clause: str | None) -> Refusal:
    """Return the refusal of the wrong role."""
    return Refusal("not_permitted", f"The {by} may not do that. Only the {' or the '.join(may)} may.", clause)


def first_unmet(scene: Scene, needs: Sequence[Need], clause: str | None) -> Refusal | None:
    """Return the refusal of the first need that does not hold, if any."""
    words: Mapping[str, object] = {}
    for need in needs:
        if scene.at is None and (need.minutes is not None or need.reached):
            return Refusal("time_needed", 'This depends on the time: give it as "at".', need.clause or clause)
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
        return Refusal("time_needed", 'The time is recorded with this: give it as "at".', scene.clause)
    scene.changes = facts = dict(_changes(scene, act, words))
    call = filled(act.call, words) if act.call is not None else None
    when = scene.at.isoformat() if scene.at is not None else None
    done = events.ActDone(act.id, scene.by, scene.who, dict(scene.said), facts, call, scene.clause, when)
    if act.effect is None:
        return (done,)
    effects = EFFECTS[act.effect](scene)
    return effects if isinstance(effects, Refusal) else (done, *effects)


def _changes(scene: Scene, act: Act, words: Mapping[str, object]) -> Iterator[tuple[str, Fact | None]]:
    """Yield the facts that change; None clears one."""
    for pattern in act.clears:
        yield from forgotten(scene.state, filled(pattern.removesuffix("*"), words), all_of=pattern.endswith("*"))
    for name, amount in act.adds.items():
        key = filled(name, words)
        yield key, scene.number(key) + _amount(filled(str(amount), words))
    for name, value in act.sets.items():
        yield filled(name, words), value if isinstance(value, int) else _plain(filled(value, words), scene, value)


def _amount(text: str) -> int:
    """Parse a whole number of any length."""
    number = parse_cents(f"{text.removeprefix('-')}.00") // 100
    return -number if text.startswith("-") else number


def _plain(text: str, scene: Scene, template: str) -> Fact:
    """Return a number if the template is just one numeric field, and text otherwise."""
    said = scene.said.get(template.strip("{}")) if template.startswith("{") and template.endswith("}") else None
    return said if isinstance(said, int) else text


def forgotten(state: State, name: str, *, all_of: bool = False) -> Iterator[tuple[str, None]]:
    """Yield the fact with this name, or with `all_of` every fact that starts with it; a name may end in `*`."""
    if all_of:
        yield from ((key, None) for key in state.facts if key.startswith(name))
    elif name in state.facts:
        yield name, None


# -- powers -----------------------------------------------------------------------------------------------------------

# The book's names for the table commands.
WORDS: dict[type, str] = {
    commands.OpenTable: "open",
    commands.SeatPlayer: "seat",
    commands.BuyChips: "chips",
    commands.LeaveTable: "leave",
    commands.PlaceWager: "bet",
    commands.TakeWager: "take",
    commands.CallWager: "call",
    commands.FindWager: "find",
    commands.CloseBets: "no_more_bets",
    commands.Throw: "throw",
    commands.VoidThrow: "void",
    commands.AdoptRules: "adopt",
}


def check_opening(shelf: Shelf, command: commands.OpenTable) -> Refusal | None:
    """Check that this role may open a table of the book."""
    conduct = shelf.game(command.terms).book.conduct
    if command.by is None:
        return None
    power = conduct.power("open", None)
    if command.by not in conduct.role_ids:
        return unknown_role(conduct, command.by)
    if power is None:
        return no_such_power(command.by)
    return None if conduct.may(command.by, power.by) else not_permitted(command.by, power.by, power.clause)


def no_such_power(by: str) -> Refusal:
    """Return the refusal of a command that the book gives to no role."""
    return Refusal("not_permitted", f"The {by} may not do that. The book gives no role this power.")


@acts_on("conduct.powers")
def check_power(shelf: Shelf, state: State, command: commands.AnyCommand) -> Refusal | None:
    """Check that this role may give the command and that no fact bars it."""
    word = WORDS.get(type(command))
    if word is None:  # an act states who may do it
        return None
    conduct = shelf.game(state.terms[-1]).book.conduct
    power = conduct.power(word, getattr(command, "reason", None))
    if command.by is not None:
        refusal = _check_role(conduct, power, word, command, command.by)
        if refusal is not None:
            return refusal
    if power is None:
        return None
    if isinstance(command, commands.Throw):
        return _check_throw(shelf, state, command, power)
    needs = conduct.needs(power, state.facts)
    return first_unmet(_scene(shelf, state, command), needs, power.clause) if needs else None


def _check_throw(shelf: Shelf, state: State, command: commands.Throw, power: Power) -> Refusal | None:
    """Check an outcome entered in a single command: the needs of calling and settling it apply too.

    The needs of the throw itself were checked when it left the hand; for one under way only later needs apply.
    """
    conduct = shelf.game(state.terms[-1]).book.conduct
    scene = _scene(shelf, state, command)
    needs = () if scene.fact(THROW) not in (NONE, CALLED) else conduct.needs(power, state.facts)
    refusal = first_unmet(scene, needs, power.clause) if needs else None
    for act in (conduct.by_id.get(name) for name in _SETTLING) if state.facts else ():
        if refusal is None and act is not None:
            refusal = first_unmet(scene, [need for need in act.needs if need.fact != THROW], act.clause)
    return refusal


_SETTLING = ("call_result", "confirm_result")


def _check_role(
    conduct: Conduct, power: Power | None, word: str, command: commands.AnyCommand, by: str
) -> Refusal | None:
    refusal = known_role(conduct, by)
    if refusal is not None:
        return refusal
    if power is None:
        return None if conduct.knows(word) else no_such_power(by)
    if not conduct.may(by, power.by):
        return not_permitted(by, power.by, power.refusals.get(by, power.clause))
    player, who = getattr(command, "player", None), _who(command)
    if by == PLAYER and player not in (None, who):
        return Refusal(
            "not_your_own",
            f"{who} may not act for {player}. Players act only for themselves.",
            power.own_clause or power.clause,
        )
    return None


def _who(command: commands.AnyCommand) -> str | None:
    return command.who or (getattr(command, "player", None) if command.by in (PLAYER, None) else None)


def _scene(shelf: Shelf, state: State, command: commands.AnyCommand) -> Scene:
    """Return the command as a scene for its needs."""
    return Scene(shelf, state, command.by, _who(command), command.at, lambda: _said(shelf, state, command))


def _said(shelf: Shelf, state: State, command: commands.AnyCommand) -> dict[str, Said]:
    """Return the plain values of a command, and the faces if they can be thrown."""
    fields = msgspec.structs.asdict(command)
    said: dict[str, Said] = {name: value for name, value in fields.items() if type(value) in _PLAIN}
    if isinstance(command, commands.Throw):
        faces = plain_faces(command.faces)
        if faces in shelf.game(state.terms[-1]).book.outcomes.index:
            said["faces"] = show_faces(faces)
    if "pick" in fields:  # it may be a set of numbers
        said["pick"] = plain_pick(fields["pick"])
    return said


_PLAIN = frozenset([int, str, bool])
