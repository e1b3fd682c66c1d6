"""The past of a table: what fell, the longest turns, a player's visit, single rounds; each against a recount."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.contract.replies import PastRound, ThrowCounts, VisitCourse
from croupier.house import events as house_events
from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.stored_events import Entry, read
from croupier.house.views import throw_counts, visits
from croupier.house.views.history import Replays
from croupier.house.views.rounds import round_at, round_by_number
from croupier.house.views.throw_counts import ThrowCount
from croupier.house.views.visibility import PUBLIC_VIEWER, Viewer
from croupier.house.views.visits import CourseOfVisit, first_since
from croupier.money import format_cents, parse_cents
from croupier.table import events
from tests.houses import SHELF, TestHouse
from tests.serving import Running, did, got, person, running
from tests.waiting import until

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"


def counted(house: TestHouse, table: str, look: Viewer = PUBLIC_VIEWER) -> ThrowCounts:
    stream = table_stream(table)
    count = ThrowCount(SHELF)
    count.go_on(house.store, stream, house.store.head(stream).version)
    return count.shown(count.version, look)


def course(house: TestHouse, table: str, player: str) -> VisitCourse:
    stream = table_stream(table)
    head = house.store.head(stream).version
    visit = next(one for one in reversed(house.house.account(player).visits) if one.table == table)
    found = CourseOfVisit(player, first_since(house.store, stream, head, visit))
    found.go_on(house.store, stream, head)
    return found.shown(head, visit)


def entries(house: TestHouse, table: str) -> list[Entry]:
    return [read(record) for record in house.store.read(table_stream(table))]


def thrown(house: TestHouse, table: str) -> list[events.Thrown]:
    """The throws that count in the end: a result that was taken back does not."""
    found: list[events.Thrown] = []
    for event in house.events(table_stream(table)):
        if isinstance(event, events.Thrown):
            found.append(event)
        elif isinstance(event, events.ResultTakenBack):
            found.pop()
    return found


@pytest.fixture(scope="module")
def craps() -> TestHouse:
    """A dealt table with 260 throws at random; now and then a result is corrected. Ann bets, leaves and comes back."""
    house, random = TestHouse(), Random(7)
    house.dealt_table(CRAPS, "pit")
    for name, role in (("dora", "dealer"), ("sam", "supervisor")):
        house.person(name, role)
        house.ok(orders.TakePost(table="pit", role=role), name)
    house.person("ann", cents=100_000_00)
    house.ok(orders.Sit(table="pit", cents=5_000_00), "ann")
    for number in range(260):
        house.wait(7)
        if number == 130:
            house.say("pit", "ann", "leave")
            house.do(orders.GetUp(table="pit"), "ann")
            house.do(orders.Sit(table="pit", cents=3_000_00), "ann")
        if number % 50 == 20:
            house.do(orders.BuyIn(table="pit", cents=100_00), "ann")
        for wager, pick in (("field", None), ("win_line", None), ("place_to_win", 6), ("buy", 4)):
            if random.random() < 0.5:
                line = {"wager": wager, "amount": "30.00"} | ({} if pick is None else {"pick": pick})
                house.say("pit", "ann", "bet", **line)
        dice = [random.randint(1, 6), random.randint(1, 6)]
        assert house.say("pit", "dora", "roll", dice=dice)["ok"]
        if random.random() < 0.1:
            right = [random.randint(1, 6), random.randint(1, 6)]
            house.say("pit", "sam", "correct_result", faces=right, why="a die was covered")
    return house


def test_the_counts_are_those_of_a_recount(craps: TestHouse) -> None:
    told, throws = counted(craps, "pit"), thrown(craps, "pit")
    assert any(isinstance(event, events.ResultTakenBack) for event in craps.events(table_stream("pit")))
    assert [column.name for column in told.columns] == [str(total) for total in range(2, 13)]
    for place, span in enumerate((48, 200, len(throws))):
        fell = Counter(str(sum(face for face in one.faces if isinstance(face, int))) for one in throws[-span:])
        assert {column.name: column.counts[place] for column in told.columns if column.counts[place]} == dict(fell)
        assert told.throws[place] == span
    assert told.spans == [48, 200, None]


def recounted_hands(house: TestHouse, table: str) -> list[int]:
    """The rolls of each hand before its seven, by the phases that the events tell; a new shooter begins another."""
    hands: list[int] = []
    rolls, point, taken, by = 0, False, False, None
    happened = house.events(table_stream(table))
    for place, event in enumerate(happened):
        if isinstance(event, events.PhaseMoved):
            point = event.now != "come out"
        elif isinstance(event, events.Thrown):
            later = next(
                (one for one in happened[place + 1 :] if isinstance(one, events.Thrown | events.ResultTakenBack)), None
            )
            if isinstance(later, events.ResultTakenBack):
                taken = point
                continue
            if by != event.by and rolls:
                hands, rolls = [*hands, rolls], 0
            by = event.by
            if sum(map(int, event.faces)) == 7 and point:
                hands, rolls = [*hands, rolls], 0
            else:
                rolls += 1
        elif isinstance(event, events.ResultTakenBack):
            point = taken
    return [*hands, rolls]


def test_the_longest_hand_is_that_of_a_recount(craps: TestHouse) -> None:
    hands = counted(craps, "pit").hands
    assert hands is not None
    assert hands.longest is not None
    assert hands.longest.rolls == max(recounted_hands(craps, "pit"))
    assert (hands.until, hands.clause, hands.own) == ("total 7", "3.7.1", None)
    first = craps.store.read(table_stream("pit"), hands.longest.version - 1, 1)[0]
    assert isinstance(read(first).document.event, events.Thrown)
    assert hands.longest.at == read(first).document.at


def shooters(*throws: tuple[str | None, int, int]) -> ThrowCounts:
    """A table without people, at which these throw."""
    house = TestHouse()
    house.dealt_table(CRAPS, "t")
    found = entries(house, "t")
    phase = "come out"
    made: list[events.Thrown | events.PhaseMoved] = []
    for by, one, other in throws:
        made.append(events.Thrown((one, other), "", by, "shooter", "6.1"))
        total = one + other
        now = f"point {total}" if phase == "come out" and total in (4, 5, 6, 8, 9, 10) else phase
        if phase != "come out" and (total == 7 or phase == f"point {total}"):
            now = "come out"
        if now != phase:
            made.append(events.PhaseMoved("puck", phase, now, "6.2"))
        phase = now
    count = ThrowCount(SHELF)
    count.take_in(found)
    last = found[-1]
    for event in made:
        last = replace(last, version=last.version + 1, document=replace(last.document, event=event))
        count.take_in([last])
    return count.shown(count.version, Viewer("ann"))


def test_a_hand_is_the_rolls_before_the_seven() -> None:
    told = shooters(("ann", 4, 4), ("ann", 6, 5), ("ann", 1, 1), ("ann", 3, 4), ("ben", 2, 2))
    assert told.hands is not None
    assert told.hands.longest is not None
    assert (told.hands.longest.rolls, told.hands.longest.own, told.hands.own) == (3, True, told.hands.longest)


def test_your_own_longest_hand_is_not_the_tables() -> None:
    told = shooters(("ann", 4, 4), ("ann", 3, 4), *[("ben", 1, 2)] * 5, ("ann", 6, 6), ("ann", 6, 6))
    assert told.hands is not None
    assert told.hands.longest is not None
    assert told.hands.own is not None
    assert (told.hands.longest.rolls, told.hands.longest.own) == (5, False)
    assert (told.hands.own.rolls, told.hands.own.own) == (2, True)


def test_a_count_that_goes_on_is_that_of_one_go(craps: TestHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted(craps, "pit", Viewer("ann"))
    monkeypatch.setattr(throw_counts, "MOST_AT_ONCE", 37)
    monkeypatch.setattr(throw_counts, "PIECE", 5)
    stream, count = table_stream("pit"), ThrowCount(SHELF)
    head = craps.store.head(stream).version
    for _ in range(head // 37 + 1):
        assert count.version < head
        count.go_on(craps.store, stream, head)
    assert count.shown(head, Viewer("ann")) == whole


@pytest.mark.parametrize(
    ("book", "names", "has_hands"),
    [(SIC_BO, [str(total) for total in range(3, 19)], False), (TWO_UP, ["Heads", "Odds", "Tails"], False)],
)
def test_columns_and_hands_follow_from_the_book(book: str, names: list[str], has_hands: bool) -> None:
    house = TestHouse()
    house.dealt_table(book, "t")
    told = counted(house, "t")
    assert sorted(column.name for column in told.columns) == sorted(names)
    assert (told.hands is not None) == has_hands
    assert told.throws == [0, 0, 0]


# A visit


def test_a_visit_has_the_chips_after_each_result(craps: TestHouse) -> None:
    """The replayed table says what ann had in hand and on the felt after each of them."""
    told, state = course(craps, "pit", "ann"), craps.house.table("pit").game
    on_felt = sum(stakes["ann"].amount for stakes in state.layout.values() if "ann" in stakes)
    assert parse_cents(told.chips) == state.chips["ann"] + on_felt
    visit = craps.house.account("ann").visits[-1]
    assert parse_cents(told.brought) == visit.taken
    assert parse_cents(told.net) == parse_cents(told.chips) - visit.taken
    everything = entries(craps, "pit")
    seat = max(entry.version for entry in everything if isinstance(entry.document.event, events.PlayerSeated))
    since = [entry.document.event for entry in everything if entry.version > seat]
    throws = sum(isinstance(event, events.Thrown) for event in since)
    assert told.results == throws - sum(isinstance(event, events.ResultTakenBack) for event in since)
    assert [point.version for point in told.points] == sorted({point.version for point in told.points})
    recount(craps, told)


def recount(house: TestHouse, told: VisitCourse) -> None:
    """Each point is what a replay says."""
    replays, stream = Replays(house.store), table_stream("pit")
    everything = entries(house, "pit")
    for point in told.points[::7]:
        order = everything[point.version - 1].document.order
        last = max(entry.version for entry in everything if entry.document.order == order)
        game = replays.at(stream, last).state.game  # type: ignore[union-attr]  # it is a table
        on_felt = sum(stakes["ann"].amount for stakes in game.layout.values() if "ann" in stakes)
        assert point.chips == format_cents(game.chips["ann"] + on_felt)
    nets = [parse_cents(point.net.replace("-", "")) * (-1 if "-" in point.net else 1) for point in told.points]
    assert told.best is not None
    assert told.lowest is not None
    assert told.best == told.points[nets.index(max(nets))]
    assert told.lowest == told.points[nets.index(min(nets))]


def test_a_long_visit_is_read_piece_by_piece(craps: TestHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = course(craps, "pit", "ann")
    monkeypatch.setattr(visits, "MOST_AT_ONCE", 50)
    monkeypatch.setattr(visits, "PIECE", 7)
    stream = table_stream("pit")
    head, visit = craps.store.head(stream).version, craps.house.account("ann").visits[-1]
    found = CourseOfVisit("ann", first_since(craps.store, stream, head, visit))
    seen = []
    while found.version < head:
        found.go_on(craps.store, stream, head)
        seen.append(found.shown(head, visit).counted)
    assert seen == sorted(set(seen))
    assert found.shown(head, visit) == whole


def test_only_the_last_results_are_listed_but_all_count(craps: TestHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = course(craps, "pit", "ann")
    monkeypatch.setattr(visits, "MOST_POINTS", 10)
    told = course(craps, "pit", "ann")
    assert told.points == whole.points[-10:]
    assert (told.best, told.lowest, told.results) == (whole.best, whole.lowest, whole.results)


# Rounds


@pytest.fixture(scope="module")
def clock() -> TestHouse:
    """An automatic table with twelve rounds, in which ann bets."""
    house = TestHouse()
    house.person("ann")
    house.clock_table(SIC_BO, "clock")
    house.ok(orders.Sit(table="clock", cents=100_00), "ann")
    for number in range(1, 13):
        house.until(lambda number=number: (house.house.table("clock").round or _NONE).number == number)  # type: ignore[misc]
        house.ok(orders.Say(table="clock", line={"do": "bet", "wager": "small", "amount": "5.00"}), "ann")
        house.until(lambda: house.house.table("clock").round is None)
    house.until(lambda: house.house.table("clock").round is not None)
    return house


class _NONE:
    number = 0


def test_a_round_has_the_events_from_its_opening_to_its_last_payment(clock: TestHouse) -> None:
    everything, stream = entries(clock, "clock"), table_stream("clock")
    opened = {e.document.event.number: e for e in everything if isinstance(e.document.event, house_events.RoundOpened)}
    shut = {e.document.event.number: e for e in everything if isinstance(e.document.event, house_events.BetsShut)}
    throws = [entry for entry in everything if isinstance(entry.document.event, events.Thrown)]
    assert len(throws) == 12
    for number, throw in enumerate(throws, 1):
        last = max(entry.version for entry in everything if entry.document.order == throw.document.order)
        first = opened[number].version
        expected = PastRound(
            table="clock",
            round=number,
            first=first,
            last=last,
            shut=shut[number].version,
            thrown=throw.version,
            is_over=True,
        )
        assert round_by_number(clock.store, stream, number) == expected
        for version in range(first, last + 1):
            assert round_at(clock.store, stream, version) == expected
    for number in (0, 14, 1000):
        assert round_by_number(clock.store, stream, number) is None
    assert round_at(clock.store, stream, len(everything) + 1) is None


def test_a_round_under_way_is_not_over(clock: TestHouse) -> None:
    found = round_by_number(clock.store, table_stream("clock"), 13)
    assert found is not None
    assert (found.thrown, found.shut, found.is_over) == (None, None, False)
    assert found.last == clock.store.head(table_stream("clock")).version


def test_throws_of_a_dealt_table_are_found_by_any_of_their_events(craps: TestHouse) -> None:
    """The rounds are those of the throws, one after the other, without a gap."""
    stream = table_stream("pit")
    everything, version = entries(craps, "pit"), 1
    seen: list[PastRound] = []
    while version <= len(everything):
        found = round_at(craps.store, stream, version)
        assert found is not None
        assert found.first <= version <= found.last or not seen
        seen.append(found)
        version = found.last + 1
    assert [one.first for one in seen[1:]] == [one.last + 1 for one in seen[:-1]]
    throws = [entry.version for entry in everything if isinstance(entry.document.event, events.Thrown)]
    assert [one.thrown for one in seen if one.is_over] == throws
    assert all(one.round is None for one in seen)
    for one in seen[5:9]:
        assert {round_at(craps.store, stream, version) for version in range(one.first, one.last + 1)} == {one}


# Over HTTP


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A dealt table with three throws of ann's, who bets, and of ben, who does not."""
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        did(person(opened, "otto"), "/tables", {"table": "pit", "title": "Pit", "line": {"book": CRAPS, "min": "1.00"}})
        did(person(opened, "dora"), "/tables/pit/post", {"role": "dealer"})
        for player in ("ann", "ben"):
            did(person(opened, player), "/tables/pit/seat", {"chips": "100.00"})
        for dice in ([1, 1], [4, 4], [3, 4]):
            did(
                person(opened, "ann"), "/tables/pit/lines", {"line": {"do": "bet", "wager": "field", "amount": "10.00"}}
            )
            did(person(opened, "dora"), "/tables/pit/lines", {"line": {"do": "roll", "dice": dice}})
        yield opened


