"""How much is kept of refused orders, how much people may store, and how much free space is required."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contract.replies import ProblemBody
from croupier.house import orders
from croupier.house.orders import Order, Submission
from croupier.house.refused_orders import MOST_KEPT, MOST_SAID, kept, shortened
from croupier.server.admission import DAY, Allowance, Disk, Quotas, size_of
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.contract import Room
from croupier.store.records import Answer, Append, Write

AT = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
SAID = ProblemBody(code="unknown_command", message="No.")


def refused(deed: Order, **told: object) -> bytes:
    return kept(Submission(id="0" * 32, order=deed, who="ann"), AT, msgspec.structs.replace(SAID, **told))


def test_a_short_order_is_kept_whole() -> None:
    deed = orders.Say(table="one", line={"do": "fly", "note": "x" * 500})
    told = json.loads(refused(deed))
    assert told["deed"] == msgspec.to_builtins(deed)
    assert "sha256" not in told


def test_of_a_long_one_its_beginning_length_and_digest_are_kept() -> None:
    deed = orders.Say(table="one", line={"do": "fly", "note": "x" * 60_000})
    whole = msgspec.json.encode(deed)
    made = refused(deed)
    told = json.loads(made)
    assert len(made) <= MOST_KEPT
    assert told["deed"] == {"deed": "say", "table": "one"}
    assert (told["bytes"], told["sha256"]) == (len(whole), sha256(whole).hexdigest())
    assert len(told["cut"]) > 200
    assert whole.startswith(told["cut"].encode())
    said = msgspec.to_builtins(SAID)
    assert {name: told[name] for name in said} == said


@given(
    st.text(max_size=3000), st.text(max_size=3000), st.integers(1, 40), st.sampled_from(["", "\x01", "🎲", '"', "\\"])
)
def test_whatever_it_is_made_of_it_is_no_more_than_that(table: str, message: str, often: int, letter: str) -> None:
    deed = orders.Say(table=table + letter * often * 100, line={"do": letter * often * 1000, "more": table})
    made = refused(deed, message=shortened(message + letter * often * 100), about=[message] * 20)
    assert len(made) <= MOST_KEPT
    assert json.loads(made)["who"] == "ann"


def test_nothing_of_a_password_is_kept() -> None:
    for deed in (orders.OpenAccount(person="ann", name="Ann", credential="mark"), orders.SetPassword(person="ann")):
        assert json.loads(refused(deed))["deed"]["credential"] == ""


def test_a_sentence_that_is_too_long_is_cut() -> None:
    assert shortened("short") == "short"
    cut = shortened("x" * 10_000)
    assert (len(cut), cut[-1]) == (MOST_SAID, "…")


def test_an_allowance_is_used_up_and_comes_back_in_a_day() -> None:
    now = 0.0
    allowed = Allowance(1000, lambda: now)
    allowed.take("ann", 999)
    assert allowed.wait("ann") == 0
    allowed.take("ann", 501)  # what was begun is finished
    wait = allowed.wait("ann")
    assert wait == pytest.approx(501 * DAY / 1000, abs=1)
    assert allowed.wait("ben") == 0
    now = wait
    assert allowed.wait("ann") == 0
    allowed.take("ann", 2)
    assert allowed.wait("ann") > 0
    now += 10 * DAY
    allowed.take("ann", 999)
    assert allowed.wait("ann") == 0
    allowed.take("ann", 1)
    assert allowed.wait("ann") > 0, "nobody saves up for more than a day"


def test_guests_share_what_they_have() -> None:
    settings = msgspec.convert({"person_bytes_a_day": 1000, "guests_bytes_a_day": 1500}, Settings)
    quotas = Quotas(settings, lambda: 0.0)
    quotas.take("guest-1", 900)
    quotas.take("ann", 900)
    for person in ("guest-1", "guest-2", "ann"):
        quotas.check(person)
    quotas.take("guest-2", 900)
    for person in ("guest-1", "guest-2", "guest-3"):
        with pytest.raises(Problem) as error:
            quotas.check(person)
        assert (error.value.status, error.value.code) == (429, "guests_stored_enough")
    quotas.check("ann")
    quotas.take("ann", 100)
    with pytest.raises(Problem, match="You have used up your storage for now") as error:
        quotas.check("ann")
    assert error.value.wait is not None


def test_what_a_write_leaves() -> None:
    write = Write(
        (Append("a", 0, (b"12", b"345")), Append("b", 0, ())), Answer("ann", "key", b"d" * 32, b"reply"), b"no"
    )
    assert size_of(write) == 5 + 3 + 5 + 2
    assert size_of(Write()) == 0


def test_a_disk_is_low_before_it_is_full(caplog: pytest.LogCaptureFixture) -> None:
    settings = {"store_most_bytes": 1000, "disk_low_bytes": 400, "disk_reserve_bytes": 100}
    disk = Disk(msgspec.convert(settings, Settings))
    steps = [
        (Room(0, None), "ok", 1000),
        (Room(0, 399), "low", 399),  # the disk has less than the store may take
        (Room(700, 5000), "low", 300),  # and here the store may take no more
        (Room(0, 99), "full", 99),
        (Room(2000, 5000), "full", 0),
        (Room(0, 5000), "ok", 1000),
    ]
    for room, state, left in steps:
        disk.look(room)
        assert (disk.state, disk.left) == (state, left)
        if state == "full":
            with pytest.raises(Problem, match="The house takes no orders: its store has only 0 MB left"):
                disk.check()
        else:
            disk.check()
    assert len([record for record in caplog.records if record.message == "disk"]) >= 2
