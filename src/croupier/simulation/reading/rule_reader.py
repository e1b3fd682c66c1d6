"""Read the rules, conditions and progressions of a strategy from tables of the file into values."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Literal, NamedTuple, get_args

from croupier.money import format_cents
from croupier.rules.book import shown_value
from croupier.rules.machine import show_pick
from croupier.rules.outcomes import OutcomeError
from croupier.simulation.reading.language import (
    MOST_WHOLE,
    NUMBER,
    PICK,
    Language,
    multiple,
    number,
    plain,
    share_of,
    whole,
)
from croupier.simulation.reading.shapes import Mistakes, ProgressionTable, RuleTable, Texts, Unreadable, nearest, quoted
from croupier.simulation.strategy import (
    MOST_CENTS,
    Bet,
    Call,
    Chips,
    Compare,
    Comparison,
    Condition,
    Count,
    Guard,
    Hits,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShooterRolls,
    Shooters,
    Spot,
    Spots,
    Stake,
    Streak,
    Subject,
    Take,
    TimesSpot,
)

ACTIONS = ("bet", "take", "call_on", "call_off")
ONLY_WITH = {
    **dict.fromkeys(("stake", "adds", "or_less", "insist", "at_most", "per"), "bet"),
    "leave": "take",
}


class Target(NamedTuple):
    """A spot, and the text that named it."""

    text: str
    spot: Spot


def read_targets(language: Language, texts: Texts, key: str, mistakes: Mistakes, betting: bool = False) -> list[Target]:
    """The spots that the targets under a key name, in order and without repeats."""
    found: list[Target] = []
    if not texts:
        mistakes.add((key,), f"{key} names no wager")
    for path, text in places(key, texts):
        with mistakes.at(*path):
            spots = language.spots_to_bet(text) if betting else language.spots(text)
            known = {target.spot for target in found}
            again = next((spot for spot in spots if spot in known), None)
            if again is not None:
                raise Unreadable(f"{quoted(again.name)} is named twice")
            found += [Target(text, spot) for spot in spots]
    return found


def read_rules(language: Language, number: int, table: RuleTable, mistakes: Mistakes) -> list[Rule]:
    """Return one rule per target; unreliable if there are mistakes."""
    actions = [action for action in ACTIONS if getattr(table, action) is not None]
    _check_keys(actions, table, mistakes)
    targets: list[Target | None] = []
    for action in actions:
        targets += read_targets(language, getattr(table, action), action, mistakes, betting=action == "bet")
    reader = _RuleReader(language, number, table, mistakes)
    action = actions[0] if actions else ""
    return [rule for target in targets or [None] if (rule := reader.rule(action, target)) is not None]


def _check_keys(actions: list[str], table: RuleTable, mistakes: Mistakes) -> None:
    """Check that a rule does one thing, with matching keys."""
    if not actions and not any(map(mistakes.about, ACTIONS)):
        mistakes.add((), "a rule needs bet, take, call_on or call_off")
    if len(actions) > 1:
        mistakes.add((actions[1],), f"a rule does one thing, not {' and '.join(actions)}: write two rules")
    for key, action in ONLY_WITH.items():
        if actions and action not in actions and getattr(table, key) not in (None, False):
            mistakes.add((key,), f"{key} goes with {action}, not with {actions[0]}")
    if actions == ["bet"] and table.stake is None and not mistakes.about("stake"):
        mistakes.add(("bet",), "stake is missing: every bet needs one")
    if table.per is not None and table.at_most is None and not any(map(mistakes.about, ("per", "at_most"))):
        mistakes.add(("per",), "per goes with at_most, which is missing")


class _RuleReader:
    """Reads the rest of a rule for each target, or without a target if those are unreadable."""

    def __init__(self, language: Language, number: int, table: RuleTable, mistakes: Mistakes) -> None:
        self._language = language
        self._number = number
        self._table = table
        self._mistakes = mistakes

    def rule(self, action: str, target: Target | None) -> Rule | None:
        """The rule for one target; None if it could not be played anyway."""
        number, table = self._number, self._table
        guard = Guard(self._conditions("when", table.when, target), self._conditions("unless", table.unless, target))
        stake, leave, at_most, per = self._stake(target), self._leave(), self._at_most(), self._per()
        if target is None:
            return None
        match action:
            case "take":
                return Take(number, target.spot, guard, leave)
            case "call_on" | "call_off":
                return Call(number, target.spot, action == "call_on", guard)
        if stake is None:
            return None
        return Bet(number, target.spot, stake, guard, table.adds, table.or_less, table.insist, at_most, per)

    def _conditions(self, key: str, texts: Texts, target: Target | None) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for path, text in places(key, texts):
            if self._is_to_read(text, target, *path):
                with self._mistakes.at(*path):
                    found.append(read_condition(self._language, _with_pick(text, target)))
        return tuple(found)

    def _is_to_read(self, text: str, target: Target | None, *path: str | int) -> bool:
        """Whether to read a text: not if it failed for another target, or needs the pick of an unknown target."""
        return not self._mistakes.about(*path) and (target is not None or PICK not in text)

    def _stake(self, target: Target | None) -> Stake | None:
        text, stake = self._table.stake, None
        if text is None or not self._is_to_read(text, target, "stake"):
            return None
        with self._mistakes.at("stake"):
            stake = self._language.stake(_with_pick(text, target))
            on_itself = isinstance(stake, TimesSpot) and target is not None and stake.spot == target.spot
            if on_itself and not self._table.adds:
                raise Unreadable("a stake that is a multiple of the same wager needs adds = true")
        return stake

    def _leave(self) -> int:
        text, cents = self._table.leave, 0
        if text is not None and not self._mistakes.about("leave"):
            with self._mistakes.at("leave"):
                cents = self._language.amount(text)
        return cents

    def _at_most(self) -> int | None:
        if not self._mistakes.about("at_most"):
            with self._mistakes.at("at_most"):
                check_count("at_most", self._table.at_most)
        return self._table.at_most

    def _per(self) -> Literal["shooter", "session"]:
        if self._table.per == "shooter" and not self._mistakes.about("per"):
            with self._mistakes.at("per"):
                self._language.check_shooters("shooter")
        return self._table.per or ("shooter" if self._language.has_shooters else "session")


def _with_pick(text: str, target: Target | None) -> str:
    """A text with its target's pick filled in. Raises Unreadable."""
    if PICK not in text or target is None:
        return text
    if target.spot.pick is None:
        raise Unreadable(f"{quoted(text)}: {quoted(target.text)} has no pick that {PICK} could stand for")
    return text.replace(PICK, show_pick(target.spot.pick))


