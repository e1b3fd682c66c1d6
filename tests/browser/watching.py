"""Watches a page for faults: errors in scripts, failed requests, requests to another host."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

# What a browser says where it has left a page before an answer came. That is no one's fault.
LEFT = "net::ERR_ABORTED"
LOCAL = ("about", "blob", "data")


class Watch:
    """Records every fault on every page of a context. A test allows the ones that it causes on purpose."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._host = urlsplit(url).netloc
        self._allowed: list[re.Pattern[str]] = []
        self._noted: list[str] = []
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)

    def allow(self, pattern: str) -> None:
        """Allow faults that contain the pattern, including earlier ones."""
        self._allowed.append(re.compile(pattern))

    def faults(self) -> list[str]:
        """The faults that were not allowed."""
        return [fault for fault in self._noted if not any(allowed.search(fault) for allowed in self._allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._noted.append(f"console: {message.text} ({message.location['url']})")

    def _error(self, error: WebError) -> None:
        self._noted.append(f"script: {error.error}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in LOCAL and address.netloc != self._host:
            self._noted.append(f"another host: {request.method} {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != LEFT:
            self._noted.append(f"request: {request.method} {request.url} {request.failure}")
