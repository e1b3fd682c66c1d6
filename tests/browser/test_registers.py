"""Registers and duties in the browser: an inspector reads the month's return, and those who run the house respond to
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import PHONE, Look, every_size, fits
from tests.browser.visiting import Visitors
from tests.clocks import MovedClock
from tests.serving import Running, did, running

NOVEMBER, DECEMBER = datetime(2026, 11, 12, 10, tzinfo=UTC), datetime(2026, 12, 3, 10, tzinfo=UTC)
RETURN = "Monthly return of wrong payments"


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock(NOVEMBER)


@pytest.fixture
def house(tmp_path: Path, clock: MovedClock) -> Iterator[Running]:
    """A table that dora deals and sam supervises, where 1,500.00 too much and 20.00 too little were paid."""
    with running(tmp_path, clock=clock, session_hours=10_000) as opened:
        otto, dora, sam = (opened.person(name) for name in ("otto", "dora", "sam"))
        line = {"book": "craps-nsw-2024", "min": "5.00", "max": "500.00"}
        did(otto, "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
        did(dora, "/tables/pit/post", {"role": "dealer"})
        did(sam, "/tables/pit/post", {"role": "supervisor"})
        for case, way, amount in (("m1", "overpaid", "1500.00"), ("m2", "underpaid", "20.00")):
            paid = {"do": "report_mispayment", "case": case, "way": way, "amount": amount, "wager": "field"}
            did(dora, "/tables/pit/lines", {"line": paid})
        yield opened


def register(page: Page, title: str) -> Locator:
    return page.get_by_role("navigation", name="Registers").get_by_role("button", name=title)


def taken(page: Page, words: str) -> bytes:
    """A downloaded file."""
    with page.expect_download() as download:
        page.get_by_role("link", name=words).click()
    return download.value.path().read_bytes()


def test_an_inspector_reads_the_months_return_and_takes_it_along(house: Running, visit: Visitors) -> None:
    page = visit(house, "ivy").go("/registers")
    expect(page.get_by_label("Month")).to_have_value("2026-11")
    expect(register(page, "Wrong payments").last).to_contain_text("2 rows")
    expect(register(page, RETURN)).to_contain_text("1 row")
    register(page, RETURN).click()
    rows = page.get_by_role("region", name=f"{RETURN}, 2026-11").get_by_role("row")
    expect(rows).to_have_count(2)  # the head, and the one case above the book's amount
    for words in ("m1", "overpaid", "1500.00", "not made yet"):
        expect(rows.last).to_contain_text(words)
    expect(rows.last.get_by_role("link", name="rule 9.1")).to_have_attribute("href", "/rules/craps-nsw-2024/9.1")

    csv = taken(page, "Download CSV")
    assert b"1500.00" in csv
    assert b"20.00" not in csv.replace(b"1500.00", b"")
    assert taken(page, "Download PDF").startswith(b"%PDF-")
    page.get_by_role("button", name="Digest of the CSV").click()
    expect(page.locator(".digest")).to_have_text(f"SHA-256 {sha256(csv).hexdigest()}")


def test_a_period_is_a_month_or_from_a_day_to_another(house: Running, visit: Visitors) -> None:
    ivy = visit(house, "ivy", PHONE)
    ivy.allow("status of 400")
    page = ivy.go("/registers")
    register(page, RETURN).click()
    expect(page.get_by_role("region", name=f"{RETURN}, 2026-11")).to_contain_text("m1")
    page.get_by_label("Month", exact=True).fill("2026-10")
    expect(register(page, RETURN)).to_contain_text("0 rows")
    expect(page.get_by_text("There are no entries in this period.")).to_be_visible()
    page.get_by_label("or from").fill("2026-11-12")
    page.get_by_label("to", exact=True).fill("2026-11-13")
    expect(page.get_by_role("region", name=f"{RETURN}, 2026-11-12/2026-11-13")).to_contain_text("m1")
    page.get_by_label("to", exact=True).fill("2026-11-01")
    expect(page.get_by_text("2026-11-12/2026-11-01 ends before it begins.")).to_be_visible()


def test_a_register_is_found_again_by_its_address(house: Running, visit: Visitors) -> None:
    page = visit(house, "mia").go("/registers?period=2026-11&register=wrong_payments")
    expect(page.get_by_role("region", name="Wrong payments, 2026-11")).to_contain_text("m2")
    expect(register(page, "Wrong payments").last).to_have_attribute("aria-pressed", "true")


def test_players_are_told_that_it_is_not_for_them(house: Running, visit: Visitors) -> None:
    page = visit(house, "ann").go("/registers")
    expect(page.get_by_text("This page is for inspectors, managers and operators.")).to_be_visible()
    page.goto("/duties")
    expect(page.get_by_text("This page is for supervisors, managers, operators and inspectors.")).to_be_visible()


def duty(page: Page, words: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=words)


def test_a_duty_that_is_late_stays_until_somebody_answers_for_it(
    house: Running, clock: MovedClock, visit: Visitors
) -> None:
    page = visit(house, "mia").go("/duties")
    made = duty(page, "Make the return of wrong payments for 2026-11")
    expect(made).to_contain_text("due")
    expect(made.get_by_role("button")).to_have_count(0)
    expect(made.get_by_role("link", name="rule 9.3.2")).to_have_attribute("href", "/rules/craps-nsw-2024/9.3.2")
    clock.move_to(DECEMBER)
    late = page.get_by_role("region", name="Late: needs an answer 1")
    expect(late).to_contain_text("! overdue")
    floor = visit(house, "sam").go("/floor")
    expect(floor.get_by_role("link", name="! 1 duty is late")).to_have_attribute("href", "/duties")

    late.get_by_label("Why it is late, and what was done about it").fill("The press was broken.")
    late.get_by_role("button", name="Answer", exact=True).click()
    expect(page.get_by_text("Nothing is late.")).to_be_visible()
    expect(made).to_contain_text("answered")
    expect(floor.get_by_role("link", name="Duties", exact=True).last).to_be_visible()


def test_duties_are_found_by_place_and_by_how_they_stand(house: Running, visit: Visitors) -> None:
    page = visit(house, "ivy").go("/duties")
    expect(duty(page, "for 2026-11")).to_be_visible()
    page.get_by_label("Status").select_option("Recently done")
    expect(duty(page, "for 2026-11")).to_have_count(0)
    page.get_by_label("Status").select_option("To be done")
    expect(duty(page, "for 2026-11")).to_be_visible()
    page.get_by_label("Where").select_option("Craps, pit 1")
    expect(duty(page, "for 2026-11")).to_be_visible()
    places = page.locator(".duty .row a").all_inner_texts()
    assert set(places) == {"Craps, pit 1"}


@every_size
def test_they_are_accessible_on_every_screen(house: Running, clock: MovedClock, visit: Visitors, look: Look) -> None:
    ivy = visit(house, "ivy", look)
    page = ivy.go("/registers?period=2026-11&register=monthly_return")
    expect(page.get_by_role("region", name=f"{RETURN}, 2026-11")).to_be_visible()
    fits(page)
    ivy.axe_by_day_and_night()
    clock.move_to(DECEMBER)
    mia = visit(house, "mia", look)
    page = mia.go("/duties")
    expect(page.get_by_role("button", name="Answer", exact=True)).to_be_visible()
    fits(page)
    mia.axe_by_day_and_night()
