"""Small orders for tests of runs, and the counts in plain values that can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.execution.simulating import plan_of
from croupier.execution.simulation_plan import Counted, SimulationPlan
from croupier.simulation.kernels.tally import Spread
from croupier.simulation.strategy import Strategy

CRAPS = "craps-nsw-2024"
FLAT = "pass-double-odds"  # played on a machine, all sessions equally long
BOUND = "iron-cross"  # with a bankroll: on a machine as long as it allows, then in the general kernel
BY_SHARES = "percent-of-bankroll"  # in the general kernel from the start


def small_order(*strategies: str | Path | Strategy, **given: object) -> SimulationPlan:
    wanted: dict[str, Any] = {"sessions": 2000, "rolls": 60, "seed": 11, "bankroll": "200.00", **given}
    return plan_of(CRAPS, strategies, **wanted)


def plain(counted: Counted) -> dict[str, list[dict[str, Any]]]:
    """All counts, exactly."""
    return {
        "tallies": [{name: _value(value) for name, value in vars(tally).items()} for tally in counted.tallies],
        "pairs": [vars(pairs) for pairs in counted.pairs],
    }


def whole_numbers(counted: Counted) -> dict[str, list[dict[str, Any]]]:
    """All counts except the sums of squares that are not money: the rounding of those floats depends on where blocks
    begin."""
    told = plain(counted)
    return {**told, "tallies": [{k: v for k, v in tally.items() if k != "squares"} for tally in told["tallies"]]}


def _value(value: object) -> object:
    if isinstance(value, Spread):
        return (value.unit, value.shift, value.low, value.counts.tolist())
    if isinstance(value, list):
        return [_value(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value
