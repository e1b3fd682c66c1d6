"""A dealer at the console in a browser, and what the three kinds of pages of one table must agree on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from croupier.money import format_cents, parse_cents
from tests.browser.felts import AtFelt, point_in
from tests.browser.sheets import do_in, fill_in, worded
from tests.browser.visiting import Visitor

Faces = tuple[int | str, ...]
SIDES = {"H": "heads", "T": "tails"}
OUT = re.compile("^(Dice|Coins) out")
VERBS = {"lose": ("Take", "stake"), "win": ("Pay", "paid"), "void": ("Give back", "returned")}
_LIT = "areas => areas.map(area => area.getAttribute('aria-label').split(', pays ')[0]).sort()"
WORK = """items => items.map(item => ['.verb', '.what', '.number'].map(part => item.querySelector(part).textContent))"""
_MARKED = """felt => {
    const marker = felt.querySelector('.marker.there:not(.off) circle')?.getBoundingClientRect();
    if (!marker) return null;
    const [x, y] = [marker.x + marker.width / 2, marker.y + marker.height / 2];
    return [...felt.querySelectorAll('.area')].filter(area => {
        const box = area.querySelector('.ground').getBoundingClientRect();
        return box.left < x && x < box.right && box.top < y && y < box.bottom;
    }).map(area => Number(area.dataset.place));
}"""


class AtConsole:
    """Someone who runs a table."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.table = table
        self.page: Page = visitor.go(f"/tables/{table}/deal")
        self.drawing = self._asked("drawing")

    def take_post(self, role: str = "dealer") -> None:
        """Start to deal, or to supervise."""
        self.page.get_by_role("button", name=f"Start as {role}").click()
        expect(self.page.locator(".console .dealing")).to_be_visible()

    def press(self, words: str | re.Pattern[str]) -> None:
        """Press a step's button, and wait for the response: nothing else is sent before it."""
        self.step(words).click()
        self.answered()

    def answered(self) -> None:
        """Wait until the house has responded."""
        expect(self.page.locator(".dealing")).to_have_attribute("aria-busy", "false")

    def do(self, act: str, said: dict[str, str], how: str | None = None) -> None:
        """Perform an act that is not a step, from the sheet of all acts."""
        self.page.get_by_role("button", name="More …").click()
        do_in(self.page.get_by_role("dialog"), act, said, how)

    def do_in_case(self, case: str, act: str, said: dict[str, str], how: str | None = None) -> None:
        """Perform the next step of an open case, from the list of cases."""
        self.page.get_by_role("button", name="More …").click()
        sheet = self.page.get_by_role("dialog")
        sheet.locator(".cases > li").filter(has_text=case).get_by_role("button", name=worded(act)).click()
        fill_in(sheet, said, how)

    def correct(self, wrong: Faces, right: Faces) -> None:
        """Replace the settled result with another."""
        self.step(f"Correct the result {in_short(wrong)}").click()
        expect(self.page.locator(".entry h2")).to_have_text(f"Correct the result {in_short(wrong)}")
        expect(self.page.locator(".steps button")).to_have_count(0)  # nothing else is done meanwhile
        self.put_in(right)
        expect(self.page.locator(".confirm")).to_contain_text("Correct to ")
        self.again()
        expect(self.step(f"Correct the result {in_short(right)}")).to_be_visible()

    def step(self, words: str | re.Pattern[str]) -> Locator:
        """What the console says comes next."""
        name = words if isinstance(words, re.Pattern) else re.compile(f"^{re.escape(words)}")
        return self.page.locator(".steps").get_by_role("button", name=name)

    def close_bets(self) -> None:
        """Close betting, if the book does that and it is open."""
        if self.drawing["closes_bets"] and self.told()["bets"] != "closed":
            self.step("No more bets").click()
            expect(self.page.locator(".bets")).to_have_text("bets closed")

    def out_with_late_bets(self) -> None:
        """Send the dice out at a table that takes late wagers."""
        self.page.keyboard.press("Space")
        expect(self.page.locator(".bets")).to_have_text("late bets only")

    def out(self, *, by_keys: bool = True) -> None:
        """Send the dice or coins out, where that is announced."""
        if self.step(OUT).count():
            if by_keys:
                self.page.keyboard.press("Space")
            else:
                self.step(OUT).click()
            expect(self.step(OUT)).to_have_count(0)
            expect(self.page.locator(".bets")).to_have_text("bets closed")

    def face(self, value: int | str) -> Locator:
        """A face button of the result entry."""
        name = SIDES.get(str(value), str(value))
        return self.page.get_by_role("group", name="Faces").get_by_role("button", name=name, exact=True)

    def put_in(self, faces: Faces, *, by_keys: bool = False) -> None:
        """The first press of an entry: the result is read back and not sent yet."""
        for value in faces:
            if by_keys:
                self.page.keyboard.press(str(value).lower())
            else:
                self.face(value).click()
        back = self.page.locator(".read-back")
        expect(back).to_contain_text(f"{named(faces)}: ")
        expect(back).to_contain_text("Press again to confirm.")
        expect(self.page.locator(".dealing")).to_have_attribute("aria-busy", "false")  # the first face closes the bets

    def again(self, *, by_keys: bool = False) -> None:
        """The second press; a third one does nothing."""
        if by_keys:
            self.page.keyboard.press("Enter")
            self.page.keyboard.press("Enter")
        else:
            self.page.locator(".confirm").click()

    def void(self, clause: str, *, by_keys: bool = False) -> None:
        """Declare the throw invalid: choose the ground, then confirm with a second press."""
        if by_keys:
            self.page.keyboard.press("v")
        else:
            self.page.locator(".others .danger").click()
        sheet = self.page.get_by_role("dialog")
        call = sheet.locator("button[type=submit]")
        expect(call).to_be_disabled()
        sheet.locator(f'input[name=ground][value="{clause}"]').check()
        expect(call).to_contain_text(f"under rule {clause}")
        expect(sheet.get_by_role("link", name=f"rule {clause}", exact=True)).to_be_visible()
        call.click()
        expect(sheet).to_have_count(0)

    def told(self) -> dict[str, Any]:
        """The state of the table as the house reports it."""
        return self._asked("felt")

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """All events of some kinds at the table."""
        entries = self._asked("events?limit=1000")["entries"]
        return [row for entry in entries for row in entry["events"] if row["type"] in kinds]

    def name(self, row: dict[str, Any]) -> str:
        """The felt's name for the area of a wager."""
        found = (area for area in self.drawing["areas"] if (area["wager"], area["pick"]) == (row["wager"], row["pick"]))
        return str(next(found)["name"])

    def _asked(self, what: str) -> dict[str, Any]:
        told: dict[str, Any] = self.visitor.context.request.get(f"/api/v1/tables/{self.table}/{what}").json()
        return told