def test_everybody_sees_what_fell_and_only_oneself_a_visit(house: Running) -> None:
    told = got(house.nobody(), "/tables/pit/counts")
    assert {one["name"]: one["counts"] for one in told["columns"] if any(one["counts"])} == {
        "2": [1, 1, 1],
        "7": [1, 1, 1],
        "8": [1, 1, 1],
    }
    assert told["counted"] == told["version"]
    ann, ben = (got(person(house, name), "/tables/pit/visit") for name in ("ann", "ben"))
    assert [point["chips"] for point in ann["points"]] == ["120.00", "110.00", "100.00"]
    assert [point["net"] for point in ann["points"]] == ["20.00", "10.00", "0.00"]
    assert (ann["best"]["net"], ann["lowest"]["net"], ann["start"]) == ("20.00", "0.00", "100.00")
    assert {point["chips"] for point in ben["points"]} == {"100.00"}
    assert person(house, "ivy").get("/tables/pit/visit").json()["code"] == "no_visit"
    assert house.nobody().get("/tables/pit/visit").status_code == 401


def test_results_say_where_their_round_is(house: Running) -> None:
    for result in got(house.nobody(), "/tables/pit/felt")["results"]:
        found = got(house.nobody(), f"/tables/pit/throws/{result['version']}")
        assert found["thrown"] == result["version"]
    assert house.nobody().get("/tables/pit/rounds/1").json()["code"] == "no_such_round"
    assert house.nobody().get("/tables/pit/throws/100000").json()["code"] == "no_such_event"


