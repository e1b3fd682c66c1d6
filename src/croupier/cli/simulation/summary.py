"""The text report of a simulation: what was played, the results, wagers, rules and refusals, and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.simulation import plots
from croupier.cli.simulation.options import GivenDice
from croupier.cli.simulation.plots import (
    compact,
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
from croupier.cli.wager_plans import pay_table_words, throws_word
from croupier.execution.simulation_plan import Pairs, SimulationPlan
from croupier.money import format_cents
from croupier.rules.game import Game
from croupier.rules.machine import show_pick
from croupier.simulation.kernels.engine import Engine
from croupier.simulation.results import QUANTILES, Result, WagerFigures
from croupier.simulation.strategy import Bet, Call, Rule, Spot

ENDS = {
    "rolls": "played all {throw}s",
    "win": "left at the win target",
    "loss": "left at the loss limit",
    "shooters": "left after the last shooter",
    "strategy rolls": "left at the {throw} limit",
    "ruined": "ruined",
}


def show(console: Console, done: Done) -> None:
    """Show all figures of one strategy, or several strategies side by side."""
    if len(done.results) > 1:
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
    """Show what was played, where, and on which dice."""
    plan, game, first = done.plan, done.engines[0].program.game, done.results[0]
    for asked, result in zip(plan.strategies, done.results, strict=True):
        name = result.name if result.name == asked.name else f"{result.name} ({asked.name})"
        units = f", unit {format_cents(asked.strategy.unit)}" if asked.strategy.unit != 100 else ""
        console.print(Text.assemble((name, "bold"), units))
    console.print(escape(game.book.rules.book.title), style="dim")
    if done.dice is not None:
        dice = f"dice of {done.dice.name}"
        dice += f", {counted(done.dice.left_out, 'throw')} at its end left out" if done.dice.left_out else ""
    else:
        dice = f"seed {plan.seed}"
    played = f"{counted(first.sessions, 'session')} of {counted(plan.rolls, throws_word(game, 1))}"
    console.print(f"{played}{_at_most(done)}, {escape(dice)}")
    console.print(escape("; ".join([*_table_words(game, done), _bankrolls(done)])))
    if not done.complete:
        were, their = ("was", "its") if first.sessions == 1 else ("were", "their")
        say = f"Interrupted: {first.sessions:,} of {plan.sessions:,} sessions {were} played; these are {their} figures."
        console.print(Text(say, "bold yellow"))


def _at_most(done: Done) -> str:
    return "" if all(result.ended.get("rolls") == 1 for result in done.results) else " at most"


def _table_words(game: Game, done: Done) -> list[str]:
    """Describe the table's sign, if there is one."""
    settings = done.plan.settings
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


# -- result per session -----------------------------------------------------------------------------------------------