def in_short(faces: Faces) -> str:
    """The result as a button shows it."""
    return ("" if isinstance(faces[0], str) else "-").join(map(str, faces))


def expect_same(console: AtConsole, players: dict[str, AtFelt]) -> None:
    """The dealer and all players see what the house reports: the result, the winners, lamps, puck, chips and money."""
    told = console.told()
    pages = [console.page, *(felt.page for felt in players.values())]
    _expect_result(console, players, told["results"])
    wins = sorted(console.name(row) for row in told["wins"])
    for page in pages:
        lit = page.locator(".felt .area.won")
        expect(lit).to_have_count(len(wins))
        assert lit.evaluate_all(_LIT) == wins
        marked = page.locator(".felt").evaluate(_MARKED)
        value = (told["marker"] or {}).get("value")
        assert marked is None if value is None else value in [console.drawing["areas"][one]["pick"] for one in marked]
    _expect_lamps(console, players, told["lamps"])
    _expect_chips(console, players, told)
    for player, felt in players.items():
        row = console.page.get_by_role("region", name="Players").locator("tr", has_text=player)
        expect(row.locator("td").nth(2)).to_have_text(told["chips"][player])
        expect(felt.page.locator(".purse .in-hand dd")).to_have_text(told["chips"][player])


def _expect_result(console: AtConsole, players: dict[str, AtFelt], results: list[dict[str, Any]]) -> None:
    if not results:
        return
    last = results[-1]
    newest = console.page.locator(".results li").first
    expect(newest).to_contain_text(last["call"])
    for shown in (newest, *(felt.page.locator(".status .result") for felt in players.values())):
        expect(shown).to_contain_text(last["call"])
        if last["void"] is None:
            expect(shown.locator(".faces")).to_have_attribute("aria-label", named(last["faces"]))
    for felt in players.values():
        rule = felt.page.locator(".status .result").get_by_role("link", name=f"rule {last['void']}", exact=True)
        expect(rule).to_have_count(0 if last["void"] is None else 1)


