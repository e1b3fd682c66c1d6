"""A newcomer tries the console at the demonstration table with staff, on the screens used in a pit."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from playwright.sync_api import Locator, expect

from croupier import rulebooks
from croupier.server.demonstration import DEALT
from tests.browser.consoles import OUT, AtConsole
from tests.browser.felts import AtFelt
from tests.browser.looks import Look, fits
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running

SCREENS = (Look("laptop"), Look("small"))
every_screen = pytest.mark.parametrize("look", SCREENS, ids=str)
WITHIN = """part => {
    const box = part.getBoundingClientRect();
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
}"""
ASKED = "says => import('/web/acts/act-words.js').then(words => says.map(words.asked))"
# Of someone, and as it is asked of them: the verbs of the books that an "s" too many would give away.
ODD_VERBS = {
    "has": "Have",
    "goes": "Go",
    "passes": "Pass",
    "searches": "Search",
    "presses": "Press",
    "attaches": "Attach",
    "tries": "Try",
    "rectifies": "Rectify",
    "identifies": "Identify",
    "chooses": "Choose",
    "raises": "Raise",
}


def expect_seen(*parts: Locator) -> None:
    """All of it is on the screen without scrolling."""
    for part in parts:
        expect(part).to_be_visible()
        assert part.evaluate(WITHIN), part


def seated(console: AtConsole) -> Locator:
    return console.page.get_by_role("region", name="Players")


@every_screen
def test_an_evening_at_the_dealt_table_needs_no_scrolling(house: Running, visit: Visitors, look: Look) -> None:
    dora, sam = (AtConsole(visit(house, name, look), DEALT) for name in ("dora", "sam"))
    dora.take_post()
    sam.take_post("supervisor")
    ann, ben = (AtFelt(visit(house, name, look), DEALT) for name in ("ann", "ben"))
    ann.sit_down("200", place=1)
    ben.sit_down("200", place=3)
    page = dora.page
    on_hand = (page.get_by_role("button", name="More …"), page.get_by_role("button", name="No roll …"))

    # Ann says nothing; until someone has accepted the dice, no one is said to throw
    dora.press("Offer the dice to ann")
    expect(seated(dora).locator("tr", has_text="ann")).to_contain_text("offered")
    expect(page.locator(".bar")).not_to_contain_text("throws")
    expect(page.locator(".next")).to_contain_text("The dice are offered to ann.")
    dora.press("Ask ann again")
    dora.press("ann does not answer: go on")
    dora.press("Offer the dice to ben")
    ben.says("Accept the dice")
    expect(ben.page.locator(".status .lamps")).to_contain_text("Shooter you")
    ben.says("Choose two dice")
    ben.bet("Win Line")
    ann.bet("Any Seven")

    # A chip comes late, and the dealer is told what happens to it
    expect_seen(dora.step(OUT), page.locator(".confirm"), seated(dora), page.locator("section.pay"), *on_hand)
    dora.out_with_late_bets()
    ann.click("Field")
    expect(page.locator(".waiting")).to_contain_text(
        "A late wager that is not confirmed before the dice rest is returned."
    )
    expect_seen(page.locator(".waiting button"), page.locator(".confirm"), seated(dora))
    page.locator(".waiting button").click()
    expect(page.locator(".waiting")).to_be_hidden()
    dora.answered()
    dora.put_in((4, 2))
    expect(page.locator(".confirm")).to_contain_text("Settle 6")
    dora.again()

    # The dice were 4-3: all of the preview is seen at once, and the second press with it
    sam.step("Correct the result 4-2").click()
    sam.put_in((4, 3))
    expect(sam.page.locator(".preview")).to_contain_text("If 4-2 becomes 4-3")
    expect(sam.page.locator(".confirm")).to_contain_text("Correct to 7")
    expect_seen(sam.page.locator(".preview"), sam.page.locator(".confirm"), seated(sam))
    sam.again()
    work = page.locator(".pay-list > li", has_text="Any Seven")
    expect(work).to_contain_text("ann lost 5.00, now wins 20.00; the stake of 5.00 is in it")
    ann.page.get_by_text("You are seated").click()
    expect_seen(ann.page.get_by_role("button", name="Leave the table"))  # wherever the strip has room for the seat
    for console in (dora, sam):
        fits(console.page)
        console.visitor.axe()


@every_screen
def test_whatever_a_preview_tells_the_second_press_is_in_reach(house: Running, visit: Visitors, look: Look) -> None:
    sam = AtConsole(visit(house, "sam", look), DEALT)
    sam.take_post("supervisor")
    told = sam.page.locator(".entry")
    told.evaluate("entry => entry.classList.add('picked')")
    told.locator(".preview").evaluate("one => { one.hidden = false; one.style.height = '60rem'; }")
    told.evaluate("entry => entry.classList.remove('waits')")
    expect_seen(sam.page.locator(".confirm"))


def test_a_found_chip_is_among_what_is_possible_while_the_dice_are_out(house: Running, visit: Visitors) -> None:
    dora = AtConsole(visit(house, "dora"), DEALT)
    dora.take_post()
    ann = AtFelt(visit(house, "ann"), DEALT)
    ann.sit_down("200")
    dora.press("Offer the dice to ann")
    ann.says("Accept the dice")
    ann.says("Choose two dice")
    ann.bet("Win Line")
    ann.says("Throw the dice")
    expect(dora.page.locator(".bets")).to_have_text("late bets only")
    dora.page.keyboard.press("m")
    now = dora.page.get_by_role("dialog").get_by_role("region", name="Possible now")
    expect(now.get_by_role("button", name="Find (amount) of (player) on (wager)")).to_be_visible()


def test_a_sign_that_was_put_up_is_told_with_the_time_of_a_clock(house: Running, visit: Visitors) -> None:
    sam = AtConsole(visit(house, "sam"), DEALT)
    sam.take_post("supervisor")
    sam.do("Put up a sign that the table closes at", {})
    told = re.compile(r"^Done: Put up a sign that the table closes at (\d+ \w+, )?\d\d:\d\d \w+\.$")
    expect(sam.page.locator(".done")).to_have_text(told)


def test_players_are_told_that_no_dealer_is_here_yet(house: Running, visit: Visitors) -> None:
    status = AtFelt(visit(house), DEALT).page.locator(".status .bets")
    expect(status).to_have_text("Bets are open until the throw; waiting for a dealer")
    AtConsole(visit(house, "dora"), DEALT).take_post()
    expect(status).to_have_text("Bets are open until the throw")


def test_each_finds_first_the_tables_where_there_is_something_to_do(house: Running, visit: Visitors) -> None:
    def cards(visitor: Visitor) -> Locator:
        return visitor.go("/").locator(".table-card")

    guest, ann, dora = (cards(visit(house, name)) for name in (None, "ann", "dora"))
    for shown in (guest, ann):
        expect(shown).to_have_count(len(rulebooks.ids()) + 1)
        expect(shown.last).to_contain_text("dealt by people")
        expect(shown.first).to_contain_text("Sydney")
    expect(dora.first).to_contain_text("dealt by people")
    expect(dora.first.get_by_role("link", name="Dealer console of")).to_be_visible()


def test_staff_sign_in_at_the_console_by_a_list_without_guests(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = visitor.go(f"/tables/{DEALT}/deal")
    page.locator("main").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Play now as a guest")).to_have_count(0)
    visitor.axe()
    dialog.get_by_role("button", name="dora dealer").click()
    expect(page.get_by_role("button", name="Start as dealer")).to_be_visible()
    expect(page.locator("main")).to_contain_text(
        "As a dealer you act as the dealer or the stickperson under these rules."
    )


def test_every_act_is_put_as_one_is_asked_for_it(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = visitor.go("/")
    told = [visitor.context.request.get(f"/api/v1/books/{book}/acts").json() for book in rulebooks.ids()]
    says = sorted(set(chain.from_iterable(act["says"] for book in told for act in [*book["acts"], *book["commands"]])))
    assert len(says) > 150
    for of_somebody, asked in zip(says, page.evaluate(ASKED, says), strict=True):
        verb, _, rest = of_somebody.partition(" ")
        regular = verb.removesuffix("s").capitalize()
        assert asked == f"{ODD_VERBS.get(verb, regular)} {rest}".strip()
