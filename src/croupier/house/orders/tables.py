"""Orders that set up and open tables."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.contract.requests import Body, Line, Shown
from croupier.house.events import Rhythm, TableSet
from croupier.house.names import is_name, titles
from croupier.house.orders.order import GIVEN, Api, AtTable, Decided, Outcome, Scene, in_api
from croupier.house.orders.people import MOST_SHOWN
from croupier.protocol import read_plain
from croupier.table import commands
from croupier.table.conduct.acts import WORDS
from croupier.table.decide import decide_without_note
from croupier.table.refusals import Refusal
from croupier.table.state import State

MOST_SECONDS = 3600.0
MOST_FOR_NUMBERS = 30.0
BAD_RHYTHM = (
    "Bets must be open for 1 second to 1 hour, with the last call within that time, and numbers can have up to "
    "30 seconds."
)
OPENING = ("manager", "operator")
Seconds = Annotated[float, Meta(ge=0, le=MOST_SECONDS)]


class RhythmBody(Body, frozen=True, kw_only=True):
    """How a table runs by itself, in seconds. One that `waits` keeps bets open until the first bet."""

    open: Seconds = 20.0
    last_call: Seconds = 5.0
    shut: Seconds = 0.3
    show: Seconds = 3.5
    waits: bool = True
    numbers: Annotated[float, Meta(ge=0, le=MOST_FOR_NUMBERS)] = 2.0


def _rhythm(body: RhythmBody) -> Rhythm:
    return Rhythm(**msgspec.structs.asdict(body))


class SetTable(AtTable, frozen=True, kw_only=True, tag="set_table"):
    """Set up a table and open it. For managers and operators.

    `line` has the fields of the pipe's `open`: book, chip, min, max, pay table. With a rhythm the table runs by itself.
    """

    title: Shown
    line: Line
    rhythm: Annotated[Rhythm | None, in_api(RhythmBody | None, read=_rhythm)] = None

    permits = ("manager", "operator", "house")
    api = Api(
        "/tables",
        "Set up a table and open it",
        {"table": "craps-1", "title": "Craps 1", "line": {"book": "craps-nsw-2024"}},
    )
    creates = True

    def decide(self, scene: Scene) -> Decided:
        if not is_name(self.table):
            return Refusal(
                "bad_name",
                "The name of a table can have up to 40 lower-case letters, digits, dots, hyphens and underscores.",
            )
        if not self.title.strip() or len(self.title) > MOST_SHOWN or not self.title.isprintable():
            return Refusal("bad_name", f"The title of a table must have 1 to {MOST_SHOWN} printable characters.")
        if scene.tables(self.table).is_set:
            return Refusal("name_taken", f"There is already a table called {self.table}.")
        if self.rhythm is not None and not _makes_sense(self.rhythm):
            return Refusal("bad_rhythm", BAD_RHYTHM)
        told = {name: value for name, value in self.line.items() if name not in GIVEN}
        command = read_plain(scene.shelf, State(), {**told, "do": "open"})
        if isinstance(command, Refusal):
            return command
        assert isinstance(command, commands.OpenTable), "the line says open"
        if self.rhythm is not None and command.settings.manual_dice:
            return Refusal("bad_rhythm", "An automatic table cannot have manual dice.")
        title = _title(scene, command)
        given = msgspec.structs.replace(command, at=scene.at, by=title, who=scene.who)
        opened = decide_without_note(scene.shelf, State(), given)
        if isinstance(opened, Refusal):
            return opened
        return Outcome({self.stream: [TableSet(self.table, self.title, self.rhythm), *opened]}, title)


def _title(scene: Scene, command: commands.OpenTable) -> str | None:
    """Return the title under which the book lets the person open a table; None: the house opens it for them."""
    conduct = scene.shelf.game(command.terms).book.conduct
    power = conduct.power(WORDS[commands.OpenTable], None)
    may = [] if power is None else power.by
    own = [title for role in OPENING if role in scene.asker.roles for title in titles(conduct, role)]
    return next((title for title in own if conduct.may(title, may)), None)


def _makes_sense(rhythm: Rhythm) -> bool:
    within = all(0 <= seconds <= MOST_SECONDS for seconds in (rhythm.open, rhythm.shut, rhythm.show))
    in_time = 0 <= rhythm.last_call < rhythm.open and 0 <= rhythm.numbers <= MOST_FOR_NUMBERS
    return within and rhythm.open >= 1 and in_time