def test_the_record_of_a_round_is_a_part_of_the_whole_record(tmp_path: Path) -> None:
    with running(tmp_path) as opened:
        ann = person(opened, "ann")
        rhythm = {"open": 1.0, "last_call": 0.5, "shut": 0.2, "show": 0.5}
        line = {"book": SIC_BO, "min": "1.00"}
        did(person(opened, "mia"), "/tables", {"table": "quick", "title": "Quick", "line": line, "rhythm": rhythm})
        did(ann, "/tables/quick/seat", {"chips": "100.00"})
        until(lambda: got(ann, "/tables/quick")["round"])
        did(ann, "/tables/quick/lines", {"line": {"do": "bet", "wager": "small", "amount": "5.00"}})
        until(lambda: any(one["round"] == 1 for one in got(ann, "/tables/quick/felt")["results"]))
        found = got(ann, "/tables/quick/rounds/1")
        part, whole = (lines(ann, f"/tables/quick/{path}") for path in ("rounds/1/record", "record"))
        assert part[0] == whole[0]
        assert part[1:-1] == whole[found["first"] - 1 : found["last"] + 1]


def lines(who: Any, path: str) -> list[dict[str, Any]]:  # noqa: ANN401  # a person
    return [json.loads(line) for line in who.get(path).text.splitlines()]
