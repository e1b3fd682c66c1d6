"""`croupier session`: a player's result after a number of rolls, with risk of ruin and target, exactly."""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import pairwise
from math import gcd
from pathlib import Path

from rich.console import Console

from croupier.cli.output import columns, print_json, progress
from croupier.cli.wager_plans import (
    PLAN_HELP,
    add_terms,
    dollars,
    dollars_plain,
    exact,
    exact_dollars,
    exact_percent,
    heading,
    lots_table,
    plain_lot,
    plain_terms,
    show_bars,
    show_figures,
    the_chip,
    the_game,
    throws_word,
    whole,
)
from croupier.maths.plan import Plan, lot_name, read_amount, read_lots
from croupier.maths.session import Fate, Outlook, PlanSession, ruin_or_target
from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf

SHARES = (1, 5, 25, 50, 75, 95, 99)
LINES = 18  # of the histogram
STEPS = 60  # of the fan chart
MARGIN = 12  # around it
LONGEST_TITLE = 76


def add_session(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier session`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("wagers", metavar="WAGER", nargs="+", help=PLAN_HELP)
    command.add_argument("--rolls", "--spins", metavar="N", help="how many rolls or spins are played")
    command.add_argument("--bankroll", metavar="AMOUNT", help="the player's money; without it there is no risk of ruin")
    command.add_argument("--target", metavar="AMOUNT", help="stop when the money reaches this")
    command.add_argument("--svg", metavar="FILE", help="draw the distribution of results over time, as SVG")
    add_terms(command)


def session(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the requested session and show it; return the exit status. Raises Impossible."""
    game = the_game(shelf, given)
    chip = the_chip(game, given)
    plan = Plan(game, read_lots(game, given.wagers, chip), chip)
    bankroll, target = _money(given)
    if given.rolls is None:
        return _to_the_end(game, given, plan, bankroll, target)
    throws = whole("--rolls", given.rolls)
    counted = PlanSession(plan, throws, bankroll, target)
    at = [throws] if given.svg is None else sorted({throws, *range(0, throws, 2 * max(1, throws // (2 * STEPS)))})
    with progress(throws_word(game), throws, with_count=True) as told:
        outlooks = list(counted.outlooks(at, told))
    if given.svg is not None:
        _draw(game, given, plan, outlooks)
    if given.json:
        print_json(_plain(game, given, plan, outlooks[-1]))
    else:
        _show(Console(highlight=False), game, given, plan, outlooks[-1])
        if given.svg is not None:
            print(f"\n{given.svg}: the distribution of results, {throws_word(game, 1)} by {throws_word(game, 1)}")
    return 0


def _money(given: argparse.Namespace) -> tuple[int | None, int | None]:
    """Return bankroll and target in cents. Raises Impossible."""
    bankroll = None if given.bankroll is None else read_amount(given.bankroll)
    target = None if given.target is None else read_amount(given.target)
    if target is not None and bankroll is None:
        raise Impossible("bankroll_missing", "A target needs a bankroll: give one with --bankroll.")
    if target is not None and bankroll is not None and target <= bankroll:
        raise Impossible("target_too_low", "The target must be more than the bankroll.")
    return bankroll, target


def _to_the_end(game: Game, given: argparse.Namespace, plan: Plan, bankroll: int | None, target: int | None) -> int:
    """Compute play until ruin or target, when no number of rolls is given. Raises Impossible."""
    if bankroll is None or target is None:
        word = throws_word(game)
        say = f"Give the number of {word} with --rolls, or play to the end with --bankroll and --target."
        raise Impossible("rolls_missing", say)
    if given.svg is not None:
        raise Impossible("rolls_missing", "A picture needs a number of rolls: give one with --rolls.")
    fate = ruin_or_target(plan, bankroll, target)
    if given.json:
        print_json({**_plain_plan(game, given, plan), **_plain_fate(fate)})
        return 0
    console = Console(highlight=False)
    _show_plan(console, game, given, plan)
    console.print()
    show_figures(
        console,
        [
            (f"ruined before {dollars(target)}", exact_percent(fate.ruined)),
            (f"{dollars(target)} reached first", exact_percent(fate.reached)),
            (f"{throws_word(game)} until then", f"{float(fate.throws):,.2f} on average"),
        ],
    )
    return 0


# -- text output ------------------------------------------------------------------------------------------------------


def _show_plan(console: Console, game: Game, given: argparse.Namespace, plan: Plan) -> None:
    heading(console, game, given)
    console.print(lots_table(game, plan))
    parts = [] if given.rolls is None else [f"{outlook_words(game, whole('--rolls', given.rolls))}"]
    parts += [] if given.bankroll is None else [f"bankroll {dollars(read_amount(given.bankroll))}"]
    parts += [] if given.target is None else [f"target {dollars(read_amount(given.target))}"]
    console.print(", ".join(parts))


def outlook_words(game: Game, throws: int) -> str:
    """Return the number of rolls or spins in words."""
    return f"{throws:,} {throws_word(game, throws)}"


def _show(console: Console, game: Game, given: argparse.Namespace, plan: Plan, outlook: Outlook) -> None:
    _show_plan(console, game, given, plan)
    ahead, not_behind = outlook.chance(1), outlook.chance(0)
    rows = [
        ("mean", exact_dollars(outlook.moments.mean)),
        ("standard deviation", f"{float(outlook.moments.variance) ** 0.5 / 100:,.2f}"),
        ("ahead", exact_percent(ahead)),
        ("even", exact_percent(not_behind - ahead)),
        ("behind", exact_percent(1 - not_behind)),
        ("worst, best", f"{dollars(min(outlook.ways))}, {dollars(max(outlook.ways))}"),
    ]
    rows += [("ruined", exact_percent(outlook.ruined))] if given.bankroll is not None else []
    rows += [("target reached", exact_percent(outlook.reached))] if given.target is not None else []
    console.print()
    show_figures(console, rows)
    console.print()
    table = columns("percentile", *(f"{share}%" for share in SHARES))
    table.add_row("result", *(dollars(outlook.quantile(Fraction(share, 100))) for share in SHARES))
    console.print(table)
    console.print()
    show_bars(console, histogram(outlook))


def histogram(outlook: Outlook, lines: int = LINES) -> list[tuple[str, Fraction]]:
    """Bin results into about this many steps of equal width, pooling each tail rarer than one in 200."""
    ways = outlook.ways
    grid = gcd(*(after - before for before, after in pairwise(ways))) or 1
    low, high = outlook.quantile(Fraction(1, 200)), outlook.quantile(Fraction(199, 200))
    wanted = Fraction(high - low + grid, lines * grid)
    times = next(step * 10**power for power in range(20) for step in (1, 2, 5) if step * 10**power >= wanted)
    step = times * grid
    bins: dict[int, int] = {}
    for cents, count in ways.items():
        place = (min(max(cents, low), high) - low) // step
        bins[place] = bins.get(place, 0) + count
    labels = {place: _label(low + place * step, low + (place + 1) * step - grid) for place in range(max(bins) + 1)}
    if min(ways) < low:
        labels[0] = f"up to {dollars(low + step - grid)}"
    if max(ways) >= low + (max(bins) + 1) * step:
        labels[max(bins)] = f"from {dollars(low + max(bins) * step)}"
    return [(label, Fraction(bins.get(place, 0), outlook.all_ways)) for place, label in labels.items()]


def _label(first: int, last: int) -> str:
    return dollars(first) if first == last else f"{dollars(first)} to {dollars(last)}"


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain_plan(game: Game, given: argparse.Namespace, plan: Plan) -> dict[str, object]:
    return {
        **plain_terms(game, given),
        "wagers": [plain_lot(game, plan, place) for place in range(len(plan.lots))],
        "rolls": None if given.rolls is None else whole("--rolls", given.rolls),
        "bankroll": None if given.bankroll is None else dollars_plain(read_amount(given.bankroll)),
        "target": None if given.target is None else dollars_plain(read_amount(given.target)),
    }


def _plain_fate(fate: Fate) -> dict[str, object]:
    return {"ruined": exact(fate.ruined), "reached": exact(fate.reached), "expected_rolls": exact(fate.throws)}


def _plain(game: Game, given: argparse.Namespace, plan: Plan, outlook: Outlook) -> dict[str, object]:
    ahead, not_behind = outlook.chance(1), outlook.chance(0)
    variance = outlook.moments.variance / 10_000
    return {
        **_plain_plan(game, given, plan),
        "mean": exact(outlook.moments.mean / 100),
        "variance": exact(variance),
        "sd": float(variance) ** 0.5,
        "quantiles": {str(share): dollars_plain(outlook.quantile(Fraction(share, 100))) for share in SHARES},
        "ahead": exact(ahead),
        "even": exact(not_behind - ahead),
        "behind": exact(1 - not_behind),
        "worst": dollars_plain(min(outlook.ways)),
        "best": dollars_plain(max(outlook.ways)),
        "ruined": exact(outlook.ruined) if given.bankroll is not None else None,
        "reached": exact(outlook.reached) if given.target is not None else None,
        "results": [
            {"result": dollars_plain(cents), "chance": exact(chance)} for cents, chance in outlook.results.items()
        ],
    }


# -- chart ------------------------------------------------------------------------------------------------------------

STYLE = """
text { font-size: 12px; fill: #1b2420 }
.tick { font-size: 11px; fill: #5a6660 }
.grid { stroke: #cfd6d2; stroke-width: .7 }
.zero { stroke: #1b2420 }
.outer { fill: #cfe3da }
.inner { fill: #93c2ae }
.median { fill: none; stroke: #1b2420; stroke-width: 1.6 }
.mean { fill: none; stroke: #b4502b; stroke-width: 1.6; stroke-dasharray: 5 3 }
"""


def _draw(game: Game, given: argparse.Namespace, plan: Plan, outlooks: list[Outlook]) -> None:
    """Draw the spread of the result, roll by roll, to a file. Raises Impossible."""
    from croupier.documents.charts import Spread, fan
    from croupier.documents.markup import Markup, element, svg_file, text

    shares = [Fraction(share, 100) for share in (5, 25, 50, 75, 95)]
    spreads = [
        Spread(o.throws, tuple(o.quantile(share) / 100 for share in shares), float(o.moments.mean / 100))
        for o in outlooks
    ]
    last = outlooks[-1]
    names = " + ".join(f"{lot_name(game, lot)} {format_cents(int(lot.stake))}" for lot in plan.lots)
    title = f"Session of {outlook_words(game, last.throws)}: {names}"
    told = f"90% of results lie between {dollars(last.quantile(shares[0]))} and {dollars(last.quantile(shares[-1]))}."
    drawing = fan(title, told, spreads, throws_word(game), "result in dollars")
    shown = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    chart = element("g", Markup(drawing.inside), transform=f"translate({MARGIN} {3 * MARGIN})")
    width, height = drawing.width + 2 * MARGIN, drawing.height + 4 * MARGIN
    picture = svg_file(width, height, title, told, STYLE, text(MARGIN, 2 * MARGIN, shown), chart)
    try:
        Path(given.svg).write_text(picture, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Impossible("file_not_written", f"{given.svg} cannot be written ({error.strerror}).") from None
