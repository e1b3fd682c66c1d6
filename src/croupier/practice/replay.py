"""A practice table played again from its lines: the same engine as every table, and nothing that remembers.

A line is one of the pipe's, and a throw may leave its faces to a seed. A table of hundreds of lines takes milliseconds;
the states of the latest tables are kept, so that one more line at the end does not even take that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from croupier.contract.lines import LineDone
from croupier.felt.past_results import with_results
from croupier.house.queries import TableState
from croupier.practice.dice import seeded
from croupier.protocol import read_plain, reply_done
from croupier.rules.book import Book
from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal

TABLE = "practice"
WORDS = ("open", "seat", "chips", "bet", "take", "call", "no_more_bets", "roll", "spin")
MOST_KEPT = 128  # states of tables
MOST_TERMS = 48  # combinations of pay tables that are compiled; then all are let go

Line = Mapping[str, Any]


class Practised(msgspec.Struct, frozen=True):
    """A practice table after its lines: its state, whose table it is, and the pipe's reply to the last line."""

    state: TableState
    player: str | None
    version: int
    last: LineDone


class NotPractised(msgspec.Struct, frozen=True):
    """A line that was refused: its place, counted from 1, and why."""

    line: int
    refusal: Refusal


class Practice:
    """Plays practice tables. Everything follows from the lines: two requests with the same ones get the same answer."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self._paths = () if shelf is None else tuple(shelf.extra.values())
        self._begin()

    def _begin(self) -> None:
        self.shelf = Shelf(self._paths)  # its own: other threads than the house's use it, and it is let go now and then
        self._terms: set[Terms] = set()
        self._kept: OrderedDict[bytes, TableState] = OrderedDict()

    def play(self, book_id: str, lines: Sequence[Line], seed: str = "") -> Practised | NotPractised:
        """Play a table from its first line to its last."""
        if len(self._terms) > MOST_TERMS:
            self._begin()
        book = self.shelf.book(book_id)
        resolved = with_throws(book, lines, seed)
        state = self._kept.get(_digest(book_id, resolved[:-1])) if len(resolved) > 1 else None
        first = 0 if state is None else len(resolved) - 1
        state = state or TableState(name=TABLE, title=book.rules.book.title)
        last: LineDone | None = None
        for number, line in enumerate(resolved[first:], first + 1):
            played = self._line(book_id, state, line)
            if isinstance(played, Refusal):
                return NotPractised(number, played)
            state, last = played
        assert last is not None, "there is at least one line"
        self._keep(_digest(book_id, resolved), state)
        self._terms.update(state.game.terms)
        player = next((str(line["player"]) for line in resolved if line.get("do") == "seat"), None)
        return Practised(state, player, len(resolved), last)

    def _line(self, book_id: str, state: TableState, line: Line) -> tuple[TableState, LineDone] | Refusal:
        word = line.get("do")
        if word not in WORDS:
            return Refusal("unknown_command", f'At a practice table "do" is one of {", ".join(WORDS)}.')
        if (word == "open") == state.game.is_open:
            say = "The table is already open." if word == "open" else "The first line opens the table."
            return Refusal("already_open" if word == "open" else "not_open", say)
        given = {**line, "book": book_id} if word == "open" else dict(line)
        if given.get("book", book_id) != line.get("book", book_id):
            return Refusal("another_game", f"This table is for {book_id}.")
        command = read_plain(self.shelf, state.game, given)
        if isinstance(command, Refusal):
            return command
        assert isinstance(command, commands.Command), "no question is among the words"
        happened = decide(self.shelf, state.game, command)
        if isinstance(happened, Refusal):
            return happened
        results = with_results(state.results, state.game.phases, happened)
        game = evolve_all(state.game, happened)
        return msgspec.structs.replace(state, game=game, results=results), reply_done(self.shelf, game, happened)

    def _keep(self, digest: bytes, state: TableState) -> None:
        self._kept[digest] = state
        self._kept.move_to_end(digest)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def with_throws(book: Book, lines: Sequence[Line], seed: str) -> list[Line]:
    """Return the lines, with faces from the seed in throws that have none."""
    rules, number, resolved = book.rules.throw, 0, list[Line]()
    for line in lines:
        if line.get("do") == rules.command:
            number += 1
            if seed and line.get(rules.field) is None:
                fell = seeded(seed, number, rules)
                line = {**line, rules.field: "".join(map(str, fell)) if isinstance(fell[0], str) else list(fell)}
        resolved.append(line)
    return resolved


def _digest(book_id: str, lines: Sequence[Line]) -> bytes:
    return sha256(msgspec.json.encode((book_id, lines))).digest()
