"""What a player could do now besides wagering, where people run the table: accept the dice, throw or pass them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from croupier.house.tables import TableState
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER, Act
from croupier.rules.shelf import Shelf
from croupier.table.commands import PerformAct
from croupier.table.decide import decide_without_note
from croupier.table.events import ActDone
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

FACES = ["faces"]


def own_acts(shelf: Shelf, state: TableState, person: str | None, now: datetime) -> list[Told]:
    """The lines of acts that the table would take from this player, and that would change something.

    They are those of the game itself. What leaves the throw alone may be said at any time, and is not listed.
    """
    if state.rhythm is not None or person not in state.game.chips:
        return []
    book = shelf.game(state.game.terms[-1]).book
    acts = [act for act in book.conduct.acts if PLAYER in act.by and not act.aside]
    lines = (_first_taken(shelf, state, act, person, now, _lines(book, act)) for act in acts)
    return [line for line in lines if line is not None]


def _lines(book: Book, act: Act) -> Iterator[Told]:
    """An act that needs nothing to be said with it; or, where it is about faces, with each of all throws."""
    if [] in act.forms:
        yield {}
    elif FACES in act.forms:
        for faces in book.outcomes.all:
            yield {"faces": list(faces)}


def _first_taken(
    shelf: Shelf, state: TableState, act: Act, person: str, now: datetime, lines: Iterator[Told]
) -> Told | None:
    for said in lines:
        command = PerformAct(act=act.id, said=said, by=PLAYER, who=person, at=now)
        decision = decide_without_note(shelf, state.game, command)
        if not isinstance(decision, Refusal):
            return {"do": act.id, **said} if any(_changes(state, event) for event in decision) else None
    return None


def _changes(state: TableState, event: object) -> bool:
    """Whether something is remembered that was not yet, or something else happens than that it was said."""
    if not isinstance(event, ActDone):
        return True
    facts = state.game.facts
    return any(value is not None and facts.get(name) != value for name, value in event.facts.items())
