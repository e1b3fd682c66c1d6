"""Reads the text of a strategy for one book: TOML, the shape of its tables, then the words in them.

It goes on after a mistake where it can, part by part, so that all of them can be told at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from croupier.money import MoneyError, parse_cents
from croupier.rules.game import Game
from croupier.sim.reading.deeds import check_count, read_rules, read_targets
from croupier.sim.reading.errors import StrategyError, Unreadable, under
from croupier.sim.reading.language import MOST_CENTS, Language, plain
from croupier.sim.reading.lines import Lines
from croupier.sim.reading.progressions import most_reached, read_progression
from croupier.sim.reading.shapes import ProgressionTable, RuleTable, StopTable, StrategyTable, Table, fit, quoted
from croupier.sim.strategy import Bet, Progression, Rule, Stop, Strategy

MOST_RULES = 400
MOST_CHARACTERS = 1_000_000
DEFAULT_UNIT = 100

T = TypeVar("T", bound=Table)
_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


MOST_WORDS = {"name": 100, "about": 4_000}  # characters


class Reader:
    """Reads one file. What is wrong with it is in `found`, in the order of its lines."""

    def __init__(self, text: str, file: str, game: Game, unit: int | None = None) -> None:
        self.file = file
        self.game = game
        self.found: list[StrategyError] = []
        self.text = text.removeprefix("\ufeff")
        self.strategy = self._read(unit)
        self.found.sort(key=lambda error: error.line or 0)

    def _read(self, unit: int | None) -> Strategy | None:
        """The strategy, or nothing where anything is wrong with it."""
        try:
            tree = parse(self.text, self.file)
        except StrategyError as error:
            self.found.append(error)
            return None
        self.lines = Lines(self.text)
        if not self._is_for_this_book(tree.get("book")):
            return None  # what else is wrong with it for this book would only follow from that
        head = self._fitted(tree, StrategyTable)
        if head is not None:
            self._check_words(head)
        language = Language(self.game, self._unit(tree, unit), {})
        bankroll = self._amount(language, tree, "bankroll")
        progressions = self._progressions(language, _tables(tree.get("progressions")))
        language.progressions = {
            name: None if made is None else most_reached(made) for name, made in progressions.items()
        }
        rules = self._rules(language, tree.get("rules"))
        stop = self._stop(language, tree.get("stop", {}))
        if self.found or head is None:
            return None
        moving = tuple(made for made in progressions.values() if made is not None)
        return Strategy(head.name.strip(), plain(head.about), language.unit, rules, moving, stop, bankroll)

    # What is wrong, and where

    def _wrong(self, path: tuple[str | int, ...], reason: str, clause: str | None = None) -> None:
        self.found.append(StrategyError(self.file, self.lines.at(*path), reason, clause))

    @contextmanager
    def _part(self, *path: str | int) -> Iterator[None]:
        """A part of the file after which reading goes on, whatever is wrong with it."""
        try:
            yield
        except Unreadable as error:
            self._wrong((*path, *error.path), error.reason, error.clause)

    def _fitted(self, table: Mapping[str, object], shape: type[T], *path: str | int) -> T | None:
        made, misfits = fit(table, shape)
        for misfit in misfits:
            self._wrong((*path, *misfit.path), misfit.reason)
        return made

    # The head of the file

    def _is_for_this_book(self, books: object) -> bool:
        named = [books] if isinstance(books, str) else books
        if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            return True  # it does not say; that is told where the whole file is fitted to its shape
        if set(named) & set(self.game.book.lineage):
            return True
        written_for = " and ".join(map(quoted, named)) or "no book"
        self._wrong(("book",), f"it is written for {written_for}, not for {quoted(self.game.book.id)}")
        return False

    def _check_words(self, head: StrategyTable) -> None:
        for key in ("name", "about"):
            if not getattr(head, key).strip():
                self._wrong((key,), f"{key} is empty")
            words = getattr(head, key).replace("\n", " ").replace("\t", " ")
            if not words.isprintable():
                self._wrong((key,), f"{key} holds characters that cannot be printed")
            if len(words) > MOST_WORDS[key]:
                self._wrong((key,), f"{key} has more than {MOST_WORDS[key]:,} characters")
        if len(head.name.splitlines()) > 1:
            self._wrong(("name",), "name is more than one line")

    def _unit(self, tree: Mapping[str, object], given: int | None) -> int:
        """What a unit is: as given by the user, or by the file."""
        text = tree.get("unit", "1.00")
        unit = _money(text) if given is None else given
        if unit is not None and 1 <= unit <= MOST_CENTS:
            return unit
        if isinstance(text, str):
            reason = f'a unit is an amount such as "5.00", from 0.01 to {MOST_CENTS // 100:,}.00'
            self._wrong(("unit",) if given is None else (), reason)
        return DEFAULT_UNIT

    def _amount(self, language: Language, table: Mapping[str, object], key: str, *path: str | int) -> int | None:
        text, cents = table.get(key), None
        with self._part(*path, key):
            cents = language.amount(text) if isinstance(text, str) else None
        return cents

    # Progressions and the end of a session

    def _progressions(self, language: Language, tables: dict[str, dict[str, object]]) -> dict[str, Progression | None]:
        """Each by its name; nothing where it cannot be read."""
        made: dict[str, Progression | None] = dict.fromkeys(tables)
        for name, raw in tables.items():
            path = ("progressions", name)
            table = self._fitted(raw, ProgressionTable, *path)
            with self._part(*path):
                if table is not None:
                    of = read_targets(language, table.of, "of")
                    made[name] = read_progression(language, name, table, tuple(spot for _, spot in of))
        return made

    def _stop(self, language: Language, raw: object) -> Stop:
        table = self._fitted(raw, StopTable, "stop") if isinstance(raw, dict) else None
        stop = Stop()
        if table is None or not isinstance(raw, dict):
            return stop
        with self._part("stop"):
            if table.shooters is not None:
                with under("shooters"):
                    language.check_shooters("shooters")
            if set(raw) == {"leave"}:
                raise Unreadable("leave says how the player goes, and nothing says when", path=("leave",))
            stop = Stop(
                win=self._amount(language, raw, "win", "stop"),
                loss=self._amount(language, raw, "loss", "stop"),
                shooters=check_count("shooters", table.shooters),
                rolls=check_count("rolls", table.rolls),
                when_decided=table.leave == "when decided",
            )
        return stop

    # Rules

    def _rules(self, language: Language, tables: object) -> tuple[Rule, ...]:
        rules: list[Rule] = []
        for place, raw in enumerate(tables if isinstance(tables, list) else ()):
            table = self._fitted(raw, RuleTable, "rules", place) if isinstance(raw, dict) else None
            if table is None:
                continue
            with self._part("rules", place):
                rules += read_rules(language, place + 1, table)
            if len(rules) > MOST_RULES or place >= MOST_RULES:
                self._wrong(("rules", place), f"these are more than {MOST_RULES} rules, each target counted by itself")
                break
        if not self.found and not any(isinstance(rule, Bet) for rule in rules):
            self._wrong(("rules",), "no rule bets anything")
        return tuple(rules)


def parse(text: str, file: str) -> dict[str, object]:
    """The TOML of a text. Raises StrategyError."""
    if len(text) > MOST_CHARACTERS:
        raise StrategyError(file, None, f"is longer than {MOST_CHARACTERS:,} characters")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        reason = _PLACE.sub("", str(error))
        last = text.rstrip().count("\n") + 1
        line = int(place["line"]) if place and place["line"] else last
        at = f", at column {place['column']}" if place and place["column"] else ", at the end of the file"
        raise StrategyError(file, line, f"this is not TOML: {reason}{at}") from None
    except (ValueError, RecursionError):  # a number with thousands of digits, a thousand brackets
        raise StrategyError(file, None, "this is not TOML that anybody could read") from None


def _money(text: object) -> int | None:
    try:
        return parse_cents(text)
    except MoneyError:
        return None


def _tables(value: object) -> dict[str, dict[str, object]]:
    """Tables by their name; what is no table is told where the whole file is fitted to its shape."""
    if not isinstance(value, dict):
        return {}
    return {name: table for name, table in value.items() if isinstance(table, dict)}