def _expect_lamps(console: AtConsole, players: dict[str, AtFelt], lamps: list[dict[str, Any]]) -> None:
    labels = [
        f"{lamp['name']}: {lamp['lit']} of {lamp['of']} {lamp['words']}"
        if lamp["of"]
        else f"{lamp['name']}: {lamp['words']}"
        for lamp in lamps
    ]
    shown = console.page.locator(".bar .lamp")
    expect(shown).to_have_count(len(labels))
    for place, label in enumerate(labels):
        expect(shown.nth(place)).to_have_attribute("aria-label", label)
    for felt in players.values():
        for place, lamp in enumerate(lamps):
            here = felt.page.locator(".lamps .lamp").nth(place)
            expect(here).to_contain_text(f"{lamp['name']} {lamp['words']}".strip())
            expect(here.locator(".light.lit")).to_have_count(lamp["lit"] if lamp["of"] else 0)


def _expect_chips(console: AtConsole, players: dict[str, AtFelt], told: dict[str, Any]) -> None:
    """Players see only their own chips; the dealer sees whose chips they are."""
    areas: dict[str, list[str]] = defaultdict(list)
    for row in told["wagers"]:
        name = console.name(row)
        areas[name].append(f"{row['player']} {row['amount']}")
        players[row["player"]].expect_staked(name, row["amount"])
    expect(console.page.locator(".felt .stack")).to_have_count(len(told["wagers"]))
    for player, felt in players.items():
        own = [row for row in told["wagers"] if row["player"] == player]
        expect(felt.page.locator(".felt .stack")).to_have_count(len(own))
    for name, lying in areas.items():
        console.page.mouse.move(*point_in(console.page, console.page.locator(f'.felt .area[aria-label^="{name},"]')))
        expect(console.page.locator(".looked")).to_contain_text(f": {', '.join(lying)} ")


def expect_paid(console: AtConsole, players: dict[str, AtFelt]) -> None:
    """What the dealer is told to take and pay matches the wagers' results, and what each player was told."""
    kinds = console.events("thrown", "throw_voided", "wager_settled")
    begun = max(place for place, row in enumerate(kinds) if row["type"] != "wager_settled")
    settled = kinds[begun + 1 :]
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for row in settled:
        verb, part = VERBS[row["result"]]
        sums[verb, console.name(row)] += parse_cents(row[part])
        words = {"win": f"wins: {row['stake']} pays {row['paid']}", "lose": f"loses {row['stake']}"}
        line = f"{console.name(row)} {words[row['result']]}" if row["result"] in words else row["returned"]
        expect(players[row["player"]].page.locator(".calls")).to_contain_text(line)
        owed = f"{row['player']} {row['stake']}" if row["result"] != "void" else row["player"]
        expect(console.page.locator(".pay-list")).to_contain_text(owed)
    items = console.page.locator(".pay-list > li:not(.soft)")
    expect(items).to_have_count(len(sums))
    shown = {(verb, name): amount for verb, name, amount in items.evaluate_all(WORK)}
    assert shown == {work: format_cents(cents) for work, cents in sums.items()}


def named(faces: Sequence[object]) -> str:
    """Faces as they are read out: `1, 2 and 4`."""
    *most, last = (SIDES.get(str(value), str(value)) for value in faces)
    return f"{', '.join(most)} and {last}" if most else last
