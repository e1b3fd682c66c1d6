"""The conditions of a rule, from text to values: what the table shows, what fell, what stands, what has been counted.

puck is off                  last result is total 7          WAGER stands, no WAGER
count WAGER * below 2        wins WAGER at least 3           losses WAGER is 1             hits WAGER above 0
rolls at least 100           shooter rolls at most 5         shooters is 2
bankroll below 50.00         net above -10 units
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import get_args

from croupier.rules.book import shown_value
from croupier.rules.outcomes import OutcomeError
from croupier.sim.reading.errors import Unreadable
from croupier.sim.reading.language import Language, plain, whole
from croupier.sim.reading.shapes import nearest, quoted
from croupier.sim.strategy import (
    MOST_CENTS,
    Chips,
    Compare,
    Comparison,
    Condition,
    Count,
    Hits,
    Net,
    PhaseIs,
    ResultIs,
    Rolls,
    ShooterRolls,
    Shooters,
    Spots,
    Streak,
    Subject,
)

FORMS = '"PHASE is VALUE", "last result is DESCRIPTION", "WAGER stands", "no WAGER", "rolls at least 10" and the like'

# The longer of two that begin alike comes first.
_COMPARISONS: tuple[Comparison, ...] = tuple(sorted(get_args(Comparison), key=len, reverse=True))
_COMPARED = re.compile(rf"(?P<what>.+?) (?P<comparison>{'|'.join(_COMPARISONS)}) (?P<value>.+)")

_LONG_NUMBER = re.compile(r"\d{4}")

# What is counted on wagers, of the whole session, and in money.
_ON_SPOTS: dict[str, Callable[[Spots], Subject]] = {
    "count": Count,
    "wins": lambda spots: Streak(spots, won=True),
    "losses": lambda spots: Streak(spots, won=False),
    "hits": Hits,
}
_OF_SESSION: dict[str, Subject] = {"rolls": Rolls(), "shooter rolls": ShooterRolls(), "shooters": Shooters()}
_IN_MONEY: dict[str, Subject] = {"bankroll": Chips(), "net": Net()}


def read_condition(language: Language, text: str) -> Condition:
    """What a condition says. Raises Unreadable."""
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
        raise Unreadable(f"{quoted(text)}: no throw is like that")
    return ResultIs(found)


def _comparison(language: Language, words: str, text: str) -> Compare:
    found = _COMPARED.fullmatch(words)
    if found is None:
        comparisons = ", ".join(get_args(Comparison))
        raise Unreadable(f"{quoted(text)} cannot be read; it needs one of {comparisons}, and a number behind it")
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
        raise Unreadable(f"nothing is counted as {quoted(what)}; {nearest(what, (*_OF_SESSION, *_IN_MONEY))}")
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
        raise Unreadable(f"{quoted(text)}: the {name} is never like that")
    return PhaseIs(name, found)


def _states(language: Language, phase: str, value: str) -> set[str]:
    """The states that show a value, that show one at all (`on`) or none (`off`), or the state of that name."""
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
