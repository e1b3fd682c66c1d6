"""The house is killed in the middle of a round: the page says so, reconnects by itself, and no bet is lost or
doubled."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.felts import CALLED_WITHIN_MS, AtFelt
from tests.browser.restarting import Restarting
from tests.browser.visiting import Visitors

CRAPS = "craps-nsw-2024"


def test_a_bet_that_no_answer_came_to_is_made_once(restarting: Restarting, visit: Visitors) -> None:
    visitor = visit(restarting)
    visitor.allow("net::ERR_")
    visitor.allow("status of 4(09|22)")
    felt = AtFelt(visitor, CRAPS)
    felt.sign_in("ann")
    felt.sit_down("200")
    felt.click("Win Line")
    felt.expect_staked("Win Line", "5.00")

    restarting.kill()
    expect(felt.page.locator(".status .line")).to_contain_text("Connection lost")
    felt.click("Field")
    expect(felt.page.locator(".stack.ghost")).to_have_count(1)  # on its way, and shown as nothing else
    felt.expect_staked("Field", None)

    restarting.open_again()
    expect(felt.page.locator(".status .line")).to_be_hidden(timeout=CALLED_WITHIN_MS)
    expect(felt.page.locator(".stack.ghost")).to_have_count(0, timeout=CALLED_WITHIN_MS)
    placed = [row for row in _events(felt, "wager_placed") if row["wager"] == "field"]
    refused = felt.page.locator(".calls li.refused").count()
    assert len(placed) + refused == 1, "made once, or refused because the round was over: not both, not neither"
    assert [row["amount"] for row in placed] in (["5.00"], [])
    assert len([row for row in _events(felt, "wager_placed") if row["wager"] == "win_line"]) == 1
    # The felt shows what the house has, to the cent
    told = felt.told()
    expect(felt.page.locator(".purse .in-hand")).to_contain_text(told["chips"]["ann"])


def test_a_page_that_was_asleep_misses_nothing(restarting: Restarting, visit: Visitors) -> None:
    """The connection is cut while a round is settled: wins and losses in the meantime are announced afterwards."""
    visitor = visit(restarting)
    visitor.allow("net::ERR_|status of 4(09|22)")
    felt = AtFelt(visitor, CRAPS)
    felt.sign_in("ann")
    felt.sit_down("200")
    felt.click("Field")
    felt.expect_staked("Field", "5.00")
    restarting.kill()
    expect(felt.page.locator(".status")).to_have_class(re.compile("lost"))
    restarting.open_again()
    settled = felt.page.locator(".calls li.win, .calls li.lose").filter(has_text="Field")
    expect(settled).to_have_count(1, timeout=CALLED_WITHIN_MS)
    felt.expect_staked("Field", None)


def _events(felt: AtFelt, kind: str) -> list[dict[str, str]]:
    page = felt.visitor.context.request.get(f"/api/v1/tables/{felt.table}/events?limit=1000").json()
    return [row for entry in page["entries"] for row in entry["events"] if row["type"] == kind]
