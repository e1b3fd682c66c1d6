"""What each wager and each rule of a strategy did, and what the table refused: parts of the text of a simulation."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.simulation.quantities import compact, counted, dollars, edge
from croupier.rules.game import Game
from croupier.rules.picks import show_pick
from croupier.sim.kernels.engine import Engine
from croupier.sim.results import Result, WagerFigures
from croupier.sim.strategy import Bet, Call, Rule, Spot

WIDE = 76  # columns from which on tables are shown in full
MOST_RULES = 40  # lines
LONGEST_AMOUNT = 12  # characters
NEVER = "never made"
NOTHING = "Nothing was refused."

Tried = tuple[Rule, int]  # what a rule tried, and how often


def show_wagers(console: Console, game: Game, result: Result) -> None:
    """What each wager did in a session, on average."""
    if not result.wagers:
        console.print("No wager was made.")
        return
    wide = console.width >= WIDE
    table = Table(box=None, padding=(0, 0, 0, 2), pad_edge=False, header_style="dim")
    table.add_column("", overflow="fold")
    for name in (*(("bets", "staked") if wide else ()), "brought", "house edge", "exactly"):
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
    """An amount with its cents, where that is not too long."""
    text = dollars(amount)
    return text if len(text) <= LONGEST_AMOUNT else compact(amount)


def spot_name(game: Game, spot: Spot) -> str:
    """A wager as people read it, with its pick."""
    return f"{game.wager(spot.wager).name} {show_pick(spot.pick)}".rstrip()


def deed(rule: Rule) -> str:
    """What a rule does, in a word or two."""
    match rule:
        case Bet():
            return "bet"
        case Call(on=on):
            return f"call {'On' if on else 'Off'}"
    return "reduce" if rule.leave else "take"


def show_rules(console: Console, engine: Engine, result: Result) -> None:
    """How often each rule did in a session what it says, on average."""
    lines = list(zip(engine.program.strategy.rules, result.rules, strict=True))
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for rule, figures in lines[:MOST_RULES]:
        made = f"{figures.made / result.sessions:,.2f}" if figures.made else Text(NEVER, "bold yellow")
        table.add_row(str(figures.rule), f"{deed(rule)} {escape(spot_name(engine.program.game, rule.spot))}", made)
    console.print(table)
    if len(lines) > MOST_RULES:
        console.print(f"… and {len(lines) - MOST_RULES} more: --json has them")


def show_refusals(console: Console, engine: Engine, result: Result) -> bool:
    """What the table refused, with the clauses behind it and the rules that had asked; whether there was anything."""
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
    """The rules that never came to anything; whether there are any."""
    rules = zip(engine.program.strategy.rules, result.rules, strict=True)
    never: list[Tried] = [(rule, 0) for rule, figures in rules if not figures.made]
    if never:
        _show_tried(console, engine, never, lambda count: NEVER)
    return bool(never)


def _show_tried(console: Console, engine: Engine, tried: list[Tried], words: Callable[[int], str]) -> None:
    """What rules tried: the targets of one rule on one line."""
    together: dict[str, tuple[list[str], int]] = {}
    for rule, count in tried:
        label = f"  rule {rule.rule}, {deed(rule)} {engine.program.game.wager(rule.spot.wager).name}"
        picks, before = together.get(label, ([], 0))
        together[label] = ([*picks, show_pick(rule.spot.pick)], before + count)
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for label, (picks, count) in together.items():
        table.add_row(escape(f"{label} {', '.join(picks)}".rstrip()), words(count))
    console.print(table)
