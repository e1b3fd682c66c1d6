"""Writes the generated files: the index of marked tests, who may do what, the pages of acts, settings and endpoints."""

from __future__ import annotations

import json

from croupier.trace import TESTS
from tests import endpoints, settings, who
from tests.acts import PAGE, page
from tests.powers import EXPECTED
from tests.tables import SHELF
from tests.test_trace import marked_tests


def main() -> None:
    """Write all of them."""
    PAGE.write_text(page(), encoding="utf-8")
    settings.PAGE.write_text(settings.page(), encoding="utf-8")
    endpoints.PAGE.write_text(endpoints.written(endpoints.PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    for book_id in EXPECTED:
        who.page(book_id).write_text(who.written(book_id, SHELF), encoding="utf-8")
    TESTS.write_text(json.dumps(marked_tests(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
