"""Read a strategy for one book: find its file, parse the TOML, check the shape of its tables, read the words.

Where possible, reading continues after a mistake, part by part, so that all mistakes are reported at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from croupier import strategies
from croupier.money import MoneyError, parse_cents
from croupier.rules.game import Game
from croupier.simulation.reading.language import Language, plain
from croupier.simulation.reading.rule_reader import check_count, most_reached, read_progression, read_rules
from croupier.simulation.reading.shapes import (
    Lines,
    Mistakes,
    ProgressionTable,
    RuleTable,
    StopTable,
    StrategyError,
    StrategyTable,
    Table,
    fit,
    nearest,
    quoted,
)
from croupier.simulation.strategy import (
    MOST_CENTS,
    MOST_MONEY,
    Bet,
    Chips,
    Compare,
    Progression,
    Rule,
    ShareOfChips,
    Stop,
    Strategy,
)

__all__ = [
    "Included",
    "StrategyError",
    "included",
    "included_for",
    "load_strategy",
    "needs_bankroll",
    "problems",
    "read_file",
    "read_strategy",
]

MOST_RULES = 400
MOST_CHARACTERS = 1_000_000
MOST_TOLD = 100  # mistakes: more would not help, and suggesting corrections takes time
DEFAULT_UNIT = 100

T = TypeVar("T", bound=Table)
_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


MOST_WORDS = {"name": 100, "about": 4_000}  # characters


class _EnoughError(Exception):
    """Too many mistakes to go on reading."""


class Reader:
    """Reads one file. `found` holds its mistakes, in line order."""

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
        """Return the strategy, or None if there is any mistake."""
        try:
            tree = parse(self.text, self.file)
        except StrategyError as error:
            self.found.append(error)
            return None
        self.lines = Lines(self.text)
        if not self._is_for_this_book(tree.get("book")):
            return None  # any further mistakes would only follow from that
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

    # Mistakes

    def _wrong(self, path: tuple[str | int, ...], reason: str, clause: str | None = None) -> None:
        self.found.append(StrategyError(self.file, self.lines.at(*path), reason, clause))
        if len(self.found) == MOST_TOLD:
            raise _EnoughError

    # The head of the file

    def _is_for_this_book(self, books: object) -> bool:
        named = [books] if isinstance(books, str) else books
        if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            return True  # missing or malformed: reported when the file is fitted to its shape
        if set(named) & set(self.game.book.lineage):
            return True
        written_for = " and ".join(map(quoted, named)) or "no book"
        self._wrong(("book",), f"it is written for {written_for}, not for {quoted(self.game.book.id)}")
        return False

    def _check_words(self, tree: Mapping[str, object]) -> None:
        for key, most in MOST_WORDS.items():
            text = tree.get(key)
            if not isinstance(text, str):
                continue  # already reported
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
        """The unit in cents: the caller's, or the file's."""
        text = tree.get("unit", "1.00")
        unit = _money(text) if given is None else given
        if unit is not None and 1 <= unit <= MOST_CENTS:
            return unit
        if isinstance(text, str):
            reason = f'the unit must be an amount such as "5.00", from 0.01 to {MOST_MONEY}'
            self._wrong(("unit",) if given is None else (), reason)
        return DEFAULT_UNIT

    def _amount(self, language: Language, text: str | None, key: str, mistakes: Mistakes) -> int | None:
        cents = None
        with mistakes.at(key):
            cents = None if text is None else language.amount(text)
        return cents

    # Progressions and stops

    def _progressions(self, language: Language, tables: dict[str, dict[str, object]]) -> dict[str, Progression | None]:
        """Read the progressions by name; None for one that cannot be read."""
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
            mistakes.add(("leave",), "leave says how the player leaves, but nothing says when")
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
                self._wrong(("rules", place), f"these are more than {MOST_RULES} rules, counting each target")
                break
        if not self.found and not any(isinstance(rule, Bet) for rule in rules):
            self._wrong(("rules",), "no rule bets anything")
        return tuple(rules)


def parse(text: str, file: str) -> dict[str, object]:
    """Parse TOML. Raises StrategyError."""
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
        raise StrategyError(file, None, "this TOML is too deeply nested, or has a number that is too long") from None


def _fitted(table: Mapping[str, object], shape: type[T], mistakes: Mistakes) -> T:
    """Convert a table as far as it fits its shape, and report the rest."""
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
    """Tables by name; entries of other types are reported when the file is fitted to its shape."""
    if not isinstance(value, dict):
        return {}
    return {name: table for name, table in value.items() if isinstance(table, dict)}


# Strategy files: by name or path, and those included in the package

SUFFIX = ".toml"
MOST_BYTES = 1_000_000
MOST_IN_A_LINE = 4_000


class Included(msgspec.Struct, frozen=True):
    """A strategy included in the package: its file, and its own description."""

    id: str
    name: str
    about: str
    books: tuple[str, ...]
    text: str
    file: str


def read_strategy(text: str, file: str, game: Game, unit: int | None = None) -> Strategy:
    """Read a strategy from text for a book; `unit`, in cents, overrides its own. Raises StrategyError."""
    reader = Reader(text, file, game, unit)
    if reader.strategy is None:
        raise reader.found[0]
    return reader.strategy


def problems(text: str, file: str, game: Game) -> list[StrategyError]:
    """Every mistake in a strategy for a book, line by line."""
    return Reader(text, file, game).found


def load_strategy(name_or_path: str, game: Game, unit: int | None = None) -> Strategy:
    """Load an included strategy by name, or a file by path. Raises StrategyError."""
    found = find_text(name_or_path)
    return read_strategy(found[0], found[1], game, unit)


def find_text(name_or_path: str) -> tuple[str, str]:
    """The text of a strategy, and its file name for errors. Raises StrategyError."""
    own = next((one for one in included() if one.id == name_or_path), None)
    if own is not None:
        return own.text, own.file
    is_name = Path(name_or_path).name == name_or_path and not name_or_path.endswith(SUFFIX)
    if is_name:
        near = nearest(name_or_path, (one.id for one in included()))
        reason = f"there is no such strategy, and the name does not end in {SUFFIX}; {near}"
        raise StrategyError(quoted(name_or_path), None, reason)
    return read_file(name_or_path), name_or_path


def read_file(path: str) -> str:
    """Read the text of a file. Raises StrategyError."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise StrategyError(path, None, "is a folder, not a file") from None
    except FileNotFoundError:
        raise StrategyError(path, None, "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "a file cannot have such a name"
        raise StrategyError(path, None, f"cannot be read ({reason})") from None
    if len(content) > MOST_BYTES:
        raise StrategyError(path, None, "is larger than 1 MB; no strategy is that long")
    for number, line in enumerate(content.split(b"\n"), 1):
        if len(line) > MOST_IN_A_LINE:  # the inputs that slow a TOML parser down are long lines
            raise StrategyError(path, number, f"the line has more than {MOST_IN_A_LINE:,} characters")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = content.count(b"\n", 0, error.start) + 1
        raise StrategyError(path, at, "this is not UTF-8 text") from None


@lru_cache(maxsize=1)
def included() -> list[Included]:
    """The strategies included in the package, sorted by id."""
    return [_included(strategy_id) for strategy_id in strategies.ids()]


def included_for(lineage: Iterable[str]) -> list[Included]:
    """The included strategies for a book, or for one that it extends: its `lineage`."""
    books = set(lineage)
    return [one for one in included() if books & set(one.books)]


class _Heading(msgspec.Struct, frozen=True):
    """The keys of a file that a list of strategies shows."""

    name: str
    about: str
    book: str | list[str]


def _included(strategy_id: str) -> Included:
    path = strategies.file(strategy_id)
    text = path.read_text(encoding="utf-8")
    heading = msgspec.convert(parse(text, path.name), _Heading)
    books = (heading.book,) if isinstance(heading.book, str) else tuple(heading.book)
    return Included(strategy_id, heading.name, plain(heading.about), books, text, path.name)


def needs_bankroll(strategy: Strategy) -> str | None:
    """Why a strategy needs a bankroll, because it refers to the chips in hand; None if it does not."""
    for rule in strategy.rules:
        if isinstance(rule, Bet) and isinstance(rule.stake, ShareOfChips):
            return f"rule {rule.rule} stakes a share of the bankroll"
        for condition in rule.guard.conditions:
            if isinstance(condition, Compare) and isinstance(condition.subject, Chips):
                return f"rule {rule.rule} depends on the size of the bankroll"
    return None
