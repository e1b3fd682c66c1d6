"""Reports, books, exports and signed statements over HTTP."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from croupier.contract.management import Finding
from croupier.house.reporting.bookkeeping import audited
from croupier.house.reporting.reports import Reports
from croupier.house.stored_events import Entry, UnknownFormat
from croupier.server import reports
from croupier.server.api.reports import EMPTY
from croupier.store.checkpoints import read_checkpoint
from croupier.store.contract import CorruptStore, StoreError
from croupier.store.exporting import ExportFooter, ExportLines
from croupier.store.keys import PublicKey
from croupier.store.verifying import verify
from tests.serving import Person, Running, did, got, person, running
from tests.waiting import until

TABLE = "/tables/craps-1"
REPORT = "/reports/tables/craps-1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A table at which ann lost 10.00 on the win line, after a point of 4, and has 5.00 on the field."""
    with running(Path(tmp_path_factory.mktemp("house")), checkpoint_seconds=0.2) as opened:
        line = {"book": "craps-nsw-2024", "min": "1.00"}
        did(person(opened, "otto"), "/tables", {"table": "craps-1", "title": "Craps 1", "line": line})
        dora, ann = person(opened, "dora"), person(opened, "ann")
        did(dora, f"{TABLE}/post", {"role": "dealer"})
        did(ann, f"{TABLE}/seat", {"chips": "100.00"})
        said(ann, do="bet", wager="win_line", amount="10.00")
        said(dora, do="roll", dice=[2, 2])
        said(dora, do="roll", dice=[5, 2])
        said(ann, do="bet", wager="field", amount="5.00")
        yield opened


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


def rows(who: Person, path: str) -> list[dict[str, str]]:
    reply = who.get(path)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert reply.headers["content-disposition"].endswith('.csv"')
    return list(csv.DictReader(StringIO(reply.text)))


@pytest.mark.parametrize(("span", "letters"), [("day", 10), ("month", 7), ("year", 4)])
def test_a_table_report_has_what_was_won_and_what_was_to_be_expected(house: Running, span: str, letters: int) -> None:
    told = got(person(house, "mia"), f"{REPORT}?span={span}")
    assert (told["table"], told["span"]) == ("craps-1", span)
    [period] = told["periods"]
    figures, exact = period["figures"], period["exact"]
    assert len(figures["period"]) == letters
    assert (figures["drop"], figures["win"], figures["hold"]) == ("100.00", "10.00", 0.1)
    field = Fraction(5) / 18  # of a field wager the house has one eighteenth
    assert Fraction(exact["expected"]) == Fraction(14, 99) + field
    assert Fraction(exact["standing"]) == field
    assert Fraction(exact["luck"]) == 10 - Fraction(14, 99)
    assert exact["hold"] == "1/10"
    half = 1.96 * float(Fraction(exact["variance"])) ** 0.5
    assert figures["low"] == pytest.approx(figures["expected"] - half)
    assert figures["high"] == pytest.approx(figures["expected"] + half)
    assert period["wagers"] == [{"wager": "win_line", "turnover": "10.00", "wagers": 1, "win": "10.00"}]
    assert [(one["wager"], one["stake"]) for one in told["open"]] == [("field", "5.00")]


def test_a_report_goes_on_where_it_was(house: Running) -> None:
    """The report of a second table is requested before and after a throw: both are the same as when read from the
    beginning."""
    otto, dora, ben = person(house, "otto"), person(house, "dora"), person(house, "ben")
    did(otto, "/tables", {"table": "craps-2", "title": "Craps 2", "line": {"book": "craps-nsw-2024"}})
    did(dora, f"{TABLE}/post/leave", {})
    did(dora, "/tables/craps-2/post", {"role": "dealer"})
    did(ben, "/tables/craps-2/seat", {"chips": "40.00"})
    did(ben, "/tables/craps-2/lines", {"line": {"do": "bet", "wager": "field", "amount": "20.00"}})
    first = got(otto, "/reports/tables/craps-2")
    did(dora, "/tables/craps-2/lines", {"line": {"do": "roll", "dice": [5, 2]}})
    second = got(otto, "/reports/tables/craps-2")
    assert second["version"] > first["version"]
    assert [one["periods"][0]["figures"]["win"] for one in (first, second)] == ["0.00", "20.00"]
    anew = reports.ReportWorker(house.running_house.store, house.running_house.house.shelf)._table("craps-2", "day")
    assert anew.version == second["version"]
    assert str(anew.periods[0].expected.win / 100) == second["periods"][0]["exact"]["expected"]


