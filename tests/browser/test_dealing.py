"""A dealer and two players at one table, each with a browser: the game goes on, and all see the same."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.consoles import AtConsole, Faces, expect_paid, expect_same
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import DESKTOP, PHONE, Look, every_look
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nsw-2019"
WITHIN = """parts => parts.filter(part => {
    const box = part.getBoundingClientRect();
    return part.checkVisibility() && (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth);
}).map(part => part.textContent)"""
CONTROLS = ".dealing button:visible, .bar .bets, .read-back"


class Game(NamedTuple):
    """What two players bet on, what falls, and why a throw between does not count."""

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
    """Dora deals; ann plays by mouse, ben on a phone."""

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
            self.ann.area(name).click()
            self.ann.expect_staked(name, "5.00")
        for name in ben:
            self.ben.area(name).tap()
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
    console.void(game.ground, by_keys=game.by_keys)
    expect(console.page.locator(".caption")).to_have_text(re.compile("^“no (roll|spin|result)”$"))
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
    """Controls of the console that one would have to scroll to."""
    found: list[str] = page.locator(CONTROLS).evaluate_all(WITHIN)
    return found


def test_a_late_press_on_another_page_is_refused_and_nothing_is_doubled(house: Running, visit: Visitors) -> None:
    """Two pages have the same throw read back, and both are pressed. The second order comes after the table went on."""
    evening = Evening(house, visit, CRAPS)
    evening.sit_down()
    evening.bet(("Field",), ("Field",))
    late = visit(house, "dora")
    late.allow("status of 409")
    other = AtConsole(late, evening.table)
    for console in (evening.console, other):
        console.put_in((2, 1))
    held: list[Route] = []
    other.page.route("**/lines", held.append)
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


def test_dice_are_offered_accepted_thrown_and_entered(house: Running, visit: Visitors) -> None:
    """The dice go round by hand: players say on their pages what players say, the dealer does the rest."""
    evening = Evening(house, visit, CRAPS, dice="manual")
    console, ann, ben = evening.console, says(evening.ann), says(evening.ben)
    expect(ann).to_be_hidden()
    ben_first, ann_second = (evening.ben, "300"), (evening.ann, "200")
    for felt, chips in (ben_first, ann_second):
        felt.sit_down(chips)
    expect(ann.get_by_role("button")).to_have_text(["Something else …"])

    console.step("Offer the dice to ben").click()
    expect(ben.get_by_role("button")).to_have_text(["Accept the dice", "Decline the dice", "Something else …"])
    expect(evening.ben.page.locator("#say")).to_contain_text("You may now: Accept the dice, Decline the dice.")
    ben.get_by_role("button", name="Decline the dice").tap()
    console.step("Offer the dice to ann").click()
    ann.get_by_role("button", name="Accept the dice").click()
    expect(ann).to_contain_text("You said: Accept the dice.")
    ann.get_by_role("button", name="Choose two dice").click()
    expect(ann.get_by_role("button")).to_have_text(["Pass the dice", "Something else …"])  # first, the shooter's wager
    evening.bet(("Win Line",), ("Field",))
    evening.ann.visitor.axe()
    evening.ben.visitor.axe()
    ann.get_by_role("button", name="Throw the dice").click()

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


def says(felt: AtFelt):  # type: ignore[no-untyped-def]
    return felt.page.locator(".says")


def beyond_the_edge(page: Page) -> int:
    """How many pixels lie beyond the right edge."""
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found
