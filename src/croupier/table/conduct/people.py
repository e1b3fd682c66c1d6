"""People: cards, exclusion, idle players, and the rules that anyone may ask to see.

The rules shown are the book's own document once two people have registered its digest, and until then the software's
summary of each clause.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator

from croupier.rules.book import Book
from croupier.rules.schema import acts_on
from croupier.table import events
from croupier.table.clock import local_day
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.leaving import has_turn, leaving
from croupier.table.opening import left
from croupier.table.settling import given_back
from croupier.table.state import TableView
from croupier.table.thrower import sole_area, turn_clause
from croupier.table.waiting import LATE, waiting_of


@check
def has_wagers(scene: Scene) -> bool:
    """Whether the player has any wager standing."""
    return scene.view.holds(scene.text("player"), [])


@check
def is_idle(scene: Scene) -> bool:
    """Whether the player is idle; a wager standing now counts as playing, regardless of earlier rounds."""
    idle = scene.state.idle.get(scene.text("player"), 0)
    return idle >= scene.number("idle rounds") and not has_wagers(scene)


@check
def table_is_full(scene: Scene) -> bool:
    """Whether every place at the table is taken."""
    seats = scene.state.settings.seats
    return seats is not None and len(scene.state.seats) >= seats


@check
def card_is_needed(scene: Scene) -> bool:
    """Whether a card is needed: from the book's date on, or if no time is stated."""
    card = scene.book.rules.card
    return card is not None and (scene.at is None or local_day(scene.at, scene.timezone) >= card.since)


@effect
@acts_on("wagers returned")
def return_wagers(scene: Scene) -> list[events.AnyEvent]:
    """Give back all standing wagers of a player, regardless of what the throw would decide (reading CR-12).

    What earlier throws have settled stays settled.
    """
    player = scene.text("player")
    returned: list[events.AnyEvent] = [
        given_back(scene.state, area, scene.clause, {player: stakes[player]})
        for area, stakes in scene.state.layout.items()
        if player in stakes
    ]
    late = waiting_of(scene.view, LATE, player)
    if late:  # what is gone need not be confirmed
        returned.append(events.Noted(dict.fromkeys(late), scene.clause))
    return [*returned, *_lost_turn(scene.view, player)]


def _lost_turn(view: TableView, player: str) -> Iterator[events.TurnPassed]:
    """Pass on the dice or coins of a player left without the wager that the book requires (reading CR-18)."""
    rules = view.game.book.rules.thrower
    if rules is None or not rules.wagers or not has_turn(view, player) or not view.holds(player, rules.wagers):
        return
    yield events.TurnPassed(player, turn_clause(view))


@effect
def end_turn(scene: Scene) -> list[events.AnyEvent]:
    """End an excluded player's turn: an offer lapses, the turn passes on, or the house throws until a decision."""
    person, view = scene.text("person"), scene.view
    if scene.state.facts.get("offered to") == person:
        return [events.Noted({"dice": None, "offered to": None}, scene.clause)]
    if not has_turn(view, person):
        return []
    standing = sole_area(view)
    if standing is None or standing[0] != person:
        return [events.TurnPassed(person, scene.clause)]
    if scene.state.house_throws_for is not None:
        return []
    return [events.HouseThrowsOn(person, standing[1].wager, scene.clause)]


@effect
def vacate(scene: Scene) -> list[events.AnyEvent]:
    """Make a player leave because the place is wanted."""
    return leaving(scene.view, left(scene.state, scene.text("player"), scene.clause))


# -- documents --------------------------------------------------------------------------------------------------------

DOCUMENT, TITLE, SHA256, BOOK = "rules document", "rules title", "rules sha256", "rules book"
SIGNED, SIGNED_BY, REGISTERED = "rules signed", "rules signed by", "rules digest"

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NO_COPY = "This is not a copy of the rules, but the summary that this software has of each clause."


def _bytes_of(scene: Scene) -> bytes | None:
    """Decode the document that is loaded; None if it is not valid base64."""
    try:
        return base64.b64decode(scene.text("document"), validate=True) or None
    except ValueError:
        return None


@check
def is_document(scene: Scene) -> bool:
    """Whether the loaded document can be given out again byte for byte."""
    return _bytes_of(scene) is not None


@check
def is_digest(scene: Scene) -> bool:
    """Whether it can be the sha256 of a document."""
    return _DIGEST.fullmatch(scene.text("digest")) is not None


@check
def is_named(scene: Scene) -> bool:
    """Whether the signer is named."""
    return scene.who is not None


def _of_this_book(scene: Scene, digest: str) -> str:
    """Tie a digest to the book in force: a table that adopts another book needs another digest."""
    return f"{scene.book.id} {digest}"


@check
def is_signed(scene: Scene) -> bool:
    """Whether this digest has been signed for the book in force."""
    return scene.fact(SIGNED) == _of_this_book(scene, scene.text("digest"))


@check
def is_second_person(scene: Scene) -> bool:
    """Whether the second signature is by a different person from the first."""
    return scene.who != scene.fact(SIGNED_BY)


@check
def is_registered(scene: Scene) -> bool:
    """Whether a digest is registered for the book in force."""
    return str(scene.fact(REGISTERED)).startswith(_of_this_book(scene, ""))


@check
def is_the_document(scene: Scene) -> bool:
    """Whether the document has the digest registered for the book in force."""
    document = _bytes_of(scene)
    assert document is not None, "a need asks for a document"
    return scene.fact(REGISTERED) == _of_this_book(scene, hashlib.sha256(document).hexdigest())


@effect
def sign_digest(scene: Scene) -> list[events.AnyEvent]:
    """Record the first of two signatures."""
    signed = {SIGNED: _of_this_book(scene, scene.text("digest")), SIGNED_BY: scene.who or ""}
    return [events.Noted(dict(signed), scene.clause)]


@effect
def register_digest(scene: Scene) -> list[events.AnyEvent]:
    """Record the second signature: from now on the document with this digest may be loaded."""
    digest = _of_this_book(scene, scene.text("digest"))
    return [events.Noted({REGISTERED: digest, SIGNED: None, SIGNED_BY: None}, scene.clause)]


@effect
def keep_rules(scene: Scene) -> list[events.AnyEvent]:
    """Keep the digest of the document, so that every copy can be compared with it."""
    document = _bytes_of(scene)
    assert document is not None, "a need asks for a document"
    digest = hashlib.sha256(document).hexdigest()
    return [events.Noted({SHA256: digest, BOOK: scene.book.id}, scene.clause)]


@effect
def show_rules(scene: Scene) -> list[events.AnyEvent]:
    """Give out the document as loaded, with its digest; without one, the software's summary of it."""
    if _has_copy(scene):
        title, digest, document = (str(scene.fact(name)) for name in (TITLE, SHA256, DOCUMENT))
        return [events.RulesShown(title, digest, document, scene.clause)]
    text = _summary(scene.book).encode()
    digest, document = hashlib.sha256(text).hexdigest(), base64.b64encode(text).decode()
    return [events.RulesShown(_NO_COPY, digest, document, scene.clause, copy=False)]


def _has_copy(scene: Scene) -> bool:
    """Whether the document of the book in force is loaded, and still the registered one."""
    digest = _of_this_book(scene, str(scene.fact(SHA256)))
    return scene.fact(BOOK) == scene.book.id and scene.fact(REGISTERED) == digest


def _summary(book: Book) -> str:
    """Return every clause with the software's summary of it."""
    clauses = [f"{number} {clause.summary}" for number, clause in book.clauses.items()]
    return "\n".join([book.rules.book.title, _NO_COPY, "", *clauses, ""])
