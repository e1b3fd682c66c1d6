"""The words of a strategy under one book: numbers, amounts, targets and stakes, from text to values.

    amount   10.00 | 2 units | 1/2 unit
    target   WAGER | WAGER PICK | WAGER *
    stake    AMOUNT | 2 x TARGET | 5% of bankroll | most | progression NAME | 2 x progression NAME

`rules` reads conditions and progressions. Text that cannot be read raises Unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules import offers, schema
from croupier.rules.book import find_pick, find_wager
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import show_pick, typed_pick
from croupier.simulation.reading.shapes import Unreadable, nearest, quoted
from croupier.simulation.strategy import (
    MOST_CENTS,
    MOST_MONEY,
    Fixed,
    FromProgression,
    Most,
    ShareOfChips,
    Spot,
    Spots,
    Stake,
    TimesSpot,
)

MOST_WHOLE = 10**9
FINEST = 10_000  # the largest multiple and the finest fraction: percentages have two decimals
LONGEST_NUMBER = 20

NUMBER = r"[0-9]+(?:\.[0-9]+|/[0-9]+)?"
EVERY = "*"
PICK = "{pick}"

_UNITS = re.compile(rf"(?P<number>{NUMBER}) units?")
_TIMES = re.compile(rf"(?P<number>{NUMBER}) ?[x×] ?(?P<rest>\D.*)")
_SHARE = re.compile(rf"(?P<number>{NUMBER}) ?% of bankroll")
_PROGRESSION = re.compile(r"progression (?P<name>.+)")

STAKE_FORMS = (
    'an amount such as "5.00" or "2 units", "2 x WAGER", "5% of bankroll", "most", "progression NAME" or '
    '"2 x progression NAME"'
)


class Language:
    """The meaning of words under a book, for a unit in cents and progressions with the most that each reaches.

    A progression that could not be read has None: it is known by name only.
    """

    def __init__(self, game: Game, unit: int, progressions: Mapping[str, int | None]) -> None:
        self.game = game
        self.book = game.book
        self.unit = unit
        self.progressions = progressions
        thrower = game.book.rules.thrower
        self.has_shooters = thrower is not None and thrower.passes is not None

    def check_shooters(self, words: str) -> None:
        """Refuse words about shooters in games whose dice do not pass. Raises Unreadable."""
        if not self.has_shooters:
            say = f"{self.book.rules.book.game} has no shooters: no result passes the throw to another player"
            raise Unreadable(f"{quoted(words)} means nothing here; {say}")

    # Amounts

    def amount(self, text: str, least: int = 1) -> int:
        """Read an amount in cents: dollars and cents, or units; at least `least`. Raises Unreadable."""
        words = plain(text)
        below_nothing = words.startswith("-")
        cents = self._cents(words.removeprefix("-"), text)
        cents = -cents if below_nothing else cents
        if cents < least:
            reason = "is nothing" if cents == 0 else f"is less than {format_cents(least)}"
            raise Unreadable(f"{quoted(text)} {reason}")
        return cents

    def _cents(self, words: str, text: str) -> int:
        units = _UNITS.fullmatch(words)
        if units is not None:
            return self.units(number(units["number"]), text)
        try:
            cents = parse_cents(words)
        except MoneyError:
            raise Unreadable(f'{quoted(text)} is not an amount: write "10.00" or "2 units"') from None
        return _not_too_much(cents, text)

    def units(self, count: Fraction, text: str) -> int:
        """Convert units to cents; `text` is how they were written. Raises Unreadable."""
        cents = count * self.unit
        if cents.denominator != 1:
            raise Unreadable(f"{quoted(text)}, at {format_cents(self.unit)} a unit, does not come to whole cents")
        return _not_too_much(int(cents), text)

    # Targets

    def spots(self, text: str) -> Spots:
        """The spots on which a target's wagers can be. Raises Unreadable."""
        wager, rest = self._wager(text)
        if wager.can_move:
            return self._travelled(wager, rest)
        return self._picked(wager, rest)

    def spots_to_bet(self, text: str) -> Spots:
        """The spots on which a target is bet: a wager that travels is made without a pick. Raises Unreadable."""
        wager, rest = self._wager(text)
        if rest and wager.can_move:
            say = f"{wager.name} is bet without a pick: it travels to its number by itself"
            raise Unreadable(f"{quoted(text)}: {say}", wager.clause)
        return (Spot(wager.id),) if wager.can_move else self._picked(wager, rest)

    def spot(self, text: str) -> Spot:
        """Read a target that is a single spot. Raises Unreadable."""
        spots = self.spots(text)
        if len(spots) > 1:
            raise Unreadable(f"{quoted(text)} is several wagers; one is needed here")
        return spots[0]

    def _wager(self, text: str) -> tuple[schema.Wager, str]:
        name, _, rest = plain(text).partition(" ")
        if not name:
            raise Unreadable("the name of a wager is missing")
        try:
            return find_wager(self.book, name), rest
        except Impossible as error:
            say = f"the book has no wager called {quoted(name)}; {nearest(name, self.book.wagers)}"
            raise Unreadable(say, error.clause) from None

    def _travelled(self, wager: schema.Wager, rest: str) -> Spots:
        """The spots of a travelling wager: in its box, on a number, or both."""
        numbers = offers.numbers(self.game, wager)
        if rest == EVERY:
            return (Spot(wager.id), *(Spot(wager.id, number) for number in numbers))
        pick = typed_pick(rest)
        if pick is not None and pick not in numbers:
            say = f"{wager.name} does not travel to {quoted(rest)}; it travels to {', '.join(map(show_pick, numbers))}"
            raise Unreadable(say, wager.clause)
        return (Spot(wager.id, pick),)

    def _picked(self, wager: schema.Wager, rest: str) -> Spots:
        if rest == EVERY and wager.picks:
            return tuple(Spot(wager.id, pick) for pick in self.book.picks(wager))
        try:
            return (Spot(wager.id, find_pick(self.book, wager, typed_pick(rest))),)
        except Impossible as error:
            every = "" if rest or not wager.picks else f', or "{wager.id} {EVERY}" for each of them'
            raise Unreadable(error.sentence.rstrip(".") + every, error.clause) from None

    # Stakes

    def stake(self, text: str) -> Stake:
        """Read a stake. Raises Unreadable."""
        words = plain(text)
        if words == "most":
            return Most()
        if share := _SHARE.fullmatch(words):
            return ShareOfChips(share_of(share["number"], text))
        if progression := _PROGRESSION.fullmatch(words):
            return self._from_progression(Fraction(1), progression["name"], text)
        if times := _TIMES.fullmatch(words):
            factor = multiple(times["number"], text)
            if progression := _PROGRESSION.fullmatch(times["rest"]):
                return self._from_progression(factor, progression["name"], text)
            return TimesSpot(factor, self.spot(times["rest"]))
        if words[:1].isdecimal() or words.startswith("-"):
            return Fixed(self.amount(text))
        raise Unreadable(f"the stake {quoted(text)} cannot be read; a stake is {STAKE_FORMS}")

    def _from_progression(self, factor: Fraction, name: str, text: str) -> FromProgression:
        if name not in self.progressions:
            raise Unreadable(f"there is no progression {quoted(name)}; {nearest(name, self.progressions)}")
        _not_too_much(int(factor * (self.progressions[name] or 0)), text)
        return FromProgression(factor, list(self.progressions).index(name))


