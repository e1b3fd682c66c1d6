"""The checker in a browser: the golden vectors in the page itself, from disk and from a house, as people see it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, Request, expect

from croupier.fault_simulation.dishonest.cheats import _withhold_from_many
from croupier.fault_simulation.dishonest.players import Defences, Trial
from croupier.rulebooks import ids
from croupier.store.keys import HouseKey
from croupier.store.receipts import Claim, issue, line_of
from croupier.web import checker
from tests.browser.accessibility import axe, axe_by_day_and_night
from tests.browser.felts import AtFelt, quick_table
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.visiting import PATIENCE_MS, Visitors
from tests.golden.reading import Plain, compared_record, file_of, receipts_file, rows
from tests.serving import Running
from tests.tables import SHELF
from tools.checker import NotBuilt, build

CRAPS = "craps-nsw-2024"
LINES = 100_000
LONG_MS = 60_000
RECORDS, DRAWS = rows("dice", "records"), rows("draws", "records")

# How a vector is worked out in the page.
_THROW = """row => {
    const mix = row.protocol === 1
        ? Uint8Array.from(row.shut.match(/../g), two => parseInt(two, 16))
        : checker.mixed(row.table, row.round, row.commitments, row.numbers);
    const sides = row.sides ?? row.faces.length;
    return {
        commitment: checker.commitment(row.protocol, row.table, row.round, row.secret),
        fell: checker.decidingWords(row.secret, mix, sides, row.throw).map(word =>
            row.faces ? row.faces[word % sides] : word % sides + 1),
    };
}"""
_SIGNED = """async line => {
    const bytes = text => Uint8Array.from(text.match(/../g), two => parseInt(two, 16));
    const receipt = checker.receiptOf(line);
    const given = [bytes(receipt.key), bytes(receipt.signature), checker.signedOf(receipt)];
    return [await checker.hasSignedByBrowser(...given), checker.hasSignedByHand(...given)];
}"""
_FAULTS = "() => [...document.querySelectorAll('[data-fault]')].map(one => one.dataset.fault).filter(Boolean)"


def payloads(files: Sequence[bytes]) -> list[FilePayload]:
    """Files as a file dialog returns them: `1.jsonl`, `2.jsonl`."""
    return [{"name": f"{at}.jsonl", "mimeType": "", "buffer": file} for at, file in enumerate(files, 1)]


class FromDisk:
    """The page opened from disk, and everything it requested."""

    def __init__(self, browser: Browser, file: Path, look: Look = DESKTOP) -> None:
        self.context = browser.new_context(**look.options())
        self.context.set_default_timeout(PATIENCE_MS)
        self.asked: list[str] = []
        self.wrong: list[str] = []
        self.context.on("request", lambda request: self._request(request))
        self.context.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)
        self.context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        self.page: Page = self.context.new_page()
        self._url = file.as_uri()
        self.open()

    def _request(self, request: Request) -> None:
        if request.url != self._url and not request.url.startswith("data:"):
            self.asked.append(request.url)

    def open(self) -> None:
        """Open the page."""
        self.page.goto(self._url)
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Check it yourself.")

    def drop(self, *files: bytes) -> None:
        """Choose files."""
        self.page.locator("input[type=file]").set_input_files(payloads(files))
        expect(self.page.locator("progress")).to_have_count(0)

    @property
    def verdict(self) -> str:
        """The verdict shown: good, bad, a note, or wait."""
        kinds = self.page.locator(".verdict").first.get_attribute("class") or ""
        return kinds.split()[1]

    @property
    def faults(self) -> set[str]:
        found: list[str] = self.page.evaluate(_FAULTS)
        return set(found)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(tmp_path_factory.mktemp("checker")) / "checker.html"
    path.write_bytes(checker())
    return path


@pytest.fixture(scope="module")
def opened(browser: Browser, file: Path) -> Iterator[FromDisk]:
    """One page for many vectors. It requests nothing, and has no faults."""
    disk = FromDisk(browser, file)
    yield disk
    disk.context.close()
    assert (disk.asked, disk.wrong) == ([], [])


@pytest.fixture
def disk(opened: FromDisk) -> FromDisk:
    opened.open()
    return opened


def test_it_is_what_its_sources_make() -> None:
    try:
        page = build()
    except NotBuilt as why:
        pytest.skip(str(why))
    assert page == checker(), "The sources of the checker have changed: `make checker` puts it together again."


# -- golden vectors ---------------------------------------------------------------------------------------------------


def test_throws(opened: FromDisk) -> None:
    for row in rows("dice", "throws"):
        worked_out = opened.page.evaluate(_THROW, row)
        assert worked_out == {"commitment": row["commitment"], "fell": row["fell"]}, row["name"]


def test_players_numbers(opened: FromDisk) -> None:
    for row in rows("dice", "numbers"):
        sealed = opened.page.evaluate("row => checker.numberCommitment(row.table, row.round, row.number)", row)
        assert sealed == row["commitment"]


def test_signatures_by_the_browser_and_by_hand(opened: FromDisk) -> None:
    for row in rows("receipts", "receipts"):
        is_signed = row["fault"] != "signature"
        assert opened.page.evaluate(_SIGNED, json.dumps(row["receipt"])) == [is_signed, is_signed], row["name"]


def test_records(opened: FromDisk) -> None:
    for row in RECORDS:
        opened.open()
        opened.drop(file_of(row))
        assert (opened.verdict != "bad") == row["good"], row["name"]
        assert opened.faults >= set(row["faults"]), row["name"]
        assert bool(opened.faults) != row["good"], row["name"]


def test_draws(opened: FromDisk) -> None:
    for row in DRAWS:
        opened.open()
        opened.drop(file_of(row))
        assert (opened.verdict != "bad") == row["good"], row["name"]
        assert opened.faults == set(row["faults"]), row["name"]
        for prize, number in row.get("holders", {}).items():
            won = opened.page.locator(".winners li").nth(int(prize) - 1)
            expect(won).to_contain_text("No one" if number is None else f"Entry {number}")


def test_receipts_against_a_record(opened: FromDisk) -> None:
    for row in rows("receipts", "against"):
        opened.open()
        opened.drop(file_of(compared_record()), receipts_file(row["receipt"]))
        assert (opened.verdict == "bad") == (row["fault"] in ("forked", "shorter")), row["name"]
        assert opened.faults == ({row["fault"]} if row["fault"] else set()), row["name"]


def test_receipts_against_each_other(opened: FromDisk) -> None:
    for row in rows("receipts", "pairs"):
        opened.open()
        opened.drop(receipts_file(*row["receipts"]))
        assert (opened.verdict == "bad") == row["convicts"], row["name"]


def test_what_is_no_receipt_is_a_sentence(opened: FromDisk) -> None:
    for row in rows("receipts", "malformed"):
        opened.open()
        opened.drop(row["line"].encode() + b"\n")
        expect(opened.page.get_by_role("alert")).to_have_text(re.compile(r"^1\.jsonl: This is n[\w ,’]+\.$"))
        assert opened.page.locator(".verdict").count() == 0, row["name"]


def test_a_browser_without_ed25519_checks_by_hand(browser: Browser, file: Path) -> None:
    disk = FromDisk(browser, file)
    disk.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    good, bad = (
        next(row for row in rows("receipts", "receipts") if row["good"] is is_good) for is_good in (True, False)
    )
    for row in (good, bad):
        disk.open()
        disk.drop(receipts_file(row["receipt"]))
        assert disk.verdict == ("good" if row["good"] else "bad")
    disk.context.close()
    assert disk.wrong == []


# -- files ------------------------------------------------------------------------------------------------------------

BAD_FILES = {
    "nothing": (b"", "The file is empty."),
    "a picture": (
        b"\x89PNG\r\n\x1a\n\x00\x00\xff",
        "This is neither a table’s record, nor a prize draw, nor a receipt.",
    ),
    "a list": (b"[1, 2]\n", "This is neither a table’s record, nor a prize draw, nor a receipt."),
    "null": (b"null\n", "This is neither a table’s record, nor a prize draw, nor a receipt."),
    "an export": (
        b'{"croupier":"export","format":1}\n',
        "This is an export of a whole house. `croupier verify` checks it.",
    ),
    "another format": (
        b'{"record":"croupier public record","format":9}\n',
        "This page does not know the format of this record.",
    ),
    "no table": (
        b'{"record":"croupier public record","format":1,"stream":"house","faces":[1,2],"throw":1}\n',
        "Its first line names no table.",
    ),
    "no dice": (
        b'{"record":"croupier public record","format":1,"stream":"table/x","faces":[],"throw":1}\n',
        "Its first line does not say what is thrown.",
    ),
    "a line of something else": (
        b'{"record":"croupier public record","format":1,"stream":"table/x","faces":[1,2],"throw":1}\n{"a":1}\n',
        "Line 2 is not a line of a table’s record.",
    ),
    "nested deeply": (b"[" * 200_000, "This is neither a table’s record, nor a prize draw, nor a receipt."),
    "markup": (b"<img src=x onerror=alert(1)>", "This is neither a table’s record, nor a prize draw, nor a receipt."),
}


@pytest.mark.parametrize(("content", "sentence"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_one_sentence(disk: FromDisk, content: bytes, sentence: str) -> None:
    disk.drop(content)
    expect(disk.page.get_by_role("alert")).to_have_text(f"1.jsonl: {sentence}")
    expect(disk.page.get_by_role("heading", level=1)).to_have_text("Check it yourself.")


@pytest.mark.parametrize(
    "event", [None, 1, "x", [], {}, {"type": 7}, {"type": "thrown"}, {"type": "number_shown"}], ids=str
)
def test_no_event_brings_it_down(disk: FromDisk, event: Any) -> None:  # noqa: ANN401  # whatever a file holds
    lines = [json.loads(line) for line in compared_record()["lines"]]
    for at in (5, 20):
        shown = {key: lines[at][key] for key in ("version", "sha256", "hash")}
        lines[at] = shown | {"event": event}
    disk.drop("".join(json.dumps(line) + "\n" for line in lines).encode())
    assert disk.verdict == "bad"


@pytest.mark.parametrize(
    "event", [{}, {"type": "bets_shut"}, {"type": "dice_drawn", "number": 1, "faces": {"a": 1}}], ids=str
)
def test_no_document_brings_it_down(disk: FromDisk, event: Plain) -> None:
    lines = [json.loads(line) for line in compared_record()["lines"]]
    for line in lines[12:16]:
        line.update(document=json.dumps({"at": "x", "event": event}))
        line.pop("event", line.pop("type", None))
    disk.drop("".join(json.dumps(line) + "\n" for line in lines).encode())
    assert disk.verdict == "bad"


def test_files_are_dropped_anywhere_on_the_page(disk: FromDisk) -> None:
    script = """([record, receipt]) => {
        const files = new DataTransfer();
        files.items.add(new File([record], "record.jsonl"));
        files.items.add(new File([receipt], "receipts.jsonl"));
        const drop = type => document.querySelector("footer").dispatchEvent(
            new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
        drop("dragover");
        const isOver = document.body.classList.contains("over");
        drop("drop");
        return isOver;
    }"""
    receipt = rows("receipts", "against")[0]["receipt"]
    texts = [file_of(compared_record()).decode(), receipts_file(receipt).decode()]
    assert disk.page.evaluate(script, texts)
    expect(disk.page.get_by_role("heading", name="All 3 throws check out.")).to_be_visible()
    expect(disk.page.get_by_role("heading", name="This receipt is good.")).to_be_visible()
    expect(disk.page.get_by_text("its record still says the same")).to_be_visible()


def test_receipts_may_come_after_their_record(disk: FromDisk) -> None:
    disk.drop(file_of(compared_record()))
    disk.drop(receipts_file(rows("receipts", "against")[3]["receipt"]))
    expect(disk.page.get_by_role("heading", level=1)).to_have_text(
        ["This receipt proves it: the record was changed.", "This is not the record that was signed."]
    )
    expect(disk.page.get_by_text("your receipt is for a different history")).to_be_visible()


def key_field(page: Page) -> Locator:
    return page.get_by_label("The house’s key")


def test_from_disk_receipts_are_held_against_the_key_that_is_entered(disk: FromDisk) -> None:
    receipt = rows("receipts", "against")[0]["receipt"]
    disk.drop(file_of(compared_record()), receipts_file(receipt))
    page = disk.page
    expect(page.get_by_text("The signature fits the key.")).to_be_visible()
    expect(page.get_by_text("A receipt counts only if it was signed with the house’s key.")).to_be_visible()
    key_field(page).fill(HouseKey.new().public.hex)
    key_field(page).press("Enter")
    expect(page.get_by_role("heading", name="The house has not signed this.")).to_be_visible()
    expect(page.get_by_text("Its key is not the one that you entered.")).to_be_visible()
    assert (disk.verdict, disk.faults) == ("bad", {"key"})
    expect(page.get_by_role("heading", name="All 3 throws check out.")).to_be_visible()
    key_field(page).fill("what")
    key_field(page).press("Enter")
    expect(page.get_by_role("alert")).to_have_text("A key has 64 digits: 0 to 9, a to f.")
    key_field(page).fill(f" {receipt['key'][:32].upper()} {receipt['key'][32:]} ")
    key_field(page).press("Enter")
    expect(page.get_by_role("heading", name="This receipt is good.")).to_be_visible()
    expect(page.get_by_text("Every receipt was compared with the key that you entered.")).to_be_visible()
    expect(page.get_by_text("the house said this, and cannot take it back")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert disk.faults == set()


def test_a_key_that_is_not_the_houses_convicts_nobody(disk: FromDisk) -> None:
    """Two different records under another key say nothing about the house whose key is known."""
    pair = next(row["receipts"] for row in rows("receipts", "pairs") if row["convicts"])
    disk.drop(receipts_file(*pair))
    expect(disk.page.get_by_role("heading", name="The house signed two different histories.")).to_be_visible()
    key_field(disk.page).fill(HouseKey.new().public.hex)
    key_field(disk.page).press("Enter")
    expect(disk.page.get_by_role("heading", name="The house has not signed 2 of 2 receipts.")).to_be_visible()


def test_another_record_takes_the_place_of_the_first(disk: FromDisk) -> None:
    disk.drop(*golden("protocol 2", "!what the record has"))
    disk.drop(*golden("protocol 2, coins"))
    expect(disk.page.get_by_role("heading", level=1)).to_have_text(
        ["All 3 throws check out.", "Signed, but for another table."]
    )
    expect(disk.page.locator(".columns").first).to_contain_text("two-up.golden")


def test_all_of_it_by_keyboard(browser: Browser, file: Path) -> None:
    disk = FromDisk(browser, file)
    page = disk.page
    page.on("filechooser", lambda _: None)  # so that the browser hands it over well before the key is pressed
    page.bring_to_front()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Choose files")).to_be_focused()
    with page.expect_file_chooser() as chosen:
        page.keyboard.press("Space")
    chosen.value.set_files(payloads([file_of(compared_record())]))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("spinbutton", name="Round")).to_be_focused()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.get_by_text("2 players each sealed a number")).to_be_visible()
    disk.context.close()


def test_a_missing_number_is_seen_and_is_no_fault(disk: FromDisk) -> None:
    disk.drop(file_of(compared_record()))
    disk.page.get_by_role("button", name="The round before").click()
    expect(disk.page.get_by_text("2 of 3 numbers came in time. One is missing")).to_be_visible()
    assert disk.verdict == "good"
    disk.page.get_by_text("Show 3 numbers").click()
    expect(disk.page.locator("details[open] code")).to_have_count(3)
    expect(disk.page.locator("details[open] code", has_text="missing")).to_have_count(1)


def test_a_round_without_the_numbers_of_a_full_table_stands_out(disk: FromDisk) -> None:
    """As verify-dice warns: the throw follows from what is there, so it is not a fault."""
    trial = Trial(SHELF, ids()[0], Random(1), Defences())
    assert _withhold_from_many(trial).worked
    disk.drop(b"".join(line.rstrip() + b"\n" for line in trial.house.public()))
    warning = disk.page.get_by_text("Round 15: 6 of 7 numbers missing, more than chance explains.")
    expect(warning).to_have_count(1)
    disk.drop(file_of(compared_record()))
    expect(disk.page.get_by_text("more than chance explains")).to_have_count(0)


def test_what_is_wrong_leads_to_its_round(disk: FromDisk) -> None:
    disk.drop(file_of(next(row for row in RECORDS if row["name"] == "protocol 2: draws other dice")))
    page = disk.page
    page.get_by_role("button", name="The round before").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    page.get_by_role("button", name="Round 2").click()
    expect(page.get_by_role("heading", name="Round 2")).to_be_focused()
    expect(page.locator(".step", has_text="Your device threw again").locator(".tick.bad")).to_have_count(1)
    expect(page.locator(".step .tick.bad")).to_have_count(1)


def test_a_draw_says_who_holds_each_prize_that_was_drawn_right(disk: FromDisk) -> None:
    disk.drop(*golden("passed on to a reserve, then drawn further"))
    won = disk.page.locator(".winners li")
    expect(won.filter(has_text="Next in line: the winner before did not claim it.")).not_to_have_count(0)
    disk.open()
    disk.drop(*golden("bad: other winner"))
    expect(won.filter(has_text="No one")).to_have_count(0)
    expect(disk.page.locator(".verdict")).to_contain_text("Draw 1 must select entry 3, but the record says entry 4.")


def test_the_older_kind_says_what_it_does_not_prove(disk: FromDisk) -> None:
    disk.drop(file_of(next(row for row in RECORDS if row["name"] == "protocol 1")))
    assert disk.verdict == "note"
    expect(disk.page.locator(".verdict")).to_contain_text("do not prove that the house had no choice")


def long_record(lines: int) -> bytes:
    """The record of a table where people have come and gone for a long time."""
    stream = "table/long"
    made = [
        json.dumps({"record": "croupier public record", "format": 1, "stream": stream, "faces": [1, 2], "throw": 1})
    ]
    chain = hashlib.sha256(f"croupier stream\n{stream}".encode()).digest()
    for version in range(1, lines + 1):
        digest = hashlib.sha256(str(version).encode())
        chain = hashlib.sha256(chain + digest.digest()).digest()
        made.append(
            f'{{"version":{version},"sha256":"{digest.hexdigest()}","hash":"{chain.hex()}","type":"player_seated"}}'
        )
    made.append(json.dumps({"count": lines, "head": chain.hex()}))
    return "\n".join(made).encode() + b"\n"


def test_a_large_record_does_not_freeze_the_page(disk: FromDisk, tmp_path: Path) -> None:
    page = disk.page
    record = tmp_path / "long.jsonl"
    record.write_bytes(long_record(LINES))
    page.evaluate("""() => {
        globalThis.longest = 0;
        let last = performance.now();
        const tick = () => {
            globalThis.longest = Math.max(globalThis.longest, performance.now() - last);
            last = performance.now();
            setTimeout(tick);
        };
        setTimeout(tick);
        globalThis.seen = new Set();
        new MutationObserver(() => {
            const bar = document.querySelector("progress");
            if (bar) globalThis.seen.add(bar.value);
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    page.locator("input[type=file]").set_input_files(record)
    expect(page.get_by_text(f"{LINES:,}")).to_be_visible(timeout=LONG_MS)
    assert len(page.evaluate("[...seen]")) > 5, "it says how far it has come"
    assert page.evaluate("longest") < 1000


# -- as people see it -------------------------------------------------------------------------------------------------


def golden(*names: str) -> list[bytes]:
    """Records by name, and receipts by name with a prefix."""
    found = {row["name"]: file_of(row) for row in (*RECORDS, *DRAWS)}
    found |= {f"!{row['name']}": receipts_file(row["receipt"]) for row in rows("receipts", "against")}
    return [found[name] for name in names]


STATES: dict[str, Sequence[str]] = {
    "empty": (),
    "good": ("protocol 2",),
    "older": ("protocol 1",),
    "coins": ("protocol 2, coins",),
    "bad": ("protocol 2: leaves a shown number out",),
    "broken": ("somebody changes a hash",),
    "cancelled": ("a round cancelled without a bet",),
    "draw": ("passed on to a reserve, then drawn further",),
    "bad draw": ("bad: other winner",),
    "receipt": ("!what the record has",),
    "convicted": ("protocol 2", "!another hash"),
}


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
def test_every_state_is_accessible_and_fits(browser: Browser, file: Path, look: Look) -> None:
    disk = FromDisk(browser, file, look)
    for names in STATES.values():
        disk.open()
        if names:
            disk.drop(*golden(*names))
        for closed in disk.page.locator("summary").all():
            closed.click()
        axe_by_day_and_night(disk.page)
        fits(disk.page)
    disk.open()
    disk.drop(b"nothing of ours")
    axe_by_day_and_night(disk.page)
    disk.context.close()
    assert (disk.asked, disk.wrong) == ([], [])


# -- at a house -------------------------------------------------------------------------------------------------------


def test_every_result_on_the_felt_leads_to_its_check(house: Running, visit: Visitors) -> None:
    table = quick_table(house, CRAPS)
    felt = AtFelt(visit(house, "ann"), table)
    felt.sit_down()
    felt.bet("Field")
    felt.page.get_by_text("See a throw again").click(timeout=LONG_MS)
    listed = felt.page.locator(".checks").get_by_role("link")
    expect(listed.first).to_have_text(re.compile(r"^Round 1: \w+"))
    expect(listed.first).to_have_attribute("href", f"/tables/{table}/rounds/1")
    expect(felt.page.locator(".roads a.roll").first).to_have_attribute("href", f"/tables/{table}/rounds/1")
    link = felt.page.locator(".checks").get_by_role("link", name="Check round 1")
    expect(link).to_have_attribute("href", f"/check?table={table}&round=1")
    felt.visitor.axe()
    with felt.page.expect_popup() as popped:
        link.click()
    page = popped.value
    expect(page.get_by_role("heading", level=1)).to_have_text("This throw checks out.")
    expect(page.get_by_role("heading", level=2, name="Round 1")).to_be_visible()
    expect(page.locator(".step .tick.bad")).to_have_count(0)
    axe(page)


def test_at_a_house_receipts_are_held_against_the_key_that_it_shows(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = visitor.go(f"/check?table={CRAPS}")
    told = visitor.context.request.get(f"/api/v1/tables/{CRAPS}/receipts/1").body()
    page.locator("input[type=file]").set_input_files(payloads([told]))
    expect(page.get_by_role("heading", name="This receipt is good.")).to_be_visible()
    expect(page.get_by_text("Every receipt was compared with the key that this house shows.")).to_be_visible()
    expect(key_field(page)).to_have_value(json.loads(told)["key"])
    other = issue(HouseKey.new(), [Claim(f"table/{CRAPS}", 1, bytes(32))], datetime.now(UTC))
    page.locator("input[type=file]").set_input_files(payloads([line_of(other[0])]))
    expect(page.get_by_role("heading", name="The house has not signed 1 of 2 receipts.")).to_be_visible()
    expect(page.get_by_text("Its key is not the one that this house shows.")).to_be_visible()
    axe(page)


def test_what_the_house_showed_can_be_saved(house: Running, visit: Visitors, tmp_path: Path) -> None:
    visitor = visit(house)
    page = visitor.page
    with page.expect_response(f"**/tables/{CRAPS}/record") as asked:
        visitor.go(f"/check?table={CRAPS}")
    shown = asked.value.body()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the record").click()
    assert download.value.suggested_filename == f"{CRAPS}.jsonl"
    saved = tmp_path / "saved.jsonl"
    download.value.save_as(saved)
    assert saved.read_bytes() == shown
    axe(page)
    page.locator("input[type=file]").set_input_files(saved)
    expect(page.get_by_role("link", name="Save the record")).to_have_count(0)
    expect(page.get_by_role("heading", name="The whole record")).to_be_visible()


def test_a_round_that_is_not_there_and_a_table_that_is_not_there(house: Running, visit: Visitors) -> None:
    table = quick_table(house, CRAPS)
    visitor = visit(house)
    page = visitor.go(f"/check?table={table}&round=999")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such round.")
    visitor.allow("status of 404")
    page = visitor.go("/check?table=nowhere&round=1")
    say = "The house does not provide the record of nowhere. If you have the file, drop it here."
    expect(page.get_by_role("alert")).to_have_text(say)


def test_a_table_where_people_throw(house: Running, visit: Visitors) -> None:
    mia = house.person("mia")
    assert mia.do("/tables", {"table": "dealt", "title": "Dealt", "line": {"book": CRAPS}}).status_code == 200
    page = visit(house).go("/check?table=dealt&round=1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing to throw again.")
