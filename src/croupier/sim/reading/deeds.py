"""The rules of a strategy, from a table of the file to values: what is done, on which spots, how much and when."""

from __future__ import annotations

from typing import Literal, NamedTuple

from croupier.rules.picks import show_pick
from croupier.sim.reading.conditions import read_condition
from croupier.sim.reading.errors import Mistakes, Unreadable
from croupier.sim.reading.language import MOST_WHOLE, PICK, Language
from croupier.sim.reading.shapes import RuleTable, Texts, quoted
from croupier.sim.strategy import Bet, Call, Condition, Guard, Rule, Spot, Stake, Take, TimesSpot

DEEDS = ("bet", "take", "call_on", "call_off")
ONLY_WITH = {
    **dict.fromkeys(("stake", "adds", "or_less", "insist", "at_most", "per"), "bet"),
    "leave": "take",
}


class Target(NamedTuple):
    """A spot, and how it was named."""

    text: str
    spot: Spot


def read_targets(language: Language, texts: Texts, key: str, mistakes: Mistakes, betting: bool = False) -> list[Target]:
    """The spots that the targets under a key name, in their order; each once."""
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
    """One rule for each target; none that can be relied on where there are mistakes."""
    deeds = [deed for deed in DEEDS if getattr(table, deed) is not None]
    _check_keys(deeds, table, mistakes)
    targets: list[Target | None] = []
    for deed in deeds:
        targets += read_targets(language, getattr(table, deed), deed, mistakes, betting=deed == "bet")
    reader = _RuleReader(language, number, table, mistakes)
    deed = deeds[0] if deeds else ""
    return [rule for target in targets or [None] if (rule := reader.rule(deed, target)) is not None]


def _check_keys(deeds: list[str], table: RuleTable, mistakes: Mistakes) -> None:
    """A rule does one thing, with keys that go with it."""
    if not deeds and not any(map(mistakes.about, DEEDS)):
        mistakes.add((), "a rule does something: bet, take, call_on or call_off is missing")
    if len(deeds) > 1:
        mistakes.add((deeds[1],), f"a rule does one thing, not {' and '.join(deeds)}; make two rules of it")
    for key, deed in ONLY_WITH.items():
        if deeds and deed not in deeds and getattr(table, key) not in (None, False):
            mistakes.add((key,), f"{key} goes with {deed}, not with {deeds[0]}")
    if deeds == ["bet"] and table.stake is None and not mistakes.about("stake"):
        mistakes.add(("bet",), "stake is missing: a bet says how much")
    if table.per is not None and table.at_most is None and not any(map(mistakes.about, ("per", "at_most"))):
        mistakes.add(("per",), "per goes with at_most, which is missing")


class _RuleReader:
    """Reads the rest of a rule for each of its targets, or for none where they cannot be read themselves."""

    def __init__(self, language: Language, number: int, table: RuleTable, mistakes: Mistakes) -> None:
        self._language = language
        self._number = number
        self._table = table
        self._mistakes = mistakes

    def rule(self, deed: str, target: Target | None) -> Rule | None:
        """The rule for one target; nothing where it could not be carried out anyway."""
        number, table = self._number, self._table
        guard = Guard(self._conditions("when", table.when, target), self._conditions("unless", table.unless, target))
        stake, leave, at_most, per = self._stake(target), self._leave(), self._at_most(), self._per()
        if target is None:
            return None
        match deed:
            case "take":
                return Take(number, target.spot, guard, leave)
            case "call_on" | "call_off":
                return Call(number, target.spot, deed == "call_on", guard)
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
        """Not what was found wrong for another target, nor what needs the pick of a target that is not known."""
        return not self._mistakes.about(*path) and (target is not None or PICK not in text)

    def _stake(self, target: Target | None) -> Stake | None:
        text, stake = self._table.stake, None
        if text is None or not self._is_to_read(text, target, "stake"):
            return None
        with self._mistakes.at("stake"):
            stake = self._language.stake(_with_pick(text, target))
            on_itself = isinstance(stake, TimesSpot) and target is not None and stake.spot == target.spot
            if on_itself and not self._table.adds:
                raise Unreadable("nothing stands yet where this is bet; a multiple of itself needs adds = true")
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
    """A text with the pick of its target put in. Raises Unreadable."""
    if PICK not in text or target is None:
        return text
    if target.spot.pick is None:
        raise Unreadable(f"{quoted(text)}: {quoted(target.text)} has no pick that {PICK} could stand for")
    return text.replace(PICK, show_pick(target.spot.pick))


def check_count(key: str, value: int | None) -> None:
    """A number of something is one at least, where there is one. Raises Unreadable."""
    if value is not None and not 1 <= value <= MOST_WHOLE:
        raise Unreadable(f"{key} is a whole number from 1 to {MOST_WHOLE:,}")


def places(key: str, texts: Texts) -> list[tuple[tuple[str | int, ...], str]]:
    """Each text under a key and where it stands: a text by itself, or a list of them."""
    if isinstance(texts, str):
        return [((key,), texts)]
    return [((key, place), text) for place, text in enumerate(texts)]
