"""A player at the felt in a browser: areas by name, chips, announcements and the player's money."""

from __future__ import annotations

import re
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.sheets import do_in
from tests.browser.visiting import Visitor
from tests.serving import Running

CALLED_WITHIN_MS = 60_000  # a round or two, on a machine that does much else
RHYTHM = {"open": 6.0, "last_call": 2.0, "shut": 0.3, "show": 2.0, "waits": True, "numbers": 10.0}


# The point of an area nearest its middle that nothing else covers, once it no longer moves: areas go round corners, and
# lie within others.
_POINT = """area => {
    const box = area.querySelector('.ground').getBoundingClientRect();
    const steps = [...Array(25).keys()].map(step => (step + 0.5) / 25);
    const points = steps.flatMap(across => steps.map(down => [across, down]));
    const off = ([across, down]) => Math.hypot(across - 0.5, down - 0.5);
    for (const [across, down] of points.sort((one, other) => off(one) - off(other))) {
        const [x, y] = [box.left + across * box.width, box.top + down * box.height];
        if (document.elementFromPoint(x, y)?.closest('.area') !== area) continue;
        const before = area.pointBefore;
        area.pointBefore = String([x, y]);
        return before === area.pointBefore ? [x, y] : null;
    }
    area.scrollIntoView({ block: 'center' });
    return null;
}"""


def point_in(page: Page, area: Locator) -> tuple[float, float]:
    """A point at which a mouse or a finger meets an area, once nothing covers it."""
    expect(area).to_be_visible()
    point = page.wait_for_function(_POINT, arg=area.element_handle()).json_value()
    return point[0], point[1]


def quick_table(house: Running, book: str, **line: object) -> str:
    """An automatic table that keeps no one waiting."""
    mia = house.person("mia")
    body = {"table": "quick", "title": "Quick", "line": {"book": book, **line}, "rhythm": RHYTHM}
    assert mia.do("/tables", body).status_code == 200
    return "quick"


def dealt_table(house: Running, book: str, **line: object) -> str:
    """A table with staff."""
    mia = house.person("mia")
    assert mia.do("/tables", {"table": "dealt", "title": "Dealt", "line": {"book": book, **line}}).status_code == 200
    return "dealt"


class AtFelt:
    """Someone who looks at a table."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.table = table
        self.page: Page = visitor.go(f"/tables/{table}")
        expect(self.page.locator(".felt .area").first).to_be_visible()

    def sign_in(self, person: str) -> None:
        """Sign in through the dialog, with the password of the demonstration."""
        self.page.get_by_role("button", name="Sign in", exact=True).first.click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Username").first.fill(person)
        dialog.get_by_label("Password").first.fill(f"{person}-at-croupier")
        dialog.get_by_role("button", name="Sign in", exact=True).click()
        expect(self.page.get_by_role("button", name="Sign out")).to_be_visible()

    def sit_down(self, chips: str = "200", place: int | None = None) -> None:
        """Bring chips to the table, to any place or to a given one."""
        self.page.get_by_label("Play chips").fill(chips)
        if place is not None:
            self.page.get_by_label("Place", exact=True).select_option(str(place))
        self.page.get_by_role("button", name="Sit down").click()
        expect(self.page.locator(".purse .in-hand")).to_contain_text(chips)
        self.expect_bets_open()

    def play(self) -> None:
        """Sit down as a guest, with one press."""
        self.page.get_by_role("button", name="Play", exact=True).click()
        expect(self.page.locator(".purse .in-hand")).to_contain_text("200.00")
        self.expect_bets_open()

    @property
    def drive(self) -> Locator:
        """The button that says the player is ready, whatever its label."""
        return self.page.locator(".drive .roll")

    def get_up(self) -> None:
        """Leave the table with all chips."""
        self.page.get_by_text("You are seated").click()
        self.page.get_by_role("button", name="Leave the table").click()
        expect(self.page.get_by_role("button", name="Sit down")).to_be_visible()

    def clear(self) -> None:
        """Remove all chips from the felt, if there are any."""
        if self.page.locator(".felt .stack").count():
            self.page.get_by_role("button", name="Clear", exact=True).click()
            expect(self.page.locator(".felt .stack")).to_have_count(0)

    def bet(self, *names: str) -> None:
        """Lay a chip of five on each of these areas."""
        for name in names:
            self.click(name)
            self.expect_staked(name, "5.00")

    def says(self, words: str) -> None:
        """Press something that the table waits for the player to say."""
        button = self.saying(words)
        button.click()
        expect(button).to_have_count(0)

    def saying(self, words: str) -> Locator:
        """What the table waits for this person to say, by its label."""
        return self.page.locator(".says").get_by_role("button", name=words)

    def do(self, act: str, said: dict[str, str], how: str | None = None) -> None:
        """Perform another act, from the sheet."""
        self.page.locator(".says").get_by_role("button", name=re.compile("…$")).click()
        do_in(self.page.get_by_role("dialog"), act, said, how)

    def area(self, name: str) -> Locator:
        """A betting area by the beginning of its name."""
        return self.page.locator(f'.felt .area:is([aria-label^="{name},"], [aria-label^="{name}，"])')

    def turn_to(self, name: str) -> None:
        """Show the part of the felt with an area, and its number's box."""
        area, number = self.area(name), name.rsplit(" ", 1)[-1]
        place = self.area(f"Place Bet to Win {number}")
        if area.is_hidden() and place.is_visible():
            place.hover()
        for part in self.page.locator(".felt-tabs:not([hidden]) button").all():
            if area.is_visible():
                return
            part.click()
            choice = self.page.get_by_role("button", name=f"Number {number}", exact=True)
            if area.is_hidden() and choice.is_visible():
                choice.click()

    def click(self, name: str, button: Literal["left", "right"] = "left") -> None:
        """Press a mouse button on an area."""
        self.turn_to(name)
        x, y = point_in(self.page, self.area(name))
        self.page.mouse.click(x, y, button=button)

    def tap(self, name: str) -> None:
        """Tap an area with a finger."""
        self.turn_to(name)
        x, y = point_in(self.page, self.area(name))
        self.page.touchscreen.tap(x, y)

    def chip(self, worth: str) -> None:
        """Choose another chip from the rack."""
        self.page.locator(".chip-button", has_text=re.compile(rf"^{worth} chip$")).click()

    def expect_staked(self, name: str, amount: str | None) -> None:
        """Expect the felt to show this stake on an area, accepted by the house."""
        staked = re.compile(", [0-9.]+ staked" if amount is None else rf", {re.escape(amount)} staked")
        there = expect(self.area(name))
        if amount is None:
            there.not_to_have_attribute("aria-label", staked)
        else:
            there.to_have_attribute("aria-label", staked)

    def expect_bets_open(self) -> None:
        """Wait until betting is open."""
        open_now = re.compile("Bets are open|Place your bets")
        expect(self.page.locator(".status .bets")).to_contain_text(open_now, timeout=CALLED_WITHIN_MS)

    def expect_called(self, kind: str) -> Locator:
        """Wait for an announcement: a `win`, a `lose`, a `call` or something `refused`."""
        line = self.page.locator(f".calls li.{kind}").first
        expect(line).to_be_visible(timeout=CALLED_WITHIN_MS)
        return line

    def told(self) -> dict[str, Any]:
        """The state of the table as the house reports it to this person."""
        answer = self.visitor.context.request.get(f"/api/v1/tables/{self.table}")
        told: dict[str, Any] = answer.json()
        return told

    def in_hand(self) -> str:
        """The money that the page shows the player has in hand."""
        return self.page.locator(".purse .in-hand dd").inner_text().replace(",", "")
