"""The past of a table in a browser: panels below the felt, the page of a round, and the seal with its check."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.accessibility import axe_by_day_and_night
from tests.browser.felts import CALLED_WITHIN_MS, AtFelt, dealt_table, quick_table
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.visiting import Visitors
from tests.serving import Running, did, got

CRAPS, SIC_BO = "craps-nsw-2024", "sic-bo-nsw-2016"
ROLLS = ((1, 1), (4, 4), (6, 5), (3, 4), (2, 1))


def said(house: Running, who: str, **line: object) -> None:
    did(house.person(who), "/tables/dealt/lines", {"line": line})


def dealt(house: Running) -> str:
    """A dealt table at which ann has bet on five rolls of the house."""
    dealt_table(house, CRAPS, min="1.00")
    did(house.person("dora"), "/tables/dealt/post", {"role": "dealer"})
    for name in ("ann", "ben"):
        did(house.person(name), "/tables/dealt/seat", {"chips": "100.00"})
    for dice in ROLLS:
        said(house, "ann", do="bet", wager="field", amount="10.00")
        said(house, "ben", do="bet", wager="field", amount="7.00")
        said(house, "dora", do="roll", dice=list(dice))
    return "dealt"


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def saved(page: Page) -> list[list[str]]:
    """The open panel's figures as a file."""
    with page.expect_download() as download:
        page.locator(".history [role=tabpanel]:not([hidden])").get_by_role("button", name="Download CSV").click()
    return list(csv.reader(StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))


# Panels


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_every_panel_says_what_the_house_counts(house: Running, visit: Visitors, look: Look) -> None:
    table = dealt(house)
    felt = AtFelt(visit(house, "ann", look), table)
    page = felt.page
    tab(page, "Totals").click()
    seven = page.locator(".bar").nth(5)
    expect(seven).to_have_text("17")  # one, under it the seven
    expect(page.get_by_role("img", name=re.compile("7: 1"))).to_be_visible()
    assert saved(page)[:3] == [["Result", "Last 48", "Last 200", "All"], ["2", "1", "1", "1"], ["3", "1", "1", "1"]]
    page.get_by_role("button", name="Last 200").click()
    expect(page.get_by_role("button", name="Last 200")).to_have_attribute("aria-pressed", "true")
    tab(page, "Longest hand").click()
    expect(page.locator(".hand").first).to_contain_text("3 rolls")
    expect(page.locator(".hand").nth(1)).to_contain_text("You have not thrown here yet.")
    tab(page, "Session").click()
    facts = page.locator(".session-facts")
    expect(facts).to_contain_text("Best moment+20.00")
    points = got(house.person("ann"), "/tables/dealt/visit")["points"]
    assert [row[2:] for row in saved(page)] == [["Chips", "Net"]] + [[one["chips"], one["net"]] for one in points]
    page.get_by_text("As a table").last.click()
    rows = page.locator("#panel-session tbody tr")
    expect(rows).to_have_count(len(ROLLS))
    expect(rows.first).to_contain_text("120.00")
    axe_by_day_and_night(page)
    fits(page)


def test_a_session_survives_a_reload_and_goes_on(house: Running, visit: Visitors) -> None:
    page = AtFelt(visit(house, "ann"), dealt(house)).page
    for _ in range(2):
        tab(page, "Session").click()
        expect(page.get_by_role("img", name=re.compile("^Your chips over 5 results"))).to_be_visible()
        page.reload()
    tab(page, "Session").click()
    expect(page.get_by_role("img", name=re.compile("^Your chips over 5 results"))).to_be_visible()
    said(house, "ann", do="bet", wager="field", amount="10.00")
    said(house, "dora", do="roll", dice=[5, 5])
    expect(page.get_by_role("img", name=re.compile("^Your chips over 6 results"))).to_be_visible()


