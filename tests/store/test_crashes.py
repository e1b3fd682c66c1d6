"""A writing process is killed, at every named boundary and at random moments: nothing acknowledged is lost or doubled.

Every store is killed many times over, and each time resumes where it was: writers without an answer ask again.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from croupier.store import Store
from croupier.store.contract import GROUP_BOUNDARIES
from croupier.store.opening import open_store
from croupier.store.verifying import verify
from tests.postgres import wait_for_the_last_commit
from tests.soaking import IS_SOAK, chance
from tests.store.children import PRODUCERS, Children
from tests.store.conftest import LASTING

AT_RANDOM = 60 if IS_SOAK else 12
NTH = (1, 3, 15)  # times that a boundary is passed before the process is killed there


def check(store: Store, acknowledged: Path) -> tuple[int, int]:
    """Return how many writes are stored, and how many of them were never acknowledged."""
    lines = acknowledged.read_text().split("\n") if acknowledged.exists() else []
    told = [tuple(map(int, line.split())) for line in lines if line]
    everything = [record.document for record in store.read("shared")]
    assert len(everything) == len(set(everything)), "something is there twice"
    found = 0
    for who in range(PRODUCERS):
        own = [record.document for record in store.read(f"own/{who}")]
        assert own == [f"{who} {number}".encode() for number in range(1, len(own) + 1)]
        assert [document for document in everything if document.startswith(b"%d " % who)] == own, "half of a write"
        known = max((number for by, number in told if by == who), default=0)
        assert known <= len(own) <= known + 1, "something acknowledged is lost, or more is there than was asked for"
        answers = [store.answer(f"producer {who}", str(number)) for number in range(1, len(own) + 2)]
        assert [answer is not None for answer in answers] == [True] * len(own) + [False]
        found += len(own)
    report = verify(store)
    assert report.is_good, report.lines()
    assert report.records == 2 * found
    return found, found - len(told)


@pytest.mark.parametrize("address", LASTING, indirect=True)
def test_killed_at_every_boundary(address: str, children: Children, tmp_path: Path) -> None:
    acknowledged = tmp_path / "acknowledged"
    unacknowledged = 0
    for point in GROUP_BOUNDARIES:
        for nth in NTH:
            given = {"address": address, "acknowledged": str(acknowledged), "point": point, "nth": nth, "seconds": 30}
            assert children.run("produce", given) == {}
            wait_for_the_last_commit(address)
            with closing(open_store(address)) as store:
                found, unknown = check(store, acknowledged)
                unacknowledged += unknown
    kills = len(NTH) * len(GROUP_BOUNDARIES)
    print(f"{kills} kills at boundaries: {found} writes, {unacknowledged} of them unacknowledged")
    assert found > 0
    assert unacknowledged > 0, "nothing was ever killed between a commit and its answer"


@pytest.mark.parametrize("address", LASTING, indirect=True)
def test_killed_at_random_moments(address: str, children: Children, tmp_path: Path) -> None:
    acknowledged = tmp_path / "acknowledged"
    moments = chance(6)
    found = 0
    for _ in range(AT_RANDOM):
        given = {"address": address, "acknowledged": str(acknowledged), "point": None, "nth": 0, "seconds": 30}
        assert children.run("produce", given, kill_after=moments.uniform(0.02, 0.25)) == {}
        if address.startswith("sqlite:") and not Path(address.removeprefix("sqlite:")).exists():
            continue  # killed before the store was made: no one was told of anything
        wait_for_the_last_commit(address)
        with closing(open_store(address)) as store:
            found, _ = check(store, acknowledged)
    print(f"{AT_RANDOM} kills at random moments: {found} writes")
    assert found > 0
