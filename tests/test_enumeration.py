"""Every wager in every state against every outcome, compared with the oracle, which shares nothing with the package."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from croupier.money import format_cents, parse_cents
from croupier.rules.machine import Machine, Pick
from croupier.rules.offers import behind_limit, exact_unit
from croupier.table.commands import Throw
from croupier.table.decide import decide
from croupier.table.events import AreaSettled
from tests import oracle as oracles
from tests.oracle import craps
from tests.tables import ORACLES, SHELF, bring_to, new_table, throw

History = list[tuple[object, ...]]


def start_state(machine: Machine, start: object) -> str:
    """The machine's name for a start that the oracle names."""
    if start is None:
        assert len(machine.starts) == 1, machine.starts
        return machine.starts[0]
    return f"point {start}" if isinstance(start, int) else f"{start} 0"


def histories(machine: Machine, first: str, outcomes: list[tuple[object, ...]]) -> Iterator[tuple[str, History]]:
    """Each state with a shortest history that leads to it."""
    found: dict[str, History] = {first: []}
    for state in (queue := [first]):
        yield state, found[state]
        for outcome, entry in zip(outcomes, machine.table[state], strict=True):
            if entry.then == "go" and entry.next not in found:
                found[entry.next] = [*found[state], outcome]
                queue.append(entry.next)


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.BOOK)
def test_machines_agree_with_the_oracle(oracle: ModuleType) -> None:
    """Result, odds and clause of every cell of every machine, under every approved pay table."""
    cells = 0
    for pay_table in oracle.PAY_TABLES:
        game = SHELF.game(SHELF.terms(oracle.BOOK, pay_table))
        assert list(game.book.outcomes.all) == oracle.OUTCOMES
        for wager, pick in oracle.WAGERS:
            machine = game.machine(wager, pick)
            reached = set()
            for start in oracle.starts(wager, pick):
                for state, history in histories(machine, start_state(machine, start), oracle.OUTCOMES):
                    reached.add(state)
                    for outcome, entry in zip(oracle.OUTCOMES, machine.table[state], strict=True):
                        verdict = oracle.judge(wager, pick, start, [*history, outcome], pay_table)
                        got = (entry.then, entry.odds, entry.clause) if entry.decides else None
                        assert got == verdict, (wager, pick, state, outcome, pay_table)
                        cells += 1
            assert reached == set(machine.table), (wager, pick)
    assert cells > 100


def test_every_wager_of_every_book_is_known_to_the_oracle() -> None:
    for oracle in ORACLES:
        book = SHELF.book(oracle.BOOK)
        ours = {(wager.id, pick) for wager in book.rules.wagers for pick in book.picks(wager)}
        assert ours == set(oracle.WAGERS)


STAKES = ((100, "60.00"), (100, "20.00"), (250, "50.00"), (50, "10.00"))


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.BOOK)
@pytest.mark.parametrize(("chip", "stake"), STAKES, ids=[f"{stake} in chips of {chip}" for chip, stake in STAKES])
def test_the_table_settles_as_the_oracle_says(oracle: ModuleType, chip: int, stake: str) -> None:
    """The engine itself, brought into every state of every wager, pays every outcome to the cent."""
    for wager, pick in oracle.WAGERS:
        machine = SHELF.game(SHELF.terms(oracle.BOOK)).machine(wager, pick)
        for start in oracle.starts(wager, pick):
            for state, history in histories(machine, start_state(machine, start), oracle.OUTCOMES):
                _settles(oracle, wager, pick, start, state, history, chip, stake)


