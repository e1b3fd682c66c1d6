"""The text of a simulation: what was played, what came of it, what each wager and each rule did, what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.planning import pay_table_words, throws_word
from croupier.cli.simulation import plots
from croupier.cli.simulation.deeds import NOTHING, WIDE, show_refusals, show_rules, show_wagers
from croupier.cli.simulation.done import Done
from croupier.cli.simulation.quantities import (
    counted,
    deviation,
    dollars,
    edge,
    in_one_line,
    large,
    measured,
    share,
    with_error,
)
from croupier.money import format_cents
from croupier.rules.game import Game
from croupier.sim.kernels.engine import Engine
from croupier.sim.results import QUANTILES, Result

ENDS = {
    "rolls": "went on to the last {throw}",
    "win": "left with the win aimed at",
    "loss": "left at the largest loss",
    "shooters": "left after the last shooter",
    "strategy rolls": "left after so many {throw}s",
    "ruined": "ruined",
}


def show(console: Console, done: Done) -> None:
    """All figures of one strategy, or several strategies side by side."""
    if len(done.results) > 1:
        from croupier.cli.simulation.side_by_side import show_several

        show_several(console, done)
        return
    result, engine = done.results[0], done.engines[0]
    show_heading(console, done)
    _show_result(console, engine.program.game, result)
    _show_shares(console, engine, result)
    _show_plots(console, engine.program.game, result)
    heading(console, "What each wager did in a session, on average")
    show_wagers(console, engine.program.game, result)
    heading(console, "What each rule did in a session, on average")
    show_rules(console, engine, result)
    heading(console, "What the table refused")
    if not show_refusals(console, engine, result):
        console.print(NOTHING)
    show_speed(console, done)


# -- what was played --------------------------------------------------------------------------------------------------


def show_heading(console: Console, done: Done) -> None:
    """What was played, where, and on which dice."""
    order, game, first = done.order, done.engines[0].program.game, done.results[0]
    for asked, result in zip(order.strategies, done.results, strict=True):
        name = result.name if result.name == asked.name else f"{result.name} ({asked.name})"
        units = f", {format_cents(asked.strategy.unit)} a unit" if asked.strategy.unit != 100 else ""
        console.print(Text.assemble((name, "bold"), units))
    console.print(escape(game.book.rules.book.title), style="dim")
    if done.dice is not None:
        dice = f"dice of {done.dice.name}"
        dice += f", {counted(done.dice.left_out, 'throw')} at its end left out" if done.dice.left_out else ""
    else:
        dice = f"seed {order.seed}"
    played = f"{counted(first.sessions, 'session')} of {counted(order.rolls, throws_word(game, 1))}"
    console.print(f"{played}{_at_most(done)}, {escape(dice)}")
    console.print(escape("; ".join([*_table_words(game, done), _bankrolls(done)])))
    if not done.complete:
        were, their = ("was", "its") if first.sessions == 1 else ("were", "their")
        say = (
            f"Interrupted: {first.sessions:,} of {order.sessions:,} sessions {were} played; these are {their} figures."
        )
        console.print(Text(say, "bold yellow"))


def _at_most(done: Done) -> str:
    return "" if all(result.ended.get("rolls") == 1 for result in done.results) else " at most"


def _table_words(game: Game, done: Done) -> list[str]:
    """The sign at the table, as far as there is one."""
    settings = done.order.settings
    words = [f"chips of {format_cents(settings.chip)}"]
    low, high = settings.limit.minimum, settings.limit.maximum
    words += [] if low is None else [f"minimum {format_cents(low)}"]
    words += [] if high is None else [f"maximum {format_cents(high)}"]
    words += ["exact units"] if settings.exact_units else []
    words += [f"pay table {pay_table_words(game)}"] if game.choices else []
    return words


def _bankrolls(done: Done) -> str:
    bankrolls = {result.bankroll for result in done.results}
    if bankrolls == {None}:
        return "chips never run out"
    if len(bankrolls) == 1:
        return f"bankroll {dollars(next(iter(bankrolls)) or 0)}"
    return "each with its own bankroll"


# -- the result of a session ------------------------------------------------------------------------------------------


def _show_result(console: Console, game: Game, result: Result) -> None:
    throw = throws_word(game, 1)
    mean, spread = with_error(result.net, result.net_se), deviation(result.net_sd)
    if result.exact_net is not None and result.exact_net_sd is not None:
        mean += f", exactly {dollars(result.exact_net)}"
        spread += f", exactly {dollars(result.exact_net_sd)}"
    rows = [
        ("mean result", mean),
        ("deviation", spread),
        ("best, worst", f"{dollars(result.best)}, {dollars(result.worst)}"),
        ("sessions", _won(result)),
        ("ended", _ended(result, throw)),
        ("deepest fall", f"{dollars(result.drawdown_mean)} below the highest point, on average"),
        (
            "an hour",
            f"{dollars(result.net_per_hour)} at {measured(f'{result.pace:g}', throw)}; {_hours(result, throw)}",
        ),
        ("staked", f"{dollars(result.staked)} a session"),
        *_edges(result),
    ]
    heading(console, "A session", error_remark(value for _, value in rows))
    show_rows(console, rows)


def _won(result: Result) -> str:
    lost = max(0.0, 1 - result.won - result.even)
    return f"{share(result.won)} won, {share(result.even)} even, {share(lost)} lost"


def _ended(result: Result, throw: str) -> str:
    ends = sorted(result.ended.items(), key=lambda end: -end[1])
    told = {reason: f"{share(part)} {ENDS[reason].format(throw=throw)}" for reason, part in ends}
    if result.rolls_to_ruin is not None:
        told["ruined"] += f" (half of them by {throw} {result.rolls_to_ruin['50']:,.0f})"
    return ", ".join(told.values())


def _hours(result: Result, throw: str) -> str:
    rolls, hours = f"{result.rolls_per_session:,.4g}", f"{result.hours_per_session:,.3g}"
    return f"a session is {measured(rolls, throw)} or {measured(hours, 'hour')}"


def _edges(result: Result) -> list[tuple[str, str]]:
    if result.edge is None or result.exact_edge is None:
        return [("house edge", "nothing was staked")]
    text = f"{edge(result.edge, result.edge_se)} of that, exactly {edge(result.exact_edge)}"
    rows = [("house edge", text)]
    if result.rounding:
        rows.append(("rounding", f"wins rounded up to the chip gave back {share(result.rounding, 3)} of it besides"))
    return rows


def _show_shares(console: Console, engine: Engine, result: Result) -> None:
    """Percentiles, a line for each figure; and how fine they are, where that is less than results are."""
    names = [str(percent) for percent in QUANTILES]
    money = [[row[name] for name in names] for row in (result.quantiles, result.drawdown)]
    long = ("of sessions", "result, at most", "deepest fall", f"{throws_word(engine.program.game)} to ruin")
    labels = long if console.width >= WIDE else ("", "result", "fall", "ruin at")
    write = in_one_line(money, console.width - max(map(len, labels)))
    rows = [[f"{name}%" for name in names], *([write(value) for value in row] for row in money)]
    if result.rolls_to_ruin is not None:
        rows.append([f"{result.rolls_to_ruin[name]:,.0f}" for name in names])
    margin = max(map(len, labels[: len(rows)]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = 2 if margin + sum(widths) + 2 * len(widths) <= console.width else 1
    console.print()
    for label, row in zip(labels, rows, strict=False):
        cells = (f"{'':{gap}}{cell.rjust(width)}" for cell, width in zip(row, widths, strict=True))
        console.print(Text(f"{label.ljust(margin)}{''.join(cells)}", "dim" if row is rows[0] else ""))
    if result.resolution > engine.unit / 100:
        console.print(Text(f"Counted in steps of {dollars(result.resolution)}; percentiles are no finer.", "dim"))


def _show_plots(console: Console, game: Game, result: Result) -> None:
    heading(console, f"The result, {throws_word(game, 1)} by {throws_word(game, 1)}")
    console.print(plots.key())
    for line in plots.fan(result.fan, throws_word(game, result.fan[-1].roll), console.width):
        console.print(line, no_wrap=True)
    heading(console, "Results of all sessions")
    for line in plots.histogram(result.spread, console.width):
        console.print(line, no_wrap=True)


def show_speed(console: Console, done: Done) -> None:
    """How much was played, how quickly, and by what."""
    first = done.results[0]
    rolls = sum(result.rolls_done for result in done.results)
    rate = large(rolls / first.seconds) if first.seconds > 0 else "many"
    word = throws_word(done.engines[0].program.game, rolls)
    states = [counted(result.states, "state") for result in done.results if result.kernel == "machine"]
    kernels = [f"machine{'s' if len(states) > 1 else ''} with {', '.join(states)}"] if states else []
    kernels += ["general kernel"] if len(states) < len(done.results) else []
    console.print()
    console.print(
        Text(f"{large(rolls)} {word} in {first.seconds:,.3g} s: {rate} a second ({' and '.join(kernels)})", "dim"),
        no_wrap=False,
    )


# -- parts ------------------------------------------------------------------------------------------------------------


def heading(console: Console, title: str, remark: str = "") -> None:
    """A heading after an empty line."""
    console.print()
    if title:
        console.print(Text.assemble((title, "bold"), (f"  {remark}" if remark else "", "dim")))


def error_remark(values: Iterable[str]) -> str:
    """What ± means, where it is written anywhere."""
    return "± is one standard error" if any("±" in value for value in values) else ""


def show_rows(console: Console, rows: Iterable[Sequence[str]]) -> None:
    """Names and values, values wrapped where they are long."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)
