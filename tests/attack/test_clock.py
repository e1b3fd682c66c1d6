"""The machine's clock is set back under a running house."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.attack.conftest import Held, Opened
from tests.serving import Person, did

TABLE = "/tables/craps-nsw-2024"
PATIENCE = 90.0  # seconds; a round of the demonstration takes half a minute


@pytest.mark.long
def test_the_clock_is_put_back(opened: Opened, tmp_path: Path, held: Held) -> None:
    """The clock is set back two hours while bets are open."""
    ahead = tmp_path / "ahead"
    ahead.write_bytes(b"..")
    house = opened(ahead=ahead)
    ann = Person(house.url, "ann", "ann-at-croupier")
    with closing(ann.http):
        did(ann, f"{TABLE}/seat", {"chips": "100.00"})
        bet = {"line": {"do": "bet", "wager": "field", "amount": "5.00"}}
        while not ann.do(f"{TABLE}/lines", bet).is_success:
            time.sleep(0.1)
        ahead.write_bytes(b"")
        start = time.monotonic()
        while ann.get(TABLE).json()["wagers"]:
            assert time.monotonic() - start < PATIENCE, "the table stands still"
            time.sleep(0.5)
    held(f"the dice fell {time.monotonic() - start:.0f} seconds later")
