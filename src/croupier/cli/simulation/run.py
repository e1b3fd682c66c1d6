"""Run a simulation from the command line: play, show and write the results, and clean up on interruption."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from time import perf_counter

import msgspec
from rich.console import Console

from croupier.cli.output import print_json
from croupier.cli.simulation.options import GivenDice, command_line, count, read_plan
from croupier.cli.simulation.plots import counted as counting
from croupier.cli.simulation.progress import ending_in_good_order, undisturbed
from croupier.cli.simulation.summary import Done
from croupier.execution.local import Each, compile_given, run, run_given
from croupier.execution.result_files import CsvRows, Draft, ParquetRows, SessionRows, write_text
from croupier.execution.simulating import results
from croupier.execution.simulation_plan import Counted, OnProgress, SimulationPlan
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.engine import Engine, Known

INTERRUPTED = 130  # the exit status after Ctrl-C


def run_simulation(shelf: Shelf, given: argparse.Namespace) -> int:
    """Play the requested sessions and show the results; return the exit status. Raises Impossible."""
    plan, dice = read_plan(shelf, given)
    with ExitStack() as files:
        files.enter_context(ending_in_good_order())
        tables = [
            _opened(files, kind, target, plan)
            for kind, target in ((CsvRows, given.csv), (ParquetRows, given.parquet))
            if target is not None
        ]
        report = None if given.report is None else _draft(files, given.report)
        try:
            done = _play(shelf, given, plan, dice, tables)
        except KeyboardInterrupt:
            _go_below()
            print("croupier: interrupted before the first sessions were over.", file=sys.stderr)
            return INTERRUPTED
        if not done.complete and _screen() is None:
            _go_below()
        with undisturbed(not done.complete):
            _show_and_finish(given, done, tables, report)
    return 0 if done.complete else INTERRUPTED


def _show_and_finish(given: argparse.Namespace, done: Done, tables: list[SessionRows], report: Draft | None) -> None:
    """Show the figures, then move the files into place, even if the reader stops before the end."""
    try:
        _show(given, done)
    finally:
        told = list(_finish(given, done, tables, report))
    for sentence in told:
        print(sentence, file=sys.stderr if given.json else sys.stdout)


def _go_below() -> None:
    """Start a new line after the terminal's ^C."""
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _draft(files: ExitStack, target: str) -> Draft:
    draft = Draft(target)
    files.callback(draft.drop)
    return draft


def _opened(files: ExitStack, kind: type[SessionRows], target: str, plan: SimulationPlan) -> SessionRows:
    table = kind(_draft(files, target), [asked.name for asked in plan.strategies])
    files.callback(table.drop)
    return table


def _finish(given: argparse.Namespace, done: Done, tables: list[SessionRows], report: Draft | None) -> Iterator[str]:
    """Move every file into place, and yield a sentence about each. Raises Impossible."""
    for table in tables:
        table.done()
        yield f"{table.draft.target}: {counting(table.rows, 'row')}{'' if done.complete else ', all that was played'}"
    if report is not None:
        write_text(report, _page(done, given))
        yield f"{report.target}: all figures and plots"


# -- playing ----------------------------------------------------------------------------------------------------------


def _play(
    shelf: Shelf, given: argparse.Namespace, plan: SimulationPlan, dice: GivenDice | None, tables: list[SessionRows]
) -> Done:
    """Compile, play and count. Raises Impossible; KeyboardInterrupt if nothing was played yet."""
    with _patience():
        engines = plan.engines(shelf)
        if dice is not None:
            compile_given(engines, dice.throws)

    def add(block: list[Known]) -> None:
        for table in tables:
            table.add(block)

    with _progress(plan, engines) as told:
        start = perf_counter()
        counted, complete = _run(given, plan, engines, dice, told, add if tables else None)
        seconds = perf_counter() - start
    with undisturbed(not complete):
        made = results(plan, engines, counted.tallies, seconds)
    return Done(plan, dice, engines, made, counted.pairs, complete)


def _run(
    given: argparse.Namespace,
    plan: SimulationPlan,
    engines: list[Engine],
    dice: GivenDice | None,
    told: OnProgress | None,
    each: Each | None,
) -> tuple[Counted, bool]:
    """Run on given dice, on a cluster, or on this machine's cores. Raises Impossible."""
    if dice is not None:
        return run_given(engines, dice.throws, told, each)
    if given.dask is not None:
        from croupier.execution import cluster

        return cluster.run(plan, given.dask, told, each)
    return run(plan, engines, None if given.jobs is None else count("--jobs", given.jobs), told, each)


def _screen() -> Console | None:
    """Return the console for standard error if it is a terminal that can erase lines."""
    console = Console(stderr=True)
    return console if sys.stderr.isatty() and not console.is_dumb_terminal else None


@contextmanager
def _patience() -> Iterator[None]:
    """Tell a terminal user that preparation takes a while: kernels are compiled once."""
    screen = _screen()
    if screen is None:
        yield
        return
    from croupier.cli.simulation.progress import patience

    with patience(screen, "Getting ready"):
        yield


@contextmanager
def _progress(plan: SimulationPlan, engines: list[Engine]) -> Iterator[OnProgress | None]:
    """Show progress; nothing if standard error is not a terminal."""
    screen = _screen()
    if screen is None:
        yield None
        return
    from croupier.cli.simulation.progress import progress
    from croupier.cli.wager_plans import throws_word

    # The total number of rolls is known only if no session can end early.
    rolls = plan.rolls * len(engines) if all(engine.has_equal_lengths for engine in engines) else None
    with progress(screen, plan.sessions, rolls, throws_word(engines[0].program.game)) as told:
        yield told


# -- output -----------------------------------------------------------------------------------------------------------


def _show(given: argparse.Namespace, done: Done) -> None:
    if given.json:
        print_json(_plain(done))
    else:
        from croupier.cli.simulation.summary import show

        show(Console(highlight=False), done)
    sys.stdout.flush()


def _plain(done: Done) -> dict[str, object]:
    """Return the figures as JSON: one strategy's, or a list of them with the differences."""
    extra: dict[str, object] = {"complete": done.complete}
    if done.dice is not None:
        extra |= {"seed": None, "dice": done.dice.file, "left_out": done.dice.left_out}
    told = [{**msgspec.to_builtins(result), **extra} for result in done.results]
    if len(told) == 1:
        return told[0]
    differences = [
        {"strategy": asked.name, "net_difference": pairs.mean, "difference_se": pairs.mean_se}
        for asked, pairs in zip(done.plan.strategies[1:], done.pairs, strict=True)
    ]
    return {"strategies": told, "differences": differences, **extra}


def _page(done: Done, given: argparse.Namespace) -> str:
    """Return the report as HTML."""
    from croupier.cli.simulation.summary import action_of
    from croupier.documents.simulation.report import html_of
    from croupier.documents.simulation.sentences import About

    strategies = [engine.program.strategy for engine in done.engines]
    return html_of(
        done.results,
        done.pairs,
        version("croupier"),
        done.complete,
        [About(strategy.about, tuple(action_of(rule) for rule in strategy.rules)) for strategy in strategies],
        done.engines[0].program.game.book,
        command_line(given, None if done.complete else done.results[0].sessions),
        None if done.dice is None else done.dice.file,
    )
