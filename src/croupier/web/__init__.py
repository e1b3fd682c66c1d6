"""The browser client: pages, scripts and styles as they are sent. They draw what the API reports and know no rules."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).with_name("static")
