"""What the house can lose on the next throw, compared with trying every throw."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.table.commands import Limit, Throw
from croupier.table.decide import Table, decide
from croupier.table.events import AreaSettled
from croupier.table.exposure import sign_exposure, standing_exposure
from tests.tables import SHELF, new_table, throw


def worst_by_trying(table: Table) -> int:
    """The largest loss over all throws, from the events themselves."""
    losses = []
    for faces in table.view.game.book.outcomes.all:
        decision = decide(SHELF, table.state, Throw(faces=faces))
        assert isinstance(decision, tuple)
        settled = [event for event in decision if isinstance(event, AreaSettled)]
        paid = sum(row[2] for event in settled for row in event.stakes)
        kept = sum(row[1] for event in settled if event.result == "lose" for row in event.stakes)
        losses.append(paid - kept)
    return max(losses)


def test_standing_wagers_are_exposed_as_trying_every_throw_shows() -> None:
    table = new_table("craps-nsw-2024")
    table.seat("bob", "1000.00")
    for wager, pick, amount in (("win_line", None, "10.00"), ("horn", None, "8.00"), ("lay", 4, "40.00")):
        table.bet("ann", wager, amount, pick=pick)
    table.bet("bob", "craps_twelve", "5.00")
    table.bet("bob", "hardway", "10.00", pick=8)  # asleep on the come out roll
    assert standing_exposure(SHELF, table.state).cents == worst_by_trying(table)
    throw(table, (4, 4))
    table.bet("ann", "behind_win_line", "20.00")
    assert standing_exposure(SHELF, table.state).cents == worst_by_trying(table)


def test_an_empty_table_loses_nothing() -> None:
    assert standing_exposure(SHELF, new_table("sic-bo-nsw-2016").state).cents == 0


def test_without_a_maximum_the_sign_limits_nothing() -> None:
    assert sign_exposure(SHELF, new_table("craps-nsw-2024").state, 10).cents is None


def test_a_full_sic_bo_table_under_its_sign() -> None:
    """Six seats at $100 each: the worst is triple 6 or 1, found by trying each wager."""
    table = new_table("sic-bo-nsw-2016", limit=Limit(None, 10_000))
    game = table.view.game
    worst = 0
    for faces in product(range(1, 7), repeat=3):
        outcome = game.book.outcomes.index[faces]
        total = 0
        for wager in game.book.rules.wagers:
            for pick in game.book.picks(wager):
                if wager.fixed_stake is None:
                    total += int(10_000 * game.machine(wager.id, pick).table["standing"][outcome].odds)
        worst = max(worst, total)
    assert sign_exposure(SHELF, table.state, 6).cents == 6 * worst


@pytest.mark.parametrize("book", ["snake-eyes-nsw-2019", "two-up-nsw-2016"])
def test_a_players_total_bounds_the_sign(book: str) -> None:
    free = new_table(book, limit=Limit(None, 10_000))
    bound = new_table(book, limit=Limit(None, 10_000), player_maximum=10_000)
    most, less = sign_exposure(SHELF, free.state, 1).cents, sign_exposure(SHELF, bound.state, 1).cents
    assert most is not None
    assert less is not None
    assert less < most
    best = max(free.view.game.lines.values())
    assert less == 10_000 * best


def test_a_wager_that_one_player_holds_counts_once() -> None:
    """Ten seats at $100: all ten win on Heads, and one of them is the spinner, at 7.5 to 1 in the best state."""
    table = new_table("two-up-nsw-2016", limit=Limit(None, 10_000))
    assert sign_exposure(SHELF, table.state, 10).cents == 10 * 10_000 + 75_000


def test_behind_wagers_count_at_double_the_flat_maximum() -> None:
    limits = {"win_line": Limit(None, 100_000), "behind_win_line": Limit(None, None)}
    table = new_table("craps-nsw-2024", wager_limits=limits, limit=Limit(None, 100))
    table.bet("ann", "win_line", "10.00")
    throw(table, (2, 2))
    worst = sign_exposure(SHELF, table.state, 1)
    assert worst.cents is not None
    assert sum(face for face in worst.faces if isinstance(face, int)) == 4
    assert 500_000 <= worst.cents < 510_000  # the line, double of it at 2 to 1, and a few chips of one dollar


def test_a_maximum_for_one_pick_limits_what_that_pick_can_win() -> None:
    """On 2 2 only the hardway 4 pays; the others stay at the maximum for their kind."""
    wide = {"hardway": Limit(None, 1_000_000)}
    narrow = {**wide, "hardway 4": Limit(None, 1_000)}
    both = [new_table("snake-eyes-nsw-2019", wager_limits=limits, limit=Limit(None, 100)) for limits in (wide, narrow)]
    assert sign_exposure(SHELF, both[0].state, 1) == sign_exposure(SHELF, both[1].state, 1)  # on 3 3 or 4 4
    only = {"hardway": Limit(None, 1_000), "hardway 4": Limit(None, 1_000_000)}
    worst = sign_exposure(SHELF, new_table("snake-eyes-nsw-2019", wager_limits=only, limit=Limit(None, 100)).state, 1)
    assert worst.faces == (2, 2)
    assert worst.cents is not None
    assert worst.cents > 5_000_000


def test_who_alone_holds_a_wager_picks_what_wins_most() -> None:
    """At most $10 on Heads and $100 on Tails; with one spinner the worst is two tails."""
    limits = {"spinner heads": Limit(None, 1_000), "spinner tails": Limit(None, 10_000)}
    table = new_table("two-up-nsw-2016", wager_limits=limits, limit=Limit(None, 10_000))
    worst = sign_exposure(SHELF, table.state, 10)
    assert worst.cents == 10 * 10_000 + 75_000
    assert worst.faces == ("T", "T")
    without = new_table("two-up-nsw-2016", wager_limits=limits | {"spinner tails": Limit()}, limit=Limit(None, 10_000))
    assert sign_exposure(SHELF, without.state, 10).cents is None
