"""Receipts in the browser: kept with each bet, compared with each other, downloaded; a house restored from a backup is
detected.
"""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from playwright.sync_api import Locator, Page, expect

from croupier.cli.main import main
from croupier.store.keys import HouseKey, house_key
from croupier.store.receipts import Claim, Receipt, is_signed, issue, read_receipts
from tests.browser.felts import AtFelt
from tests.browser.restarting import Restarting
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running

CRAPS = "craps-nsw-2024"
SIGNED = """async () => {
  const { isSigned } = await import("/web/fairness/receipt.js");
  const { receipts } = await import("/web/fairness/receipts.js");
  const kept = receipts.book.kept;
  const changed = kept.map((one) => ({ ...one, version: one.version + 1 }));
  return [await Promise.all(kept.map(isSigned)), await Promise.all(changed.map(isSigned))];
}"""


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Receipts")


def kept(page: Page) -> int:
    found = re.search(r"(\d+|One) receipts? (?:is|are) kept", card(page).inner_text())
    return 0 if found is None else 1 if found[1] == "One" else int(found[1])


def bet_once(felt: AtFelt) -> None:
    felt.sit_down("200")
    felt.click("Win Line")
    felt.expect_staked("Win Line", "5.00")
    expect(card(felt.page)).to_contain_text("2 receipts are kept in this browser.")


def test_every_bet_leaves_a_receipt_that_can_be_downloaded(house: Running, visit: Visitors, tmp_path: Path) -> None:
    visitor = visit(house, "ann")
    felt = AtFelt(visitor, CRAPS)
    bet_once(felt)
    with felt.page.expect_download() as download:
        card(felt.page).get_by_role("button", name="Download receipts").click()
    file = tmp_path / download.value.suggested_filename
    assert file.name == "croupier.receipts.jsonl"
    download.value.save_as(file)
    receipts = read_receipts(file.read_bytes())
    assert len(receipts) == 2
    assert all(map(is_signed, receipts))
    assert main(["verify", str(tmp_path / "house.db"), "--receipt", str(file)]) == 0
    assert felt.page.evaluate(SIGNED) == [[True, True], [False, False]]
    visitor.axe()
    page = visitor.go("/me")
    expect(card(page)).to_contain_text("2 receipts are kept in this browser.")
    visitor.axe()


def test_who_listens_gets_one_when_bets_are_shut(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), CRAPS)
    bet_once(felt)
    expect(card(felt.page)).to_contain_text(re.compile(r"([3-9]|\d\d+) receipts are kept"), timeout=60_000)
    orders = "async () => (await import('/web/fairness/receipts.js')).receipts.book.kept.map(one => one.order)"
    assert "" in felt.page.evaluate(orders), "one that is for no order: the other is for the number that was shown"