def test_panels_by_keyboard(house: Running, visit: Visitors) -> None:
    page = AtFelt(visit(house, "ann"), dealt(house)).page
    expect(tab(page, "Longest hand")).to_be_visible()
    tab(page, "Results").focus()
    for name in ("Totals", "Longest hand", "Session", "Results"):
        page.keyboard.press("ArrowRight")
        expect(tab(page, name)).to_be_focused()
        expect(tab(page, name)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(tab(page, "Session")).to_be_focused()


def test_which_panels_there_are_follows_from_the_game(house: Running, visit: Visitors) -> None:
    """Sic Bo passes no dice on, and who does not play has no session."""
    visitor = visit(house)
    with visitor.page.expect_response("**/tables/sic-bo-nsw-2016/counts"):
        page = AtFelt(visitor, SIC_BO).page
    tab(page, "Totals").click()
    expect(page.locator(".bar")).to_have_count(16)
    expect(page.get_by_role("tab")).to_have_text(["Results", "Totals"])


def test_a_long_count_is_shown_when_it_is_done(house: Running, visit: Visitors) -> None:
    table = dealt(house)
    visitor, turns = visit(house, "ann"), iter(range(1, 100))

    def part(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        route.fulfill(response=reply, json=body | ({"counted": 7} if next(turns) < 4 else {}))

    visitor.page.route("**/counts", part)
    page = AtFelt(visitor, table).page
    tab(page, "Totals").click()
    expect(page.locator(".bar")).to_have_count(11)
    assert next(turns) > 4


# Rounds


def test_a_round_is_seen_again_from_a_result_a_call_and_my_book(house: Running, visit: Visitors) -> None:
    table = dealt(house)
    felt = AtFelt(visit(house, "ann"), table)
    version = got(house.nobody(), "/tables/dealt/felt")["results"][1]["version"]
    address = f"/tables/dealt/throws/{version}"
    felt.page.get_by_text("See 5 throws again").click()
    expect(felt.page.locator(".checks").get_by_role("link").nth(3)).to_have_attribute("href", address)
    expect(felt.page.locator(".calls a.again").nth(3)).to_have_attribute("href", address)
    page = felt.visitor.go("/me")
    with page.expect_popup() as popped:
        page.locator(".me-rows a.again").nth(3).click()  # of the same throw, by the event that settled the wager
    page = popped.value
    expect(page.locator(".round-head .faces")).to_have_attribute("aria-label", "4 and 4")


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_a_round_is_replayed_with_its_clauses(house: Running, visit: Visitors, look: Look) -> None:
    dealt(house)
    version = got(house.nobody(), "/tables/dealt/felt")["results"][1]["version"]
    visitor = visit(house, "ann", look)
    page = visitor.go(f"/tables/dealt/throws/{version}")
    expect(page.get_by_role("heading", level=1)).to_have_text("A throw")
    expect(page.locator(".round-head .faces")).to_have_attribute("aria-label", "4 and 4")
    expect(page.locator(".round-net")).to_have_text("For you: −10.00")
    steps = page.locator(".round-steps li")
    expect(steps.filter(has_text="You put 10.00 on Field.")).to_have_count(1)
    lost = steps.filter(has_text="Field loses your 10.00.")
    expect(lost.get_by_role("link")).to_have_text("rule 6.2.17")
    expect(page.get_by_text("ben")).to_have_count(0)
    expect(page.locator(".area[aria-label^='Field,']")).to_have_attribute("aria-label", re.compile("10.00"))
    steps.last.get_by_role("button").click()
    expect(page.locator(".area[aria-label^='Field,']")).not_to_have_attribute("aria-label", re.compile("10.00"))
    page.get_by_role("button", name="Play it again").click()
    expect(page.locator(".round-now")).to_have_text("Field loses your 10.00.", timeout=CALLED_WITHIN_MS)
    axe_by_day_and_night(page)
    fits(page)
    page.get_by_role("link", name="The next").click()
    expect(page.locator(".round-head .faces")).to_have_attribute("aria-label", "6 and 5")
    page.get_by_role("link", name="The one before").click()
    expect(page.locator(".round-head .faces")).to_have_attribute("aria-label", "4 and 4")


@pytest.mark.parametrize(("who", "seen"), [(None, []), ("ben", ["7.00"]), ("sam", ["7.00", "10.00"])], ids=str)
def test_everyone_sees_of_a_round_what_they_could_see_at_the_table(
    house: Running, visit: Visitors, who: str | None, seen: list[str]
) -> None:
    dealt(house)
    version = got(house.nobody(), "/tables/dealt/felt")["results"][1]["version"]
    page = visit(house, who).go(f"/tables/dealt/throws/{version}")
    steps = page.locator(".round-steps")
    expect(steps).to_contain_text("Field")  # that it lost, everyone sees
    text = steps.inner_text()
    assert [amount for amount in ("7.00", "10.00") if amount in text] == seen
    assert ("ann" in text) == (who == "sam")


def test_a_round_that_there_is_not_is_a_sentence(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    visitor.allow("status of 404")
    page = visitor.go(f"/tables/{CRAPS}/rounds/99")
    expect(page.locator("main .problem")).to_have_text("The table has no round 99.")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator(".felt .area").first).to_be_visible()


# The seal


def played(house: Running, visit: Visitors, look: Look = DESKTOP) -> AtFelt:
    """Ann has played a round at an automatic table."""
    felt = AtFelt(visit(house, "ann", look), quick_table(house, SIC_BO))
    felt.sit_down()
    felt.bet("Small")
    felt.page.get_by_text("See a throw again").wait_for(timeout=CALLED_WITHIN_MS)
    return felt


def seal(page: Page) -> Locator:
    return page.locator(".status .seal")


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_the_seal_is_at_the_dice_and_then_the_throw_is_checked(house: Running, visit: Visitors, look: Look) -> None:
    felt = AtFelt(visit(house, "ann", look), quick_table(house, SIC_BO))
    page = felt.page
    felt.sit_down()
    commitment = felt.told()["round"]["commitment"]
    expect(seal(page)).to_have_text(f"Sealed {commitment[:4]}…{commitment[-4:]}")
    seal(page).click()
    dialog = page.get_by_role("dialog", name="Round 1")
    expect(dialog.get_by_role("heading", name="The dice are sealed.")).to_be_visible()
    dialog.get_by_text("Show the digits").first.click()
    expect(dialog.locator("code").first).to_have_text(re.sub("(....)(?=.)", r"\1 ", commitment))
    axe_by_day_and_night(page)
    page.keyboard.press("Escape")
    felt.bet("Small")
    expect(seal(page)).to_have_text("Checked on this device", timeout=CALLED_WITHIN_MS)
    seal(page).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Round [12]$"))
    expect(dialog).to_be_visible()
    fits(page)


def test_the_check_of_a_throw_is_seven_sentences(house: Running, visit: Visitors) -> None:
    felt = played(house, visit)
    page = felt.visitor.go("/tables/quick/rounds/1")
    page.get_by_role("button", name="Check this throw").click()
    expect(page.get_by_role("heading", name="This throw checks out.")).to_be_visible()
    expect(page.locator(".check-step")).to_have_count(7)
    expect(page.locator(".check-step .tick.good")).to_have_count(7)
    expect(page.locator(".check-step").nth(1)).to_contain_text("Your device made a number and sealed it with your bet.")
    expect(page.locator(".check-step").last).to_contain_text("house’s signature under exactly this")
    expect(page.locator(".whole-check")).to_have_attribute("href", "/check?table=quick&round=1")
    axe_by_day_and_night(page)


Lines = list[dict[str, Any]]


def document(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if f'"type":"{kind}"' in line.get("document", ""))


def swapped_secret(lines: Lines) -> None:
    line = document(lines, "dice_drawn")
    line["document"] = re.sub(r'"secret":"[0-9a-f]{8}', '"secret":"00000000', line["document"])


def other_dice(lines: Lines) -> None:
    line = document(lines, "dice_drawn")
    faces = json.loads(line["document"])["event"]["faces"]
    other = [face % 6 + 1 for face in faces]
    line["document"] = line["document"].replace(json.dumps(faces).replace(" ", ""), json.dumps(other).replace(" ", ""))


def left_out(lines: Lines) -> None:
    line = document(lines, "bets_shut")
    line["document"] = re.sub(r'"numbers":\[[^\]]+\]', '"numbers":[]', line["document"])


def late_bet(lines: Lines) -> None:
    shut = lines.index(document(lines, "bets_shut"))
    lines.insert(shut + 1, {**lines[shut + 1], "type": "wager_placed"})
    lines[shut + 1].pop("event", None)
    lines[shut + 1].pop("document", None)


def changed_word(lines: Lines) -> None:
    document(lines, "last_called")["hash"] = sha256(b"another").hexdigest()


TAMPERED: dict[str, tuple[Callable[[Lines], None], str]] = {
    "another secret": (swapped_secret, "Its fingerprint is not the seal from before the bets."),
    "other dice": (other_dice, "Other dice follow from the secret and the numbers than the house drew."),
    "a number left out": (left_out, "Your device added a number, and the house left it out."),
    "a late bet": (late_bet, "A bet came after the bets were shut."),
    "another hash": (changed_word, "the record was changed"),
}


@pytest.mark.parametrize(("tamper", "sentence"), TAMPERED.values(), ids=TAMPERED)
def test_a_record_that_is_tampered_with_is_caught(
    house: Running, visit: Visitors, tamper: Callable[[Lines], None], sentence: str
) -> None:
    felt = played(house, visit)

    def lie(route: Route) -> None:
        reply = route.fetch()
        lines = [json.loads(line) for line in reply.text().splitlines()]
        tamper(lines)
        route.fulfill(response=reply, body="".join(json.dumps(line) + "\n" for line in lines))

    felt.page.route("**/rounds/1/record", lie)
    page = felt.visitor.go("/tables/quick/rounds/1")
    page.get_by_role("button", name="Check this throw").click()
    expect(page.get_by_role("heading", name="Caught.")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="Caught.")).to_contain_text(sentence)
    expect(page.locator(".check-step .tick.bad").first).to_be_visible()
    axe_by_day_and_night(page)


def test_a_whole_record_that_is_made_anew_contradicts_the_receipt(house: Running, visit: Visitors) -> None:
    """A house that rewrites a round and its chain has signed another one before."""
    felt = played(house, visit)

    def rewrite(route: Route) -> None:
        reply = route.fetch()
        header, *lines, footer = [json.loads(line) for line in reply.text().splitlines()]
        called = document(lines, "last_called")
        called["document"] = called["document"].replace('"last_called"', '"last_called" ')
        before = bytes.fromhex(lines[0]["hash"])
        for line in lines[1:]:
            if "document" in line:
                line["document"] = re.sub(r'"shut":"[0-9a-f]{64}"', f'"shut":"{shut_of(lines)}"', line["document"])
                line["sha256"] = sha256(line["document"].encode()).hexdigest()
            before = sha256(before + bytes.fromhex(line["sha256"])).digest()
            line["hash"] = before.hex()
        route.fulfill(response=reply, body="".join(json.dumps(line) + "\n" for line in (header, *lines, footer)))

    felt.page.route("**/rounds/1/record", rewrite)
    page = felt.visitor.go("/tables/quick/rounds/1")
    page.get_by_role("button", name="Check this throw").click()
    expect(page.get_by_role("heading", name="Caught.")).to_be_visible()
    expect(page.locator(".check-step").last).to_contain_text("The house signed another history")
    expect(page.locator(".check-step .tick.bad")).to_have_count(1)


def shut_of(lines: Lines) -> str:
    return str(document(lines, "bets_shut")["hash"])


def test_people_who_throw_need_no_seal(house: Running, visit: Visitors) -> None:
    page = AtFelt(visit(house, "ann"), dealt(house)).page
    expect(page.get_by_text("See 5 throws again")).to_be_visible()
    expect(seal(page)).to_be_hidden()
