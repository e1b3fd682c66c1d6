"""The same dice at a real table and through each kernel: the same chips, to the cent, throw by throw.

Every included strategy at tables of many kinds, then random strategies, which make every mistake that a table can
refuse. Besides chips and stakes, the ends of sessions, every bet made and every refusal with its clause must agree. The
test counts what the random strategies have met, so that it cannot pass merely because nothing happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from croupier.simulation.kernels import engine
from croupier.simulation.kernels.product import product_of
from croupier.simulation.reading.reader import included, load_strategy, needs_bankroll
from croupier.table.commands import Limit, Settings
from tests.same_dice import Case, Compared, compare, realised_over_all_throws, said
from tests.soaking import IS_SOAK, series
from tests.strategies_made import cases, features, made, themes
from tests.tables import BOOKS, SHELF

ROLLS = 40
SESSIONS = 19  # sixteen that can be walked together, and some that cannot


@pytest.fixture(autouse=True, scope="module")
def _small_machines() -> Iterator[None]:
    """Machines take time to compile; larger ones than this are left to the general kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "product_of", partial(product_of, most_entries=200_000 if IS_SOAK else 60_000))
        yield


# The strategies that are included

CENTS = 100
TABLES: dict[str, tuple[Settings, int | None]] = {
    "no bankroll": (Settings(), None),
    "more than can be lost": (Settings(), 10**6 * CENTS),
    "a small bankroll": (Settings(), 30 * CENTS),
    "a bankroll for hardly a bet": (Settings(), 7 * CENTS),
    "small chips, exact units": (Settings(chip=25, exact_units=True, limit=Limit(500, 50 * CENTS)), 500 * CENTS),
    "large chips": (Settings(chip=500), 200 * CENTS),
    "a minimum": (Settings(limit=Limit(10 * CENTS, None)), 200 * CENTS),
    "a maximum": (Settings(limit=Limit(None, 12 * CENTS)), 200 * CENTS),
    "exact units": (Settings(exact_units=True), 200 * CENTS),
}
INCLUDED = [(each.id, book) for each in included() for book in each.books]


@pytest.mark.parametrize(("strategy_id", "book"), INCLUDED)
def test_an_included_strategy_is_the_same_in_every_kernel(strategy_id: str, book: str) -> None:
    terms = SHELF.terms(book)
    strategy = load_strategy(strategy_id, SHELF.game(terms))
    met: set[str] = set()
    tables = {**TABLES, "its own bankroll": (Settings(), strategy.bankroll)}
    for number, (sign, bankroll) in enumerate(tables.values()):
        if bankroll is not None or needs_bankroll(strategy) is None:
            case = Case(terms, sign, strategy, bankroll)
            compared = compare(case, number, 400 if IS_SOAK else ROLLS, 5 if IS_SOAK else 1, SESSIONS)
            met |= features(case, compared.played, compared.witness)
            met |= {f"refused {code}" for _, code, _ in said(compared.block.engine.program, compared.block.counts)[1]}
    assert {"staked Fixed", "staked ShareOfChips", "staked FromProgression", "staked Most"} & met
    assert {"refused not_enough_chips", "refused amount_not_positive"} & met, "a bankroll is too small somewhere"


# Strategies made at random

