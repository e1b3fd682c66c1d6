"""Leaves what is said of chances out of a text: players read the rules, and no odds of winning."""

from __future__ import annotations

import re
from fractions import Fraction

from croupier.rules.book import Book

# A share, a probability or a count of outcomes: the part of a sentence that has one is left out.
_FIGURE = re.compile(r"\d\s?%|\d\s?/\s?\d|\bP ?[=(]|\d\^|\b\d{2,3} (?:wins|ways)\b")
# Words of sentences that are about nothing else: all of it is left out.
_TALK = re.compile(
    r"\bedges?\b|probab|varian|correlat|expected|expectation|on average|\bfavour|\bdominated\b|\bfair\b", re.IGNORECASE
)
_ASIDE = re.compile(r" \([^()]*\)")
_SENTENCE = re.compile(r"(?<=[.?!]) (?=[A-Z'\"(\d])")
_PART = re.compile(r"(?<=[;:]) ")


class Discretion:
    """What of a book's texts is for everybody."""

    def __init__(self, book: Book) -> None:
        printed = "|".join(map(re.escape, _printed(book)))
        self._printed = re.compile(rf"(?<![\d./])(?:{printed})(?![\d/])" if printed else r"(?!)")

    def has_figure(self, text: str) -> bool:
        """Whether a text has a chance in it. Shares that the rules themselves print, such as a commission, are none."""
        return _FIGURE.search(self._printed.sub("", text)) is not None

    def plain(self, text: str) -> str:
        """A text without what it says of chances."""
        return " ".join(filter(None, (self._sentence(one) for one in _SENTENCE.split(text))))

    def _sentence(self, sentence: str) -> str:
        if _TALK.search(sentence):
            return ""
        spoken = _ASIDE.sub(lambda aside: "" if self.has_figure(aside[0]) else aside[0], sentence)
        if not self.has_figure(spoken):
            return spoken
        kept = " ".join(part for part in _PART.split(spoken) if not self.has_figure(part)).rstrip(";:,. ")
        return f"{kept[0].upper()}{kept[1:]}{'' if kept[-1] in '?!' else '.'}" if kept else ""


def _printed(book: Book) -> list[str]:
    """What looks like a chance and is none: rates of commission, and totals that mirror each other (`4/10`)."""
    rates = {f"{float(100 * Fraction(wager.commission.rate)):g}%" for wager in book.rules.wagers if wager.commission}
    faces = [face for face in book.rules.throw.faces if isinstance(face, int)]
    both = (min(faces) + max(faces)) * book.rules.throw.throw if faces else 0
    totals = {pick for wager in book.rules.wagers for pick in wager.picks if isinstance(pick, int)}
    return sorted(rates | {f"{low}/{both - low}" for low in totals if 2 * low < both and both - low in totals})
