"""Endpoints for practice tables and first games: anyone may use them, and nothing of them is stored."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, NamedTuple

from msgspec import Meta

from croupier.contract.replies import BookChances, LessonShown, PracticeReply
from croupier.contract.requests import PracticeBody
from croupier.practice.chances import chances_of
from croupier.practice.replay import NotPractised, Practice
from croupier.practice.views import show, show_lesson
from croupier.rules.errors import PayTableError
from croupier.rules.game import read_pay_table
from croupier.server.api.books import check_book
from croupier.server.api.requests import BookName
from croupier.server.endpoints import ANYONE, Request, Response, get, packed_reply, post
from croupier.server.problems import REFUSED, Problem
from croupier.server.running_house import RunningHouse

PayTable = Annotated[str | None, Meta(max_length=200, description='Such as "two", or "hardway.4=6 field=3".')]


class _Practising(NamedTuple):
    """The practice tables of a house. One line is played at a time: anyone may send them."""

    practice: Practice
    turn: asyncio.Lock


def _practising(running_house: RunningHouse) -> _Practising:
    return _Practising(Practice(), asyncio.Lock())


@post("/practice/{book}", needs=ANYONE, summary="Play at a practice table", tags=("practice",), example={
    "lines": [
        {"do": "open", "chip": "1.00"},
        {"do": "seat", "player": "you", "chips": "200.00"},
        {"do": "bet", "player": "you", "wager": "field", "amount": "5.00"},
        {"do": "roll"},
    ],
    "seed": "my first evening",
})  # fmt: skip
async def practise(request: Request, book: BookName, data: PracticeBody) -> Response[PracticeReply]:
    """Send all lines of the table each time, with the new one at the end; the reply is to that one.

    Nothing is stored: to step back, leave the last line out. A throw without faces takes them from the seed.
    """
    check_book(book)
    running_house = request.running_house
    running_house.practice_rate.check(request.network)
    practising = request.once(_practising)
    now = running_house.processor.clock()
    async with practising.turn:
        reply = await running_house.reading(_played, practising.practice, book, data, now)
    return await running_house.reading(packed_reply, reply, request.takes_gzip)


def _played(practice: Practice, book: str, data: PracticeBody, now: datetime) -> PracticeReply:
    made = practice.play(book, data.lines, data.seed)
    if isinstance(made, NotPractised):
        refusal = made.refusal
        say = refusal.message if made.line == len(data.lines) else f"Line {made.line}: {refusal.message}"
        raise Problem(REFUSED, refusal.code, say, refusal.clause)
    return show(practice.shelf, made, now, drawing=data.drawing, ahead=data.ahead)


@get("/practice/{book}/chances", needs=ANYONE, summary="Chances of all wagers", tags=("practice",))
async def chances(request: Request, book: BookName, pay_table: PayTable = None) -> BookChances:
    """What each wager wins, loses and costs on average, exactly: for practice, never shown at a live table."""
    check_book(book)
    running_house = request.running_house
    running_house.practice_rate.check(request.network)
    practising = request.once(_practising)
    async with practising.turn:
        return await running_house.reading(_chances, practising.practice, book, pay_table)


def _chances(practice: Practice, book: str, pay_table: str | None) -> BookChances:
    try:
        return chances_of(practice.shelf.terms(book, read_pay_table(pay_table)))
    except PayTableError as error:
        raise Problem(REFUSED, error.code, error.sentence, error.clause) from None


@get("/practice/{book}/lesson", needs=ANYONE, summary="The first game of a book", tags=("practice",))
async def lesson(request: Request, book: BookName) -> LessonShown:
    """What is said before each move, and the moves. They are made at a practice table."""
    check_book(book)
    found = request.running_house.house.shelf.book(book).lesson
    if found is None:
        raise Problem(404, "no_lesson", "This book has no first game.")
    return show_lesson(book, found)


ENDPOINTS = [practise, chances, lesson]
