"""People: cards, devices, exclusion, idle players, refused wagers, invalidated outcomes."""

from __future__ import annotations

from collections.abc import Callable

from croupier.table import events
from croupier.table.conduct.scene import Scene
from croupier.table.refusals import Refusal

CHECKS: dict[str, Callable[[Scene], bool]] = {}

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = {}
