"""The rules of a strategy, from a table of the file to values: what is done, on which spots, how much and when."""

from __future__ import annotations

from typing import Literal, NamedTuple

from croupier.rules.picks import show_pick
from croupier.sim.reading.conditions import read_condition
from croupier.sim.reading.errors import Unreadable, under
from croupier.sim.reading.language import MOST_WHOLE, PICK, Language
from croupier.sim.reading.shapes import RuleTable, Texts, quoted
from croupier.sim.strategy import Bet, Call, Condition, Guard, Rule, Spot, Take, TimesSpot

DEEDS = ("bet", "take", "call_on", "call_off")
ONLY_WITH = {
    **dict.fromkeys(("stake", "adds", "or_less", "insist", "at_most", "per"), "bet"),
    "leave": "take",
}


class Target(NamedTuple):
    """A spot, and how it was named."""

    text: str
    spot: Spot


def read_targets(language: Language, texts: Texts, key: str, betting: bool = False) -> list[Target]:
    """The spots that the targets under a key name, in their order; each once. Raises Unreadable."""
    found: list[Target] = []
    if not texts:
        raise Unreadable(f"{key} names no wager", path=(key,))
    for path, text in places(key, texts):
        with under(*path):
            spots = language.spots_to_bet(text) if betting else language.spots(text)
            known = {target.spot for target in found}
            again = next((spot for spot in spots if spot in known), None)
            if again is not None:
                raise Unreadable(f"{quoted(again.name)} is named twice")
            found += [Target(text, spot) for spot in spots]
    return found


def read_rules(language: Language, number: int, table: RuleTable) -> list[Rule]:
    """One rule for each target. Raises Unreadable."""
    deed = _deed(table)
    texts = getattr(table, deed)
    return [
        _rule(language, number, deed, table, target)
        for target in read_targets(language, texts, deed, betting=deed == "bet")
    ]


def _deed(table: RuleTable) -> str:
    """What the rule does: one thing, with keys that go with it. Raises Unreadable."""
    deeds = [deed for deed in DEEDS if getattr(table, deed) is not None]
    if not deeds:
        raise Unreadable("a rule does something: bet, take, call_on or call_off is missing")
    if len(deeds) > 1:
        raise Unreadable(f"a rule does one thing, not {' and '.join(deeds)}; make two rules of it", path=(deeds[1],))
    for key, deed in ONLY_WITH.items():
        if getattr(table, key) not in (None, False) and deed != deeds[0]:
            raise Unreadable(f"{key} goes with {deed}, not with {deeds[0]}", path=(key,))
    if deeds[0] == "bet" and table.stake is None:
        raise Unreadable("stake is missing: a bet says how much", path=("bet",))
    if table.per is not None and table.at_most is None:
        raise Unreadable("per goes with at_most, which is missing", path=("per",))
    return deeds[0]


def _rule(language: Language, number: int, deed: str, table: RuleTable, target: Target) -> Rule:
    spot = target.spot
    guard = Guard(
        _conditions(language, table.when, "when", target),
        _conditions(language, table.unless, "unless", target),
    )
    if deed == "take":
        with under("leave"):
            leave = 0 if table.leave is None else language.amount(table.leave)
        return Take(number, spot, guard, leave)
    if deed != "bet":
        return Call(number, spot, deed == "call_on", guard)
    with under("stake"):
        stake = language.stake(_with_pick(table.stake or "", target))
        if isinstance(stake, TimesSpot) and stake.spot == spot and not table.adds:
            raise Unreadable("nothing stands yet where this is bet; a multiple of itself needs adds = true")
    return Bet(
        rule=number,
        spot=spot,
        stake=stake,
        guard=guard,
        adds=table.adds,
        or_less=table.or_less,
        insist=table.insist,
        at_most=check_count("at_most", table.at_most),
        per=_per(language, table),
    )


def _per(language: Language, table: RuleTable) -> Literal["shooter", "session"]:
    if table.per == "shooter":
        with under("per"):
            language.check_shooters("shooter")
    return table.per or ("shooter" if language.has_shooters else "session")


def _conditions(language: Language, texts: Texts, key: str, target: Target) -> tuple[Condition, ...]:
    found: list[Condition] = []
    for path, text in places(key, texts):
        with under(*path):
            found.append(read_condition(language, _with_pick(text, target)))
    return tuple(found)


def _with_pick(text: str, target: Target) -> str:
    """A text with the pick of its target put in. Raises Unreadable."""
    if PICK not in text:
        return text
    if target.spot.pick is None:
        raise Unreadable(f"{quoted(text)}: {quoted(target.text)} has no pick that {PICK} could stand for")
    return text.replace(PICK, show_pick(target.spot.pick))


def check_count(key: str, value: int | None) -> int | None:
    """A number of something, one at least. Raises Unreadable."""
    if value is not None and not 1 <= value <= MOST_WHOLE:
        raise Unreadable(f"{key} is a whole number from 1 to {MOST_WHOLE:,}", path=(key,))
    return value


def places(key: str, texts: Texts) -> list[tuple[tuple[str | int, ...], str]]:
    """Each text under a key and where it stands: a text by itself, or a list of them."""
    if isinstance(texts, str):
        return [((key,), texts)]
    return [((key, place), text) for place, text in enumerate(texts)]
