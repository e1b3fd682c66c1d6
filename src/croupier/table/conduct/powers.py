"""Who may give the commands that every table knows, and what the table's memory has against them."""

from __future__ import annotations

import msgspec

from croupier.rules.conduct import PLAYER, Conduct, Power
from croupier.rules.facts import NONE
from croupier.rules.picks import plain_pick
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.conduct.acting import first_unmet, known_role, not_permitted
from croupier.table.conduct.fields import show_faces
from croupier.table.conduct.scene import Said, Scene, unknown_role
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.throwing import plain_faces
from croupier.table.under_way import CALLED, THROW

# What a book calls the commands that every table knows.
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
    """Whether this role may open a table of the book."""
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
    """The refusal of a command that this book has no use for."""
    return Refusal("not_permitted", f"The book gives this to nobody, and so not to the {by}.")


def check_power(shelf: Shelf, state: State, command: commands.AnyCommand) -> Refusal | None:
    """Whether this role may give the command, and whether anything remembered stands against it."""
    word = WORDS.get(type(command))
    if word is None:  # an act says itself who may do it
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
        return _check_telling(shelf, state, command, power)
    needs = conduct.needs(power, state.facts)
    return first_unmet(_scene(shelf, state, command), needs, power.clause) if needs else None


def _check_telling(shelf: Shelf, state: State, command: commands.Throw, power: Power) -> Refusal | None:
    """What fell is told in one line, which skips nothing: what stands against the call and the settlement counts too.

    What stands against a throw was asked when it left the hand; of one under way only what follows is.
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
        return Refusal("not_your_own", f"{who} is not {player}: a player acts for nobody else.", power.clause)
    return None


def _who(command: commands.AnyCommand) -> str | None:
    return command.who or (getattr(command, "player", None) if command.by in (PLAYER, None) else None)


def _scene(shelf: Shelf, state: State, command: commands.AnyCommand) -> Scene:
    """The command as needs see it."""
    return Scene(shelf, state, command.by, _who(command), command.at, lambda: _said(shelf, state, command))


def _said(shelf: Shelf, state: State, command: commands.AnyCommand) -> dict[str, Said]:
    """What is said with a command are its plain values, and what fell, if that can fall."""
    fields = msgspec.structs.asdict(command)
    said: dict[str, Said] = {name: value for name, value in fields.items() if type(value) in _PLAIN}
    if isinstance(command, commands.Throw):
        faces = plain_faces(command.faces)
        if faces in shelf.game(state.terms[-1]).book.outcomes.index:
            said["faces"] = show_faces(faces)
    if "pick" in fields:  # which may be a set of numbers
        said["pick"] = plain_pick(fields["pick"])
    return said


_PLAIN = frozenset([int, str, bool])