def test_the_house_is_the_sum_of_its_tables(house: Running) -> None:
    ivy = person(house, "ivy")
    tables = [told["table"] for told in got(ivy, "/tables")]
    periods = [period for table in tables for period in got(ivy, f"/reports/tables/{table}?span=year")["periods"]]
    [whole] = got(ivy, "/reports/house?span=year")["periods"]
    assert whole["figures"]["table"] is None
    assert Fraction(whole["exact"]["variance"]) == sum(Fraction(one["exact"]["variance"]) for one in periods)
    assert Fraction(whole["figures"]["win"]) == sum(Fraction(one["figures"]["win"]) for one in periods)


def test_reports_are_csv_as_well(house: Running) -> None:
    ivy = person(house, "ivy")
    told = got(ivy, f"{REPORT}?span=month")
    [period] = rows(ivy, f"{REPORT}?span=month&format=csv")
    assert period["drop"] == told["periods"][0]["figures"]["drop"]
    assert period["expected_exact"] == told["periods"][0]["exact"]["expected"]
    assert float(period["expected"]) == told["periods"][0]["figures"]["expected"]
    [wager] = rows(ivy, f"{REPORT}?format=csv&part=wagers")
    assert (wager["wager"], wager["win"]) == ("win_line", "10.00")
    [standing] = rows(ivy, f"{REPORT}?format=csv&part=open")
    assert (standing["wager"], standing["stake"]) == ("field", "5.00")
    assert rows(ivy, "/reports/house?format=csv&part=wagers")
    assert {tuple(wager), tuple(standing)} == {EMPTY["wagers"], EMPTY["open"]}


def test_the_books_balance_and_are_shown(house: Running) -> None:
    ivy = person(house, "ivy")
    told = got(ivy, "/reports/books")
    assert (told["ok"], told["total"], told["findings"]) == (True, "0.00", [])
    balances = {row["account"]: row["amount"] for row in told["balances"]}
    assert balances["account ann"] == "900.00"
    assert balances["layout at craps-1"] == "5.00"
    assert sum(Fraction(amount) for amount in balances.values()) == 0
    assert {row["account"]: row["amount"] for row in rows(ivy, "/reports/books?format=csv")} == balances
    empty = ivy.get("/reports/books?format=csv&part=findings")
    assert empty.text == "stream,version,sentence\n"


def test_what_does_not_add_up_is_named(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Finding("table/craps-1", 7, "hand ann holds -10.00.")
    true = audited
    monkeypatch.setattr(reports, "audited", lambda streams: (true(streams)[0], [found]))
    ivy = person(house, "ivy")
    told = got(ivy, "/reports/books")
    assert (told["ok"], told["findings"]) == (False, [msgspec.to_builtins(found)])
    [row] = rows(ivy, "/reports/books?format=csv&part=findings")
    assert row == {"stream": "table/craps-1", "version": "7", "sentence": "hand ann holds -10.00."}


@pytest.mark.parametrize(
    ("path", "may"),
    [
        (REPORT, {"mia", "otto", "ivy"}),
        ("/reports/house", {"mia", "otto", "ivy"}),
        ("/reports/books", {"mia", "otto", "ivy"}),
        ("/export", {"otto", "ivy"}),
    ],
)
def test_reports_are_for_those_who_keep_the_books(house: Running, path: str, may: set[str]) -> None:
    statuses = {
        name: person(house, name).get(path).status_code for name in ("ann", "dora", "sam", "mia", "otto", "ivy")
    }
    assert {name for name, status in statuses.items() if status == 200} == may
    assert {status for name, status in statuses.items() if name not in may} == {403}
    assert house.nobody().get(path).status_code == 401


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/reports/tables/nowhere", 404, "no_such_table"),
        ("/reports/house?span=week", 400, "bad_request"),
        ("/reports/books?format=pdf", 400, "bad_request"),
        ("/checkpoints?limit=0", 400, "bad_request"),
    ],
)
def test_what_there_is_not_is_told(house: Running, path: str, status: int, code: str) -> None:
    reply = person(house, "ivy").get(path)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


@pytest.mark.parametrize("refusals", ["false", "true"])
def test_the_export_is_signed_and_verifies(house: Running, tmp_path: Path, refusals: str) -> None:
    ann, otto = person(house, "ann"), person(house, "otto")
    assert ann.do(f"{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": "1.50"}}).status_code == 422
    reply = otto.get(f"/export?refusals={refusals}")
    assert reply.headers["content-type"] == "application/jsonl"
    file = tmp_path / "house.jsonl"
    file.write_bytes(reply.content)
    key = got(otto, "/house")["key"]
    assert verify(file, PublicKey(bytes.fromhex(key))).faults == ()
    footer = msgspec.json.decode(reply.content.splitlines()[-1], type=ExportFooter)
    assert footer.key == key
    assert bool(footer.refusals) is (refusals == "true")
    assert {line.stream for line in ExportLines(file) if hasattr(line, "stream")} >= {"table/craps-1", "account/ann"}


