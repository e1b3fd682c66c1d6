"""A player at the felt in a browser: areas by their names, chips, what was called, what the purse says."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.sheets import do_in
from tests.browser.visiting import Visitor
from tests.serving import Running

CALLED_WITHIN_MS = 60_000  # a round or two, on a machine that does much else
RHYTHM = {"open": 6.0, "last_call": 2.0, "shut": 0.3, "show": 2.0, "waits": True, "numbers": 10.0}


def quick_table(house: Running, book: str, **line: object) -> str:
    """A table that runs by itself and does not keep anybody waiting."""
    mia = house.person("mia")
    body = {"table": "quick", "title": "Quick", "line": {"book": book, **line}, "rhythm": RHYTHM}
    assert mia.do("/tables", body).status_code == 200
    return "quick"


def dealt_table(house: Running, book: str, **line: object) -> str:
    """A table that people run."""
    mia = house.person("mia")
    assert mia.do("/tables", {"table": "dealt", "title": "Dealt", "line": {"book": book, **line}}).status_code == 200
    return "dealt"


class AtFelt:
    """Somebody who looks at a table."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.table = table
        self.page: Page = visitor.go(f"/tables/{table}")
        expect(self.page.locator(".felt .area").first).to_be_visible()

    def sign_in(self, person: str) -> None:
        """By the dialog, with the password of the demonstration."""
        self.page.get_by_role("button", name="Play now").click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Username").first.fill(person)
        dialog.get_by_label("Password").first.fill(f"{person}-at-croupier")
        dialog.get_by_role("button", name="Sign in", exact=True).click()
        expect(self.page.get_by_role("button", name="Sign out")).to_be_visible()

    def sit_down(self, chips: str = "200", place: int | None = None) -> None:
        """Bring chips to the table, to any place or to a certain one."""
        self.page.get_by_label("Play chips").fill(chips)
        if place is not None:
            self.page.get_by_label("Place", exact=True).select_option(str(place))
        self.page.get_by_role("button", name="Sit down").click()
        expect(self.page.locator(".purse .in-hand")).to_contain_text(chips)
        self.expect_bets_open()

    def get_up(self) -> None:
        """Leave the table with all chips."""
        self.page.get_by_text("You are seated").click()
        self.page.get_by_role("button", name="Leave the table").click()
        expect(self.page.get_by_role("button", name="Sit down")).to_be_visible()

    def clear(self) -> None:
        """Take all chips off the felt, where any lie there."""
        if self.page.locator(".felt .stack").count():
            self.page.get_by_role("button", name="Clear", exact=True).click()
            expect(self.page.locator(".felt .stack")).to_have_count(0)

    def bet(self, *names: str) -> None:
        """A chip of five on each of these areas."""
        for name in names:
            self.area(name).click()
            self.expect_staked(name, "5.00")

    def says(self, words: str) -> None:
        """Something that the table waits for."""
        button = self.saying(words)
        button.click()
        expect(button).to_have_count(0)

    def saying(self, words: str) -> Locator:
        """What the table waits for from this person, by its words."""
        return self.page.locator(".says").get_by_role("button", name=words)

    def do(self, act: str, said: dict[str, str], how: str | None = None) -> None:
        """Say something else, from the sheet."""
        self.page.locator(".says").get_by_role("button", name=re.compile("…$")).click()
        do_in(self.page.get_by_role("dialog"), act, said, how)

    def area(self, name: str) -> Locator:
        """A betting area by the beginning of its name."""
        return self.page.locator(f'.felt .area[aria-label^="{name},"]')

    def chip(self, worth: str) -> None:
        """Take another chip from the rack."""
        self.page.locator(".chip-button", has_text=re.compile(rf"^{worth} chip$")).click()

    def expect_staked(self, name: str, amount: str | None) -> None:
        """What the felt shows on an area, which the house has accepted."""
        staked = re.compile(", [0-9.]+ staked" if amount is None else rf", {re.escape(amount)} staked")
        there = expect(self.area(name))
        if amount is None:
            there.not_to_have_attribute("aria-label", staked)
        else:
            there.to_have_attribute("aria-label", staked)

    def expect_bets_open(self) -> None:
        """Wait until chips may be laid."""
        expect(self.page.locator(".status .bets")).to_contain_text("Bets are open", timeout=CALLED_WITHIN_MS)

    def expect_called(self, kind: str) -> Locator:
        """Wait for something to be told: a `win`, a `lose`, a `call`, something `refused`."""
        line = self.page.locator(f".calls li.{kind}").first
        expect(line).to_be_visible(timeout=CALLED_WITHIN_MS)
        return line

    def told(self) -> dict[str, Any]:
        """How the house says that the table stands for this person."""
        answer = self.visitor.context.request.get(f"/api/v1/tables/{self.table}")
        told: dict[str, Any] = answer.json()
        return told

    def in_hand(self) -> str:
        """What the purse says."""
        return self.page.locator(".purse .in-hand dd").inner_text().replace(",", "")
