"""Finds the browser for the page tests: the one that is named or installed, otherwise Playwright's own.

A headless shell (Chromium without windows) is best: the tests take half the processor time in it.

`make browser` runs this module: it names the browser, downloads Playwright's own if there is none, and says how to get
one if that fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

NAMED = "CHROMIUM"
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
NAMES = (*SHELLS, "chromium", "chromium-browser", "google-chrome")
# A name that leads to this machine. A browser trusts its own machine's address as it trusts HTTPS, but no name over
# plain HTTP.
PLAIN = "house.test"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # No other host is ever found: neither by a page that should not ask for one, nor by the browser itself.
    f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
FETCHING_SECONDS = 300


class NoBrowser(Exception):
    """There is no browser to test in; the message says how to get one."""


def launched(playwright: Playwright) -> Browser:
    """Launch a headless browser. Raises NoBrowser."""
    found = _executable()
    try:
        return playwright.chromium.launch(executable_path=found, args=FLAGS)
    except Error as error:
        raise NoBrowser(_how(found, error)) from None


def _executable() -> str | None:
    """The executable that is named, otherwise the first one on the PATH; None leaves the choice to Playwright."""
    return os.environ.get(NAMED) or next(filter(None, map(shutil.which, NAMES)), None)


def _how(found: str | None, error: Error) -> str:
    if found is not None:
        reason = f"the browser {found} does not start"
    elif "Executable doesn't exist" in error.message:
        reason = "there is no browser"
    else:  # such as libraries of the system that it needs
        reason = "Playwright's browser does not start"
    return (
        f"The pages are not tested, because {reason}: install Chromium (on Debian `apt-get install {SHELLS[0]}`), "
        f"set {NAMED} to the path of one, or run `.venv/bin/playwright install --with-deps chromium`."
    )


def main() -> None:
    """Name the browser, or say how to get one. Nothing fails here: tests fail if a browser is required."""
    if _executable() is None:
        _fetch()
    try:
        with sync_playwright() as playwright, launched(playwright) as browser:
            print(f"The pages are tested in Chromium {browser.version}: {_executable() or 'Playwright’s own'}.")
    except NoBrowser as missing:
        print(missing)


def _fetch() -> None:
    """Download Playwright's own, unless it is there. Launching it shows whether that worked."""
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    quiet = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, stdout=quiet, stderr=quiet, timeout=FETCHING_SECONDS, check=False)


if __name__ == "__main__":
    main()
