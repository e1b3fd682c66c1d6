"""Alters what a book says of prizes, one value at a time, and checks whether a scenario about a promotion notices.

Clauses are changed, figures and amounts moved by one, yes turned into no, rows left out, one choice replaced by
another. `python -m tests.prize_mutants BOOK` lists the survivors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from croupier.money import format_cents, parse_cents
from croupier.rules.prizes import Prizes
from croupier.scenarios import Scenario
from croupier.scenarios.promotion_running import play_promotion
from croupier.scenarios.scenario_lines import Different
from tests.mutants import listed, load_scenarios
from tests.promotions import PRIZE_BOOKS, prizes_of

Path = tuple[str | int, ...]
Plain = Any  # values of TOML, one in another

# Words for people, ids that all else goes by, and clauses that no refusal and no event names.
SKIPPED = {"id", "name", "called", "prohibited_under", "prohibited_clause", "kinds.clause", "of", "value"}
# What is measured in litres is declared by its amount; its word is for people alone.
UNNOTICED = {"prohibited, liquor, things, 0: changed"}
CHOICES = {"approval": "resubmit", "resubmit": "approval"}


class Mutant(NamedTuple):
    """One altered value: which one, how it was altered, and the prizes that contain it."""

    where: str
    how: str
    prizes: Prizes

    def __str__(self) -> str:
        return f"{self.where}: {self.how}"


def mutants(prizes: Prizes) -> Iterator[Mutant]:
    """Every alteration of what a book says of prizes that still gives a valid book."""
    plain = msgspec.to_builtins(prizes)
    for path, value in _walk(plain, ()):
        for how, other in _others(path, value):
            try:
                yield Mutant(_where(plain, path), how, msgspec.convert(_replaced(plain, path, other), Prizes))
            except msgspec.ValidationError:
                continue


def _walk(value: Plain, path: Path) -> Iterator[tuple[Path, Plain]]:
    yield path, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        if key not in SKIPPED and f"{path[0] if path else ''}.{key}" not in SKIPPED:
            yield from _walk(inner, (*path, key))


def _others(path: Path, value: Plain) -> Iterator[tuple[str, Plain]]:
    name = str(path[-1]) if path else ""
    if isinstance(value, list):
        for place, left_out in enumerate(value):
            shown = left_out.get("id") if isinstance(left_out, dict) else left_out
            yield f"{shown} left out", [each for at, each in enumerate(value) if at != place]
    elif isinstance(value, bool):
        yield f"{not value}", not value
    elif isinstance(value, int):
        yield from ((f"{other}", other) for other in (value - 1, value + 1) if other >= 0)
    elif name in ("above", "winner_chooses_above", "keep_above") and value is not None:
        for cents in (parse_cents(value) - 1, parse_cents(value) + 1):
            yield format_cents(cents), format_cents(cents)
    elif isinstance(value, str):
        yield "changed", CHOICES.get(value, f"{value} changed")


def _where(plain: Plain, path: Path) -> str:
    words = []
    for key in path:
        plain = plain[key]
        words.append(str(plain.get("id", key)) if isinstance(plain, dict) else str(key))
    return ", ".join(words)


def _replaced(plain: Plain, path: Path, other: Plain) -> Plain:
    if not path:
        return other
    key, rest = path[0], path[1:]
    if isinstance(plain, dict):
        return {**plain, key: _replaced(plain[key], rest, other)}
    return [_replaced(inner, rest, other) if at == key else inner for at, inner in enumerate(plain)]


def survivors(book_id: str) -> tuple[list[Mutant], int]:
    """The alterations of a book that no scenario notices, and the number of alterations."""
    scenarios = [scenario for scenario in load_scenarios(book_id) if scenario.promotion]
    living, count = [], 0
    for mutant in mutants(prizes_of(book_id)):
        count += 1
        noticing = next((at for at, each in enumerate(scenarios) if _notices(each, mutant.prizes)), None)
        if noticing is None:
            living += [mutant] if str(mutant) not in UNNOTICED else []
        else:  # the same scenario is likely to notice the next one
            scenarios.insert(0, scenarios.pop(noticing))
    return living, count


def _notices(scenario: Scenario, prizes: Prizes) -> bool:
    """A scenario notices through a difference; a book that lacks something the engine needs may also fail in the
    engine."""
    try:
        play_promotion(scenario, prizes)
    except (Different, AssertionError, LookupError):
        return True
    return False


if __name__ == "__main__":
    sys.exit(listed(sys.argv[1:] or PRIZE_BOOKS, survivors))
