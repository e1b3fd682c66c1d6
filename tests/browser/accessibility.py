"""Checks the accessibility of a page with axe-core."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.looks import Scheme

AXE = Path(__file__).parents[2] / "tools" / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
MOST_PLACES = 5
_SCHEMES: tuple[Scheme, ...] = ("dark", "light")

# The size of targets is off unless asked for, though WCAG 2.2 has it.
_RUN = """tags => axe.run(document, {
    runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } }, resultTypes: ["violations"]
}).then(found => found.violations)"""


def axe(page: Page) -> None:
    """Fail with what is wrong and where, in the page as it is now."""
    # The browser itself evaluates this, so the page's Content-Security-Policy stands as it is.
    page.evaluate(_source())
    found: list[dict[str, Any]] = page.evaluate(_RUN, list(TAGS))
    assert not found, f"axe-core finds fault with {page.url}:\n" + "\n".join(map(_said, found))


def axe_by_day_and_night(page: Page) -> None:
    """Fail with what is wrong in either colour scheme. The page stays open, so that it is rendered only once."""
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme)
        axe(page)


@cache
def _source() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is not there: `make browser` fetches it.")
    return AXE.read_text(encoding="utf-8")


def _said(violation: dict[str, Any]) -> str:
    """A violation: the rule, and for each place how to fix it."""
    nodes = violation["nodes"]
    places = "1 place" if len(nodes) == 1 else f"{len(nodes)} places"
    lines = [f"{violation['id']} ({violation['impact']}): {violation['help']}, in {places}:"]
    for node in nodes[:MOST_PLACES]:
        lines.append(f"  {' '.join(map(str, node['target']))}: {node['html'][:120]}")
        lines += [f"    {line.strip()}" for line in str(node["failureSummary"]).splitlines()[1:]]
    return "\n".join(lines)
