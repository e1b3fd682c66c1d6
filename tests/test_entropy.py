"""Entropy of a running house: no byte is used twice, and bytes that decide dice come directly from the system."""

from __future__ import annotations

import pytest

from croupier.server import system
from croupier.server.system import FETCHED, SMALL, SystemEntropy


def test_small_pieces_are_of_the_size_asked_for_and_never_the_same() -> None:
    draw = SystemEntropy()
    pieces = [draw(SMALL) for _ in range(3 * FETCHED // SMALL)]
    assert {len(piece) for piece in pieces} == {SMALL}
    assert len(set(pieces)) == len(pieces)
    assert [len(draw(size)) for size in (1, 7, 0, SMALL)] == [1, 7, 0, SMALL]


def test_large_pieces_come_from_the_system_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def token_bytes(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    monkeypatch.setattr(system, "token_bytes", token_bytes)
    draw = SystemEntropy()
    assert [len(draw(size)) for size in (SMALL, 32, SMALL, 32)] == [SMALL, 32, SMALL, 32]
    assert asked == [FETCHED, 32, 32]
