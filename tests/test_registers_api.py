"""Registers over HTTP: who can read them, in which formats, and that names go no further."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest

from croupier.client import Client, Refused
from croupier.house.registers.register_files import csv_of, pdf_of_register
from croupier.house.registers.register_rows import KINDS, read_period
from croupier.server.api import registers as registers_api
from croupier.server.reports import ReportWorker
from croupier.store.records import Append, Secret, Write
from tests.clocks import MovedClock
from tests.houses import SHELF
from tests.promoting import Promoting
from tests.promotions import CRAPS
from tests.registering import CLAIMANT, promotion, read
from tests.serving import Person, Running, did, got, person, running

TABLE = "/tables/craps-1"
START = datetime(2026, 11, 15, 1, tzinfo=UTC)
NOW = "2026-11"
MARCH = "2026-03"
EVERYBODY = ("ann", "dora", "sam", "mia", "otto", "ivy")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A house with a dispute and another maximum at a table of Craps, and a promotion that was in March 2026."""
    folder = Path(tmp_path_factory.mktemp("house"))
    with running(folder, MovedClock(START), checkpoint_seconds=86_400, name="Harbour") as opened:
        did(person(opened, "otto"), "/tables", {"table": "craps-1", "title": "Craps 1", "line": {"book": CRAPS}})
        did(person(opened, "sam"), f"{TABLE}/post", {"role": "supervisor"})
        did(person(opened, "ann"), f"{TABLE}/seat", {"chips": "100.00"})
        said(person(opened, "ann"), do="raise_dispute", case="late", about="a late bet")
        said(person(opened, "sam"), do="set_maximum", maximum="500.00")
        _copy_promotion(opened, promotion())
        yield opened


def _copy_promotion(house: Running, from_: Promoting) -> None:
    """The stream of a promotion that was run elsewhere, with what its store keeps separately."""
    store, other = house.running_house.store, from_.house.store
    stream = "promotion/autumn"
    documents = tuple(record.document for record in other.read(stream))
    store.commit([Write((Append(stream, 0, documents),), vault=tuple(other.secrets("claimant/")))])


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


@pytest.mark.parametrize("path", ["/registers", *(f"/registers/{kind.id}" for kind in KINDS)])
@pytest.mark.parametrize("form", ["json", "csv", "pdf"])
def test_registers_are_for_those_who_keep_the_books(house: Running, path: str, form: str) -> None:
    asked = f"{path}?period={MARCH}" + ("" if path == "/registers" else f"&format={form}")
    statuses = {name: person(house, name).get(asked).status_code for name in EVERYBODY}
    assert statuses == {"ann": 403, "dora": 403, "sam": 403, "mia": 200, "otto": 200, "ivy": 200}
    assert house.nobody().get(asked).status_code == 401


def test_the_list_says_how_much_there_is(house: Running) -> None:
    told = got(person(house, "ivy"), f"/registers?period={NOW}")
    assert (told["period"], told["first"]) == (NOW, f"{NOW}-01")
    assert told["so_far"].startswith("so far, up to ")
    counts = {one["register"]: one["rows"] for one in told["registers"]}
    assert list(counts) == [kind.id for kind in KINDS]
    assert (counts["disputes"], counts["changes"], counts["exclusions"]) == (1, 1, 0)
    assert told["registers"][0]["clauses"] == {CRAPS: ["9.3.2"]}
    march = got(person(house, "ivy"), f"/registers?period={MARCH}")
    assert march["so_far"] is None
    assert {one["register"]: one["rows"] for one in march["registers"]}["denied_claims"] == 3


def test_a_register_has_columns_and_rows(house: Running) -> None:
    told = got(person(house, "mia"), f"/registers/changes?period={NOW}")
    assert (told["register"], told["title"]) == ("changes", "Changes of limits and pay tables")
    [row] = told["rows"]
    assert list(row) == [column["id"] for column in told["columns"]]
    assert (row["where"], row["who"], row["now"]) == ("craps-1", "sam", "maximum 500.00")


def test_it_goes_on_with_what_happens(house: Running) -> None:
    ivy, ann = person(house, "ivy"), person(house, "ann")
    before = len(got(ivy, f"/registers/wrong_payments?period={NOW}")["rows"])
    did(person(house, "dora"), f"{TABLE}/post", {"role": "dealer"})
    line = {"do": "report_mispayment", "case": "m1", "way": "overpaid", "amount": "1500.00", "wager": "field"}
    said(person(house, "dora"), **line)
    assert len(got(ivy, f"/registers/wrong_payments?period={NOW}")["rows"]) == before + 1
    [case] = got(ivy, f"/registers/monthly_return?period={NOW}")["rows"]
    assert (case["case"], case["returned"]) == ("m1", "not made yet")
    assert ann.get(f"/registers/monthly_return?period={NOW}").status_code == 403


