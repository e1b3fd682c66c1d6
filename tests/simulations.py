"""What several tests of `croupier simulate` need: running it, and reading what it prints and writes."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.cli.main import main
from croupier.simulation.kernels.dice import throws
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, _ = BOOKS
LINE = (CRAPS, "--strategy", "pass-double-odds")
QUICK = ("--sessions", "200", "--rolls", "30")

OWN_STRATEGY = """
name = "Places in other amounts"
book = "craps-nsw-2024"
about = "What exact units refuse."
[[rules]]
bet = "place_to_win 6"
stake = "5.00"
when = "puck is on"
"""


class Said(NamedTuple):
    """The outcome of a command."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.out.splitlines()]

    @property
    def values(self) -> dict[str, Any]:
        assert self.status == 0, self.err
        told: dict[str, Any] = json.loads(self.out)
        return told


class Screen:
    """Runs `croupier simulate` and reads its output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> Said:
        status = main(["simulate", *words])
        return Said(status, *self.capsys.readouterr())

    def values(self, *words: str) -> dict[str, Any]:
        return self(*words, "--json").values


def left_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def without_time(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("seconds", "rolls_per_second")}


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def record(book: str, seed: int, sessions: int, rolls: int) -> str:
    """The dice of a seed, as `croupier fairness` reads them."""
    outcomes = SHELF.book(book).outcomes
    thrown = [place for k in range(sessions) for place in throws(seed, k, rolls, len(outcomes)).tolist()]
    return "".join(" ".join(map(str, outcomes.all[place])) + "\n" for place in thrown)
