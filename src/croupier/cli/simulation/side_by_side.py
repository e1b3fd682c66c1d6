"""Several strategies on the same dice, side by side: a column for each, and how each differs from the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.planning import throws_word
from croupier.cli.simulation import plots
from croupier.cli.simulation.deeds import NOTHING, show_never, show_refusals
from croupier.cli.simulation.done import Done
from croupier.cli.simulation.quantities import deviation, dollars, edge, share, with_error
from croupier.cli.simulation.summary import error_remark, heading, show_heading, show_speed
from croupier.runs.order import Pairs
from croupier.sim.results import QUANTILES, Result

LABELS = 17  # columns for the names of the figures
COLUMN = 19  # columns for a strategy, at least

# Why sessions end, in few words
ENDS = {
    "rolls": "to the last {throw}",
    "win": "win reached",
    "loss": "loss reached",
    "shooters": "shooters done",
    "strategy rolls": "own {throw}s done",
    "ruined": "ruined",
}

# The name of a figure, and how a strategy has it
FIGURES: tuple[tuple[str, Callable[[Result], str]], ...] = (
    ("mean result", lambda r: with_error(r.net, r.net_se)),
    ("  exactly", lambda r: "" if r.exact_net is None else dollars(r.exact_net)),
    ("deviation", lambda r: deviation(r.net_sd)),
    ("won", lambda r: share(r.won)),
    ("even", lambda r: share(r.even)),
    *(
        (label, lambda r, why=why: share(r.ended.get(why, 0.0), 1) if why in r.ended else "")
        for why, label in ENDS.items()
    ),
    *((f"at most, {percent}%", lambda r, percent=percent: dollars(r.quantiles[str(percent)])) for percent in QUANTILES),
    ("deepest fall", lambda r: dollars(r.drawdown_mean)),
    ("an hour", lambda r: dollars(r.net_per_hour)),
    ("{throw}s", lambda r: f"{r.rolls_per_session:,.4g}"),
    ("staked", lambda r: dollars(r.staked)),
    ("house edge", lambda r: "" if r.edge is None else edge(r.edge, r.edge_se)),
    ("  exactly", lambda r: "" if r.exact_edge is None else edge(r.exact_edge)),
)


def show_several(console: Console, done: Done) -> None:
    """The figures of all strategies in columns, then what each of them tried in vain."""
    show_heading(console, done)
    heading(console, "A session", error_remark(figure(result) for _, figure in FIGURES for result in done.results))
    names = [asked.name for asked in done.order.strategies]
    throw = throws_word(done.engines[0].program.game, 1)
    at_once = max(1, (console.width - LABELS) // COLUMN)
    for first in range(0, len(names), at_once):
        part = slice(first, first + at_once)
        _show_columns(console, names[part], done.results[part], [None, *done.pairs][part], throw)
        console.print()
    console.print(Text("Results of all sessions", "bold"))
    console.print(plots.key(plots.MIDDLE))
    for line in plots.boxes(list(zip(names, (r.quantiles for r in done.results), strict=True)), console.width):
        console.print(line, no_wrap=True)
    heading(console, "What the table refused, and what was never made")
    for name, engine, result in zip(names, done.engines, done.results, strict=True):
        console.print(Text(name, "bold"))
        refused, idle = show_refusals(console, engine, result), show_never(console, engine, result)
        if not refused and not idle:
            console.print(f"  {NOTHING}")
    show_speed(console, done)


def _show_columns(
    console: Console, names: Sequence[str], results: Sequence[Result], pairs: Sequence[Pairs | None], throw: str
) -> None:
    table = Table(box=None, padding=(0, 0, 0, 2), pad_edge=False)
    table.add_column("", no_wrap=True, style="dim")
    for name in names:
        table.add_column(escape(name), justify="right", overflow="fold")
    compared = ["" if each is None else with_error(each.mean, each.mean_se) for each in pairs]
    for place, (label, figure) in enumerate(FIGURES):
        cells = [figure(result) for result in results]
        if any(cells):
            table.add_row(label.format(throw=throw), *cells)
        if place == 1 and any(compared):
            table.add_row("more than first", *compared)
    console.print(table)
