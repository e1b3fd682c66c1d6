"""The felt in a browser: how long an update of it takes in scripts, with 1,200 chips lying there."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.chromium import launched
from tests.serving import running

CHIPS = 1200
BOUND_MS = 4.0
BOOK = "craps-nsw-2024"

# Every chip is another amount each time, some come and some go: nothing of it can be left as it is.
_MEASURE = """async ([book, chips]) => {
    const { Felt } = await import("/web/felt.js");
    const drawing = await (await fetch(`/api/v1/tables/${book}/drawing`)).json();
    const told = await (await fetch(`/api/v1/tables/${book}/felt`)).json();
    const felt = new Felt(drawing);
    document.querySelector("main").replaceChildren(felt.element);
    const places = drawing.areas.filter(area => area.offered);
    const wagers = turn => Array.from({ length: chips }, (_, one) => {
        const area = places[one % places.length];
        const player = one % 50 ? `p${one}` : `p${one}-${turn % 2}`;
        const amount = `${1 + (one + turn) % 900}.00`;
        return { player, wager: area.wager, pick: area.pick, amount, on: (one + turn) % 7 > 0 };
    });
    const times = [];
    for (let turn = 0; turn < 60; turn++) {
        const next = { ...told, wagers: wagers(turn), wins: turn % 2 ? places.slice(0, 10) : [] };
        const start = performance.now();
        felt.show(next);
        times.push(performance.now() - start);
        await new Promise(requestAnimationFrame);
    }
    return { times: times.slice(10), shown: document.querySelectorAll(".stack").length };
}"""


def felt_ratio() -> tuple[float, str]:
    """The middle one of all updates, as a part of what is allowed. Raises NoBrowser."""
    with TemporaryDirectory() as name, running(Path(name)) as house, sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(house.url)
        found: dict[str, Any] = page.evaluate(_MEASURE, [BOOK, CHIPS])
        browser.close()
    assert found["shown"] == CHIPS, f"{found['shown']} chips are shown"
    times = sorted(found["times"])
    middle, worst = times[len(times) // 2], times[-1]
    return middle / BOUND_MS, f"{middle:.2f} ms with {CHIPS:,} chips, {worst:.2f} at the worst"


if __name__ == "__main__":
    print("{:.2f} of what is allowed; {}".format(*felt_ratio()))
