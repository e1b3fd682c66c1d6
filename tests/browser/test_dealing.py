"""A dealer and two players at one table, each with a browser: the game goes on, and all of them see the same."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.consoles import AtConsole, Faces, expect_paid, expect_same
from tests.browser.felts import AtFelt, dealt_table, point_in
from tests.browser.looks import DESKTOP, PHONE, Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Running, did

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nsw-2019"
OUTSIDE = """parts => parts.filter(part => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const isWithin = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return !isWithin || !part.contains(document.elementFromPoint((left + right) / 2, bottom - 2));
}).map(part => part.textContent)"""
# The answer to the next order is held back until `letGo`; everything else arrives.
HELD = """() => {
    const { fetch } = window;
    const gone = new Promise(letGo => { window.letGo = letGo; });
    window.fetch = async (...asked) => {
        const answer = await fetch(...asked);
        if (String(asked[0]).endsWith('/lines')) {
            window.fetch = fetch;
            await gone;
        }
        return answer;
    };
}"""
CONTROLS = ".dealing button:visible, .bar .bets, .read-back:visible"


class Game(NamedTuple):
    """What two players bet on, what is thrown, and why a throw in between does not count."""

    ann: tuple[str, ...]
    ben: tuple[str, ...]
    throws: tuple[Faces, ...]
    ground: str
    by_keys: bool


GAMES = {
    CRAPS: Game(("Win Line", "Field"), ("Don't Win", "Any Seven", "Field"), ((4, 4), (5, 3)), "5.3.1", by_keys=True),
    TWO_UP: Game(("Heads",), ("Tails", "Heads"), (("H", "T"), ("T", "T")), "7.1.2", by_keys=False),
    SIC_BO: Game(("Small", "Big"), ("Big", "Any Triple"), ((1, 2, 3), (6, 5, 6)), "8.1", by_keys=False),
    SNAKE_EYES: Game(("Field", "Any Seven"), ("Any Seven", "Hardways 8"), ((4, 4), (3, 4)), "5.2.2", by_keys=True),
}


class Evening:
    """Dora deals; ann plays with a mouse, ben on a phone."""

    def __init__(self, house: Running, visit: Visitors, book: str, **line: object) -> None:
        self.table = dealt_table(house, book, **line)
        self.console = AtConsole(visit(house, "dora"), self.table)
        self.ann = AtFelt(visit(house, "ann"), self.table)
        self.ben = AtFelt(visit(house, "ben", PHONE), self.table)
        self.players = {"ann": self.ann, "ben": self.ben}
        self.console.take_post()

    def sit_down(self) -> None:
        self.ann.sit_down("200")
        self.ben.sit_down("300")

    def bet(self, ann: tuple[str, ...], ben: tuple[str, ...]) -> None:
        for name in ann:
            self.ann.click(name)
            self.ann.expect_staked(name, "5.00")
        for name in ben:
            self.ben.tap(name)
            self.ben.expect_staked(name, "5.00")

    def expect_same(self) -> None:
        expect_same(self.console, self.players)


@pytest.mark.parametrize("book", GAMES)
def test_a_dealer_and_two_players_see_the_same(house: Running, visit: Visitors, book: str) -> None:
    game, evening = GAMES[book], Evening(house, visit, book)
    console = evening.console
    evening.sit_down()
    evening.bet(game.ann, game.ben)
    evening.expect_same()

    console.close_bets()
    assert outside(console.page) == [], "all that a throw needs is on one screen"
    console.out(by_keys=game.by_keys)
    console.void(game.ground, by_keys=game.by_keys)
    expect(console.page.locator(".results li.void")).to_have_text(re.compile("^no (roll|spin|result)$"))
    assert [row["clause"] for row in console.events("throw_voided")] == [game.ground]
    evening.expect_same()

    for number, faces in enumerate(game.throws, 1):
        console.close_bets()
        console.put_in(faces, by_keys=game.by_keys)
        assert outside(console.page) == []
        assert len(console.events("thrown")) == number - 1, "nothing is entered by the first press"
        console.again(by_keys=game.by_keys)
        expect(console.page.locator(".results li:not(.void)")).to_have_count(number)
        evening.expect_same()
        expect_paid(console, evening.players)
    assert len(console.events("thrown")) == len(game.throws)
    assert console.told()["wagers"] == [], "the throws decided every wager"


def outside(page: Page) -> list[str]:
    """Controls of the console that can only be reached by scrolling."""
    found: list[str] = page.locator(CONTROLS).evaluate_all(OUTSIDE)
    return found


def test_a_late_press_on_another_page_is_refused_and_nothing_is_doubled(house: Running, visit: Visitors) -> None:
    """The same throw is read back on two pages, and both are pressed. The second order arrives after the table has
    moved on.
    """
    evening = Evening(house, visit, CRAPS)
    evening.sit_down()
    evening.bet(("Field",), ("Field",))
    late = visit(house, "dora")
    late.allow("status of 409")
    other = AtConsole(late, evening.table)
    for console in (evening.console, other):
        console.put_in((2, 1))
    held: list[Route] = []
    other.page.route("**/lines", lambda route: held.append(route))
    with other.page.expect_request("**/lines"):
        other.again()
    evening.console.again()
    expect(evening.console.page.locator(".results li")).to_have_count(1)
    held[0].continue_()

    refused = other.page.locator(".entry .problem")
    expect(refused).to_contain_text("Look at the table, then press again.")
    expect(other.page.locator(".confirm")).to_be_disabled()  # nothing is left of the entry that a press could send
    other.page.keyboard.press("Enter")
    evening.expect_same()
    expect_same(other, evening.players)
    expect_paid(other, evening.players)
    assert len(other.events("thrown")) == 1
    assert [row["player"] for row in other.events("wager_settled")] == ["ann", "ben"]


@pytest.mark.parametrize("book", [CRAPS, SNAKE_EYES])
def test_the_dice_go_out_by_one_key_and_a_chip_after_that_is_late(house: Running, visit: Visitors, book: str) -> None:
    """Without a mouse: dice out, two faces, confirm. A bet made after the dice went out is refused."""
    evening = Evening(house, visit, book)
    evening.ben.visitor.allow("status of 422")
    evening.sit_down()
    evening.bet(("Field",), ())
    console, keys = evening.console, evening.console.page.keyboard
    expect(console.page.locator(".felt .stack")).to_have_count(1)  # the console has heard of the chip
    keys.press("Space")
    expect(console.page.locator(".bets")).to_have_text("bets closed")
    expect(console.page.locator(".next")).to_contain_text("The dice are in the air.")
    expect(evening.ben.page.locator(".status .bets")).to_have_text("No more bets")
    evening.ben.tap("Field")
    expect(evening.ben.expect_called("refused")).to_contain_text("The dice have been thrown, and the bets are closed.")
    keys.press("Space")  # which is no second throw
    console.put_in((6, 6), by_keys=True)
    expect(console.page.locator(".next")).to_contain_text("The dice are at rest.")
    console.again(by_keys=True)
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()
    assert [row["player"] for row in console.events("wager_settled")] == ["ann"]
    [fell] = console.events("thrown")
    acts = {row["act"]: row["at"] for row in console.events("act_done")}
    assert (fell["thrown_at"], fell["rested_at"]) == (acts["dice_out"], acts["rest"])
    assert fell["thrown_at"] < fell["rested_at"]


def test_the_first_face_closes_the_bets_and_clearing_it_does_not_open_them(house: Running, visit: Visitors) -> None:
    """A chip on twelve while 6-6 is read back is not paid, whatever the dealer does next."""
    evening = Evening(house, visit, CRAPS)
    evening.ben.visitor.allow("status of 422")
    evening.sit_down()
    evening.bet(("Field",), ())
    console, keys = evening.console, evening.console.page.keyboard
    keys.press("6")
    expect(console.page.locator(".bets")).to_have_text("bets closed")
    keys.press("6")
    expect(console.page.locator(".read-back")).to_contain_text("6 and 6: 12.")
    evening.ben.tap("Craps Twelve")
    evening.ben.expect_called("refused")
    keys.press("Escape")
    expect(console.page.locator(".read-back")).to_have_text("Enter the 2 dice.")
    expect(console.page.locator(".bets")).to_have_text("bets closed")
    evening.ben.tap("Craps Twelve")
    console.put_in((6, 5), by_keys=True)
    keys.press("Backspace")
    keys.press("6")
    console.again(by_keys=True)
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()
    assert [row["player"] for row in console.events("wager_settled")] == ["ann"]
    assert console.events("wager_placed")[1:] == []
    assert [row["dice"] for row in console.events("thrown")] == [[6, 6]]


def test_an_entry_over_a_changed_layout_is_asked_for_again(house: Running, visit: Visitors) -> None:
    """A supervisor corrects a chip while the dealer reads the result back: nothing is settled before the dealer looks
    again.
    """
    evening = Evening(house, visit, SNAKE_EYES)
    evening.sit_down()
    evening.bet(("Field",), ("Any Seven",))
    sam = house.person("sam")
    did(sam, f"/tables/{evening.table}/post", {"role": "supervisor"})
    console = evening.console
    console.put_in((3, 4))
    put_right = {"do": "correct_position", "player": "ann", "wager": "field", "to": "any_seven", "why": "it slid"}
    did(sam, f"/tables/{evening.table}/lines", {"line": put_right})
    evening.ann.expect_staked("Any Seven", "5.00")
    expect(console.page.locator(".felt .stack")).to_have_count(2)
    console.page.wait_for_function("document.querySelector('.felt .area[aria-label^=\"Field,\"] .stack') === null")
    console.again()
    expect(console.page.locator(".entry .problem")).to_contain_text("The layout has changed.")
    assert console.events("thrown") == []
    console.again()
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()
    assert [(row["player"], row["result"]) for row in console.events("wager_settled")] == [
        ("ben", "win"),
        ("ann", "win"),
    ]


def test_an_entry_is_not_sent_again_over_a_layout_that_changed_on_the_way(house: Running, visit: Visitors) -> None:
    """A chip is corrected after the second press, before the order arrives: it is refused, and the dealer is asked
    again.
    """
    evening = Evening(house, visit, SNAKE_EYES)
    evening.console.visitor.allow("status of 409")
    evening.sit_down()
    evening.bet(("Field",), ("Any Seven",))
    sam = house.person("sam")
    did(sam, f"/tables/{evening.table}/post", {"role": "supervisor"})
    console = evening.console
    console.put_in((3, 4))
    held: list[Route] = []
    console.page.route("**/lines", lambda route: held.append(route))
    with console.page.expect_request("**/lines"):
        console.again()
    put_right = {"do": "correct_position", "player": "ann", "wager": "field", "to": "any_seven", "why": "it slid"}
    did(sam, f"/tables/{evening.table}/lines", {"line": put_right})
    held[0].continue_()
    console.page.unroute("**/lines")
    expect(console.page.locator(".entry .problem")).to_contain_text("Look at the table, then press again.")
    assert console.events("thrown") == []
    console.again()  # the layout is another than was read back
    expect(console.page.locator(".entry .problem")).to_contain_text("The layout has changed.")
    console.again()
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()


def test_where_no_throw_is_under_way_none_is_called_void(house: Running, visit: Visitors) -> None:
    evening = Evening(house, visit, CRAPS)
    evening.sit_down()
    page = evening.console.page
    page.keyboard.press("v")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("A roll can be called void only while it is under way.")
    expect(sheet.locator("input[name=ground], [type=submit]")).to_have_count(0)
    evening.console.visitor.axe()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    evening.console.out()
    evening.console.void("5.3.2", by_keys=True)
    expect(page.locator(".results li.void")).to_have_count(1)


def test_dice_are_offered_accepted_thrown_and_entered(house: Running, visit: Visitors) -> None:
    """The dice are passed by hand: players make their own announcements on their pages, and the dealer does the
    rest."""
    evening = Evening(house, visit, CRAPS, dice="manual")
    console, ann, ben = evening.console, says(evening.ann), says(evening.ben)
    expect(ann).to_be_hidden()
    ben_first, ann_second = (evening.ben, "300"), (evening.ann, "200")
    for felt, chips in (ben_first, ann_second):
        felt.sit_down(chips)
    expect(ann.get_by_role("button")).to_have_text(["Actions …"])

    console.step("Offer the dice to ben").click()
    expect(ben.get_by_role("button")).to_have_text(["Accept the dice", "Decline the dice", "More actions …"])
    expect(evening.ben.page.locator("#say")).to_contain_text("You can now: Accept the dice, Decline the dice.")
    ben.get_by_role("button", name="Decline the dice").tap()
    console.step("Offer the dice to ann").click()
    ann.get_by_role("button", name="Accept the dice").click()
    expect(ann).to_contain_text("Done: Accept the dice.")
    ann.get_by_role("button", name="Choose two dice").click()
    expect(ann.get_by_role("button")).to_have_text(["Pass the dice", "More actions …"])  # first, the shooter's wager
    evening.bet(("Win Line",), ("Field",))
    evening.ann.visitor.axe()
    evening.ben.visitor.axe()
    ann.get_by_role("button", name="Throw the dice").click()

    for felt in evening.players.values():
        expect(felt.page.locator(".status .bets")).to_have_text("No more bets")
    console.step("The dice rest").click()
    console.put_in((6, 1))
    console.again()
    expect(ben.get_by_role("button", name="Dispute which face is up")).to_be_visible()
    console.step("Confirm").click()
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()
    expect_paid(console, evening.players)
    assert [row["by"] for row in console.events("thrown")] == ["ann"]
    assert beyond_the_edge(evening.ben.page) == 0


def test_a_player_is_told_what_staff_do_with_their_turn_and_their_chip(house: Running, visit: Visitors) -> None:
    evening = Evening(house, visit, CRAPS, dice="manual", late=True)
    console, ann, ben = evening.console, says(evening.ann), says(evening.ben)
    evening.sit_down()
    page = evening.ben.page
    page.get_by_role("heading", name="Receipts").scroll_into_view_if_needed()
    console.press("Offer the dice to ann")
    console.press("Ask ann again")
    expect(ann).to_contain_text("You are asked again. If you do not answer, the game goes on without you.")
    console.press("ann does not answer: go on")
    expect(ann).to_contain_text("You did not answer, which was taken as a refusal.")
    console.press("Offer the dice to ben")
    accept = ben.get_by_role("button", name="Accept the dice")
    expect(accept).to_be_in_viewport()  # ben had scrolled away from it
    accept.tap()
    expect(ben).to_contain_text("Done: Accept the dice.")
    ben.get_by_role("button", name="Choose two dice").tap()
    evening.bet((), ("Win Line",))
    expect(ben.get_by_role("button", name="Throw the dice")).to_be_visible()
    expect(ben).not_to_contain_text("Done:")  # that was for the moment before
    console.out_with_late_bets()
    evening.bet(("Field",), ())
    console.page.locator(".waiting button").click()
    expect(ann).to_contain_text("Field: your late wager is confirmed and counts.")
    expect(evening.ann.page.locator(".calls")).to_contain_text("Field: your late wager is confirmed and counts")


def test_whose_chips_lie_where_the_dealer_points_is_kept_up(house: Running, visit: Visitors) -> None:
    evening = Evening(house, visit, CRAPS)
    evening.sit_down()
    page = evening.console.page
    page.mouse.move(*point_in(page, page.locator('.felt .area[aria-label^="Field,"]')))
    expect(page.locator(".looked")).to_contain_text(": no chips")
    evening.bet(("Field",), ())
    expect(page.locator(".looked")).to_contain_text("ann 5.00")


def test_a_step_pressed_before_the_house_answers_is_kept(house: Running, visit: Visitors) -> None:
    """The table shows the next step as soon as it has changed, and that may be before the page has its answer. Another
    press of the same step is one too many.
    """
    evening = Evening(house, visit, CRAPS, dice="manual")
    evening.sit_down()
    console = evening.console
    console.page.evaluate(HELD)
    console.step("Offer the dice to ann").dblclick()
    says(evening.ann).get_by_role("button", name="Decline the dice").click()
    console.step("Offer the dice to ben").click()
    expect(console.page.locator(".dealing")).to_have_attribute("aria-busy", "true")
    console.page.evaluate("letGo()")
    expect(says(evening.ben).get_by_role("button", name="Accept the dice")).to_be_visible()
    assert [row["player"] for row in console.events("act_done") if row["act"] == "offer"] == ["ann", "ben"]


def test_faces_pressed_before_the_house_answers_are_kept(house: Running, visit: Visitors) -> None:
    """A quick dealer reads the dice while “the dice rest” is still being sent."""
    evening = Evening(house, visit, CRAPS, late=True)
    evening.sit_down()
    evening.bet(("Win Line",), ())
    says(evening.ann).get_by_role("button", name="Throw the dice").click()
    console, on_their_way = evening.console, list[Route]()
    console.page.route("**/lines", lambda route: on_their_way.append(route))
    console.step("The dice rest").click()
    expect(console.page.locator(".dealing")).to_have_attribute("aria-busy", "true")
    for key in "61":
        console.page.keyboard.press(key)
    on_their_way.pop().continue_()
    console.page.unroute("**/lines")
    expect(console.page.locator(".read-back")).to_contain_text("6 and 1: ")
    console.again()
    console.step("Confirm").click()
    expect(console.page.locator(".results li")).to_have_count(1)


def test_a_late_wager_waits_until_the_dealer_confirms_it(house: Running, visit: Visitors) -> None:
    """Where late bets are taken the shooter throws on the page, and the dealer sees the bets laid in the meantime."""
    evening = Evening(house, visit, CRAPS, late=True)
    evening.sit_down()
    evening.bet(("Win Line",), ())
    says(evening.ann).get_by_role("button", name="Throw the dice").click()
    expect(evening.ben.page.locator(".status .bets")).to_have_text("Late bets only; the dealer must confirm them")
    evening.bet((), ("Field",))
    console = evening.console
    waiting = console.page.locator(".waiting")
    expect(waiting).to_contain_text("ben Field 5.00 late")
    waiting.get_by_role("button", name="Confirm: Field of ben").click()
    expect(waiting).to_be_hidden()
    console.step("The dice rest").click()
    console.put_in((1, 2))
    console.again()
    console.step("Confirm").click()
    expect(console.page.locator(".results li")).to_have_count(1)
    evening.expect_same()
    expect_paid(console, evening.players)
    assert [row["player"] for row in console.events("wager_settled") if row["result"] == "win"] == ["ben"]


def test_two_late_wagers_are_confirmed_before_the_house_answers(house: Running, visit: Visitors) -> None:
    evening = Evening(house, visit, CRAPS, late=True)
    evening.sit_down()
    console = evening.console
    console.out_with_late_bets()
    evening.bet(("Field",), ("Field",))
    waiting = console.page.locator(".waiting")
    expect(waiting.get_by_role("button")).to_have_count(2)
    console.page.evaluate(HELD)
    for player in evening.players:
        waiting.get_by_role("button", name=f"Confirm: Field of {player}").click()
    console.page.evaluate("letGo()")
    expect(waiting).to_be_hidden()
    assert [row["player"] for row in console.events("act_done") if row["act"] == "confirm_late"] == ["ann", "ben"]


def test_what_a_player_says_besides_is_searched_for_and_refused_with_its_rule(house: Running, visit: Visitors) -> None:
    evening = Evening(house, visit, CRAPS)
    evening.ann.visitor.allow("status of 422")
    evening.sit_down()
    page, panel = evening.ann.page, says(evening.ann)
    evening.bet(("Win Line",), ())
    expect(panel.get_by_role("button")).to_have_text(["Pass the dice", "More actions …"])  # the dealer enters throws
    panel.get_by_role("button", name="More actions …").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Search").fill("inspector")
    expect(sheet.locator(".acts li")).to_have_count(1)
    sheet.get_by_role("button", name="Complain to an inspector about (case)").click()
    sheet.get_by_label("Case", exact=True).fill("a1")
    sheet.get_by_role("button", name="Do it").click()
    refused = sheet.get_by_role("alert")
    expect(refused.get_by_role("link", name="rule 10.14")).to_have_attribute("href", f"/rules/{CRAPS}/10.14")
    evening.ann.visitor.axe()

    sheet.get_by_role("button", name="← All acts").click()
    sheet.get_by_label("Search").fill("raises dispute")
    sheet.locator(".acts button").click()
    sheet.get_by_label("Case name").fill("a1")
    sheet.get_by_label("About what").fill("the last roll")
    sheet.get_by_role("button", name="Do it").click()
    expect(panel).to_contain_text("Done: Raise the dispute a1 about the last roll.")
    assert [row["act"] for row in evening.console.events("act_done")] == ["raise_dispute"]


def test_only_who_sits_at_a_table_of_people_is_asked_to_say_something(house: Running, visit: Visitors) -> None:
    dealt = AtFelt(visit(house), dealt_table(house, CRAPS))
    expect(says(dealt)).to_be_hidden()
    alone = AtFelt(visit(house, "ann"), CRAPS)
    alone.page.get_by_label("Play chips").fill("100")
    alone.page.get_by_role("button", name="Sit down").click()
    expect(alone.page.locator(".purse .in-hand")).to_contain_text("100.00")
    expect(says(alone)).to_be_hidden()


@pytest.fixture
def busy(house: Running) -> str:
    """A table that dora deals, with chips of ann and ben on it; some bets were already taken and paid."""
    table = dealt_table(house, CRAPS, min="5.00", max="500.00")
    dora, ann, ben = (house.person(name) for name in ("dora", "ann", "ben"))
    did(dora, f"/tables/{table}/post", {"role": "dealer"})
    for player in (ann, ben):
        did(player, f"/tables/{table}/seat", {"chips": "500.00"})
        for wager in ("win_line", "field", "any_seven", "big_6", "big_8"):
            did(player, f"/tables/{table}/lines", {"line": {"do": "bet", "wager": wager, "amount": "5.00"}})
    did(dora, f"/tables/{table}/lines", {"line": {"do": "roll", "dice": [4, 2]}})
    return table


@every_size
def test_the_console_is_accessible_with_chips_lying(house: Running, busy: str, visit: Visitors, look: Look) -> None:
    visitor = visit(house, "dora", look)
    console = AtConsole(visitor, busy)
    expect(console.page.locator(".felt .stack")).not_to_have_count(0)
    expect(console.page.locator(".pay-list .verb").first).to_be_visible()
    visitor.axe_by_day_and_night()
    assert beyond_the_edge(console.page) == 0
    console.put_in((1, 1))
    visitor.axe_by_day_and_night()
    if look.size == DESKTOP.size:
        assert outside(console.page) == []
    console.page.locator(".others .danger").click()
    visitor.axe_by_day_and_night()
    assert beyond_the_edge(console.page) == 0


def says(felt: AtFelt) -> Locator:
    """The place where a player can say something other than a bet."""
    return felt.page.locator(".says")


def beyond_the_edge(page: Page) -> int:
    """How many pixels extend beyond the right edge."""
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found
