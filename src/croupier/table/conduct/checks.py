"""The questions about a table that a need may ask by name, topic by topic."""

from __future__ import annotations

from collections.abc import Callable

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

CHECKS: dict[str, Callable[[Scene], bool]] = {
    **dice.CHECKS,
    **sets.CHECKS,
    **ring.CHECKS,
    **moments.CHECKS,
    **corrections.CHECKS,
    **betting.CHECKS,
    **chips.CHECKS,
    **signs.CHECKS,
    **people.CHECKS,
    **documents.CHECKS,
    **disputes.CHECKS,
    **payments.CHECKS,
}