def _show_result(console: Console, game: Game, result: Result) -> None:
    throw = throws_word(game, 1)
    mean, spread = with_error(result.net, result.net_se), deviation(result.net_sd)
    if result.exact_net is not None and result.exact_net_sd is not None:
        mean += f" (exact: {dollars(result.exact_net)})"
        spread += f" (exact: {dollars(result.exact_net_sd)})"
    rows = [
        ("mean result", mean),
        ("std deviation", spread),
        ("best, worst", f"{dollars(result.best)}, {dollars(result.worst)}"),
        ("sessions", _won(result)),
        ("ended", _ended(result, throw)),
        ("max drawdown", f"{dollars(result.drawdown_mean)} below the peak, on average"),
        (
            "per hour",
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
    text = f"{edge(result.edge, result.edge_se)} of the stakes (exact: {edge(result.exact_edge)})"
    rows = [("house edge", text)]
    if result.rounding:
        rows.append(("rounding", f"rounding wins up to the chip returned another {share(result.rounding, 3)}"))
    return rows


def _show_shares(console: Console, engine: Engine, result: Result) -> None:
    """Show percentiles, a line for each figure, and their resolution if it is coarser than the results."""
    names = [str(percent) for percent in QUANTILES]
    money = [[row[name] for name in names] for row in (result.quantiles, result.drawdown)]
    long = ("percentile", "result", "max drawdown", f"{throws_word(engine.program.game)} to ruin")
    labels = long if console.width >= WIDE else ("", "result", "drawdown", "ruin at")
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
    """Show how much was played, how fast, and by which kernel."""
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


# -- layout -----------------------------------------------------------------------------------------------------------


def heading(console: Console, title: str, remark: str = "") -> None:
    """Print a heading after an empty line."""
    console.print()
    if title:
        console.print(Text.assemble((title, "bold"), (f"  {remark}" if remark else "", "dim")))


def error_remark(values: Iterable[str]) -> str:
    """Return an explanation of ± if it is used."""
    return "± is one standard error" if any("±" in value for value in values) else ""


def show_rows(console: Console, rows: Iterable[Sequence[str]]) -> None:
    """Print names and values, wrapping long values."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)


# -- wagers, rules and refusals ---------------------------------------------------------------------------------------

WIDE = 76  # columns at which tables are shown in full
MOST_RULES = 40  # lines
LONGEST_AMOUNT = 12  # characters
NEVER = "never acted"
NOTHING = "Nothing was refused."

Tried = tuple[Rule, int]  # a rule, and how often it tried


def show_wagers(console: Console, game: Game, result: Result) -> None:
    """Show what each wager did per session, on average."""
    if not result.wagers:
        console.print("No wager was made.")
        return
    wide = console.width >= WIDE
    table = Table(box=None, padding=(0, 0, 0, 2), pad_edge=False, header_style="dim")
    table.add_column("", overflow="fold")
    for name in (*(("bets", "staked") if wide else ()), "result", "house edge", "exact"):
        table.add_column(name, justify="right", no_wrap=True)
    for figures in result.wagers:
        table.add_row(*_wager(game, figures, result.sessions, wide))
    console.print(table)


def _wager(game: Game, figures: WagerFigures, sessions: int, wide: bool) -> list[str]:
    name = spot_name(game, Spot(figures.wager, figures.pick))
    cells = [escape(name)]
    if wide:
        cells += [f"{figures.bets / sessions:,.2f}", _fitting(figures.staked / sessions)]
    return [
        *cells,
        _fitting(figures.net_per_session),
        "" if figures.edge is None else edge(figures.edge, figures.edge_se),
        "" if figures.exact_edge is None else edge(figures.exact_edge),
    ]


def _fitting(amount: float) -> str:
    """Format an amount with cents unless that is too long."""
    text = dollars(amount)
    return text if len(text) <= LONGEST_AMOUNT else compact(amount)


def spot_name(game: Game, spot: Spot) -> str:
    """Return a wager's name with its pick."""
    return f"{game.wager(spot.wager).name} {show_pick(spot.pick)}".rstrip()


def action_of(rule: Rule) -> str:
    """Describe what a rule does, in a word or two."""
    match rule:
        case Bet():
            return "bet"
        case Call(on=on):
            return f"call {'On' if on else 'Off'}"
    return "reduce" if rule.leave else "take"


def show_rules(console: Console, engine: Engine, result: Result) -> None:
    """Show how often per session each rule acted, on average."""
    lines = list(zip(engine.program.strategy.rules, result.rules, strict=True))
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for rule, figures in lines[:MOST_RULES]:
        made = f"{figures.made / result.sessions:,.2f}" if figures.made else Text(NEVER, "bold yellow")
        table.add_row(str(figures.rule), f"{action_of(rule)} {escape(spot_name(engine.program.game, rule.spot))}", made)
    console.print(table)
    if len(lines) > MOST_RULES:
        console.print(f"… and {len(lines) - MOST_RULES} more: --json has them")


def show_refusals(console: Console, engine: Engine, result: Result) -> bool:
    """Show what the table refused, with the clauses and the rules behind it; return whether there was anything."""
    refused: dict[tuple[str, str | None], list[Tried]] = {}
    for rule, figures in zip(engine.program.strategy.rules, result.rules, strict=True):
        for each in figures.refused:
            refused.setdefault((each.code, each.clause), []).append((rule, each.count))
    for (code, number), tried in refused.items():
        clause = engine.program.game.book.clauses.get(number or "")
        why = f"{code.replace('_', ' ').capitalize()}{f' ({number})' if number else ''}"
        console.print(Text.assemble(why, (f": {clause.summary}" if clause else "", "dim")))
        _show_tried(console, engine, tried, lambda count: counted(count, "time"))
    return bool(refused)


def show_never(console: Console, engine: Engine, result: Result) -> bool:
    """Show the rules that never acted; return whether there are any."""
    rules = zip(engine.program.strategy.rules, result.rules, strict=True)
    never: list[Tried] = [(rule, 0) for rule, figures in rules if not figures.made]
    if never:
        _show_tried(console, engine, never, lambda count: NEVER)
    return bool(never)


def _show_tried(console: Console, engine: Engine, tried: list[Tried], words: Callable[[int], str]) -> None:
    """Show what rules tried, with the targets of one rule on one line."""
    together: dict[str, tuple[list[str], int]] = {}
    for rule, count in tried:
        label = f"  rule {rule.rule}, {action_of(rule)} {engine.program.game.wager(rule.spot.wager).name}"
        picks, before = together.get(label, ([], 0))
        together[label] = ([*picks, show_pick(rule.spot.pick)], before + count)
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for label, (picks, count) in together.items():
        table.add_row(escape(f"{label} {', '.join(picks)}".rstrip()), words(count))
    console.print(table)


# -- side by side: several strategies on the same dice, each compared with the first ----------------------------------

PERCENTILES = {percent: f"{percent}{'st' if percent == 1 else 'th'} percentile" for percent in QUANTILES}
LABELS = 17  # columns for the names of figures
COLUMN = 19  # minimum columns per strategy

# Short reasons why sessions end
ENDS_SIDE_BY_SIDE = {
    "rolls": "played all {throw}s",
    "win": "win target",
    "loss": "loss limit",
    "shooters": "last shooter",
    "strategy rolls": "{throw} limit",
    "ruined": "ruined",
}

# The name of a figure, and how to format a strategy's value
FIGURES: tuple[tuple[str, Callable[[Result], str]], ...] = (
    ("mean result", lambda r: with_error(r.net, r.net_se)),
    ("  exact", lambda r: "" if r.exact_net is None else dollars(r.exact_net)),
    ("std deviation", lambda r: deviation(r.net_sd)),
    ("won", lambda r: share(r.won)),
    ("even", lambda r: share(r.even)),
    *(
        (label, lambda r, why=why: share(r.ended.get(why, 0.0), 1) if why in r.ended else "")
        for why, label in ENDS_SIDE_BY_SIDE.items()
    ),
    *((PERCENTILES[percent], lambda r, percent=percent: dollars(r.quantiles[str(percent)])) for percent in QUANTILES),
    ("max drawdown", lambda r: dollars(r.drawdown_mean)),
    ("per hour", lambda r: dollars(r.net_per_hour)),
    ("{throw}s", lambda r: f"{r.rolls_per_session:,.4g}"),
    ("staked", lambda r: dollars(r.staked)),
    ("house edge", lambda r: "" if r.edge is None else edge(r.edge, r.edge_se)),
    ("  exact", lambda r: "" if r.exact_edge is None else edge(r.exact_edge)),
)


def show_several(console: Console, done: Done) -> None:
    """Show the figures of all strategies in columns, then what the table refused them."""
    show_heading(console, done)
    heading(console, "A session", error_remark(figure(result) for _, figure in FIGURES for result in done.results))
    names = [asked.name for asked in done.plan.strategies]
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
    heading(console, "What the table refused, and rules that never acted")
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
            table.add_row("versus first", *compared)
    console.print(table)


# -- results shared by all outputs ------------------------------------------------------------------------------------


class Done(NamedTuple):
    """The figures of each strategy, its differences from the first, and whether all sessions were played."""

    plan: SimulationPlan
    dice: GivenDice | None
    engines: list[Engine]
    results: list[Result]
    pairs: list[Pairs]
    complete: bool
