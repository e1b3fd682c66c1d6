"""Strategy files: finding them by name or path, those that come with the package, and reading them for a book."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec

from croupier import strategies
from croupier.rules.game import Game
from croupier.sim.reading.errors import StrategyError
from croupier.sim.reading.language import plain
from croupier.sim.reading.reader import Reader, parse
from croupier.sim.reading.shapes import nearest, quoted
from croupier.sim.strategy import Bet, Chips, Compare, ShareOfChips, Strategy

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

SUFFIX = ".toml"
MOST_BYTES = 1_000_000
MOST_IN_A_LINE = 4_000


class Included(msgspec.Struct, frozen=True):
    """A strategy that comes with the package: its file, and what the file says of itself."""

    id: str
    name: str
    about: str
    books: tuple[str, ...]
    text: str
    file: str


def read_strategy(text: str, file: str, game: Game, unit: int | None = None) -> Strategy:
    """The strategy that a text means under a book; `unit` in cents goes before its own. Raises StrategyError."""
    reader = Reader(text, file, game, unit)
    if reader.strategy is None:
        raise reader.found[0]
    return reader.strategy


def problems(text: str, file: str, game: Game) -> list[StrategyError]:
    """Everything that is wrong with a strategy for a book, line by line."""
    return Reader(text, file, game).found


def load_strategy(name_or_path: str, game: Game, unit: int | None = None) -> Strategy:
    """A strategy by the name of an included one, or from a file. Raises StrategyError."""
    found = find_text(name_or_path)
    return read_strategy(found[0], found[1], game, unit)


def find_text(name_or_path: str) -> tuple[str, str]:
    """The text of a strategy, and what errors call its file. Raises StrategyError."""
    own = next((one for one in included() if one.id == name_or_path), None)
    if own is not None:
        return own.text, own.file
    is_name = Path(name_or_path).name == name_or_path and not name_or_path.endswith(SUFFIX)
    if is_name:
        near = nearest(name_or_path, (one.id for one in included()))
        reason = f"there is no such strategy, and it is no file that ends in {SUFFIX}; {near}"
        raise StrategyError(quoted(name_or_path), None, reason)
    return read_file(name_or_path), name_or_path


def read_file(path: str) -> str:
    """The text of a file. Raises StrategyError."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise StrategyError(path, None, "is a folder, not a file") from None
    except FileNotFoundError:
        raise StrategyError(path, None, "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise StrategyError(path, None, f"cannot be read ({reason})") from None
    if len(content) > MOST_BYTES:
        raise StrategyError(path, None, "is larger than 1 MB, which no strategy is")
    for number, line in enumerate(content.split(b"\n"), 1):
        if len(line) > MOST_IN_A_LINE:  # what takes a reader of TOML minutes is never written over several lines
            raise StrategyError(path, number, f"the line has more than {MOST_IN_A_LINE:,} characters")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = content.count(b"\n", 0, error.start) + 1
        raise StrategyError(path, at, "this is not a text in UTF-8") from None


@lru_cache(maxsize=1)
def included() -> list[Included]:
    """The strategies that come with the package, in the order of their ids."""
    return [_included(strategy_id) for strategy_id in strategies.ids()]


def included_for(lineage: Iterable[str]) -> list[Included]:
    """Those written for a book, or for one that it extends: its `lineage`."""
    books = set(lineage)
    return [one for one in included() if books & set(one.books)]


class _Heading(msgspec.Struct, frozen=True):
    """What a list of strategies needs of a file."""

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
    """Why a strategy can only be played with a bankroll, or None where it can do without: it asks what is in hand."""
    for rule in strategy.rules:
        if isinstance(rule, Bet) and isinstance(rule.stake, ShareOfChips):
            return f"rule {rule.rule} stakes a share of the bankroll"
        for condition in rule.guard.conditions:
            if isinstance(condition, Compare) and isinstance(condition.subject, Chips):
                return f"rule {rule.rule} asks how large the bankroll is"
    return None
