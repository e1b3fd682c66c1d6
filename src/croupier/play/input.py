"""Parse what a player types: the command, the amount, and the area that it names, by label or best-matching name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from croupier.felt.areas import Spot, typed_name
from croupier.money import format_cents
from croupier.rules.machine import Pick

Key = tuple[str, Pick]
Score = tuple[int, int, int]  # words of the name skipped, left out at its end, abbreviated: lower is better


class Name(msgspec.Struct, frozen=True):
    """One name for a wager."""

    wager: str
    pick: Pick
    words: tuple[str, ...]


class Names:
    """All names of areas. `made`: areas on which a wager can be made; `can`: whether it can be made now."""

    def __init__(
        self, spots: Iterable[Spot], made: Iterable[Spot] | None = None, can: Callable[[Spot], bool] = lambda spot: True
    ) -> None:
        self.spots = list(spots)
        self.made = self.spots if made is None else list(made)
        self.can = can
        self.names = _names_of(self.made)
        self.bare = [Name(name.wager, None, name.words) for name in self.names]

    def labelled(self, words: list[str]) -> list[Spot]:
        """Return the areas with this label: exactly, else ignoring punctuation, else with its digits closed up."""
        first = next((place for place, word in enumerate(words) if word not in FILLERS), len(words))
        for typed in (words, words[first:]):
            found = [spot for spot in self.spots if _printed(spot.label) == _printed(" ".join(typed))]
            if found:
                return found
        plain = plain_words(" ".join(words))
        same = [spot for spot in self.spots if plain and plain_words(spot.label) == plain]
        return same or [spot for spot in self.spots if [closed_up(spot.label)] == words[first:]]

    def fits(self, words: list[str]) -> bool:
        """Return whether words match an area's name with its pick, or a name without one."""
        return bool(self.labelled(words) or self._called(words, self.names))

    def find(self, typed: list[str]) -> tuple[str, object]:
        """Return the wager and pick that words name. Raises Unclear with the candidates.

        If the name is clear and only the pick is missing or wrong, the table reports which picks exist.
        """
        printed = self.labelled(typed)
        if printed:
            return self._one_of(typed, printed)
        words = plain_words(" ".join(typed))
        if not words:
            raise Unclear(f'On what? Name an area as well, such as "10 {self._example()}".')
        found = self._called(typed, [*self.names, *self.bare])
        if found:
            return self._only(found)
        for length in range(len(words) - 1, 0, -1) if not "".join(typed).isdecimal() else ():
            found = _best(words[:length], self.bare, _fit_name)
            if found:
                return self._only(found)[0], _raw_pick(words[length:])
        raise Unclear(f'There is no "{" ".join(words)}" on this felt. Type "help" to see what there is.')

    def _called(self, typed: list[str], names: list[Name]) -> list[Key]:
        """Return the best-matching wagers. Digits alone never include a pick: `3 7` is not Three Dice Total."""
        figures = "".join(typed).isdecimal()
        named = [name for name in names if name.pick is None] if figures else names
        return _best(plain_words(" ".join(typed)), named, _fit_with_pick)

    def _one_of(self, typed: list[str], printed: list[Spot]) -> Key:
        """Return the area that a label means: the only one, or the only one open now. Raises Unclear otherwise."""
        mine = [spot for spot in printed if spot in self.made]
        if not mine:
            raise Unclear(self._travelled(typed, printed))
        if len(mine) == 1:
            return mine[0].key
        if len({spot.wager.id for spot in mine}) == 1:
            now = [spot for spot in mine if self.can(spot)]
            return now[0].key if len(now) == 1 else (mine[0].wager.id, None)  # the table reports which picks exist
        begun = [spot for spot in self.made if spot in mine or self._begins(typed, spot)]
        now = [spot for spot in begun if self.can(spot)]
        if len(now) == 1 and now[0] in mine:
            return now[0].key
        raise Unclear(self._which(typed, begun, now))

    def _begins(self, typed: list[str], spot: Spot) -> bool:
        words = plain_words(" ".join(typed))
        return any(name.wager == spot.wager.id and _fit_name(words, name) for name in self.bare)

    def _only(self, found: list[Key]) -> Key:
        """Return the only wager found, or the only one that can be made now. Raises Unclear otherwise."""
        if len(found) == 1:
            return found[0]
        now = [key for key in found if any(self.can(spot) for spot in self.made if _is_of(spot, key))]
        if len(now) == 1:
            return now[0]
        raise Unclear(f"That could be {_either([typed_name(*key) for key in now or found])}.")

    def _which(self, typed: list[str], begun: list[Spot], now: list[Spot]) -> str:
        said = " ".join(typed)
        if len(now) == 1:
            return f'Do you mean "{typed_name(*now[0].key)}"? No other "{said}" can be made now.'
        if now:
            return f'Which "{said}"? Now it can be {_either(_together(now))}.'
        return f'Which "{said}"? None can be made now, of {_either(_together(begun))}.'

    def _travelled(self, typed: list[str], printed: list[Spot]) -> str:
        """Return the message for areas that wagers only travel to: what can be made there."""
        picks = {spot.pick for spot in printed}
        there = [
            spot
            for spot in self.made
            if (spot.pick in picks if len(picks) == 1 else self._begins(typed, spot)) and self.can(spot)
        ]
        name = printed[0].wager.name
        came = f'"{" ".join(typed)}" is where a {name} wager travels by itself ({_either(_together(printed))}).'
        if not there:
            return f"{came} Nothing else can be made there now."
        return f"{came} You can make {_either(_together(there))} now."

    def _example(self) -> str:
        return typed_name(self.names[0].wager, self.names[0].pick) if self.names else "..."