def test_another_key_is_told_in_a_sentence(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann")
    felt = AtFelt(visitor, CRAPS)
    bet_once(felt)
    other = HouseKey.new().public.hex
    felt.page.evaluate(
        """(key) => {
          const book = JSON.parse(localStorage.getItem("croupier-receipts"));
          book.key = key;
          for (const one of book.kept) one.key = key;
          localStorage.setItem("croupier-receipts", JSON.stringify(book));
        }""",
        other,
    )
    felt.page.reload()
    alert = card(felt.page).get_by_role("alert")
    expect(alert).to_contain_text("The house signs with a different key than before")
    expect(alert).to_contain_text(f"not {other[:16]}…")
    visitor.axe()
    expect(card(visitor.go("/me")).get_by_role("alert")).to_contain_text("different key than before")
    card(visitor.page).get_by_role("button", name="Delete them").click()
    expect(card(visitor.page)).to_contain_text("This browser has no receipts yet.")
    expect(card(visitor.page).get_by_role("alert")).to_be_empty()


def test_a_house_that_was_taken_back_is_found_by_the_page(
    restarting: Restarting, visit: Visitors, tmp_path: Path
) -> None:
    """The store is replaced by an older copy: the page asks for what was signed, and the house no longer has it."""
    visitor = visit(restarting, "ann")
    visitor.allow("net::ERR_|status of 4(04|09|22)")
    felt = AtFelt(visitor, CRAPS)
    restarting.kill()
    for name in ("house.db", "house.db-wal"):
        if (tmp_path / name).exists():
            shutil.copy(tmp_path / name, tmp_path / f"{name}.copy")
    restarting.open_again()
    felt.page.reload()
    bet_once(felt)
    restarting.kill()
    for name in ("house.db", "house.db-wal", "house.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
        if (tmp_path / f"{name}.copy").exists():
            shutil.copy(tmp_path / f"{name}.copy", tmp_path / name)
    restarting.open_again()
    visitor.go(f"/tables/{CRAPS}")
    expect(card(felt.page).get_by_role("alert")).to_contain_text(
        re.compile("its record was cut back|has signed two different histories")
    )
    expect(card(felt.page).get_by_role("alert")).to_contain_text("Download your receipts: they prove it.")


UNSIGNED = re.compile(r"^The house sent a receipt for event \d+ without a valid signature. It was not kept\.$")
# Another digit at the end of the signature, in every answer that has a receipt.
FORGED = """() => {
  const fetches = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await fetches(...asked);
    if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
    const told = await answer.json();
    if (told.receipt) told.receipt.signature = told.receipt.signature.replace(/.$/, (one) => (one === "0" ? "1" : "0"));
    return new Response(JSON.stringify(told), { status: answer.status, headers: answer.headers });
  };
}"""


def test_over_plain_http_receipts_are_checked_too(plain_house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(plain_house), CRAPS)
    assert felt.page.evaluate("[window.isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
    felt.sign_in("ann")
    bet_once(felt)
    assert felt.page.evaluate(SIGNED) == [[True, True], [False, False]]
    expect(card(felt.page).get_by_role("alert")).to_be_empty()


def expect_refused(visitor: Visitor) -> None:
    """A receipt that the house did not sign comes with a seat: it is not kept, and the player is told."""
    felt = AtFelt(visitor, CRAPS)
    felt.sign_in("ann")
    felt.page.evaluate(FORGED)
    felt.sit_down("200")
    alert = card(felt.page).get_by_role("alert")
    expect(alert).to_have_text(UNSIGNED)
    expect(card(felt.page)).to_contain_text("This browser has no receipts yet.")
    visitor.axe()
    card(felt.page).get_by_role("button", name="Delete them").click()
    expect(alert).to_be_empty()


def test_a_receipt_with_a_wrong_signature_is_refused(house: Running, visit: Visitors) -> None:
    expect_refused(visit(house))


def test_a_receipt_with_a_wrong_signature_is_refused_over_plain_http(plain_house: Running, visit: Visitors) -> None:
    expect_refused(visit(plain_house))


def test_a_receipt_with_a_wrong_signature_is_refused_without_ed25519(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    visitor.page.add_init_script("crypto.subtle.importKey = async () => { throw new Error() }")
    expect_refused(visitor)


def keep(page: Page, *receipts: Receipt) -> None:
    page.evaluate(
        """async (given) => {
          const { receipts } = await import("/web/fairness/receipts.js");
          for (const one of given) await receipts.keep(one);
          receipts.save();
        }""",
        msgspec.to_builtins(receipts),
    )


def test_two_receipts_for_one_event_are_told_in_a_sentence(house: Running, visit: Visitors, tmp_path: Path) -> None:
    felt = AtFelt(visit(house, "ann"), CRAPS)
    bet_once(felt)
    key, stream = house_key(tmp_path / "house.key"), f"table/{CRAPS}"
    keep(felt.page, *(issue(key, [Claim(stream, 1, bytes([past] * 32))], datetime.now(UTC))[0] for past in (1, 2)))
    expect(card(felt.page).get_by_role("alert")).to_contain_text("The house has signed two different histories")
    assert kept(felt.page) == 4, "both of them are kept"
    felt.page.reload()
    expect(card(felt.page).get_by_role("alert")).to_contain_text("The house has signed two different histories")


def test_what_is_kept_is_bounded(house: Running, visit: Visitors, tmp_path: Path) -> None:
    felt = AtFelt(visit(house, "ann"), CRAPS)
    bet_once(felt)
    key, stream = house_key(tmp_path / "house.key"), f"table/{CRAPS}"
    claims = [Claim(stream, version, bytes(32)) for version in range(1001, 1301)]
    keep(felt.page, *issue(key, claims, datetime.now(UTC)))
    expect(card(felt.page)).to_contain_text("200 receipts are kept in this browser.")
