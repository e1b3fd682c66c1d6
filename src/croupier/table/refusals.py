"""A refusal is a value: a stable code for programs, the clause behind it, a sentence for a person."""

from __future__ import annotations

import msgspec

from croupier.rules.errors import Impossible


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why a command was not carried out. `clause` is None where no clause of the book is behind it.

    `about` names what of it is refused, where it has many parts: a point of terms, a prize, a point of a prize.
    """

    code: str
    message: str
    clause: str | None = None
    about: tuple[str, ...] = ()


def refused(error: Impossible) -> Refusal:
    """What cannot be under the book, as a refusal."""
    return Refusal(error.code, error.sentence, error.clause)


def unknown_player(player: object) -> Refusal:
    """Nobody of that name is seated."""
    return Refusal("unknown_player", f"Nobody called {player} has a seat at this table.")