def test_an_altered_export_does_not_verify(house: Running, tmp_path: Path) -> None:
    content = person(house, "otto").get("/export").content
    file = tmp_path / "house.jsonl"
    file.write_bytes(content.replace(b'\\"amount\\":500', b'\\"amount\\":900', 1))
    assert file.read_bytes() != content
    assert verify(file).faults != ()


def test_an_export_leaves_nothing_behind(house: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("croupier.server.api.reports.PIECE", 16)  # so that it is on its way for a while
    assert person(house, "otto").get("/export").content.endswith(b"}\n")
    with person(house, "otto").http.stream("GET", "/api/v1/export") as reply:
        next(reply.iter_raw(10))  # and goes without the rest
    until(lambda: not list(tmp_path.iterdir()))  # it goes just after it was sent


def test_an_export_without_room_is_told_in_a_sentence(
    house: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    reply = person(house, "otto").get("/export")
    assert (reply.status_code, reply.json()["code"]) == (503, "not_stored")
    assert "no room for an export" in reply.json()["message"]


def test_an_export_that_cannot_be_written_tells_nothing_of_the_machine(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(store: object, target: Path, *_: object, **__: object) -> None:
        raise StoreError(f"{target} cannot be written: No space left on device.")

    monkeypatch.setattr(reports, "export_to", full)
    reply = person(house, "otto").get("/export")
    assert reply.status_code == 503
    assert reply.json()["message"] == "An export cannot be written: No space left on device."


def test_a_document_that_cannot_be_read_is_named(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(_: object) -> list[Entry]:
        raise UnknownFormat("Its format is 99.")

    monkeypatch.setattr(reports, "entries", unread)
    reply = person(house, "ivy").get("/reports/books")
    assert (reply.status_code, reply.json()["code"]) == (503, "store_damaged")
    assert "event 1 of account/ann cannot be read: Its format is 99." in reply.json()["message"]


def test_checkpoints_are_for_anybody_page_by_page(house: Running) -> None:
    stranger, ann = house.nobody(), person(house, "ann")

    def two() -> list[dict[str, Any]]:
        did(ann, f"{TABLE}/chips", {"chips": "1.00"})
        whole: list[dict[str, Any]] = got(stranger, "/checkpoints")["entries"]
        return whole if len(whole) >= 2 else []

    whole = until(two)
    page = got(stranger, "/checkpoints?limit=1")
    assert (page["entries"], page["next"]) == (whole[:1], 1)
    assert got(stranger, "/checkpoints?after=1&limit=1")["entries"] == whole[1:2]
    key = got(stranger, "/house")["key"]
    for number, told in enumerate(whole, start=1):
        checkpoint = read_checkpoint(f"{told['statement']}\n{told['signature']}".encode())
        assert (told["number"], told["key"]) == (number, key)
        assert checkpoint.has_good_signature()
        assert "ann" not in told["statement"]


def test_orders_go_on_while_somebody_reckons(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report waits in its thread until an order has been carried out: in the loop, neither would end."""
    begun, ordered = Event(), Event()
    true = audited

    def slow(streams: Any) -> Any:  # noqa: ANN401
        begun.set()
        assert ordered.wait(30), "the order was not carried out meanwhile"
        return true(streams)

    monkeypatch.setattr(reports, "audited", slow)
    ivy, ann = person(house, "ivy"), person(house, "ann")
    replies: list[int] = []
    asking = Thread(target=lambda: replies.append(ivy.get("/reports/books").status_code))
    asking.start()
    assert begun.wait(30)
    did(ann, f"{TABLE}/chips", {"chips": "1.00"})
    ordered.set()
    asking.join(30)
    assert replies == [200]


def test_a_stream_that_makes_no_sense_is_named_and_the_others_are_counted(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = Reports.take_in

    def broken(self: Any, stream: str, entries: Any) -> None:  # noqa: ANN401
        if stream == "table/craps-1":
            raise KeyError("ann")
        true(self, stream, entries)

    monkeypatch.setattr(Reports, "take_in", broken)
    clerk = reports.ReportWorker(house.running_house.store, house.running_house.house.shelf)
    with pytest.raises(CorruptStore, match=r"events 1 to \d+ of table/craps-1 cannot be understood"):
        clerk._table("craps-1", "day")
    assert clerk._table("sic-bo-nsw-2016", "day").version > 0
