"""The first game of each book, and practice tables: own dice, a seed, a step back, and the chances of every wager."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier import rulebooks
from croupier.rules.shelf import Shelf
from tests.browser.felts import point_in
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
LOW, TALL, SIDE = Look("low"), Look("tall"), Look("side")
BADGE = "Practice: nothing counts"


def area(page: Page, name: str) -> Locator:
    return page.locator(f'.felt .area[aria-label^="{name},"]')


def staked(page: Page, name: str, amount: str) -> None:
    expect(area(page, name)).to_have_attribute("aria-label", re.compile(f", {re.escape(amount)} staked"))


def press(page: Page, where: Locator, look: Look) -> None:
    x, y = point_in(page, where)
    if look.options().get("has_touch"):
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def practise(visitor: Visitor, book: str) -> Page:
    page = visitor.go(f"/practice/{book}")
    expect(page.locator(".drive .roll")).to_be_visible()
    expect(page.get_by_text(BADGE)).to_be_visible()
    return page


def thrown(page: Page, count: int) -> None:
    """So many throws are in the list of results."""
    results = page.get_by_role("list", name="Results, the newest first")
    expect(results.get_by_role("listitem")).to_have_count(count)


# The first game


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
@pytest.mark.parametrize("book", rulebooks.ids())
def test_a_first_game_to_its_end(house: Running, visit: Visitors, book: str, look: Look) -> None:
    """The page leads, and the person presses what is lit, by mouse or finger."""
    lesson = Shelf().book(book).lesson
    assert lesson is not None
    visitor = visit(house, look=look)
    page = visitor.go(f"/learn/{book}")
    coach = page.get_by_role("region", name="Guide")
    for number, step in enumerate(lesson.steps, 1):
        expect(coach.get_by_role("heading", name=step.title)).to_be_visible()
        expect(coach).to_contain_text(f"Step {number} of {len(lesson.steps)}")
        expect(page.get_by_text(BADGE)).to_be_visible()
        if step.bet is not None:
            press(page, page.locator(".felt .area[data-target]"), look)
        for _ in step.throws:
            expect(page.locator("main[data-light=throw]")).to_be_visible()
            page.locator(".drive .roll").click()
        if number == 1:
            visitor.axe()
    expect(coach.get_by_role("heading", name=lesson.end.title)).to_be_visible()
    left = re.search(r"leave ([\d.]+) up", lesson.end.says)
    assert left is not None
    expect(page.locator(".purse .good")).to_contain_text(f"+{left.group(1)}")  # the felt says what the coach says
    expect(coach.get_by_role("link", name="Play at a table")).to_have_attribute("href", f"/tables/{book}")
    expect(coach.get_by_role("link", name="Practise")).to_have_attribute("href", f"/practice/{book}")
    expect(coach.get_by_role("link", name="Read the rules")).to_have_attribute("href", f"/rules/{book}")
    visitor.axe_by_day_and_night()
    fits(page)


def test_a_first_game_by_keyboard(house: Running, visit: Visitors) -> None:
    """After the first press the keyboard is always where the next move is."""
    page = visit(house).go(f"/learn/{CRAPS}")
    area(page, "Win Line").focus()
    for step in Shelf().book(CRAPS).lesson.steps:  # type: ignore[union-attr]  # it has one
        expect(page.get_by_role("heading", name=step.title)).to_be_visible()
        for _ in step.throws or [()]:
            if step.throws:
                expect(page.locator("main[data-light=throw] .drive .roll")).to_be_focused()
            page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Play at a table")).to_be_focused()


def test_a_first_game_leads_back_to_its_move(house: Running, visit: Visitors) -> None:
    page = visit(house).go(f"/learn/{CRAPS}")
    coach = page.get_by_role("region", name="Guide")
    press(page, area(page, "Field"), DESKTOP)
    expect(coach).to_contain_text("That one comes later. First the marked spot.")
    page.locator(".drive .roll").click()
    expect(coach).to_contain_text("That one comes later")
    expect(page.locator(".felt .stack")).to_have_count(0)
    press(page, area(page, "Win Line"), DESKTOP)
    expect(coach.get_by_role("heading", name="Roll the dice")).to_be_visible()
    press(page, area(page, "Field"), DESKTOP)
    expect(coach).to_contain_text("Now press Roll.")


@pytest.mark.parametrize("look", [LOW, TALL, SIDE], ids=str)
def test_the_coach_hides_nothing_that_is_to_be_pressed(house: Running, visit: Visitors, look: Look) -> None:
    page = visit(house, look=look).go(f"/learn/{SIC_BO}")
    press(page, area(page, "Big"), look)
    expect(page.get_by_role("heading", name="Lift the lid")).to_be_visible()
    expect(page.locator(".drive .roll")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate(_COVERED, ".drive .roll") is False
    page.locator(".drive .roll").click()
    expect(page.get_by_role("heading", name="Eleven: Big was paid")).to_be_visible()
    expect(page.locator(".area[data-target]")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate(_COVERED, ".area[data-target]") is False
    fits(page)


_COVERED = """what => {
    const box = document.querySelector(what).getBoundingClientRect();
    const coach = document.querySelector('.coach').getBoundingClientRect();
    return box.left < coach.right && coach.left < box.right && box.top < coach.bottom && coach.top < box.bottom;
}"""


# A practice table


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_dice_picked_by_hand_and_steps_back(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, look=look)
    page = practise(visitor, CRAPS)
    press(page, area(page, "Win Line"), look)
    staked(page, "Win Line", "5.00")
    page.get_by_role("button", name="Pick the dice").click()
    pad = page.get_by_role("dialog", name="What shall fall?")
    for die, face in (("Die 1", "6"), ("Die 2", "4")):
        pad.get_by_role("group", name=die).get_by_text(face, exact=True).check(force=True)
    visitor.axe()
    pad.get_by_role("button", name="Throw it like this").click()
    expect(page.locator(".status .lamps")).to_contain_text("ON 10")
    thrown(page, 1)
    page.get_by_role("button", name="Step back").click()
    expect(page.locator(".status .lamps")).to_contain_text("OFF")
    staked(page, "Win Line", "5.00")
    page.get_by_role("button", name="Step back").click()
    expect(page.locator(".felt .stack")).to_have_count(0)
    expect(page.get_by_role("button", name="Step back")).to_be_disabled()
    visitor.axe_by_day_and_night()
    fits(page)


@pytest.mark.parametrize("book", [CRAPS, SIC_BO, TWO_UP])
def test_a_seed_throws_the_same_again(house: Running, visit: Visitors, book: str) -> None:
    page = practise(visit(house), book)
    seen = []
    for _ in range(2):
        page.get_by_label("Seed").fill("two evenings")
        page.get_by_role("button", name="Start with this seed").click()
        expect(page.locator(".status .result")).to_contain_text("No throws yet.")
        for _ in range(3):
            page.locator(".drive .roll").click()
            expect(page.locator(".drive .roll")).to_have_attribute("aria-disabled", "false")
        expect(page.locator(".status .result .faces")).to_be_visible()
        seen.append(page.locator(".history .roads").inner_text())
    assert seen[0] == seen[1]


def test_what_fell_stays_when_another_seed_begins(house: Running, visit: Visitors) -> None:
    """A throw keeps its faces in the list of lines: a step back over a later throw does not draw it again."""
    page = practise(visit(house), CRAPS)
    page.locator(".drive .roll").click()
    thrown(page, 1)
    first = page.locator(".status .result .faces").get_attribute("aria-label")
    page.locator(".drive .roll").click()
    thrown(page, 2)
    page.get_by_role("button", name="Step back").click()
    thrown(page, 1)
    expect(page.locator(".status .result .faces")).to_have_attribute("aria-label", first or "")


def test_the_chances_of_the_wager_at_hand(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = practise(visitor, CRAPS)
    chances = page.get_by_role("region", name="Chances")
    area(page, "Field").focus()
    expect(page.locator(".brief")).to_contain_text("16 win, 20 lose of 36")
    expect(page.locator(".brief")).to_contain_text("House edge 5.5556%")
    expect(chances).to_contain_text("55.56%, exactly 5/9")
    expect(chances.get_by_role("listitem").filter(has_text="7: 6 ways, 6 lose")).to_have_count(1)
    area(page, "Win Line").focus()
    expect(page.locator(".brief")).to_contain_text("8 win, 24 move it on, 4 lose of 36")
    expect(page.locator(".brief")).to_contain_text("House edge 1.4141%")
    page.locator(".brief").click()
    dialog = page.get_by_role("dialog", name="Chances")
    expect(dialog).to_contain_text("49.29%, exactly 244/495")
    visitor.axe()
    page.keyboard.press("Escape")
    chances.get_by_text("All wagers").click()
    expect(chances.get_by_role("row", name=re.compile("^Hardways 8"))).to_contain_text("4.5455%")
    visitor.axe_by_day_and_night()


def test_a_refusal_is_said_with_its_rule(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = practise(visitor, CRAPS)
    visitor.allow("status of 422")
    press(page, area(page, "Come"), DESKTOP)
    expect(page.locator(".at-hand .bubble")).to_contain_text("Come opens once there is a point.")
    expect(page.locator(".at-hand .bubble").get_by_role("link", name="rule 6.2.3")).to_be_visible()


def test_a_whole_round_by_keyboard(house: Running, visit: Visitors) -> None:
    page = practise(visit(house), SIC_BO)
    area(page, "Big").focus()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    staked(page, "Big", "25.00")
    page.keyboard.press("t")
    thrown(page, 1)
    page.keyboard.press("u")
    expect(page.locator(".status .result")).to_contain_text("No throws yet.")
    staked(page, "Big", "25.00")


def test_a_throw_comes_after_all_bets_that_were_made_before_it(house: Running, visit: Visitors) -> None:
    """Wagers of one roll, pressed faster than they are answered: the roll decides them all."""
    page = practise(visit(house), CRAPS)
    page.evaluate("""names => {
        const press = (on, key) => on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const area = name => document.querySelector(`.felt .area[aria-label^="${name},"]`);
        for (const name of names) press(area(name), 'Enter');
        press(area(names[0]), 't');
    }""", ["Field", "Any Craps", "Eleven", "Craps Two"])  # fmt: skip
    thrown(page, 1)
    expect(page.locator(".calls li", has_text=re.compile("^(Field|Any Craps|Eleven|Craps Two) "))).to_have_count(4)
    expect(page.locator(".felt .stack")).to_have_count(0)


@pytest.mark.parametrize("book", rulebooks.ids())
@pytest.mark.parametrize("look", [LOW, TALL], ids=str)
def test_a_practice_table_fits_without_scrolling(house: Running, visit: Visitors, look: Look, book: str) -> None:
    page = practise(visit(house, look=look), book)
    for part in (".felt", ".nothing-counts", ".drive .roll", ".drive .pick", ".brief", ".purse .in-hand"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    for name in ("Step back", "Clear", "Rebet", "Double"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    fits(page)


def test_the_rules_of_a_book_lead_to_both(house: Running, visit: Visitors) -> None:
    page = visit(house).go(f"/rules/{CRAPS}")
    page.get_by_role("link", name="A first game of two minutes").click()
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page.get_by_role("heading", name="Practice: Craps")).to_be_visible()


@pytest.mark.parametrize("path", ["/practice/hazard", "/learn/hazard"])
def test_a_book_that_is_none_is_said_in_a_sentence(house: Running, visit: Visitors, path: str) -> None:
    visitor = visit(house)
    visitor.allow("status of 404")
    page = visitor.go(path)
    expect(page.get_by_role("alert").first).to_contain_text("There is no book with that id")
