"""Who may give the commands that every table knows, and what the table's memory has against them."""

from __future__ import annotations

import msgspec

from croupier.rules.conduct import PLAYER
from croupier.rules.picks import plain_pick
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.conduct.acting import first_unmet, known_role, not_permitted
from croupier.table.conduct.scene import Said, Scene, unknown_role
from croupier.table.refusals import Refusal
from croupier.table.state import State

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
    fields = msgspec.structs.asdict(command)
    said: dict[str, Said] = {name: value for name, value in fields.items() if isinstance(value, int | str)}
    if "pick" in fields:  # which may be a set of numbers
        said["pick"] = plain_pick(fields["pick"])
    who = command.who or (fields.get("player") if command.by in (PLAYER, None) else None)
    scene = Scene(shelf, state, command.by, who, command.at, said)
    power = scene.conduct.power(word, fields.get("reason"))
    if command.by is not None:
        refusal = known_role(scene)
        if refusal is not None:
            return refusal
        if power is None:
            return None if scene.conduct.knows(word) else no_such_power(command.by)
        if not scene.conduct.may(command.by, power.by):
            return not_permitted(command.by, power.by, power.refusals.get(command.by, power.clause))
        player = fields.get("player")
        if command.by == PLAYER and player not in (None, who):
            return Refusal("not_your_own", f"{who} is not {player}: a player acts for nobody else.", power.clause)
    return None if power is None else first_unmet(scene, power.needs, power.clause)
