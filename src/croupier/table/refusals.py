"""A refusal is a value: a stable code for programs, the clause behind it, a sentence for a person."""

from __future__ import annotations

import msgspec

from croupier.rules.errors import Impossible


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why a command was not carried out. `clause` is None if no clause of the book is behind it.

    `about` names the part that is refused, for a command with many: a point of terms, a prize, a point of a prize.
    """

    code: str
    message: str
    clause: str | None = None
    about: tuple[str, ...] = ()


def refused(error: Impossible) -> Refusal:
    """Convert a request that the book does not allow into a refusal."""
    return Refusal(error.code, error.sentence, error.clause)


def unknown_player(player: object) -> Refusal:
    """Return the refusal of a player who has no seat."""
    return Refusal("unknown_player", f"No player called {player} sits at this table.")
