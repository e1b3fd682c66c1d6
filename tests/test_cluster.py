"""Runs on a real Dask cluster: a scheduler and two workers in processes of their own, one of which is killed."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from croupier.execution import cluster, worker
from croupier.execution.local import run
from croupier.execution.simulating import simulate
from croupier.execution.simulation_plan import Counted, SimulationPlan
from croupier.execution.worker import packed, unpacked
from croupier.rules.errors import Impossible
from croupier.simulation.kernels.engine import Engine, Known
from tests.runs import BOUND, FLAT, plain, small_order
from tests.waiting import until

if TYPE_CHECKING:
    from distributed import LocalCluster, Scheduler

distributed = pytest.importorskip("distributed")

NO_PAGE = "127.0.0.1:0"  # one cannot do without, but its port is no matter
MANY = 350_000  # sessions: ten blocks of them
DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=NO_PAGE) as made:
        yield made


def scheduler(workers: LocalCluster) -> Scheduler:
    """The scheduler runs in this process and can be queried."""
    found: Scheduler | None = workers.scheduler
    assert found is not None
    return found


@pytest.fixture(scope="module")
def order() -> SimulationPlan:
    return small_order(BOUND, FLAT, sessions=MANY)


@pytest.fixture(scope="module")
def here(order: SimulationPlan) -> Counted:
    """The counts of a run on one machine."""
    counted, complete = run(order, order.engines())
    assert complete
    return counted


@pytest.fixture(autouse=True)
def short_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of a block or two, so that a short run has many of them."""
    monkeypatch.setattr(cluster, "TASK", 0.1)


def test_a_cluster_counts_what_one_machine_counts(workers: LocalCluster, order: SimulationPlan, here: Counted) -> None:
    heard: list[int] = []
    there, complete = cluster.run(order, workers.scheduler_address, heard.append)
    assert complete
    assert plain(there) == plain(here)
    assert len(heard) > 2
    assert sum(heard) == MANY


def test_sessions_come_back_in_order(workers: LocalCluster, order: SimulationPlan, here: Counted) -> None:
    blocks: list[list[Known]] = []
    there, _ = cluster.run(order, workers.scheduler_address, each=blocks.append)
    assert plain(there) == plain(here)
    own: list[list[Known]] = []
    run(order, order.engines(), each=own.append)
    assert len(blocks) == len(own)
    for sent, kept in zip(blocks, own, strict=True):
        for one, other in zip(sent, kept, strict=True):
            assert one.first == other.first
            assert all(np.array_equal(a, b) for a, b in zip(one[1:], other[1:], strict=True))


def test_what_a_killed_worker_had_to_do_is_done_again_and_counted_once(
    workers: LocalCluster, order: SimulationPlan, here: Counted
) -> None:
    victim = next(iter(workers.workers.values()))
    had_work: list[bool] = []

    def kill_one(_: int) -> None:
        if not had_work:
            had_work.append(bool(scheduler(workers).workers[victim.worker_address].processing))
            os.kill(victim.pid, signal.SIGKILL)

    there, complete = cluster.run(order, workers.scheduler_address, kill_one)
    assert (had_work, complete) == ([True], True)
    assert plain(there) == plain(here)


def test_ctrl_c_ends_with_the_first_so_many_sessions_and_leaves_nothing_behind(workers: LocalCluster) -> None:
    endless = small_order(BOUND, FLAT, sessions=10**13)
    tasks: list[int] = []

    def interrupt(_: int) -> None:
        tasks.append(len(scheduler(workers).tasks))
        if len(tasks) == 4:
            os.kill(os.getpid(), signal.SIGINT)

    there, complete = cluster.run(endless, workers.scheduler_address, interrupt)
    assert not complete
    again = small_order(BOUND, FLAT, sessions=there.sessions)
    assert plain(there) == plain(run(again, again.engines())[0])
    assert 0 < max(tasks) <= cluster.AHEAD * 2  # however many sessions there are to come
    until(lambda: not scheduler(workers).tasks)


def test_an_interruption_before_anything_came_back_has_nothing_to_tell(
    workers: LocalCluster, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends = cluster._Errand._send

    async def interrupted(errand: cluster._Errand) -> bool:
        errand.stop()
        return await sends(errand)

    monkeypatch.setattr(cluster._Errand, "_send", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cluster.run(order, workers.scheduler_address)


def test_the_whole_way_from_python(workers: LocalCluster) -> None:
    own: dict[str, Any] = {"books": [DOCS / "examples" / "harbour-craps.toml"], "sessions": 3000, "rolls": 50}
    there = simulate("harbour-craps", FLAT, "field-flat", dask=workers.scheduler_address, keep=True, **own)
    alone = simulate("harbour-craps", FLAT, "field-flat", keep=True, **own)
    for one, other in zip(there, alone, strict=True):
        same = msgspec.structs.replace(one, seconds=other.seconds, rolls_per_second=other.rolls_per_second)
        assert msgspec.structs.asdict(same) == msgspec.structs.asdict(other)
        assert one.session_table().equals(other.session_table())


@pytest.mark.parametrize("where", ["told", "each"])
def test_what_goes_wrong_while_results_are_taken_in_reaches_the_caller(workers: LocalCluster, where: str) -> None:
    def fails(_: object) -> None:
        raise OSError("the disk is full")

    taking: dict[str, Any] = {where: fails}
    with pytest.raises(OSError, match="the disk is full"):
        cluster.run(small_order(FLAT, sessions=10**13), workers.scheduler_address, **taking)


# -- what cannot be ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["", " ", "tcp://127.0.0.1:9", "127.0.0.1:9", "localhost", "carrier-pigeon://here:1", "tls://127.0.0.1:9"],
)
def test_an_address_at_which_nobody_answers_gets_one_sentence(
    address: str, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    with pytest.raises(Impossible) as refused:
        cluster.run(order, address)
    assert refused.value.code == "cluster_not_reached"
    assert address.strip() in refused.value.sentence
    assert "\n" not in refused.value.sentence


def test_a_cluster_without_workers_is_given_up(order: SimulationPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "NO_WORKERS", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=NO_PAGE) as empty,
        pytest.raises(Impossible, match=r"The cluster at tcp://[\d.:]+ has no workers\."),
    ):
        cluster.run(order, empty.scheduler_address)


def test_a_cluster_that_loses_all_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "NO_WORKERS", 0.5)
    endless = small_order(BOUND, FLAT, sessions=10**13)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=NO_PAGE
        ) as dwindling,
        pytest.raises(Impossible, match=r"The cluster at tcp://[\d.:]+ has lost all its workers\."),
    ):
        cluster.run(endless, dwindling.scheduler_address, lambda _: dwindling.scale(0))


