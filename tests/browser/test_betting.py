"""Chips and what wins: quick clicks, the last chips, chips drawn by hand, favourite layouts, auto-rebet. Below the felt
stands what an area wins, or why nothing can be bet on it.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.felts import AtFelt, dealt_table, point_in, quick_table
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.visiting import Visitors
from tests.serving import Person, Running

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
REFUSED = "status of 4(09|22)"
LOW, TALL = Look("low"), Look("tall")
# Every answer of the house to a line comes this much later.
SLOW_LINE = """() => {
    const fetched = window.fetch;
    window.fetch = async (address, how) => {
        if (String(address).endsWith("/lines")) await new Promise(done => setTimeout(done, 250));
        return fetched(address, how);
    };
}"""


def _dealer(house: Running) -> Person:
    dora = house.person("dora")
    assert dora.do("/tables/dealt/post", {"role": "dealer"}).status_code == 200
    return dora


def _roll(dora: Person, *dice: int) -> None:
    assert dora.do("/tables/dealt/lines", {"line": {"do": "roll", "dice": list(dice)}}).status_code == 200


def _seated(
    house: Running, visit: Visitors, look: Look = DESKTOP, book: str = CRAPS, chips: str = "200", **line: object
) -> AtFelt:
    """Ann at a table with staff."""
    visitor = visit(house, "ann", look)
    visitor.allow(REFUSED)
    felt = AtFelt(visitor, dealt_table(house, book, **line))
    felt.sit_down(chips)
    return felt


def _button(felt: AtFelt, name: str) -> Locator:
    return felt.page.get_by_role("button", name=name, exact=True)


def _panel(felt: AtFelt) -> Locator:
    return felt.page.locator(".at-hand")


def _total(felt: AtFelt, label: str) -> Locator:
    return _panel(felt).locator(".total").filter(has=felt.page.locator("b", has_text=re.compile(f"^{label}$")))


def _staked(felt: AtFelt) -> dict[str, str]:
    return {row["wager"]: row["amount"] for row in felt.told()["wagers"]}


# -- chip by chip -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chip", "staked"), [("1", "7.00"), ("5", "15.00"), ("25", "75.00")])
def test_three_quick_clicks_stake_what_three_slow_ones_do(
    house: Running, visit: Visitors, chip: str, staked: str
) -> None:
    """The first chip is raised to the minimum of 5.00; those on their way count, so the others are not."""
    felt = _seated(house, visit, min="5.00")
    felt.page.evaluate(SLOW_LINE)
    felt.chip(chip)
    x, y = point_in(felt.page, felt.area("Field"))
    for _ in range(3):
        felt.page.mouse.click(x, y)
    felt.expect_staked("Field", staked)
    expect(felt.page.locator(".stack.ghost")).to_have_count(0)
    assert _staked(felt) == {"field": staked}


def test_quick_clicks_that_are_too_much_together_are_laid_one_by_one(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, max="10.00")
    felt.page.evaluate(SLOW_LINE)
    x, y = point_in(felt.page, felt.area("Field"))
    for _ in range(4):
        felt.page.mouse.click(x, y)
    felt.expect_staked("Field", "10.00")
    expect(felt.page.locator(".bubble")).to_contain_text("above the maximum of 10.00")
    assert _staked(felt) == {"field": "10.00"}


def test_undo_takes_back_one_click_of_several_quick_ones(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.page.evaluate(SLOW_LINE)
    felt.area("Field").focus()
    for key in ("+", "+", "+", "u"):
        felt.page.keyboard.press(key)
    felt.expect_staked("Field", "10.00")
    felt.page.keyboard.press("u")
    felt.expect_staked("Field", "5.00")


def test_clear_takes_what_is_still_on_its_way(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.page.evaluate(SLOW_LINE)
    felt.area("Field").focus()
    for key in ("+", "+", "c"):
        felt.page.keyboard.press(key)
    expect(felt.page.locator("#say")).to_contain_text("10.00 back from Field, accepted")
    expect(felt.page.locator(".felt .stack")).to_have_count(0)
    assert _staked(felt) == {}


def test_a_whole_rebet_is_undone_as_one(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    dora = _dealer(house)
    felt.bet("Field", "Any Seven")
    _roll(dora, 4, 4)  # both lose
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, None)
    _button(felt, "Rebet").click()
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, "5.00")
    _button(felt, "Double").click()
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, "10.00")
    _button(felt, "Undo").click()
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, "5.00")
    _button(felt, "Undo").click()
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, None)


def test_a_chip_larger_than_what_is_in_hand_bets_the_rest(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, chips="37", min="5.00")
    bubble = felt.page.locator(".bubble")
    felt.chip("25")
    felt.click("Field")
    felt.expect_staked("Field", "25.00")
    felt.click("Any Seven")
    felt.expect_staked("Any Seven", "12.00")
    expect(bubble).to_have_text(re.compile("All in: your last 12.00 go on Any Seven."))
    expect(felt.page.locator(".purse .in-hand")).to_contain_text("0.00")
    felt.click("Horn")
    expect(bubble).to_contain_text("You have 0.00 left. This bet needs 8.00.")
    expect(bubble.get_by_role("link")).to_have_count(0)  # the purse refuses, not a rule
    _button(felt, "Undo").click()
    felt.expect_staked("Any Seven", None)


def test_the_last_chips_leave_room_for_the_commission(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, chips="20")
    felt.chip("100")
    felt.click("Buy 4")
    felt.expect_staked("Buy 4", "19.00")  # with 0.95 of commission
    expect(felt.page.locator(".purse .in-hand dd")).to_have_text("0.05")


# -- by hand ----------------------------------------------------------------------------------------------------------


def _draw(felt: AtFelt, start: tuple[float, float], end: tuple[float, float]) -> None:
    mouse = felt.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    expect(felt.page.locator(".drawn-chips")).to_be_visible()
    mouse.move(*end)
    mouse.up()
    expect(felt.page.locator(".drawn-chips")).to_have_count(0)


def _middle(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_chips_are_drawn_from_the_rack_and_from_area_to_area(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    chip = felt.page.locator(".chip-button", has_text=re.compile("^25 chip$"))
    _draw(felt, _middle(chip), point_in(felt.page, felt.area("Field")))
    felt.expect_staked("Field", "25.00")
    expect(chip.locator("input")).to_be_checked()

    _draw(felt, point_in(felt.page, felt.area("Field")), point_in(felt.page, felt.area("Any Seven")))
    felt.expect_staked("Any Seven", "25.00")
    felt.expect_staked("Field", None)
    _button(felt, "Undo").click()  # taking and betting were one action
    felt.expect_staked("Field", "25.00")
    felt.expect_staked("Any Seven", None)

    _draw(felt, point_in(felt.page, felt.area("Field")), _middle(felt.page.locator(".rack .row")))
    felt.expect_staked("Field", None)


def test_chips_that_cannot_lie_where_they_are_drawn_go_back(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.bet("Field")
    _draw(felt, point_in(felt.page, felt.area("Field")), point_in(felt.page, felt.area("Come")))
    expect(felt.page.locator(".bubble")).to_contain_text("Come opens once there is a point.")
    felt.expect_staked("Field", "5.00")
    assert _staked(felt) == {"field": "5.00"}


def test_a_finger_draws_chips_and_does_not_scroll(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, TALL)
    felt.tap("Field")
    felt.expect_staked("Field", "5.00")
    start, end = point_in(felt.page, felt.area("Field")), point_in(felt.page, felt.area("Don't Win"))
    before = felt.page.evaluate("scrollY")
    touch = felt.visitor.context.new_cdp_session(felt.page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for share in (0.25, 0.5, 0.75, 1):
        send("touchMove", (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
    assert felt.page.evaluate("scrollY") == before
    send("touchEnd")
    felt.expect_staked("Don't Win", "5.00")
    felt.expect_staked("Field", None)


# -- favourites and auto-rebet ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [DESKTOP, TALL], ids=str)
def test_a_layout_is_saved_and_placed_again(house: Running, visit: Visitors, look: Look) -> None:
    felt = _seated(house, visit, look)
    felt.chip("25")
    felt.click("Field")
    felt.expect_staked("Field", "25.00")
    felt.click("Buy 4")
    felt.expect_staked("Buy 4", "25.00")
    _button(felt, "Favourites").click()
    dialog = felt.page.get_by_role("dialog", name="Favourite layouts")
    dialog.get_by_label("Name of the layout").fill("Two by two")
    dialog.get_by_role("button", name="Save what stands").click()
    row = dialog.get_by_role("listitem")
    expect(row).to_contain_text("Two by two")
    expect(row).to_contain_text("51.25")  # what it really takes
    felt.visitor.axe()
    fits(felt.page)
    dialog.get_by_role("button", name="Close").click()
    felt.clear()

    felt.page.reload()  # it is kept in the browser, for every table of the book
    _button(felt, "Favourites").click()
    felt.page.get_by_role("dialog").get_by_role("button", name="Place Two by two").click()
    for name in ("Field", "Buy 4"):
        felt.expect_staked(name, "25.00")
    _button(felt, "Undo").click()
    for name in ("Field", "Buy 4"):
        felt.expect_staked(name, None)
    _button(felt, "Favourites").click()
    felt.page.get_by_role("dialog").get_by_role("button", name="Delete Two by two").click()
    expect(felt.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(0)


def _auto(felt: AtFelt) -> Locator:
    return felt.page.locator(".rack").get_by_role("switch", name="Auto-rebet")


def _roll_and_see(felt: AtFelt, dora: Person, *dice: int) -> None:
    """Roll, and wait until the throw has been shown to its end: only then is it bet again."""
    told = felt.page.locator(".calls li")
    before = told.count()
    _roll(dora, *dice)
    expect(told).not_to_have_count(before)
    expect(felt.page.locator(".felt-box[data-show]")).to_have_count(0)


def test_auto_rebet_bets_the_same_again_until_there_is_too_little(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, chips="25")
    dora = _dealer(house)
    felt.bet("Field", "Any Seven")
    _auto(felt).click()
    expect(_auto(felt)).to_have_attribute("aria-checked", "true")
    _roll_and_see(felt, dora, 4, 4)
    expect(felt.page.locator(".purse .in-hand dd")).to_have_text("5.00")
    for name in ("Field", "Any Seven"):
        felt.expect_staked(name, "5.00")
    _roll_and_see(felt, dora, 4, 4)
    expect(felt.page.locator(".calls li.refused").first).to_contain_text(
        "Auto-rebet has stopped. You have 5.00 left. This bet needs 10.00."
    )
    expect(_auto(felt)).to_have_attribute("aria-checked", "false")
    assert _staked(felt) == {}


def test_auto_rebet_stops_when_it_is_refused(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    dora = _dealer(house)
    felt.bet("Field", "Win Line")
    _auto(felt).click()
    _roll_and_see(felt, dora, 4, 3)  # the line wins, the field loses, and both are made again
    for name in ("Field", "Win Line"):
        felt.expect_staked(name, "5.00")
    _roll_and_see(felt, dora, 2, 4)  # the line stays
    felt.expect_staked("Field", "5.00")
    expect(_auto(felt)).to_have_attribute("aria-checked", "true")
    _button(felt, "Clear").click()
    felt.expect_staked("Field", None)
    felt.bet("Come")
    sam = house.person("sam")
    assert sam.do("/tables/dealt/post", {"role": "supervisor"}).status_code == 200
    assert sam.do("/tables/dealt/lines", {"line": {"do": "set_maximum", "maximum": "4.00"}}).status_code == 200
    _roll_and_see(felt, dora, 6, 5)  # Come wins
    expect(felt.page.locator(".calls")).to_contain_text("Auto-rebet has stopped: a bet was refused.")
    expect(_auto(felt)).to_have_attribute("aria-checked", "false")


def test_auto_rebet_is_among_the_favourites_on_a_phone(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann", TALL), quick_table(house, TWO_UP))
    felt.sit_down("200")
    felt.tap("Heads")
    felt.expect_staked("Heads", "5.00")
    _button(felt, "Favourites").tap()
    switch = felt.page.get_by_role("dialog").get_by_role("switch", name="Auto-rebet")
    switch.tap()
    expect(switch).to_have_attribute("aria-checked", "true")
    felt.page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    expect(felt.page.locator(".rack .repeats")).to_have_text("Rebet")


# -- what wins --------------------------------------------------------------------------------------------------------


def test_an_area_says_what_wins_loses_and_waits_now(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, LOW)
    dora = _dealer(house)
    then = _panel(felt).locator(".then")
    felt.area("Win Line").focus()
    expect(then).to_contain_text("Wins on 7 or 11. Loses on 2, 3 or 12. Plays on after 4, 5, 6, 8, 9 or 10.")
    felt.area("Don't Win").focus()
    expect(then).to_contain_text("Comes back on 2.")
    felt.click("Win Line")
    felt.expect_staked("Win Line", "5.00")
    _roll(dora, 6, 2)
    felt.area("Win Line").focus()
    expect(then).to_contain_text("Wins on 8. Loses on 7. Waits on 2 to 6 or 9 to 12.")
    expect(then).to_contain_text("Win Line opens again after this hand.")
    felt.area("Hardways 8").focus()
    expect(then).to_contain_text("Wins on 4-4. Loses on 7 or any other 8.")
    felt.area("Field").hover()
    expect(then).to_contain_text("Wins 2 to 1 on 2 or 12. Wins 1 to 1 on 3, 4, 9, 10 or 11. Loses on 5 to 8.")
    expect(_total(felt, "12")).to_contain_text("2:1")
    assert re.search(r"\b36\b|%|ways|chance", _panel(felt).inner_text()) is None
    felt.visitor.axe_by_day_and_night()


def test_a_total_says_what_it_would_do_to_the_players_chips(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, LOW)
    felt.bet("Field", "Any Seven")
    then = _panel(felt).locator(".then")
    _total(felt, "12").hover()
    expect(then).to_have_text("12: you win 10.00 and lose 5.00; 15.00 comes back to you.")
    _total(felt, "7").hover()
    expect(then).to_have_text("7: you win 20.00 and lose 5.00; 25.00 comes back to you.")
    _total(felt, "7").focus()
    felt.page.keyboard.press("ArrowRight")
    expect(_total(felt, "8")).to_be_focused()
    expect(then).to_have_text("8: you lose 10.00.")
    expect(_total(felt, "8")).to_have_accessible_name(re.compile("8: you lose 10.00."))


def test_what_wins_is_a_sheet_on_a_phone(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, TALL)
    felt.tap("Field")
    felt.expect_staked("Field", "5.00")
    expect(_panel(felt)).to_contain_text("Wins 2 to 1 on 2 or 12.")
    _button(felt, "What wins").tap()
    sheet = felt.page.get_by_role("dialog", name="Field")
    expect(sheet).to_contain_text("your stake 5.00")
    sheet.locator(".total").nth(2).tap()
    expect(sheet.locator(".then")).to_have_text("4: you win 5.00; 10.00 comes back to you.")
    felt.visitor.axe_by_day_and_night()
    fits(felt.page)
    sheet.get_by_role("button", name="Add a chip").tap()
    felt.expect_staked("Field", "10.00")
    _button(felt, "What wins").tap()
    sheet.get_by_role("button", name="Take a chip off").tap()
    felt.expect_staked("Field", "5.00")


_SAID = """async ([book, names]) => {
    const { get } = await import("/web/shared/api.js");
    const { areaSentences } = await import("/web/table/effect-words.js");
    const { cellsFor } = await import("/web/table/outcomes.js");
    const drawing = await get(`/tables/${book}/drawing`);
    const next = await get(`/tables/${book}/next`);
    return names.map(name => {
        const place = drawing.areas.findIndex(area => area.name === name);
        const cells = cellsFor(next.outcomes, next.areas[place], drawing.areas[place]);
        return areaSentences(cells, next.areas[place]).map(one => one.words).join(" ");
    });
}"""
SAID = {
    CRAPS: {
        "Any Seven": "Wins on 7. Loses on 2 to 6 or 8 to 12.",
        "Horn": "Wins 33 to 1 on 2 or 12. Wins 16 to 1 on 3 or 11. Loses on 4 to 10.",
        "Place Bet to Win 6": "Off now: the next throw does nothing to it.",
        "Lay 4": "Wins on 7. Loses on 4. Waits on 2, 3, 5, 6 or 8 to 12.",
    },
    SIC_BO: {
        "Small": "Wins on 4 to 10. Loses on 11 to 17 or any triple.",
        "Any Triple": "Wins on any triple. Loses on 4 to 17.",
        "Three Dice Totals 9": "Wins on 9. Loses on 3 to 8 or 10 to 18.",
        "Specific Triples 2": "Wins on 2-2-2. Loses on 3, 4, 5, 7 to 18 or any other 6.",
        "Specific Doubles 1": "Wins on 1-1 or 1-1-1. Loses on anything else.",
        "Dice Combinations 1 2": "Wins on 1-2. Loses on anything else.",
        "Four Number Combinations 1 2 3 4": "Wins on three of the four. Loses on anything else.",
        "Single Die Bet 4": "Wins 1 to 1 on 4. Wins 2 to 1 on 4-4. Wins 12 to 1 on 4-4-4. Loses on anything else.",
    },
    TWO_UP: {"Heads": "Wins on HH. Loses on TT. Plays on after HT."},
    "snake-eyes-nsw-2019": {
        "Hardway Combo": "Wins on 2-2, 3-3, 4-4 or 5-5. Loses on 7 or any other 4, 6, 8 or 10. Waits on anything else."
    },
}


@pytest.mark.parametrize("book", SAID)
def test_outcomes_are_told_in_few_words(house: Running, visit: Visitors, book: str) -> None:
    page = visit(house).go("/")
    told: list[Any] = page.evaluate(_SAID, [book, list(SAID[book])])
    assert dict(zip(SAID[book], told, strict=True)) == SAID[book]


# -- what it takes, and why not ---------------------------------------------------------------------------------------


def test_what_a_bet_takes_is_said_before_and_after(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, LOW)
    then = _panel(felt).locator(".then")
    felt.area("Horn").focus()
    expect(then).to_contain_text("Your 5 chip takes 8.00 here.")
    felt.chip("100")
    expect(then).to_contain_text("Bets any amount, in steps of 4.00.")
    expect(then).not_to_contain_text("Your 100 chip")  # it takes what it says
    felt.area("Field").hover()
    felt.click("Buy 4")
    felt.expect_staked("Buy 4", "100.00")
    expect(_panel(felt)).to_contain_text("your stake 100.00 + 5.00 commission")
    expect(felt.page.locator(".card.own")).to_contain_text("100.00 + 5.00 commission")
    expect(felt.page.locator(".purse .in-hand dd")).to_have_text("95.00")
    felt.chip("25")
    expect(then).to_contain_text("Your 25 chip takes 26.25 here, 1.25 of it commission.")


def test_why_nothing_can_be_bet_is_said_to_you_and_covers_no_area(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, LOW)
    dora = _dealer(house)
    bubble = felt.page.locator(".bubble")
    then = _panel(felt).locator(".then")
    felt.area("Come").focus()
    expect(then).to_contain_text("Come opens once there is a point.")
    expect(felt.area("Come")).to_have_accessible_name(re.compile("closed now"))
    felt.click("Come")
    expect(bubble).to_contain_text("Come opens once there is a point.")
    expect(bubble.get_by_role("link", name="rule 6.2.3")).to_have_count(1)
    box, cloth = bubble.bounding_box(), felt.page.locator(".felt").bounding_box()
    assert box is not None
    assert cloth is not None
    assert box["y"] >= cloth["y"] + cloth["height"], "the message lies below the felt"
    felt.bet("Win Line")
    _roll(dora, 2, 2)
    felt.click("Don't Win")
    expect(bubble).to_contain_text("Don't Win opens again after this hand.")


def test_odds_say_which_bet_comes_first(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, TALL)
    behind = felt.area("Behind the Come 4")
    felt.page.locator(".felt-tabs").get_by_role("button", name="Numbers").tap()
    felt.page.get_by_role("button", name="Number 4", exact=True).tap()
    expect(behind).to_have_accessible_name(re.compile("closed now"))
    felt.tap("Behind the Come 4")
    expect(felt.page.locator(".bubble")).to_contain_text("First a bet on Come 4, then you can bet behind it.")
    felt.page.locator(".felt-tabs").get_by_role("button", name="Felt").tap()
    expect(felt.area("Behind the Win Line")).to_have_accessible_name(re.compile("closed now"))
    felt.tap("Behind the Win Line")
    expect(felt.page.locator(".bubble")).to_contain_text("First a point, then you can bet here.")
    fits(felt.page)
    felt.visitor.axe()


@pytest.mark.parametrize("look", [PHONE, Look("side"), Look("zoomed")], ids=str)
def test_favourites_and_what_wins_fit_everywhere(house: Running, visit: Visitors, look: Look) -> None:
    felt = _seated(house, visit, look)
    felt.click("Field")
    felt.expect_staked("Field", "5.00")
    fits(felt.page)
    felt.visitor.axe()
