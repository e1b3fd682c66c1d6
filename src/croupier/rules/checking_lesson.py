"""Check the lesson of a book: its words are short, its wagers are on the felt, its faces can fall.

That the table accepts each move and that the dice do what the steps promise is checked by playing it.
"""

from __future__ import annotations

from croupier.money import MoneyError, parse_cents
from croupier.rules.book import Book
from croupier.rules.lesson import MOST_STEPS, MOST_WORDS, Lesson, Step


def check_lesson(book: Book) -> None:
    """Raise RuleBookError for the first mistake in a book's lesson, with its line."""
    lesson = book.lesson
    if lesson is None:
        return
    if book.layout is None:
        raise lesson.wrong(0, "needs a felt, and the book has no layout")
    if not 1 <= len(lesson.steps) <= MOST_STEPS:
        raise lesson.wrong(0, f"has {len(lesson.steps)} steps; it may have 1 to {MOST_STEPS}")
    _check_amounts(lesson, 0, lesson.chips)
    if not any(step.throws for step in lesson.steps):
        raise lesson.wrong(0, "nothing is thrown in it")
    for number, step in enumerate(lesson.steps, 1):
        _check_step(book, lesson, number, step)


def _check_step(book: Book, lesson: Lesson, number: int, step: Step) -> None:
    if (step.bet is None) != bool(step.throws):
        raise lesson.wrong(number, "is one move: give either bet or throws")
    words = len(step.says.split())
    if words > MOST_WORDS:
        raise lesson.wrong(number, f"says {words} words; at most {MOST_WORDS} are read before a move")
    _check_amounts(lesson, number, step.amount, step.won, step.lost)
    for throw in step.throws:
        if tuple(throw) not in book.outcomes.index:
            raise lesson.wrong(number, f"{throw!r} cannot fall here")
    if step.bet is None:
        return
    assert book.layout is not None, "a lesson needs one"
    if step.bet not in book.wagers:
        raise lesson.wrong(number, f'there is no wager "{step.bet}"')
    if not any((area.wager, area.pick) == (step.bet, step.pick) for area in book.layout.areas):
        raise lesson.wrong(number, f"the felt has no area for {step.bet} {step.pick or ''}".rstrip())


def _check_amounts(lesson: Lesson, number: int, *amounts: str) -> None:
    for amount in amounts:
        try:
            parse_cents(amount)
        except MoneyError as error:
            raise lesson.wrong(number, f"{amount!r}: {error}") from None