def test_a_worker_with_another_version_is_refused(
    workers: LocalCluster, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    has = worker.own_versions()["numba"]
    monkeypatch.setitem(worker.own_versions(), "numba", "0.1.2")
    say = rf"The worker at tcp://[\d.:]+ has numba {has} and this machine 0\.1\.2: the numbers might not be the same\."
    with pytest.raises(Impossible, match=say) as refused:
        cluster.run(order, workers.scheduler_address)
    assert refused.value.code == "cluster_versions_differ"


def test_a_worker_that_comes_later_with_another_version_is_refused_too(
    workers: LocalCluster, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody_to_ask(_: object) -> None: ...

    has = worker.own_versions()["croupier"]
    monkeypatch.setattr(cluster._Cluster, "check_versions", nobody_to_ask)
    monkeypatch.setitem(worker.own_versions(), "croupier", "99.0")
    with pytest.raises(Impossible, match=rf"A worker has croupier {has} and this machine 99\.0"):
        cluster.run(order, workers.scheduler_address)


def test_a_worker_with_other_source_of_the_same_version_is_refused(
    workers: LocalCluster, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(worker.own_versions(), worker.SOURCE, "0123456789ab")
    with pytest.raises(Impossible, match=r"A worker has source of croupier \w{12} and this machine 0123456789ab"):
        cluster.run(order, workers.scheduler_address)


def test_the_source_is_known_by_all_that_numbers_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = worker._digest()
    assert re.fullmatch(r"[0-9a-f]{12}", whole)
    for part in worker.PARTS[1:]:
        others = tuple(other for other in worker.PARTS if other != part)
        with monkeypatch.context() as patch:
            patch.setattr(worker, "PARTS", others)
            assert worker._digest() != whole, part


def test_a_worker_without_the_package_is_refused() -> None:
    with pytest.raises(Impossible, match="The worker at tcp://far has no croupier and this machine"):
        cluster.check_versions({"numba": worker.own_versions()["numba"], "croupier": None}, "tcp://far")


def test_what_a_worker_cannot_begin_is_told(workers: LocalCluster, order: SimulationPlan) -> None:
    with pytest.raises(Impossible, match=r"failed after 0 sessions: .*there is no such rule book") as failed:
        cluster.run(msgspec.structs.replace(order, book="nowhere"), workers.scheduler_address)
    assert failed.value.code == "cluster_failed"


def test_what_goes_wrong_in_a_task_is_told(
    workers: LocalCluster, order: SimulationPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "play", lambda *_: 1 // 0)
    with pytest.raises(Impossible, match=r"The cluster at .* failed after 0 sessions: .*by zero\."):
        cluster.run(order, workers.scheduler_address)


def test_a_scheduler_that_goes_away_is_told() -> None:
    endless = small_order(BOUND, FLAT, sessions=10**13)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=NO_PAGE) as going:
        gone: list[threading.Thread] = []

        def close(_: int) -> None:
            if not gone:
                gone.append(threading.Thread(target=going.close))
                gone[0].start()

        with pytest.raises(
            Impossible, match=r"The cluster at .* failed after [\d,]+ sessions: its scheduler no longer answers\."
        ) as failed:
            cluster.run(endless, going.scheduler_address, close)
        gone[0].join()
    assert failed.value.code == "cluster_failed"


# -- what a worker does -----------------------------------------------------------------------------------------------


def play(order: SimulationPlan, first: int = 0, count: int = 1) -> worker.Played:
    played = worker.play(packed(order), first, count, False, worker.own_versions())
    assert isinstance(played, worker.Played)
    return played


def test_engines_are_built_once_for_an_order(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bytes] = []

    def unpacks(parcel: bytes) -> tuple[SimulationPlan, list[Engine]]:
        built.append(parcel)
        sleep(0.05)
        return unpacked(parcel)

    monkeypatch.setattr(worker, "unpacked", unpacks)
    monkeypatch.setattr(worker, "_KEPT", worker._Kept())
    orders = [small_order(FLAT, sessions=20, rolls=5, seed=seed) for seed in range(worker.MOST_KEPT + 1)]
    threads = [threading.Thread(target=play, args=(orders[0],)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    for each in [*orders[1:], orders[-1], orders[1]]:
        play(each)
    assert len(built) == len(orders)
    play(orders[0])  # the oldest had to go
    assert len(built) == len(orders) + 1


def test_blocks_beyond_the_end_are_nothing() -> None:
    order = small_order(FLAT, sessions=100)
    whole, beyond = play(order, 0, 5), play(order, 1, 3)
    assert (whole.counted.sessions, beyond.counted.sessions, whole.block) == (100, 0, beyond.block)