def check_count(key: str, value: int | None) -> None:
    """Refuse a count below one; None is allowed. Raises Unreadable."""
    if value is not None and not 1 <= value <= MOST_WHOLE:
        raise Unreadable(f"{key} must be a whole number from 1 to {MOST_WHOLE:,}")


def places(key: str, texts: Texts) -> list[tuple[tuple[str | int, ...], str]]:
    """Each text under a key with its path: a single text, or a list of them."""
    if isinstance(texts, str):
        return [((key,), texts)]
    return [((key, place), text) for place, text in enumerate(texts)]


# Conditions, from text to values:
#
#   puck is off
#   last result is total 7
#   WAGER stands
#   no WAGER
#   count WAGER * below 2
#   wins WAGER at least 3
#   losses WAGER is 1
#   hits WAGER above 0
#   rolls at least 100
#   shooter rolls at most 5
#   shooters is 2
#   bankroll below 50.00
#   net above -10 units

FORMS = '"PHASE is VALUE", "last result is DESCRIPTION", "WAGER stands", "no WAGER", "rolls at least 10" and the like'

# Longest first, so that "is not" is tried before "is".
_COMPARISONS: tuple[Comparison, ...] = tuple(sorted(get_args(Comparison), key=len, reverse=True))
_COMPARED = re.compile(rf"(?P<what>.+?) (?P<comparison>{'|'.join(_COMPARISONS)}) (?P<value>.+)")

_LONG_NUMBER = re.compile(r"\d{4}")

# Subjects that count wagers, the session, and money
_ON_SPOTS: dict[str, Callable[[Spots], Subject]] = {
    "count": Count,
    "wins": lambda spots: Streak(spots, won=True),
    "losses": lambda spots: Streak(spots, won=False),
    "hits": Hits,
}
_OF_SESSION: dict[str, Subject] = {"rolls": Rolls(), "shooter rolls": ShooterRolls(), "shooters": Shooters()}
_IN_MONEY: dict[str, Subject] = {"bankroll": Chips(), "net": Net()}


def read_condition(language: Language, text: str) -> Condition:
    """Read a condition. Raises Unreadable."""
    words = plain(text)
    first, _, rest = words.partition(" ")
    if words.startswith("last result"):
        return _result(language, words.removeprefix("last result").strip(), text)
    if first in (*_ON_SPOTS, *_IN_MONEY, "rolls", "shooter", "shooters"):
        return _comparison(language, words, text)
    if first == "no":
        return Compare(Count(language.spots(rest)), "is", 0)
    if words.endswith(" stands"):
        return Compare(Count(language.spots(words.removesuffix(" stands"))), "at least", 1)
    if " is " in words:
        return _phase(language, words, text)
    raise Unreadable(f"the condition {quoted(text)} cannot be read; conditions are {FORMS}")


