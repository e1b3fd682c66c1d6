"""`croupier combine`: several wagers together, per decision and roll by roll, with their correlations."""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import combinations

from rich.console import Console
from rich.markup import escape

from croupier.cli.output import columns, paragraph, print_json
from croupier.cli.wager_plans import (
    PLAN_HELP,
    add_terms,
    dollars,
    dollars_plain,
    exact,
    exact_dollars,
    exact_percent,
    heading,
    plain_lot,
    plain_terms,
    show_figures,
    the_chip,
    the_game,
    throws_word,
    with_fraction,
)
from croupier.maths.combination import (
    Decision,
    Joint,
    LongRun,
    Matrix,
    Spell,
    Together,
    correlation,
    correlation_squared,
    per_decision,
    per_throw,
    sum_of,
)
from croupier.maths.plan import FREE, Moment, Plan
from croupier.maths.plan_text import lot_name, read_lots
from croupier.maths.rows import percent
from croupier.money import format_cents
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf

MOST_RESULTS = 16
MOST_MOMENTS = 8
MOST_ENDS = 12
MOST_ALIKE = 3


def add_combine(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier combine`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("wagers", metavar="WAGER", nargs="+", help=PLAN_HELP)
    add_terms(command)


def combine(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the wagers together and show them; return the exit status. Raises Impossible."""
    game = the_game(shelf, given)
    chip = the_chip(game, given)
    lots = read_lots(game, given.wagers, chip)
    plan = Plan(game, lots, chip)
    once = per_decision(Plan(game, lots, chip, again=False))
    ever = per_throw(plan)
    if given.json:
        print_json(_plain(game, given, plan, once, ever))
        return 0
    console = Console(highlight=False)
    heading(console, game, given)
    _show_wagers(console, game, plan, once)
    _show_decision(console, game, once)
    _show_long_run(console, game, plan, ever)
    if len(lots) > 1:
        _show_correlations(console, game, plan, once, ever)
    return 0


# -- text output ------------------------------------------------------------------------------------------------------


def _show_wagers(console: Console, game: Game, plan: Plan, once: Decision) -> None:
    table = columns("", "Wager", "Stake", "Made", "Mean", "SD", words=2)
    table.add_column("Clause")
    for i, lot in enumerate(plan.lots):
        table.add_row(
            str(i + 1),
            escape(lot_name(game, lot)),
            format_cents(int(lot.stake)),
            percent(once.made[i], 2),
            dollars(once.joint.means[i], 4),
            f"{float(once.joint.covariances[i][i]) ** 0.5 / 100:,.2f}",
            game.wager(lot.wager).clause,
        )
    console.print(table)


def _show_decision(console: Console, game: Game, once: Decision) -> None:
    """Show each wager made once and held until all are decided."""
    mean, variance, _ = once.joint.moments
    console.print("\n[bold]Each made once, until all are decided[/bold]")
    rows = [
        ("mean", exact_dollars(mean)),
        ("standard deviation", f"{float(variance) ** 0.5 / 100:,.4f}"),
        ("chance of a profit", exact_percent(once.joint.profit)),
        ("staked on average", exact_dollars(once.staked)),
        ("house edge on that", exact_percent(once.edge)),
    ]
    rows += [("of the outlay", exact_percent(once.edge_outlay))] if once.outlay != once.staked else []
    rows.append((f"{throws_word(game)} on average", with_fraction(f"{float(once.throws):.4f}", once.throws)))
    show_figures(console, rows)
    _show_joint(console, once.joint)


def _show_joint(console: Console, joint: Joint) -> None:
    """Show the joint results, one column per wager; if there are many, the most likely ones."""
    likely = sorted(joint.chances.items(), key=lambda item: -item[1])[:MOST_RESULTS]
    fits = joint.wagers <= (console.width - 36) // 8  # otherwise show the sum alone: a truncated number is useless
    each = [str(i + 1) for i in range(joint.wagers if fits else 0)]
    table = columns(*each, "Together", "Chance", "", words=0)
    for results, chance in sorted(likely, key=lambda item: (sum_of(item[0]), str(item[0]))):
        cells = ["-" if result is None else dollars(result) for result in results] if fits else []
        shown = str(chance)
        table.add_row(*cells, dollars(sum_of(results)), percent(chance), shown if len(shown) <= 16 else "")
    console.print(table)
    if len(joint.chances) > len(likely):
        rest = 1 - sum((chance for _, chance in likely), Fraction(0))
        console.print(f"and {len(joint.chances) - len(likely):,} others, {percent(rest, 2)} in all: --json lists them")


def _show_long_run(console: Console, game: Game, plan: Plan, ever: LongRun) -> None:
    """Show wagers that are remade indefinitely."""
    word = throws_word(game, 1)
    mean, variance, _ = ever.joint.moments
    console.print(f"\n[bold]Remade indefinitely: one {word}[/bold]")
    show_figures(
        console,
        [
            ("mean", exact_dollars(mean)),
            ("standard deviation", f"{float(variance) ** 0.5 / 100:,.4f}"),
            (f"of n {word}s", f"{float(ever.variance_growth) ** 0.5 / 100:,.4f} × √n"),
            ("new stakes", exact_dollars(ever.staked)),
            ("house edge on that", exact_percent(ever.edge)),
            ("at risk", exact_dollars(ever.awake)),
            ("house edge on that", exact_percent(ever.edge_per_throw)),
        ],
    )
    console.print(f"\n[bold]Results of one {word}[/bold]")
    groups = _alike(ever)
    for spells in groups[:MOST_MOMENTS]:
        share = percent(sum((spell.share for spell in spells), Fraction(0)), 2)
        words = [moment_words(game, plan, spell.moment) for spell in spells]
        mean = spells[0].joint.moments.mean
        told = " or ".join(words[:MOST_ALIKE]) + (f" or {len(words) - MOST_ALIKE} others" * (len(words) > MOST_ALIKE))
        console.print(f"[bold]{share}[/bold] of {word}s, mean {dollars(mean, 4)}: {escape(told or 'always')}")
        paragraph(console, _ends(spells[0].joint), 2, "dim")
    if len(groups) > MOST_MOMENTS:
        rest = [spell for spells in groups[MOST_MOMENTS:] for spell in spells]
        share = percent(sum((spell.share for spell in rest), Fraction(0)), 2)
        console.print(f"and {len(rest):,} other moments, {share} in all: --json lists them")


def _alike(ever: LongRun) -> list[list[Spell]]:
    """Group the moments at which a throw has the same effect on every wager, most common first."""
    groups: dict[object, list[Spell]] = {}
    for spell in ever.spells:
        groups.setdefault(frozenset(spell.joint.chances.items()), []).append(spell)
    return sorted(groups.values(), key=lambda spells: -sum(spell.share for spell in spells))


def _ends(joint: Joint) -> str:
    """Return the most likely totals of one throw, with their probabilities."""
    total = joint.total
    likely = sorted(total, key=lambda value: -total[value])[:MOST_ENDS]
    shown = [f"{dollars(value)} {percent(total[value], 2)}" for value in sorted(likely)]
    return " · ".join(shown + (["…"] if len(total) > len(likely) else []))


def moment_words(game: Game, plan: Plan, moment: Moment) -> str:
    """Describe the table's phases and the wagers' positions, without repetition; empty if there is nothing to say."""
    phases = plan.phases(moment)
    words = phase_words(game, phases)
    said = {"standing", *phases.values()}
    for lot, holding, place in zip(plan.lots, plan.holdings, moment.places, strict=True):
        if place == FREE and holding.wager.stands_alone:
            words.append(f"no {lot_name(game, lot)}")
        elif place != FREE and place not in said:
            words.append(f"{lot_name(game, lot)} {place}")
            said.add(str(place))
    return ", ".join(words)


def phase_words(game: Game, phases: dict[str, str]) -> list[str]:
    """Describe the table's phases: `puck: point 6`."""
    return [f"{game.book.phases[phase].name.lower()}: {state}" for phase, state in phases.items()]


def _show_correlations(console: Console, game: Game, plan: Plan, once: Decision, ever: LongRun) -> None:
    """Show the correlation of each pair of wagers."""
    word = throws_word(game, 1)
    console.print("\n[bold]Correlations[/bold]")
    table = columns("", "Per decision", f"One {word}", "Long run")
    matrices = (once.joint.covariances, ever.joint.covariances, ever.growth)
    for i, j in combinations(range(len(plan.lots)), 2):
        pair = f"{lot_name(game, plan.lots[i])}, {lot_name(game, plan.lots[j])}"
        table.add_row(escape(pair), *(_together(matrix, i, j) for matrix in matrices))
    console.print(table)


def _together(matrix: Matrix, i: int, j: int) -> str:
    found = correlation(matrix, i, j)
    return "-" if found is None else f"{found:.4f}"


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(game: Game, given: argparse.Namespace, plan: Plan, once: Decision, ever: LongRun) -> dict[str, object]:
    return {
        **plain_terms(game, given),
        "wagers": [plain_lot(game, plan, place) for place in range(len(plan.lots))],
        "per_decision": {
            **_plain_joint(once.joint),
            "profit": exact(once.joint.profit),
            "made": [exact(chance) for chance in once.made],
            "staked": exact(once.staked / 100),
            "outlay": exact(once.outlay / 100),
            "house_edge": exact(once.edge),
            "house_edge_outlay": exact(once.edge_outlay),
            "rolls": exact(once.throws),
            "correlations": _plain_matrix(once.joint.covariances),
        },
        "per_roll": {
            **_plain_joint(ever.joint),
            "variance_growth": exact(ever.variance_growth / 10_000),
            "staked": exact(ever.staked / 100),
            "outlay": exact(ever.outlay / 100),
            "at_risk": exact(ever.awake / 100),
            "house_edge": exact(ever.edge),
            "house_edge_per_roll": exact(ever.edge_per_throw),
            "correlations": _plain_matrix(ever.joint.covariances),
            "long_run_correlations": _plain_matrix(ever.growth),
            "moments": [_plain_spell(game, plan, spell) for spell in ever.spells],
        },
    }


def _plain_joint(joint: Joint) -> dict[str, object]:
    mean, variance, _ = joint.moments
    return {
        "mean": exact(mean / 100),
        "variance": exact(variance / 10_000),
        "sd": float(variance) ** 0.5 / 100,
        "means": [exact(value / 100) for value in joint.means],
        "results": [{"results": _plain_results(row), "chance": exact(p)} for row, p in joint.chances.items()],
        "total": [{"result": dollars_plain(int(value)), "chance": exact(p)} for value, p in joint.total.items()],
    }


def _plain_results(results: Together) -> list[str | None]:
    return [None if result is None else dollars_plain(int(result)) for result in results]


def _plain_matrix(matrix: Matrix) -> list[list[dict[str, object] | None]]:
    """Return signed squares of the correlations, exactly, and the correlations as numbers."""
    size = range(len(matrix))
    return [[_plain_correlation(matrix, i, j) for j in size] for i in size]


def _plain_correlation(matrix: Matrix, i: int, j: int) -> dict[str, object] | None:
    squared = correlation_squared(matrix, i, j)
    return None if squared is None else {"signed_square": str(squared), "float": correlation(matrix, i, j)}


def _plain_spell(game: Game, plan: Plan, spell: Spell) -> dict[str, object]:
    return {
        "moment": moment_words(game, plan, spell.moment),
        "phases": plan.phases(spell.moment),
        "places": [place or None for place in spell.moment.places],
        "share": exact(spell.share),
        **_plain_joint(spell.joint),
    }
