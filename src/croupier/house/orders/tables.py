"""Orders that set up and open tables."""

from __future__ import annotations

import msgspec

from croupier.house import orders
from croupier.house.events import Rhythm, TableSet
from croupier.house.names import is_name, table_stream, titles
from croupier.house.orders.people import MOST_SHOWN
from croupier.house.orders.scene import GIVEN, Decided, Outcome, Scene
from croupier.protocol.reading import read_plain
from croupier.table import commands
from croupier.table.conduct.acting import WORDS
from croupier.table.decide import decide_without_note
from croupier.table.refusals import Refusal
from croupier.table.state import State

MOST_SECONDS = 3600.0
MOST_FOR_NUMBERS = 30.0
BAD_RHYTHM = (
    "Bets are open from 1 second to an hour, the last call is within that time, and numbers have up to 30 seconds."
)
OPENING = ("manager", "operator")


def set_table(scene: Scene, deed: orders.SetTable) -> Decided:
    """Set up a new table with a book, a sign, and optionally a rhythm."""
    if not is_name(deed.table):
        return Refusal(
            "bad_name", "A table is called by up to 40 small letters, digits, dots, hyphens and underscores."
        )
    if not deed.title.strip() or len(deed.title) > MOST_SHOWN or not deed.title.isprintable():
        return Refusal("bad_name", f"The title of a table has 1 to {MOST_SHOWN} letters.")
    if scene.tables(deed.table).is_set:
        return Refusal("name_taken", f"There is a table called {deed.table} already.")
    if deed.rhythm is not None and not _makes_sense(deed.rhythm):
        return Refusal("bad_rhythm", BAD_RHYTHM)
    told = {name: value for name, value in deed.line.items() if name not in GIVEN}
    command = read_plain(scene.shelf, State(), {**told, "do": "open"})
    if isinstance(command, Refusal):
        return command
    assert isinstance(command, commands.OpenTable), "the line says open"
    if deed.rhythm is not None and command.settings.manual_dice:
        return Refusal("bad_rhythm", "A table that runs by itself has no dice that people hand round.")
    title = _title(scene, command)
    given = msgspec.structs.replace(command, at=scene.at, by=title, who=scene.order.who)
    opened = decide_without_note(scene.shelf, State(), given)
    if isinstance(opened, Refusal):
        return opened
    return Outcome({table_stream(deed.table): [TableSet(deed.table, deed.title, deed.rhythm), *opened]}, title)


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
