"""The felt in a browser: the script time of an update with 1,200 chips on the layout.

Three updates: a bet; a throw that clears the chips from a third of the areas and puts a quarter of the others to sleep;
and an artificial one that changes every amount. The longest of them counts.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser.chromium import launched
from tests.serving import running

CHIPS = 1200
BOUND_MS = 4.0
BOOK = "craps-nsw-2024"

_MEASURE = """async ([book, chips]) => {
    const { Felt } = await import("/web/felt/felt.js");
    const drawing = await (await fetch(`/api/v1/tables/${book}/drawing`)).json();
    const told = await (await fetch(`/api/v1/tables/${book}/felt`)).json();
    const felt = new Felt(drawing);
    document.querySelector("main").replaceChildren(felt.element);
    const places = drawing.areas.filter(area => area.offered);
    const full = Array.from({ length: chips }, (_, one) => {
        const { wager, pick } = places[one % places.length];
        return { player: `p${one}`, wager, pick, amount: `${1 + one % 900}.00`, on: true };
    });
    const turns = {
        bet: turn => full.map((row, one) => one === turn * 7 ? { ...row, amount: "77.00" } : row),
        throw: turn => full.flatMap((row, one) => {
            const place = one % places.length;
            return place % 3 === turn % 3 ? [] : [{ ...row, on: place % 4 !== turn % 4 }];
        }),
        everything: turn => full.map((row, one) => ({ ...row, amount: `${1 + (one + turn + 1) % 900}.00` })),
    };
    const show = wagers => {
        const start = performance.now();
        felt.show({ ...told, wagers, wins: wagers === full ? [] : places.slice(0, 10) });
        return performance.now() - start;
    };
    const frame = () => new Promise(requestAnimationFrame);
    const times = { bet: [], throw: [], everything: [] };
    show(full);
    const shown = document.querySelectorAll(".stack").length;
    for (let turn = 0; turn < 40; turn++) {
        for (const kind of Object.keys(times)) {
            await frame();
            times[kind].push(show(turns[kind](turn)));
            await frame();
            show(full);
        }
    }
    return { times, shown };
}"""


def felt_ratio() -> tuple[float, str]:
    """Return the longest of the three medians as a share of the allowed time. Raises NoBrowser."""
    with TemporaryDirectory() as name, running(Path(name)) as house, sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(house.url)
        found = page.evaluate(_MEASURE, [BOOK, CHIPS])
        browser.close()
    assert found["shown"] == CHIPS, f"{found['shown']} chips are shown"
    took = {kind: median(times[5:]) for kind, times in found["times"].items()}  # skip the first: compilation
    told = ", ".join(f"{kind} {milliseconds:.2f} ms" for kind, milliseconds in took.items())
    return max(took.values()) / BOUND_MS, f"with {CHIPS:,} chips: {told}"


if __name__ == "__main__":
    print("{:.2f} of what is allowed; {}".format(*felt_ratio()))
