"""Check a strategy built in Python: values must not say what a file could not say.

Files are checked word by word as they are read. Values bypass that, and meaningless numbers would be played as if they
were valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.simulation.kernels.program import MOST_PART
from croupier.simulation.reading.language import MOST_WHOLE, Language
from croupier.simulation.reading.reader import MOST_RULES, MOST_WORDS
from croupier.simulation.reading.rule_reader import MOST_STEPS
from croupier.simulation.reading.shapes import Unreadable, nearest, quoted
from croupier.simulation.strategy import (
    MOST_CENTS,
    Bet,
    Call,
    Chips,
    Compare,
    Count,
    Fixed,
    FromProgression,
    Hits,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Spots,
    Stop,
    Strategy,
    Streak,
    Take,
    TimesSpot,
    check_spot,
)


class Range(NamedTuple):
    """The range of a number, and what it is called."""

    least: int
    most: int
    what: str = "a whole number"


AMOUNT = Range(1, MOST_CENTS, "a number of cents")
AMOUNT_OR_NONE = AMOUNT._replace(least=0)
ANY_AMOUNT = AMOUNT._replace(least=-MOST_CENTS)
COUNT = Range(1, MOST_WHOLE)
COUNT_OR_NONE = Range(0, MOST_WHOLE)
ANY_COUNT = Range(-MOST_WHOLE, MOST_WHOLE)

NUMBERS: dict[type, dict[str, Range]] = {
    Strategy: {"unit": AMOUNT, "bankroll": AMOUNT},
    Bet: {"rule": COUNT_OR_NONE, "at_most": COUNT},
    Take: {"rule": COUNT_OR_NONE, "leave": AMOUNT_OR_NONE},
    Call: {"rule": COUNT_OR_NONE},
    Fixed: {"cents": AMOUNT},
    Progression: dict.fromkeys(("start", "least", "most"), AMOUNT_OR_NONE),
    Stop: {"win": AMOUNT, "loss": AMOUNT, "shooters": COUNT, "rolls": COUNT},
}

ON_STEPS = ("next", "back", "first", "stay")
ON_AMOUNT = ("add", "times", "add_won", "first", "stay")


def check_strategy(game: Game, strategy: Strategy) -> None:
    """Refuse a strategy that cannot be played under a book. Raises Impossible with one sentence."""
    checker = _Checker(game, strategy)
    try:
        for where, value in list(parts(strategy, Strategy)):  # check all types before anything else
            checker.check(where, value)
    except Unreadable as error:
        say = f"The strategy {shown(strategy.name)} cannot be played under {game.book.id}: {error.reason}."
        raise Impossible("strategy_wrong", say, error.clause) from None


class _Checker:
    """Checks each part of a strategy on its own; nested parts are checked separately."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self._game = game
        self._strategy = strategy
        self._language = Language(game, 1, {})

    def check(self, where: str, value: object) -> None:
        """Check one part of the strategy. Raises Unreadable."""
        for field, limits in NUMBERS.get(type(value), {}).items():
            _check_number(below(where, field), getattr(value, field), limits)
        match value:
            case Strategy():
                _check_head(value)
            case Bet():
                self._bet(where, value)
            case Spot():
                self._spot(where, value)
            case TimesSpot():
                _check_factor(below(where, "factor"), value.factor)
            case ShareOfChips():
                _check_share(below(where, "share"), value.share)
            case FromProgression():
                self._from_progression(where, value)
            case PhaseIs():
                self._phase(where, value)
            case ResultIs():
                _check_members(where, value.outcomes, frozenset(range(len(self._game.book.outcomes))))
            case Compare():
                self._comparison(where, value)
            case Count() | Streak() | Hits():
                _check_spots(below(where, "spots"), value.spots)
            case Progression():
                self._progression(where, value)
            case Stop(shooters=int()):
                self._shooters(below(where, "shooters"))

    # Rules and stakes

    def _bet(self, where: str, bet: Bet) -> None:
        self._spot(below(where, "spot"), bet.spot)
        wager = self._game.wager(bet.spot.wager)
        if bet.spot.pick is not None and wager.can_move:
            say = f"{wager.name} is bet without a pick: it travels to its number by itself"
            raise Unreadable(f"{where}.spot: {say}", wager.clause)
        if isinstance(bet.stake, TimesSpot) and bet.stake.spot == bet.spot and not bet.adds:
            say = "a stake that is a multiple of the same wager needs adds=True"
            raise Unreadable(f"{where}.stake: {say}")
        if bet.per == "shooter":
            self._shooters(below(where, "per"))

    def _spot(self, where: str, spot: Spot) -> None:
        try:
            check_spot(self._game, spot)
        except Impossible as error:
            raise Unreadable(f"{where}: {error.sentence.rstrip('.')}", error.clause) from None

    def _from_progression(self, where: str, stake: FromProgression) -> None:
        progressions = self._strategy.progressions
        if not 0 <= stake.progression < len(progressions):
            known = f"they are counted from 0 to {len(progressions) - 1}" if progressions else "there is none"
            say = f"there is no progression number {shown(stake.progression)}; {known}"
            raise Unreadable(f"{where}.progression: {say}")
        _check_factor(below(where, "factor"), stake.factor)
        named = progressions[stake.progression]
        reached = int(stake.factor * max(named.steps or (named.start, named.most)))
        _check_number(f"the amount of {where}", reached, ANY_AMOUNT)

    # Conditions

    def _phase(self, where: str, condition: PhaseIs) -> None:
        book, phase = self._game.book, condition.phase
        if phase not in book.phases:
            raise Unreadable(f"{where}.phase: the book has no phase {quoted(phase)}; {nearest(phase, book.phases)}")
        _check_members(where, condition.states, frozenset(book.phase_machines[phase].table))

    def _comparison(self, where: str, condition: Compare) -> None:
        in_money = isinstance(condition.subject, Net | Chips)
        _check_number(below(where, "value"), condition.value, ANY_AMOUNT if in_money else ANY_COUNT)
        if isinstance(condition.subject, Shooters | ShooterRolls):
            self._shooters(below(where, "subject"))

    def _shooters(self, where: str) -> None:
        self._language.check_shooters(where)

    # Progressions

    def _progression(self, where: str, progression: Progression) -> None:
        _check_spots(below(where, "of"), progression.of)
        if progression.steps:
            _check_steps(where, progression)
        else:
            _check_course(where, progression)
        for field, won in (("win", True), ("loss", False)):
            _check_move(below(where, field), getattr(progression, field), progression, won)
        if progression.per_shooter:
            self._shooters(below(where, "per_shooter"))


