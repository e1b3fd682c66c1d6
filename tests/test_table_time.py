"""The time at a table never runs backwards: not in the pipe, where commands give it, nor in a house with a bad
clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from croupier.house import orders
from croupier.house.stored_events import decode
from croupier.table import events
from croupier.table.clock import named
from croupier.table.evolve import evolve_all
from croupier.table.state import State
from tests.houses import TestHouse
from tests.tables import BOOKS
from tests.talk import Talk

CRAPS, TWO_UP = "craps-nsw-2024", "two-up-nsw-2016"
SOON = timedelta(hours=1)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_command_that_is_earlier_than_the_table_knows_is_refused(book_id: str) -> None:
    talk = Talk(book_id, {}, at="2024-08-30T20:00:00")
    talk.do("seat", player="ann", chips="100.00", at="2024-08-30T20:10:00")
    late = talk.ask("chips", player="ann", chips="10.00", at="2024-08-30T20:09:59")
    assert (late["ok"], late["code"], late["clause"]) == (False, "time_runs_back", None)
    assert talk.ask("chips", player="ann", chips="10.00")["ok"], "without a time it is as it was"
    assert talk.ask("chips", player="ann", chips="10.00", at="2024-08-30T20:10:00")["ok"], (
        "the same time is not earlier"
    )
    assert talk.ask("chips", player="ann", chips="10.00", at="2024-08-30T20:00:00Z")["ok"], (
        "with a zone it is much later"
    )


def test_the_hour_that_daylight_saving_skips_is_no_way_back() -> None:
    """In Sydney 02:00 was 03:00 on 6 October 2024; people whose watches have not been set go on playing."""
    talk = Talk(CRAPS, {}, at="2024-10-06T01:55:00")
    talk.do("seat", player="ann", chips="100.00", at="2024-10-06T02:10:00.5")
    for at in ("02:50:00", "03:00:00", "03:05:00"):
        assert talk.ask("chips", player="ann", chips="10.00", at=f"2024-10-06T{at}")["ok"], at
    assert talk.ask("chips", player="ann", chips="10.00", at="2024-10-05T16:04:59Z")["code"] == "time_runs_back"


def test_what_is_refused_tells_the_table_no_time() -> None:
    talk = Talk(CRAPS, {})
    talk.do("seat", player="ann", chips="100.00", card=False)
    bet = {"player": "ann", "wager": "field", "amount": "5.00"}
    assert talk.ask("bet", **bet, at="2024-08-20T12:00:00")["code"] == "no_player_card"
    assert talk.ask("bet", **bet, at="2024-08-18T12:00:00")["ok"]


def test_the_time_is_in_the_record_and_told_to_nobody() -> None:
    talk = Talk(CRAPS, {})
    talk.do("seat", player="ann", chips="100.00")
    told = talk.ask("bet", player="ann", wager="field", amount="5.00", at="2024-08-30T20:00:00")
    assert [event["type"] for event in told["events"]] == ["wager_placed"]
    kept = events.decode(events.encode(events.TimeTold("2024-08-30T10:00:00+00:00")))
    assert evolve_all(State(), (kept,)).time == "2024-08-30T10:00:00+00:00"


def stamps(house: TestHouse, table: str) -> list[str]:
    return [decode(record.document).at for record in house.store.read(f"table/{table}")]


def test_a_clock_that_is_put_back_leaves_the_record_in_order() -> None:
    house = TestHouse()
    table = house.dealt_table(TWO_UP)
    ann, dora = house.person("ann"), house.person("dora", "dealer")
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    house.at += SOON
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.at -= SOON
    line = {"do": "bet", "wager": "heads", "amount": "10.00"}
    house.ok(orders.Say(table=table, line=line), ann)
    house.restart()
    assert house.say(table, dora, "no_more_bets")["ok"]
    assert house.say(table, dora, "spin", coins="HH")["ok"]
    house.at += timedelta(hours=2)
    house.ok(orders.GetUp(table=table), ann)
    times = stamps(house, table)
    assert times == sorted(times)
    assert len(set(times[-5:])) == 2, "while the clock is behind, it is as late as it was"


def test_a_table_that_runs_by_itself_goes_on_after_the_clock_was_put_back() -> None:
    house = TestHouse()
    table = house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), house.person("ann"))
    house.until(lambda: house.house.table(table).rounds >= 2)
    house.at -= SOON
    house.until(lambda: house.house.table(table).rounds >= 3, most=2 * SOON.total_seconds())
    times = stamps(house, table)
    assert times == sorted(times)


def test_signs_are_not_put_up_in_the_past() -> None:
    talk = Talk(CRAPS, {})
    given = {"as": "casino supervisor", "minimum": "20.00", "time": "2024-08-30T21:00:00"}
    talk.do("seat", player="ann", chips="100.00", at="2024-08-30T20:30:00")
    assert talk.ask("post_minimum_sign", **given, at="2024-08-30T20:10:00")["code"] == "time_runs_back"
    talk.do("post_minimum_sign", **given, at="2024-08-30T20:40:00")
    early = talk.ask("set_minimum", minimum="20.00", at="2024-08-30T20:59:00", **{"as": "casino supervisor"})
    assert early["code"] == "sign_too_recent"


def test_a_throw_called_void_in_the_air_never_came_to_rest() -> None:
    """The record has the moments that a roll reached, and no others (reading X-50)."""
    talk = Talk(CRAPS, {"ann": "100.00"})
    talk.do("dice_out", **{"as": "stickperson", "at": "2024-08-30T20:00:00"})
    told = talk.do("void", reason="5.3.1", **{"as": "stickperson", "at": "2024-08-30T20:00:02"})["events"]
    voided = next(row for row in told if row["type"] == "throw_voided")
    assert voided["thrown_at"] == "2024-08-30T20:00:00"
    assert "rested_at" not in voided


def test_a_program_that_names_nobody_keeps_no_moments() -> None:
    talk = Talk(CRAPS, {"ann": "100.00"})
    (voided,) = talk.do("void", reason="5.3.1", at="2024-08-30T20:00:00")["events"]
    assert voided == {"type": "throw_voided", "call": "no roll", "by": None, "title": "stickperson", "clause": "5.3.1"}


@pytest.mark.parametrize(
    "stored",
    [
        b'{"type":"throw_voided","reason":"5.1","call":"no roll","by":null,"title":"dealer","wager":null,"run":0}',
        b'{"type":"outcome_invalidated","reason":"9.4.1","clause":"9.5"}',
    ],
)
def test_what_was_stored_before_moments_were_kept_still_reads(stored: bytes) -> None:
    event = events.decode(b'{"format":1,"event":' + stored + b"}")
    assert isinstance(event, events.ThrowVoided | events.OutcomeInvalidated)
    assert (event.thrown_at, event.rested_at) == (None, None)


@pytest.mark.parametrize(
    ("month", "zone", "name"),
    [
        (1, "Australia/Sydney", "AEDT"),
        (7, "Australia/Sydney", "AEST"),
        (1, "Pacific/Auckland", "NZDT"),
        (7, "Asia/Dubai", "Asia/Dubai"),  # no one has letters for it
    ],
)
def test_a_zone_has_the_name_that_people_use_at_the_time(month: int, zone: str, name: str) -> None:
    assert named(datetime(2026, month, 1, tzinfo=UTC), zone) == name
    assert named(datetime(2026, month, 1), zone) == name, "a time without a zone is the table's own"  # noqa: DTZ001


def test_a_house_is_where_its_first_table_stands() -> None:
    house = TestHouse()
    assert house.house.zone == "UTC", "it has no table yet"
    house.dealt_table("snake-eyes-nz", "z")
    house.at += SOON
    house.dealt_table(CRAPS, "a")
    assert house.house.zone == "Pacific/Auckland"
