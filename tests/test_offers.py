"""A wager's modifiers are interpreted in one place, whose results are compared with what a table accepts and
refuses."""

from __future__ import annotations

from itertools import combinations

import pytest

from croupier.maths.hold import reachable_phases
from croupier.money import format_cents
from croupier.rules import offers
from croupier.rules.machine import Pick
from croupier.rules.schema import Wager
from croupier.table.commands import Limit, Settings
from croupier.table.decide import Refused, Table
from tests.tables import BOOKS, SHELF, new_table, throw

SIC_BO, CRAPS = "sic-bo-nsw-2016", "craps-nsw-2024"
MAXIMUM = 7_550  # neither in chips nor in the units of any wager


def refusal(table: Table, wager: Wager, pick: Pick, cents: int) -> str | None:
    """The code with which a table refuses a bet; None if it is accepted, and then it is taken down again."""
    before = table.state
    try:
        table.bet("ann", wager.id, format_cents(cents), pick)
    except Refused as refused:
        return refused.refusal.code
    finally:
        table.state = before
    return None


@pytest.mark.parametrize(
    ("settings", "due"),
    [
        (Settings(chip=100), 1000),
        (Settings(chip=300), 1200),  # the default, in whole chips
        (Settings(chip=100, fixed_stakes={"super_streak": 2500}), 2500),
    ],
)
def test_a_wager_with_one_amount_is_made_with_it_and_no_other(settings: Settings, due: int) -> None:
    table = new_table(SIC_BO, settings.chip, fixed_stakes=settings.fixed_stakes)
    throw(table, (1, 1, 2))
    wager = table.view.game.wager("super_streak")
    assert wager.has_one_amount
    assert offers.one_amount(wager, settings) == offers.smallest_stake(wager, settings) == due
    pick = wager.picks[0]
    assert refusal(table, wager, pick, due) is None
    assert refusal(table, wager, pick, due + settings.chip) == "stake_not_the_fixed_amount"


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_takes_the_smallest_and_the_largest_stake_and_nothing_beyond(book: str) -> None:
    table = new_table(book, limit=Limit(None, MAXIMUM))
    view, settings, tried = table.view, table.state.settings, 0
    for wager in view.game.book.rules.wagers:
        for pick in view.game.book.picks(wager):
            if not wager.stands_alone or not offers.may_be_made(wager, pick, table.state.phases):
                continue
            state = offers.start_state(wager, pick, table.state.phases)
            most = offers.largest_stake(view.game, wager, pick, state, settings, MAXIMUM, None)
            least, unit = offers.smallest_stake(wager, settings), wager.fewest_chips * settings.chip
            assert most is not None
            assert refusal(table, wager, pick, least) is None
            most -= most % settings.chip
            assert refusal(table, wager, pick, most) is None
            beyond = "stake_not_the_fixed_amount" if wager.has_one_amount else "stake_above_maximum"
            assert refusal(table, wager, pick, most + unit) == beyond
            tried += 1
    assert tried > 3


@pytest.mark.parametrize("wager_id", ["behind_win_line", "behind_dont_win"])
@pytest.mark.parametrize("maximum", [None, 1_500])
def test_a_table_takes_the_largest_stake_behind_a_flat_wager_and_no_more(wager_id: str, maximum: int | None) -> None:
    table = new_table(CRAPS, limit=Limit(None, maximum))
    wager = table.view.game.wager(wager_id)
    assert wager.flat is not None
    table.bet("ann", wager.flat, "10.00")
    throw(table, (2, 2))
    state = offers.start_state(wager, None, table.state.phases)
    most = offers.largest_stake(table.view.game, wager, None, state, table.state.settings, maximum, 1000)
    assert most == min(maximum or 10**9, 2000 if wager_id == "behind_win_line" else 4000)
    assert refusal(table, wager, None, most) is None
    assert refusal(table, wager, None, most + 100) in ("stake_above_behind_limit", "stake_above_maximum")


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_depends_on_a_phase_that_a_wager_does_not_name(book: str) -> None:
    rules = SHELF.book(book)
    for wager in rules.rules.wagers:
        for pick in rules.picks(wager):
            asked = set(offers.phases_of(wager, pick))
            answers: dict[tuple[str, ...], set[object]] = {}
            for phases in reachable_phases(rules):
                known = tuple(state for phase, state in phases.items() if phase in asked)
                now = offers.may_be_made(wager, pick, phases), offers.sleeps_now(wager, phases)
                answers.setdefault(known, set()).add((*now, offers.start_state(wager, pick, phases)))
                assert offers.start_state(wager, pick, {name: phases[name] for name in asked})
            assert all(len(same) == 1 for same in answers.values()), wager.id


def test_a_wager_that_moves_shows_its_number_and_was_made_without_one() -> None:
    game = SHELF.game(SHELF.terms(CRAPS))
    moving = [wager for wager in game.book.rules.wagers if wager.can_move]
    assert moving
    for wager in moving:
        numbers = offers.numbers(game, wager)
        assert numbers == [4, 5, 6, 8, 9, 10]
        states = [offers.state_on(wager, number) for number in numbers]
        assert [offers.shown_pick(wager, None, state) for state in states] == numbers
        assert all(a != b for a, b in combinations(states, 2))
        assert {offers.made_on(wager, number) for number in numbers} == {None}
