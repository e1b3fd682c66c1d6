"""What needs may ask about a table, and what an act may do besides being remembered: by name, topic by topic."""

from __future__ import annotations

from collections.abc import Callable

from croupier.table import events
from croupier.table.conduct import (
    betting,
    chips,
    corrections,
    dice,
    disputes,
    documents,
    moments,
    payments,
    people,
    ring,
    sets,
    signs,
)
from croupier.table.conduct.scene import Scene
from croupier.table.refusals import Refusal

_TOPICS = (dice, sets, ring, moments, corrections, betting, chips, signs, people, documents, disputes, payments)

CHECKS: dict[str, Callable[[Scene], bool]] = {name: check for topic in _TOPICS for name, check in topic.CHECKS.items()}
EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = {
    name: effect for topic in _TOPICS for name, effect in topic.EFFECTS.items()
}
