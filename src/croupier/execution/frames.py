"""Results as Polars tables, for people who go on reckoning. Polars is an extra, loaded when a table is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.rules.errors import Impossible
from croupier.rules.picks import show_pick
from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.engine import Known
from croupier.simulation.results import Result, WagerFigures

if TYPE_CHECKING:
    from polars import DataFrame

EXTRA = "croupier[tables]"
ENDED = (*n.REASONS, "left")  # why sessions end; the last is said by players written in Python alone
MOST_KEPT = 10**8  # sessions: a table of some gigabytes


def need_polars() -> Any:  # noqa: ANN401
    """Polars. Raises Impossible where it is not installed."""
    try:
        return import_module("polars")
    except ImportError:
        say = f"Tables need Polars, which is not installed: pip install '{EXTRA}' brings it."
        raise Impossible("no_tables", say) from None


def fan_table(result: Result) -> DataFrame:
    """The results over time: a row for each mark, with their mean and a column for each quantile, `p1` to `p99`."""
    rows = [
        {"roll": point.roll, "mean": point.mean, **{f"p{k}": v for k, v in point.quantiles.items()}}
        for point in result.fan
    ]
    frame: DataFrame = need_polars().DataFrame(rows)
    return frame


def spread_table(result: Result) -> DataFrame:
    """How often each final result was met: `net` in dollars, `sessions`, and their `share` of all."""
    nets, counts = ([pair[i] for pair in result.spread] for i in range(2))
    shares = [count / result.sessions for count in counts]
    frame: DataFrame = need_polars().DataFrame({"net": nets, "sessions": counts, "share": shares})
    return frame


def wager_table(result: Result) -> DataFrame:
    """What each kind of wager did, a row for each; picks are written as in a strategy."""
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
    """What is known of every session of one strategy, block after block."""

    def __init__(self) -> None:
        self._blocks: list[Known] = []

    def add(self, known: Known) -> None:
        """Keep a block; its arrays must not be used again."""
        self._blocks.append(known)

    def table(self) -> DataFrame:
        """A row for each session; amounts are dollars."""
        polars = need_polars()
        nets, falls, lengths, reasons = (np.concatenate([block[i] for block in self._blocks]) for i in range(1, 5))
        firsts = [np.arange(block.first, block.first + len(block.nets)) for block in self._blocks]
        ended = polars.Series(ENDED, dtype=polars.Enum(ENDED)).gather(reasons)
        columns = {"session": np.concatenate(firsts), "net": nets / 100, "rolls": lengths, "ended": ended}
        frame: DataFrame = polars.DataFrame({**columns, "drawdown": falls / 100})
        return frame


def check_keeping(sessions: int) -> None:
    """Refuse to keep every session where there is no Polars, or no room. Raises Impossible."""
    need_polars()
    if sessions > MOST_KEPT:
        say = f"At most {MOST_KEPT:,} sessions can be kept one by one, not {sessions:,}: write them to a file instead."
        raise Impossible("too_many_to_keep", say)
