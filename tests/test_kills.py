"""Nothing lost, nothing doubled: the server is killed under load, at every named write boundary and at random.

This happens some dozens of times each time the tests run; in `make soak` more often, and from another seed each time.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import cycle
from pathlib import Path
from threading import Event as Flag

import pytest

from croupier.prizes.events import TermsDrafted
from croupier.store.contract import GROUP_BOUNDARIES
from tests.clocks import Ahead
from tests.kills import AHEAD, CLOCK, Guest, Siege, Told, told
from tests.mortal import Mortal, Nursery
from tests.postgres import NoPostgres, fresh_database
from tests.promoter import Promoter
from tests.soaking import IS_SOAK, chance, series

# The how-manieth passing of a boundary is deadly: each boundary has one drawn from each of these.
NTH = ((1, 5), (6, 20), (21, 60)) if IS_SOAK else ((1, 8), (9, 40))
AT_RANDOM = 12 if IS_SOAK else 8
OF_TWO = 40 if IS_SOAK else 8

Besieged = Callable[[str, Path, int], Siege]
Counted = Callable[[str, object], None]


@pytest.fixture
def besieged(nursery: Nursery) -> Iterator[Besieged]:
    """A house on an empty store of a kind, in a folder, with a seed."""
    made: list[Siege] = []

    def besiege(kind: str, folder: Path, seed: int) -> Siege:
        address = f"sqlite:{folder / 'house.db'}"
        if kind == "postgres":
            try:
                address = fresh_database(f"kills_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
            except NoPostgres as error:
                pytest.skip(str(error))
        made.append(Siege(nursery, folder, address, seed, mia=partial(Promoter, clock=Ahead(folder / AHEAD))))
        return made[-1]

    yield besiege
    for siege in made:
        siege.close()


@pytest.mark.parametrize("seed", series(1, in_a_soak=2))
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_at_every_boundary_and_at_random(
    kind: str, seed: int, besieged: Besieged, tmp_path: Path, record_property: Counted
) -> None:
    siege = besieged(kind, tmp_path, seed)
    kills: list[tuple[str | None, int]] = [
        (point, siege.rnd.randint(*nth)) for nth in NTH for point in GROUP_BOUNDARIES
    ] + [(None, 0)] * AT_RANDOM
    siege.rnd.shuffle(kills)
    for point, nth in kills:
        if point is None:
            siege.kill_after(siege.rnd.uniform(0.02, 0.4))
        else:
            siege.kill_at(point, nth)
    siege.end()
    record_property("counted", told(siege.counts, siege.kills, kind))
    assert siege.kills.total() == len(kills)
    assert set(siege.kills) == {*GROUP_BOUNDARIES, "at random"}
    assert siege.counts["acknowledged"] > 2 * len(kills)
    assert siege.counts["throws verified"] > 0
    assert siege.counts["draws verified"] > 0
    assert siege.counts["in doubt and stored"] > 0, "nothing was ever killed between a commit and its answer"
    assert siege.counts["in doubt and stored"] < siege.counts["in doubt"], "nothing was ever killed before a commit"


def test_only_a_command_given_up_explains_a_seat_that_is_taken_or_lost() -> None:
    """Otherwise a house that forgets who is seated would look like one that was killed."""

    def refused(code: str) -> Told:
        return Told(422, {"ok": False, "code": code})

    with closing(Guest("ann", 1, Counter())) as ann:
        ann.seats.add(CLOCK)
        with pytest.raises(AssertionError, match="nothing explains it"):
            ann.hear(ann.new(ann.take(CLOCK)), refused("not_at_table"))
        ann.give_up(ann.new(ann.leave(CLOCK)))
        with pytest.raises(AssertionError, match="knew it"):
            ann.hear(ann.new(ann.sit(CLOCK)), refused("already_seated"))
        ann.hear(ann.new(ann.take(CLOCK)), refused("not_at_table"))
        assert (ann.seats, ann.unsure) == (set(), set())
        with pytest.raises(AssertionError, match="nothing explains it"):
            ann.hear(ann.new(ann.sit(CLOCK)), refused("already_seated"))
        ann.give_up(ann.new(ann.sit(CLOCK)))
        ann.hear(ann.new(ann.sit(CLOCK)), refused("already_seated"))
        ann.give_up(ann.new(ann.leave(CLOCK)))
        ann.hear(ann.new(ann.take(CLOCK)), Told(200, {"ok": True, "versions": {}}))  # so they have the seat still
        with pytest.raises(AssertionError, match="nothing explains it"):
            ann.hear(ann.new(ann.take(CLOCK)), refused("not_at_table"))


def test_only_a_command_given_up_explains_what_a_promotion_has_already(tmp_path: Path) -> None:
    taken = Told(422, {"ok": False, "code": "name_taken"})
    (tmp_path / AHEAD).touch()
    with closing(Promoter("mia", 1, Counter(), Ahead(tmp_path / AHEAD))) as mia:
        opened = mia.deed()
        with pytest.raises(AssertionError, match="nothing explains it"):
            mia.hear(mia.new(opened), taken)
        mia.give_up(mia.new(opened))
        mia.hear(mia.new(opened), taken)
        assert mia.deed().event is TermsDrafted
        with pytest.raises(AssertionError, match="name_taken"):
            mia.hear(mia.new(mia.deed()), taken)


class Pair:
    """Two houses on one store; `other` is the one that is not killed."""

    def __init__(self, siege: Siege) -> None:
        self.houses: list[Mortal] = [siege.open(), siege.open()]
        self._siege = siege

    def kill(self, place: int) -> None:
        """Kill one house and open it again."""
        self.houses[place].kill()
        self._siege.kills["of two"] += 1
        time.sleep(0.05)  # in which the other is alone
        self.houses[place] = self._siege.open()

    def urls(self) -> Iterator[str]:
        """The addresses of both houses in turn, for ever."""
        for place in cycle((0, 1)):
            yield self.houses[place].url


def stay(guest: Guest, pair: Pair, until: Flag) -> None:
    """When one house does not answer, go on at the other with the unanswered commands."""
    urls = pair.urls()
    if guest.rnd.random() < 0.5:
        next(urls)
    for url in urls:
        while not until.is_set() and guest.step(url):
            pass
        if until.is_set():
            return
        guest.counts["in doubt"] += 1


def test_of_two_on_one_database_one_is_killed_at_a_time(
    besieged: Besieged, tmp_path: Path, record_property: Counted
) -> None:
    rnd = chance(2)
    siege = besieged("postgres", tmp_path, rnd.getrandbits(32))
    pair, until = Pair(siege), Flag()
    with ThreadPoolExecutor(len(siege.guests)) as pool:
        stays = [pool.submit(stay, guest, pair, until) for guest in siege.guests]
        try:
            for number in range(OF_TWO):
                time.sleep(rnd.uniform(0.1, 0.5))
                pair.kill(number % 2)
            time.sleep(0.3)
        finally:
            until.set()
        for one in stays:
            one.result()
    for house in pair.houses:
        house.close()
    siege.check()
    siege.end()
    record_property("counted", told(siege.counts, siege.kills, "two houses on one postgres"))
    assert siege.counts["in doubt"] >= OF_TWO, "hardly anybody had to go to the other"
    assert siege.counts["acknowledged"] > 5 * OF_TWO
    assert siege.counts["draws verified"] > 0
