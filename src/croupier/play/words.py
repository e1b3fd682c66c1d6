"""Reads what a player types: the command, strictly the amount, and the words that name an area."""

from __future__ import annotations

import re

import msgspec

# In the order in which a beginning stands for a command: `r` is roll, `re` is rebet.
VERBS = (
    *("bet", "take", "roll", "undo", "quit", "help", "pays", "clear", "double", "spin", "history"),
    *("rebet", "rules", "table", "wagers", "chips", "on", "off"),
)
SYNONYMS = {"?": "help", "exit": "quit", "throw": "roll", "show": "table", "remove": "take", "bets": "wagers"}
FILLERS = {"on", "the", "to", "for", "of", "a", "and", "in", "dollars", "chips"}
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
}
_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?", re.ASCII)


class Unclear(Exception):
    """The line cannot be understood; the message is a sentence for the player."""


class Asked(msgspec.Struct, frozen=True):
    """What a line asks for. `words` follow the command and an `amount` in cents; `typed` is both as they were typed."""

    verb: str
    amount: int | None = None
    words: list[str] = []
    typed: list[str] = []


def read_amount(text: str) -> int | None:
    """`10`, `$10`, `10.5` and `1,000.00` in cents; None where it is no amount."""
    match = _AMOUNT.fullmatch(text)
    if match is None or len(match[1]) > 15:
        return None
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))


def typed_words(line: str) -> list[str]:
    """The words of a line without regard to capitals."""
    return line.replace("’", "'").lower().split()


def read_line(line: str) -> Asked:
    """The command in a line; an empty line throws. Raises Unclear."""
    words = typed_words(line)
    if not words:
        return Asked("roll")
    verb = read_verb(words[0])
    if verb is None:
        return _with_amount("bet", words)
    if verb in ("bet", "take"):
        return _with_amount(verb, words[1:])
    if verb == "clear" and words[1:]:
        return _with_amount("take", words[1:])
    return Asked("roll" if verb == "spin" else verb, words=words[1:])


def read_verb(word: str) -> str | None:
    """The command that a word, or its beginning, stands for."""
    if word in SYNONYMS:
        return SYNONYMS[word]
    return next((verb for verb in VERBS if verb.startswith(word)), None) if word != "o" else None


def _with_amount(verb: str, words: list[str]) -> Asked:
    if words and words[0].startswith("-") and read_amount(words[0][1:]) is not None:
        raise Unclear("An amount is more than nothing.")
    amount = read_amount(words[0]) if len(words) > 1 else None
    return Asked(verb, amount, words[1:] if amount is not None else words, words)


def plain_words(text: str) -> tuple[str, ...]:
    """A name in plain words: no capitals, no apostrophes, numbers in figures, without `the` and `of`."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower().replace("'", "").replace("’", "")).split()
    return tuple(NUMBERS.get(word, word) for word in words if word not in FILLERS)