HOW = ("at once", "when decided")
ANYWHERE = [
    *(f"ended {reason}" for reason in ("rolls", "win", "loss", "strategy rolls", "ruined")),
    *(f"left {how}: {reason}" for reason in ("win", "loss", "strategy rolls") for how in HOW),
    *("ruined after the last throw", "ruined when leaving"),
    *(f"refused {code}" for code in ("not_enough_chips", "amount_not_positive", "stake_below_minimum")),
    *(f"staked {kind}" for kind in ("Fixed", "TimesSpot", "ShareOfChips", "Most", "FromProgression")),
    *(f"asked for {what}" for what in ("ResultIs", "Count", "Streak", "Hits", "Rolls", "Net")),
    *(f"moved by {kind}" for kind in ("next", "back", "first", "stay", "add", "times", "add_won")),
    *(f"moved by {what} of one throw" for what in ("several wins", "several losses", "a loss and a win")),
    *("moved to its least", "moved to its most", "on its last step, then first", "on its last step, then stay"),
    *("adds", "or_less", "insist", "at_most", "taken down", "taken down to something", "refused cannot_be_called"),
    *("machine", "general", "left the machine"),
]
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
SHOOTING = ["ended shooters", "asked for ShooterRolls", "asked for Shooters", "began anew with a shooter"]
SHOOTING += [f"left {how}: shooters" for how in HOW]
WAITING = [f"waited {how}" for how in HOW]  # even those who leave at once wait for what is locked
AT: dict[str, list[str]] = {
    CRAPS: [
        *(*SHOOTING, *WAITING, "taken down when leaving"),
        *(f"stood {kind}" for kind in ("sleeps", "behind", "commission", "multiple", "take", "place", "start_by")),
        *("stood in its box", "stood on a number it travelled to", "asked for PhaseIs", "asked for Chips"),
        *("called On", "called Off", "went back", "went back asleep"),
        *("shrank behind what was taken", "went with what was taken"),
        *(f"refused {code}" for code in ("only_before_come_out", "only_after_come_out", "no_point", "wager_locked")),
        *(f"refused {code}" for code in ("flat_wager_missing", "stake_above_behind_limit", "stake_above_maximum")),
        *(f"refused {code}" for code in ("amount_not_in_chips", "amount_not_in_units")),
    ],
    SIC_BO: [
        *(*WAITING, "stood fixed_stake", "stood place", "stood take", "stood start_by", "asked for PhaseIs"),
        *(f"refused {code}" for code in ("no_result_yet", "streak_in_progress", "wager_locked")),
        *(f"refused {code}" for code in ("one_wager_only", "stake_not_the_fixed_amount")),
    ],
    TWO_UP: [
        *WAITING,
        "stood sole",
        "stood take",
        "stood start_by",
        "refused declared_already",
        "refused wager_locked",
    ],
    SNAKE_EYES: [*SHOOTING, "waited when decided", "taken down when leaving"],
    SNAKE_EYES_NZ: [*SHOOTING, "waited when decided", "taken down when leaving"],
}
USUAL = {CRAPS: 340, SIC_BO: 150, TWO_UP: 220, SNAKE_EYES: 180, SNAKE_EYES_NZ: 180}


def met(case: Case, compared: Compared) -> set[str]:
    """What a strategy met, and which kernels played it."""
    found = features(case, compared.played, compared.witness)
    if compared.block.engine.machine is None:
        return found | {"general"}
    return found | {"machine", *(["left the machine"] if any(compared.block.tally.counts) else [])}


@pytest.mark.parametrize("book", BOOKS)
def test_usual_strategies_are_the_same_in_every_kernel(book: str) -> None:
    """A fixed set of strategies, so that what is reached does not depend on luck.

    A session that ends early is often played again with exactly that many throws, so that the end comes at the last
    one.
    """
    reached: Counter[str] = Counter()
    about = themes(book)
    for number in series(USUAL[book], in_a_soak=2 * USUAL[book]):
        case = made(Random(number), book, about[number % len(about)])
        compared = compare(case, number, ROLLS, 1, SESSIONS)
        reached.update(met(case, compared))
        ended = compared.played[0].rolls
        if 0 < ended < ROLLS and number % 4 == 0:
            program = compared.block.engine.program
            reached.update(met(case, compare(case, number, ended, 1, SESSIONS, program)))
    assert IS_SOAK or [name for name in (*ANYWHERE, *AT[book]) if not reached[name]] == []


@given(cases(), st.integers(0, 2**64 - 1), st.integers(1, 60))
def test_random_strategies_are_the_same_in_every_kernel(case: Case, seed: int, rolls: int) -> None:
    for name in met(case, compare(case, seed, rolls, 2, SESSIONS)):
        event(name)


@given(cases())
def test_over_all_throws_random_strategies_realise_exactly_what_wagers_are_worth(case: Case) -> None:
    """Whatever is bet, added to, taken down or left up, and whatever happens to the chips: no strategy changes the
    edge."""
    found = realised_over_all_throws(case.program, case.bankroll, 50_000 if IS_SOAK else 1500)
    event(f"{'something' if found.wagers else 'nothing'} was bet")
