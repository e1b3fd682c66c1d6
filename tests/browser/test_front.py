"""The front page, which is where everyone begins."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from croupier import rulebooks
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import PHONE, TABLET, Look, fits
from tests.browser.visiting import Visitors
from tests.serving import Running


def test_the_staff_come_to_the_console_and_players_to_the_felt(house: Running, visit: Visitors) -> None:
    table, by_itself = dealt_table(house, "craps-nsw-2024"), "Two-Up, The Star Sydney"
    page = visit(house, "dora").go("/")
    expect(page.get_by_role("link", name=re.compile(f"^Watch {by_itself}"))).to_be_visible()
    page.get_by_role("link", name="Dealer console of Dealt").click()
    expect(page.get_by_role("button", name="Start as dealer")).to_be_visible()
    assert page.url.endswith(f"/tables/{table}/deal")
    for who in ("ann", None):
        expect(visit(house, who).go("/").get_by_role("link", name="Play at Dealt")).to_be_visible()


@pytest.mark.parametrize("look", [PHONE, Look("tall"), Look("side"), TABLET, Look("low")], ids=str)
def test_it_opens_for_anybody_and_is_accessible(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, look=look)
    page = visitor.go("/")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    cards = page.locator(".table-card")
    expect(cards).to_have_count(len(rulebooks.ids()) + 1)
    for card in cards.all():  # each with the picture of its felt, its sentence and its ways in
        expect(card.locator(".preview .felt .area").first).to_be_attached()
        box = card.locator(".preview .felt").bounding_box()
        assert box is not None
        assert box["width"] > 200
        expect(card.locator(".about")).to_have_text(re.compile(r"\w.+\.$"))
        assert [link.inner_text() for link in card.locator(".ways a").all()] == ["Practise", "Learn", "Watch", "Rules"]
    assert page.title() != ""
    fits(page)
    visitor.axe_by_day_and_night()


def test_a_table_is_watched_practised_learned_and_read_about(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/")
    for name, path in {"Practise": "practice", "Learn": "learn", "Watch": "tables", "Rules of": "rules"}.items():
        link = page.get_by_role("link", name=re.compile(f"^{name} Sic Bo, The Star"))
        expect(link).to_have_attribute("href", f"/{path}/sic-bo-nsw-2016")


def test_it_says_who_plays_and_what_fell_and_keeps_saying_it(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    visitor.page.clock.install()
    page = visitor.go("/")
    craps = page.locator(".table-card", has=page.get_by_role("heading", name="Craps Sydney"))
    expect(craps).to_contain_text("Quiet, so the table is yours")
    expect(craps).to_contain_text("No throws yet")
    expect(page.get_by_text("0 play")).to_have_count(0)
    expect(page.locator(".table-card", has_text="dealt by people")).to_contain_text("No dealer is here yet")
    player = AtFelt(visit(house, "ann"), "craps-nsw-2024")
    player.sit_down("100")
    player.bet("Field")
    player.drive.click()
    expect(player.page.locator(".status .result .called")).to_be_visible()
    page.clock.fast_forward(20_000)
    expect(craps).to_contain_text("1 playing")
    expect(craps.locator(".fell-one")).to_have_count(1)
    expect(craps.get_by_text("Last results, the newest first: ")).to_be_attached()


def test_two_books_of_one_game_are_told_apart_in_words(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/")
    new_zealand = page.locator(".table-card", has_text="New Zealand")
    link = new_zealand.get_by_role("link", name="Pays more on Craps Twelve, Field")
    link.click()
    prices = page.get_by_role("region", name="Which Snake Eyes?")
    expect(prices).to_be_in_viewport()
    expect(prices.get_by_role("row", name="Craps Twelve 31 to 1 33 to 1 more")).to_be_visible()


def test_pages_of_rules_have_the_header_of_all_pages(house: Running, visit: Visitors) -> None:
    def header(path: str) -> list[str]:
        page = visitor.go(path)
        expect(page.locator("#top .who")).to_be_visible()
        return [one.strip() for one in page.locator("#top").inner_text().split("\n") if one.strip()]

    for who in (None, "ann", "ivy"):
        visitor = visit(house, who)
        assert [one for one in header("/rules/craps-nsw-2024/6.5") if one != "PAR sheets"] == header("/")


def test_from_a_page_of_rules_one_signs_in_and_out(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/rules/craps-nsw-2024/6.5")
    page.get_by_role("link", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Username").first.fill("ann")
    dialog.get_by_label("Password").first.fill("ann-at-croupier")
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/rules/craps-nsw-2024/6.5")
    expect(page.locator("#top .name")).to_have_text("Ann")
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in").first).to_be_visible()


def test_signing_in_leads_nowhere_else(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/?sign-in=//elsewhere.test/rules/")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Username").first.fill("ann")
    dialog.get_by_label("Password").first.fill("ann-at-croupier")
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("#top .name")).to_have_text("Ann")
    assert page.url == f"{house.url}/"


def test_guests_read_their_nickname_and_never_an_id(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    felt = AtFelt(visitor, "two-up-nsw-2016")
    felt.play()
    name = felt.page.locator("#top .name").inner_text()
    felt.area("Heads").click()
    felt.expect_staked("Heads", "5.00")
    felt.chip("500")
    felt.area("Tails").click()  # more than there is in hand
    expect(felt.page.locator(".bubble")).to_contain_text("All in: your last 195.00 go on Tails.")
    felt.drive.click()
    expect(felt.page.locator(".status .result .called")).to_be_visible()
    for path in ("/tables/two-up-nsw-2016", "/me", "/"):
        page = visitor.go(path)
        expect(page.locator("#top .name")).to_have_text(name)
        expect(page.locator("#loading")).to_have_count(0)
        assert "guest-" not in page.locator("body").inner_text()