def plain(text: str) -> str:
    """Normalise white space to single blanks."""
    return " ".join(text.split())


def number(digits: str) -> Fraction:
    """Read a number that matches NUMBER: `2`, `1.5`, `1/2`. Raises Unreadable."""
    if len(digits) > LONGEST_NUMBER:
        raise Unreadable(f"{quoted(digits)} has too many digits")
    try:
        return Fraction(digits)
    except ZeroDivisionError:
        raise Unreadable(f"{quoted(digits)} divides by zero") from None


def multiple(digits: str, text: str) -> Fraction:
    """Read the factor of a stake; `text` is its context. Raises Unreadable."""
    factor = number(digits)
    if not factor:
        raise Unreadable(f"{quoted(text)} is nothing")
    if max(factor.numerator, factor.denominator) > FINEST:
        raise Unreadable(
            f"{quoted(text)} must be a multiple of at most {FINEST:,}, in fractions no finer than 1/{FINEST:,}"
        )
    return factor


def share_of(digits: str, text: str) -> Fraction:
    """Read a percentage, at most 100; `text` is its context. Raises Unreadable."""
    share = number(digits) / 100
    if not share:
        raise Unreadable(f"{quoted(text)} is nothing")
    if share > 1:
        raise Unreadable(f"{quoted(text)} is more than the whole")
    if share.denominator > FINEST:
        raise Unreadable(f"{quoted(text)} has too many decimals: percentages have at most two")
    return share


def whole(words: str, text: str) -> int:
    """Read a whole number; `text` is its context. Raises Unreadable."""
    if not (words.isascii() and words.isdecimal()):
        raise Unreadable(f"{quoted(words)} in {quoted(text)} is not a whole number")
    if len(words) > LONGEST_NUMBER or int(words) > MOST_WHOLE:
        raise Unreadable(f"{quoted(words)} is more than {MOST_WHOLE:,}")
    return int(words)


def _not_too_much(cents: int, text: str) -> int:
    if cents > MOST_CENTS:
        raise Unreadable(f"{quoted(text)} is more than {MOST_MONEY}")
    return cents
