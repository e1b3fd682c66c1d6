"""Differences between what a scenario says and what happens; the first one is reported."""

from __future__ import annotations

import msgspec

from croupier.scenarios.language import Line
from croupier.table.refusals import Refusal


class Difference(msgspec.Struct, frozen=True):
    """The first place where the outcome differs from the scenario."""

    file: str
    line: int
    scenario: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line} ({self.scenario})\n  expected: {self.expected}\n  got:      {self.got}"


class Different(Exception):
    """Raised at the first difference; the scenario ends there."""

    def __init__(self, line: Line, expected: str, got: str) -> None:
        self.line, self.expected, self.got = line, expected, got
        super().__init__(expected)


def expected_text(line: Line) -> str:
    """Return what a line of consequences says."""
    return line.text.removeprefix(">").strip()


def show_refusal(refusal: Refusal) -> str:
    """Format a refusal as a scenario would expect it, with its sentence."""
    clause = f" by {refusal.clause}" if refusal.clause else ""
    return f"refused {refusal.code}{clause}: {refusal.message}"
