"""What a player could do now besides wagering, where people run the table: accept the dice, throw or pass them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from croupier.house.steps import changes
from croupier.house.tables import TableState
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER, Act, Own, filled
from croupier.rules.shelf import Shelf
from croupier.table.commands import PerformAct
from croupier.table.conduct.scene import Scene
from croupier.table.conduct.topics import CHECKS
from croupier.table.decide import decide_without_note
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

FACES = ["faces"]


def own_acts(shelf: Shelf, state: TableState, person: str | None, now: datetime) -> list[Told]:
    """What the table would take from this player and waits for: the words, the line, whether the game goes on with it.

    They are acts that the book offers to players. What else leaves the throw alone may be said at any time.
    """
    if state.rhythm is not None or person not in state.game.chips:
        return []
    scene = Scene(shelf, state.game, None, person, state.later(now), {})
    return [
        told for act in scene.book.conduct.acts if act.own is not None for told in _offered(scene, state, act, act.own)
    ]


def _offered(scene: Scene, state: TableState, act: Act, own: Own) -> Iterator[Told]:
    if PLAYER not in act.by or not all(CHECKS[check](scene) for check in own.when):
        return
    line = _first_taken(scene, state, act, _lines(scene.book, act))
    if line is not None:
        words = filled(own.words, {"things": scene.book.rules.throw.field})
        yield {"words": words, "line": line, "goes_on": own.goes_on}


def _lines(book: Book, act: Act) -> Iterator[Told]:
    """An act that needs nothing to be said with it; or, where it is about faces, with each of all throws."""
    if [] in act.forms:
        yield {}
    elif FACES in act.forms:
        for faces in book.outcomes.all:
            yield {"faces": list(faces)}


def _first_taken(scene: Scene, state: TableState, act: Act, lines: Iterator[Told]) -> Told | None:
    for said in lines:
        command = PerformAct(act=act.id, said=said, by=PLAYER, who=scene.who, at=scene.at)
        decision = decide_without_note(scene.shelf, state.game, command)
        if not isinstance(decision, Refusal):
            return {"do": act.id, **said} if any(changes(state.game, event) for event in decision) else None
    return None
