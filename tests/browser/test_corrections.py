"""A corrected result in the browser: shown before it is confirmed, and to anyone who comes to the table later."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.consoles import AtConsole
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import DESKTOP, PHONE, Look, every_size, fits
from tests.browser.visiting import Visitors
from tests.serving import Running

CRAPS = "craps-nsw-2024"


class Wrong:
    """Ann has bet on the Field and on Any Seven, and a 6 was settled though the dice showed a 7."""

    def __init__(self, house: Running, visit: Visitors, look: Look = DESKTOP) -> None:
        self.table = dealt_table(house, CRAPS, min="1.00")
        self.sam = AtConsole(visit(house, "sam", look), self.table)
        self.sam.take_post("supervisor")
        self.dora = AtConsole(visit(house, "dora"), self.table)
        self.dora.take_post()
        self.ann = AtFelt(visit(house, "ann", PHONE), self.table)
        self.ann.sit_down("100")
        self.ann.bet("Field", "Any Seven")
        expect(self.dora.page.locator(".felt .stack")).to_have_count(2)  # the console has heard of both chips
        self.dora.out()
        self.dora.put_in((4, 2))
        self.dora.again()
        expect(self.sam.page.locator(".results li")).to_have_count(1)

    def begin(self, *right: int) -> None:
        """Sam starts the correction and enters the right faces."""
        self.sam.step("Correct the result 4-2").click()
        self.sam.put_in(right)


def _cells(page: Page) -> list[str]:
    return page.locator(".preview table tr").all_inner_texts()


def test_what_a_correction_changes_is_seen_before_it_is_confirmed(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    sam, before = wrong.sam, wrong.dora.told()["chips"]
    wrong.begin(4, 3)
    preview = sam.page.locator(".preview")
    expect(preview.locator("caption")).to_have_text("If 4-2 becomes 4-3")
    assert _cells(sam.page) == [
        "Player\t4-2 gave\t4-3 gives\tDifference",
        "1 ann\t−10.00\t+15.00\t+25.00",
        "in hand 90.00 → 115.00",
        "House\t−25.00",
    ]
    expect(preview).to_contain_text("Puck: ON 6 → OFF")
    assert wrong.dora.told()["chips"] == before, "nothing has happened yet"
    sam.page.locator(".confirm").click()
    expect(sam.step("Correct the result 4-3")).to_be_visible()
    expect(preview).to_be_hidden()
    assert wrong.dora.told()["chips"] == {"ann": "115.00"}


def test_a_preview_follows_the_faces_and_the_table(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    sam = wrong.sam
    sam.visitor.allow("status of 422")
    wrong.begin(4, 2)
    expect(sam.page.locator(".preview")).to_contain_text("The result was settled with these faces.")
    expect(sam.page.locator(".confirm")).to_be_disabled()
    sam.page.keyboard.press("Backspace")
    expect(sam.page.locator(".preview")).to_be_hidden()
    sam.page.keyboard.press("3")
    expect(sam.page.locator(".preview")).to_contain_text("in hand 90.00 → 115.00")
    wrong.ann.bet("Come")  # which needs the point that 4-2 had made
    expect(sam.page.locator(".preview")).to_contain_text("ann, 5.00 on Come, made since, is returned.")
    expect(sam.page.locator(".preview")).to_contain_text("in hand 85.00 → 115.00, on the felt 5.00 → 0.00")


def test_while_a_result_is_corrected_nothing_else_can_be_pressed(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    sam = wrong.sam
    expect(sam.page.get_by_role("button", name=re.compile("^no roll"))).to_be_visible()
    sam.step("Correct the result 4-2").click()
    expect(sam.page.get_by_role("button", name=re.compile("^no roll"))).to_be_hidden()
    sam.page.keyboard.press("v")
    expect(sam.page.get_by_role("dialog")).to_have_count(0)
    sam.page.keyboard.press("Escape")
    expect(sam.page.get_by_role("button", name=re.compile("^no roll"))).to_be_visible()


def test_what_an_invalid_result_changes_is_seen_before_it_is_called(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    sam, before = wrong.sam, wrong.dora.told()["chips"]
    sam.page.locator(".others .danger").click()
    sheet = sam.page.get_by_role("dialog")
    sheet.locator('input[name=ground][value="10.5.2"]').check()
    preview, call = sheet.locator(".preview"), sheet.locator("button[type=submit]")
    expect(preview.locator("caption")).to_have_text("If 4-2 is invalid")
    expect(preview).to_contain_text("in hand 90.00 → 100.00")
    expect(call).to_be_in_viewport()
    sheet.get_by_role("checkbox", name="ann").check()  # her wagers are off the felt, and she can be named all the same
    expect(preview).to_contain_text("No chips change.")
    sheet.get_by_role("checkbox", name="ann").uncheck()
    expect(preview).to_contain_text("in hand 90.00 → 100.00")
    sam.visitor.axe()
    assert wrong.dora.told()["chips"] == before, "nothing has happened yet"
    call.click()
    expect(sheet).to_have_count(0)
    expect(sam.page.locator(".results li").first).to_contain_text("was 4-2")
    assert wrong.dora.told()["chips"] == {"ann": "100.00"}


def test_an_invalid_result_that_cannot_be_is_refused_before_it_is_called(house: Running, visit: Visitors) -> None:
    sam = AtConsole(visit(house, "sam"), dealt_table(house, CRAPS))
    sam.visitor.allow("status of 422")
    sam.take_post("supervisor")
    sam.page.locator(".others .danger").click()
    sheet = sam.page.get_by_role("dialog")
    sheet.locator('input[name=ground][value="10.5"]').check()
    expect(sheet.locator(".preview")).to_contain_text("Nothing has been thrown")
    expect(sheet.locator("button[type=submit]")).to_be_disabled()


def test_what_won_goes_dark_when_the_dice_go_out(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    pages = (wrong.sam.page, wrong.dora.page, wrong.ann.page)
    for page in pages:
        expect(page.locator(".felt .area.won")).not_to_have_count(0)
    wrong.dora.out()
    for page in pages:
        expect(page.locator(".felt .area.won")).to_have_count(0)
    wrong.dora.put_in((6, 6))
    for page in pages:
        expect(page.locator(".felt .area.won")).to_have_count(0)
    wrong.ann.turn_to("Field")
    wrong.dora.again()
    for page in pages:
        expect(page.locator('.felt .area.won[aria-label^="Field,"]')).to_be_visible()


def test_a_dealer_is_told_who_corrects_a_result(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    hint = wrong.dora.page.locator(".pay .hint")
    expect(hint).to_contain_text(
        "Until the next throw begins, the casino supervisor or the casino operator can correct it."
    )
    expect(wrong.sam.page.locator(".pay .hint")).to_be_hidden()  # who may do it has the button
    wrong.dora.out()
    expect(hint).to_be_hidden()  # it is too late then
    wrong.dora.void("5.1")
    expect(wrong.dora.page.locator(".pay h2")).to_contain_text("no roll")
    expect(hint).to_be_hidden()  # no one entered anything


def test_a_result_whose_loss_was_made_good_is_no_longer_to_be_corrected(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    hint = wrong.dora.page.locator(".pay .hint")
    expect(hint).to_be_visible()
    said = {"Case name": "a1", "About what": "there were two chips"}
    wrong.ann.do("Raise the dispute", said)
    due = {"Amount": "5.00", "Decision": "the camera shows two"}
    wrong.sam.do_in_case("a1", "Decide the dispute … with …", due, how="Decide that … is due in … because …")
    expect(hint).to_be_hidden()
    expect(wrong.sam.page.locator(".pay .hint")).to_be_hidden()


def test_the_floor_sees_what_a_correction_changes(house: Running, visit: Visitors) -> None:
    Wrong(house, visit)
    mia = visit(house, "sam")
    page = mia.go("/floor")
    page.get_by_role("button", name="Supervise Dealt").click()
    page.get_by_role("button", name="Correct the result 4-2 …").click()
    sheet = page.get_by_role("dialog").last
    for name in ("4, 1 of 2", "3, 2 of 2"):
        sheet.get_by_role("radio", name=name).check()
    expect(sheet.locator(".preview")).to_contain_text("in hand 90.00 → 115.00")
    expect(sheet.get_by_role("button", name="Do it")).to_be_enabled()
    mia.axe()


def test_whoever_opens_the_table_later_sees_what_was_corrected(house: Running, visit: Visitors) -> None:
    wrong = Wrong(house, visit)
    wrong.begin(4, 3)
    wrong.sam.page.locator(".confirm").click()
    told = "Result corrected: 4 and 2 becomes 4 and 3"
    ann = wrong.ann.page
    for _ in ("live", "opened again"):
        expect(ann.locator(".status .corrected")).to_have_text(told)
        expect(ann.locator(".status .corrected-change")).to_have_text("For you: −10.00 becomes +15.00")
        calls = ann.locator(".calls")
        for line in (told, "Field: the 5.00 it lost is restored", "Any Seven wins: 5.00 pays 20.00"):
            expect(calls).to_contain_text(line)
        ann.reload()
    fits(ann)
    ben = AtFelt(visit(house, "ben"), wrong.table)
    expect(ben.page.locator(".status .corrected")).to_have_text(told)
    expect(ben.page.locator(".status .corrected-change")).to_be_hidden()
    wall = visit(house).go(f"/display/{wrong.table}")
    expect(wall.locator(".display-corrected")).to_have_text(told)
    for console in (wrong.dora, wrong.sam):
        console.page.reload()
        expect(console.page.locator(".results li").first).to_contain_text("was 4-2")
        expect(console.page.locator("section.pay h2")).to_contain_text("Correction")

    wrong.ann.bet("Field")  # the next throw is no one's mistake
    wrong.dora.out()
    wrong.dora.put_in((1, 2))
    wrong.dora.again()
    expect(ann.locator(".status .result .faces")).to_have_attribute("aria-label", "1 and 2")
    for part in (".corrected", ".corrected-change"):
        expect(ann.locator(f".status {part}")).to_be_hidden()


@every_size
def test_a_preview_can_be_read_on_every_screen(house: Running, visit: Visitors, look: Look) -> None:
    wrong = Wrong(house, visit, look)
    wrong.begin(4, 3)
    expect(wrong.sam.page.locator(".preview")).to_contain_text("in hand 90.00 → 115.00")
    fits(wrong.sam.page)
    wrong.sam.visitor.axe_by_day_and_night()