def _result(language: Language, words: str, text: str) -> ResultIs:
    outcomes = language.book.outcomes
    is_, _, description = words.partition(" ")
    turned_round = description.startswith("not ") and description.removeprefix("not ")
    if is_ != "is" or not description:
        raise Unreadable(f'{quoted(text)} cannot be read; write "last result is" and a description such as "any"')
    if _LONG_NUMBER.search(description):
        raise Unreadable(f"{quoted(text)}: no throw has such numbers")
    try:
        found = outcomes.matching(turned_round or description)
    except OutcomeError as error:
        raise Unreadable(str(error)) from None
    if turned_round:
        found = frozenset(range(len(outcomes))) - found
    if not found:
        raise Unreadable(f"{quoted(text)}: no throw matches that")
    return ResultIs(found)


def _comparison(language: Language, words: str, text: str) -> Compare:
    found = _COMPARED.fullmatch(words)
    if found is None:
        comparisons = ", ".join(get_args(Comparison))
        raise Unreadable(f"{quoted(text)} cannot be read; it needs one of {comparisons}, followed by a number")
    what, comparison, value = found["what"], _compared(found["comparison"]), found["value"]
    if what in _OF_SESSION:
        if what.startswith("shooter"):
            language.check_shooters(text)
        return Compare(_OF_SESSION[what], comparison, whole(value, text))
    if what in _IN_MONEY:
        least = -MOST_CENTS if what == "net" else 0
        return Compare(_IN_MONEY[what], comparison, language.amount(value, least))
    counted, _, target = what.partition(" ")
    if counted not in _ON_SPOTS:
        raise Unreadable(
            f"there is nothing to count called {quoted(what)}; {nearest(what, (*_OF_SESSION, *_IN_MONEY))}"
        )
    return Compare(_ON_SPOTS[counted](language.spots(target)), comparison, whole(value, text))


def _compared(words: str) -> Comparison:
    return next(comparison for comparison in _COMPARISONS if comparison == words)


def _phase(language: Language, words: str, text: str) -> PhaseIs:
    name, _, values = words.partition(" is ")
    phases = language.book.phases
    if name not in phases:
        raise Unreadable(f"the book has no phase {quoted(name)}; {nearest(name, phases)}")
    states = frozenset(language.book.phase_machines[name].table)
    turned_round = values.startswith("not ")
    named: set[str] = set()
    for value in values.removeprefix("not ").split(" or "):
        named |= _states(language, name, value)
    found = states - named if turned_round else frozenset(named)
    if not found:
        raise Unreadable(f"{quoted(text)}: the {name} is never in such a state")
    return PhaseIs(name, found)


def _states(language: Language, phase: str, value: str) -> set[str]:
    """The states that show a value, show any (`on`) or none (`off`), or have that name."""
    pattern = language.book.phases[phase].shows
    states = list(language.book.phase_machines[phase].table)
    shown = {state: shown_value(pattern, state) for state in states}
    if value in ("on", "off"):
        found = {state for state in states if (shown[state] is None) == (value == "off")}
    else:
        found = {state for state in states if value in (state, str(shown[state]))}
    if not found:
        values = [str(showing) for showing in shown.values() if showing is not None]
        sides = [side for side, there in (("off", None in shown.values()), ("on", bool(values))) if there]
        known = dict.fromkeys([*sides, *values, *(state for state in states if shown[state] is None)])
        raise Unreadable(f"the {phase} is never {quoted(value)}; {nearest(value, known)}")
    return found


# Progressions: a list of steps, or an amount that moves from a start

MOST_STEPS = 1000

ON_STEPS = '"next", "back", "back 2", "first" or "stay"'
ON_AMOUNT = (
    '"stay", "start", "add AMOUNT", "less AMOUNT", "double", "times 3", and after a win "add winnings", '
    '"add half winnings" or "add 25% winnings"'
)

_BACK = re.compile(r"back(?: (?P<by>\S+))?")
_ADD = re.compile(r"(?P<way>add|less) (?P<amount>.+)")
_TIMES = re.compile(rf"times (?P<factor>{NUMBER})")
_WINNINGS = re.compile(rf"add (?:(?P<half>half )|(?P<percent>{NUMBER}) ?% )?winnings")


def read_progression(language: Language, name: str, table: ProgressionTable, mistakes: Mistakes) -> Progression | None:
    """Read a progression on some spots; None if there are mistakes."""
    of = () if table.of is None else tuple(spot for _, spot in read_targets(language, table.of, "of", mistakes))
    if table.per == "shooter":
        with mistakes.at("per"):
            language.check_shooters("shooter")
    has_steps, has_start = ((getattr(table, key) is not None or mistakes.about(key)) for key in ("steps", "start"))
    if has_steps == has_start:
        mistakes.add((), f"progression {quoted(name)} needs either steps or a start")
        return None
    made = (_along_steps if has_steps else _from_start)(language, name, table, of, mistakes)
    return None if mistakes else made


