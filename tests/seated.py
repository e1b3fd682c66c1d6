"""What tests of the terminal game need: a player at a table whose dice are seeded or given."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from croupier.play import play
from croupier.play.loop import Playing
from croupier.play.solo_game import YOU, Dice, SoloGame
from croupier.table.decide import open_table
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


def make_console(width: int = 80, height: int = 24) -> Console:
    return Console(file=StringIO(), width=width, height=height, no_color=True)


def text_of(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def run(book_id: str, *lines: str, seed: int | None = 5, width: int = 80, height: int = 24, **terms: object) -> str:
    """Play a script to its end; return what the screen showed."""
    console = make_console(width, height)
    status = play(book_id, SHELF, seed=seed, console=console, lines=iter(lines), **terms)  # type: ignore[arg-type]
    assert status == 0
    return text_of(console)


def sit_down(book_id: str, *throws: tuple[object, ...], chips: str = "1000.00", width: int = 80) -> Playing:
    """A player with given dice."""
    table = open_table(book_id, {YOU: chips}, shelf=SHELF)
    session = SoloGame(table, loaded(book_id, *throws), table.state.chips[YOU])
    return Playing(session, make_console(width), iter(()))


def loaded(book_id: str, *throws: tuple[object, ...]) -> Dice:
    faces: list[int | str] = SHELF.book(book_id).rules.throw.faces
    fall = iter([faces.index(face) for throw in throws for face in throw])  # type: ignore[arg-type]
    return Dice(lambda count: next(fall))


def said(playing: Playing, *lines: str) -> str:
    """The reply to the last of these lines."""
    replies = [playing.answer(line) for line in lines]
    return "\n".join(line.plain for line in replies[-1].lines)


SCRIPTS = {
    CRAPS: [
        "10 win line",
        "5 hard 8",
        "",
        "20 behind win line",
        "10 come",
        "6 place 6",
        "4 horn",
        "",
        "wagers",
        "",
        "",
    ],
    SIC_BO: ["10 small; 5 odd", "5 total 9", "1 comb 1 2", "", "streak size", "rebet", "", "", "table"],
    TWO_UP: ["10 heads", "20 spinner tails", "", "", "", "rebet", "", "history"],
    SNAKE_EYES: ["10 hard 6; 5 field; 5 combo", "", "", "5 five; 1 craps 2", "", "", "pays"],
    SNAKE_EYES_NZ: ["10 hard 6; 5 field; 5 combo", "", "", "5 five; 1 craps 2", "", "", "pays"],
}
