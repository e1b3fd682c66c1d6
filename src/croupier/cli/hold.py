"""`croupier hold`: the operator's view of a table, over an evening and on one throw."""

from __future__ import annotations

import argparse
import re
from fractions import Fraction

from rich.console import Console
from rich.markup import escape

from croupier.cli.combine import moment_words, phase_words
from croupier.cli.output import counted, print_json, progress
from croupier.cli.wager_plans import (
    add_terms,
    dollars,
    dollars_plain,
    exact,
    exact_percent,
    heading,
    lots_table,
    plain_lot,
    plain_terms,
    show_figures,
    the_chip,
    the_game,
    throws_word,
    whole,
)
from croupier.maths.hold import HouseLimits, Loss, Takings, Worst, largest_loss, takings, worst_throw
from croupier.maths.plan import Lot, Plan, check_sign, read_amount, read_mix
from croupier.maths.rows import percent
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf

HELP = (
    "the wagers of one kind of player, and how many such players: "
    '"win_line 10.00 + behind_win_line 20.00 x8", "field 5.00 x3"'
)
_HOURS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,4})?", re.ASCII)


def add_hold(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier hold`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("wagers", metavar="WAGERS", nargs="+", help=HELP)
    command.add_argument("--rolls-an-hour", "--spins-an-hour", metavar="N", default="100", help="pace (100)")
    command.add_argument("--hours", metavar="N", default="8", help="how long the table is open (8)")
    command.add_argument("--min", metavar="AMOUNT", help="the smallest stake on the sign")
    command.add_argument("--max", metavar="AMOUNT", help="the largest stake on the sign: it limits the loss on a roll")
    command.add_argument("--seats", metavar="N", help="players at a full table (as many as in the mix)")
    add_terms(command)


def hold(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the table's hold and show it; return the exit status. Raises Impossible."""
    game = the_game(shelf, given)
    chip = the_chip(game, given)
    minimum, maximum = (None if text is None else read_amount(text) for text in (given.min, given.max))
    _check_limits(game, minimum, maximum)
    mix = read_mix(game, given.wagers, chip)
    for lot in mix.lots:
        check_sign(game, lot, minimum, maximum)
    seats = mix.players if given.seats is None else whole("--seats", given.seats)
    if seats < mix.players:
        raise Impossible("table_full", f"The mix has {mix.players} players, but the table has {seats} seats.")
    plan = Plan(game, mix.lots, chip)
    throws = _throws(given)
    with progress(throws_word(game), throws, with_count=True) as told:
        kept = takings(plan, throws, told)
    loss = largest_loss(plan)
    fixed = _fixed_amounts(game, mix.lots)
    worst = None if maximum is None else worst_throw(game, HouseLimits(chip, maximum, seats, fixed))
    if given.json:
        print_json(_plain(game, given, plan, kept, loss, worst, seats))
    else:
        _show(Console(highlight=False), game, given, plan, kept, loss, worst, seats)
    return 0


def _fixed_amounts(game: Game, lots: tuple[Lot, ...]) -> dict[str, int]:
    """Return the amount that the sign sets for each fixed wager, from the mix. Raises Impossible if there are two."""
    fixed: dict[str, int] = {}
    for lot in lots:
        rules = game.wager(lot.wager).fixed_stake
        if rules is not None and fixed.setdefault(rules.option, int(lot.stake)) != lot.stake:
            say = f"{game.wager(lot.wager).name} has one amount, the same for all players."
            raise Impossible("stake_not_the_fixed_amount", say, rules.clause)
    return fixed


def _check_limits(game: Game, minimum: int | None, maximum: int | None) -> None:
    if maximum is not None and maximum < max(minimum or 0, 1):
        say = "The maximum must be above zero and not below the minimum."
        raise Impossible("limits_contradict", say, game.book.rules.limits.maximum)


def _throws(given: argparse.Namespace) -> int:
    """Return pace times hours, rounded down. Raises Impossible."""
    pace = whole("--rolls-an-hour", given.rolls_an_hour)
    if not _HOURS.fullmatch(given.hours):
        raise Impossible("number_unreadable", f'--hours must be a number such as 8 or 7.5, not "{given.hours}".')
    throws = int(pace * Fraction(given.hours))
    if not throws:
        raise Impossible("number_unreadable", "The time is too short for a single throw.")
    return throws


# -- text output ------------------------------------------------------------------------------------------------------


def _show(
    console: Console,
    game: Game,
    given: argparse.Namespace,
    plan: Plan,
    kept: Takings,
    loss: Loss,
    worst: Worst | None,
    seats: int,
) -> None:
    heading(console, game, given)
    console.print(lots_table(game, plan, with_players=True))
    word = throws_word(game, kept.throws)
    console.print(f"{given.rolls_an_hour} {throws_word(game)} an hour, {given.hours} hours: {kept.throws:,} {word}\n")
    how = "exact" if kept.counted else "from a normal approximation; mean and standard deviation are exact"
    show_figures(
        console,
        [
            ("handle", f"{dollars(kept.handle)} on average"),
            ("hold", f"{dollars(kept.mean)} on average, {percent(kept.share)} of the handle"),
            ("standard deviation", f"{kept.sd / 100:,.2f}"),
            ("95% interval", f"{dollars(kept.low)} to {dollars(kept.high)}"),
            ("chance of a loss", exact_percent(kept.loses) if kept.counted else percent(kept.loses, 2)),
            ("", f"(interval and loss {how};"),
            ("", "unsettled wagers count at face value)"),
        ],
    )
    console.print("\n[bold]Largest loss on one throw[/bold]")
    console.print(f"with this mix {dollars(loss.cents)}: {escape(_mix_words(game, plan, loss))}")
    if worst is None:
        console.print("under the sign: unlimited without a maximum (--max)")
    else:
        everyone = f"{counted(seats, 'seat')} at {dollars(read_amount(given.max))} on everything that wins"
        console.print(f"with {everyone} {dollars(worst.cents)}: {escape(_worst_words(game, worst))}")


def _faces(faces: tuple[int | str, ...]) -> str:
    return " ".join(map(str, faces))


def _mix_words(game: Game, plan: Plan, loss: Loss) -> str:
    words = [_faces(game.book.outcomes.all[loss.outcome]), moment_words(game, plan, loss.moment)]
    return ", ".join(filter(None, words))


def _worst_words(game: Game, worst: Worst) -> str:
    return ", ".join([_faces(worst.faces), *phase_words(game, worst.phases)])


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(
    game: Game,
    given: argparse.Namespace,
    plan: Plan,
    kept: Takings,
    loss: Loss,
    worst: Worst | None,
    seats: int,
) -> dict[str, object]:
    return {
        **plain_terms(game, given),
        "wagers": [plain_lot(game, plan, place) for place in range(len(plan.lots))],
        "rolls": kept.throws,
        "handle": exact(kept.handle / 100),
        "hold": exact(kept.mean / 100),
        "hold_share": exact(kept.share),
        "variance": exact(kept.variance / 10_000),
        "sd": kept.sd / 100,
        "interval": [dollars_plain(kept.low), dollars_plain(kept.high)],
        "house_loses": exact(kept.loses) if kept.counted else {"exact": None, "float": float(kept.loses)},
        "counted_out": kept.counted,
        "largest_loss": {
            "amount": dollars_plain(loss.cents),
            "throw": list(game.book.outcomes.all[loss.outcome]),
            "phases": plan.phases(loss.moment),
        },
        "largest_loss_under_limits": None
        if worst is None
        else {
            "amount": dollars_plain(worst.cents),
            "throw": list(worst.faces),
            "phases": worst.phases,
            "seats": seats,
        },
    }
