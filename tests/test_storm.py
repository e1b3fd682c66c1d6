"""House, store and people in one process, in virtual time, with faults: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.house import house as houses
from croupier.house.deeds import rounds
from croupier.store.contract import BOUNDARIES, StoreError
from croupier.store.records import Append
from croupier.storm.faults import CALM, Chances
from croupier.storm.node import Node, Waiting
from croupier.storm.storm import Storm, Weathered
from tests.tables import SHELF

HOURS = 4.0  # at each of ten tables


def weathered(seed: int, hours: float = HOURS, chances: Chances | None = None) -> Weathered:
    return Storm(seed, chances, SHELF).run(hours)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_lost_and_nothing_is_doubled(seed: int) -> None:
    done = weathered(seed)
    told = f"{done.table_hours:.0f} table-hours, {done.orders:,} orders, {done.throws:,} throws"
    print(f"seed {seed}: {told}, {done.faults}")
    assert done.findings == [], f"croupier soak --seed {seed}"
    assert done.answered >= 0.99 * done.orders
    assert done.throws > 1000
    for boundary in BOUNDARIES:
        assert done.faults[f"crash {boundary}"] > 0
    for fault in ("disk_fails", "in_doubt", "request_lost", "reply_lost", "request_doubled", "slow", "clock_jumps"):
        assert done.faults[fault] > 0


def test_in_calm_weather_everything_is_answered() -> None:
    done = weathered(1, 0.5, CALM)
    assert (done.findings, done.faults, done.answered) == ([], {}, done.orders)


def test_the_same_seed_is_the_same_storm() -> None:
    assert weathered(3, 0.3) == weathered(3, 0.3)
    assert weathered(3, 0.3) != weathered(4, 0.3)


def test_the_command_tells_what_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--seed", "5", "--storms", "2", "--hours", "0.1"]) == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("storm")] == ["storm 5", "storm 6"]
    assert out.count("nothing lost, nothing doubled") == 2
    assert main(["soak", "--hours", "0"]) == 2


def test_the_command_gives_the_seed_of_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "drawn", lambda secret, shut, faces, throw: tuple(faces[:1] * throw))
    assert main(["soak", "--seed", "5", "--storms", "3", "--hours", "0.5"]) == 1
    said = capsys.readouterr()
    assert "FOUND: table/clock-" in said.out
    assert said.err == "croupier: storm 5 found something; croupier soak --seed 5 --hours 0.5 shows it again\n"


# A storm that finds nothing must be able to find something


def without_the_past(*given: Any) -> Append:  # noqa: ANN401
    """Expect a version, however it was come to."""
    return Append(*given[:3])


def acknowledged_too_early(node: Node, waiting: Waiting, outcome: Any) -> None:  # noqa: ANN401
    """Say that it is done when it failed."""
    if isinstance(outcome, StoreError):
        waiting.reply(waiting.pending.answer)
    else:
        settled(node, waiting, outcome)


settled = Node._settle


@pytest.mark.parametrize(
    ("where", "name", "instead"),
    [
        pytest.param(houses, "Append", without_the_past, id="another past of the same length"),
        pytest.param(houses, "_answer", lambda order, told: None, id="keys that nobody remembers"),
        pytest.param(Node, "_settle", acknowledged_too_early, id="acknowledged before it is stored"),
        pytest.param(rounds, "drawn", lambda secret, shut, faces, throw: tuple(faces[:1] * throw), id="dice redrawn"),
    ],
)
def test_a_fault_of_the_house_is_found(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, instead: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, instead)
    for seed in range(6):
        try:
            done = weathered(seed, 1.0)
            if done.findings or done.answered < 0.9 * done.orders:
                return
        except (AssertionError, KeyError):  # it could not even go on with what it had stored
            return
    pytest.fail("nobody noticed")
