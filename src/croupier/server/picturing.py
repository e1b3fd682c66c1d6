"""Felts as they are told live: what many see alike is made once for each event, however many look on."""

from __future__ import annotations

from datetime import datetime

import msgspec

from croupier.house.documents import stamp
from croupier.house.felts import is_like_others, same_for_all, show_felt
from croupier.house.live import Head
from croupier.house.showing import PUBLIC_EYES, Eyes
from croupier.house.steps import steps_of
from croupier.house.tables import TableState
from croupier.rules.shelf import Shelf
from croupier.table.telling import Told


class _Kept(msgspec.Struct):
    """What was made of one moment of a table: what is the same for all, felts of those who see the same, and steps.

    The steps are those of each of the few who run the table.
    """

    head: Head
    common: Told
    told: dict[bool, Told] = {}
    steps: dict[str, Told] = {}


class Pictures:
    """The newest felt of each table that is looked at."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._kept: dict[str, _Kept] = {}

    def told(self, state: TableState, head: Head, look: Eyes, now: datetime) -> Told:
        """A table for somebody who looks on, as `show_felt` has it."""
        if not state.game.is_open:
            return show_felt(self._shelf, state, head, look, now)
        kept = self._kept.get(state.name)
        if kept is None or kept.head != head:
            kept = self._kept[state.name] = _Kept(head, same_for_all(self._shelf, state))
        if not is_like_others(state, look.person):
            return show_felt(self._shelf, state, head, look, now, kept.common)
        felt = kept.told.get(look.all)
        if felt is None:
            audience = PUBLIC_EYES._replace(all=look.all)
            felt = kept.told[look.all] = show_felt(self._shelf, state, head, audience, now, kept.common)
        return felt | self._steps(kept, state, look, now) | {"now": stamp(now)}

    def _steps(self, kept: _Kept, state: TableState, look: Eyes, now: datetime) -> Told:
        if look.person is None or not look.all or look.person not in state.staff:
            return {}
        if look.person not in kept.steps:
            kept.steps[look.person] = steps_of(self._shelf, state, look.person, now)
        return kept.steps[look.person]