def _check_number(where: str, number: int | None, limits: Range) -> None:
    if number is not None and not limits.least <= number <= limits.most:
        raise Unreadable(f"{where} must be {limits.what} from {limits.least:,} to {limits.most:,}, not {shown(number)}")


def _check_factor(where: str, factor: Fraction) -> None:
    if factor <= 0 or max(factor.numerator, factor.denominator) > MOST_PART:
        say = f"must be above zero, with a numerator and a denominator of at most {MOST_PART:,}"
        raise Unreadable(f"{where} {say}, not {shown(factor)}")


def _check_share(where: str, share: Fraction) -> None:
    _check_factor(where, share)
    if share > 1:
        raise Unreadable(f"{where}: {shown(share)} is more than the whole")


def _check_members(where: str, named: frozenset[str] | frozenset[int], known: frozenset[str] | frozenset[int]) -> None:
    """Refuse a condition that names nothing, or something the book does not have."""
    if not named:
        raise Unreadable(f"{where}: it names nothing, so it can never hold")
    strange = next((member for member in named if member not in known), None)
    if strange is not None:
        raise Unreadable(f"{where}: there is no {shown(strange)}; {nearest(str(strange), map(str, sorted(known)))}")


def _check_spots(where: str, spots: Spots) -> None:
    if not spots:
        raise Unreadable(f"{where} names no wager")
    twice = next((spot for place, spot in enumerate(spots) if spot in spots[:place]), None)
    if twice is not None:
        raise Unreadable(f"{where}: {quoted(twice.name)} is named twice")


def _check_head(strategy: Strategy) -> None:
    name, rules, most = strategy.name, strategy.rules, MOST_WORDS["name"]
    if not name.isprintable() or len(name) > most:
        raise Unreadable(f"name must be one line of at most {most} printable characters")
    if len(rules) > MOST_RULES:
        raise Unreadable(f"there can be at most {MOST_RULES} rules, not {len(rules):,}")
    if not any(isinstance(rule, Bet) for rule in rules):
        raise Unreadable("no rule bets anything")


def _check_steps(where: str, progression: Progression) -> None:
    if len(progression.steps) > MOST_STEPS:
        raise Unreadable(f"{where}.steps can have at most {MOST_STEPS:,} members, not {len(progression.steps):,}")
    for place, step in enumerate(progression.steps):
        _check_number(f"{where}.steps[{place}]", step, AMOUNT)
    for field in ("start", "least", "most"):
        if getattr(progression, field):
            raise Unreadable(f"{where}.{field}: steps go without start, least and most")


def _check_course(where: str, progression: Progression) -> None:
    """Check a progression without steps: an amount that moves from its start between limits."""
    start, least, most = progression.start, progression.least, progression.most
    if not start:
        raise Unreadable(f"{where} needs steps or a start")
    if least > start:
        raise Unreadable(f"{where}.least: {shown(least)} is more than the start, {shown(start)}")
    if most and most < start:
        raise Unreadable(f"{where}.most: {shown(most)} is less than the start, {shown(start)}")


