"""Reads the text of a strategy for one book: TOML, the shape of its tables, then the words in them.

It goes on after a mistake where it can, part by part, so that all of them can be told at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeVar

from croupier.money import MoneyError, parse_cents
from croupier.rules.game import Game
from croupier.sim.reading.deeds import check_count, read_rules
from croupier.sim.reading.errors import Mistakes, StrategyError
from croupier.sim.reading.language import Language, plain
from croupier.sim.reading.lines import Lines
from croupier.sim.reading.progressions import most_reached, read_progression
from croupier.sim.reading.shapes import ProgressionTable, RuleTable, StopTable, StrategyTable, Table, fit, quoted
from croupier.sim.strategy import MOST_CENTS, MOST_MONEY, Bet, Progression, Rule, Stop, Strategy

MOST_RULES = 400
MOST_CHARACTERS = 1_000_000
MOST_TOLD = 100  # mistakes: nobody mends more at once, and to find out what was perhaps meant takes a while
DEFAULT_UNIT = 100

T = TypeVar("T", bound=Table)
_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


MOST_WORDS = {"name": 100, "about": 4_000}  # characters


class _EnoughError(Exception):
    """So much is wrong with a file that reading on would be of no use."""


class Reader:
    """Reads one file. What is wrong with it is in `found`, in the order of its lines."""

    def __init__(self, text: str, file: str, game: Game, unit: int | None = None) -> None:
        self.file = file
        self.game = game
        self.found: list[StrategyError] = []
        self.text = text.removeprefix("\ufeff")
        self.strategy: Strategy | None = None
        with suppress(_EnoughError):
            self.strategy = self._read(unit)
        self.found.sort(key=lambda error: error.line or 0)
        if len(self.found) == MOST_TOLD:
            self.found.append(StrategyError(file, None, f"there may be more than these {MOST_TOLD} mistakes"))

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
        mistakes = Mistakes(self._wrong)
        head = _fitted(tree, StrategyTable, mistakes)
        self._check_words(tree)
        language = Language(self.game, self._unit(tree, unit), {})
        bankroll = self._amount(language, head.bankroll, "bankroll", mistakes)
        progressions = self._progressions(language, _tables(tree.get("progressions")))
        language.progressions = {
            name: None if made is None else most_reached(made) for name, made in progressions.items()
        }
        rules = self._rules(language, tree.get("rules"))
        stop = self._stop(language, tree.get("stop", {}))
        if self.found:
            return None
        moving = tuple(made for made in progressions.values() if made is not None)
        return Strategy(head.name.strip(), plain(head.about), language.unit, rules, moving, stop, bankroll)

    # What is wrong, and where

    def _wrong(self, path: tuple[str | int, ...], reason: str, clause: str | None = None) -> None:
        self.found.append(StrategyError(self.file, self.lines.at(*path), reason, clause))
        if len(self.found) == MOST_TOLD:
            raise _EnoughError

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

    def _check_words(self, tree: Mapping[str, object]) -> None:
        for key, most in MOST_WORDS.items():
            text = tree.get(key)
            if not isinstance(text, str):
                continue  # that is told already
            if not text.strip():
                self._wrong((key,), f"{key} is empty")
            words = text.replace("\n", " ").replace("\t", " ")
            if not words.isprintable():
                self._wrong((key,), f"{key} holds characters that cannot be printed")
            if len(words) > most:
                self._wrong((key,), f"{key} has more than {most:,} characters")
            if key == "name" and len(text.splitlines()) > 1:
                self._wrong((key,), "name is more than one line")

    def _unit(self, tree: Mapping[str, object], given: int | None) -> int:
        """What a unit is: as given by the user, or by the file."""
        text = tree.get("unit", "1.00")
        unit = _money(text) if given is None else given
        if unit is not None and 1 <= unit <= MOST_CENTS:
            return unit
        if isinstance(text, str):
            reason = f'a unit is an amount such as "5.00", from 0.01 to {MOST_MONEY}'
            self._wrong(("unit",) if given is None else (), reason)
        return DEFAULT_UNIT

    def _amount(self, language: Language, text: str | None, key: str, mistakes: Mistakes) -> int | None:
        cents = None
        with mistakes.at(key):
            cents = None if text is None else language.amount(text)
        return cents

    # Progressions and the end of a session

    def _progressions(self, language: Language, tables: dict[str, dict[str, object]]) -> dict[str, Progression | None]:
        """Each by its name; nothing where it cannot be read."""
        made: dict[str, Progression | None] = {}
        for name, raw in tables.items():
            mistakes = Mistakes(self._wrong, "progressions", name)
            made[name] = read_progression(language, name, _fitted(raw, ProgressionTable, mistakes), mistakes)
        return made

    def _stop(self, language: Language, raw: object) -> Stop:
        if not isinstance(raw, dict):
            return Stop()
        mistakes = Mistakes(self._wrong, "stop")
        table = _fitted(raw, StopTable, mistakes)
        if set(raw) == {"leave"} and not mistakes:
            mistakes.add(("leave",), "leave says how the player goes, and nothing says when")
        with mistakes.at("shooters"):
            if table.shooters is not None:
                language.check_shooters("shooters")
            check_count("shooters", table.shooters)
        with mistakes.at("rolls"):
            check_count("rolls", table.rolls)
        win, loss = (self._amount(language, getattr(table, key), key, mistakes) for key in ("win", "loss"))
        return Stop(win, loss, table.shooters, table.rolls, when_decided=table.leave == "when decided")

    # Rules

    def _rules(self, language: Language, tables: object) -> tuple[Rule, ...]:
        rules: list[Rule] = []
        for place, raw in enumerate(tables if isinstance(tables, list) else ()):
            if not isinstance(raw, dict):
                continue
            mistakes = Mistakes(self._wrong, "rules", place)
            rules += read_rules(language, place + 1, _fitted(raw, RuleTable, mistakes), mistakes)
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


def _fitted(table: Mapping[str, object], shape: type[T], mistakes: Mistakes) -> T:
    """A table as far as it fits its shape."""
    made, misfits = fit(table, shape)
    for misfit in misfits:
        mistakes.add(misfit.path, misfit.reason)
    return made


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
