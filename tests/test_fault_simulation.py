"""House, store and people in one process, in virtual time, with faults: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from croupier.cli.main import main
from croupier.fault_simulation.checks import OrderedStore, broken_chains
from croupier.fault_simulation.faults import NO_FAULTS, Agenda, Chances, Faults
from croupier.fault_simulation.node import Node, PendingReply
from croupier.fault_simulation.simulated_people import Person
from croupier.fault_simulation.simulation import FaultSimulation, SoakResult
from croupier.house import house as houses
from croupier.house import live_streams, orders
from croupier.house.events import StaffCame
from croupier.house.house import House
from croupier.house.orders import chips, lines, rounds
from croupier.house.orders.order import Outcome as Decision
from croupier.house.orders.order import Scene
from croupier.house.stored_events import Entry
from croupier.rulebooks import ids
from croupier.store.contract import BOUNDARIES, StoreError
from croupier.store.records import Append, Outcome, Record, Write
from tests.tables import SHELF

HOURS = 2.5  # at each of ten tables

# What comes about so seldom that some dozens of table-hours may pass without it.
SELDOM: frozenset[str] = frozenset(
    """
    agree_colour allow_colours allow_old_set ask_back attach_drop_box confirm_late correct_position end_cashless
    final_call find_invalid_in_roll give_back house_takes introduce_procedures lift_player_limit limit_players
    mark_on one_per_area order_pass place_declared player_sign post_pay_table_sign present_checks reimburse
    remove_drop_box remove_player_sign remove_touch_screen return_dice return_streaks send_out settle_streaks
    several_per_area start_cashless stop_spinning take_over vacate void_wagers countersign_rules load_rules lift_point
    """.split()  # noqa: SIM905
)
# What never can: no book allows bets beside the game, and a sign about the pay table stands for a month.
IMPOSSIBLE = frozenset({"side_bet", "remove_pay_table_sign"})


def weathered(seed: int, hours: float = HOURS, chances: Chances | None = None) -> SoakResult:
    return FaultSimulation(seed, chances, SHELF).run(hours)


@pytest.mark.parametrize("seeds", [range(4), range(4, 8)], ids=["seeds 0 to 3", "seeds 4 to 7"])
def test_nothing_is_lost_and_nothing_is_doubled(seeds: Sequence[int]) -> None:
    storms = [weathered(seed) for seed in seeds]
    for done in storms:
        told = f"{done.table_hours:.0f} table-hours, {done.orders:,} orders, {done.throws:,} throws"
        print(f"seed {done.seed}: {told}, {done.faults}")
        assert done.findings == [], f"croupier soak --seed {done.seed} --hours {HOURS:g}"
        assert done.answered == done.orders
        assert done.throws > 500
        assert done.numbers > 20
        assert {f"crash {boundary}" for boundary in BOUNDARIES} <= done.faults.keys()
    assert all_that_happened(storms) == all_that_should()


def all_that_happened(storms: Sequence[SoakResult]) -> dict[str, set[str]]:
    """Every kind of fault, order and act that occurred in any of them."""
    acts: Counter[str] = sum((Counter(done.acts) for done in storms), Counter())
    return {
        "faults": {name for done in storms for name in done.faults if not name.startswith("crash ")},
        "orders": {name for done in storms for name in done.by_order},
        "acts": set(acts) - SELDOM,
    }


def all_that_should() -> dict[str, set[str]]:
    acts = {act.id for book in ids() for act in SHELF.book(book).conduct.acts}
    assert acts >= SELDOM | IMPOSSIBLE
    return {
        "faults": set(Chances.__struct_fields__),
        "orders": {kind.tag() for kind in orders.ORDERS},
        "acts": acts - SELDOM - IMPOSSIBLE,
    }


def test_processes_begin_with_snapshots() -> None:
    storm = FaultSimulation(1, shelf=SHELF)
    assert storm.run(0.5).findings == []
    assert sum(node.restored for node in storm._nodes) > 50


def test_in_calm_weather_everything_is_answered() -> None:
    done = weathered(1, 0.5, NO_FAULTS)
    assert (done.findings, done.faults, done.answered) == ([], {}, done.orders)


def test_the_same_seed_is_the_same_storm() -> None:
    assert weathered(3, 0.2) == weathered(3, 0.2)
    assert weathered(3, 0.2) != weathered(4, 0.2)


def test_the_command_tells_what_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--seed", "5", "--storms", "2", "--hours", "0.1"]) == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("storm")] == ["storm 5", "storm 6"]
    assert out.count("nothing lost, nothing doubled") == 2
    assert main(["soak", "--hours", "0"]) == 2


def test_the_command_gives_the_seed_of_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "drawn", always_the_same)
    assert main(["soak", "--seed", "5", "--storms", "3", "--hours", "0.3"]) == 1
    said = capsys.readouterr()
    assert "FOUND: table/clock-" in said.out
    assert said.err == "croupier: storm 5 found a fault; to reproduce it: croupier soak --seed 5 --hours 0.3\n"


def test_a_request_that_is_overtaken_arrives_after_the_next() -> None:
    """Two orders of one person, the first of them delayed: the process takes the second one first."""
    from random import Random

    random, agenda, taken = Random(1), Agenda(), []

    class Ear:
        def take(self, order: orders.Submission, reply: Any) -> None:  # noqa: ANN401
            taken.append(order.id)
            reply({"ok": True})

    faults = Faults(random, msgspec.structs.replace(NO_FAULTS, reordered=0.5))
    person = Person("ann", _world(agenda, [Ear()], faults, random))
    for _ in range(20):
        person.ask(orders.GetUp(table="t"), lambda told: None)
    agenda.run(datetime(2027, 1, 1, tzinfo=UTC))
    assert sorted(taken) == sorted(asked.given.id for asked in person.asked)
    assert taken != sorted(taken, key=lambda number: int(number.rpartition("-")[2]))


def _world(*given: Any) -> Any:  # noqa: ANN401
    from croupier.fault_simulation.simulated_people import World

    return World(*given)


# A storm that finds nothing must be able to find something


def without_the_past(*given: Any) -> Append:  # noqa: ANN401
    """Expect a version, whatever events led to it."""
    return Append(*given[:3])


settled = Node._settle
committed = OrderedStore.commit
moved = chips._move
taken = live_streams.taken


def acknowledged_too_early(node: Node, waiting: PendingReply, outcome: Any) -> None:  # noqa: ANN401
    """Report success although it failed."""
    if isinstance(outcome, StoreError):
        waiting.reply(waiting.pending.answer)
    else:
        settled(node, waiting, outcome)


def refusals_unanswered(node: Node, waiting: PendingReply, outcome: Any) -> None:  # noqa: ANN401
    """Refusals are not sent to anyone."""
    if waiting.pending.answer["ok"]:
        settled(node, waiting, outcome)


def whatever_happened_there(store: OrderedStore, writes: Sequence[Write]) -> list[Outcome]:
    """Do not check that what the decision relied on still holds."""
    return committed(
        store,
        [msgspec.structs.replace(write, appends=tuple(a for a in write.appends if a.documents)) for write in writes],
    )


def nothing_comes_back(table: str, event: Any) -> Any:  # noqa: ANN401
    """A player who leaves a table leaves the chips there."""
    found = moved(table, event)
    return None if found is not None and type(found[1]).__name__ == "CameFromTable" else found


def of_what_is_not_stored(stream: str, state: Any, head: Any) -> Any:  # noqa: ANN401
    """A snapshot of something other than the stream's state."""
    if stream.startswith("table/"):
        return taken(stream, msgspec.structs.replace(state, title="another"), head)
    return taken(stream, state, head)