def read_bet(asked: Asked, names: Names) -> tuple[int | None, str, object]:
    """Return amount, wager and pick of a bet; the amount may also come last (`field 5`). Raises Unclear."""
    last = read_amount(asked.typed[-1]) if asked.typed else None
    whole = names.labelled(asked.typed)
    if whole and asked.amount is not None and names.labelled(asked.words):
        raise Unclear(_two_ways(asked.amount, names.labelled(asked.words)[0], whole[0]))
    if whole:
        return None, *names.find(asked.typed)
    named = (
        asked.amount is None or not "".join(asked.typed[:-1]).isdecimal()
    )  # among digits alone, the first is the amount
    if last is not None and named and not names.labelled(asked.words) and names.labelled(asked.typed[:-1]):
        return last, *names.find(asked.typed[:-1])
    if asked.amount is not None or last is None or names.fits(asked.words):
        return asked.amount, *names.find(asked.words)
    return last, *names.find(asked.words[:-1])


def read_take(asked: Asked, mine: Names, felt: Names) -> tuple[int | None, list[str]]:
    """Return the amount to take, and the words that name the wager, which may be a label of the player's own."""
    whole, rest = mine.labelled(asked.typed), mine.labelled(asked.words)
    if whole and rest and asked.amount is not None:
        raise Unclear(_two_ways(asked.amount, rest[0], whole[0]))
    if whole or (not rest and felt.labelled(asked.typed)):
        return None, asked.typed
    return asked.amount, asked.words


def _two_ways(amount: int, first: Spot, second: Spot) -> str:
    one, other = typed_name(*first.key), typed_name(*second.key)
    return f'Is that "{one}" with {format_cents(amount)}, or "{other}"? Type the name in full.'


def _printed(text: str) -> str:
    """Normalize a label's case, spaces and apostrophes."""
    return " ".join(text.replace("’", "'").lower().split())


def closed_up(label: str) -> str | None:
    """Return three or more digits without the spaces: `1 1 1`, `111`. Two would look like a number."""
    words = label.split()
    return "".join(words) if len(words) > 2 and all(word.isdecimal() for word in words) else None


def _names_of(spots: Iterable[Spot]) -> list[Name]:
    """Return the names of areas: the wager's id, its name, and the label on the felt."""
    names: dict[Name, None] = {}
    for spot in spots:
        called = [plain_words(spot.wager.id), plain_words(spot.wager.name), _label_words(spot)]
        names.update({Name(spot.wager.id, spot.pick, words): None for words in called if words})
    return list(names)


