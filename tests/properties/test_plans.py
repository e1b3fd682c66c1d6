"""Random plans over random throws: after every throw the table has settled what the plan says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.maths.plan import Lot, Plan
from tests.planned import CHIP, Player
from tests.tables import BOOKS, SHELF, throw


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """One to four wagers of a book, each with its possible Behind wager; stakes that every unit divides, or any
    stakes."""
    game = SHELF.game(SHELF.terms(draw(st.sampled_from(BOOKS))))
    flat = [w for w in game.book.rules.wagers if w.behind is None]
    lots: dict[tuple[str, object], Lot] = {}
    for wager in draw(st.lists(st.sampled_from(flat), min_size=1, max_size=4, unique_by=lambda w: w.id)):
        pick = draw(st.sampled_from(game.book.picks(wager)))
        unit = wager.multiple.chips if wager.multiple else 1
        stake = 10 if wager.fixed_stake else unit * draw(st.integers(1, 60))
        lots[wager.id, pick] = Lot(wager.id, stake * CHIP, pick)
        for behind in game.book.rules.wagers:
            if behind.behind is not None and behind.behind.flat == wager.id and draw(st.booleans()):
                lots[behind.id, None] = Lot(behind.id, stake * CHIP, None)
    return Plan(game, tuple(lots.values()), CHIP)


@given(plans(), st.lists(st.integers(0, 10**6), min_size=30, max_size=60))
def test_the_table_settles_what_the_plan_says(plan: Plan, numbers: list[int]) -> None:
    player = Player(plan)
    moment, result = plan.opening(), 0
    for number in numbers:
        outcome = number % plan.outcomes
        player.make_wagers()
        moment, results = plan.throw(plan.make_all(moment), outcome)
        result += sum(int(won) for won in results if won is not None)
        throw(player.table, plan.game.book.outcomes.all[outcome])
        assert player.worth() == result
        assert {phase: player.table.state.phases[phase] for phase in plan.phase_ids} == plan.phases(moment)