def only_the_last(house: House, stream: str, entries: list[Entry]) -> None:
    """Listeners get only the last event of every write."""
    if entries:
        house._published(stream, entries[-1:])


def always_the_same(secret: bytes, shut: bytes, faces: list[Any], throw: int) -> tuple[Any, ...]:
    """Dice that always show their first face."""
    return tuple(faces[:1] * throw)


def whoever_has_a_post(scene: Any, table: Any) -> str | None:  # noqa: ANN401
    """A role at a table lasts for ever."""
    person = scene.asker.person
    return table.staff.get(person) or ("player" if person in table.game.chips else None)


def whoever_sits_there(order: orders.TakePost, scene: Scene) -> Decision:
    """Everyone has a role."""
    return Decision({f"table/{order.table}": [StaffCame(scene.asker.person, order.role)]})


@pytest.mark.parametrize(
    ("where", "name", "instead", "found"),
    [
        pytest.param(
            houses, "Append", without_the_past, "does not name the hash", id="another past of the same length"
        ),
        pytest.param(houses, "_answer", lambda order, told: None, "more than once", id="keys that nobody remembers"),
        pytest.param(
            Node, "_settle", acknowledged_too_early, "but is not stored", id="acknowledged before it is stored"
        ),
        pytest.param(Node, "_settle", refusals_unanswered, "never answered", id="refusals that nobody hears of"),
        pytest.param(rounds, "drawn", always_the_same, "its commitments give", id="dice redrawn"),
        pytest.param(chips, "_move", nothing_comes_back, "differ by", id="chips that do not come back"),
        pytest.param(House, "_publish", only_the_last, "was published after", id="events that are not published"),
        pytest.param(orders.AtTable, "check_version", lambda *given: None, "was for version", id="a late click"),
        pytest.param(
            live_streams,
            "taken",
            of_what_is_not_stored,
            "does not hold what the store has",
            id="a snapshot of something else",
        ),
        pytest.param(lines, "check_card", lambda *given: None, "had no card", id="bets without a card"),
        pytest.param(lines, "check_play", lambda *given: None, "was excluded", id="bets of excluded people"),
        pytest.param(lines, "check_play", lambda *given: None, "could lose", id="bets over a limit of loss"),
        pytest.param(lines, "check_play", lambda *given: None, "played for", id="bets over a limit of time"),
        pytest.param(lines, "_role_here", whoever_has_a_post, "when it was done", id="staff without their role"),
        pytest.param(orders.TakePost, "decide", whoever_sits_there, "while running it", id="staff who play"),
        pytest.param(rounds, "_draw", lambda *given: rounds.NOTHING_DUE, "does not continue", id="a table that stops"),
    ],
)
def test_a_fault_of_the_house_is_found(
    monkeypatch: pytest.MonkeyPatch,
    where: Any,  # noqa: ANN401
    name: Any,  # noqa: ANN401
    instead: Callable[..., Any],
    found: str,
) -> None:
    if isinstance(where, dict):
        monkeypatch.setitem(where, name, instead)
    else:
        monkeypatch.setattr(where, name, instead)
    for seed in range(12):
        try:
            findings = weathered(seed, 0.5).findings
        except (AssertionError, KeyError):  # it could not even go on with what it had stored; others show what it was
            continue
        if any(found in finding for finding in findings):
            return
    pytest.fail(f"nobody noticed: {found}")


def test_a_process_that_hears_of_nothing_decides_by_nothing_that_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roles, cards, limits and exclusions are in other streams than the bets: a write is valid only while they hold."""
    deaf = Chances(notice_lost=0.9)
    assert weathered(1, 0.5, deaf).findings == []
    monkeypatch.setattr(OrderedStore, "commit", whatever_happened_there)
    findings = [finding for seed in range(1, 4) for finding in weathered(seed, 0.5, deaf).findings]
    assert [finding for finding in findings if "was excluded" in finding or "had no card" in finding]


def test_an_altered_event_is_found() -> None:
    storm = FaultSimulation(2, shelf=SHELF)
    storm.run(0.05)
    records = {head.stream: storm._store.read(head.stream) for head in storm._store.heads()}
    assert list(broken_chains(records)) == []
    stream = next(stream for stream, stored in records.items() if len(stored) > 3)
    other = records[stream][1]
    records[stream][1] = Record(other.stream, other.version, other.document.replace(b'"at":"2', b'"at":"3'), other.hash)
    assert next(broken_chains(records)) == f"{stream}: event 2 does not follow the one before it"
