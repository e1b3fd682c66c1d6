"""Disputes and complaints, the operator's last word, and the copy of the rules that anybody may ask for."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from croupier.rules.facts import NONE
from croupier.table import events
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.refusals import Refusal

DOCUMENT, TITLE, SHA256, BOOK = "rules document", "rules title", "rules sha256", "rules book"


def _bytes_of(scene: Scene) -> bytes | None:
    """The document that is loaded; None where what was given is not the base64 of anything."""
    try:
        return base64.b64decode(scene.text("document"), validate=True) or None
    except ValueError:
        return None


def is_document(scene: Scene) -> bool:
    """Whether what is loaded can be given out again byte by byte."""
    return _bytes_of(scene) is not None


def has_copy(scene: Scene) -> bool:
    """Whether the document of the rules in force is there: a table that goes on under another book needs its own."""
    return scene.fact(BOOK) == scene.book.id


def not_decided_finally(scene: Scene) -> bool:
    """Whether a matter is still to be decided: a decision is final where the book is silent, as far as a name can tell.

    What a clause or a wager of the book is named for is not decided for good by anybody.
    """
    about = scene.text("about")
    return scene.fact(f"matter {about}") == NONE or about in scene.book.citable() or about in scene.book.wagers


def keep_rules(scene: Scene) -> list[events.AnyEvent]:
    """Keep the digest of the signed document, so that every copy can be compared with it."""
    document = _bytes_of(scene)
    assert document is not None, "a need asks for a document"
    digest = hashlib.sha256(document).hexdigest()
    return [events.Noted({SHA256: digest, BOOK: scene.book.id}, scene.clause)]


def show_rules(scene: Scene) -> list[events.AnyEvent]:
    """Give out the document as it was loaded, with its digest."""
    title, digest, document = (str(scene.fact(name)) for name in (TITLE, SHA256, DOCUMENT))
    return [events.RulesShown(title, digest, document, scene.clause)]


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    is_document,
    has_copy,
    not_decided_finally,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    keep_rules,
    show_rules,
)
