"""The outcomes of one throw of dice or coins, and the small language in which rows describe them.

A description is a list of terms, separated by commas, all of which must hold:

    total 7 11               the faces add up to one of these (dice); ranges are written 4-10
    pair / triple            two dice alike / three dice alike
    exactly 2 of 5           two of the faces are a 5; also `at least 2 of 5`; several faces may be named
    every one of 1 2         each of these faces shows at least once
    different 3 of 1 2 3 4   at least three different ones of these faces show
    within 1 2 3 4           only these faces show
    heads                    a description that the book has named
    any                      any outcome

`not` negates a term. Odds are parsed here too, always to an exact fraction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

from croupier.rules.schema import acts_on

MOST_OUTCOMES = 10_000  # five dice have 7,776
LONGEST = 500  # characters of a description
MOST_DESCRIPTIONS = 20_000

Face = int | str
Faces = tuple[Face, ...]
Test = Callable[[Faces], bool]


class OutcomeError(ValueError):
    """A description of outcomes cannot be parsed; the message says why."""


@acts_on("outcomes")
class Outcomes:
    """All outcomes of one throw, equally likely, in a fixed order, and the sets that descriptions select."""

    def __init__(self, faces: tuple[Face, ...], throw: int, named: Mapping[str, str]) -> None:
        self.faces = faces
        self.throw = throw
        self.named = dict(named)
        if len(faces) ** throw > MOST_OUTCOMES:
            raise OutcomeError(f"a throw has more than {MOST_OUTCOMES:,} outcomes")
        self.all: tuple[Faces, ...] = tuple(product(faces, repeat=throw))
        self.index: dict[Faces, int] = {outcome: i for i, outcome in enumerate(self.all)}
        self._sets: dict[str, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def matching(self, description: str) -> frozenset[int]:
        """Return the indices of the outcomes that match a description. Raises OutcomeError."""
        found = self._sets.get(description)
        if found is None:
            if len(description) > LONGEST:
                raise OutcomeError(f'"{description[:20]}…" has more than {LONGEST} characters')
            if len(self._sets) >= MOST_DESCRIPTIONS:
                raise OutcomeError(f"there are more than {MOST_DESCRIPTIONS:,} different descriptions of outcomes")
            try:
                found = self._meant(description)
            except RecursionError:
                raise OutcomeError(f'"{description}" is described by itself') from None
            self._sets[description] = found
        return found

    def _meant(self, description: str) -> frozenset[int]:
        found = frozenset(range(len(self.all)))
        for term in description.split(","):
            found &= self._term(term.split(), description)
        return found

    def names(self, outcome: Faces) -> list[str]:
        """Return the book's names that fit an outcome ("heads", "triple")."""
        place = self.index[outcome]
        return [name for name in self.named if place in self.matching(name)]

    def call(self, outcome: int, words: str) -> str:
        """Return the call of an outcome: `{total}`, `{faces}` in ascending order, `{name}` from the book."""
        faces = self.all[outcome]
        if "{total}" in words:
            words = words.replace("{total}", str(sum(face for face in faces if isinstance(face, int))))
        if "{name}" in words:
            words = words.replace("{name}", next(iter(self.names(faces)), ""))
        return words.replace("{faces}", " ".join(map(str, sorted(faces, key=str))))

    def _term(self, words: list[str], description: str) -> frozenset[int]:
        if words[:1] == ["not"]:
            return frozenset(range(len(self.all))) - self._term(words[1:], description)
        name = " ".join(words)
        if name in self.named:
            return self.matching(self.named[name])
        test = self._test(words, description)
        return frozenset(i for i, outcome in enumerate(self.all) if test(outcome))

    def _test(self, words: list[str], description: str) -> Test:
        match words:
            case ["any"]:
                return lambda faces: True
            case ["pair"] if self.throw == 2:
                return lambda faces: faces[0] == faces[1]
            case ["triple"] if self.throw == 3:
                return lambda faces: faces[0] == faces[1] == faces[2]
            case ["total", _, *_]:
                totals = self._totals(words[1:], description)
                return lambda faces: sum(face for face in faces if isinstance(face, int)) in totals
            case ["exactly", count, "of", _, *_]:
                number, wanted = self._count(count, description), self._faces(words[3:], description)
                return lambda faces: sum(face in wanted for face in faces) == number
            case ["at", "least", count, "of", _, *_]:
                number, wanted = self._count(count, description), self._faces(words[4:], description)
                return lambda faces: sum(face in wanted for face in faces) >= number
            case ["every", "one", "of", _, *_]:
                wanted = self._faces(words[3:], description)
                return lambda faces: wanted <= set(faces)
            case ["different", count, "of", _, *_]:
                number, wanted = self._count(count, description), self._faces(words[3:], description)
                return lambda faces: len(wanted & set(faces)) >= number
            case ["within", _, *_]:
                wanted = self._faces(words[1:], description)
                return lambda faces: wanted >= set(faces)
        raise OutcomeError(f'"{" ".join(words)}" in "{description}" describes no outcome of this game')

    def _totals(self, words: list[str], description: str) -> frozenset[int]:
        lowest, highest = self._extremes(description)
        totals: set[int] = set()
        for word in words:
            first, dash, last = word.partition("-")
            if not (first.isdecimal() and (last.isdecimal() or not dash)):
                raise OutcomeError(f'"{word}" in "{description}" is not a total')
            if int(last or first) > highest:
                raise OutcomeError(f'a total of {last or first} in "{description}" cannot be thrown')
            totals.update(range(int(first), int(last or first) + 1))
        outside = sorted(total for total in totals if not lowest <= total <= highest)
        if outside:
            raise OutcomeError(f'a total of {outside[0]} in "{description}" cannot be thrown')
        return frozenset(totals)

    def _extremes(self, description: str) -> tuple[int, int]:
        numbers = [face for face in self.faces if isinstance(face, int)]
        if len(numbers) < len(self.faces):
            raise OutcomeError(f'"{description}" names totals, but these faces have no numbers')
        return min(numbers) * self.throw, max(numbers) * self.throw

    def _count(self, word: str, description: str) -> int:
        if word.isdecimal() and int(word) <= self.throw:
            return int(word)
        raise OutcomeError(f'"{word}" in "{description}" is not a number of faces from 0 to {self.throw}')

    def _faces(self, words: list[str], description: str) -> frozenset[Face]:
        by_name = {str(face): face for face in self.faces}
        for word in words:
            if word not in by_name:
                raise OutcomeError(f'"{word}" in "{description}" is not a face')
        return frozenset(by_name[word] for word in words)


# -- odds -------------------------------------------------------------------------------------------------------------
# Odds as documents print them, ``"7.5 to 1"`` or ``"6 to 5"``: winnings per unit, as an exact fraction.

_ODDS = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?) to ([0-9]+(?:\.[0-9]+)?)\s*")


def parse_odds(text: str) -> Fraction:
    """Return winnings per unit: the stake is returned as well (reading X-12). Raises ValueError with a sentence."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" are not odds: write them as "7.5 to 1"')
    win, stake = Fraction(match[1]), Fraction(match[2])
    if stake == 0:
        raise ValueError(f'"{text}" are not odds: nothing is staked')
    return win / stake
