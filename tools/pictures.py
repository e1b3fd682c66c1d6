"""Make the screenshots in the README: open a house, let people play in it, and photograph its pages.

Throws are random: each run shows other results on the same pages.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import NoBrowser, launched
from tests.browser.looks import DESKTOP, PHONE, Look
from tests.serving import Person, Running, running

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
NIGHT = Look("desktop", "dark")
QUICK = {"open": 4.0, "last_call": 1.0, "shut": 0.3, "show": 30.0, "waits": True}
BETS = {
    "craps": (
        ("win_line", None),
        ("field", None),
        ("place_to_win", 6),
        ("place_to_win", 8),
        ("hardway", 8),
        ("lay", 4),
    ),
    "sic-bo": (("big", None), ("odd", None), ("total", 10), ("combination", [2, 5]), ("single_die", 3)),
    "two-up": (("heads", None), ("spinner", "tails")),
    "snake-eyes": (("field", None), ("six", None), ("hardway", 10), ("any_seven", None)),
}


def main() -> int:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, running(Path(folder)) as house, sync_playwright() as playwright:
        try:
            browser = launched(playwright)
        except NoBrowser as missing:
            print(missing, file=sys.stderr)
            return 2
        _play(house)
        for shot in SHOTS:
            _shoot(browser, house, shot)
        browser.close()
    return 0


def _play(house: Running) -> None:
    """Set up automatic tables and one run by a dealer, with people and chips at all of them."""
    mia, dora = house.person("mia"), house.person("dora")
    players = [house.person("ann"), house.person("ben")]
    for name, book in {"craps": "craps-nsw-2024", "sic-bo": "sic-bo-nsw-2016", "two-up": "two-up-nsw-2016"}.items():
        _ok(mia, "/tables", {"table": name, "title": _title(name), "line": {"book": book}, "rhythm": QUICK})
    _ok(mia, "/tables", {"table": "craps-1", "title": "Craps 1", "line": {"book": "craps-nsw-2024", "min": "5.00"}})
    _ok(dora, "/tables/craps-1/post", {"role": "dealer"})
    for who in players:
        for table in ("craps", "sic-bo", "two-up", "craps-1"):
            _ok(who, f"/tables/{table}/seat", {"chips": "200.00"})
    for dice in ([3, 1], [2, 2], [5, 4], [6, 2], [3, 4], [6, 4], [5, 3]):
        for who in players:
            _bet(who, "craps-1", BETS["craps"])
        _ok(dora, "/tables/craps-1/lines", {"line": {"do": "roll", "dice": dice}})
    for who in players:
        _bet(who, "craps-1", BETS["craps"])


def _title(name: str) -> str:
    return {"craps": "Craps", "sic-bo": "Sic Bo", "two-up": "Two-Up"}[name]


def _ok(who: Person, path: str, body: object) -> None:
    reply = who.do(path, body)
    assert reply.status_code == 200, reply.text


def _bet(who: Person, table: str, bets: tuple[tuple[str, object], ...]) -> None:
    """Bet, ignoring refusals of what already stands or is not allowed now."""
    for wager, pick in bets:
        line = {"do": "bet", "wager": wager, "amount": "10.00", **({} if pick is None else {"pick": pick})}
        who.do(f"/tables/{table}/lines", {"line": line})


def _at_table(page: Page) -> None:
    """Place chips, and wait for the throw."""
    table = page.url.rsplit("/", 1)[-1]
    expect(page.locator(".status .bets")).to_contain_text("Bets are open", timeout=60_000)
    for wager, pick in BETS[table]:
        page.evaluate(_LAY, [table, wager, pick])
    page.wait_for_selector(".result .faces", timeout=60_000)
    page.wait_for_timeout(1500)


_LAY = """async ([table, wager, pick]) => {
    const { post, useCsrf } = await import("/web/shared/api.js");
    const me = await (await fetch("/api/v1/me")).json();
    useCsrf(me.csrf);
    await post(`/tables/${table}/lines`, { line: { do: "bet", wager, pick, amount: "25.00" } }).catch(() => {});
}"""


def _still(page: Page) -> None:
    page.wait_for_timeout(1500)


Shot = tuple[str, Look, str | None, str, Callable[[Page], None]]  # name, look, user, page, wait until ready
SHOTS: tuple[Shot, ...] = (
    ("lobby", DESKTOP, None, "/", _still),
    ("craps", DESKTOP, "ann", "/tables/craps", _at_table),
    ("sic-bo", NIGHT, "ann", "/tables/sic-bo", _at_table),
    ("two-up-phone", PHONE, "ann", "/tables/two-up", _at_table),
    ("dealer", DESKTOP, "dora", "/tables/craps-1/deal", _still),
    ("floor", DESKTOP, "sam", "/floor", _still),
    ("inspect", NIGHT, "ivy", "/inspect?table=craps-1", _still),
    ("display", NIGHT, None, "/display/sic-bo", _still),
    ("rules", DESKTOP, None, "/rules/craps-nsw-2024/6.2.1", _still),
)


def _shoot(browser: Browser, house: Running, shot: Shot) -> None:
    name, look, person, path, ready = shot
    context = browser.new_context(base_url=house.url, **look.options())
    if person is not None:
        reply = context.request.post("/api/v1/sign-in", data={"person": person, "password": f"{person}-at-croupier"})
        assert reply.ok, reply.text()
    page = context.new_page()
    page.goto(path)
    ready(page)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)
    print(f"docs/pictures/{name}.jpg")
    context.close()


if __name__ == "__main__":
    sys.exit(main())
