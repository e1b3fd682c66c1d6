"""The rows of an account: exclusions from the whole house, by the house or by the person."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from croupier.house.documents import Entry, moment
from croupier.house.events import ExclusionBegan, ExclusionEnded
from croupier.house.registers.rows import HOUSE, Cell, Row, row_of
from croupier.house.streams import name_of

FOR_GOOD = "for good"


class AccountReading:
    """An account, read from its first entry on. It is at no table, so its clock is that of the house."""

    def __init__(self, stream: str) -> None:
        self.rows: list[Row] = []
        self._stream = stream

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Go on with what was stored after what was read already."""
        for entry in entries:
            tell = _EVENTS.get(type(entry.document.event))
            if tell is not None:
                person = name_of(self._stream)
                what, until = tell(person, entry.document.event)
                cells: dict[str, Cell] = {"person": person, "from": HOUSE, "until": until}
                self.rows.append(row_of("exclusions", entry, self._stream, HOUSE, what, cells=cells))


def _began(person: str, event: ExclusionBegan) -> tuple[str, str | datetime]:
    what = f"excludes {person} from the house" if event.by_house else "excludes themselves from the house"
    return what, FOR_GOOD if event.until is None else moment(event.until)


def _ended(person: str, _event: ExclusionEnded) -> tuple[str, str | datetime]:
    return f"lets {person} in again", ""


_EVENTS: dict[type, Callable[[str, Any], tuple[str, str | datetime]]] = {
    ExclusionBegan: _began,
    ExclusionEnded: _ended,
}
