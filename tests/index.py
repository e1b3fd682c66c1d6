"""Writes what is made from the rest: the index of marked tests, pages of acts and settings. `python -m tests.index`."""

from __future__ import annotations

import json

from croupier.trace.tracing import TESTS
from tests import settings
from tests.acts import PAGE, page
from tests.test_trace import marked_tests


def main() -> None:
    """Write them anew."""
    PAGE.write_text(page(), encoding="utf-8")
    settings.PAGE.write_text(settings.page(), encoding="utf-8")
    TESTS.write_text(json.dumps(marked_tests(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
