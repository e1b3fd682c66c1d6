"""Wrong payments, case by case, and the monthly return of those above the book's amount (Craps 9.3.2, reading CR-30).

A case is listed as of the end of the period, or of the return for its month if that was made later. Later events do not
change a return.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import msgspec

from croupier.house.registers.rows import HOUSE, Cell, Period, Row, Scene
from croupier.house.stored_events import Entry, moment
from croupier.money import format_cents
from croupier.table.clock import month_of
from croupier.table.conduct.payments import OVERPAID, RECTIFIED, UNINTENTIONAL
from croupier.table.events import MispaymentsReported

RETURN_ABOVE = "return above"  # the fact of a book with such a return: cents


class Returned(NamedTuple):
    """The return of a month: when it was made, and by whom."""

    at: datetime
    who: str | None
    title: str | None


class Step(NamedTuple):
    """The state of a case after an action."""

    at: datetime
    cents: int
    cells: dict[str, Cell]


class Case(NamedTuple):
    """A wrong payment: the row of its report, and its state step by step."""

    reported: Row
    steps: list[Step]


class Cases:
    """The cases of one table."""

    def __init__(self) -> None:
        self._cases: dict[str, Case] = {}
        self._returns: dict[str, Returned] = {}

    def take_in(self, scene: Scene, name: str, row: Row) -> None:
        """Record an action on a case; the first one is its report."""
        case = self._cases.setdefault(name, Case(row, []))
        cents = scene.fact(f"amount {name}")
        case.steps.append(Step(scene.at, cents if isinstance(cents, int) else 0, _cells(scene, name)))

    def take_in_return(self, entry: Entry, event: MispaymentsReported) -> None:
        """Record a return; if it is made again, the last one counts."""
        document = entry.document
        self._returns[event.month] = Returned(moment(document.at), document.who, document.role)

    def listed(self, period: Period, above: int) -> Iterator[Row]:
        """Yield the rows of the return: every case above the amount that came to light in the period."""
        for case in self._cases.values():
            reported, zone = case.reported, case.reported.zone
            assert zone is not None, "a case is at a table, which is somewhere"
            if case.steps[0].cents > above and period.has(reported.at, zone):
                made = self._returns.get(month_of(reported.at, zone))
                yield msgspec.structs.replace(
                    reported,
                    register="monthly_return",
                    cells={**_as_known(case, period, zone, made).cells, **_made(made)},
                )


def _as_known(case: Case, period: Period, zone: str, made: Returned | None) -> Step:
    """Return the last step in time; the report itself always is."""
    in_time = [step for step in case.steps if not period.is_before(step.at, zone) or (made and step.at <= made.at)]
    return in_time[-1]


def _made(made: Returned | None) -> dict[str, Cell]:
    if made is None:
        return {"returned": "not made yet"}
    by = made.who or HOUSE
    return {"returned": made.at, "returned_by": by if made.title is None else f"{by}, {made.title}"}


def _cells(scene: Scene, name: str) -> dict[str, Cell]:
    finding, way = scene.text(f"finding {name}"), scene.text(f"way {name}")
    return {
        **cells_of_case(scene, name),
        "finding": finding or "none yet",
        "patron": scene.text(f"patron {name}") or "unknown",
        "put_right": _put_right(scene, name),
        "no_credit": "no credit given" if (way, finding) == (OVERPAID, UNINTENTIONAL) else "",
    }


def _put_right(scene: Scene, name: str) -> str:
    if scene.fact(f"mispayment {name}") == RECTIFIED:
        return "yes"
    owing = scene.fact(f"owing {name}")
    return f"no: {format_cents(owing)} is owing" if isinstance(owing, int) else "no"


def cells_of_case(scene: Scene, name: str) -> dict[str, Cell]:
    """Return what is known of a case after a write; empty without a name."""
    if not name:
        return {}
    cents = scene.fact(f"amount {name}")
    known = {word: scene.text(f"{word} {name}") for word in ("way", "patron", "finding", "standing", "due")}
    return {"case": name, "amount": format_cents(cents) if isinstance(cents, int) else "", **known}
