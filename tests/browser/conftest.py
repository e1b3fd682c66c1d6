"""Fixtures of the page tests: a browser, a house to open in it, and visitors.

Without a browser these tests are skipped; with `BROWSER_TESTS=required` that, and any other skip, is a failure. The
variable's name must not begin like a setting of the house, which refuses settings it does not know.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import PLAIN, NoBrowser, launched
from tests.browser.restarting import Restarting
from tests.browser.visiting import PATIENCE_MS, Visitors
from tests.mortal import Nursery
from tests.serving import Running, running

REQUIRED = os.environ.get("BROWSER_TESTS") == "required"
_failed = pytest.StashKey[bool]()

expect.set_options(timeout=PATIENCE_MS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail skipped tests if a browser is required, and note which tests failed, for a last screenshot."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if REQUIRED:
            report.outcome, report.longrepr = "failed", reason
        else:  # said once for all of them, as they seem to be skipped in the same place
            report.longrepr = (__file__, 1, reason)
    item.stash[_failed] = report.failed
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all page tests that a process runs.

    Playwright brings an event loop that runs in the main thread. Both are closed before any other test may need an
    event loop there.
    """
    with sync_playwright() as playwright:
        try:
            opened = launched(playwright)
        except NoBrowser as missing:
            pytest.skip(str(missing))
        yield opened
        opened.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    """The demonstration house, in a thread."""
    with running(tmp_path) as opened:
        yield opened


@pytest.fixture
def plain_house(tmp_path: Path) -> Iterator[Running]:
    """The demonstration house over plain HTTP from another machine, where browsers offer no cryptography."""
    with running(tmp_path, hosts=PLAIN) as opened:
        opened.url = opened.url.replace("127.0.0.1", PLAIN)
        yield opened


@pytest.fixture
def restarting(tmp_path: Path, nursery: Nursery) -> Iterator[Restarting]:
    """The demonstration house in a process of its own, which can be killed and opened again."""
    opened = Restarting(nursery, tmp_path)
    yield opened
    opened.kill()


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """A visitor arrives: `visit(house, "ann", PHONE)`. At the end of the test no page may have any faults.

    If the test fails, the last screenshots of all pages are kept in its temporary folder.
    """
    visitors = Visitors(browser)
    yield visitors
    visitors.leave(tmp_path if request.node.stash.get(_failed, False) else None)