def _check_move(where: str, move: Move, progression: Progression, won: bool) -> None:
    kinds = ON_STEPS if progression.steps else ON_AMOUNT
    if move.kind not in kinds:
        on = "with steps" if progression.steps else "with a start"
        raise Unreadable(
            f"{where}.kind: {on} it must be one of {', '.join(map(quoted, kinds))}, not {quoted(move.kind)}"
        )
    if move.kind == "add_won" and not won:
        raise Unreadable(f"{where}.kind: a loss has no winnings")
    _check_by(below(where, "by"), move)
    grows = {"add": move.by > 0, "times": move.by > 1, "add_won": True}.get(move.kind, False)
    if grows and not progression.most:
        raise Unreadable(f"{where}: {quoted(move.kind)} could grow without limit: set most")


def _check_by(where: str, move: Move) -> None:
    """Check the size of a move: steps or cents, a factor or a share; other moves have none."""
    match move.kind:
        case "times":
            _check_factor(where, move.by)
        case "add_won":
            _check_share(where, move.by)
        case "back" | "add":
            if move.by.denominator != 1:
                raise Unreadable(f"{where} must be a whole number, not {shown(move.by)}")
            _check_number(where, int(move.by), COUNT if move.kind == "back" else ANY_AMOUNT)
        case _:
            if move.by != 1:
                raise Unreadable(f"{where} has no meaning with {quoted(move.kind)}")


# A strategy as a tree: every value in it, its path and its type check. A file's types are checked as it is read; values
# built in Python can hold anything anywhere.

MOST_BITS = 100  # longest number written out: about thirty digits

_WORDS: dict[object, str] = {
    int: "a whole number",
    Fraction: "a Fraction",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
    tuple: "a tuple",
    frozenset: "a frozenset",
}


class Part(NamedTuple):
    """A value inside another, and its path: `rules[0].stake.cents`."""

    where: str
    value: object


def parts(value: object, hint: Any, where: str = "") -> Iterator[Part]:  # noqa: ANN401
    """Yield a value and all its parts, from the outside in. Raises Unreadable for a type that does not fit."""
    kind = next((each for each in _alternatives(hint) if _is(value, each)), None)
    if kind is None:
        wanted = " or ".join(map(_word, _alternatives(hint)))
        raise Unreadable(f"{where or 'it'} must be {wanted}, not {shown(value)}")
    yield Part(where, value)
    for inner, inner_hint, inner_where in _inside(value, kind, where):
        yield from parts(inner, inner_hint, inner_where)


def shown(value: object) -> str:
    """A value for use in a sentence: short, and on one line."""
    match value:
        case bool() | float() | None:
            return str(value)
        case int():
            return f"{value:,}" if value.bit_length() <= MOST_BITS else "a number with too many digits to show"
        case Fraction():
            short = max(value.numerator.bit_length(), value.denominator.bit_length()) <= MOST_BITS
            return str(value) if short else "a fraction with too many digits to show"
        case str():
            return quoted(value)
    return f"a value of the type {type(value).__name__}"


def _alternatives(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _is(value: object, kind: Any) -> bool:  # noqa: ANN401
    """Whether a value has exactly this type: True is not an int here, but an int counts as a Fraction."""
    if get_origin(kind) is Literal:
        return type(value) is str and value in get_args(kind)
    return type(value) is (get_origin(kind) or kind) or (kind is Fraction and type(value) is int)


def _word(kind: Any) -> str:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return " or ".join(map(quoted, get_args(kind)))
    plain = get_origin(kind) or kind
    return _WORDS.get(plain) or f"a {plain.__name__}"


def _inside(value: Any, kind: Any, where: str) -> Iterator[tuple[object, Any, str]]:  # noqa: ANN401
    """The direct parts of a value: each with its type hint and its path."""
    if get_origin(kind) is tuple:
        yield from ((each, get_args(kind)[0], f"{where}[{place}]") for place, each in enumerate(value))
    elif get_origin(kind) is frozenset:
        yield from ((each, get_args(kind)[0], f"a member of {where}") for each in value)
    else:
        kind_of_value: type = type(value)
        for field, hint in _fields(kind_of_value).items():
            yield getattr(value, field), hint, below(where, field)


def below(where: str, field: str) -> str:
    """The path of a field inside a value; the strategy itself has the empty path."""
    return f"{where}.{field}" if where else field


@cache
def _fields(kind: type) -> dict[str, Any]:
    """The fields of a struct or named tuple with their types; empty for anything else."""
    return get_type_hints(kind)
