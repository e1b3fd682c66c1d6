"""Results as Polars tables for further analysis. Polars is an extra, loaded when a table is requested."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.rules.errors import Impossible
from croupier.rules.machine import show_pick
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels.engine import Known
from croupier.simulation.results import Result, WagerFigures

if TYPE_CHECKING:
    from polars import DataFrame

EXTRA = "croupier[tables]"
ENDED = (*n.REASONS, "left")  # why sessions end; only players written in Python end with the last
MOST_KEPT = 10**8  # sessions: a table of some gigabytes


def need_polars() -> Any:  # noqa: ANN401
    """Import Polars. Raises Impossible if it is not installed."""
    try:
        return import_module("polars")
    except ImportError:
        say = f"Tables need Polars, which is not installed: run pip install '{EXTRA}'."
        raise Impossible("no_tables", say) from None


def fan_table(result: Result) -> DataFrame:
    """The results over time: a row per mark, with the mean and a column per percentile, `p1` to `p99`."""
    rows = [
        {"roll": point.roll, "mean": point.mean, **{f"p{k}": v for k, v in point.quantiles.items()}}
        for point in result.fan
    ]
    frame: DataFrame = need_polars().DataFrame(rows)
    return frame


def spread_table(result: Result) -> DataFrame:
    """The distribution of final results: `net` in dollars, `sessions`, and their `share` of all."""
    nets, counts = ([pair[i] for pair in result.spread] for i in range(2))
    shares = [count / result.sessions for count in counts]
    frame: DataFrame = need_polars().DataFrame({"net": nets, "sessions": counts, "share": shares})
    return frame


def wager_table(result: Result) -> DataFrame:
    """The figures of each kind of wager, a row each; picks are written as in a strategy."""
    fields = WagerFigures.__struct_fields__
    columns = {field: [getattr(wager, field) for wager in result.wagers] for field in fields}
    columns["pick"] = [None if wager.pick is None else show_pick(wager.pick) for wager in result.wagers]
    polars = need_polars()
    types = {
        **dict.fromkeys(fields, polars.Float64),
        **dict.fromkeys(("wager", "pick"), polars.String),
        **dict.fromkeys(("bets", "won", "lost", "returned"), polars.Int64),
    }
    frame: DataFrame = polars.DataFrame(columns, schema=types)
    return frame


class Kept:
    """The results of every session of one strategy, block by block."""

    def __init__(self) -> None:
        self._blocks: list[Known] = []

    def add(self, known: Known) -> None:
        """Keep a block; the caller must not reuse its arrays."""
        self._blocks.append(known)

    def table(self) -> DataFrame:
        """A row per session; amounts are in dollars."""
        polars = need_polars()
        nets, falls, lengths, reasons = (np.concatenate([block[i] for block in self._blocks]) for i in range(1, 5))
        firsts = [np.arange(block.first, block.first + len(block.nets)) for block in self._blocks]
        ended = polars.Series(ENDED, dtype=polars.Enum(ENDED)).gather(reasons)
        columns = {"session": np.concatenate(firsts), "net": nets / 100, "rolls": lengths, "ended": ended}
        frame: DataFrame = polars.DataFrame({**columns, "drawdown": falls / 100})
        return frame


def check_keeping(sessions: int) -> None:
    """Refuse to keep every session without Polars, or if there are too many. Raises Impossible."""
    need_polars()
    if sessions > MOST_KEPT:
        say = f"At most {MOST_KEPT:,} single sessions can be kept, not {sessions:,}: write them to a file instead."
        raise Impossible("too_many_to_keep", say)
