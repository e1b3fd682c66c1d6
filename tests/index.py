"""Writes the index of marked tests that the package carries: `python -m tests.index`."""

from __future__ import annotations

import json

from croupier.trace.tracing import TESTS
from tests.test_trace import marked_tests


def main() -> None:
    """Write it anew."""
    TESTS.write_text(json.dumps(marked_tests(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
