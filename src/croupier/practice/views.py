"""A practice table as its page shows it: the same felt as at any table, seen by the one who plays."""

from __future__ import annotations

from datetime import datetime

import msgspec

from croupier.contract.replies import Felt, LessonEnd, LessonShown, LessonStep, PracticeReply
from croupier.house.live_streams import Head
from croupier.house.queries import Viewer, draw_table, show_felt, show_next_throw
from croupier.practice.replay import Practised
from croupier.rules.lesson import Lesson
from croupier.rules.shelf import Shelf


def show(shelf: Shelf, made: Practised, now: datetime, *, drawing: bool, ahead: bool) -> PracticeReply:
    """Return the reply to the last line, with the felt after it."""
    head, you = Head(made.version, b""), Viewer(made.player)
    return PracticeReply(
        ok=True,
        events=[event.plain() for event in made.last.events],
        felt=_attended(show_felt(shelf, made.state, head, you, now)),
        drawing=draw_table(shelf, made.state, you) if drawing else None,
        ahead=show_next_throw(shelf, made.state, head, you) if ahead else None,
    )


def _attended(felt: Felt) -> Felt:
    """Return the felt as at a table with a dealer: the player deals too."""
    return msgspec.structs.replace(felt, attended=True)


def show_lesson(book_id: str, lesson: Lesson) -> LessonShown:
    """Return a lesson without what only its checks need."""
    return LessonShown(
        book=book_id,
        title=lesson.title,
        chips=lesson.chips,
        steps=[
            LessonStep(
                title=step.title,
                says=step.says,
                note=step.note,
                bet=step.bet,
                pick=step.pick,
                amount=step.amount if step.bet else None,
                throws=[list(throw) for throw in step.throws],
            )
            for step in lesson.steps
        ],
        end=LessonEnd(lesson.end.title, lesson.end.says),
    )