@pytest.mark.parametrize("register", ["promotions", "disputes", "changes"])
def test_files_are_those_of_the_store_to_the_byte(house: Running, register: str) -> None:
    made = read(house.running_house.store).register(register, read_period(MARCH))
    expected = {
        "csv": ("text/csv; charset=utf-8", csv_of(made)),
        "pdf": ("application/pdf", pdf_of_register(made, "Harbour")),
    }
    for form, (kind, content) in expected.items():
        reply = person(house, "otto").get(f"/registers/{register}?period={MARCH}&format={form}")
        assert reply.headers["content-type"] == kind
        assert reply.headers["content-disposition"] == f'attachment; filename="{register}-2026-03.{form}"'
        assert reply.content == content
        assert person(house, "ivy").get(f"/registers/{register}?period={MARCH}&format={form}").content == content
    assert expected["pdf"][1].startswith(b"%PDF")


def test_denied_claims_have_names_and_nothing_else_has(house: Running) -> None:
    ivy = person(house, "ivy")
    rows = list(csv.DictReader(StringIO(ivy.get(f"/registers/denied_claims?period={MARCH}&format=csv").text)))
    assert [(row["name"], row["address"]) for row in rows] == [
        (CLAIMANT.name, CLAIMANT.address),
        ("", ""),
        ("not kept", "not kept"),
    ]
    for kind in KINDS:
        told = ivy.get(f"/registers/{kind.id}?period=2026").text
        assert (CLAIMANT.name in told) == (kind.id == "denied_claims")
    assert CLAIMANT.name not in ivy.get("/registers?period=2026").text
    assert CLAIMANT.name not in person(house, "otto").get("/export?refusals=true").text


def test_a_register_is_narrowed_to_a_table_or_a_book(house: Running) -> None:
    ivy = person(house, "ivy")
    assert got(ivy, f"/registers/disputes?period=2026&book={CRAPS}&table=craps-1")["rows"][0]["case"] == "late"
    assert got(ivy, "/registers/disputes?period=2026&table=two-up-nsw-2016")["rows"] == []
    reply = ivy.get(f"/registers?period=2026&book={CRAPS}&table=two-up-nsw-2016")
    assert (reply.status_code, "name the table or the book" in reply.json()["message"]) == (400, True)
    counts = got(ivy, "/registers?period=2026&book=two-up-nsw-2016")["registers"]
    assert {one["rows"] for one in counts} == {0}
    assert all(set(one["clauses"]) <= {"two-up-nsw-2016"} for one in counts)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/registers", 400, "bad_request"),
        ("/registers?period=soon", 400, "bad_period"),
        ("/registers?period=2026-11-02/2026-11-01", 400, "bad_period"),
        ("/registers?period=" + "9" * 100, 400, "bad_request"),
        ("/registers/secrets?period=2026", 404, "no_such_register"),
        ("/registers/disputes?period=2026&table=nowhere", 404, "no_such_table"),
        ("/registers/disputes?period=2026&book=baccarat", 404, "no_such_book"),
        ("/registers/disputes?period=2026&format=xlsx", 400, "bad_request"),
    ],
)
def test_what_there_is_not_is_told(house: Running, path: str, status: int, code: str) -> None:
    reply = person(house, "ivy").get(path)
    assert (reply.status_code, reply.json()["code"]) == (status, code)
    assert reply.json()["message"].endswith(".")


def test_where_no_pdf_can_be_made_that_is_told(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> bytes:
        raise ImportError("typst")

    monkeypatch.setattr(registers_api, "pdf_of_register", missing)
    reply = person(house, "ivy").get(f"/registers/disputes?period={MARCH}&format=pdf")
    assert (reply.status_code, reply.json()["code"]) == (404, "no_pdf")


def test_a_claimant_who_cannot_be_read_is_damage_and_not_silence(house: Running) -> None:
    store = house.running_house.store
    whole = store.secret("claimant/autumn/c1")
    store.commit([Write(vault=(Secret("claimant/autumn/c1", b"{}"),))])
    try:
        reply = person(house, "ivy").get(f"/registers/denied_claims?period={MARCH}")
        assert (reply.status_code, reply.json()["code"]) == (503, "store_damaged")
        assert "the claimant of c1 cannot be read" in reply.json()["message"]
        assert got(person(house, "ivy"), f"/registers/disputes?period={MARCH}")["rows"]
    finally:
        store.commit([Write(vault=(Secret("claimant/autumn/c1", whole),))])


def test_the_client_has_them_as_values(house: Running) -> None:
    with Client.sign_in(house.url, "ivy", "ivy-at-croupier") as ivy:
        every = ivy.registers(MARCH, book=CRAPS)
        assert (every.last - every.first, len(every.registers)) == (timedelta(days=30), len(KINDS))
        one = ivy.register("disputes", MARCH)
        assert [row["standing"] for row in one.rows] == ["raised", "final", "advice due", "advice given"]
        assert ivy.register_file("disputes", MARCH, "csv").startswith(b"period,when,where,book,")
        assert ivy.register_file("disputes", MARCH, "pdf", book=CRAPS).startswith(b"%PDF")
        with pytest.raises(Refused, match="is not a period"):
            ivy.registers("soon")


def test_names_are_read_only_where_they_are_wanted(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(_view: object) -> dict[tuple[str, str], tuple[str, str]]:
        raise AssertionError("nobody asked for names")

    monkeypatch.setattr("croupier.server.reports.claimants_of", looked)
    clerk = ReportWorker(house.running_house.store, SHELF)
    assert clerk._registers(lambda kept, names: (len(kept.made(read_period(MARCH))), names), names=False) == (9, None)
