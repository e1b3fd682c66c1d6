"""Reads what a player types: forgiving about names, strict about amounts. All names come from the book and its felt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from croupier.play.spots import Spot, typed_name
from croupier.rules.machine import Pick

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

Key = tuple[str, Pick]
Score = tuple[int, int, int]  # words of the name skipped, left out at its end, only begun: the less, the better


class Unclear(Exception):
    """The line cannot be understood; the message is a sentence for the player."""


class Asked(msgspec.Struct, frozen=True):
    """What a line asks for. `words` is what follows the command, `amount` is in cents."""

    verb: str
    amount: int | None = None
    words: list[str] = []


class Name(msgspec.Struct, frozen=True):
    """One way to call a wager."""

    wager: str
    pick: Pick
    words: tuple[str, ...]


def read_amount(text: str) -> int | None:
    """`10`, `$10`, `10.5` and `1,000.00` in cents; None where it is no amount."""
    match = _AMOUNT.fullmatch(text)
    if match is None or len(match[1]) > 15:
        return None
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))


def read_line(line: str) -> Asked:
    """The command in a line; an empty line throws. Raises Unclear."""
    words = line.replace("’", "'").lower().split()
    if not words:
        return Asked("roll")
    if read_amount(words[0]) is not None:
        return _with_amount("bet", words)
    verb = read_verb(words[0])
    if verb is None:
        return _with_amount("bet", words)
    if verb in ("bet", "take"):
        return _with_amount(verb, words[1:])
    return Asked("roll" if verb == "spin" else verb, words=words[1:])


def read_verb(word: str) -> str | None:
    """The command that a word, or its beginning, stands for."""
    if word in SYNONYMS:
        return SYNONYMS[word]
    return next((verb for verb in VERBS if verb.startswith(word)), None) if word != "o" else None


def _with_amount(verb: str, words: list[str]) -> Asked:
    amount = read_amount(words[0]) if len(words) > 1 else None
    return Asked(verb, amount, words[1:] if amount is not None else words)


def plain_words(text: str) -> tuple[str, ...]:
    """A name in plain words: no capitals, no apostrophes, numbers in figures, without `the` and `of`."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower().replace("'", "").replace("’", "")).split()
    return tuple(NUMBERS.get(word, word) for word in words if word not in FILLERS)


def names_of(spots: Iterable[Spot]) -> list[Name]:
    """All that the areas may be called: by the wager's id, its name, or what the felt prints."""
    names: dict[Name, None] = {}
    for spot in spots:
        called = [plain_words(spot.wager.id), plain_words(spot.wager.name), _label_words(spot)]
        names.update({Name(spot.wager.id, spot.pick, words): None for words in called if words})
    return list(names)


def _label_words(spot: Spot) -> tuple[str, ...]:
    """The words of a label without the pick at its end."""
    label, pick = plain_words(spot.label), pick_texts(spot.pick)
    return label[: -len(pick)] if pick and label[-len(pick) :] == pick else label


def pick_texts(pick: Pick) -> tuple[str, ...]:
    """A pick as words."""
    if pick is None:
        return ()
    return tuple(map(str, pick)) if isinstance(pick, tuple) else plain_words(str(pick))


def read_bet(asked: Asked, names: list[Name]) -> tuple[int | None, str, object]:
    """Amount, wager and pick of a bet; the amount may also come last (`field 5`). Raises Unclear."""
    words, last = asked.words, read_amount(asked.words[-1]) if asked.words else None
    if asked.amount is not None or last is None or _best(plain_words(" ".join(words)), names, _fit_with_pick):
        return asked.amount, *find_wager(words, names)
    return last, *find_wager(words[:-1], names)


def find_wager(typed: list[str], names: list[Name]) -> tuple[str, object]:
    """The wager and pick that words mean: the name that fits best. Raises Unclear with what they could mean.

    Where the name is clear and only the pick is missing or wrong, the table is left to say which picks there are.
    """
    words = plain_words(" ".join(typed))
    if not words:
        raise Unclear(f'On what? Name an area as well, such as "10 {_example(names)}".')
    bare = [Name(name.wager, None, name.words) for name in names]
    found = _best(words, [*names, *bare], _fit_with_pick)
    if found:
        return _only(found)
    for length in range(len(words) - 1, 0, -1):
        found = _best(words[:length], bare, _fit_name)
        if found:
            return _only(found)[0], _raw_pick(words[length:])
    raise Unclear(f'There is no "{" ".join(words)}" on this felt. Type "help" to see what there is.')


def _only(found: list[Key]) -> Key:
    if len(found) > 1:
        raise Unclear(f"That could be {_either(found)}.")
    return found[0]


def _raw_pick(words: tuple[str, ...]) -> object:
    if not words:
        return None
    if len(words) == 1:
        return int(words[0]) if words[0].isdecimal() else words[0]
    return [int(word) if word.isdecimal() else word for word in words]


def _best(words: tuple[str, ...], names: list[Name], fit: Callable[[tuple[str, ...], Name], Score | None]) -> list[Key]:
    """The wagers whose names fit best, each once."""
    scored: dict[Key, Score] = {}
    for name in names:
        score = fit(words, name)
        key = (name.wager, name.pick)
        if score is not None and score < scored.get(key, (99, 0, 0)):
            scored[key] = score
    least = min(scored.values(), default=None)
    return [key for key, score in scored.items() if score == least]


def _fit_with_pick(words: tuple[str, ...], name: Name) -> Score | None:
    """How badly words fit a name and its pick; None: not at all."""
    for length in range(1, len(words) + 1):
        score = _fit_name(words[:length], name)
        if score is not None and _is_pick(words[length:], name.pick):
            return score
    return None


def _fit_name(words: tuple[str, ...], name: Name) -> Score | None:
    """Each word must begin a word of the name, in order. The first may skip words only if it has three letters."""
    place = skipped = begun = 0
    for word in words:
        found = next((i for i in range(place, len(name.words)) if _begins(word, name.words[i])), None)
        if found is None or (place == 0 and found and (word.isdecimal() or len(word) < 3)):
            return None
        skipped += found - place
        begun += word != name.words[found]
        place = found + 1
    return skipped, len(name.words) - place, begun


def _begins(typed: str, word: str) -> bool:
    return typed == word if typed.isdecimal() or word.isdecimal() else word.startswith(typed)


def _is_pick(words: tuple[str, ...], pick: Pick) -> bool:
    if isinstance(pick, tuple):
        return "".join(words).isdecimal() and sorted("".join(words)) == sorted("".join(map(str, pick)))
    if isinstance(pick, str) and len(words) == 1:
        return pick.startswith(words[0])
    return words == pick_texts(pick)


def _either(keys: list[Key]) -> str:
    shown = [f'"{typed_name(*key)}"' for key in keys[:6]]
    more = " and others" if len(keys) > 6 else ""
    return f"{', '.join(shown[:-1])} or {shown[-1]}{more}" if not more else f"{', '.join(shown)}{more}"


def _example(names: list[Name]) -> str:
    return typed_name(names[0].wager, names[0].pick) if names else "..."
