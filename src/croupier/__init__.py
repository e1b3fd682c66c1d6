"""Croupier runs, settles and proves casino dice and coin games exactly as their approved rules say. Play chips only.

>>> import croupier
>>> table = croupier.open_table("craps-nsw-2024", {"ann": "100.00"})
>>> table.bet("ann", "win_line", "10.00")[0].clause
'6.2.1'
>>> table.roll(3, 4)[1].result
'win'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.execution.simulating import Simulation, simulate
    from croupier.maths.plan import Lot, Plan
    from croupier.maths.rows import Analysis
    from croupier.maths.session import session
    from croupier.money import MoneyError
    from croupier.rules.errors import Impossible, PayTableError, RuleBookError
    from croupier.rules.shelf import Shelf
    from croupier.simulation.reading.shapes import StrategyError
    from croupier.simulation.reference.seat import Seat
    from croupier.simulation.strategy import Strategy
    from croupier.table.commands import Limit, Settings
    from croupier.table.decide import Refused, Table, open_table

__all__ = [
    "Analysis",
    "Impossible",
    "Limit",
    "Lot",
    "MoneyError",
    "PayTableError",
    "Plan",
    "Refused",
    "RuleBookError",
    "Seat",
    "Settings",
    "Shelf",
    "Simulation",
    "Strategy",
    "StrategyError",
    "Table",
    "open_table",
    "session",
    "simulate",
]

_HOMES = {
    "MoneyError": "croupier.money",
    "Shelf": "croupier.rules.shelf",
    "Analysis": "croupier.maths.rows",
    "session": "croupier.maths.session",
    "Seat": "croupier.simulation.reference.seat",
    "Strategy": "croupier.simulation.strategy",
    "StrategyError": "croupier.simulation.reading.shapes",
    **dict.fromkeys(("Simulation", "simulate"), "croupier.execution.simulating"),
    **dict.fromkeys(("Lot", "Plan"), "croupier.maths.plan"),
    **dict.fromkeys(("Impossible", "PayTableError", "RuleBookError"), "croupier.rules.errors"),
    **dict.fromkeys(("Limit", "Settings"), "croupier.table.commands"),
    **dict.fromkeys(("Refused", "Table", "open_table"), "croupier.table.decide"),
}


def __dir__() -> list[str]:
    """List the public names, which are imported on first use."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """Import public names from their modules on first use, so that `import croupier` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'croupier' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