def most_reached(progression: Progression) -> int:
    """The largest stake that a progression can reach."""
    return max(progression.steps) if progression.steps else progression.most


def _along_steps(language: Language, name: str, table: ProgressionTable, of: Spots, mistakes: Mistakes) -> Progression:
    for key in ("most", "least"):
        if getattr(table, key) is not None:
            mistakes.add((key,), f"{key} goes with start, not with steps")
    win, loss = _moves(table, mistakes, lambda text, won: _move_on_steps(text))
    return Progression(
        name,
        of,
        win,
        loss,
        steps=_steps(language, table.steps or [], mistakes),
        at_end=table.end or "stay",
        per_shooter=table.per == "shooter",
    )


def _steps(language: Language, written: list[int | float | str], mistakes: Mistakes) -> tuple[int, ...]:
    if not 1 <= len(written) <= MOST_STEPS and not mistakes.about("steps"):
        mistakes.add(("steps",), f"there are {len(written):,} steps; there must be 1 to {MOST_STEPS:,}")
        return ()
    steps: list[int] = []
    for place, step in enumerate(written):
        with mistakes.at("steps", place):
            steps.append(_step(language, step))
    return tuple(steps)


def _step(language: Language, step: int | float | str) -> int:
    """Read a step: a number is a count of units, a text is an amount."""
    if isinstance(step, str):
        return language.amount(step)
    shown = str(step)
    if step <= 0 or (isinstance(step, float) and not isfinite(step)):
        raise Unreadable(f"a step of {shown} is not a stake")
    return language.units(number(shown), f"{shown} units")


def _moves(table: ProgressionTable, mistakes: Mistakes, read: Callable[[str, bool], Move]) -> tuple[Move, Move]:
    """The moves after a win and after a loss; "stay" for one that cannot be read."""
    moves = {"win": Move("stay"), "loss": Move("stay")}
    for key in moves:
        if (text := getattr(table, key)) is not None:
            with mistakes.at(key):
                moves[key] = read(text, key == "win")
    return moves["win"], moves["loss"]


def _move_on_steps(text: str) -> Move:
    words = plain(text)
    match words:
        case "next" | "first" | "stay":
            return Move(words)
    back = _BACK.fullmatch(words)
    if back is None:
        raise Unreadable(f"{quoted(text)} cannot be read; with steps, write {ON_STEPS}")
    by = whole(back["by"] or "1", text)
    if not by:
        raise Unreadable(f'{quoted(text)} changes nothing; write "stay"')
    return Move("back", Fraction(by))


def _from_start(language: Language, name: str, table: ProgressionTable, of: Spots, mistakes: Mistakes) -> Progression:
    if table.end is not None:
        mistakes.add(("end",), "end goes with steps; an amount has no last step")
    is_limited = table.most is not None or mistakes.about("most")
    win, loss = _moves(table, mistakes, lambda text, won: _move_on_amount(language, text, won, is_limited))
    start, most, least = 0, None, 0
    if table.start is not None:
        with mistakes.at("start"):
            start = language.amount(table.start)
    if table.most is not None:
        with mistakes.at("most"):
            most = language.amount(table.most)
            if most < start:
                raise Unreadable(f"{quoted(table.most)} is less than the start, {format_cents(start)}")
    if table.least is not None:
        with mistakes.at("least"):
            least = language.amount(table.least, 0)
            if least > start > 0:
                raise Unreadable(f"{quoted(table.least)} is more than the start, {format_cents(start)}")
    most = start if most is None else most
    return Progression(name, of, win, loss, start=start, least=least, most=most, per_shooter=table.per == "shooter")


def _move_on_amount(language: Language, text: str, won: bool, is_limited: bool) -> Move:
    move = _moved_amount(language, text, won)
    grows = {"add": move.by > 0, "times": move.by > 1, "add_won": True}.get(move.kind, False)
    if grows and not is_limited:
        raise Unreadable(f"{quoted(text)} could grow without limit: set most")
    return move


def _moved_amount(language: Language, text: str, won: bool) -> Move:
    words = plain(text)
    match words:
        case "stay":
            return Move("stay")
        case "start":
            return Move("first")
        case "double":
            return Move("times", Fraction(2))
    if times := _TIMES.fullmatch(words):
        return Move("times", multiple(times["factor"], text))
    if winnings := _WINNINGS.fullmatch(words):
        if not won:
            raise Unreadable(f"{quoted(text)}: a loss has no winnings")
        percent = winnings["percent"] or ("50" if winnings["half"] else "100")
        return Move("add_won", share_of(percent, text))
    if add := _ADD.fullmatch(words):
        cents = language.amount(add["amount"])
        return Move("add", Fraction(cents if add["way"] == "add" else -cents))
    raise Unreadable(f"{quoted(text)} cannot be read; with a start, write {ON_AMOUNT}")