def _settles(
    oracle: ModuleType, wager: str, pick: Pick, start: object, state: str, history: History, chip: int, stake: str
) -> None:
    fixed = {"super_streak": parse_cents(stake)} if wager == "super_streak" else {}
    table = new_table(oracle.BOOK, chip, fixed_stakes=fixed)
    bring_to(table, wager, pick, start, stake)
    for outcome in history:
        throw(table, outcome)
    if table.view.game.book.rules.betting is not None and table.state.bets_open:
        table.no_more_bets()
    assert any(area.wager == wager and area.state == state for area in table.state.layout), (wager, pick, state)
    pay_table = oracle.PAY_TABLES[0]
    for outcome in oracle.OUTCOMES:
        decision = decide(SHELF, table.state, Throw(faces=outcome))
        assert isinstance(decision, tuple)
        got = [
            event for event in decision if isinstance(event, AreaSettled) and (event.wager, event.pick) == (wager, pick)
        ]
        verdict = oracle.judge(wager, pick, start, [*history, outcome], pay_table)
        where = (wager, pick, state, outcome)
        if verdict is None:
            assert not got, where
            continue
        cents = parse_cents(stake)
        paid = oracles.paid(cents, verdict.odds, chip) if verdict.result == "win" else 0
        back = {"win": cents + paid, "lose": 0, "void": cents}[verdict.result]
        assert [(event.result, event.stakes) for event in got] == [(verdict.result, (("ann", cents, paid, back),))], (
            where
        )


@pytest.mark.clause("craps-nsw-2024", "6.2.24", "6.2.25")
@pytest.mark.parametrize("wager", ["buy", "lay"])
def test_commission_is_exact_to_the_cent(wager: str) -> None:
    for pick in (4, 5, 6, 8, 9, 10):
        for cents in range(5, 4000, 5):
            table = new_table("craps-nsw-2024", chip=5)
            told = table.bet("ann", wager, format_cents(cents), pick=pick)
            assert told[0]["commission"] == format_cents(craps.commission(wager, pick, cents)), (pick, cents)


@pytest.mark.clause("craps-nsw-2024", "6.2.24", "6.2.25")
@pytest.mark.parametrize("wager", ["buy", "lay"])
def test_an_increase_pays_what_the_whole_stake_owes_more(wager: str) -> None:
    for pick in (4, 5, 6, 8, 9, 10):
        for cents in (1, 7, 19, 33):
            table = new_table("craps-nsw-2024", chip=1)
            for laid in range(0, 40 * cents, cents):
                told = table.bet("ann", wager, format_cents(cents), pick=pick)
                owed = craps.commission_on_more(wager, pick, laid, cents)
                assert told[0]["commission"] == format_cents(owed), (pick, laid, cents)


@pytest.mark.clause("craps-nsw-2024", "6.2.5.1", "6.2.6.1", "6.2.7.1", "6.2.8.1")
@pytest.mark.parametrize("wager", ["behind_win_line", "behind_dont_win", "behind_come", "behind_dont_come"])
def test_behind_limits_agree_with_the_oracle(wager: str) -> None:
    game = SHELF.game(SHELF.terms("craps-nsw-2024"))
    for point in (4, 5, 6, 8, 9, 10):
        for chip in (25, 50, 100, 500):
            pick = point if game.wager(wager).picks else None
            for flat in range(chip, 60 * chip, chip):
                most = behind_limit(game, game.wager(wager), pick, f"point {point}", flat, chip)
                assert most == craps.behind_limit(wager, point, flat, chip), (point, chip, flat)


@pytest.mark.clause("craps-nsw-2024", "7.1 tail")
def test_exact_units_are_those_of_the_oracle() -> None:
    game = SHELF.game(SHELF.terms("craps-nsw-2024"))
    for wager, pick in craps.WAGERS:
        for state in game.machine(wager, pick).starts:
            point = int(state.split()[-1]) if state.startswith("point") else pick
            assert exact_unit(game, game.wager(wager), pick, state) == craps.exact_unit(wager, point), (
                wager,
                pick,
                state,
            )


def test_the_sleeping_wagers_are_those_of_the_oracle() -> None:
    wagers = SHELF.book("craps-nsw-2024").wagers
    assert {wager for wager in wagers if wagers[wager].sleeps} == {wager for wager in wagers if craps.sleeps(wager)}


def test_the_oracle_itself_knows_the_published_edges() -> None:
    from tests.oracle import selfcheck

    assert selfcheck.main() > 7000
