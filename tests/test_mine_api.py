"""What people look up afterwards: their own past wagers, the stored records of a table, the felt as it was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import pytest

from croupier.house.views import history
from tests.serving import Person, Running, did, got, person, running

TABLE = "/tables/pit"
OWN = "/me/wagers?table=pit"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A table at which ann and ben have played three throws; the last one was declared invalid."""
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        line = {"book": "craps-nsw-2024", "min": "1.00"}
        did(person(opened, "otto"), "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
        dora, ann, ben = (person(opened, name) for name in ("dora", "ann", "ben"))
        did(dora, f"{TABLE}/post", {"role": "dealer"})
        for player in (ann, ben):
            did(player, f"{TABLE}/seat", {"chips": "100.00"})
        said(ann, do="bet", wager="field", amount="10.00")
        said(ben, do="bet", wager="field", amount="20.00")
        said(dora, do="roll", dice=[1, 1])
        said(ann, do="bet", wager="horn_high", pick=11, amount="5.00")
        said(ann, do="bet", wager="win_line", amount="15.00")
        said(dora, do="roll", dice=[3, 1])
        said(ann, do="bet", wager="field", amount="3.00")
        did(person(opened, "sam"), f"{TABLE}/post", {"role": "supervisor"})
        said(dora, do="dice_out")
        said(person(opened, "sam"), do="void", reason="10.5.1")
        yield opened


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


# Past wagers


def test_past_wagers_have_what_fell_and_the_clause_the_newest_first(house: Running) -> None:
    told = got(person(house, "ann"), OWN)
    shown = [(one["name"], one["result"], one["stake"], one["paid"], one["returned"]) for one in told["wagers"]]
    assert shown[-2:] == [("Horn High 11", "lose", "5.00", "0.00", "0.00"), ("Field", "win", "10.00", "20.00", "30.00")]
    field = told["wagers"][-1]
    assert (field["faces"], field["call"], field["book"], field["clause"]) == ([1, 1], "2", "craps-nsw-2024", "6.2.17")
    assert (told["wagers"][-2]["faces"], told["wagers"][-2]["pick"]) == ([3, 1], 11)
    versions = [one["version"] for one in told["wagers"]]
    assert versions == sorted(versions, reverse=True)
    assert told["next"] is None


def test_what_no_throw_settled_has_no_dice(house: Running) -> None:
    """An invalid outcome returns the stakes: the dice did not decide those wagers."""
    refunded = [one for one in got(person(house, "ann"), OWN)["wagers"] if one["result"] == "void"]
    assert refunded
    assert all((one["faces"], one["call"], one["paid"]) == ([], None, "0.00") for one in refunded)


def test_nobody_sees_wagers_of_others(house: Running) -> None:
    told = got(person(house, "ben"), OWN)
    assert {one["stake"] for one in told["wagers"]} == {"20.00"}
    for name in ("sam", "dora", "ivy"):  # who see the whole table have no wagers of their own
        assert got(person(house, name), OWN) == {"wagers": [], "next": None}


def test_pages_join_without_a_gap_however_small(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(house, "ann")
    whole = got(ann, OWN)["wagers"]
    for piece in (1, 2, 500):
        monkeypatch.setattr(history, "PIECE", piece)
        found: list[Any] = []
        before: int | None = None
        while before is not None or not found:
            page = got(ann, f"{OWN}&limit=1" + ("" if before is None else f"&before={before}"))
            found += page["wagers"]
            before = page["next"]
        assert found == whole


def test_a_request_looks_only_so_far_back_and_says_from_where_to_go_on(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, head = person(house, "ann"), got(person(house, "ann"), TABLE)["version"]
    whole = {one["version"] for one in got(ann, OWN)["wagers"]}
    monkeypatch.setattr(history, "MOST_READ", 4)
    found: set[int] = set()
    steps, before = 0, head + 1
    while before is not None:
        page = got(ann, f"{OWN}&before={before}")
        assert page["next"] is None or page["next"] == before - 4
        found |= {one["version"] for one in page["wagers"]}
        steps, before = steps + 1, page["next"]
    assert found == whole
    assert steps == -(-head // 4)


def test_a_table_is_asked_for_and_is_there(house: Running) -> None:
    ann = person(house, "ann")
    assert ann.get("/me/wagers").status_code == 400
    assert ann.get("/me/wagers?table=nowhere").json()["code"] == "no_such_table"
    assert ann.get(f"{OWN}&limit=201").status_code == 400
    assert house.nobody().get(OWN).status_code == 401


# Records


def followed(told: dict[str, Any]) -> int:
    """How far the records form a chain, recomputed from the documents alone."""
    last, version = sha256(f"croupier stream\n{told['stream']}".encode()).digest(), 0
    assert last.hex() == told["anchor"]
    for record in told["records"]:
        last = sha256(last + sha256(record["document"].encode()).digest()).digest()
        if last.hex() != record["hash"]:
            break
        version = record["version"]
    return version


def test_records_are_what_is_stored_and_their_hashes_follow(house: Running) -> None:
    ivy = person(house, "ivy")
    told = got(ivy, f"{TABLE}/records")
    assert (told["stream"], told["next"], told["records"][-1]["hash"]) == ("table/pit", None, told["head"])
    assert followed(told) == told["version"] == got(ivy, TABLE)["version"]
    stored = house.running_house.store.read("table/pit")
    assert [record["document"].encode() for record in told["records"]] == [record.document for record in stored]
    page = got(ivy, f"{TABLE}/records?after=2&limit=3")
    assert (page["records"], page["next"]) == (told["records"][2:5], 5)
    assert ivy.get("/tables/nowhere/records").json()["code"] == "no_such_table"


@pytest.mark.parametrize("name", ["ann", "dora", "sam", "mia"])
def test_records_are_for_operators_and_inspectors(house: Running, name: str) -> None:
    assert person(house, name).get(f"{TABLE}/records").status_code == 403


@pytest.mark.parametrize("altered", ["CAST(replace(CAST(document AS TEXT), 'ann', 'ben') AS BLOB)", "x'ff00'"])
def test_a_damaged_record_is_shown_as_it_is_for_who_follows_the_chain(tmp_path: Path, altered: str) -> None:
    """The house serves no damaged stream, but an inspector can see the very record."""
    with running(tmp_path) as opened:
        did(opened.person("otto"), "/tables", {"table": "pit", "title": "Pit", "line": {"book": "craps-nsw-2024"}})
        did(opened.person("ann"), f"{TABLE}/seat", {"chips": "10.00"})
        with closing(apsw.Connection(str(tmp_path / "house.db"))) as other:
            other.setbusytimeout(10_000)
            other.execute(f"UPDATE records SET document = {altered} WHERE stream = 'table/pit' AND version = 3")
        ivy = opened.person("ivy")
        assert ivy.get(f"{TABLE}/events").status_code == 503
        assert followed(got(ivy, f"{TABLE}/records")) == 2


# The felt as it was drawn


def test_a_felt_is_drawn_with_the_limits_that_it_had(house: Running) -> None:
    sam = person(house, "sam")
    before = got(sam, TABLE)["version"]
    said(sam, do="set_maximum", maximum="50.00")
    old, new = (got(sam, f"{TABLE}/at/{version}/drawing") for version in (before, got(sam, TABLE)["version"]))
    assert (old["sign"]["max"], new["sign"]["max"]) == (None, "50.00")
    assert old["terms"] == got(sam, f"{TABLE}/at/{before}/felt")["terms"] != new["terms"]
    assert new == got(sam, f"{TABLE}/drawing")
    assert sam.get(f"{TABLE}/at/1/drawing").json()["code"] == "no_such_event"