def _label_words(spot: Spot) -> tuple[str, ...]:
    """Return the words of a label without the pick at its end; digits alone cannot be a name before a pick."""
    label, pick = plain_words(spot.label), pick_texts(spot.pick)
    if pick and "".join(label).isdecimal():
        return ()
    return label[: -len(pick)] if pick and label[-len(pick) :] == pick else label


def pick_texts(pick: Pick) -> tuple[str, ...]:
    """Return a pick as words."""
    if pick is None:
        return ()
    return tuple(map(str, pick)) if isinstance(pick, tuple) else plain_words(str(pick))


def _is_of(spot: Spot, key: Key) -> bool:
    return spot.wager.id == key[0] and key[1] in (None, spot.pick)


def _raw_pick(words: tuple[str, ...]) -> object:
    if not words:
        return None
    if len(words) == 1:
        return int(words[0]) if words[0].isdecimal() else words[0]
    return [int(word) if word.isdecimal() else word for word in words]


def _best(words: tuple[str, ...], names: list[Name], fit: Callable[[tuple[str, ...], Name], Score | None]) -> list[Key]:
    """Return the wagers whose names match best, each once."""
    scored: dict[Key, Score] = {}
    for name in names:
        score = fit(words, name)
        key = (name.wager, name.pick)
        if score is not None and score < scored.get(key, (99, 0, 0)):
            scored[key] = score
    least = min(scored.values(), default=None)
    return [key for key, score in scored.items() if score == least]


def _fit_with_pick(words: tuple[str, ...], name: Name) -> Score | None:
    """Score how badly words match a name and its pick; None if they do not."""
    for length in range(1, len(words) + 1):
        score = _fit_name(words[:length], name)
        if score is not None and _is_pick(words[length:], name.pick):
            return score
    return None


def _fit_name(words: tuple[str, ...], name: Name) -> Score | None:
    """Score a match: each word must begin a word of the name, in order. A short first word may skip none."""
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


def _together(spots: list[Spot]) -> list[str]:
    """Return how areas are typed, grouped by wager: `buy 4, 5, 6`."""
    picks: dict[str, list[str]] = {}
    for spot in spots:
        picks.setdefault(spot.wager.id, []).append(" ".join(pick_texts(spot.pick)))
    return [f"{typed_name(wager, None)} {', '.join(dict.fromkeys(of))}".rstrip() for wager, of in picks.items()]


def _either(names: list[str]) -> str:
    shown = [f'"{name}"' for name in dict.fromkeys(names)]
    return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else "".join(shown)


# -- commands and amounts ---------------------------------------------------------------------------------------------

# In order of precedence for abbreviations: `r` is roll, `re` is rebet.
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
    """A parsed line. `words` follow the command and an `amount` in cents; `typed` is both as typed."""

    verb: str
    amount: int | None = None
    words: list[str] = []
    typed: list[str] = []


def read_amount(text: str) -> int | None:
    """Parse `10`, `$10`, `10.5` and `1,000.00` into cents; None if it is not an amount."""
    match = _AMOUNT.fullmatch(text)
    if match is None or len(match[1]) > 15:
        return None
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))


def typed_words(line: str) -> list[str]:
    """Return the words of a line in lower case."""
    return line.replace("’", "'").lower().split()


def read_line(line: str) -> Asked:
    """Return the command in a line; an empty line throws. Raises Unclear."""
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
    """Return the command that a word or abbreviation stands for."""
    if word in SYNONYMS:
        return SYNONYMS[word]
    return next((verb for verb in VERBS if verb.startswith(word)), None) if word != "o" else None


def _with_amount(verb: str, words: list[str]) -> Asked:
    if words and words[0].startswith("-") and read_amount(words[0][1:]) is not None:
        raise Unclear("The amount must be more than 0.00.")
    amount = read_amount(words[0]) if len(words) > 1 else None
    return Asked(verb, amount, words[1:] if amount is not None else words, words)


def plain_words(text: str) -> tuple[str, ...]:
    """Return a name in plain words: lower case, no apostrophes, numbers as digits, without `the` and `of`."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower().replace("'", "").replace("’", "")).split()
    return tuple(NUMBERS.get(word, word) for word in words if word not in FILLERS)
