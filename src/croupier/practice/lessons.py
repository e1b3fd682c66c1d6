"""A lesson played through the engine: each move must be accepted, and the dice must do what the sentences promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.contract.lines import LineDone
from croupier.felt.past_results import marked_value
from croupier.money import format_cents, parse_cents
from croupier.practice.replay import NotPractised, Practice, Practised
from croupier.rules.book import Book
from croupier.rules.lesson import Lesson, Step
from croupier.rules.shelf import Shelf

PLAYER = "you"


def play_lesson(shelf: Shelf, book: Book) -> None:
    """Play the lesson of a book. Raises RuleBookError for the first step that does not go as it says."""
    lesson = book.lesson
    if lesson is None:
        return
    practice = Practice(shelf)
    lines: list[dict[str, Any]] = [{"do": "open"}, {"do": "seat", "player": PLAYER, "chips": lesson.chips}]
    after = _played(practice, book, lesson, 0, lines)
    for number, step in enumerate(lesson.steps, 1):
        if step.bet is not None:
            lines.append(bet_line(step))
            after = _played(practice, book, lesson, number, lines)
        won = lost = 0
        for throw in step.throws:
            lines += throw_lines(book, throw, bets_open=after.state.game.bets_open)
            after = _played(practice, book, lesson, number, lines)
            won, lost = won + _sum(after.last, "win", "paid"), lost + _sum(after.last, "lose", "stake")
        if step.throws:
            _check(book, lesson, number, won, lost, after)


def bet_line(step: Step) -> dict[str, Any]:
    """Return the line of a bet."""
    pick = {} if step.pick is None else {"pick": step.pick}
    return {"do": "bet", "player": PLAYER, "wager": step.bet, **pick, "amount": step.amount}


def throw_lines(book: Book, throw: Sequence[int] | str, *, bets_open: bool) -> list[dict[str, Any]]:
    """Return the lines of a throw; where a call closes the betting, it is made first."""
    rules = book.rules.throw
    shut = [{"do": "no_more_bets"}] if book.rules.betting is not None and bets_open else []
    return [*shut, {"do": rules.command, rules.field: throw if isinstance(throw, str) else list(throw)}]


def _played(practice: Practice, book: Book, lesson: Lesson, number: int, lines: Sequence[dict[str, Any]]) -> Practised:
    made = practice.play(book.id, lines)
    if isinstance(made, NotPractised):
        raise lesson.wrong(number, f"the table refuses it: {made.refusal.message}")
    return made


def _check(book: Book, lesson: Lesson, number: int, won: int, lost: int, after: Practised) -> None:
    step = lesson.steps[number - 1]
    if (won, lost) != (parse_cents(step.won), parse_cents(step.lost)):
        fell = f"it wins {format_cents(won)} and loses {format_cents(lost)}"
        raise lesson.wrong(number, f"says won {step.won} and lost {step.lost}, but {fell}")
    marker = marked_value(book, after.state.game)
    if marker != step.marker:
        raise lesson.wrong(number, f"says marker {step.marker}, but it lies on {marker}")


def _sum(last: LineDone, result: str, amount: str) -> int:
    """Return what wagers with a result won or lost on a throw."""
    rows = [event.plain() for event in last.events]
    return sum(parse_cents(row[amount]) for row in rows if row["type"] == "wager_settled" and row["result"] == result)
