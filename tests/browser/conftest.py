"""A browser for the tests of the pages, a house to open in it, and people who come.

Where there is no browser they are skipped; `BROWSER_TESTS=required` makes that, and any other skip, a failure. Its name
does not begin like the settings of a house, which takes none that it does not know.
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
    """Let no test be skipped where a browser is required, and note what failed, for a last picture."""
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
    """The browser, for all tests of the pages that a process does one after the other.

    With Playwright comes an event loop that runs in the main thread. Both go before any other test may want one there.
    """
    with sync_playwright() as playwright:
        try:
            opened = launched(playwright)
        except NoBrowser as missing:
            pytest.skip(str(missing))
        yield opened
        opened.close()


@pytest.fixture
def house(tmp_path: Path, quick_passwords: None) -> Iterator[Running]:
    """The demonstration, in a thread."""
    with running(tmp_path) as opened:
        yield opened


@pytest.fixture
def plain_house(tmp_path: Path, quick_passwords: None) -> Iterator[Running]:
    """The demonstration as it is reached over plain HTTP from another machine: browsers do no cryptography there."""
    with running(tmp_path, hosts=PLAIN) as opened:
        opened.url = opened.url.replace("127.0.0.1", PLAIN)
        yield opened


@pytest.fixture
def restarting(tmp_path: Path, nursery: Nursery) -> Iterator[Restarting]:
    """The demonstration in a process of its own, which may be killed and opened again."""
    opened = Restarting(nursery, tmp_path)
    yield opened
    opened.kill()


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """Somebody comes: `visit(house, "ann", PHONE)`. In the end nothing has gone wrong on any page.

    Of a test that fails, the last pictures of all pages are kept in its temporary folder.
    """
    visitors = Visitors(browser)
    yield visitors
    visitors.leave(tmp_path if request.node.stash.get(_failed, False) else None)
