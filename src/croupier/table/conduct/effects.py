"""What an act may do besides being remembered, by name, topic by topic."""

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

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = {
    **dice.EFFECTS,
    **sets.EFFECTS,
    **ring.EFFECTS,
    **moments.EFFECTS,
    **corrections.EFFECTS,
    **betting.EFFECTS,
    **chips.EFFECTS,
    **signs.EFFECTS,
    **people.EFFECTS,
    **documents.EFFECTS,
    **disputes.EFFECTS,
    **payments.EFFECTS,
}
