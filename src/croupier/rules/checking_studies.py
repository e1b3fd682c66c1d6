"""Checks the studies of a book: they are about rivals in the register, and about wagers and states that there are."""

from __future__ import annotations

import re
from fractions import Fraction

from croupier.rules import schema
from croupier.rules.book import Book, matches, registered_readings
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game, choice_id

_FRACTION = re.compile(r"-?[0-9]{1,9}(/[1-9][0-9]{0,8})?")


def check_rivals(book: Book) -> None:
    """Rivals that the book itself writes are in the register and compile. Raises RuleBookError."""
    registered = _registered(book)
    for name in book.own_rivals:
        if name not in registered and name.split(" ")[0] not in registered_readings():  # or it is another book's
            raise RuleBookError(book.file, f"rival {name}", "is not in the register of readings")
        game = Game(book.read_as((name,)), {choice_id(c): c.default for c in book.rules.pay_table.choices})
        for wager in game.book.rules.wagers:
            for pick in game.book.picks(wager):
                game.machine(wager.id, pick)


def _registered(book: Book) -> set[str]:
    return {f"{reading.id} {rival.name}" for reading in book.readings for rival in reading.rivals}


def check_studies(book: Book, game: Game) -> None:
    """Raise RuleBookError for the first thing that is wrong."""
    registered = _registered(book)
    for study in book.own_studies:
        where = f"study {study.reading}"
        if study.reading not in registered:
            raise RuleBookError(book.file, where, "is no rival reading in the register")
        for rival in study.over:
            book.rival(rival)
        _check_wagers(book, game, study, where)
        _check_numbers(book, study, where)


def _check_wagers(book: Book, game: Game, study: schema.Study, where: str) -> None:
    for pattern in study.wagers:
        if not any(matches((pattern,), wager) for wager in book.wagers):
            raise RuleBookError(book.file, where, f'speaks of a wager "{pattern}" that there is not')
    for part in study.parts:
        if part.wager not in book.wagers or part.pick not in book.picks(book.wagers[part.wager]):
            raise RuleBookError(book.file, where, f'has a part "{part.wager}" that cannot be made so')
    if study.over:
        return  # its states are those of another book
    concerned = [w for w in book.rules.wagers if study.concerns(w)]
    states = {state for w in concerned for pick in book.picks(w) for state in game.machine(w.id, pick).table}
    for pattern in [*study.starts, *(study.voids.leaves if study.voids else [])]:
        if not any(matches((pattern,), state) for state in states):
            raise RuleBookError(book.file, where, f'"{pattern}" is no state that there is')


def _check_numbers(book: Book, study: schema.Study, where: str) -> None:
    numbers = [study.rival, study.taken]
    texts = [text for r in numbers for text in (r.odds, r.win, r.lose, r.void, r.part or "0", r.commission)]
    texts += [part.share for part in study.parts]
    for text in [*texts, *([study.voids.share] if study.voids else [])]:
        if not _FRACTION.fullmatch(text):
            raise RuleBookError(book.file, where, f'"{text}" is no fraction such as "-1/2"')
    if study.parts and sum(Fraction(part.share) for part in study.parts) != 1:
        raise RuleBookError(book.file, where, "its parts do not add up to the whole stake")
    if study.voids is not None and not 0 <= Fraction(study.voids.share) <= 1:
        raise RuleBookError(book.file, where, f'"{study.voids.share}" is not a share of all throws')
    if study.chips is not None and study.chips < 1:
        raise RuleBookError(book.file, where, "a stake is at least one chip")
