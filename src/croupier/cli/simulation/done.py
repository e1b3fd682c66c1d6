"""What a simulation came to, for all that show it."""

from __future__ import annotations

from typing import NamedTuple

from croupier.cli.simulation.orders import GivenDice
from croupier.runs.order import Order, Pairs
from croupier.sim.kernels.engine import Engine
from croupier.sim.results import Result


class Done(NamedTuple):
    """The figures of each strategy, how each differs from the first, and whether all sessions were played."""

    order: Order
    dice: GivenDice | None
    engines: list[Engine]
    results: list[Result]
    pairs: list[Pairs]
    complete: bool
