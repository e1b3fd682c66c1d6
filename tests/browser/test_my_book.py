"""The player's own page: visits, past wagers with their clauses, limits that tighten at once, and self-exclusion."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Running, did

TABLE = "/tables/pit"


@pytest.fixture
def pit(house: Running) -> Running:
    """A table where ann won 10.00 on the field and then lost 5.00 there; she is still seated."""
    otto, dora, ann = (house.person(name) for name in ("otto", "dora", "ann"))
    line = {"book": "craps-nsw-2024", "min": "1.00"}
    did(otto, "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
    did(dora, f"{TABLE}/post", {"role": "dealer"})
    did(ann, f"{TABLE}/seat", {"chips": "100.00"})
    for stake, dice in (("10.00", [2, 1]), ("5.00", [3, 3])):
        did(ann, f"{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": stake}})
        did(dora, f"{TABLE}/lines", {"line": {"do": "roll", "dice": dice}})
    return house


def test_every_past_wager_has_what_fell_and_its_clause(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ann").go("/me")
    rows = page.get_by_role("table", name="Past wagers").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text(re.compile(r"Field.*6.*5\.00.*lost.*-5\.00.*0\.00.*rule", re.DOTALL))
    expect(rows.nth(2)).to_contain_text(re.compile(r"Field.*3.*10\.00.*won.*\+10\.00.*10\.00.*20\.00", re.DOTALL))
    expect(rows.nth(2).get_by_role("link", name="rule")).to_have_attribute("href", "/rules/craps-nsw-2024/6.2.17")
    expect(page.get_by_text("No more wagers.")).to_be_visible()
    visit_row = page.get_by_role("table", name="Visits to tables").get_by_role("row").nth(1)
    expect(visit_row).to_contain_text(re.compile(r"Craps, pit 1.*playing now.*0 min.*100\.00.*\+5\.00", re.DOTALL))
    history = page.get_by_role("table", name="Account history")
    expect(history).to_contain_text("You sat down at pit with 100.00.")
    expect(history).to_contain_text("−100.00")


def test_limits_are_set_tighter_at_once_and_looser_later(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ann").go("/me")
    card = page.get_by_role("region", name="My limits")
    card.get_by_label("Daily loss limit").fill("50")
    card.get_by_label("Daily time limit (min)").fill("90")
    card.get_by_role("button", name="Set my limits").click()
    expect(card).to_contain_text("Now: lose at most 50.00 a day, play at most 90 minutes a day.")
    card.get_by_label("Daily loss limit").fill("")
    card.get_by_role("button", name="Set my limits").click()
    expect(card).to_contain_text(re.compile(r"From .*: no loss limit, play at most 90 minutes a day\."))
    expect(card).to_contain_text("Now: lose at most 50.00 a day")
    account = pit.running_house.house.account("ann")
    assert (account.limits.loss, account.limits.minutes) == (50_00, 90)
    card.get_by_label("Daily loss limit").fill("a little")
    card.get_by_role("button", name="Set my limits").click()
    expect(card.get_by_role("alert")).to_contain_text("Enter an amount such as 50 or 50.00")


def test_staying_away_is_confirmed_in_words(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ann").go("/me")
    card = page.get_by_role("region", name="Self-exclusion")
    card.get_by_text("Exclude myself from play").click()
    card.get_by_label("For how long").select_option("for a week")
    card.get_by_role("button", name="Exclude me").click()
    expect(card.get_by_role("alert")).to_contain_text("Type “I will not play” to confirm.")
    assert not pit.running_house.house.account("ann").is_excluded
    card.get_by_label("To confirm, type").fill("i will not play")
    card.get_by_role("button", name="Exclude me").click()
    expect(card).to_contain_text("You cannot play until")
    account = pit.running_house.house.account("ann")
    now = datetime.now(UTC)
    assert account.may_not_play(now + timedelta(days=6))
    assert not account.may_not_play(now + timedelta(days=8))
    assert not account.excluded_by_house


def test_a_shorter_exclusion_is_refused_with_a_sentence(pit: Running, visit: Visitors) -> None:
    did(pit.person("ann"), "/accounts/ann/exclusion", {"until": None})
    visitor = visit(pit, "ann")
    visitor.allow("status of 422")
    card = visitor.go("/me").get_by_role("region", name="Self-exclusion")
    expect(card).to_contain_text("You cannot play again.")
    card.get_by_text("Extend the exclusion").click()
    card.get_by_label("To confirm, type").fill("I will not play")
    card.get_by_role("button", name="Exclude me").click()
    expect(card.get_by_role("alert")).to_contain_text("The current exclusion is longer.")


def test_a_stranger_is_asked_to_sign_in(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/me")
    expect(page.get_by_text("Sign in to see your account")).to_be_visible()


def test_who_has_never_played_is_told_so(house: Running, visit: Visitors) -> None:
    page = visit(house, "ben").go("/me")
    expect(page.get_by_text("You have not played at a table yet.")).to_have_count(2)


@every_size
def test_it_is_accessible(pit: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(pit, "ann", look)
    page = visitor.go("/me")
    expect(page.get_by_role("table", name="Past wagers").get_by_role("row")).to_have_count(3)
    page.get_by_text("Exclude myself from play").click()
    visitor.axe_by_day_and_night()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
